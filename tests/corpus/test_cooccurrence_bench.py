"""The benchmark of co-occurrence runs, on little data; its long form is ``python bench/cooccurrence.py``."""

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
