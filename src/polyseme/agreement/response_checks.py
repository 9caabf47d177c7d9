"""The checks for careless responding: each is a function that returns a finding for every annotator."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import itemgetter
from typing import NamedTuple

import numpy as np

from polyseme.agreement.careless_responding import (
    AnnotatorResponses,
    CarelessnessLimits,
    CheckEvidence,
    CheckFinding,
    CheckResult,
    ResponseCheck,
    StudyResponses,
    medians_of_others,
)
from polyseme.agreement.correlation import Correlation, correlate_ranks
from polyseme.agreement.scale_use import ValueDistribution
from polyseme.agreement.triangles import Metricity, UsageTriple, check_triangle_inequality
from polyseme.arrays import Floats, Ints
from polyseme.rating import Item, Rating, Ratings


def _format_value(value: float) -> str:
    return "undecided" if math.isnan(value) else f"{value:.2f}".rstrip("0").rstrip(".")


def _describe_others(words: str, usual: float) -> str:
    """Format the median of the others; empty if there is none."""
    return "" if math.isnan(usual) else words.format(usual)


def _compare_with_mean(item: Item, value: float, mean: float) -> CheckEvidence:
    others = "no other annotator judged it" if math.isnan(mean) else f"the others' mean is {_format_value(mean)}"
    return CheckEvidence(item, value, mean, f"gave {_format_value(value)}; {others}")


# -- runs of one value -----------------------------------------------------------------------------------------------


class _ValueRun(NamedTuple):
    """Consecutive judgements with the same value, and an upper bound of the probability of such a run."""

    start: int
    length: int
    value: float
    chance: float


def check_runs(study: StudyResponses, limits: CarelessnessLimits) -> CheckResult:
    """Check for straight-lining: an improbably long run of one value that the others do not share.

    The probability of a run of r in n judgements is at most n·pʳ, where p is the share of the value in the annotator's
    other judgements. It is also at most n·Π qᵢ, where qᵢ is the share of the others who gave it to the i-th item of the
    run. This share is smoothed towards that over all items. Both must be small. Otherwise annotators who use 1 a
    lot, or who meet a lemma with uniform ratings, would be flagged. :func:`check_entropy` covers annotators who
    *always* give one value.
    """
    name = "runs of one value"
    if not any(sheet.ordered for sheet in study.sheets):
        return CheckResult(name, (), "neither the positions nor the times at which items were shown are recorded")

    def judge(sheet: AnnotatorResponses, run: _ValueRun | None, usual: float) -> CheckFinding:
        annotator = sheet.annotator
        if run is None:
            return CheckFinding.unknown(annotator, name, "the order in which the items were shown is not recorded")
        flagged = run.length >= limits.run_length and run.chance < limits.run_chance
        rare = f"at most one case in {1 / run.chance:,.0f}" if run.chance > 1e-6 else "less than one case in a million"
        sentence = (
            f"{annotator} gave {_format_value(run.value)} to {run.length} items in a row"
            f"{f', which happens by chance in {rare}' if flagged else ''}"
            f"{_describe_others('; the longest run of the others is {:g}', usual)}."
        )
        rows = sheet.rows[run.start : run.start + (limits.evidence if flagged else 0)]
        means = (study.mean_of_others(row.item, annotator) for row in rows)
        evidence = tuple(_compare_with_mean(row.item, row.value, mean) for row, mean in zip(rows, means, strict=True))
        return CheckFinding(annotator, name, float(run.length), usual, flagged, sentence, evidence)

    runs = [_worst_run(study, number, limits) if sheet.ordered else None for number, sheet in enumerate(study.sheets)]
    usual = medians_of_others([math.nan if run is None else float(run.length) for run in runs])
    return CheckResult(name, tuple(map(judge, study.sheets, runs, usual)))


def _worst_run(study: StudyResponses, annotator: int, limits: CarelessnessLimits) -> _ValueRun:
    """Return the least probable run or, if no run is long enough to check, the longest."""
    values = np.array([row.value for row in study.sheets[annotator].rows])
    starts = np.flatnonzero(np.append(True, values[1:] != values[:-1]))
    lengths = np.diff(np.append(starts, len(values)))
    long = np.flatnonzero(lengths >= limits.run_length)
    if not len(long):
        longest = int(lengths.argmax())
        return _ValueRun(int(starts[longest]), int(lengths[longest]), float(values[starts[longest]]), 1.0)
    counts = study.counts_of_others(annotator)
    runs = [_bound_run(study, annotator, counts, values, int(starts[run]), int(lengths[run])) for run in long]
    return min(runs, key=lambda run: (run.chance, -run.length))


def _bound_run(
    study: StudyResponses, annotator: int, counts: Ints, values: Floats, start: int, length: int
) -> _ValueRun:
    """Bound the probability of a run by the larger of the two bounds.

    Args:
        study: The responses.
        annotator: The number of the annotator.
        counts: Items × levels: how many other annotators gave each value.
        values: The annotator's values, in the order of presentation.
        start: The position of the run.
        length: Its length.
    """
    value = float(values[start])
    elsewhere = len(values) - length
    # As if two more judgements had been made, one of them with this value.
    by_own = length * math.log((int((values == value).sum()) - length + 1) / (elsewhere + 2)) if elsewhere else 0.0
    rows = study.sheets[annotator].rows[start : start + length]
    items = np.array([study.item_numbers[row.item] for row in rows], np.intp)
    level = int(np.searchsorted(study.judgements.levels, value))
    totals = study.annotator_level_counts.sum(0) - study.annotator_level_counts[annotator]
    # The share of the others who gave the value to each item, smoothed by two average annotators.
    average = (totals[level] + 0.5) / (totals.sum() + 0.5 * len(totals))
    shares = (counts[items, level] + 2 * average) / (counts[items].sum(1) + 2)
    by_others = float(np.log(shares).sum())
    return _ValueRun(start, length, value, min(1.0, len(values) * math.exp(min(0.0, max(by_own, by_others)))))


# -- few values ------------------------------------------------------------------------------------------------------


def check_entropy(study: StudyResponses, limits: CarelessnessLimits) -> CheckResult:
    """Check for straight-lining throughout: far less entropy than the others have on the same items."""
    name = "few values"
    if len(study.sheets) < 2:
        return CheckResult(name, (), "there is only one annotator")
    values = tuple(study.judgements.levels.tolist())

    def judge(number: int) -> CheckFinding:
        annotator, counts = study.sheets[number].annotator, study.annotator_level_counts[number]
        others_counts = study.counts_of_others(number)[study.decisions(number)[0]].sum(0)
        own = ValueDistribution(annotator, values, tuple(counts.tolist()))
        others = ValueDistribution("others", values, tuple(others_counts.tolist()))
        if own.total < limits.least_judgements:
            problem = f"{own.total} judgements are too few to say how the scale is used"
            return CheckFinding.unknown(annotator, name, problem, own.entropy)
        if not others.total:
            return CheckFinding.unknown(annotator, name, "no other annotator judged the same items", own.entropy)
        top = int(counts.argmax())
        flagged = own.entropy < limits.entropy * others.entropy
        sentence = (
            f"{annotator} gave {_format_value(values[top])} to {own.shares[top]:.0%} of {own.total} items:"
            f" {own.entropy:.2f} bits, where the others have {others.entropy:.2f} on the same items."
        )
        evidence = _farthest_from_mean(study, number, limits.evidence if flagged else 0)
        return CheckFinding(annotator, name, own.entropy, others.entropy, flagged, sentence, evidence)

    return CheckResult(name, tuple(map(judge, range(len(study.sheets)))))


def _farthest_from_mean(study: StudyResponses, annotator: int, limit: int) -> tuple[CheckEvidence, ...]:
    """List the items on which an annotator is farthest from the mean of the others."""
    items, own, others = _values_and_means(study, annotator)
    rows = np.argsort(-np.abs(own - others), kind="stable")[:limit].tolist()
    return tuple(
        _compare_with_mean(study.judgements.items[items[row]], float(own[row]), float(others[row])) for row in rows
    )


def _values_and_means(study: StudyResponses, annotator: int) -> tuple[list[int], Floats, Floats]:
    """Return the items that others decided too, the annotator's values, and the means of the others."""
    items, level = study.decisions(annotator)
    own = study.judgements.levels[level]
    judged = study.judgements.judged[items]
    shared = judged > 1
    others = (study.judgements.means[items[shared]] * judged[shared] - own[shared]) / (judged[shared] - 1)
    return items[shared].tolist(), own[shared], others


