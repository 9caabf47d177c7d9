"""Checks of care for tasks in which annotators choose: whole answers are compared, as sets of what was chosen."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

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
from polyseme.agreement.response_checks import check_speed
from polyseme.rating import Item, Rating

ChoicesByUsage = Mapping[Item, frozenset[str]]
"""A usage, as an item without target → what was chosen."""


def _collect_choices(rows: Iterable[Rating]) -> ChoicesByUsage:
    found: dict[Item, set[str]] = {}
    for row in rows:
        if row.value != 0:
            found.setdefault(row.item._replace(target=""), set()).add(row.target)
    return {usage: frozenset(targets) for usage, targets in found.items()}


def _list_choices(chosen: frozenset[str]) -> str:
    return ", ".join(sorted(chosen)) or "nothing"


def _find_differences(answers: ChoicesByUsage, against: ChoicesByUsage, words: str) -> tuple[CheckEvidence, ...]:
    return tuple(
        CheckEvidence(
            usage,
            math.nan,
            math.nan,
            f"chose {_list_choices(chosen)}, where {words.format(_list_choices(against[usage]))}",
        )
        for usage, chosen in answers.items()
        if usage in against and chosen != against[usage]
    )


def check_control_choices(study: StudyResponses, limits: CarelessnessLimits) -> CheckResult:
    """Control items for which something else was chosen than expected."""
    name = "control items"
    if not any(sheet.controls for sheet in study.sheets):
        return CheckResult(name, (), "there are no control items")
    right = _collect_choices(Rating("", *item, value) for item, value in (study.expected or {}).items())
    sheets = [(sheet, _collect_choices(sheet.controls), right) for sheet in study.sheets]
    return _check_choices(name, sheets, limits, limits.control_share, "{} was expected", "control items as expected")


def check_repeated_choices(study: StudyResponses, limits: CarelessnessLimits) -> CheckResult:
    """Hidden repeats for which something else was chosen than the first time."""
    name = "repeats"
    if not any(sheet.repeats for sheet in study.sheets):
        return CheckResult(name, (), "there are no hidden repeats")
    sheets = [(sheet, _collect_choices(sheet.repeats), _collect_choices(sheet.rows)) for sheet in study.sheets]
    return _check_choices(
        name, sheets, limits, 1 - limits.repeats, "{} was the first time", "repeats as the first time"
    )


def _check_choices(
    name: str,
    sheets: list[tuple[AnnotatorResponses, ChoicesByUsage, ChoicesByUsage]],
    limits: CarelessnessLimits,
    least: float,
    words: str,
    what: str,
) -> CheckResult:
    compared = [sum(usage in against for usage in answers) for _, answers, against in sheets]
    differing = [_find_differences(answers, against, words) for _, answers, against in sheets]
    shares = [1 - len(some) / count if count else math.nan for some, count in zip(differing, compared, strict=True)]
    findings = []
    for (sheet, _, _), count, some, share, typical in zip(
        sheets, compared, differing, shares, medians_of_others(shares), strict=True
    ):
        if count < limits.least:
            findings.append(CheckFinding.unknown(sheet.annotator, name, f"only {count} {name} can be compared", share))
            continue
        flagged = share < least
        others = "" if math.isnan(typical) else f"; the others do so in {typical:.0%}"
        sentence = f"{sheet.annotator} answered {share:.0%} of {count} {what}{others}."
        evidence = some[: limits.evidence if flagged else 0]
        findings.append(CheckFinding(sheet.annotator, name, share, typical, flagged, sentence, evidence))
    return CheckResult(name, tuple(findings))


CHOICE_CHECKS: tuple[ResponseCheck, ...] = (check_speed, check_control_choices, check_repeated_choices)
"""What is checked where annotators choose: a run of one value says nothing there."""
