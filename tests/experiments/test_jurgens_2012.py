"""Table 2 of Jurgens 2012, with other models and an invented corpus."""

import json
from pathlib import Path

import pytest

from cli.conftest import Run
from experiments.banks import MODEL, TESTED, plan
from polyseme.errors import InputError
from polyseme.experiments.plan import Plan, read_plan
from polyseme.experiments.reproduction import reproduce_models
from polyseme.reports.reproduction_tables import verdict
from polyseme.tasks.jurgens_2012 import Jurgens2012, check_findings
from polyseme.tasks.result import RunRow
from polyseme.tasks.task import Load

FINDINGS = "Table 2, pattern"
TASK = Jurgens2012()
CHANGES = {"task": '"jurgens-2012"', "lemmas": '"banks:training"'}


@pytest.fixture
def plan_of_banks(tmp_path: Path) -> Plan:
    (tmp_path / "plan.toml").write_text(plan(**CHANGES))
    return read_plan(tmp_path / "plan.toml")


def test_the_shipped_plan_is_the_example() -> None:
    assert read_plan("examples/jurgens-2012.toml") == Plan(**TASK.model_plan)


def test_printed_figures_stand_beside_those_of_a_run(plan_of_banks: Plan, results: Path, loading: Load) -> None:
    """Squares has three figures for each mapping, Recall once, two of §5.4, and six findings."""
    cells, _, run = reproduce_models(TASK, loading, results, plan_of_banks)
    sources = [cell.source for cell in cells]
    assert {source: sources.count(source) for source in sources} == {"Table 2": 10, "§5.4": 2, FINDINGS: 6}
    rows = {row.mapping.lower(): row for row in run.rows if row.kind == "model"}
    for cell in cells[:10]:
        model, _, mapping = cell.system.rpartition(", ")
        assert model == rows[mapping].name
        assert cell.computed == rows[mapping].figures[cell.figure]
        assert verdict(cell) in ("same", "known: not from Wikipedia")
    assert [cell.printed for cell in cells[6:12]] == ["0.879", "0.562", "0.925", "0.560", "237/400", "12"]
    assert [cell.computed for cell in cells[10:12]] == [1.0, 0.0], (
        f"all {TESTED} usages are labelled, with one sense each"
    )


def test_a_plan_for_another_task_is_an_error(plan_of_banks: Plan, results: Path, loading: Load) -> None:
    with pytest.raises(InputError, match="the plan is for semeval-2013; Table 2 needs one for jurgens-2012"):
        reproduce_models(TASK, loading, results, plan_of_banks.model_copy(update={"task": "semeval-2013"}))


# -- findings - ---------------------------------------------------------------------------------------------------


def make_rows(**figures: tuple[float, float, float]) -> list[RunRow]:
    """Return a model with Detection, Ranking and Perception by mapping, and a baseline of .5 in all."""
    names = ("detection", "ranking", "perception")
    rows = [
        RunRow("M()", "model", dict(zip(names, values, strict=True)), {}, mapping.title())
        for mapping, values in figures.items()
    ]
    return [*rows, RunRow("MFS", "baseline", dict.fromkeys(names, 0.5), {})]


PRINTED = {"agirre": (0.192, -0.024, 0.382), "graded": (0.198, 0.555, 0.504), "distribution": (0.879, 0.562, 0.925)}


def list_failures(rows: list[RunRow]) -> list[str]:
    return [cell.figure for cell in check_findings(rows) if not cell.agrees]


def test_findings_hold_for_the_printed_figures() -> None:
    assert list_failures(make_rows(**PRINTED)) == []
    assert len(list(check_findings(make_rows(**PRINTED)))) == 6


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
def test_findings_that_do_not_hold_are_named(
    mapping: str, figures: tuple[float, float, float], wrong: list[str]
) -> None:
    assert list_failures(make_rows(**{**PRINTED, mapping: figures})) == wrong


def test_one_mapping_has_no_findings_about_mappings() -> None:
    findings = [cell.figure for cell in check_findings(make_rows(distribution=PRINTED["distribution"]))]
    assert findings == ["ranking: distribution above all baselines", "perception: distribution above all baselines"]
    assert list(check_findings(make_rows(graded=PRINTED["graded"]))) == []


# -- the command ---------------------------------------------------------------------------------------------------


def test_the_command_computes_table_2(cli: Run, folder: Path, results: Path, tmp_path: Path) -> None:
    (tmp_path / "plan.toml").write_text(plan(**CHANGES))
    options = ("--plan", tmp_path / "plan.toml", "--data", folder, "-o", results)
    command = cli("reproduce", "jurgens-2012", "--table", "2", *options)
    assert "18 figures:" in command.out
    assert MODEL.partition("(")[0] in command.out
    cells = json.loads(cli("reproduce", "jurgens-2012", "--table", "Table 2", *options, "--json").out)
    assert len(cells) == 18
    differing = [cell for cell in cells if cell["verdict"] == "DIFFERS"]
    assert command.code == bool(differing)
    assert all(cell["source"] == FINDINGS for cell in differing)


def test_a_model_without_senses_stays_in_the_table(cli: Run, folder: Path, results: Path, tmp_path: Path) -> None:
    """Its row stays, and no finding holds for it. Missed lemmas are named, and facts stand below."""
    nothing = "Link(tau=1000000000.0)"
    (tmp_path / "plan.toml").write_text(plan(task='"jurgens-2012"', models=f'["{nothing}", "{MODEL}"]'))
    options = ("--plan", tmp_path / "plan.toml", "--data", folder, "-o", results)
    command = cli("reproduce", "jurgens-2012", "--table", "2", *options)
    assert command.code == 1
    reason = "bank.n: it is in no community of more than three words with G² of 1000000000.0 and more; crane.n: it is"
    assert f"warning: {nothing} finds no senses: tree.n: it does not occur in the corpus; {reason}" in command.err
    assert f"warning: {MODEL} has no senses of 1 lemma: tree.n\n" in command.err
    notes = command.out.splitlines()[-2:]
    assert notes[0] == f"{nothing}: labels 0.0% of usages, 0 of them with several senses; median 0"
    assert notes[1] == f"{MODEL}: labels 92.3% of usages, 0 of them with several senses; median 1"
    cells = json.loads(cli("reproduce", "jurgens-2012", "--table", "2", *options, "--json").out)
    failing = [cell for cell in cells if cell["source"] == FINDINGS and cell["system"] == nothing]
    assert len(failing) == 6
    assert {(cell["ours"], cell["verdict"]) for cell in failing} == {("does not hold", "DIFFERS")}


def test_an_unknown_table_is_an_error(cli: Run, folder: Path) -> None:
    command = cli("reproduce", "jurgens-2012", "--table", "5", "--data", folder)
    assert command.code == 2
    assert "jurgens-2012 has no figures of '5'; there are " in command.err
    assert "Table 2" in command.err


def test_missing_data_are_an_error(cli: Run, folder: Path) -> None:
    command = cli("reproduce", "jurgens-2012", "--table", "2", "--data", folder)
    assert command.code == 2
    assert "the data set 'semeval-2013-task-13-trial' is not here" in command.err
