"""A package of somebody else's that declares parts is discovered without a change here."""

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

PACKAGE = Path(__file__).parent / "data" / "declared_parts"


def run_polyseme(*arguments: str, cwd: Path, package: Path = PACKAGE) -> subprocess.CompletedProcess[str]:
    """Run a command where the package is installed."""
    path = os.pathsep.join([str(package), *filter(None, [os.environ.get("PYTHONPATH", "")])])
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


def test_the_package_of_the_guide_declares_its_part(tmp_path: Path, root: Path) -> None:
    guide = (root / "docs" / "how-to" / "add-your-own-parts.md").read_text("utf-8")
    blocks = dict(re.findall(r"```(toml|python)\n([^>].*?)```", guide, re.S))
    project = tomllib.loads(blocks["toml"])["project"]
    [[group, entry_points]] = project["entry-points"].items()
    [[name, module]] = entry_points.items()
    (tmp_path / f"{module}.py").write_text(blocks["python"])
    metadata = tmp_path / f"{module}-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(f"Name: {project['name']}\nVersion: {project['version']}\n")
    (metadata / "entry_points.txt").write_text(f"[{group}]\n{name} = {module}\n")
    listing = run_polyseme("parts", "disambiguator", "--json", cwd=tmp_path, package=tmp_path)
    assert "LongestGloss()" in [row["part"] for row in json.loads(listing.stdout)], listing.stderr


def test_a_declared_task_scores_keys(tmp_path: Path) -> None:
    (tmp_path / "gold.key").write_text("x.n u1 a\nx.n u2 b\n")
    scored = run_polyseme("score", "heaviest-sense", "gold.key", "--gold", "gold.key", "--json", cwd=tmp_path)
    assert json.loads(scored.stdout)["same"]["f1"] == 1.0, scored.stderr
