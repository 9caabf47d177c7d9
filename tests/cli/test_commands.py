"""``polyseme parts``, ``reproduce``, and the program as a whole."""

import csv
import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from cli.conftest import Run
from polyseme.parts import build, parts_by_name
from polyseme.tasks.senseval import Senseval


def program(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from polyseme.cli import main; main()", *arguments]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, encoding="utf-8", check=False)


# -- parts ---------------------------------------------------------------------------------------------------------


def test_parts(cli: Run) -> None:
    rows = json.loads(cli("parts", "--json").out)
    assert {row["part"].partition("(")[0] for row in rows} == set(parts_by_name())
    for row in rows:
        assert list(row) == ["part", "kind", "summary"]
        assert repr(build(row["part"], row["kind"])) == row["part"]
        assert row["summary"].endswith((".", ")", ":"))
        assert ":class:" not in row["summary"]


def test_parts_of_one_kind(cli: Run) -> None:
    rows = list(csv.DictReader(io.StringIO(cli("parts", "mapping", "--format", "csv").out)))
    assert {row["Kind"] for row in rows} == {"mapping"}
    assert "Agirre()" in cli("parts", "mapping").out


# -- reproduce -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("arguments", [("senseval",), ("jurgens-2012", "--table", "Figure 1")])
def test_reproduce(cli: Run, arguments: tuple[str, ...]) -> None:
    ran = cli("reproduce", *arguments)
    assert ran.code == 0
    assert "0 DIFFERS" in ran.out
    cells = json.loads(cli("reproduce", *arguments, "--json").out)
    assert [set(cell) for cell in cells] == [
        {"task", "source", "system", "figure", "printed", "ours", "noise", "elsewhere", "difference", "verdict"}
    ] * len(cells)
    assert {cell["verdict"].partition(":")[0] for cell in cells} == {"same", "known"}


@pytest.mark.usefixtures("wordnet_30")
@pytest.mark.parametrize(
    "table, message", [("1", "16 figures: 16 same, 0 known"), ("3", "18 figures: 17 same, 1 known")]
)
def test_reproduce_a_table_from_data(cli: Run, data: Path, table: str, message: str) -> None:
    ran = cli("reproduce", "jurgens-2012", "--table", table, "--data", data)
    assert ran.code == 0
    assert message in ran.out


def test_coverage_counts_figures_of_all_tasks_or_of_one(cli: Run) -> None:
    rows = json.loads(cli("reproduce", "--coverage", "--json").out)
    assert {row["task"] for row in rows} >= {"semeval-2013", "semeval-2010", "senseval", "jurgens-2012"}
    assert [set(row) for row in rows] == [{"task", "source", "printed", "computed", "reason"}] * len(rows)
    ran = cli("reproduce", "senseval", "--coverage")
    assert ran.code == 0
    assert ran.out.splitlines()[-1] == "26 of 26 figures are computed"


def test_the_page_has_what_the_command_counts(cli: Run) -> None:
    """The table of docs/results/reproduction.md is what `polyseme reproduce --coverage` prints, line by line."""
    ran = cli("reproduce", "--coverage", "--format", "markdown")
    assert ran.code == 0
    table = "\n".join(line for line in ran.out.splitlines() if line.startswith("|"))
    page = (Path(__file__).parents[2] / "docs" / "results" / "reproduction.md").read_text(encoding="utf-8")
    assert f"<!-- coverage -->\n{table}\n" in page, "type: python docs/tables.py"


def test_a_difference_that_is_not_known_ends_with_one(cli: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    right = list(Senseval().compute_worked_examples())
    wrong = [right[0]._replace(printed="0.123"), *right[1:]]
    monkeypatch.setattr(Senseval, "compute_worked_examples", lambda _: iter(wrong))
    ran = cli("reproduce", "senseval")
    assert ran.code == 1
    assert "1 DIFFERS" in ran.out
    assert next(cell["verdict"] for cell in json.loads(cli("reproduce", "senseval", "--json").out)) == "DIFFERS"


# -- the program ---------------------------------------------------------------------------------------------------


def test_help_and_version(cli: Run) -> None:
    assert re.fullmatch(r"polyseme \d+\.\d+\.\d+\n", cli("--version").out)
    output = cli("--help").out
    for command in ("score", "compare", "reproduce", "parts", "demo"):
        assert re.search(rf"^  {command}\b", output, re.MULTILINE)
        assert cli(command, "--help").code == 0


def test_as_a_process(tmp_path: Path, root: Path) -> None:
    examples = root / "examples"
    key, gold = str(examples / "system-a.key"), str(examples / "gold.key")
    ran = program("score", "semeval-2013", key, "--gold", gold, "--json", cwd=tmp_path)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert json.loads(ran.stdout)["clusters"] > 1
    (tmp_path / "broken.key").write_text("bank.n bank.n.1 a/x\n")
    ran = program("score", "semeval-2013", "broken.key", "--gold", gold, cwd=tmp_path)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr.startswith("polyseme: broken.key:1: weight 'x' of sense 'a' is not a number.")
    (tmp_path / "more.key").write_text("bank.n bank.n.1 a\nbank.n bank.n.99 a\nbank.n bank.n.98\n")
    ran = program("score", "semeval-2013", "more.key", "--gold", gold, "--json", cwd=tmp_path)
    assert ran.returncode == 0
    assert [line.partition(" ")[0] for line in ran.stderr.splitlines()] == ["warning:"] * 3


@pytest.mark.skipif(sys.platform == "win32", reason="pipes work otherwise there")
def test_a_reader_that_goes_away(root: Path) -> None:
    command = f"{sys.executable} -c 'from polyseme.cli import main; main()' parts | head -n 1"
    ran = subprocess.run(command, shell=True, cwd=root, capture_output=True, text=True, check=True)
    assert ran.stderr == ""


def process(root: Path, *arguments: str, **options: Any) -> "subprocess.CompletedProcess[bytes]":
    command = [sys.executable, "-c", "from polyseme.cli import main; main()", *arguments]
    return subprocess.run(command, cwd=root, stderr=subprocess.PIPE, check=False, **options)


def test_output_that_cannot_be_written(root: Path) -> None:
    with Path("/dev/full").open("wb") as full:
        ran = process(root, "parts", stdout=full)
    assert ran.returncode == 2
    assert ran.stderr.startswith(b"polyseme: the output cannot be written")


def test_a_terminal_that_knows_few_characters(root: Path) -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "latin-1"}
    ran = process(root, "parts", stdout=subprocess.PIPE, env=environment)
    assert (ran.returncode, ran.stderr) == (0, b"")
