"""The checks of care: each a function that says of every annotator what it found."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from polyseme.agreement._ranks import Correlation, spearman
from polyseme.agreement.carelessness import Check, Checked, Evidence, Finding, Limits, Sheet, Study, usual
from polyseme.agreement.scale_use import Distribution
from polyseme.agreement.triangles import Metricity, Triple, triangles
from polyseme.arrays import Floats, Ints
from polyseme.rating import Item, Rating, Ratings


def _number(value: float) -> str:
    return "undecided" if math.isnan(value) else f"{value:.2f}".rstrip("0").rstrip(".")


def _of_others(mean: float) -> str:
    return "nobody else judged it" if math.isnan(mean) else f"the others' mean is {_number(mean)}"


# -- runs of one value -----------------------------------------------------------------------------------------------


class _Run(NamedTuple):
    """Judgements one after the other with the same value, and how often chance would give such a run."""

    start: int
    length: int
    value: float
    chance: float


def runs(study: Study, limits: Limits) -> Checked:
    """Straight-lining: a run of one value that is long for how often the annotator uses it, and not what others said.

    The chance of a run of r in n judgements is at most n·pʳ, p being the share of the value in the annotator's other
    judgements; and n·Π qᵢ, qᵢ being the share of the others who gave it to the i-th item of the run, drawn a little
    towards their share of the value over all items. Both must be small: else someone who uses 1 a lot would be flagged,
    and whoever came upon a lemma that is the same throughout. Someone who *always* gives one value is found by
    :func:`few_values`.
    """
    name = "runs of one value"
    if not any(sheet.ordered for sheet in study.sheets):
        return Checked(name, (), "neither the places nor the times at which items were shown are recorded")
    found = [_worst_run(study, place, limits) if sheet.ordered else None for place, sheet in enumerate(study.sheets)]
    longest = [math.nan if run is None else float(run.length) for run in found]
    together = zip(study.sheets, found, usual(longest), strict=True)
    return Checked(name, tuple(_of_run(name, study, limits, *each) for each in together))


def _of_run(name: str, study: Study, limits: Limits, sheet: Sheet, run: _Run | None, typical: float) -> Finding:
    who = sheet.annotator
    if run is None:
        return Finding.unknown(who, name, "the order in which the items were shown is not recorded")
    flagged = run.length >= limits.run_length and run.chance < limits.run_chance
    others = "" if math.isnan(typical) else f"; the others' longest runs are of {typical:g}"
    unlikely = f", which chance gives in {_rarely(run.chance)}" if flagged else ""
    sentence = f"{who} gave {_number(run.value)} to {run.length} items in a row{unlikely}{others}."
    rows = sheet.rows[run.start : run.start + (limits.evidence if flagged else 0)]
    evidence = tuple(_beside_others(study, row) for row in rows)
    return Finding(who, name, float(run.length), typical, flagged, sentence, evidence)


def _rarely(chance: float) -> str:
    return f"one case in {1 / chance:,.0f} at most" if chance > 1e-6 else "less than one case in a million"


def _beside_others(study: Study, row: Rating) -> Evidence:
    mean = study.mean_of_others(row.item, row.annotator)
    return Evidence(row.item, row.value, mean, f"gave {_number(row.value)}; {_of_others(mean)}")


def _worst_run(study: Study, annotator: int, limits: Limits) -> _Run:
    """The least likely run; where none is long enough to look at, the longest."""
    sheet = study.sheets[annotator]
    values = np.array([row.value for row in sheet.rows])
    starts = np.flatnonzero(np.append(True, values[1:] != values[:-1]))
    lengths = np.diff(np.append(starts, len(values)))
    long = np.flatnonzero(lengths >= limits.run_length)
    if not len(long):
        place = int(lengths.argmax())
        return _Run(int(starts[place]), int(lengths[place]), float(values[starts[place]]), 1.0)
    own = np.full(len(study.found.items), -1, np.intp)
    items, level = study.own(annotator)
    own[items] = level
    tried = [_weighed(study, annotator, own, values, int(starts[place]), int(lengths[place])) for place in long]
    return min(tried, key=lambda run: (run.chance, -run.length))


def _weighed(study: Study, annotator: int, own: Ints, values: Floats, start: int, length: int) -> _Run:
    """A run, and the larger of the two chances."""
    value = float(values[start])
    elsewhere = len(values) - length
    # As if two more judgements had been made, one of them of this value.
    by_own = length * math.log((int((values == value).sum()) - length + 1) / (elsewhere + 2)) if elsewhere else 0.0
    rows = study.sheets[annotator].rows[start : start + length]
    places = np.array([study.number[row.item] for row in rows], np.intp)
    level = int(np.searchsorted(study.found.levels, value))
    by_others = float(np.log(_shares(study, annotator, own, places, level)).sum())
    return _Run(start, length, value, min(1.0, len(values) * math.exp(min(0.0, max(by_own, by_others)))))


def _shares(study: Study, annotator: int, own: Ints, places: Ints, level: int) -> Floats:
    """The share of the others who gave a value to each item, with two more who answer like all others on the whole."""
    of_all = study.used.sum(0) - study.used[annotator]
    usually = (of_all[level] + 0.5) / (of_all.sum() + 0.5 * len(of_all))
    here = study.counts[places].astype(float)
    mine = own[places]
    decided = np.flatnonzero(mine >= 0)
    here[decided, mine[decided]] -= 1
    return np.asarray((here[:, level] + 2 * usually) / (here.sum(1) + 2))


# -- few values ------------------------------------------------------------------------------------------------------


def few_values(study: Study, limits: Limits) -> Checked:
    """Straight-lining throughout: far less entropy than in what the others said of the same items."""
    name = "few values"
    if len(study.sheets) < 2:
        return Checked(name, (), "there is only one annotator")
    return Checked(name, tuple(_of_values(name, study, limits, place) for place in range(len(study.sheets))))


def _of_values(name: str, study: Study, limits: Limits, annotator: int) -> Finding:
    sheet, values = study.sheets[annotator], tuple(study.found.levels.tolist())
    items, _ = study.own(annotator)
    own = study.used[annotator]
    mine = Distribution(sheet.annotator, values, tuple(own.tolist()))
    theirs = Distribution("others", values, tuple((study.counts[items].sum(0) - own).tolist()))
    if mine.total < limits.least_judgements:
        few = f"{mine.total} judgements are too few to say how the scale is used"
        return Finding.unknown(sheet.annotator, name, few, mine.entropy)
    if not theirs.total:
        return Finding.unknown(sheet.annotator, name, "nobody else judged the same items", mine.entropy)
    top = int(own.argmax())
    flagged = mine.entropy < limits.entropy * theirs.entropy
    sentence = (
        f"{sheet.annotator} gave {_number(values[top])} to {mine.shares[top]:.0%} of {mine.total} items:"
        f" {mine.entropy:.2f} bits, where the others have {theirs.entropy:.2f} on the same items."
    )
    evidence = _farthest(study, annotator, limits.evidence if flagged else 0)
    return Finding(sheet.annotator, name, mine.entropy, theirs.entropy, flagged, sentence, evidence)


def _farthest(study: Study, annotator: int, how_many: int) -> tuple[Evidence, ...]:
    """The items on which an annotator is farthest from the mean of the others."""
    if not how_many:
        return ()
    items, own, others = _beside_mean(study, annotator)
    rows = np.argsort(-np.abs(own - others), kind="stable")[:how_many]
    return tuple(
        Evidence(study.found.items[items[row]], float(own[row]), float(others[row]), _words(own[row], others[row]))
        for row in rows.tolist()
    )


def _words(own: float, others: float) -> str:
    return f"gave {_number(own)}; {_of_others(others)}"


def _beside_mean(study: Study, annotator: int) -> tuple[list[int], Floats, Floats]:
    """The items that others decided too, the annotator's values, and the means of the others."""
    items, level = study.own(annotator)
    own = study.found.levels[level]
    judged = study.found.judged[items]
    both = judged > 1
    others = (study.found.means[items[both]] * judged[both] - own[both]) / (judged[both] - 1)
    return items[both].tolist(), own[both], others


