"""Figures with intervals and tests, by lemma and by part; planted so that they are known."""

from pathlib import Path

import numpy as np
import pytest

from experiments.banks import MODEL
from experiments.runs import ran
from polyseme.errors import InputError
from polyseme.experiments.analysis import AnalysisOptions, analyse_run
from polyseme.experiments.corpora import Load
from polyseme.experiments.groupings import find_groupings
from polyseme.experiments.mistakes import misplaced_weight, wrongness
from polyseme.experiments.records import read_record, write_record
from polyseme.experiments.rescoring import RescoredRun, rescore_run
from polyseme.labelling import Labelling
from polyseme.reports.results import Findings
from polyseme.tasks import protocols
from polyseme.tasks.comparison import compare_results
from polyseme.tasks.resampling import figure_by_lemma, holm_correction, randomisation_test, resample_figure
from polyseme.usage import Usage


def labelled(right: int, lemmas: int = 6, usages: int = 4) -> tuple[Labelling, Labelling]:
    """Gold with two senses, and a system that is right about some lemmas and takes the others' senses for one."""
    gold = {f"w{word}.{n}": {f"s{n % 2}": 1.0} for word in range(lemmas) for n in range(usages)}
    system = {each: senses if int(each[1]) < right else {"s0": 1.0} for each, senses in gold.items()}
    made = (Labelling.from_dict(each, lemma=lambda usage: usage.partition(".")[0]) for each in (gold, system))
    first, second = made
    return first, second


def test_each_lemma_by_itself() -> None:
    gold, system = labelled(right=2)
    result = protocols.semeval_2010(gold, system)
    assert figure_by_lemma([result], "v_measure", gold.lemmas).tolist() == [1, 1, 0, 0, 0, 0]
    assert figure_by_lemma([result, protocols.semeval_2010(gold, gold)], "v_measure", gold.lemmas)[5] == 0.5


def test_intervals_and_tests_are_those_of_compare() -> None:
    gold, system = labelled(right=2)
    first, second = protocols.semeval_2010(gold, system), protocols.semeval_2010(gold, gold)
    row = next(each for each in compare_results(first, second, samples=500) if each.figure == "v_measure")
    drawn = resample_figure([first], "v_measure", gold.lemmas, samples=500)
    assert np.allclose(np.quantile(drawn, [0.025, 0.975]), row.first_interval)
    assert randomisation_test([first], [second], "v_measure", gold.lemmas, samples=500) == pytest.approx(row.p)


def test_a_mean_of_two_figures_has_an_interval_too() -> None:
    gold, system = labelled(right=2)
    result = protocols.semeval_2010(gold, system)
    drawn = resample_figure([result], "v_measure*paired_f", gold.lemmas, samples=50)
    parts = [resample_figure([result], part, gold.lemmas, samples=50) for part in ("v_measure", "paired_f")]
    assert np.allclose(drawn, np.sqrt(parts[0] * parts[1]))


def test_a_row_does_not_differ_from_itself() -> None:
    gold, system = labelled(right=2)
    result = protocols.semeval_2010(gold, system)
    assert randomisation_test([result], [result], "v_measure", gold.lemmas, samples=100) == 1


def test_correction_never_falls_and_is_at_most_one() -> None:
    assert holm_correction([0.5, 0.001, 0.4]) == [0.8, 0.003, 0.8]
    assert holm_correction([]) == []


def test_what_is_wrong_and_where_the_weight_went() -> None:
    assert wrongness({"a": 1.0}, {"a": 1.0}) == 0
    assert wrongness({"a": 1.0}, {"b": 0.5, "c": 0.5}) == 1
    assert list(misplaced_weight({"a": 1.0}, {"b": 0.75, "c": 0.25})) == [("a", "b", 0.75), ("a", "c", 0.25)]
    assert not list(misplaced_weight({"a": 1.0}, {"a": 1.0}))


def test_usages_are_parted_by_what_is_known_of_them() -> None:
    usages = {
        f"u{n}": Usage(
            f"u{n}", "x.n" if n < 30 else "y.v", "text", 0, 4, meta={"genre": "news" if n % 2 else "fiction", "page": n}
        )
        for n in range(40)
    }
    gold = Labelling((usage.lemma, usage.id, {"a": 1, "b": int(usage.id[1:]) < 5}) for usage in usages.values())
    parts = {part.field: part for part in find_groupings(usages, gold)}
    assert list(parts) == ["genre", "part of speech"]  # pages are too many, and usages of several senses too few
    assert {name: len(each) for name, each in parts["part of speech"].groups.items()} == {"nouns": 30, "verbs": 10}


@pytest.fixture
def rescored(results: Path, loading: Load) -> RescoredRun:
    write_record(ran(results, loading, systems='["all"]'), results, "plan")
    return rescore_run(read_record(results / "experiments" / "plan.json"), loading)


def told(rescored: RescoredRun, **wanted: object) -> Findings:
    return analyse_run(rescored, AnalysisOptions(**{"samples": 100, **wanted}))  # type: ignore[arg-type]


def test_the_findings_of_a_run(rescored: RescoredRun) -> None:
    found = told(rescored)
    assert (found.measure.heading, found.best) == ("AVG", MODEL)
    assert found.reference == "random, 4 clusters (mean of 5)"
    assert dict(found.sizes) == {"bank.n": 12, "crane.n": 12, "tree.n": 2}
    best = found.line(MODEL)
    judged = best.figures["fuzzy_nmi"]
    assert judged.low <= judged.value <= judged.high
    assert judged.difference == pytest.approx(judged.value - found.line(found.reference).value("fuzzy_nmi"))
    assert 0 < judged.p <= judged.corrected <= 1
    assert best.lemmas["bank.n"] == 1
    assert np.isnan(found.line(found.reference).figures["fuzzy_nmi"].p)
    assert found.mistakes is not None
    assert found.mistakes.unanswered == 2
    assert any("has no senses of 1 lemma: tree.n" in note for note in found.notes)


def test_the_row_and_the_measure_can_be_named(rescored: RescoredRun) -> None:
    found = told(rescored, against="right", measure="jaccard.f1")
    assert (found.reference, found.measure.heading) == ("right", "Jaccard F1")
    with pytest.raises(InputError, match=r"--against 'wrong' is no row .* 'right'"):
        told(rescored, against="wrong")
    with pytest.raises(InputError, match=r"--measure 'f2' is not a figure .* jaccard\.f1"):
        told(rescored, measure="f2")
