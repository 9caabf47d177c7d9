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
from experiments.runs import LEARNT, fail_if_called, get_row, run_banks
from polyseme.datasets import load
from polyseme.errors import InputError
from polyseme.experiments.results import RunResults, count_labels
from polyseme.formats import read_labelling
from polyseme.induction.squares import Squares
from polyseme.labelling import Labelling
from polyseme.tasks.result import RunRow
from polyseme.tasks.semeval_2013 import SemEval2013
from polyseme.tasks.task import Load

BASELINES = ["one cluster", "one cluster each", "random, 4 clusters (mean of 5)"]


# -- rows -------- -------------------------------------------------------------------------------------------------


def test_a_run_has_rows_for_models_and_baselines(results: Path, loading: Load) -> None:
    run = run_banks(results, loading)
    assert [(row.name, row.kind) for row in run.rows] == [
        (MODEL, "model"),
        *((name, "baseline") for name in BASELINES),
    ]
    row = run.rows[0]
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
    assert run.missed == {MODEL: {"tree.n": "it does not occur in the corpus"}}


def test_the_figures_are_those_of_the_key(results: Path, loading: Load) -> None:
    """A file of results can be scored by itself, and gives the same."""
    row = run_banks(results, loading).rows[0]
    (key,) = (results / "keys").iterdir()
    assert dict(row.figures) == SemEval2013().score(loading("banks").gold, read_labelling(key)).figures()


def test_lemmas_can_be_restricted_to_those_of_other_usages(results: Path, loading: Load) -> None:
    run = run_banks(results, loading, lemmas=LEARNT)
    row = run.rows[0]
    assert row.figures["jaccard.f1"] == row.figures["fuzzy_nmi"] == row.figures["fuzzy_bcubed.f1"] == 1.0
    assert row.facts["labelled"] == 1.0
    assert run.missed == {MODEL: {}}
    assert get_row(run, "one cluster").figures["jaccard.f1"] == pytest.approx(0.5)
    all_lemmas = run_banks(results, loading)
    assert run_banks(results, loading, lemmas='"banks"').rows == all_lemmas.rows
    assert run_banks(results, loading, lemmas='"banks:usages"').rows == all_lemmas.rows


def test_published_systems_are_scored_too(results: Path, loading: Load) -> None:
    """Usages outside the gold standard, which *same* has, are left out."""
    run = run_banks(results, loading, systems='["all"]')
    assert [row.name for row in run.rows] == [MODEL, "right", "same.v1", *BASELINES]
    assert [row.kind for row in run.rows[1:3]] == ["system", "system"]
    right, same = run.rows[1:3]
    half = TESTED / 2 / (TESTED + UNLEARNT)
    assert right.figures["jaccard.precision"] == 1.0
    assert right.figures["jaccard.recall"] == right.facts["labelled"] == pytest.approx(half)
    assert dict(same.figures) == dict(get_row(run, "one cluster").figures)
    assert (same.facts["labelled"], same.facts["clusters"]) == (1.0, 1.0)
    run = run_banks(results, loading, systems='["same.v1"]')
    assert [row.name for row in run.rows] == [MODEL, "same.v1", *BASELINES]


def test_semeval_2010_is_run_with_splits(results: Path, loading: Load) -> None:
    """Splits have usages of *tree*, which are left out where only other lemmas are wanted."""
    right = {"v_measure", "homogeneity", "completeness", "paired_f", "supervised.80_20", "supervised.60_40"}
    run = run_banks(results, loading, task='"semeval-2010"', lemmas=LEARNT)
    assert {name: run.rows[0].figures[name] for name in right} == dict.fromkeys(right, 1.0)
    assert run.rows[0].figures["clusters"] == 2.0
    assert [row.name for row in run.rows[1:]] == BASELINES
    run = run_banks(results, loading, task='"semeval-2010"')
    # Of the usages to be tested, those of *tree* are not labelled: 2 of 5 + 2, and 2 of 8 + 2.
    assert run.rows[0].figures["supervised.80_20"] == pytest.approx(5 / 7)
    assert run.rows[0].figures["supervised.60_40"] == pytest.approx(8 / 10)


