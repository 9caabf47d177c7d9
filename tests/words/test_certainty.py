"""How sure a portrait is."""

import pytest

from polyseme.words.certainty import measure_certainty
from word_profiles import planted, portrait, usage

USAGES = [usage(number, f"the {{}} {number}") for number in range(40)]
HALVES = [(1.0, 0.0)] * 20 + [(0.0, 1.0)] * 20


def test_the_same_senses_under_other_names() -> None:
    other = [(0.0, 1.0)] * 20 + [(1.0, 0.0)] * 20
    found = measure_certainty([portrait(HALVES, USAGES), portrait(other, USAGES)])
    assert found is not None
    assert found.runs == 2
    assert found.agreement == pytest.approx(1.0)
    assert found.graded == pytest.approx(1.0)
    assert found.senses == pytest.approx((1.0, 1.0))
    assert found.shuffled < 0.8
    assert found.one < 0.8
    assert found.words == "The runs find almost the same senses."


def test_runs_that_have_nothing_to_do_with_each_other() -> None:
    turns = [(1.0, 0.0), (0.0, 1.0)] * 20
    found = measure_certainty([portrait(HALVES, USAGES), portrait(turns, USAGES)])
    assert found is not None
    assert found.agreement == pytest.approx(0.0, abs=0.05)
    assert found.words.startswith("The runs hardly agree")
    assert found.senses == pytest.approx((1 / 3, 1 / 3))


def test_one_run_says_nothing() -> None:
    assert measure_certainty([planted()]) is None
    assert measure_certainty([]) is None


def test_runs_that_happen_to_be_the_same_agree() -> None:
    found = measure_certainty([portrait(HALVES, USAGES), portrait(HALVES, USAGES), portrait(HALVES, USAGES)])
    assert found is not None
    assert (found.runs, found.agreement, found.graded) == pytest.approx((3, 1.0, 1.0))
    assert found.senses == pytest.approx((1.0, 1.0))


def test_a_run_that_is_the_same_as_another_counts() -> None:
    """Of three pairs one agrees wholly, and two by chance."""
    turns = [(1.0, 0.0), (0.0, 1.0)] * 20
    found = measure_certainty([portrait(HALVES, USAGES), portrait(HALVES, USAGES), portrait(turns, USAGES)])
    assert found is not None
    assert found.runs == 3
    assert found.agreement == pytest.approx(1 / 3, abs=0.05)


def test_nothing_in_common() -> None:
    early = portrait(HALVES[:20] + [(0.0, 0.0)] * 20, USAGES)
    late = portrait([(0.0, 0.0)] * 20 + HALVES[20:], USAGES)
    assert measure_certainty([early, late]) is None


def test_of_usages_that_all_label() -> None:
    some = portrait([(0.0, 0.0)] * 10 + [(0.9, 0.1)] * 10 + [(0.2, 0.8)] * 20, USAGES)
    found = measure_certainty([portrait(HALVES, USAGES), some])
    assert found is not None
    assert found.agreement == pytest.approx(1.0)
