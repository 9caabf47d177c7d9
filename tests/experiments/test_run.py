"""``polyseme run``: from a plan to tables."""

import csv
import json
import shutil
import sys
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from cli.conftest import Ran, Run
from experiments.banks import MODEL, TESTED, UNLEARNT, plan
from experiments.runs import LEARNT, ran, unable
from polyseme.datasets import load
from polyseme.errors import InputError
from polyseme.experiments.corpora import Load
from polyseme.experiments.induction import RunResults, RunRow, count_labels
from polyseme.formats import read_labelling
from polyseme.induction.squares import Squares
from polyseme.labelling import Labelling
from polyseme.tasks import protocols

BASELINES = ["one cluster", "one cluster each", "random, 4 clusters (mean of 5)"]


def named(found: RunResults, name: str) -> RunRow:
    (row,) = (row for row in found.rows if row.name == name)
    return row


# -- what is found -------------------------------------------------------------------------------------------------


def test_rows(results: Path, loading: Load) -> None:
    found = ran(results, loading)
    assert [(row.name, row.kind) for row in found.rows] == [
        (MODEL, "model"),
        *((name, "baseline") for name in BASELINES),
    ]
    row = found.rows[0]
    recall = TESTED / (TESTED + UNLEARNT)
    assert row.figures["jaccard.precision"] == 1.0
    assert row.figures["jaccard.recall"] == pytest.approx(recall)
    assert row.figures["jaccard.f1"] == pytest.approx(2 * recall / (1 + recall))
    assert row.facts == {
        "labelled": pytest.approx(recall),
        "senses per usage": 1.0,
        "median": 1.0,
        "several": 0.0,
        "clusters": 2.0,
    }
    assert found.missed == {MODEL: {"tree.n": "it does not occur in the corpus"}}


def test_the_figures_are_those_of_the_key(results: Path, loading: Load) -> None:
    """A file of results can be scored by itself, and gives the same."""
    row = ran(results, loading).rows[0]
    (key,) = (results / "keys").iterdir()
    assert dict(row.figures) == protocols.semeval_2013(loading("banks").gold, read_labelling(key)).figures()


def test_only_lemmas_of_other_usages(results: Path, loading: Load) -> None:
    found = ran(results, loading, lemmas=LEARNT)
    row = found.rows[0]
    assert row.figures["jaccard.f1"] == row.figures["fuzzy_nmi"] == row.figures["fuzzy_bcubed.f1"] == 1.0
    assert row.facts["labelled"] == 1.0
    assert found.missed == {MODEL: {}}
    assert named(found, "one cluster").figures["jaccard.f1"] == pytest.approx(0.5)
    all_of_them = ran(results, loading)
    assert ran(results, loading, lemmas='"banks"').rows == all_of_them.rows
    assert ran(results, loading, lemmas='"banks:usages"').rows == all_of_them.rows


def test_systems_beside(results: Path, loading: Load) -> None:
    """Usages outside the gold standard, which *same* has, are left out."""
    found = ran(results, loading, systems='["all"]')
    assert [row.name for row in found.rows] == [MODEL, "right", "same.v1", *BASELINES]
    assert [row.kind for row in found.rows[1:3]] == ["system", "system"]
    right, same = found.rows[1:3]
    half = TESTED / 2 / (TESTED + UNLEARNT)
    assert right.figures["jaccard.precision"] == 1.0
    assert right.figures["jaccard.recall"] == right.facts["labelled"] == pytest.approx(half)
    assert dict(same.figures) == dict(named(found, "one cluster").figures)
    assert (same.facts["labelled"], same.facts["clusters"]) == (1.0, 1.0)
    found = ran(results, loading, systems='["same.v1"]')
    assert [row.name for row in found.rows] == [MODEL, "same.v1", *BASELINES]


def test_semeval_2010(results: Path, loading: Load) -> None:
    """Splits have usages of *tree*, which are left out where only other lemmas are wanted."""
    right = {"v_measure", "homogeneity", "completeness", "paired_f", "supervised.80_20", "supervised.60_40"}
    found = ran(results, loading, task='"semeval-2010"', lemmas=LEARNT)
    assert {name: found.rows[0].figures[name] for name in right} == dict.fromkeys(right, 1.0)
    assert found.rows[0].figures["clusters"] == 2.0
    assert [row.name for row in found.rows[1:]] == BASELINES
    found = ran(results, loading, task='"semeval-2010"')
    # Of the usages to be tested, those of *tree* are not labelled: 2 of 5 + 2, and 2 of 8 + 2.
    assert found.rows[0].figures["supervised.80_20"] == pytest.approx(5 / 7)
    assert found.rows[0].figures["supervised.60_40"] == pytest.approx(8 / 10)


