"""Attention checks for choice tasks: they compare whole answers, as sets of choices."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from polyseme.agreement.careless_responding import (
    CarelessnessLimits,
    CheckEvidence,
    CheckFinding,
    CheckResult,
    ResponseCheck,
    StudyResponses,
    medians_of_others,
)
from polyseme.agreement.grouping import group_by
from polyseme.agreement.response_checks import check_speed
from polyseme.rating import Item, Rating

ChoicesByUsage = Mapping[Item, frozenset[str]]
"""A usage, as an item without target → the chosen targets."""


class _Comparison(NamedTuple):
    """The number of answers of an annotator that can be compared, and those that differ."""

    annotator: str
    size: int
    differences: tuple[CheckEvidence, ...]

    @property
    def share(self) -> float:
        """The share of equal answers; NaN if there are none to compare."""
        return 1 - len(self.differences) / self.size if self.size else math.nan


def check_control_choices(study: StudyResponses, limits: CarelessnessLimits) -> CheckResult:
    """Check for control items with other choices than expected."""
    right = _collect_choices(Rating("", *item, value) for item, value in (study.expected or {}).items())
    comparisons = [_compare(sheet.annotator, sheet.controls, right, "expected {}") for sheet in study.sheets]
    if not any(sheet.controls for sheet in study.sheets):
        return CheckResult("control items", (), "there are no control items")
    return _check_choices("control items", "as expected", comparisons, limits.control_share, limits)


def check_repeated_choices(study: StudyResponses, limits: CarelessnessLimits) -> CheckResult:
    """Check for hidden repeats with a different choice from the first one."""
    comparisons = [
        _compare(sheet.annotator, sheet.repeats, _collect_choices(sheet.rows), "first {}") for sheet in study.sheets
    ]
    if not any(sheet.repeats for sheet in study.sheets):
        return CheckResult("repeats", (), "there are no hidden repeats")
    return _check_choices("repeats", "as at first", comparisons, 1 - limits.repeats, limits)


def _collect_choices(ratings: Iterable[Rating]) -> ChoicesByUsage:
    chosen = group_by((rating for rating in ratings if rating.value != 0), lambda row: row.item._replace(target=""))
    return {usage: frozenset(rating.target for rating in rows) for usage, rows in chosen.items()}


def _compare(annotator: str, ratings: Iterable[Rating], reference: ChoicesByUsage, words: str) -> _Comparison:
    """Compare the choices of an annotator with reference choices, which ``words`` describe."""
    choices = {usage: chosen for usage, chosen in _collect_choices(ratings).items() if usage in reference}
    differences = []
    for usage, chosen in choices.items():
        if chosen != reference[usage]:
            sentence = f"chose {_describe(chosen)}; {words.format(_describe(reference[usage]))}"
            differences.append(CheckEvidence(usage, math.nan, math.nan, sentence))
    return _Comparison(annotator, len(choices), tuple(differences))


def _describe(chosen: frozenset[str]) -> str:
    return ", ".join(sorted(chosen)) or "nothing"


def _check_choices(
    name: str, manner: str, comparisons: list[_Comparison], minimum: float, limits: CarelessnessLimits
) -> CheckResult:
    """Flag annotators whose share of equal answers is below a minimum."""
    findings = []
    medians = medians_of_others([comparison.share for comparison in comparisons])
    for comparison, median in zip(comparisons, medians, strict=True):
        annotator, count, differences = comparison
        share = comparison.share
        if count < limits.least:
            findings.append(CheckFinding.unknown(annotator, name, f"too few {name} to compare: {count}", share))
            continue
        others = "" if math.isnan(median) else f"; the median of the others is {median:.0%}"
        sentence = f"{annotator} answered {share:.0%} of {count} {name} {manner}{others}."
        evidence = differences[: limits.evidence] if share < minimum else ()
        findings.append(CheckFinding(annotator, name, share, median, share < minimum, sentence, evidence))
    return CheckResult(name, tuple(findings))


CHOICE_CHECKS: tuple[ResponseCheck, ...] = (check_speed, check_control_choices, check_repeated_choices)
"""The checks for choice tasks, in which runs of one value mean nothing."""
