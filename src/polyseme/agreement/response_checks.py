"""The checks of care: each a function that says of every annotator what it found."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
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
from polyseme.agreement.rank_correlation import Correlation, correlate_ranks
from polyseme.agreement.scale_use import ValueDistribution
from polyseme.agreement.triangles import Metricity, UsageTriple, check_triangle_inequality
from polyseme.arrays import Floats, Ints
from polyseme.rating import Item, Rating, Ratings


def _format_value(value: float) -> str:
    return "undecided" if math.isnan(value) else f"{value:.2f}".rstrip("0").rstrip(".")


def _describe_mean(mean: float) -> str:
    return "nobody else judged it" if math.isnan(mean) else f"the others' mean is {_format_value(mean)}"


# -- runs of one value -----------------------------------------------------------------------------------------------


class _ValueRun(NamedTuple):
    """Judgements one after the other with the same value, and how often chance would give such a run."""

    start: int
    length: int
    value: float
    chance: float


def check_runs(study: StudyResponses, limits: CarelessnessLimits) -> CheckResult:
    """Straight-lining: a run of one value that is long for how often the annotator uses it, and not what others said.

    The chance of a run of r in n judgements is at most n·pʳ, p being the share of the value in the annotator's other
    judgements; and n·Π qᵢ, qᵢ being the share of the others who gave it to the i-th item of the run, drawn a little
    towards their share of the value over all items. Both must be small: else someone who uses 1 a lot would be flagged,
    and whoever came upon a lemma that is the same throughout. Someone who *always* gives one value is found by
    :func:`few_values`.
    """
    name = "runs of one value"
    if not any(sheet.ordered for sheet in study.sheets):
        return CheckResult(name, (), "neither the places nor the times at which items were shown are recorded")
    found = [_worst_run(study, place, limits) if sheet.ordered else None for place, sheet in enumerate(study.sheets)]
    longest = [math.nan if run is None else float(run.length) for run in found]
    together = zip(study.sheets, found, medians_of_others(longest), strict=True)
    return CheckResult(name, tuple(_of_run(name, study, limits, *each) for each in together))


def _of_run(
    name: str,
    study: StudyResponses,
    limits: CarelessnessLimits,
    sheet: AnnotatorResponses,
    run: _ValueRun | None,
    typical: float,
) -> CheckFinding:
    who = sheet.annotator
    if run is None:
        return CheckFinding.unknown(who, name, "the order in which the items were shown is not recorded")
    flagged = run.length >= limits.run_length and run.chance < limits.run_chance
    others = "" if math.isnan(typical) else f"; the others' longest runs are of {typical:g}"
    unlikely = f", which chance gives in {_describe_chance(run.chance)}" if flagged else ""
    sentence = f"{who} gave {_format_value(run.value)} to {run.length} items in a row{unlikely}{others}."
    rows = sheet.rows[run.start : run.start + (limits.evidence if flagged else 0)]
    evidence = tuple(_beside_others(study, row) for row in rows)
    return CheckFinding(who, name, float(run.length), typical, flagged, sentence, evidence)


def _describe_chance(chance: float) -> str:
    return f"one case in {1 / chance:,.0f} at most" if chance > 1e-6 else "less than one case in a million"


def _beside_others(study: StudyResponses, row: Rating) -> CheckEvidence:
    mean = study.compute_mean_of_others(row.item, row.annotator)
    return CheckEvidence(row.item, row.value, mean, f"gave {_format_value(row.value)}; {_describe_mean(mean)}")


def _worst_run(study: StudyResponses, annotator: int, limits: CarelessnessLimits) -> _ValueRun:
    """The least likely run; where none is long enough to look at, the longest."""
    sheet = study.sheets[annotator]
    values = np.array([row.value for row in sheet.rows])
    starts = np.flatnonzero(np.append(True, values[1:] != values[:-1]))
    lengths = np.diff(np.append(starts, len(values)))
    long = np.flatnonzero(lengths >= limits.run_length)
    if not len(long):
        place = int(lengths.argmax())
        return _ValueRun(int(starts[place]), int(lengths[place]), float(values[starts[place]]), 1.0)
    own = np.full(len(study.found.items), -1, np.intp)
    items, level = study.own(annotator)
    own[items] = level
    tried = [_weighed(study, annotator, own, values, int(starts[place]), int(lengths[place])) for place in long]
    return min(tried, key=lambda run: (run.chance, -run.length))


def _weighed(study: StudyResponses, annotator: int, own: Ints, values: Floats, start: int, length: int) -> _ValueRun:
    """A run, and the larger of the two chances."""
    value = float(values[start])
    elsewhere = len(values) - length
    # As if two more judgements had been made, one of them of this value.
    by_own = length * math.log((int((values == value).sum()) - length + 1) / (elsewhere + 2)) if elsewhere else 0.0
    rows = study.sheets[annotator].rows[start : start + length]
    places = np.array([study.number[row.item] for row in rows], np.intp)
    level = int(np.searchsorted(study.found.levels, value))
    by_others = float(np.log(_shares(study, annotator, own, places, level)).sum())
    return _ValueRun(start, length, value, min(1.0, len(values) * math.exp(min(0.0, max(by_own, by_others)))))


def _shares(study: StudyResponses, annotator: int, own: Ints, places: Ints, level: int) -> Floats:
    """The share of the others who gave a value to each item, with two more who answer like all others on the whole."""
    of_all = study.used.sum(0) - study.used[annotator]
    usually = (of_all[level] + 0.5) / (of_all.sum() + 0.5 * len(of_all))
    here = study.counts[places].astype(float)
    mine = own[places]
    decided = np.flatnonzero(mine >= 0)
    here[decided, mine[decided]] -= 1
    return np.asarray((here[:, level] + 2 * usually) / (here.sum(1) + 2))


# -- few values ------------------------------------------------------------------------------------------------------


def check_entropy(study: StudyResponses, limits: CarelessnessLimits) -> CheckResult:
    """Straight-lining throughout: far less entropy than in what the others said of the same items."""
    name = "few values"
    if len(study.sheets) < 2:
        return CheckResult(name, (), "there is only one annotator")
    return CheckResult(name, tuple(_of_values(name, study, limits, place) for place in range(len(study.sheets))))


def _of_values(name: str, study: StudyResponses, limits: CarelessnessLimits, annotator: int) -> CheckFinding:
    sheet, values = study.sheets[annotator], tuple(study.found.levels.tolist())
    items, _ = study.own(annotator)
    own = study.used[annotator]
    mine = ValueDistribution(sheet.annotator, values, tuple(own.tolist()))
    theirs = ValueDistribution("others", values, tuple((study.counts[items].sum(0) - own).tolist()))
    if mine.total < limits.least_judgements:
        few = f"{mine.total} judgements are too few to say how the scale is used"
        return CheckFinding.unknown(sheet.annotator, name, few, mine.entropy)
    if not theirs.total:
        return CheckFinding.unknown(sheet.annotator, name, "nobody else judged the same items", mine.entropy)
    top = int(own.argmax())
    flagged = mine.entropy < limits.entropy * theirs.entropy
    sentence = (
        f"{sheet.annotator} gave {_format_value(values[top])} to {mine.shares[top]:.0%} of {mine.total} items:"
        f" {mine.entropy:.2f} bits, where the others have {theirs.entropy:.2f} on the same items."
    )
    evidence = _farthest(study, annotator, limits.evidence if flagged else 0)
    return CheckFinding(sheet.annotator, name, mine.entropy, theirs.entropy, flagged, sentence, evidence)


def _farthest(study: StudyResponses, annotator: int, how_many: int) -> tuple[CheckEvidence, ...]:
    """The items on which an annotator is farthest from the mean of the others."""
    if not how_many:
        return ()
    items, own, others = _beside_mean(study, annotator)
    rows = np.argsort(-np.abs(own - others), kind="stable")[:how_many]
    return tuple(
        CheckEvidence(study.found.items[items[row]], float(own[row]), float(others[row]), _words(own[row], others[row]))
        for row in rows.tolist()
    )


def _words(own: float, others: float) -> str:
    return f"gave {_format_value(own)}; {_describe_mean(others)}"


def _beside_mean(study: StudyResponses, annotator: int) -> tuple[list[int], Floats, Floats]:
    """The items that others decided too, the annotator's values, and the means of the others."""
    items, level = study.own(annotator)
    own = study.found.levels[level]
    judged = study.found.judged[items]
    both = judged > 1
    others = (study.found.means[items[both]] * judged[both] - own[both]) / (judged[both] - 1)
    return items[both].tolist(), own[both], others


