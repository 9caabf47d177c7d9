"""``polyseme gold``."""

import json
import re
from pathlib import Path

import pytest

from cli.conftest import Run
from polyseme.formats import read_labelling, write_ratings
from polyseme.gold import Gold
from polyseme.rating import UNDECIDED, Rating, Ratings

SENSES = Ratings(
    Rating(who, "WSsim", "win.v", usage, sense, value, comment)
    for who, usage, sense, value, comment in [
        ("ann", "u1", "a", 5, ""),
        ("bob", "u1", "a", 4, ""),
        ("cy", "u1", "a", 5, ""),
        ("ann", "u1", "b", 1, ""),
        ("bob", "u1", "b", 5, "why not?"),
        ("cy", "u1", "b", UNDECIDED, ""),
        ("ann", "u2", "a", 1, ""),
        ("bob", "u2", "a", 1, ""),
        ("cy", "u2", "a", 1, ""),
    ]
)
PAIRS = Ratings(
    Rating("ann", "Usim", "win.v", one, two, value)
    for one, two, value in [("u1", "u2", 4), ("u2", "u3", 4), ("u1", "u4", 1), ("u1", "u5", UNDECIDED)]
)


@pytest.fixture
def files(tmp_path: Path) -> None:
    write_ratings(SENSES, tmp_path / "senses.csv")
    write_ratings(PAIRS, tmp_path / "pairs.csv")
    write_ratings(Ratings([*SENSES, *PAIRS]), tmp_path / "both.csv")


pytestmark = pytest.mark.usefixtures("files")


def test_a_key_and_a_record_beside_it(cli: Run, tmp_path: Path) -> None:
    ran = cli("gold", "senses.csv", "-o", "gold.key", "--weights", "max")
    assert (ran.code, ran.out) == (0, "")
    assert "1 of 2 usages labelled. Left out: undecided (1)." in ran.err
    assert "The weight of a sense is its mean rating" in ran.err
    assert ", divided by the usage's highest. Senses at the lowest value of the scale are not listed." in ran.err
    assert read_labelling(tmp_path / "gold.key") == Gold("mean", "max")(SENSES)
    record = json.loads((tmp_path / "gold.key.json").read_text())
    assert record["rule"] == repr(Gold("mean", "max"))
    assert (record["ratings"], record["task"]) == ("senses.csv", "WSsim")
    assert (record["judgements"], record["annotators"], record["left out"]["undecided"]) == (8, 3, 1)
    assert record["usages"] == {"rated": 2, "labelled": 1, "unlabelled": 1}


def test_without_a_file_a_key_is_printed(cli: Run) -> None:
    assert cli("gold", "senses.csv", "--threshold", 4).out == "win.v u1 a/4.666666666666667\n"
    assert cli("gold", "senses.csv", "--combine", "median", "--support", 2).out == "win.v u1 a/5\n"
    message = cli("gold", "senses.csv", "--json")
    assert json.loads(message.out)["senses"] == {"a": pytest.approx(14 / 3), "b": 3}


def test_json_has_the_record_and_the_path(cli: Run) -> None:
    ran = cli("gold", "senses.csv", "-o", "gold.jsonl", "--json", "--disputed", 1)
    result = json.loads(ran.out)
    assert result["path"] == "gold.jsonl"
    assert result["disputed"][0]["said"] == {"ann": "1", "bob": "5", "cy": "?"}


def test_a_model_of_annotators(cli: Run, tmp_path: Path) -> None:
    ran = cli("gold", "senses.csv", "-o", "gold.key", "--combine", "model")
    assert ran.code == 0
    assert "reliability: correlation" in ran.out
    record = json.loads((tmp_path / "gold.key.json").read_text())
    assert record["model"]["part"].startswith("GradedResponse(")
    assert set(record["model"]["annotators"]) == {"ann", "bob", "cy"}
    assert cli("gold", "senses.csv", "--combine", "GradedResponse(points=9)").code == 0


