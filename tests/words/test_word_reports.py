"""Word reports, from an index to a summary."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from polyseme.corpus.index import Index
from polyseme.errors import InputError
from polyseme.induction.defaults import CONTEXT_INDUCER, SUBSTITUTE_INDUCER
from polyseme.parts import build
from polyseme.words.runs import (
    NO_SHARED_USAGES,
    ON_HALVES,
    ONE_SEED,
    SAVED_MODEL,
    TOO_FEW_USAGES,
    describe_runs,
    profile_runs,
)
from polyseme.words.summary import describe_procedure
from polyseme.words.word_reports import WordReport, add_dictionary, make_word_report, make_word_reports
from word_profiles import PIPELINE, USAGE_CLUSTERS, changing_profile

HALVES = [[f"u{number}" for number in range(start, start + 30)] for start in (0, 30)]


def test_an_inducer_is_fitted_and_reported(bank_index: Index) -> None:
    steps: list[str] = []
    [report] = make_word_reports(
        bank_index, ["bank.n", "bank.n"], build(PIPELINE), seeds=2, show=steps.append, wordnet=""
    )
    assert report.word == "bank"
    assert report.years == (1800, 1918)
    assert report.changes
    assert report.changes[0].significant
    assert report.time_field == "date"
    assert report.certainty is not None
    assert (report.certainty.runs, report.run_note) == (2, "")
    assert len(report.map_positions) == len(report.map_rows) == 60
    assert steps[0] == "bank.n: senses induced"


def test_missing_lemmas_are_skipped(bank_index: Index) -> None:
    steps: list[str] = []
    reports = make_word_reports(
        bank_index, ["zebra", "bank"], build(PIPELINE), seeds=1, show=steps.append, processes=1, wordnet=""
    )
    assert [report.word for report in reports] == ["bank"]
    assert "it does not occur in the corpus" in steps[0]
    with pytest.raises(InputError, match=r"no senses: .*zebra"):
        make_word_reports(bank_index, ["zebra"], build(PIPELINE))


def test_a_lemma_missing_from_the_usages_of_a_clustering_model_is_an_error(bank_index: Index) -> None:
    with pytest.raises(InputError, match=r"^no senses: zebra: there are no usages of 'zebra': it does not occur"):
        make_word_reports(bank_index, ["zebra"], build(USAGE_CLUSTERS))


def test_a_note_explains_the_runs(bank_index: Index) -> None:
    [single] = make_word_reports(bank_index, ["bank"], build(PIPELINE), seeds=1, wordnet="")
    assert (single.certainty, single.run_note) == (None, ONE_SEED)
    model = build(PIPELINE).fit(bank_index, ["bank"], processes=1)
    [saved] = make_word_reports(bank_index, ["bank"], model, seeds=2, wordnet="")
    assert saved.certainty is not None
    assert saved.run_note == SAVED_MODEL
    assert describe_runs(model, 1, 60) == ONE_SEED


def test_runs_on_halves_are_reported_with_the_size_of_the_sample(bank_index: Index) -> None:
    [report] = make_word_reports(bank_index, ["bank"], build(USAGE_CLUSTERS), limit=40, wordnet="")
    assert report.certainty is not None
    assert (report.certainty.runs, report.run_note, report.total) == (3, ON_HALVES, 60)
    assert describe_procedure(report) == [
        "The report is based on 40 usages from 1800 to 1916, a random sample of the 60 in the corpus.",
        "The model divides them into two senses.",
    ]


def test_few_usages_are_not_halved(bank_index: Index) -> None:
    [few] = make_word_reports(bank_index, ["bank"], build(USAGE_CLUSTERS), limit=19, wordnet="")
    assert (few.certainty, few.run_note) == (None, TOO_FEW_USAGES)
    [enough] = make_word_reports(bank_index, ["bank"], build(USAGE_CLUSTERS), limit=20, wordnet="")
    assert enough.certainty is not None


def test_runs_without_shared_usages_have_no_certainty() -> None:
    profile = changing_profile()
    early, late = (replace(profile, labelling=profile.labelling.restrict(ids)) for ids in HALVES)
    report = make_word_report([early, late], "")
    assert (report.certainty, report.run_note) == (None, NO_SHARED_USAGES)


@pytest.mark.usefixtures("wordnet_31")
def test_senses_are_compared_with_wordnet(bank_index: Index) -> None:
    [report] = make_word_reports(bank_index, ["bank.n"], build(PIPELINE), seeds=1)
    assert report.dictionary == "WordNet 3.1"
    assert report.comparison is not None
    shore = next(sense for sense in report.profile.senses if "river" in dict(sense.features))
    assert "sloping land" in report.comparison.matches(shore.id)[0].sense.gloss


def test_without_wordnet_a_command_is_named(bank_index: Index, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("POLYSEME_HOME", str(tmp_path))
    monkeypatch.setenv("POLYSEME_DATA", str(tmp_path))
    bare = make_word_report(profile_runs(bank_index, "bank", build(PIPELINE), seeds=1))
    [report] = add_dictionary([bare])
    if report.comparison is None:  # WordNet may be installed elsewhere on this machine
        problem = "WordNet 3.1 is not installed. Type: polyseme data install wordnet-3.1"
        assert report.dictionary_problem == problem


@pytest.mark.usefixtures("wordnet_31")
def test_a_word_missing_from_wordnet_is_reported() -> None:
    profile = changing_profile(10)
    strange = WordReport(replace(profile, lemma="xyzzy.n"), profile.labelled, np.zeros((10, 2)))
    [report] = add_dictionary([strange])
    assert report.comparison is None
    assert report.dictionary_problem == "WordNet 3.1 has no entry for xyzzy."


def test_a_language_model_runs_in_one_process(bank_index: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    counts: list[int | None] = []

    def parallel_map(_: Any, items: Any, processes: int | None) -> Any:
        counts.append(processes)
        return (str(item) for item in items)

    monkeypatch.setattr("polyseme.words.word_reports.parallel_map", parallel_map)
    for inducer in (SUBSTITUTE_INDUCER, CONTEXT_INDUCER):
        with pytest.raises(InputError, match="no senses"):
            make_word_reports(bank_index, ["bank", "zebra"], build(inducer), processes=2)
    assert counts == [1, 2]
