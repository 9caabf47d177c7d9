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
"""States of the benchmark: beside other tests it may well be too slow, but it may lose nothing, nor refuse anything."""


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_many_at_once(root: Path, kind: str) -> None:
    command = [sys.executable, "-W", "error", str(root / "bench" / "studio_load.py"), kind]
    options = ["--seconds", str(SECONDS), "--annotators", str(ANNOTATORS)]
    ran = subprocess.run([*command, *options], capture_output=True, text=True, check=False, timeout=500)
    if ran.returncode == NO_SERVER:
        pytest.skip(ran.stderr.strip())
    assert ran.returncode in (0, TOO_SLOW), ran.stdout + ran.stderr
    found = re.search(r"errors: 0; acknowledged: ([\d,]+), of these lost: 0", ran.stdout)
    assert found, ran.stdout
    assert int(found[1].replace(",", "")) == SECONDS * ANNOTATORS
    assert re.search(r"judgements .* p50 [\d.]+ s, p95 [\d.]+ s, p99 [\d.]+ s", ran.stdout), ran.stdout
    assert re.search(r"memory [\d.]+ MiB at the start, [\d.]+ MiB at the end", ran.stdout), ran.stdout
