"""Lexical substitution on the command line: usages → substitutes → file → score, as in Python."""

import json
from pathlib import Path
from typing import Any

import pytest

from cli.conftest import Run, refused
from polyseme import read_inventory, read_labelling, read_usages
from polyseme.labelling import Labelling
from polyseme.lm.substitute_labelling import label_with_substitutes
from polyseme.lm.substitutes import build_substituter
from polyseme.tasks.lexsub import LexSub
from substitution import GOLD, MODEL, write


@pytest.fixture(autouse=True)
def _files(tmp_path: Path) -> None:
    write(tmp_path)
    (tmp_path / "my.candidates").write_text("bank.n::shore;edge;river side;lender;shop\nraise.v::lift;increase\n")
    (tmp_path / "two.best").write_text("bank.n 1 :: edge;shore\nbank.n 2 :: lender\n")
    (tmp_path / "one.best").write_text("bank.n 1 :: edge\nbank.n 2 :: lender\n")


def scored(cli: Run, *files: str) -> dict[str, Any]:
    ran = cli("score", "lexsub", *files, "--gold", "my.gold", "--json")
    assert ran.code == 0, ran
    assert all("labels no usage of 1 of the 2 lemmas" in line for line in ran.err.splitlines()), ran
    result: dict[str, Any] = json.loads(ran.out)
    return result


@pytest.mark.parametrize("name", ["out.best", "out.oot", "out.jsonl", "out.jsonl.gz", "out.parquet", "out.key"])
def test_the_road_in_a_shell_is_that_in_python(cli: Run, name: str) -> None:
    """No two words that matter are equally likely here: files for best and oot could not say so."""
    count = {"out.best": 1, "out.oot": 10}.get(name, 20)
    ran = cli("substitutes", "--usages", "my.jsonl", "--model", MODEL, "-o", name)
    assert (ran.code, ran.out) == (0, "")
    labelling = label_with_substitutes(build_substituter(MODEL), list(read_usages("my.jsonl")), count)
    assert scored(cli, name) == LexSub().score(read_labelling("my.gold"), labelling).summary()


def test_candidates_can_be_ranked_however_unlikely(cli: Run) -> None:
    assert cli("substitutes", "--usages", "my.jsonl", "--model", MODEL, "-n", 1, "-o", "few.jsonl").code == 0
    options = ("--candidates", "my.candidates", "-n", 1, "-o", "all.jsonl", "--json")
    ran = cli("substitutes", "--usages", "my.jsonl", "--model", MODEL, *options)
    assert json.loads(ran.out) == {"path": "all.jsonl", "usages": 3, "labelled": 3, "senses per labelled usage": 3.0}
    python = label_with_substitutes(
        build_substituter(MODEL), list(read_usages("my.jsonl")), 1, read_inventory("my.candidates")
    )
    assert read_labelling("all.jsonl") == python
    few, all_of_them = scored(cli, "few.jsonl"), scored(cli, "all.jsonl")
    assert few["best"] == all_of_them["best"]
    assert few["gap"] != all_of_them["gap"]


def test_all_guesses_of_a_file_for_best_count(cli: Run) -> None:
    """(1 + 3) of 5 responses with two guesses, 2 of 3 with one, and one usage is not answered."""
    best = scored(cli, "two.best")["best"]
    assert best["precision"] == pytest.approx((4 / 5 / 2 + 2 / 3) / 2)
    assert best["recall"] == pytest.approx((4 / 5 / 2 + 2 / 3) / 3)
    labelling = read_labelling("two.best")
    assert scored(cli, "two.best") == LexSub().score(GOLD, labelling).summary()


def test_a_table_with_baselines_and_groups(cli: Run) -> None:
    ran = cli("score", "lexsub", "two.best", "--gold", "my.gold", "--by", "pos")
    assert ran.code == 0
    heading, _, *rows = ran.out.splitlines()[1:]
    assert heading.split() == ["System", "Group", "Best", "Best", "mode", "OOT", "OOT", "mode", "GAP", "P@1", "P@3"]
    assert [row.split()[:2] for row in rows if row] == [
        ["two.best", "all"],
        ["two.best", "n"],
        ["two.best", "v"],
        ["ASF", "all"],
        ["ASE", "all"],
    ]


def test_two_systems_are_compared(cli: Run) -> None:
    (Path("other.oot")).write_text("bank.n 1 ::: shore\nbank.n 2 ::: shop\nraise.v 3 ::: lift\n")
    ran = cli("compare", "two.best", "other.oot", "--gold", "my.gold", "--task", "lexsub", "--samples", 100, "--json")
    result = json.loads(ran.out)
    assert result["best.recall"]["second"] == pytest.approx((3 / 5 + 1 / 3 + 3 / 5) / 3)
    assert result["best.recall"]["first"] == pytest.approx((4 / 5 / 2 + 2 / 3) / 3)


@pytest.mark.parametrize(
    "arguments, message",
    [
        (("substitutes", "A bank", "--usages", "my.jsonl"), "--usages replaces a text and its target"),
        (("substitutes", "--usages", "my.jsonl", "-o", "out.xls"), "the suffix '.xls' names no format"),
        (("substitutes", "--usages", "none.jsonl", "--model", MODEL), "none.jsonl"),
        (("substitutes", "--train", "index", "--usages", "my.jsonl", "-o", "x"), "to train a model, type"),
        (("substitutes", "A bank", "--candidates", "my.candidates"), "--candidates goes with --usages"),
        (("score", "lexsub", "my.jsonl", "--gold", "my.gold"), "my.jsonl"),
        (("score", "lexsub", "two.best", "--gold", "one.best"), "no usage of the gold key has 2 responses"),
    ],
)
def test_wrong_options_are_refused(cli: Run, arguments: tuple[str, ...], message: str) -> None:
    refused(cli(*arguments), message)


def test_usages_that_are_not_numbered_go_into_other_files(cli: Run) -> None:
    Path("odd.jsonl").write_text(Path("my.jsonl").read_text().replace("bank.n.1", "first"))
    refused(
        cli("substitutes", "--usages", "odd.jsonl", "--model", MODEL, "-o", "out.oot"), "is not called after its lemma"
    )
    assert cli("substitutes", "--usages", "odd.jsonl", "--model", MODEL, "-o", "out.jsonl").code == 0
    assert isinstance(read_labelling("out.jsonl"), Labelling)