# -- speed -----------------------------------------------------------------------------------------------------------


def check_speed(study: StudyResponses, limits: CarelessnessLimits) -> CheckResult:
    """Answers that come far faster than the others', or faster than anyone can read."""
    name = "speed"
    times = [
        np.array([row.milliseconds for row in sheet.rows if row.milliseconds is not None]) for sheet in study.sheets
    ]
    if not any(len(each) for each in times):
        return CheckResult(name, (), "how long answers took is not recorded")
    medians = [float(np.median(each)) if len(each) else math.nan for each in times]
    together = zip(study.sheets, times, medians, medians_of_others(medians), strict=True)
    return CheckResult(name, tuple(_of_speed(name, limits, *each) for each in together))


def _of_speed(
    name: str, limits: CarelessnessLimits, sheet: AnnotatorResponses, times: Floats, median: float, typical: float
) -> CheckFinding:
    if len(times) < limits.least:
        return CheckFinding.unknown(
            sheet.annotator, name, f"only {len(times)} answers have their time recorded", median
        )
    quick = int((times < limits.quick).sum())
    flagged = median < limits.speed * typical or quick > limits.quick_share * len(times)
    others = "" if math.isnan(typical) else f", where the others take {typical / 1000:.1f} s"
    sentence = (
        f"{sheet.annotator} took {median / 1000:.1f} s for an item (median){others};"
        f" {quick} of {len(times)} answers came in less than {limits.quick / 1000:g} s."
    )
    timed = sorted((row.milliseconds, place) for place, row in enumerate(sheet.rows) if row.milliseconds is not None)
    fastest = [sheet.rows[place] for _, place in timed[: limits.evidence if flagged else 0]]
    evidence = tuple(
        CheckEvidence(row.item, row.value, math.nan, f"gave {_format_value(row.value)} after {row.milliseconds} ms")
        for row in fastest
    )
    return CheckFinding(sheet.annotator, name, median, typical, flagged, sentence, evidence)