# -- speed -----------------------------------------------------------------------------------------------------------


def check_speed(study: StudyResponses, limits: CarelessnessLimits) -> CheckResult:
    """Check for answers that come far faster than the others', or too fast to read the item."""
    name = "speed"
    answers = [
        [(row.milliseconds, row) for row in sheet.rows if row.milliseconds is not None] for sheet in study.sheets
    ]
    if not any(answers):
        return CheckResult(name, (), "response times are not recorded")

    def judge(annotator: str, rows: Sequence[tuple[int, Rating]], median: float, usual: float) -> CheckFinding:
        if len(rows) < limits.least:
            return CheckFinding.unknown(annotator, name, f"only {len(rows)} answers have their time recorded", median)
        quick = sum(milliseconds < limits.quick for milliseconds, _ in rows)
        flagged = median < limits.speed * usual or quick > limits.quick_share * len(rows)
        sentence = (
            f"{annotator} took {median / 1000:.1f} s for an item (median)"
            f"{_describe_others(', where the others take {:.1f} s', usual / 1000)};"
            f" {quick} of {len(rows)} answers came in less than {limits.quick / 1000:g} s."
        )
        evidence = tuple(
            CheckEvidence(row.item, row.value, math.nan, f"gave {_format_value(row.value)} after {milliseconds} ms")
            for milliseconds, row in sorted(rows, key=itemgetter(0))[: limits.evidence if flagged else 0]
        )
        return CheckFinding(annotator, name, median, usual, flagged, sentence, evidence)

    medians = [float(np.median([milliseconds for milliseconds, _ in rows])) if rows else math.nan for rows in answers]
    columns = (study.judgements.annotators, answers, medians, medians_of_others(medians))
    return CheckResult(name, tuple(map(judge, *columns)))