def test_jurgens_2012_is_run_with_each_mapping(results: Path, loading: Load) -> None:
    """From ratings, by each mapping; baselines use the senses of the gold standard."""
    run = run_banks(results, loading, task='"jurgens-2012"', mappings='["Graded", "Distribution"]')
    names = [(row.name, row.mapping) for row in run.rows[:3]]
    assert names == [(MODEL, "Graded"), (MODEL, "Distribution"), ("MFS", "")]
    for row in run.rows[:2]:
        assert [row.figures[name] for name in ("detection", "ranking", "perception")] == pytest.approx([1.0] * 3)
        assert row.figures["recall"] == pytest.approx(TESTED / (TESTED + UNLEARNT))
    assert get_row(run, "MFS").figures["detection"] == pytest.approx(0.5)
    assert {row.kind for row in run.rows[2:]} == {"baseline"}
    default = run_banks(results, loading, task='"jurgens-2012"')
    assert [row.mapping for row in default.rows[:3]] == ["Agirre", "Graded", "Distribution"]


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
def test_errors_come_before_any_work(changes: dict[str, str], problem: str, tmp_path: Path, loading: Load) -> None:
    """Nothing is written."""
    with pytest.raises(InputError) as error:
        run_banks(tmp_path / "results", loading, **changes)
    assert problem in str(error.value)
    assert not (tmp_path / "results").exists()


def test_lemmas_of_another_data_set_must_be_shared(results: Path, folder: Path, tmp_path: Path) -> None:
    other = Path(shutil.copytree(folder, tmp_path / "data"))
    (other / "trees" / "usages.jsonl").write_text('{"id": "1", "lemma": "x.n", "text": "x", "start": 0, "end": 1}\n')
    with pytest.raises(InputError, match="trees has none of the lemmas of banks"):
        run_banks(results, partial(load, data=other), lemmas='"trees"')


def test_counts_of_an_empty_labelling_are_zero() -> None:
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
def test_the_command_prints_a_table_and_writes_files(cli: Run, folder: Path, tmp_path: Path) -> None:
    run = command(cli, folder, systems='["right"]')
    assert run.code == 0
    assert run.err == f"warning: {MODEL} has no senses of 1 lemma: tree.n\n"
    lines = run.out.splitlines()
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
def test_json_csv_markdown_and_latex_have_the_same_figures(cli: Run, folder: Path, tmp_path: Path) -> None:
    run = command(cli, folder, "--json", systems='["right"]')
    record = json.loads(run.out)
    assert record == json.loads((tmp_path / "results" / "banks.json").read_text())
    assert list(record) == ["title", "task", "rows", "missed"]
    assert (record["title"], record["task"]) == ("Banks", "semeval-2013")
    assert record["missed"] == {MODEL: {"tree.n": "it does not occur in the corpus"}}
    assert [(row["name"], row["kind"]) for row in record["rows"][:3]] == [
        (MODEL, "model"),
        ("right", "system"),
        ("one cluster", "baseline"),
    ]
    first = record["rows"][0]
    assert first["facts"]["several"] == 0
    with (tmp_path / "results" / "banks.csv").open(newline="") as file:
        cells = list(csv.DictReader(file))
    assert [row["System"] for row in cells] == [row["name"] for row in record["rows"]]
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
def test_several_plans_are_printed_by_name(cli: Run, folder: Path, tmp_path: Path) -> None:
    """An object by name, as ``polyseme score`` has it; names may have dots."""
    for name, changes in {"banks.v1": {}, "banks.v2": {"task": '"jurgens-2012"', "title": '"Rated"'}}.items():
        (tmp_path / f"{name}.toml").write_text(plan(**changes))
    run = cli("run", "banks.v1.toml", "banks.v2.toml", "-o", "results", "--data", folder, "--json")
    assert {name: record["title"] for name, record in json.loads(run.out).items()} == {
        "banks.v1": "Banks",
        "banks.v2": "Rated",
    }
    assert run.err.count("warning: ") == 2
    for name, heading in (("banks.v1", "Jaccard F1"), ("banks.v2", "Detection")):
        assert heading in (tmp_path / "results" / f"{name}.md").read_text().splitlines()[0]
    run = cli("run", "banks.v1.toml", "banks.v2.toml", "-o", "results", "--data", folder, "--format", "csv")
    assert [line.split(",")[1] for line in run.out.splitlines() if line.startswith("System")] == [
        "Jaccard F1",
        "Mapping",
    ]


