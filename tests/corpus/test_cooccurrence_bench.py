"""The benchmarks of co-occurrence, indexing and scale run, on little data; their long form is under ``bench/``."""

import os
import re
import subprocess
import sys
from pathlib import Path


def test_everybody_counts_the_same(root: Path, data: Path) -> None:
    command = [sys.executable, "-W", "error", str(root / "bench" / "cooccurrence.py"), "50000"]
    environment = {**os.environ, "POLYSEME_DATA": str(data)}
    ran = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    assert ran.returncode == 0, ran.stderr or ran.stdout
    rows = re.findall(r"^(polyseme|scipy XᵀX|polyseme, both|CountVectorizer) .* ([\d,]+) +([\d,]+)$", ran.stdout, re.M)
    assert len(rows) == 7, ran.stdout
    assert len({row[1:] for row in rows[:4]}) == 1, "the same pairs and sums in a sentence"
    assert rows[4][1:] == rows[5][1:], "the same graph"


def test_indexing_and_scale(root: Path, data: Path) -> None:
    environment = {**os.environ, "POLYSEME_DATA": str(data)}
    for script, size, lines in (
        ("indexing.py", "30000", r"^(polyseme|CountVectorizer) +[\d.]+ +[\d.]+ +\d+ +\d+$"),
        ("scale.py", "0.05", r"^ +0\.1( +[\d.]+){5}$|same bytes: True$"),
    ):
        command = [sys.executable, "-W", "error", str(root / "bench" / script), size]
        ran = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
        assert ran.returncode == 0, ran.stderr or ran.stdout
        assert len(re.findall(lines, ran.stdout, re.M)) == 2, ran.stdout