def test_jurgens_2012(results: Path, loading: Load) -> None:
    """From ratings, by each mapping; baselines use the senses of the gold standard."""
    found = ran(results, loading, task='"jurgens-2012"', mappings='["Graded", "Distribution"]')
    names = [(row.name, row.mapping) for row in found.rows[:3]]
    assert names == [(MODEL, "Graded"), (MODEL, "Distribution"), ("MFS", "")]
    for row in found.rows[:2]:
        assert [row.figures[name] for name in ("detection", "ranking", "perception")] == pytest.approx([1.0] * 3)
        assert row.figures["recall"] == pytest.approx(TESTED / (TESTED + UNLEARNT))
    assert named(found, "MFS").figures["detection"] == pytest.approx(0.5)
    assert {row.kind for row in found.rows[2:]} == {"baseline"}
    unsaid = ran(results, loading, task='"jurgens-2012"')
    assert [row.mapping for row in unsaid.rows[:3]] == ["Agirre", "Graded", "Distribution"]


@pytest.mark.parametrize(
    "changes, problem",
    [
        ({"systems": '["rigth"]'}, "banks has no system 'rigth'; it has right, same.v1"),
        ({"lemmas": '"trees"', "data": '"trees"'}, "the data set 'trees' has no gold; it has usages"),
        ({"lemmas": '"banks:gold"'}, "lemmas is 'banks:gold'; allowed after the data set's name are :usages and :tr"),
        ({"data": '"bank"'}, "no data set is called 'bank'; did you mean banks"),
        ({"sources": '["nowhere"]'}, "nowhere: there is no such file or folder"),
        ({"sources": '["package:elsewhere/texts"]'}, "the package 'elsewhere' is not installed"),
    ],
)
def test_what_is_not_there(changes: dict[str, str], problem: str, tmp_path: Path, loading: Load) -> None:
    """All this is said before anything is done."""
    with pytest.raises(InputError) as error:
        ran(tmp_path / "results", loading, **changes)
    assert problem in str(error.value)
    assert not (tmp_path / "results").exists()


def test_lemmas_of_others(results: Path, folder: Path, tmp_path: Path) -> None:
    other = Path(shutil.copytree(folder, tmp_path / "data"))
    (other / "trees" / "usages.jsonl").write_text('{"id": "1", "lemma": "x.n", "text": "x", "start": 0, "end": 1}\n')
    with pytest.raises(InputError, match="trees has none of the lemmas of banks"):
        ran(results, partial(load, data=other), lemmas='"trees"')


def test_facts_of_a_labelling_of_nothing() -> None:
    gold = Labelling.from_dict({"u1": {"A": 1}}, lemma="x")
    empty = Labelling([])
    assert count_labels(gold, empty) == {
        "labelled": 0.0,
        "senses per usage": 0.0,
        "median": 0.0,
        "several": 0.0,
        "clusters": 0.0,
    }


# -- the command ---------------------------------------------------------------------------------------------------


def command(cli: Run, folder: Path, *arguments: str, **changes: str) -> Ran:
    """``polyseme run`` in the current folder, where the results of the same plan are."""
    Path("banks.toml").write_text(plan(**changes))
    return cli("run", "banks.toml", "-o", "results", "--data", folder, *arguments)


@pytest.mark.usefixtures("results")
def test_the_command(cli: Run, folder: Path, tmp_path: Path) -> None:
    ran = command(cli, folder, systems='["right"]')
    assert ran.code == 0
    assert ran.err == f"warning: {MODEL} has no senses of 1 lemma: tree.n\n"
    lines = ran.out.splitlines()
    assert lines[0] == "Banks"
    assert lines[1].split("  ")[0].strip() == "System"
    assert lines[1].endswith("Labelled   Senses   Median   Several   Clusters")
    rows = {line.split("   ")[0].strip(): line.split() for line in lines if line.strip(" ─")}
    assert rows[MODEL][-5:] == ["0.923", "1.000", "1.000", "0", "2.000"]
    assert rows["right"][-5:] == ["0.462", "1.000", "1.000", "0", "2.000"]
    assert rows["one cluster"][-5:] == ["–"] * 5
    assert {path.name for path in (tmp_path / "results").glob("banks.*")} == {
        "banks.md",
        "banks.csv",
        "banks.tex",
        "banks.json",
    }


