"""Usage similarity."""

import math
from pathlib import Path

import numpy as np
import pytest
import scipy.stats

from polyseme.errors import InputError
from polyseme.formats.usage_pairs import read_pairs
from polyseme.labelling import Labelling
from polyseme.tasks.usim import Usim
from polyseme.usage import UsagePair

RATED = (
    UsagePair("x", "x.1", "x.2", 5.0),
    UsagePair("x", "x.1", "x.3", 2.0),
    UsagePair("x", "x.2", "x.3", 1.0),
    UsagePair("y", "y.1", "y.2", 4.0),
    UsagePair("y", "y.1", "y.3", 1.0),
)
LABELS = Labelling(
    [
        ("x", "x.1", {"a": 1.0, "b": 0.5}),
        ("x", "x.2", {"a": 1.0}),
        ("x", "x.3", {"b": 1.0}),
        ("y", "y.1", {"a": 1.0}),
        ("y", "y.2", {"a": 0.2}),
    ]
)


def test_figures_of_a_labelling_are_as_computed_by_hand() -> None:
    scores = Usim().score(RATED, LABELS)
    cosines = [1 / math.sqrt(1.25), 0.5 / math.sqrt(1.25), 0.0, 1.0]
    assert scores.pooled == pytest.approx(scipy.stats.spearmanr([5, 2, 1, 4], cosines).statistic)
    assert scores.lemmas["x"] == pytest.approx(1.0)
    assert math.isnan(scores.lemmas["y"]), "one pair has no correlation"
    assert (scores.within, scores.across) == (4.5, 1.5)
    assert (scores.pairs, scores.left_out) == (4, 1)
    assert scores.mean == pytest.approx(1.0)


def test_similarities_of_pairs_are_found_in_either_order() -> None:
    system = [UsagePair("x", "x.2", "x.1", 0.9), UsagePair("x", "x.1", "x.3", 0.1), UsagePair("x", "x.3", "x.2", 0.2)]
    scores = Usim().score(RATED, system)
    assert scores.pooled == pytest.approx(0.5)
    assert math.isnan(scores.within)
    assert math.isnan(scores.senses), "similarities have no senses"
    assert scores.lemmas == pytest.approx({"x": 0.5})
    assert scores.pairs == 3
    assert scores.summary()["spearman"] == {"pooled": scores.pooled, "mean": scores.mean, "lemmas": scores.lemmas}


def test_a_system_without_a_rated_pair_is_an_error() -> None:
    with pytest.raises(InputError, match=r"no pair of usages in common; gold has e.g. 'x.1' with 'x.2'"):
        Usim().score(RATED, Labelling.hard(["z.1"], ["a"], lemma="z"))
    with pytest.raises(InputError, match="gold is empty"):
        Usim().score([], LABELS)


def test_the_scale_of_weights_does_not_matter() -> None:
    """The cosine does not depend on the scale, however large or small."""
    for factor in (1e-200, 1e200):
        huge = LABELS.with_weights(LABELS.weights * factor)
        assert Usim().score(RATED, huge).pooled == pytest.approx(Usim().score(RATED, LABELS).pooled)


def test_ratings_agree_with_themselves(data: Path) -> None:
    rated = read_pairs(data / "usim" / "usim_en.txt")
    assert Usim().score(rated, rated).pooled == pytest.approx(1.0)
    usages = {usage: pair.lemma for pair in rated for usage in (pair.first, pair.second)}
    together = Usim().score(rated, Labelling((lemma, usage, {"one": 1.0}) for usage, lemma in usages.items()))
    assert math.isnan(together.pooled)
    assert together.within == pytest.approx(np.mean([pair.similarity for pair in rated]))
    assert math.isnan(together.across)


def test_names_of_senses_belong_to_a_lemma() -> None:
    system = Labelling([("x", "x.1", {"a": 1}), ("y", "x.2", {"a": 1})])
    scores = Usim().score([UsagePair("x", "x.1", "x.2", 5.0)], system)
    assert math.isnan(scores.within)
    assert scores.across == 5.0
