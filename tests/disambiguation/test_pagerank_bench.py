"""The benchmark of PageRank runs, on few contexts; limits are for a quiet machine."""

import importlib.util
import os
import re
import subprocess
from pathlib import Path

import pytest

from benches import single_run_command


@pytest.mark.usefixtures("wordnet_30")
def test_the_same_senses_as_others_and_sooner(root: Path, data: Path) -> None:
    command = single_run_command(root / "bench" / "pagerank.py", "4")
    environment = {**os.environ, "POLYSEME_DATA": str(data)}
    ran = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    assert ran.returncode in (0, 1), ran.stderr
    for name in ("networkx", "igraph"):
        if importlib.util.find_spec(name) is None:
            assert f"{name} is not installed, so that nothing can be compared. Type: pip install {name}" in ran.stdout
        else:
            result = re.search(rf"^  {name} +[\d.]+, ratio (\d+), 1/1 the same sense$", ran.stdout, re.M)
            assert result, ran.stdout
    assert len(re.findall(r"^a sentence with \d words of WordNet, warm: \d+ ms$", ran.stdout, re.M)) == 2, ran.stdout
    assert re.search(r"^a new process, with imports: [\d.]+ s$", ran.stdout, re.M), ran.stdout
