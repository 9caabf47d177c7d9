"""The certainty of a profile."""

import pytest

from polyseme.words.certainty import measure_certainty
from word_profiles import bank_profile, changing_profile, usage

USAGES = [usage(number, f"the {{}} {number}") for number in range(40)]
HALVES = [(1.0, 0.0)] * 20 + [(0.0, 1.0)] * 20


def test_the_same_senses_under_other_names_agree() -> None:
    other = [(0.0, 1.0)] * 20 + [(1.0, 0.0)] * 20
    certainty = measure_certainty([bank_profile(HALVES, USAGES), bank_profile(other, USAGES)])
    assert certainty is not None
    assert certainty.runs == 2
    assert certainty.agreement == pytest.approx(1.0)
    assert certainty.graded == pytest.approx(1.0)
    assert certainty.senses == pytest.approx((1.0, 1.0))
    assert certainty.shuffled < 0.8
    assert certainty.one < 0.8
    assert certainty.verdict.startswith("Certainty is high")


def test_independent_runs_do_not_agree() -> None:
    alternating = [(1.0, 0.0), (0.0, 1.0)] * 20
    certainty = measure_certainty([bank_profile(HALVES, USAGES), bank_profile(alternating, USAGES)])
    assert certainty is not None
    assert certainty.agreement == pytest.approx(0.0, abs=0.05)
    assert certainty.verdict.startswith("Certainty is very low")
    assert certainty.senses == pytest.approx((1 / 3, 1 / 3))


def test_one_run_has_no_certainty() -> None:
    assert measure_certainty([changing_profile()]) is None
    assert measure_certainty([]) is None


def test_equal_runs_agree() -> None:
    certainty = measure_certainty(
        [bank_profile(HALVES, USAGES), bank_profile(HALVES, USAGES), bank_profile(HALVES, USAGES)]
    )
    assert certainty is not None
    assert (certainty.runs, certainty.agreement, certainty.graded) == pytest.approx((3, 1.0, 1.0))
    assert certainty.senses == pytest.approx((1.0, 1.0))


def test_agreement_is_the_mean_over_pairs_of_runs() -> None:
    """Of three pairs, one agrees fully and two by chance."""
    alternating = [(1.0, 0.0), (0.0, 1.0)] * 20
    certainty = measure_certainty(
        [bank_profile(HALVES, USAGES), bank_profile(HALVES, USAGES), bank_profile(alternating, USAGES)]
    )
    assert certainty is not None
    assert certainty.runs == 3
    assert certainty.agreement == pytest.approx(1 / 3, abs=0.05)


def test_runs_without_shared_usages_have_no_certainty() -> None:
    early = bank_profile(HALVES[:20] + [(0.0, 0.0)] * 20, USAGES)
    late = bank_profile([(0.0, 0.0)] * 20 + HALVES[20:], USAGES)
    assert measure_certainty([early, late]) is None


def test_only_usages_that_all_runs_label_are_compared() -> None:
    partial = bank_profile([(0.0, 0.0)] * 10 + [(0.9, 0.1)] * 10 + [(0.2, 0.8)] * 20, USAGES)
    certainty = measure_certainty([bank_profile(HALVES, USAGES), partial])
    assert certainty is not None
    assert certainty.agreement == pytest.approx(1.0)
