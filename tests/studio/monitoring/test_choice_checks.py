"""Attention checks where annotators choose."""

import pytest

pytest.importorskip("sqlalchemy", reason="the studio needs polyseme[annotate]")

from polyseme.agreement.careless_responding import check_responses
from polyseme.rating import CHOICE, Item, Rating, Ratings
from polyseme.studio.monitoring.choice_checks import CHOICE_CHECKS


def choose(who: str, usage: int, target: str, role: str = "") -> Rating:
    """A choice."""
    return Rating(who, "WSbest", "win.v", f"win.v.{usage}", target, 1, role=role, order=usage, milliseconds=3000)


def test_annotators_with_other_choices_are_flagged() -> None:
    right = {Item("WSbest", "win.v", f"win.v.{usage}", "a"): 1.0 for usage in range(20, 26)}
    rows = [choose(who, usage, "a") for who in ("ann", "eve") for usage in range(6)]
    rows += [choose("ann", usage, "a", "control") for usage in range(20, 26)]
    rows += [choose("eve", usage, "b" if usage < 24 else "a", "control") for usage in range(20, 26)]
    rows += [choose("ann", usage, "a", "repeat") for usage in range(6)]
    rows += [choose("eve", usage, target, "repeat") for usage in range(6) for target in "ab"]
    report = check_responses(Ratings(rows), CHOICE, right, checks=CHOICE_CHECKS)
    assert [(each.check, each.annotator, round(each.figure, 2)) for each in report.flags] == [
        ("control items", "eve", 0.33),
        ("repeats", "eve", 0.0),
    ]
    controls, repeats = report.flags
    assert controls.sentence == "eve answered 33% of 6 control items as expected; the median of the others is 100%."
    assert controls.evidence[0].words == "chose b; expected a"
    assert repeats.evidence[0].words == "chose a, b; first a"


def test_few_answers_are_not_flagged() -> None:
    rows = [choose("ann", 1, "a"), choose("ann", 1, "b", "repeat")]
    report = check_responses(Ratings(rows), CHOICE, {}, checks=CHOICE_CHECKS)
    assert not report.flags
    assert ("control items", "there are no control items") in report.not_checked
    (finding,) = (each for each in report.findings if each.check == "repeats")
    assert finding.reason == "too few repeats to compare: 1"
