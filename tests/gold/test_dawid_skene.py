"""The model of annotators who choose."""

import numpy as np
import pytest

from polyseme.agreement.judgements import collect_judgements
from polyseme.gold import DawidSkene, Gold
from polyseme.rating import Rating, Ratings


def draw_choices(seed: int, skill: list[float], usages: int = 200, senses: int = 4) -> tuple[list[int], Ratings]:
    """The right sense of each usage, and who chose which: the right one as often as their skill says, or any."""
    random = np.random.default_rng(seed)
    truth = random.integers(0, senses, usages)
    rows = [
        Rating(
            f"p{annotator}",
            "WSbest",
            "win.v",
            f"u{usage:03}",
            f"s{right if random.random() < able else random.integers(senses)}",
            1,
        )
        for usage, right in enumerate(truth.tolist())
        for annotator, able in enumerate(skill)
    ]
    return truth.tolist(), Ratings(rows)


def right(rule: Gold, truth: list[int], ratings: Ratings) -> float:
    """The share of usages whose heaviest sense is the right one."""
    labelling = rule(ratings).single()
    return float(np.mean([f"s{sense}" in labelling.get(f"u{usage:03}", {}) for usage, sense in enumerate(truth)]))


def share_correct(rule: Gold, truth: list[int], ratings: Ratings) -> float:
    """As :func:`right`; of equal senses each counts in part."""
    labelling = rule(ratings)
    shares = []
    for usage, sense in enumerate(truth):
        weights = labelling.get(f"u{usage:03}", {})
        most = [name for name, weight in weights.items() if weight == max(weights.values())]
        shares.append((f"s{sense}" in most) / max(1, len(most)))
    return float(np.mean(shares))


def test_reliable_annotators_outweigh_the_majority() -> None:
    """Two who know and four who guess: the most frequent choice is worse than that of those who know."""
    for seed in range(3):
        truth, ratings = draw_choices(seed, [0.95, 0.95, 0.2, 0.2, 0.2, 0.2])
        trusting = Gold(DawidSkene(), threshold=1e-9)
        assert share_correct(trusting, truth, ratings) > share_correct(Gold("mode"), truth, ratings) + 0.03


def test_with_equal_annotators_it_is_the_mode() -> None:
    truth, ratings = draw_choices(1, [0.8] * 5)
    assert (
        share_correct(Gold(DawidSkene(), threshold=1e-9), truth, ratings)
        > share_correct(Gold("mode"), truth, ratings) - 0.02
    )


def test_annotators_have_figures() -> None:
    _, ratings = draw_choices(2, [0.95, 0.95, 0.9, 0.1])
    estimates = DawidSkene().fit(Gold().prepare(ratings))
    chosen = [annotator.figures["says 1 of 1"] for annotator in estimates.annotators]
    assert chosen[0].value > 0.85 > 0.5 > chosen[3].value
    assert all(0 <= figure.low < figure.value < figure.high <= 1 for figure in chosen)


def test_it_is_the_default_model_of_choices() -> None:
    _, ratings = draw_choices(3, [0.9, 0.9, 0.5])
    assert Gold("model")(ratings) == Gold(DawidSkene())(ratings)


@pytest.mark.parametrize("values", [[1.0, 1.0, 1.0], [1.0, 5.0, 3.0]])
def test_values_of_small_studies_stay_on_the_scale(values: list[float]) -> None:
    rows = [Rating(str(name), "WSsim", "win.v", "u", "a", value) for name, value in enumerate(values)]
    estimates = DawidSkene().fit(collect_judgements(Ratings(rows)))
    assert min(values) <= estimates.value[0] <= max(values)