# -- speed -----------------------------------------------------------------------------------------------------------


def speed(study: Study, limits: Limits) -> Checked:
    """Answers that come far faster than the others', or faster than anyone can read."""
    name = "speed"
    times = [
        np.array([row.milliseconds for row in sheet.rows if row.milliseconds is not None]) for sheet in study.sheets
    ]
    if not any(len(each) for each in times):
        return Checked(name, (), "how long answers took is not recorded")
    medians = [float(np.median(each)) if len(each) else math.nan for each in times]
    together = zip(study.sheets, times, medians, usual(medians), strict=True)
    return Checked(name, tuple(_of_speed(name, limits, *each) for each in together))


def _of_speed(name: str, limits: Limits, sheet: Sheet, times: Floats, median: float, typical: float) -> Finding:
    if len(times) < limits.least:
        return Finding.unknown(sheet.annotator, name, f"only {len(times)} answers have their time recorded", median)
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
        Evidence(row.item, row.value, math.nan, f"gave {_number(row.value)} after {row.milliseconds} ms")
        for row in fastest
    )
    return Finding(sheet.annotator, name, median, typical, flagged, sentence, evidence)


# -- control items and repeats ---------------------------------------------------------------------------------------


def controls(study: Study, limits: Limits) -> Checked:
    """Control items that are not answered as expected; an answer of "cannot decide" is not counted."""
    name = "control items"
    if not any(sheet.controls for sheet in study.sheets):
        return Checked(name, (), "there are no control items")
    if study.expected is None:
        return Checked(name, (), "nothing says which answers to the control items are expected")
    answers = [_compared(sheet.controls, study.expected, "{} was expected") for sheet in study.sheets]
    shares = [_share_within(of_one, limits.control_tolerance) for of_one in answers]
    together = zip(study.sheets, answers, shares, usual(shares), strict=True)
    return Checked(name, tuple(_of_controls(name, limits, *each) for each in together))