@pytest.mark.usefixtures("results")
def test_nan_is_null_in_json(cli: Run, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def undefined(plan: Any, *_: object) -> RunResults:
        return RunResults(plan, (RunRow("x", "model", {"jaccard.f1": float("nan")}, {"labelled": 0.5}),), {})

    monkeypatch.setattr("polyseme.interface.experiments.run_plan", undefined)
    run = command(cli, folder, "--json")
    for text in (run.out, (tmp_path / "results" / "banks.json").read_text()):
        (row,) = json.loads(text, parse_constant=fail_if_called)["rows"]
        assert row == {"name": "x", "kind": "model", "jaccard.f1": None, "facts": {"labelled": 0.5}}


@pytest.mark.usefixtures("results")
def test_data_sets_are_found_by_the_environment_variable(
    cli: Run, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("banks.toml").write_text(plan())
    monkeypatch.setattr(Squares, "fit", fail_if_called)
    monkeypatch.setenv("POLYSEME_DATA", str(folder))
    run = cli("run", "banks.toml", "--format", "markdown")
    assert run.code == 0
    assert f"| {MODEL} | 0.960 |" in run.out


@pytest.mark.usefixtures("results")
def test_a_terminal_shows_the_current_step(cli: Run, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.rmtree("results/models")
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    run = command(cli, folder, "--json")
    assert f"{MODEL}: crane.n" in run.err
    assert json.loads(run.out)["title"] == "Banks"


def test_plans_of_the_same_name_are_an_error(cli: Run, tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "banks.toml").write_text(plan())
    run = cli("run", "a/banks.toml", "b/banks.toml")
    assert (run.code, run.out) == (2, "")
    assert run.err == "polyseme: b/banks.toml: its tables would have the names of those of a/banks.toml; rename one\n"


@pytest.mark.parametrize(
    "changes, message",
    [
        (
            {"task": '"senseval"'},
            "banks.toml: task is 'senseval'; allowed are jurgens-2012, semcor-wsi, semeval-2010",
        ),
        ({"models": '["Sqares"]'}, "banks.toml: there is no part 'Sqares'; did you mean Squares"),
        ({"data": '"bank"'}, "no data set is called 'bank'; did you mean banks"),
        ({"systems": '["rigth"]'}, "banks has no system 'rigth'; it has right, same.v1"),
    ],
)
@pytest.mark.usefixtures("results")
def test_errors_have_one_line(cli: Run, folder: Path, tmp_path: Path, changes: dict[str, str], message: str) -> None:
    run = command(cli, folder, **changes)
    assert (run.code, run.out) == (2, "")
    assert run.err.startswith("polyseme: ")
    assert run.err.count("\n") == 1, run.err
    assert message in run.err
    assert not list((tmp_path / "results").glob("banks.*"))


MISSING_PLAN = "none.toml: there is no such file. Check its name and its folder."


def test_a_missing_plan_is_an_error(cli: Run) -> None:
    run = cli("run", "none.toml")
    assert (run.code, run.out, run.err) == (2, "", f"polyseme: {MISSING_PLAN}\n")


@pytest.mark.usefixtures("results")
def test_a_model_that_finds_nothing_does_not_end_the_run(cli: Run, folder: Path, tmp_path: Path) -> None:
    """Its row has no figures, and the reason is printed."""
    model = "Link(tau=1000000000.0)"
    run = command(cli, folder, models=f'["{model}"]')
    assert run.code == 0
    reason = "it is in no community of more than three words with G² of 1000000000.0 and more"
    reasons = {"tree.n": "it does not occur in the corpus", "bank.n": reason, "crane.n": reason}
    message = "; ".join(f"{lemma}: {text}" for lemma, text in reasons.items())
    assert run.err == f"warning: {model} finds no senses: {message}\n"
    written = json.loads((tmp_path / "results" / "banks.json").read_text())
    assert written["missed"] == {model: reasons}
    facts = dict.fromkeys(("labelled", "senses per usage", "median", "several", "clusters"), 0.0)
    assert written["rows"][0] == {"name": model, "kind": "model", "facts": facts}
    row = next(line for line in run.out.splitlines() if line.strip().startswith(model))
    assert row.split()[1:] == ["–"] * 6 + ["0.000", "0.000", "0.000", "0", "0.000"]


@pytest.mark.usefixtures("results")
def test_only_the_measures_of_the_plan_are_shown(cli: Run, folder: Path, tmp_path: Path) -> None:
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