def test_disputed_items(cli: Run) -> None:
    ran = cli("gold", "senses.csv", "--disputed", 2)
    assert ran.out.index("ann: 1; bob: 5; cy: ?") < ran.out.index("ann: 5; bob: 4; cy: 5")
    assert "bob: why not?" in ran.out
    assert cli("gold", "senses.csv", "--disputed", 2, "--format", "csv").out.count("\n") >= 3
    assert json.loads(cli("gold", "senses.csv", "--disputed", 1, "--json").out)[0]["comments"] == {"bob": "why not?"}


def test_usages_are_clustered_by_similarity(cli: Run, tmp_path: Path) -> None:
    ran = cli("gold", "pairs.csv", "--clusters", "-o", "clusters.csv", "--smallest", 2)
    assert ran.code == 0
    assert "3 of 5 usages labelled; 1 cluster of 1 lemma" in ran.err
    assert "Usages rated above the middle of the scale are similar" in ran.err
    rows = (tmp_path / "clusters.csv").read_text().splitlines()
    assert rows == [
        "identifier\tcluster\tlemma",
        *(f"u{n}\t1\twin.v" for n in (1, 2, 3)),
        "u4\t-1\twin.v",
        "u5\t-1\twin.v",
    ]
    record = json.loads((tmp_path / "clusters.csv.json").read_text())
    assert (record["threshold"], record["clusters"], record["loss"]) == (2.5, {"win.v": 1}, 0)
    assert cli("gold", "both.csv", "--clusters").out.count("win.v.1/1") == 3


def test_averages_of_pairs(cli: Run, tmp_path: Path) -> None:
    (tmp_path / "averages.tsv").write_text("u1\tu2\t4.5\twin.v\nu2\tu3\t1.5\twin.v\n")
    assert cli("gold", "averages.tsv", "--clusters").out.splitlines()[2] == "win.v u3 win.v.2/1"
    assert "these are averages" in cli("gold", "averages.tsv", "--clusters", "--disputed", 3).err


@pytest.mark.parametrize(
    "arguments, problem",
    [
        (
            ["both.csv"],
            r"both.csv: the ratings are of several tasks \(Usim, WSsim\).*choose one: --task Usim",
        ),
        (["both.csv", "--task", "WSbest"], "there are no ratings of WSbest; there are ratings of Usim, WSsim"),
        (["pairs.csv"], "pairs.csv: the ratings are of Usim, of pairs of usages.*--clusters"),
        (["senses.csv", "--clusters"], "there are no ratings of Usim; there are ratings of WSsim"),
        (
            ["senses.csv", "--combine", "average"],
            "combine 'average' is not known; allowed are mean, median, mode, model",
        ),
        (["senses.csv", "--weights", "min"], "weights 'min' is not known; allowed are rating, sum, max"),
        (["nothing.csv"], "nothing.csv: there is no such file, folder or data set"),
        (["senses.csv", "-o", "gold.doc"], "the suffix '.doc' names no format"),
        (["senses.csv", "-o", "no/gold.key"], "there is no folder no; create it first"),
        (["senses.csv", "--graded"], "the option graded is for clusters; drop it"),
        (
            ["pairs.csv", "--clusters", "--weights", "sum"],
            "the option weights is for ratings of senses, not for clusters",
        ),
        (["senses.csv", "--format", "parquet"], "--format parquet is for a file; name it with -o"),
        (["senses.csv", "--disputed", "1", "--format", "doc"], "allowed are table, json, csv"),
    ],
)
def test_wrong_inputs_are_refused(cli: Run, arguments: list[str], problem: str) -> None:
    ran = cli("gold", *arguments)
    assert ran.code == 2
    assert not ran.out
    assert re.search(problem, ran.err), ran.err


def test_the_trial_data(cli: Run, data: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("POLYSEME_DATA", str(data))
    from polyseme.datasets import load

    assert cli("gold", "semeval-2013-task-13-trial", "-o", "gold.key").code == 0
    assert (
        read_labelling(tmp_path / "gold.key") == load("semeval-2013-task-13-trial", data).golds["trial.gold-standard"]
    )