def _compared(rows: Iterable[Rating], against: Mapping[Item, float], words: str) -> list[Evidence]:
    """The decided answers to items for which there is something to compare them with."""
    return [
        Evidence(row.item, row.value, value, f"gave {_number(row.value)}, where {words.format(_number(value))}")
        for row in rows
        if not math.isnan(row.value) and not math.isnan(value := against.get(row.item, math.nan))
    ]


def _share_within(answers: Sequence[Evidence], tolerance: float) -> float:
    if not answers:
        return math.nan
    return sum(abs(each.value - each.against) <= tolerance for each in answers) / len(answers)


def _worst(answers: Sequence[Evidence], how_many: int) -> tuple[Evidence, ...]:
    return tuple(sorted(answers, key=lambda each: -abs(each.value - each.against))[:how_many])


def _of_controls(
    name: str, limits: Limits, sheet: Sheet, answers: Sequence[Evidence], share: float, typical: float
) -> Finding:
    if len(answers) < limits.least:
        return Finding.unknown(sheet.annotator, name, f"answered only {len(answers)} control items", share)
    flagged = share < limits.control_share
    others = "" if math.isnan(typical) else f"; the others do so in {typical:.0%}"
    sentence = (
        f"{sheet.annotator} answered {share:.0%} of {len(answers)} control items within {limits.control_tolerance:g} of"
        f" what was expected{others}."
    )
    evidence = _worst(answers, limits.evidence if flagged else 0)
    return Finding(sheet.annotator, name, share, typical, flagged, sentence, evidence)


def _like_chance(figure: float, chance: float, ratios: float, limit: float) -> bool:
    """Whether a figure is so near to what chance gives, and nearer to it than to the others' share of chance."""
    return figure > chance * max(limit, 0.0 if math.isnan(ratios) else (1 + ratios) / 2) and chance > 0


def _ratio(figure: float, chance: float) -> float:
    return figure / chance if chance > 0 else math.nan


def repeats(study: Study, limits: Limits) -> Checked:
    """Hidden repeats that are answered otherwise than the first time, about as far off as if at random."""
    name = "repeats"
    if not any(sheet.repeats for sheet in study.sheets):
        return Checked(name, (), "there are no hidden repeats")
    answers = [_repeated(sheet) for sheet in study.sheets]
    means = [_mean_difference(of_one) for of_one in answers]
    chances = [_random_difference(study, place) for place in range(len(answers))]
    ratios = usual(list(map(_ratio, means, chances)))
    together = zip(study.sheets, answers, means, usual(means), chances, ratios, strict=True)
    return Checked(name, tuple(_of_repeats(name, limits, *each) for each in together))


def _mean_difference(answers: Sequence[Evidence]) -> float:
    return math.fsum(abs(each.value - each.against) for each in answers) / len(answers) if answers else math.nan


def _random_difference(study: Study, annotator: int) -> float:
    """The mean difference of two answers that have nothing to do with one another."""
    values, used = study.found.levels, study.used[annotator]
    share = used / max(1, used.sum())
    return float(share @ np.abs(np.subtract.outer(values, values)) @ share)


def _repeated(sheet: Sheet) -> list[Evidence]:
    """The repeats beside the first answers to the same items."""
    first: dict[Item, float] = {}
    for row in sheet.rows:
        first.setdefault(row.item, row.value)
    return _compared(sheet.repeats, first, "{} was given the first time")