# -- control items and repeats ---------------------------------------------------------------------------------------


def check_controls(study: StudyResponses, limits: CarelessnessLimits) -> CheckResult:
    """Check the answers to control items against the expected ones; undecided answers do not count."""
    name = "control items"
    if not any(sheet.controls for sheet in study.sheets):
        return CheckResult(name, (), "there are no control items")
    if study.expected is None:
        return CheckResult(name, (), "the expected answers to the control items are not known")

    def judge(annotator: str, answers: Sequence[CheckEvidence], share: float, usual: float) -> CheckFinding:
        if len(answers) < limits.least:
            return CheckFinding.unknown(annotator, name, f"answered only {len(answers)} control items", share)
        flagged = share < limits.control_share
        sentence = (
            f"{annotator} answered {share:.0%} of {len(answers)} control items within {limits.control_tolerance:g} of"
            f" the expected value{_describe_others('; the others do so in {:.0%}', usual)}."
        )
        evidence = _worst_answers(answers, limits.evidence if flagged else 0)
        return CheckFinding(annotator, name, share, usual, flagged, sentence, evidence)

    answers = [_compare_answers(sheet.controls, study.expected, "{} was expected") for sheet in study.sheets]
    shares = [_share_within(compared, limits.control_tolerance) for compared in answers]
    columns = (study.judgements.annotators, answers, shares, medians_of_others(shares))
    return CheckResult(name, tuple(map(judge, *columns)))


