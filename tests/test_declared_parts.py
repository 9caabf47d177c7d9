"""A package of somebody else's that declares parts is discovered without a change here."""

import json
import os
import subprocess
import sys
from pathlib import Path

PACKAGE = Path(__file__).parent / "data" / "declared_parts"


def run_polyseme(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run a command where the package is installed."""
    path = os.pathsep.join([str(PACKAGE), *filter(None, [os.environ.get("PYTHONPATH", "")])])
    program = "from polyseme.cli import main; main()"
    command = [sys.executable, "-c", program, *arguments]
    environment = {**os.environ, "PYTHONPATH": path}
    return subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, check=False)


def test_declared_parts_are_listed_beside_ours(tmp_path: Path) -> None:
    listing = run_polyseme("parts", "--json", cwd=tmp_path)
    parts = {row["part"].partition("(")[0]: row for row in json.loads(listing.stdout)}
    assert parts["SameHeaviest"]["kind"] == "measure"
    assert parts["HeaviestSense"]["kind"] == "task"
    assert "heaviest" not in parts["Jaccard"]["summary"]


def test_a_broken_package_and_a_taken_name_are_reported_and_left_out(tmp_path: Path) -> None:
    warnings = run_polyseme("parts", cwd=tmp_path).stderr
    assert "the parts of the package declared-parts cannot be loaded: ModuleNotFoundError" in warnings
    assert "pip uninstall declared-parts" in warnings
    assert "the part Jaccard of declared_parts is left out" in warnings
    assert "Traceback" not in warnings


def test_a_declared_task_scores_keys(tmp_path: Path) -> None:
    (tmp_path / "gold.key").write_text("x.n u1 a\nx.n u2 b\n")
    scored = run_polyseme("score", "heaviest-sense", "gold.key", "--gold", "gold.key", "--json", cwd=tmp_path)
    assert json.loads(scored.stdout)["same"]["f1"] == 1.0, scored.stderr