# -- control items and repeats ---------------------------------------------------------------------------------------


def check_controls(study: StudyResponses, limits: CarelessnessLimits) -> CheckResult:
    """Control items that are not answered as expected; an answer of "cannot decide" is not counted."""
    name = "control items"
    if not any(sheet.controls for sheet in study.sheets):
        return CheckResult(name, (), "there are no control items")
    if study.expected is None:
        return CheckResult(name, (), "nothing says which answers to the control items are expected")
    answers = [_compared(sheet.controls, study.expected, "{} was expected") for sheet in study.sheets]
    shares = [_share_within(of_one, limits.control_tolerance) for of_one in answers]
    together = zip(study.sheets, answers, shares, medians_of_others(shares), strict=True)
    return CheckResult(name, tuple(_of_controls(name, limits, *each) for each in together))


def _compared(rows: Iterable[Rating], against: Mapping[Item, float], words: str) -> list[CheckEvidence]:
    """The decided answers to items for which there is something to compare them with."""
    return [
        CheckEvidence(
            row.item, row.value, value, f"gave {_format_value(row.value)}, where {words.format(_format_value(value))}"
        )
        for row in rows
        if not math.isnan(row.value) and not math.isnan(value := against.get(row.item, math.nan))
    ]


def _share_within(answers: Sequence[CheckEvidence], tolerance: float) -> float:
    if not answers:
        return math.nan
    return sum(abs(each.value - each.against) <= tolerance for each in answers) / len(answers)


