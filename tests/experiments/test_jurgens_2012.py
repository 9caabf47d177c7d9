"""Table 2 of Jurgens 2012, with models and a corpus of our own making."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from cli.conftest import Run
from experiments.banks import MODEL, TESTED, plan
from polyseme.errors import InputError
from polyseme.experiments.corpora import Load
from polyseme.experiments.induction import RunResults, RunRow
from polyseme.experiments.jurgens_2012 import PATTERN, PLAN, check_claims, reproduce_table_2
from polyseme.experiments.plan import Plan, read_plan
from polyseme.reports.reproduction_tables import verdict

GIVEN = {"task": '"jurgens-2012"', "lemmas": '"banks:training"'}


@pytest.fixture
def given(tmp_path: Path) -> Plan:
    (tmp_path / "plan.toml").write_text(plan(**GIVEN))
    return read_plan(tmp_path / "plan.toml")


def test_the_shipped_plan_is_the_example() -> None:
    assert read_plan("examples/jurgens-2012.toml") == PLAN


def test_printed_and_ours(given: Plan, results: Path, loading: Load) -> None:
    """Of Squares three figures for each mapping, Recall once, two of §5.4, and six parts of the pattern."""
    cells, found = reproduce_table_2(results, loading, given)
    sources = [cell.source for cell in cells]
    assert {source: sources.count(source) for source in sources} == {"Table 2": 10, "§5.4": 2, PATTERN: 6}
    rows = {row.mapping.lower(): row for row in found.rows if row.kind == "model"}
    for cell in cells[:10]:
        model, _, mapping = cell.system.rpartition(", ")
        assert model == rows[mapping].name
        assert cell.ours == rows[mapping].figures[cell.figure]
        assert verdict(cell) in ("same", "known: not from Wikipedia")
    assert [cell.printed for cell in cells[6:12]] == ["0.879", "0.562", "0.925", "0.560", "237/400", "12"]
    assert [cell.ours for cell in cells[10:12]] == [1.0, 0.0], f"all {TESTED} usages are labelled, with one sense each"


def test_a_plan_for_another_task(given: Plan, results: Path, loading: Load) -> None:
    with pytest.raises(InputError, match="the plan is for semeval-2013; Table 2 needs one for jurgens-2012"):
        reproduce_table_2(results, loading, replace(given, task="semeval-2013"))


# -- the pattern ---------------------------------------------------------------------------------------------------


def made(**figures: tuple[float, float, float]) -> RunResults:
    """A model with these Detections, Rankings and Perceptions by mapping, and a baseline of .5 in all."""
    names = ("detection", "ranking", "perception")
    rows = [
        RunRow("M()", "model", dict(zip(names, values, strict=True)), {}, mapping.title())
        for mapping, values in figures.items()
    ]
    return RunResults(PLAN, (*rows, RunRow("MFS", "baseline", dict.fromkeys(names, 0.5), {})), {})


HIS = {"agirre": (0.192, -0.024, 0.382), "graded": (0.198, 0.555, 0.504), "distribution": (0.879, 0.562, 0.925)}


def failing(results: RunResults) -> list[str]:
    return [cell.figure for cell in check_claims(results) if not cell.agrees]


def test_his_own_figures_have_it() -> None:
    assert failing(made(**HIS)) == []
    assert len(list(check_claims(made(**HIS)))) == 6


@pytest.mark.parametrize(
    "mapping, figures, wrong",
    [
        ("agirre", (0.2, 0.0, 0.4), ["detection: graded above agirre"]),
        ("agirre", (0.1, 0.0, 0.6), ["perception: graded above agirre"]),
        ("graded", (0.7, 0.0, 0.5), ["detection: distribution far above graded"]),
        ("graded", (0.2, 0.0, 0.8), ["perception: distribution far above graded"]),
        ("distribution", (0.8, 0.4, 0.9), ["ranking: distribution above all baselines"]),
        (
            "distribution",
            (0.8, 0.6, 0.5),
            ["perception: distribution far above graded", "perception: distribution above all baselines"],
        ),
    ],
)
def test_what_does_not_hold(mapping: str, figures: tuple[float, float, float], wrong: list[str]) -> None:
    assert failing(made(**{**HIS, mapping: figures})) == wrong


def test_one_mapping_alone_has_no_pattern_of_mappings() -> None:
    found = [cell.figure for cell in check_claims(made(distribution=HIS["distribution"]))]
    assert found == ["ranking: distribution above all baselines", "perception: distribution above all baselines"]
    assert list(check_claims(made(graded=HIS["graded"]))) == []


# -- the command ---------------------------------------------------------------------------------------------------


def test_command(cli: Run, folder: Path, results: Path, tmp_path: Path) -> None:
    (tmp_path / "plan.toml").write_text(plan(**GIVEN))
    given = ("--plan", tmp_path / "plan.toml", "--data", folder, "-o", results)
    ran = cli("reproduce", "jurgens-2012", "--table", "2", *given)
    assert "18 cells:" in ran.out
    assert MODEL.partition("(")[0] in ran.out
    cells = json.loads(cli("reproduce", "jurgens-2012", "--table", "Table 2", *given, "--json").out)
    assert len(cells) == 18
    differing = [cell for cell in cells if cell["verdict"] == "DIFFERS"]
    assert ran.code == bool(differing)
    assert all(cell["source"] == PATTERN for cell in differing)


def test_command_with_a_model_that_finds_nothing(cli: Run, folder: Path, results: Path, tmp_path: Path) -> None:
    """It does not vanish: what he found does not hold of it. Missed lemmas are named, and facts stand below."""
    nothing = "Link(tau=1000000000.0)"
    (tmp_path / "plan.toml").write_text(plan(task='"jurgens-2012"', models=f'["{nothing}", "{MODEL}"]'))
    given = ("--plan", tmp_path / "plan.toml", "--data", folder, "-o", results)
    ran = cli("reproduce", "jurgens-2012", "--table", "2", *given)
    assert ran.code == 1
    said = "bank.n: it is in no community of more than three words with G² of 1000000000.0 and more; crane.n: it is"
    assert f"warning: {nothing} finds no senses: tree.n: it does not occur in the corpus; {said}" in ran.err
    assert f"warning: {MODEL} has no senses of 1 lemma: tree.n\n" in ran.err
    notes = ran.out.splitlines()[-2:]
    assert notes[0] == f"{nothing}: labels 0.0% of usages, 0 of them with several senses; median 0"
    assert notes[1] == f"{MODEL}: labels 92.3% of usages, 0 of them with several senses; median 1"
    cells = json.loads(cli("reproduce", "jurgens-2012", "--table", "2", *given, "--json").out)
    failing = [cell for cell in cells if cell["source"] == PATTERN and cell["system"] == nothing]
    assert len(failing) == 6
    assert {(cell["ours"], cell["verdict"]) for cell in failing} == {("does not hold", "DIFFERS")}


def test_tables_that_there_are(cli: Run, folder: Path) -> None:
    ran = cli("reproduce", "jurgens-2012", "--table", "5", "--data", folder)
    assert ran.code == 2
    assert "jurgens-2012 has no figures of '5'; there are " in ran.err
    assert "Table 2" in ran.err


def test_command_without_its_data(cli: Run, folder: Path) -> None:
    ran = cli("reproduce", "jurgens-2012", "--table", "2", "--data", folder)
    assert ran.code == 2
    assert "the data set 'semeval-2013-task-13-trial' is not here" in ran.err
