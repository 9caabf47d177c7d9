"""Checks of care for tasks in which annotators choose: whole answers are compared, as sets of what was chosen."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

from polyseme.agreement.careless_checks import speed
from polyseme.agreement.carelessness import Check, Checked, Evidence, Finding, Limits, Sheet, Study, usual
from polyseme.rating import Item, Rating

Usages = Mapping[Item, frozenset[str]]
"""A usage, as an item without target → what was chosen."""


def _chosen(rows: Iterable[Rating]) -> Usages:
    found: dict[Item, set[str]] = {}
    for row in rows:
        if row.value != 0:
            found.setdefault(row.item._replace(target=""), set()).add(row.target)
    return {usage: frozenset(targets) for usage, targets in found.items()}


def _words(chosen: frozenset[str]) -> str:
    return ", ".join(sorted(chosen)) or "nothing"


def _differing(answers: Usages, against: Usages, words: str) -> tuple[Evidence, ...]:
    return tuple(
        Evidence(usage, math.nan, math.nan, f"chose {_words(chosen)}, where {words.format(_words(against[usage]))}")
        for usage, chosen in answers.items()
        if usage in against and chosen != against[usage]
    )


def controls(study: Study, limits: Limits) -> Checked:
    """Control items for which something else was chosen than expected."""
    name = "control items"
    if not any(sheet.controls for sheet in study.sheets):
        return Checked(name, (), "there are no control items")
    right = _chosen(Rating("", *item, value) for item, value in (study.expected or {}).items())
    sheets = [(sheet, _chosen(sheet.controls), right) for sheet in study.sheets]
    return _checked(name, sheets, limits, limits.control_share, "{} was expected", "control items as expected")


def repeats(study: Study, limits: Limits) -> Checked:
    """Hidden repeats for which something else was chosen than the first time."""
    name = "repeats"
    if not any(sheet.repeats for sheet in study.sheets):
        return Checked(name, (), "there are no hidden repeats")
    sheets = [(sheet, _chosen(sheet.repeats), _chosen(sheet.rows)) for sheet in study.sheets]
    return _checked(name, sheets, limits, 1 - limits.repeats, "{} was the first time", "repeats as the first time")


def _checked(
    name: str, sheets: list[tuple[Sheet, Usages, Usages]], limits: Limits, least: float, words: str, what: str
) -> Checked:
    compared = [sum(usage in against for usage in answers) for _, answers, against in sheets]
    differing = [_differing(answers, against, words) for _, answers, against in sheets]
    shares = [1 - len(some) / count if count else math.nan for some, count in zip(differing, compared, strict=True)]
    findings = []
    for (sheet, _, _), count, some, share, typical in zip(
        sheets, compared, differing, shares, usual(shares), strict=True
    ):
        if count < limits.least:
            findings.append(Finding.unknown(sheet.annotator, name, f"only {count} {name} can be compared", share))
            continue
        flagged = share < least
        others = "" if math.isnan(typical) else f"; the others do so in {typical:.0%}"
        sentence = f"{sheet.annotator} answered {share:.0%} of {count} {what}{others}."
        evidence = some[: limits.evidence if flagged else 0]
        findings.append(Finding(sheet.annotator, name, share, typical, flagged, sentence, evidence))
    return Checked(name, tuple(findings))


CHOICE_CHECKS: tuple[Check, ...] = (speed, controls, repeats)
"""What is checked where annotators choose: a run of one value says nothing there."""