def _worst(answers: Sequence[CheckEvidence], how_many: int) -> tuple[CheckEvidence, ...]:
    return tuple(sorted(answers, key=lambda each: -abs(each.value - each.against))[:how_many])


def _of_controls(
    name: str,
    limits: CarelessnessLimits,
    sheet: AnnotatorResponses,
    answers: Sequence[CheckEvidence],
    share: float,
    typical: float,
) -> CheckFinding:
    if len(answers) < limits.least:
        return CheckFinding.unknown(sheet.annotator, name, f"answered only {len(answers)} control items", share)
    flagged = share < limits.control_share
    others = "" if math.isnan(typical) else f"; the others do so in {typical:.0%}"
    sentence = (
        f"{sheet.annotator} answered {share:.0%} of {len(answers)} control items within {limits.control_tolerance:g} of"
        f" what was expected{others}."
    )
    evidence = _worst(answers, limits.evidence if flagged else 0)
    return CheckFinding(sheet.annotator, name, share, typical, flagged, sentence, evidence)


def _like_chance(figure: float, chance: float, ratios: float, limit: float) -> bool:
    """Whether a figure is so near to what chance gives, and nearer to it than to the others' share of chance."""
    return figure > chance * max(limit, 0.0 if math.isnan(ratios) else (1 + ratios) / 2) and chance > 0


def _ratio(figure: float, chance: float) -> float:
    return figure / chance if chance > 0 else math.nan


def check_repeats(study: StudyResponses, limits: CarelessnessLimits) -> CheckResult:
    """Hidden repeats that are answered otherwise than the first time, about as far off as if at random."""
    name = "repeats"
    if not any(sheet.repeats for sheet in study.sheets):
        return CheckResult(name, (), "there are no hidden repeats")
    answers = [_repeated(sheet) for sheet in study.sheets]
    means = [_mean_difference(of_one) for of_one in answers]
    chances = [_random_difference(study, place) for place in range(len(answers))]
    ratios = medians_of_others(list(map(_ratio, means, chances)))
    together = zip(study.sheets, answers, means, medians_of_others(means), chances, ratios, strict=True)
    return CheckResult(name, tuple(_of_repeats(name, limits, *each) for each in together))


def _mean_difference(answers: Sequence[CheckEvidence]) -> float:
    return math.fsum(abs(each.value - each.against) for each in answers) / len(answers) if answers else math.nan


def _random_difference(study: StudyResponses, annotator: int) -> float:
    """The mean difference of two answers that have nothing to do with one another."""
    values, used = study.found.levels, study.used[annotator]
    share = used / max(1, used.sum())
    return float(share @ np.abs(np.subtract.outer(values, values)) @ share)


def _repeated(sheet: AnnotatorResponses) -> list[CheckEvidence]:
    """The repeats beside the first answers to the same items."""
    first: dict[Item, float] = {}
    for row in sheet.rows:
        first.setdefault(row.item, row.value)
    return _compared(sheet.repeats, first, "{} was given the first time")


def _of_repeats(
    name: str,
    limits: CarelessnessLimits,
    sheet: AnnotatorResponses,
    answers: Sequence[CheckEvidence],
    mean: float,
    typical: float,
    chance: float,
    ratios: float,
) -> CheckFinding:
    who = sheet.annotator
    if len(answers) < limits.least:
        return CheckFinding.unknown(who, name, f"judged only {len(answers)} items a second time", mean)
    flagged = _like_chance(mean, chance, ratios, limits.repeats)
    others = "" if math.isnan(typical) else f" the others' {typical:.2f},"
    sentence = (
        f"{who} gave the same answer to {_share_within(answers, 0):.0%} of {len(answers)} repeats; the mean difference"
        f" is {mean:.2f},{others} that of two random answers {chance:.2f}."
    )
    evidence = _worst(answers, limits.evidence if flagged else 0)
    return CheckFinding(who, name, mean, typical, flagged, sentence, evidence)


# -- triangles and agreement -----------------------------------------------------------------------------------------


