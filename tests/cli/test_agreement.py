"""``polyseme agreement``."""

import csv
import io
import json
from pathlib import Path

import pytest

from agreement.tables import random_table, ratings
from cli.conftest import Run
from polyseme import write_ratings
from polyseme.rating import Rating, Ratings


def written(inputs: Ratings, name: str = "ratings.csv") -> str:
    write_ratings(inputs, name)
    return name


@pytest.fixture
def study(cli: Run) -> str:  # noqa: ARG001
    """A file of WSsim and WSbest by several annotators, in the folder where commands run."""
    chosen = [Rating(f"p{who}", "WSbest", "win.v", f"u{n}", "ab"[n * who % 2], 1) for n in range(6) for who in range(3)]
    rows = [row._replace(lemma=("win.v", "bar.n")[int(row.usage[1:]) % 2]) for row in ratings(random_table(0))]
    return written(Ratings([*rows, *chosen]))


def test_tables(cli: Run, study: str) -> None:
    ran = cli("agreement", study, "--resamples", 50)
    assert (ran.code, ran.err) == (0, "")
    for title in (
        "WSsim: agreement of annotators",
        "WSsim: Spearman's ρ\n",
        "WSsim: every pair",
        "WSsim: each annotator",
        "WSsim: by lemma",
        "WSsim: by part of speech",
        "WSbest: agreement of annotators",
        "WSbest: agreement\n",
    ):
        assert title in ran.out
    assert "mean of the others" in ran.out


def test_json(cli: Run, study: str) -> None:
    ran = cli("agreement", study, "--json", "--resamples", 50, "--seed", 3)
    result = json.loads(ran.out, parse_constant=pytest.fail)
    assert list(result) == ["WSsim", "WSbest", "notes"]
    part = result["WSsim"]["agreement"]
    assert list(part) == ["counts", "figures", "pairs", "annotators", "by"]
    assert list(part["by"]) == ["lemma", "pos"]
    assert len(part["pairs"]) == 15
    figure = part["figures"]["alpha.ordinal"]
    assert figure["low"] < figure["value"] < figure["high"]
    assert cli("agreement", study, "--json", "--resamples", 50, "--seed", 3).out == ran.out
    assert cli("agreement", study, "--json", "--resamples", 50, "--seed", 4).out != ran.out


def test_one_task_and_one_table(cli: Run, study: str) -> None:
    result = json.loads(cli("agreement", study, "--task", "WSsim", "--by", "pos", "--resamples", 0, "--json").out)
    assert list(result) == ["WSsim", "notes"]
    assert list(result["WSsim"]["agreement"]["by"]) == ["pos"]
    assert result["WSsim"]["agreement"]["figures"]["alpha.ordinal"]["low"] is None


@pytest.mark.parametrize(
    "form, start",
    [("csv", "# WSsim: agreement"), ("markdown", "### WSsim: agreement"), ("latex", "% WSsim: agreement")],
)
def test_formats(cli: Run, study: str, form: str, start: str) -> None:
    out = cli("agreement", study, "--task", "WSsim", "--resamples", 0, "--format", form).out
    assert out.startswith(start)
    if form == "csv":
        first = out.split("\n\n")[0].partition("\n")[2]
        assert [row["Figure"] for row in csv.DictReader(io.StringIO(first))][:2] == ["Mean ρ", "α nominal"]


def test_many_annotators_have_no_matrix(cli: Run) -> None:
    name = written(ratings(random_table(0, people=14)))
    out = cli("agreement", name, "--resamples", 0).out
    assert "pairs with the least agreement" in out
    assert "every pair" not in out


def test_asked_for_a_round_where_there_is_none(cli: Run, study: str) -> None:
    out = cli("agreement", study, "--task", "WSsim", "--by", "round", "--resamples", 0).out
    assert "WSsim: all ratings are of one round, so there is no table by round." in out


@pytest.mark.usefixtures("wordnet_30")
def test_a_data_set_is_completed(cli: Run, data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("POLYSEME_DATA", str(data))
    name = "semeval-2013-task-13-trial"
    result = json.loads(cli("agreement", name, "--by", "lemma", "--resamples", 0, "--json").out)
    part = result["WSsim"]["agreement"]
    assert part["figures"]["rho"]["value"] == pytest.approx(0.499, abs=5e-4)
    assert part["counts"]["items"] == 2400
    assert result["notes"][0].startswith("WSsim: 1,233 ratings of 1 added")
    bare = json.loads(cli("agreement", name, "--no-complete", "--resamples", 0, "--json").out)
    assert bare["WSsim"]["agreement"]["counts"]["items"] == 1989
    assert bare["notes"] == []


def test_an_inventory_file_completes_a_file(cli: Run) -> None:
    rows = [Rating(who, "WSsim", "bass.n", f"u{n}", "a", 5 - n) for n in range(3) for who in ("ann", "bob")]
    rows += [row._replace(target="b", value=2.0) for row in rows[:2]]
    name = written(Ratings(rows))
    Path("senses.csv").write_text("identifier_sense\tdescription_sense\tlemma\na\tone\tbass.n\nb\ttwo\tbass.n\n")
    ran = cli("agreement", name, "--inventory", "senses.csv", "--resamples", 0, "--json")
    assert ran.code == 0, ran.err
    assert json.loads(ran.out)["WSsim"]["agreement"]["counts"]["items"] == 6


# -- errors --------------------------------------------------------------------------------------------------------


def test_wrong_inputs_are_refused(cli: Run, study: str) -> None:
    alone = written(ratings([[1.0], [2.0]]), "alone.csv")
    Path("empty.csv").write_text("annotator,task,lemma,usage,target,value\n")
    for arguments, message in (
        (
            ["nowhere.csv"],
            "nowhere.csv: there is no such file, folder or data set. Check its name and its folder.",
        ),
        ([study, "--task", "Usim"], "there are no ratings of the task 'Usim'; there are WSsim, WSbest"),
        ([alone], "all ratings of WSsim are by one annotator, p0; a comparison needs two"),
        (["empty.csv"], "empty.csv: there are no ratings in it"),
        ([study, "--section", "colours"], "there is no section 'colours'; allowed are agreement"),
        ([study, "--complete"], "--complete adds the senses that ratings omit, and needs their inventory"),
    ):
        ran = cli("agreement", *arguments)
        assert (ran.code, ran.out) == (2, "")
        assert message in ran.err
