"""Annotators who may have been careless, with the evidence: a reason to look, never to throw away what they said."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np

from polyseme.agreement.judgements import Judgements, collect_judgements
from polyseme.agreement.scale_use import count_values
from polyseme.arrays import Ints, count_at
from polyseme.rating import WSSIM, Item, Rating, Ratings, Scale


@dataclass(frozen=True)
class CarelessnessLimits:
    """From where on an annotator is flagged.

    With the defaults and all seven checks, in simulated studies 3 of 600 honest annotators were flagged for anything,
    and all 100 who clicked at random, always alike, or gave up; where the noise of honest answers has a standard
    deviation of 1.1 on a scale of five, one honest annotator in ten was. (tests/agreement/test_carelessness.py)
    """

    run_length: int = 10
    """Runs of one value that are shorter than this are never looked at."""
    run_chance: float = 0.001
    """How unlikely a run must be, given how often the annotator uses the value, and given what others said."""
    entropy: float = 0.4
    """Of the entropy of what others said of the same items, how little is suspicious."""
    speed: float = 0.4
    """Of the others' median time, how little is suspicious."""
    quick: int = 500
    """Milliseconds in which nobody reads an item."""
    quick_share: float = 0.2
    """What share of answers may be given so quickly."""
    control_tolerance: float = 1.0
    """How far an answer to a control item may lie from the expected one."""
    control_share: float = 0.6
    """What share of control items must be answered so."""
    repeats: float = 0.75
    """How far apart first and second answers may be, of what two random answers would be; those nearer to what is
    usual among the others than to chance are never flagged."""
    triangles: float = 0.6
    """How many triples may miss the triangle inequality, of what the same ratings dealt out at random would miss; as
    with repeats, who is nearer to the others than to chance is never flagged."""
    agreement: float = 0.5
    """Of the others' median correlation with the mean of the rest, how little is suspicious."""
    least: int = 5
    """From fewer control items or repeats nothing follows."""
    least_judgements: int = 20
    """From fewer judgements or triples nothing follows."""
    evidence: int = 5
    """How many items are shown for each finding."""


class CheckEvidence(NamedTuple):
    """An item that an annotator judged, the value given, and what it is to be compared with."""

    item: Item
    value: float
    against: float
    words: str