def _compare_answers(rows: Iterable[Rating], references: Mapping[Item, float], words: str) -> list[CheckEvidence]:
    """Compare decided answers with the reference values of their items."""
    return [
        CheckEvidence(
            row.item, row.value, value, f"gave {_format_value(row.value)}, where {words.format(_format_value(value))}"
        )
        for row in rows
        if not math.isnan(row.value) and not math.isnan(value := references.get(row.item, math.nan))
    ]


def _share_within(answers: Sequence[CheckEvidence], tolerance: float) -> float:
    if not answers:
        return math.nan
    return sum(abs(answer.value - answer.against) <= tolerance for answer in answers) / len(answers)


def _worst_answers(answers: Sequence[CheckEvidence], limit: int) -> tuple[CheckEvidence, ...]:
    return tuple(sorted(answers, key=lambda answer: -abs(answer.value - answer.against))[:limit])


def _is_like_chance(figure: float, chance: float, usual_ratio: float, limit: float) -> bool:
    """Whether a figure reaches the limit as a share of chance, and is nearer to chance than to the others' share."""
    threshold = max(limit, 0.0 if math.isnan(usual_ratio) else (1 + usual_ratio) / 2)
    return chance > 0 and figure > chance * threshold


def _usual_ratios(figures: Sequence[float], chances: Sequence[float]) -> list[float]:
    """Return the medians of the others' shares of chance."""
    pairs = zip(figures, chances, strict=True)
    return medians_of_others([figure / chance if chance > 0 else math.nan for figure, chance in pairs])


def check_repeats(study: StudyResponses, limits: CarelessnessLimits) -> CheckResult:
    """Check whether the answers to hidden repeats differ from the first ones about as much as random answers do."""
    name = "repeats"
    if not any(sheet.repeats for sheet in study.sheets):
        return CheckResult(name, (), "there are no hidden repeats")

    def judge(number: int, mean: float, usual: float, usual_ratio: float) -> CheckFinding:
        annotator, compared, chance = study.sheets[number].annotator, answers[number], chances[number]
        if len(compared) < limits.least:
            return CheckFinding.unknown(annotator, name, f"judged only {len(compared)} items a second time", mean)
        flagged = _is_like_chance(mean, chance, usual_ratio, limits.repeats)
        sentence = (
            f"{annotator} gave the same answer to {_share_within(compared, 0):.0%} of {len(compared)} repeats; the mean"
            f" difference is {mean:.2f},{_describe_others(' that of the others {:.2f},', usual)} that of two random"
            f" answers {chance:.2f}."
        )
        evidence = _worst_answers(compared, limits.evidence if flagged else 0)
        return CheckFinding(annotator, name, mean, usual, flagged, sentence, evidence)

    answers = []
    for sheet in study.sheets:
        first_values = {row.item: row.value for row in reversed(sheet.rows)}
        answers.append(_compare_answers(sheet.repeats, first_values, "{} was the first answer"))
    means = [
        math.fsum(abs(answer.value - answer.against) for answer in compared) / len(compared) if compared else math.nan
        for compared in answers
    ]
    chances = [_random_difference(study, number) for number in range(len(answers))]
    columns = (means, medians_of_others(means), _usual_ratios(means, chances))
    return CheckResult(name, tuple(map(judge, range(len(answers)), *columns)))


def _random_difference(study: StudyResponses, annotator: int) -> float:
    """Return the mean difference of two independent answers of an annotator."""
    values, counts = study.judgements.levels, study.annotator_level_counts[annotator]
    shares = counts / max(1, counts.sum())
    return float(shares @ np.abs(np.subtract.outer(values, values)) @ shares)


# -- triangles and agreement -----------------------------------------------------------------------------------------