@pytest.mark.usefixtures("results")
def test_the_tables(cli: Run, folder: Path, tmp_path: Path) -> None:
    ran = command(cli, folder, "--json", systems='["right"]')
    said = json.loads(ran.out)
    assert said == json.loads((tmp_path / "results" / "banks.json").read_text())
    assert list(said) == ["title", "task", "rows", "missed"]
    assert (said["title"], said["task"]) == ("Banks", "semeval-2013")
    assert said["missed"] == {MODEL: {"tree.n": "it does not occur in the corpus"}}
    assert [(row["name"], row["kind"]) for row in said["rows"][:3]] == [
        (MODEL, "model"),
        ("right", "system"),
        ("one cluster", "baseline"),
    ]
    first = said["rows"][0]
    assert first["facts"]["several"] == 0
    with (tmp_path / "results" / "banks.csv").open(newline="") as file:
        cells = list(csv.DictReader(file))
    assert [row["System"] for row in cells] == [row["name"] for row in said["rows"]]
    assert float(cells[0]["Jaccard F1"]) == first["jaccard.f1"]
    assert float(cells[0]["Labelled"]) == first["facts"]["labelled"]
    assert (cells[0]["Several"], cells[-1]["Labelled"]) == ("0", "")
    assert {"#Cl", "#S"}.isdisjoint(cells[0])
    markdown = (tmp_path / "results" / "banks.md").read_text().splitlines()
    assert markdown[0].startswith("| System | Jaccard F1 | Ksim F1 | WNDCG F1 | Fuzzy NMI | ")
    assert markdown[2].startswith(f"| {MODEL} | 0.960 | 0.960 | ")
    latex = (tmp_path / "results" / "banks.tex").read_text()
    assert latex.count(r"\midrule") == 3  # under the headings, before systems and before baselines
    assert latex.splitlines()[-1] == r"\end{tabular}"


@pytest.mark.usefixtures("results")
def test_several_plans(cli: Run, folder: Path, tmp_path: Path) -> None:
    """An object by name, as ``polyseme score`` has it; names may have dots."""
    for name, changes in {"banks.v1": {}, "banks.v2": {"task": '"jurgens-2012"', "title": '"Rated"'}}.items():
        (tmp_path / f"{name}.toml").write_text(plan(**changes))
    ran = cli("run", "banks.v1.toml", "banks.v2.toml", "-o", "results", "--data", folder, "--json")
    assert {name: each["title"] for name, each in json.loads(ran.out).items()} == {
        "banks.v1": "Banks",
        "banks.v2": "Rated",
    }
    assert ran.err.count("warning: ") == 2
    for name, heading in (("banks.v1", "Jaccard F1"), ("banks.v2", "Detection")):
        assert heading in (tmp_path / "results" / f"{name}.md").read_text().splitlines()[0]
    ran = cli("run", "banks.v1.toml", "banks.v2.toml", "-o", "results", "--data", folder, "--format", "csv")
    assert [line.split(",")[1] for line in ran.out.splitlines() if line.startswith("System")] == [
        "Jaccard F1",
        "Mapping",
    ]


