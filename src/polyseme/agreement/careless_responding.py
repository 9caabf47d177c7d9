"""Careless responding: annotators whose answers deserve a closer look, with the evidence.

A flag is a reason to look at the answers, never to discard them unread.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from polyseme.agreement.grouping import group_by
from polyseme.agreement.judgements import Judgements, collect_judgements
from polyseme.agreement.scale_use import count_values
from polyseme.arrays import Ints, count_at
from polyseme.rating import WSSIM, Item, Rating, Ratings, Scale


@dataclass(frozen=True)
class CarelessnessLimits:
    """The limits beyond which an annotator is flagged.

    With the defaults and all seven checks, in simulated studies 3 of 600 honest annotators were flagged for anything.
    All 100 who clicked at random, gave one value throughout, or gave up were flagged too. If the noise of honest
    answers has a standard deviation of 1.1 on a scale of five, one honest annotator in ten is flagged.
    (tests/agreement/test_careless_responding.py)

    Args:
        run_length: Shorter runs of one value are never flagged.
        run_chance: The probability below which a run is flagged, both by the annotator's own use of the value and by
            the answers of the others.
        entropy: Flag below this share of the entropy of the others' answers to the same items.
        speed: Flag below this share of the others' median time.
        quick: The number of milliseconds in which an item cannot be read.
        quick_share: The share of answers that may be as quick.
        control_tolerance: How far an answer to a control item may lie from the expected one.
        control_share: The share of control items that must be answered within the tolerance.
        repeats: How far apart first and second answers may be, as a share of the difference of two random answers.
            Annotators nearer to the others than to chance are never flagged.
        triangles: How many triples may violate the triangle inequality, as a share of what the same ratings would
            violate in random order. Annotators nearer to the others than to chance are never flagged.
        agreement: Flag below this share of the others' median correlation with the mean of the rest.
        least: The fewest control items or repeats to judge by.
        least_judgements: The fewest judgements or triples to judge by.
        evidence: How many items are listed for each finding.
    """

    run_length: int = 10
    run_chance: float = 0.001
    entropy: float = 0.4
    speed: float = 0.4
    quick: int = 500
    quick_share: float = 0.2
    control_tolerance: float = 1.0
    control_share: float = 0.6
    repeats: float = 0.75
    triangles: float = 0.6
    agreement: float = 0.5
    least: int = 5
    least_judgements: int = 20
    evidence: int = 5


class CheckEvidence(NamedTuple):
    """A judgement that a finding rests on.

    Args:
        item: The item.
        value: The value that the annotator gave.
        against: The value to compare it with; NaN if there is none.
        words: The comparison in words.
    """

    item: Item
    value: float
    against: float
    words: str


class CheckFinding(NamedTuple):
    """The result of one check for one annotator.

    Args:
        annotator: The annotator.
        check: The name of the check.
        figure: What the check measures; NaN if it is undefined.
        usual: The median of the other annotators; NaN if there is none.
        flagged: Whether the answers deserve a closer look.
        sentence: The finding in words.
        evidence: Judgements that show it.
        reason: Why the figure is undefined or cannot be compared.
    """

    annotator: str
    check: str
    figure: float
    usual: float
    flagged: bool
    sentence: str
    evidence: tuple[CheckEvidence, ...] = ()
    reason: str = ""

    @classmethod
    def unknown(cls, annotator: str, check: str, reason: str, figure: float = math.nan) -> CheckFinding:
        """Return a finding without a verdict, with the reason."""
        return cls(annotator, check, figure, math.nan, False, f"{annotator}: {reason}.", (), reason)


class CheckResult(NamedTuple):
    """The findings of one check.

    Args:
        check: The name of the check.
        findings: One finding for each annotator.
        reason: Why the check could not be made for any annotator.
    """

    check: str
    findings: tuple[CheckFinding, ...]
    reason: str = ""


@dataclass(frozen=True)
class CarelessnessReport:
    """The results of all checks.

    Args:
        checks: One result for each check.
    """

    checks: tuple[CheckResult, ...]

    @property
    def findings(self) -> tuple[CheckFinding, ...]:
        """The findings of every check for every annotator, flagged or not."""
        return tuple(finding for check in self.checks for finding in check.findings)

    @property
    def flags(self) -> tuple[CheckFinding, ...]:
        """The flagged findings, those of the annotators with most flags first."""
        flagged = [finding for finding in self.findings if finding.flagged]
        counts = Counter(finding.annotator for finding in flagged)
        return tuple(sorted(flagged, key=lambda finding: (-counts[finding.annotator], finding.annotator)))

    @property
    def not_checked(self) -> tuple[tuple[str, str], ...]:
        """The checks that could not be made, with the reason."""
        return tuple((result.check, result.reason) for result in self.checks if result.reason)


@dataclass(frozen=True, eq=False)
class AnnotatorResponses:
    """The answers of one annotator.

    Args:
        annotator: The annotator.
        rows: The judgements of the study, in the order of presentation if it is known.
        repeats: The answers to hidden repeats.
        controls: The answers to control items.
        ordered: Whether the order of presentation is known.
    """

    annotator: str
    rows: tuple[Rating, ...]
    repeats: tuple[Rating, ...]
    controls: tuple[Rating, ...]
    ordered: bool

    @classmethod
    def from_ratings(cls, annotator: str, ratings: Iterable[Rating]) -> AnnotatorResponses:
        """Sort ratings by the position at which items were presented or, if it is unknown, by time."""
        by_role = group_by(ratings, lambda row: row.role)
        rows, ordered = by_role.get("", []), True
        if all(row.order is not None for row in rows):
            rows.sort(key=lambda row: row.order or 0)
        elif all(row.time for row in rows):
            rows.sort(key=lambda row: row.time)
        else:
            ordered = False
        return cls(annotator, tuple(rows), tuple(by_role.get("repeat", ())), tuple(by_role.get("control", ())), ordered)


@dataclass(frozen=True, eq=False)
class StudyResponses:
    """The ratings of a study as the checks need them: by annotator, and as columns.

    Args:
        ratings: The ratings.
        scale: The scale of their values.
        expected: The expected values of control items, if they are known.
        judgements: The judgements of the ratings.
        sheets: The answers of each annotator.
    """

    ratings: Ratings
    scale: Scale
    expected: Mapping[Item, float] | None
    judgements: Judgements
    sheets: tuple[AnnotatorResponses, ...]

    @cached_property
    def item_numbers(self) -> dict[Item, int]:
        """The number of each item."""
        return {item: number for number, item in enumerate(self.judgements.items)}

    @cached_property
    def level_counts(self) -> Ints:
        """Items × levels: how many annotators gave each value."""
        shape = (len(self.judgements.items), len(self.judgements.levels))
        return count_at(self.judgements.item * shape[1] + self.judgements.level, shape[0] * shape[1]).reshape(shape)

    @cached_property
    def annotator_level_counts(self) -> Ints:
        """Annotators × levels: how often each annotator gave each value."""
        return count_values(self.judgements, self.judgements.levels)

    def decisions(self, annotator: int) -> tuple[Ints, Ints]:
        """Return the items that an annotator decided, and the levels of the values."""
        rows = np.flatnonzero(self.judgements.annotator == annotator)
        return self.judgements.item[rows], self.judgements.level[rows]

    def counts_of_others(self, annotator: int) -> Ints:
        """Return items × levels: how many other annotators gave each value."""
        counts = self.level_counts.copy()
        counts[self.decisions(annotator)] -= 1
        return counts

    def mean_of_others(self, item: Item, annotator: str) -> float:
        """Return the mean value of the others for an item; NaN if no other annotator decided it."""
        if (number := self.item_numbers.get(item)) is None:
            return math.nan
        rows = slice(*np.searchsorted(self.judgements.item, [number, number + 1]))
        others = self.judgements.annotator[rows] != self.judgements.annotators.index(annotator)
        values = self.judgements.value[rows][others]
        return float(values.mean()) if len(values) else math.nan


ResponseCheck = Callable[[StudyResponses, CarelessnessLimits], CheckResult]


def check_responses(
    ratings: Ratings,
    scale: Scale = WSSIM,
    expected: Mapping[Item, float] | Ratings | None = None,
    limits: CarelessnessLimits | None = None,
    checks: Sequence[ResponseCheck] | None = None,
) -> CarelessnessReport:
    """Compare every annotator with the others, with chance, and with their own repeated answers.

    There are seven checks:

    * runs of one value in the order of presentation
    * few values
    * speed
    * control items
    * hidden repeats
    * triples of usages that violate the triangle inequality (Erk, McCarthy & Gaylord 2013, §4.3)
    * the correlation with the mean of the others

    An honest annotator can be flagged, by chance or for a different opinion: read the evidence.

    Args:
        ratings: The ratings of one task.
        scale: The scale of their values.
        expected: The expected values of control items; if several are listed for an item, their mean.
        limits: The limits beyond which annotators are flagged.
        checks: The checks to make. Default: all seven.

    >>> rows = [Rating("ann", "WSsim", "win.v", str(n), "s", 3, order=n) for n in range(40)]
    >>> rows += [Rating("bob", "WSsim", "win.v", str(n), "s", 1 + n % 5, order=n) for n in range(40)]
    >>> print(check_responses(Ratings(rows)).flags[0].sentence)
    ann gave 3 to 100% of 40 items: 0.00 bits, where the others have 2.32 on the same items.
    """
    from polyseme.agreement.response_checks import RESPONSE_CHECKS

    ordered = Ratings(map(order_usage_pair, ratings))
    judgements = collect_judgements(ordered)
    by_annotator = group_by(ordered, lambda row: row.annotator)
    sheets = tuple(AnnotatorResponses.from_ratings(name, by_annotator[name]) for name in judgements.annotators)
    study = StudyResponses(ordered, scale, _mean_expected_values(expected), judgements, sheets)
    limits = limits or CarelessnessLimits()
    return CarelessnessReport(tuple(check(study, limits) for check in (RESPONSE_CHECKS if checks is None else checks)))


def order_usage_pair(row: Rating) -> Rating:
    """Write the two usages of a pair in one order: a pair is the same item in either."""
    return row if row.task != "Usim" or row.usage <= row.target else row._replace(usage=row.target, target=row.usage)


def _mean_expected_values(expected: Mapping[Item, float] | Ratings | None) -> dict[Item, float] | None:
    if expected is None:
        return None
    if not isinstance(expected, Ratings):
        expected = Ratings(Rating("", *item, value) for item, value in expected.items())
    rows_by_item = group_by(map(order_usage_pair, expected), lambda row: row.item)
    return {item: math.fsum(row.value for row in rows) / len(rows) for item, rows in rows_by_item.items()}


def medians_of_others(figures: Sequence[float]) -> list[float]:
    """Return, for each figure, the median of the others; NaN if there is no other.

    >>> medians_of_others([1, 2, 9])
    [5.5, 5.0, 1.5]
    """
    others = ((*figures[:number], *figures[number + 1 :]) for number in range(len(figures)))
    defined = ([figure for figure in rest if not math.isnan(figure)] for rest in others)
    return [float(np.median(rest)) if rest else math.nan for rest in defined]
