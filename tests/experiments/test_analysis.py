"""Figures with intervals and tests, by lemma and by group of usages."""

from pathlib import Path

import numpy as np
import pytest

from experiments.banks import MODEL
from experiments.runs import run_banks
from polyseme.arrays import Floats
from polyseme.errors import InputError
from polyseme.experiments.analysis import AnalysisOptions, analyse_run
from polyseme.experiments.groupings import find_groupings
from polyseme.experiments.mistakes import misplaced_weight, wrongness
from polyseme.experiments.records import read_record, write_record
from polyseme.experiments.rescoring import rescore_run
from polyseme.experiments.scored_rows import ScoredRows
from polyseme.labelling import Labelling
from polyseme.reports.results import Findings
from polyseme.tasks.comparison import compare_results
from polyseme.tasks.resampling import AdditiveFigure, bootstrap, holm_correction, randomisation_test
from polyseme.tasks.result import TaskResult
from polyseme.tasks.semeval_2010 import SemEval2010
from polyseme.tasks.task import Load
from polyseme.usage import Usage


def make_labellings(right: int, lemmas: int = 6, usages: int = 4) -> tuple[Labelling, Labelling]:
    """Return gold with two senses, and a system that is right on some lemmas and has one sense for the others."""
    gold = {f"w{word}.{n}": {f"s{n % 2}": 1.0} for word in range(lemmas) for n in range(usages)}
    system = {usage: senses if int(usage[1]) < right else {"s0": 1.0} for usage, senses in gold.items()}
    first, second = (
        Labelling.from_dict(labels, lemma=lambda usage: usage.partition(".")[0]) for labels in (gold, system)
    )
    return first, second


def get_figure(name: str, gold: Labelling, *results: TaskResult) -> AdditiveFigure:
    figure = AdditiveFigure.from_results(results, name, gold.lemmas)
    assert figure is not None
    return figure


def resample(name: str, gold: Labelling, result: TaskResult, samples: int) -> Floats:
    (values,) = bootstrap([get_figure(name, gold, result)], len(gold.lemmas), samples=samples)
    return values


def test_a_figure_is_evaluated_for_each_lemma() -> None:
    gold, system = make_labellings(right=2)
    result = SemEval2010().score(gold, system)
    every_lemma = np.eye(len(gold.lemmas))
    assert get_figure("v_measure", gold, result).evaluate(every_lemma).tolist() == [1, 1, 0, 0, 0, 0]
    perfect = SemEval2010().score(gold, gold)
    assert get_figure("v_measure", gold, result, perfect).evaluate(every_lemma)[5] == 0.5


def test_intervals_and_tests_are_those_of_a_comparison() -> None:
    gold, system = make_labellings(right=2)
    first, second = SemEval2010().score(gold, system), SemEval2010().score(gold, gold)
    row = next(row for row in compare_results(first, second, samples=500) if row.figure == "v_measure")
    values = resample("v_measure", gold, first, 500)
    assert np.allclose(np.quantile(values, [0.025, 0.975]), row.first_interval)
    pair = (get_figure("v_measure", gold, first), get_figure("v_measure", gold, second))
    assert randomisation_test([pair], len(gold.lemmas), samples=500) == [pytest.approx(row.p)]


def test_a_mean_of_two_figures_has_an_interval_too() -> None:
    gold, system = make_labellings(right=2)
    result = SemEval2010().score(gold, system)
    values = resample("v_measure*paired_f", gold, result, 50)
    factors = [resample(name, gold, result, 50) for name in ("v_measure", "paired_f")]
    assert np.allclose(values, np.sqrt(factors[0] * factors[1]))


def test_a_row_does_not_differ_from_itself() -> None:
    gold, system = make_labellings(right=2)
    result = SemEval2010().score(gold, system)
    figure = get_figure("v_measure", gold, result)
    assert randomisation_test([(figure, figure)], len(gold.lemmas), samples=100) == [1]


def test_correction_never_falls_and_is_at_most_one() -> None:
    assert holm_correction([0.5, 0.001, 0.4]) == [0.8, 0.003, 0.8]
    assert holm_correction([]) == []


def test_misplaced_weight_goes_to_senses_that_are_too_heavy() -> None:
    assert wrongness({"a": 1.0}, {"a": 1.0}) == 0
    assert wrongness({"a": 1.0}, {"b": 0.5, "c": 0.5}) == 1
    assert list(misplaced_weight({"a": 1.0}, {"b": 0.75, "c": 0.25})) == [("a", "b", 0.75), ("a", "c", 0.25)]
    assert not list(misplaced_weight({"a": 1.0}, {"a": 1.0}))


def test_usages_are_grouped_by_metadata_and_part_of_speech() -> None:
    usages = {
        f"u{n}": Usage(
            f"u{n}", "x.n" if n < 30 else "y.v", "text", 0, 4, meta={"genre": "news" if n % 2 else "fiction", "page": n}
        )
        for n in range(40)
    }
    gold = Labelling((usage.lemma, usage.id, {"a": 1, "b": int(usage.id[1:]) < 5}) for usage in usages.values())
    groupings = {grouping.field: grouping for grouping in find_groupings(usages, gold)}
    assert list(groupings) == ["genre", "part of speech"]  # pages are too many, and usages of several senses too few
    assert {name: len(members) for name, members in groupings["part of speech"].groups.items()} == {
        "nouns": 30,
        "verbs": 10,
    }


@pytest.fixture
def rescored(results: Path, loading: Load) -> ScoredRows:
    write_record(run_banks(results, loading, systems='["all"]'), results, "plan")
    return rescore_run(read_record(results / "experiments" / "plan.json"), loading)


def analyse(rescored: ScoredRows, **options: object) -> Findings:
    return analyse_run(rescored, AnalysisOptions(**{"samples": 100, **options}))  # type: ignore[arg-type]


def test_findings_have_intervals_tests_and_mistakes(rescored: ScoredRows) -> None:
    findings = analyse(rescored)
    assert (findings.measure.heading, findings.best) == ("AVG", MODEL)
    assert findings.reference == "random, 4 clusters (mean of 5)"
    assert dict(findings.sizes) == {"bank.n": 12, "crane.n": 12, "tree.n": 2}
    best = findings.line(MODEL)
    figure = best.figures["fuzzy_nmi"]
    assert figure.low <= figure.value <= figure.high
    assert figure.difference == pytest.approx(figure.value - findings.line(findings.reference).value("fuzzy_nmi"))
    assert 0 < figure.p <= figure.corrected <= 1
    assert best.lemmas["bank.n"] == 1
    assert np.isnan(findings.line(findings.reference).figures["fuzzy_nmi"].p)
    assert findings.mistakes is not None
    assert findings.mistakes.unanswered == 2
    assert any("has no senses of 1 lemma: tree.n" in note for note in findings.notes)


def test_the_row_and_the_measure_can_be_named(rescored: ScoredRows) -> None:
    findings = analyse(rescored, against="right", measure="jaccard.f1")
    assert (findings.reference, findings.measure.heading) == ("right", "Jaccard F1")
    with pytest.raises(InputError, match=r"--against 'wrong' is not a row .* 'right'"):
        analyse(rescored, against="wrong")
    with pytest.raises(InputError, match=r"--measure 'f2' is not a figure .* jaccard\.f1"):
        analyse(rescored, measure="f2")