@pytest.mark.usefixtures("results")
def test_what_is_no_number_is_null(cli: Run, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def undefined(given: Any, *_: object) -> RunResults:
        return RunResults(given, (RunRow("x", "model", {"jaccard.f1": float("nan")}, {"labelled": 0.5}),), {})

    monkeypatch.setattr("polyseme.experiments.induction.run_inducers", undefined)
    ran = command(cli, folder, "--json")
    for text in (ran.out, (tmp_path / "results" / "banks.json").read_text()):
        (row,) = json.loads(text, parse_constant=unable)["rows"]
        assert row == {"name": "x", "kind": "model", "jaccard.f1": None, "facts": {"labelled": 0.5}}


@pytest.mark.usefixtures("results")
def test_data_sets_of_the_environment(cli: Run, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("banks.toml").write_text(plan())
    monkeypatch.setattr(Squares, "fit", unable)
    monkeypatch.setenv("POLYSEME_DATA", str(folder))
    ran = cli("run", "banks.toml", "--format", "markdown")
    assert ran.code == 0
    assert f"| {MODEL} | 0.960 |" in ran.out


@pytest.mark.usefixtures("results")
def test_what_is_done_is_shown_on_a_terminal(cli: Run, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.rmtree("results/models")
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    ran = command(cli, folder, "--json")
    assert f"{MODEL}: crane.n" in ran.err
    assert json.loads(ran.out)["title"] == "Banks"


def test_plans_of_the_same_name(cli: Run, tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "banks.toml").write_text(plan())
    ran = cli("run", "a/banks.toml", "b/banks.toml")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == "polyseme: b/banks.toml: its tables would have the same names as those of a/banks.toml\n"


@pytest.mark.parametrize(
    "changes, said",
    [
        (
            {"task": '"senseval"'},
            "banks.toml: task is 'senseval'; allowed are semeval-2013, semeval-2010",
        ),
        ({"models": '["Sqares"]'}, "banks.toml: there is no part 'Sqares'; did you mean Squares"),
        ({"data": '"bank"'}, "no data set is called 'bank'; did you mean banks"),
        ({"systems": '["rigth"]'}, "banks has no system 'rigth'; it has right, same.v1"),
    ],
)
@pytest.mark.usefixtures("results")
def test_errors(cli: Run, folder: Path, tmp_path: Path, changes: dict[str, str], said: str) -> None:
    ran = command(cli, folder, **changes)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("polyseme: ")
    assert ran.err.count("\n") == 1, ran.err
    assert said in ran.err
    assert not list((tmp_path / "results").glob("banks.*"))


def test_a_plan_that_is_not_there(cli: Run) -> None:
    ran = cli("run", "none.toml")
    assert (ran.code, ran.out, ran.err) == (2, "", "polyseme: none.toml: cannot be read: No such file or directory\n")


@pytest.mark.usefixtures("results")
def test_a_model_that_finds_nothing_does_not_end_the_run(cli: Run, folder: Path, tmp_path: Path) -> None:
    """It keeps a row, without figures, and why is said."""
    model = "Link(tau=1000000000.0)"
    ran = command(cli, folder, models=f'["{model}"]')
    assert ran.code == 0
    why = "it is in no community of more than three words with G² of 1000000000.0 and more"
    reasons = {"tree.n": "it does not occur in the corpus", "bank.n": why, "crane.n": why}
    said = "; ".join(f"{lemma}: {reason}" for lemma, reason in reasons.items())
    assert ran.err == f"warning: {model} finds no senses: {said}\n"
    written = json.loads((tmp_path / "results" / "banks.json").read_text())
    assert written["missed"] == {model: reasons}
    facts = dict.fromkeys(("labelled", "senses per usage", "median", "several", "clusters"), 0.0)
    assert written["rows"][0] == {"name": model, "kind": "model", "facts": facts}
    row = next(line for line in ran.out.splitlines() if line.strip().startswith(model))
    assert row.split()[1:] == ["–"] * 6 + ["0.000", "0.000", "0.000", "0", "0.000"]


@pytest.mark.usefixtures("results")
def test_only_the_measures_that_are_named(cli: Run, folder: Path, tmp_path: Path) -> None:
    """In the plan's order of columns; in JSON, those that a mean is made of."""
    command(cli, folder, measures='["fuzzy_nmi", "jaccard.f1"]')
    heading = (tmp_path / "results" / "banks.md").read_text().splitlines()[0]
    assert heading.startswith("| System | Jaccard F1 | Fuzzy NMI | Labelled |")
    row = json.loads((tmp_path / "results" / "banks.json").read_text())["rows"][0]
    assert list(row) == ["name", "kind", "jaccard.f1", "fuzzy_nmi", "facts"]
    command(cli, folder, measures='["fuzzy_nmi*fuzzy_bcubed.f1"]')
    assert (tmp_path / "results" / "banks.md").read_text().startswith("| System | AVG | Labelled |")
    row = json.loads((tmp_path / "results" / "banks.json").read_text())["rows"][0]
    assert list(row) == ["name", "kind", "fuzzy_nmi", "fuzzy_bcubed.f1", "facts"]
