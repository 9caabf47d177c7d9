"""Many annotators at once, for some seconds; the long form, with its limits, is ``python bench/studio_load.py``."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("fastapi", reason="the studio needs polyseme[annotate]")

SECONDS = int(os.environ.get("POLYSEME_LOAD_SECONDS", "6"))
ANNOTATORS = 20
TOO_SLOW, NO_SERVER = 1, 3
"""Exit codes of the benchmark: beside other tests it may be too slow, but it must neither lose nor refuse anything."""


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_many_annotators_at_once_lose_nothing(root: Path, kind: str) -> None:
    command = [sys.executable, "-W", "error", str(root / "bench" / "studio_load.py"), kind]
    options = ["--seconds", str(SECONDS), "--annotators", str(ANNOTATORS)]
    run = subprocess.run([*command, *options], capture_output=True, text=True, check=False, timeout=500)
    if run.returncode == NO_SERVER:
        pytest.skip(run.stderr.strip())
    assert run.returncode in (0, TOO_SLOW), run.stdout + run.stderr
    match = re.search(r"errors: 0; acknowledged: ([\d,]+), of these lost: 0", run.stdout)
    assert match, run.stdout
    assert int(match[1].replace(",", "")) == SECONDS * ANNOTATORS
    assert re.search(r"judgements .* p50 [\d.]+ s, p95 [\d.]+ s, p99 [\d.]+ s", run.stdout), run.stdout
    assert re.search(r"memory [\d.]+ MiB at the start, [\d.]+ MiB at the end", run.stdout), run.stdout
