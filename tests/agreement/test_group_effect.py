"""Whether groups of annotators use a scale differently."""

import math

import numpy as np
import pytest
from scipy.stats import chi2_contingency

from polyseme.agreement.group_effect import MAX_ARRANGEMENTS, compute_chi_squares, measure_group_effect
from polyseme.rating import WSSIM, Rating, Ratings


def ratings(values: dict[str, list[float]], groups: dict[str, str]) -> Ratings:
    return Ratings(
        Rating(who, "WSsim", "a.n", f"u{number}", "s", value, group=groups[who])
        for who, ratings_of_study in values.items()
        for number, value in enumerate(ratings_of_study)
    )


def simulated(people: int, effect: float, seed: int, own: float = 0.0) -> Ratings:
    """Two groups of annotators, of which the second gives more 1s; ``own`` is how far each has a way of their own."""
    rng = np.random.default_rng(seed)
    rows = []
    for who in range(people):
        more = effect * (who % 2) + own * rng.random()
        shares = np.array([0.2 + more, 0.2, 0.2, 0.2, 0.2 + own - more + effect])
        values = rng.choice([1, 2, 3, 4, 5], 200, p=shares / shares.sum())
        rows += [
            Rating(f"p{who}", "WSsim", "a.n", f"u{n}", "s", float(value), group="ab"[who % 2])
            for n, value in enumerate(values)
        ]
    return Ratings(rows)


def test_chi_square_is_scipys() -> None:
    ratings_of_study = simulated(6, 0.1, 0)
    effect = measure_group_effect(ratings_of_study, WSSIM)
    table = np.array([each.counts for each in effect.groups])
    expected = chi2_contingency(table, correction=False)
    assert effect.chi_square == pytest.approx(expected.statistic)
    assert effect.p_if_independent == pytest.approx(expected.pvalue)
    assert (effect.arrangements, effect.exact) == (20, True)


def test_an_effect_is_found_and_many_annotators_are_sampled() -> None:
    effect = measure_group_effect(simulated(8, 0.2, 1))
    assert effect.p == effect.least_p == pytest.approx(2 / 70)
    assert "of all 70 ways to put 8 annotators into groups, 2.9% make the groups differ as much" in effect.sentence
    many = measure_group_effect(simulated(20, 0.2, 1))
    assert (many.arrangements, many.exact, many.p) == (MAX_ARRANGEMENTS, False, 1 / (MAX_ARRANGEMENTS + 1))


def test_people_who_just_differ_are_no_effect() -> None:
    """Where annotators have ways of their own, and groups make no difference, p is right and that of χ² is not."""
    effect = [measure_group_effect(simulated(8, 0.0, seed, own=1.0)) for seed in range(60)]
    assert sum(each.p <= 0.1 for each in effect) <= 12
    assert sum(each.p_if_independent <= 0.1 for each in effect) >= 40


def test_too_few_annotators_say_so() -> None:
    effect = measure_group_effect(ratings({"ann": [1, 1, 1], "bob": [5, 5, 5]}, {"ann": "x", "bob": "y"}))
    assert (effect.p, effect.least_p) == (1.0, 1.0)
    assert effect.sentence.endswith("with so few annotators p cannot be below 1.000.")


@pytest.mark.parametrize(
    "ratings_of_study, reason",
    [
        (ratings({"ann": [1, 2], "bob": [1, 5]}, {"ann": "", "bob": ""}), "all judgements are of one group"),
        (ratings({"ann": [3, 3], "bob": [3, 3]}, {"ann": "x", "bob": "y"}), "all judgements have the same value"),
        (
            Ratings(Rating("ann", "WSsim", "a.n", f"u{n}", "s", n, group="xy"[n - 1]) for n in (1, 2)),
            "ann is in several groups ('x', 'y')",
        ),
        (Ratings([]), "there are no judgements"),
    ],
)
def test_undefined(ratings_of_study: Ratings, reason: str) -> None:
    effect = measure_group_effect(ratings_of_study)
    assert math.isnan(effect.p)
    assert effect.sentence == f"No test of the groups: {reason}."


def test_three_groups() -> None:
    counts = np.array([[5.0, 1], [4, 2], [1, 5], [2, 4], [3, 3]])
    effect = compute_chi_squares(counts, np.array([[0, 0, 1, 1, 2]]), 3)[0]
    assert effect == pytest.approx(chi2_contingency([[9, 3], [3, 9], [3, 3]], correction=False).statistic)