def check_triangles(study: StudyResponses, limits: CarelessnessLimits) -> CheckResult:
    """Check whether as many triples of usages violate the triangle inequality as if ratings were in random order."""
    name = "triangles"
    if not study.judgements.items or study.judgements.items[0].task != "Usim":
        return CheckResult(name, (), "only judgements of pairs of usages (Usim) have triangles")

    def judge(metricity: Metricity, usual: float, usual_ratio: float) -> CheckFinding:
        missed, chance = 1 - metricity.share, 1 - metricity.chance
        if metricity.triples < limits.least_judgements:
            problem = f"only {metricity.triples} triples of usages have ratings for all three pairs"
            return CheckFinding.unknown(metricity.name, name, problem, missed)
        flagged = _is_like_chance(missed, chance, usual_ratio, limits.triangles)
        sentence = (
            f"{missed:.1%} of {metricity.name}'s {metricity.triples} triples violate the triangle inequality"
            f"{_describe_others(', of those of the others {:.1%}', usual)}; the same ratings in random order would"
            f" violate it in {chance:.1%}."
        )
        evidence = tuple(side for triple in metricity.worst if flagged for side in _triangle_sides(triple))
        return CheckFinding(metricity.name, name, missed, usual, flagged, sentence, evidence)

    ordinary = Ratings(row for row in study.ratings if not row.role)
    annotators = check_triangle_inequality(ordinary, study.scale, -(-limits.evidence // 3)).annotators
    missed = [1 - metricity.share for metricity in annotators]
    ratios = _usual_ratios(missed, [1 - metricity.chance for metricity in annotators])
    return CheckResult(name, tuple(map(judge, annotators, medians_of_others(missed), ratios)))


def _triangle_sides(triple: UsageTriple) -> Iterator[CheckEvidence]:
    """Yield the three pairs of a triple."""
    one, middle, two = triple.usages
    problem = f"{one}, {middle} and {two} violate the inequality by {_format_value(triple.amount)}"
    for first, second, rating in zip((one, middle, one), (middle, two, two), triple.ratings, strict=True):
        item = Item("Usim", triple.lemma, *sorted((first, second)))
        yield CheckEvidence(item, rating, math.nan, f"gave {_format_value(rating)}; {problem}")


def check_agreement(study: StudyResponses, limits: CarelessnessLimits) -> CheckResult:
    """Check for a Spearman correlation with the mean of the others far below theirs; two annotators are not flagged."""
    name = "agreement with others"
    if len(study.sheets) < 2:
        return CheckResult(name, (), "there is only one annotator")

    def judge(number: int, correlation: Correlation, usual: float) -> CheckFinding:
        annotator, rho = study.sheets[number].annotator, correlation.rho
        if correlation.reason:
            return CheckFinding.unknown(annotator, name, correlation.reason)
        if correlation.items < limits.least_judgements:
            problem = f"has only {correlation.items} items in common with others"
            return CheckFinding.unknown(annotator, name, problem, rho)
        flagged = rho < min(usual, limits.agreement * usual)
        others = _describe_others("; the correlation of the others is {:.2f}", usual)
        result = f"correlates with the mean of the others at ρ = {rho:.2f} on {correlation.items} items"
        evidence = _farthest_from_mean(study, number, limits.evidence if flagged else 0)
        return CheckFinding(annotator, name, rho, usual, flagged, f"{annotator} {result}{others}.", evidence)

    correlations = []
    for number, sheet in enumerate(study.sheets):
        _, own, others = _values_and_means(study, number)
        correlations.append(correlate_ranks(own, others, (sheet.annotator, "the mean of the others")))
    usual = medians_of_others([correlation.rho for correlation in correlations])
    return CheckResult(name, tuple(map(judge, range(len(correlations)), correlations, usual)))


RESPONSE_CHECKS: tuple[ResponseCheck, ...] = (
    check_runs,
    check_entropy,
    check_speed,
    check_controls,
    check_repeats,
    check_triangles,
    check_agreement,
)
"""All checks, in the order of the report."""
