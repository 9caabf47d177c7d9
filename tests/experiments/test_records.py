"""What a run keeps is enough to score it again, exactly."""

import json
from pathlib import Path

import pytest

from experiments.runs import ran
from polyseme.errors import InputError
from polyseme.experiments.corpora import Load
from polyseme.experiments.induction import RunResults
from polyseme.experiments.plan import read_plan
from polyseme.experiments.records import find_only_record, find_record_of_plan, read_record, write_record
from polyseme.experiments.rescoring import rescore_run


def kept(results: RunResults, folder: Path) -> Path:
    write_record(results, folder, "plan")
    return folder / "experiments" / "plan.json"


def test_what_is_read_is_what_was_kept(results: Path, loading: Load) -> None:
    found = ran(results, loading, systems='["all"]')
    again = read_record(kept(found, results)).results
    assert again.rows == found.rows
    assert again.missed == found.missed
    assert again.plan.task == found.plan.task


@pytest.mark.parametrize("task", ["semeval-2013", "semeval-2010", "jurgens-2012"])
def test_scored_again_all_figures_are_the_same(results: Path, loading: Load, task: str) -> None:
    found = ran(results, loading, task=f'"{task}"', systems='["right", "same.v1"]')
    rescored = rescore_run(read_record(kept(found, results)), loading)
    assert [each.row for each in rescored.rows] == list(found.rows)
    for each in rescored.rows:
        figures = [result.figures() for result in each.results]
        assert figures or not each.row.figures
        for name, value in each.row.figures.items():
            mean = sum(seed[name] for seed in figures) / len(figures)
            assert mean == pytest.approx(value, nan_ok=True), (each.row.name, name)


def test_figures_that_are_no_longer_found_are_an_error(results: Path, loading: Load) -> None:
    path = kept(ran(results, loading), results)
    text = json.loads(path.read_text())
    row = next(row for row in text["rows"] if row["kind"] == "model")
    row["figures"]["fuzzy_nmi"] += 0.01
    path.write_text(json.dumps(text))
    with pytest.raises(InputError, match=r"fuzzy_nmi of .* was .* when it was run, .* Type: polyseme run"):
        rescore_run(read_record(path), loading)


def test_a_plan_that_was_not_run_says_what_to_type(tmp_path: Path, results: Path, loading: Load) -> None:
    found = ran(results, loading)
    path = results.parent / "plan.toml"
    with pytest.raises(InputError, match=rf"has not been run .* Type: polyseme run {path} -o {results}"):
        find_record_of_plan(path, read_plan(path), results)
    kept(found, results)
    assert find_record_of_plan(path, read_plan(path), results).results.rows == found.rows
    path.write_text(path.read_text().replace("Banks", "Other banks"))
    with pytest.raises(InputError, match="it was changed"):
        find_record_of_plan(path, read_plan(path), results)
    with pytest.raises(InputError, match="there is no experiment in it"):
        find_only_record(tmp_path)


def test_of_several_experiments_one_must_be_named(results: Path, loading: Load) -> None:
    found = ran(results, loading)
    kept(found, results)
    assert find_only_record(results).name == "plan"
    write_record(found, results, "other")
    with pytest.raises(InputError, match=r"2 experiments in it; name one: .*other\.json, .*plan\.json"):
        find_only_record(results)


def test_a_key_that_is_gone_says_what_to_type(results: Path, loading: Load) -> None:
    there = read_record(kept(ran(results, loading), results))
    for key in (results / "keys").iterdir():
        key.unlink()
    with pytest.raises(InputError, match=r"is gone\. Type: polyseme run plan\.toml -o"):
        rescore_run(there, loading)


@pytest.mark.parametrize("text", ["{", "[]", json.dumps({"rows": []})])
def test_what_is_no_run_says_so(tmp_path: Path, text: str) -> None:
    path = tmp_path / "plan.json"
    path.write_text(text)
    with pytest.raises(InputError, match="this is not what a run of this version keeps"):
        read_record(path)