def _of_repeats(
    name: str,
    limits: Limits,
    sheet: Sheet,
    answers: Sequence[Evidence],
    mean: float,
    typical: float,
    chance: float,
    ratios: float,
) -> Finding:
    who = sheet.annotator
    if len(answers) < limits.least:
        return Finding.unknown(who, name, f"judged only {len(answers)} items a second time", mean)
    flagged = _like_chance(mean, chance, ratios, limits.repeats)
    others = "" if math.isnan(typical) else f" the others' {typical:.2f},"
    sentence = (
        f"{who} gave the same answer to {_share_within(answers, 0):.0%} of {len(answers)} repeats; the mean difference"
        f" is {mean:.2f},{others} that of two random answers {chance:.2f}."
    )
    evidence = _worst(answers, limits.evidence if flagged else 0)
    return Finding(who, name, mean, typical, flagged, sentence, evidence)


# -- triangles and agreement -----------------------------------------------------------------------------------------


def impossible_triangles(study: Study, limits: Limits) -> Checked:
    """Triples of usages of which two pairs are close and the third is far: as many as if dealt out at random."""
    name = "triangles"
    if not study.found.items or study.found.items[0].task != "Usim":
        return Checked(name, (), "only judgements of pairs of usages (Usim) have triangles")
    of_study = Ratings(row for row in study.ratings if not row.role)
    found = triangles(of_study, study.scale, -(-limits.evidence // 3)).annotators
    missed = [1 - each.share for each in found]
    ratios = usual([_ratio(1 - each.share, 1 - each.chance) for each in found])
    together = zip(found, usual(missed), ratios, strict=True)
    return Checked(name, tuple(_of_triangles(name, limits, *each) for each in together))


def _of_triangles(name: str, limits: Limits, found: Metricity, typical: float, ratios: float) -> Finding:
    missed = 1 - found.share
    if found.triples < limits.least_judgements:
        few = f"only {found.triples} triples of usages have ratings for all three pairs"
        return Finding.unknown(found.name, name, few, missed)
    flagged = _like_chance(missed, 1 - found.chance, ratios, limits.triangles)
    others = "" if math.isnan(typical) else f", of the others' {typical:.1%}"
    sentence = (
        f"{missed:.1%} of {found.name}'s {found.triples} triples miss the triangle inequality{others}; the same ratings"
        f" dealt out at random would miss it in {1 - found.chance:.1%}."
    )
    evidence = tuple(each for triple in found.worst if flagged for each in _sides(triple))
    return Finding(found.name, name, missed, typical, flagged, sentence, evidence)


def _sides(triple: Triple) -> Iterator[Evidence]:
    """The three pairs of a triple."""
    one, middle, two = triple.usages
    for first, second, rating in zip((one, middle, one), (middle, two, two), triple.ratings, strict=True):
        usage, target = sorted((first, second))
        words = f"gave {_number(rating)}; {one}, {middle} and {two} miss the inequality by {_number(triple.amount)}"
        yield Evidence(Item("Usim", triple.lemma, usage, target), rating, math.nan, words)


def agreement(study: Study, limits: Limits) -> Checked:
    """Spearman's ρ with the mean of the others, far below that of the others. Of two annotators neither is flagged."""
    name = "agreement with others"
    if len(study.sheets) < 2:
        return Checked(name, (), "there is only one annotator")
    columns = [_beside_mean(study, place) for place in range(len(study.sheets))]
    found = [
        spearman(own, others, (sheet.annotator, "the mean of the others"))
        for sheet, (_, own, others) in zip(study.sheets, columns, strict=True)
    ]
    shared = [len(items) for items, _, _ in columns]
    together = zip(range(len(found)), found, shared, usual([each.rho for each in found]), strict=True)
    return Checked(name, tuple(_of_agreement(name, study, limits, *each) for each in together))


def _of_agreement(
    name: str, study: Study, limits: Limits, annotator: int, found: Correlation, items: int, typical: float
) -> Finding:
    who = study.sheets[annotator].annotator
    if found.reason:
        return Finding.unknown(who, name, found.reason)
    if items < limits.least_judgements:
        return Finding.unknown(who, name, f"has only {items} items in common with others", found.rho)
    flagged = found.rho < min(typical, limits.agreement * typical)
    others = "" if math.isnan(typical) else f"; the others' correlation is {typical:.2f}"
    sentence = f"{who} correlates with the mean of the others at ρ = {found.rho:.2f} on {items} items{others}."
    evidence = _farthest(study, annotator, limits.evidence if flagged else 0)
    return Finding(who, name, found.rho, typical, flagged, sentence, evidence)


CHECKS: tuple[Check, ...] = (runs, few_values, speed, controls, repeats, impossible_triangles, agreement)
"""What is checked, in this order."""