def check_triangles(study: StudyResponses, limits: CarelessnessLimits) -> CheckResult:
    """Triples of usages of which two pairs are close and the third is far: as many as if dealt out at random."""
    name = "triangles"
    if not study.found.items or study.found.items[0].task != "Usim":
        return CheckResult(name, (), "only judgements of pairs of usages (Usim) have triangles")
    of_study = Ratings(row for row in study.ratings if not row.role)
    found = check_triangle_inequality(of_study, study.scale, -(-limits.evidence // 3)).annotators
    missed = [1 - each.share for each in found]
    ratios = medians_of_others([_ratio(1 - each.share, 1 - each.chance) for each in found])
    together = zip(found, medians_of_others(missed), ratios, strict=True)
    return CheckResult(name, tuple(_of_triangles(name, limits, *each) for each in together))


def _of_triangles(
    name: str, limits: CarelessnessLimits, found: Metricity, typical: float, ratios: float
) -> CheckFinding:
    missed = 1 - found.share
    if found.triples < limits.least_judgements:
        few = f"only {found.triples} triples of usages have ratings for all three pairs"
        return CheckFinding.unknown(found.name, name, few, missed)
    flagged = _like_chance(missed, 1 - found.chance, ratios, limits.triangles)
    others = "" if math.isnan(typical) else f", of the others' {typical:.1%}"
    sentence = (
        f"{missed:.1%} of {found.name}'s {found.triples} triples miss the triangle inequality{others}; the same ratings"
        f" dealt out at random would miss it in {1 - found.chance:.1%}."
    )
    evidence = tuple(each for triple in found.worst if flagged for each in _sides(triple))
    return CheckFinding(found.name, name, missed, typical, flagged, sentence, evidence)


def _sides(triple: UsageTriple) -> Iterator[CheckEvidence]:
    """The three pairs of a triple."""
    one, middle, two = triple.usages
    for first, second, rating in zip((one, middle, one), (middle, two, two), triple.ratings, strict=True):
        usage, target = sorted((first, second))
        words = f"gave {_format_value(rating)}; {one}, {middle} and {two} miss the inequality by {_format_value(triple.amount)}"
        yield CheckEvidence(Item("Usim", triple.lemma, usage, target), rating, math.nan, words)


def check_agreement(study: StudyResponses, limits: CarelessnessLimits) -> CheckResult:
    """Spearman's ρ with the mean of the others, far below that of the others. Of two annotators neither is flagged."""
    name = "agreement with others"
    if len(study.sheets) < 2:
        return CheckResult(name, (), "there is only one annotator")
    columns = [_beside_mean(study, place) for place in range(len(study.sheets))]
    found = [
        correlate_ranks(own, others, (sheet.annotator, "the mean of the others"))
        for sheet, (_, own, others) in zip(study.sheets, columns, strict=True)
    ]
    shared = [len(items) for items, _, _ in columns]
    together = zip(range(len(found)), found, shared, medians_of_others([each.rho for each in found]), strict=True)
    return CheckResult(name, tuple(_of_agreement(name, study, limits, *each) for each in together))


def _of_agreement(
    name: str,
    study: StudyResponses,
    limits: CarelessnessLimits,
    annotator: int,
    found: Correlation,
    items: int,
    typical: float,
) -> CheckFinding:
    who = study.sheets[annotator].annotator
    if found.reason:
        return CheckFinding.unknown(who, name, found.reason)
    if items < limits.least_judgements:
        return CheckFinding.unknown(who, name, f"has only {items} items in common with others", found.rho)
    flagged = found.rho < min(typical, limits.agreement * typical)
    others = "" if math.isnan(typical) else f"; the others' correlation is {typical:.2f}"
    sentence = f"{who} correlates with the mean of the others at ρ = {found.rho:.2f} on {items} items{others}."
    evidence = _farthest(study, annotator, limits.evidence if flagged else 0)
    return CheckFinding(who, name, found.rho, typical, flagged, sentence, evidence)


RESPONSE_CHECKS: tuple[ResponseCheck, ...] = (
    check_runs,
    check_entropy,
    check_speed,
    check_controls,
    check_repeats,
    check_triangles,
    check_agreement,
)
"""What is checked, in this order."""