class CheckFinding(NamedTuple):
    """What a check says of an annotator: a figure, what is usual, and whether that is a reason to look closer.

    Where the figure is not a number, or could not be held against anything, the reason says why.
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
        """Nothing can be said of this annotator, and why."""
        return cls(annotator, check, figure, math.nan, False, f"{annotator}: {reason}.", (), reason)


class CheckResult(NamedTuple):
    """What a check says of each annotator; or why it says nothing of any."""

    check: str
    findings: tuple[CheckFinding, ...]
    reason: str = ""


@dataclass(frozen=True)
class CarelessnessReport:
    """What all checks found."""

    checks: tuple[CheckResult, ...]

    @property
    def findings(self) -> tuple[CheckFinding, ...]:
        """What every check says of every annotator, flagged or not."""
        return tuple(finding for check in self.checks for finding in check.findings)

    @property
    def flags(self) -> tuple[CheckFinding, ...]:
        """The findings that are a reason to look closer, those of whoever has most first."""
        flagged = [finding for finding in self.findings if finding.flagged]
        count = {name: sum(each.annotator == name for each in flagged) for name in {each.annotator for each in flagged}}
        return tuple(sorted(flagged, key=lambda finding: (-count[finding.annotator], finding.annotator)))

    @property
    def not_checked(self) -> tuple[tuple[str, str], ...]:
        """The checks that could not be made, and why."""
        return tuple((check.check, check.reason) for check in self.checks if check.reason)


@dataclass(frozen=True, eq=False)
class AnnotatorResponses:
    """What one annotator did: the judgements of the study in the order shown, repeats, and control items."""

    annotator: str
    rows: tuple[Rating, ...]
    repeats: tuple[Rating, ...]
    controls: tuple[Rating, ...]
    ordered: bool

    @classmethod
    def of(cls, annotator: str, rows: Iterable[Rating]) -> AnnotatorResponses:
        """Sorted by the place at which items were shown, else by time, if all judgements of the study have it."""
        by_role: dict[str, list[Rating]] = {}
        for row in rows:
            by_role.setdefault(row.role, []).append(row)
        main, ordered = by_role.get("", []), True
        if all(row.order is not None for row in main):
            main.sort(key=lambda row: row.order or 0)
        elif all(row.time for row in main):
            main.sort(key=lambda row: row.time)
        else:
            ordered = False
        return cls(annotator, tuple(main), tuple(by_role.get("repeat", ())), tuple(by_role.get("control", ())), ordered)


@dataclass(frozen=True, eq=False)
class StudyResponses:
    """Ratings, as the checks see them: by annotator in the order shown, and as columns."""

    ratings: Ratings
    scale: Scale
    expected: Mapping[Item, float] | None
    found: Judgements
    sheets: tuple[AnnotatorResponses, ...]
    number: Mapping[Item, int] = field(repr=False)

    @cached_property
    def counts(self) -> Ints:
        """Items × levels: how many annotators gave each value."""
        width = len(self.found.levels)
        place = self.found.item * width + self.found.level
        return count_at(place, len(self.found.items) * width).reshape(len(self.found.items), width)

    @cached_property
    def used(self) -> Ints:
        """Annotators × levels: how often each gave each value."""
        return count_values(self.found, self.found.levels)

    def own(self, annotator: int) -> tuple[Ints, Ints]:
        """The items that an annotator decided, and the levels of the values given."""
        rows = np.flatnonzero(self.found.annotator == annotator)
        return self.found.item[rows], self.found.level[rows]

    def compute_mean_of_others(self, item: Item, annotator: str) -> float:
        """What the others said of an item on the mean; not a number if nobody else decided it."""
        if (place := self.number.get(item)) is None:
            return math.nan
        rows = slice(*np.searchsorted(self.found.item, [place, place + 1]))
        others = self.found.annotator[rows] != self.found.annotators.index(annotator)
        values = self.found.value[rows][others]
        return float(values.mean()) if len(values) else math.nan


ResponseCheck = Callable[[StudyResponses, CarelessnessLimits], CheckResult]


def check_responses(
    ratings: Ratings,
    scale: Scale = WSSIM,
    expected: Mapping[Item, float] | Ratings | None = None,
    limits: CarelessnessLimits | None = None,
    checks: Sequence[ResponseCheck] | None = None,
) -> CarelessnessReport:
    """Hold every annotator against the others, against chance, and against what they said themselves.

    Seven checks: runs of one value in the order shown; few values used; speed; control items, for which ``expected``
    has the values; hidden repeats; triples of usages that miss the triangle inequality (Erk, McCarthy & Gaylord 2013,
    §4.3); correlation with the mean of the others. An honest annotator can be flagged, by chance or for an opinion of
    their own: the evidence is there to be read.

    >>> rows = [Rating("ann", "WSsim", "win.v", str(n), "s", 3, order=n) for n in range(40)]
    >>> rows += [Rating("bob", "WSsim", "win.v", str(n), "s", 1 + n % 5, order=n) for n in range(40)]
    >>> print(check_responses(Ratings(rows)).flags[0].sentence)
    ann gave 3 to 100% of 40 items: 0.00 bits, where the others have 2.32 on the same items.
    """
    from polyseme.agreement.response_checks import RESPONSE_CHECKS

    turned = Ratings(map(order_usage_pair, ratings))
    found = collect_judgements(turned)
    rows: dict[str, list[Rating]] = {name: [] for name in found.annotators}
    for row in turned:
        rows.setdefault(row.annotator, []).append(row)
    sheets = tuple(AnnotatorResponses.of(name, of_one) for name, of_one in rows.items() if name in found.annotators)
    number = {item: place for place, item in enumerate(found.items)}
    study = StudyResponses(turned, scale, _mean_expected_values(expected), found, sheets, number)
    return CarelessnessReport(
        tuple(check(study, limits or CarelessnessLimits()) for check in (RESPONSE_CHECKS if checks is None else checks))
    )


def order_usage_pair(row: Rating) -> Rating:
    """A pair of usages is the same item in either order."""
    return row if row.task != "Usim" or row.usage <= row.target else row._replace(usage=row.target, target=row.usage)


def _mean_expected_values(given: Mapping[Item, float] | Ratings | None) -> dict[Item, float] | None:
    """The expected value of each control item; of several given, the mean."""
    if given is None:
        return None
    if not isinstance(given, Ratings):
        given = Ratings(Rating("", *item, value) for item, value in given.items())
    said: dict[Item, list[float]] = {}
    for row in map(order_usage_pair, given):
        said.setdefault(row.item, []).append(row.value)
    return {item: math.fsum(values) / len(values) for item, values in said.items()}


def medians_of_others(figures: Sequence[float]) -> list[float]:
    """For each of several figures the median of the others; not a number if there is no other.

    >>> medians_of_others([1, 2, 9])
    [5.5, 5.0, 1.5]
    """
    made = []
    for place in range(len(figures)):
        others = [figure for other, figure in enumerate(figures) if other != place and not math.isnan(figure)]
        made.append(float(np.median(others)) if others else math.nan)
    return made
