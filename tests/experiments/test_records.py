"""The record of a run is enough to score it again, exactly."""

import json
from pathlib import Path

import pytest

from experiments.runs import run_banks
from polyseme.errors import InputError
from polyseme.experiments.plan import read_plan
from polyseme.experiments.records import find_only_record, find_record_of_plan, read_record, write_record
from polyseme.experiments.rescoring import rescore_run
from polyseme.experiments.results import RunResults
from polyseme.tasks.task import Load


def write_plan_record(results: RunResults, folder: Path) -> Path:
    write_record(results, folder, "plan")
    return folder / "experiments" / "plan.json"


def test_a_record_is_read_as_it_was_written(results: Path, loading: Load) -> None:
    run = run_banks(results, loading, systems='["all"]')
    again = read_record(write_plan_record(run, results)).results
    assert again.rows == run.rows
    assert again.missed == run.missed
    assert again.plan.task == run.plan.task


@pytest.mark.parametrize("task", ["semeval-2013", "semeval-2010", "jurgens-2012"])
def test_scored_again_all_figures_are_the_same(results: Path, loading: Load, task: str) -> None:
    run = run_banks(results, loading, task=f'"{task}"', systems='["right", "same.v1"]')
    rescored = rescore_run(read_record(write_plan_record(run, results)), loading)
    assert [scored.row for scored in rescored.rows] == list(run.rows)
    for scored in rescored.rows:
        figures = [result.figures() for result in scored.results]
        assert figures or not scored.row.figures
        for name, value in scored.row.figures.items():
            mean = sum(seed[name] for seed in figures) / len(figures)
            assert mean == pytest.approx(value, nan_ok=True), (scored.row.name, name)


def test_figures_that_have_changed_are_an_error(results: Path, loading: Load) -> None:
    path = write_plan_record(run_banks(results, loading), results)
    text = json.loads(path.read_text())
    row = next(row for row in text["rows"] if row["kind"] == "model")
    row["figures"]["fuzzy_nmi"] += 0.01
    path.write_text(json.dumps(text))
    with pytest.raises(InputError, match=r"fuzzy_nmi of .* was .* in the run, .* Type: polyseme run"):
        rescore_run(read_record(path), loading)


def test_a_plan_that_was_not_run_names_the_command_to_type(tmp_path: Path, results: Path, loading: Load) -> None:
    run = run_banks(results, loading)
    path = results.parent / "plan.toml"
    with pytest.raises(InputError, match=rf"has not been run .* Type: polyseme run {path} -o {results}"):
        find_record_of_plan(path, read_plan(path), results)
    write_plan_record(run, results)
    assert find_record_of_plan(path, read_plan(path), results).results.rows == run.rows
    path.write_text(path.read_text().replace("Banks", "Other banks"))
    with pytest.raises(InputError, match="it was changed"):
        find_record_of_plan(path, read_plan(path), results)
    with pytest.raises(InputError, match="there is no experiment in it"):
        find_only_record(tmp_path)


def test_of_several_experiments_one_must_be_named(results: Path, loading: Load) -> None:
    run = run_banks(results, loading)
    write_plan_record(run, results)
    assert find_only_record(results).name == "plan"
    write_record(run, results, "other")
    with pytest.raises(InputError, match=r"2 experiments in it; name one: .*other\.json, .*plan\.json"):
        find_only_record(results)


def test_a_missing_key_names_the_command_to_type(results: Path, loading: Load) -> None:
    record = read_record(write_plan_record(run_banks(results, loading), results))
    for key in (results / "keys").iterdir():
        key.unlink()
    with pytest.raises(InputError, match=r"is gone\. Type: polyseme run plan\.toml -o"):
        rescore_run(record, loading)


@pytest.mark.parametrize("text", ["{", "[]", json.dumps({"rows": []})])
def test_other_files_are_no_records(tmp_path: Path, text: str) -> None:
    path = tmp_path / "plan.json"
    path.write_text(text)
    with pytest.raises(InputError, match="this is not a record of a run of this version"):
        read_record(path)
