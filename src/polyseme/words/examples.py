"""Examples of a word: clear and ambiguous usages, and all usages in a chosen order."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import islice
from typing import Literal

import numpy as np

from polyseme.arrays import Bools, Floats, Ints
from polyseme.induction.sense_examples import has_example_length, select_examples, vary_rows
from polyseme.inventory import Sense
from polyseme.usage import Usage
from polyseme.words.profile import WordProfile

UsageOrder = Literal["corpus", "sense", "purity", "ambiguity"]

DESCRIPTIVE_WORDS = 20
"""The number of descriptive words of a sense that make a usage typical."""
SECOND_SENSE = 0.3
"""A usage has two senses at once if its second sense has this weight or more."""


def best_examples(profile: WordProfile, sense: str, count: int = 3, candidates: int | None = None) -> list[Usage]:
    """Choose the best examples of a sense, by :func:`~polyseme.induction.sense_examples.select_examples`.

    Args:
        profile: The word.
        sense: The id of the sense.
        count: The number of examples, at most.
        candidates: Choose among this many of the heaviest usages, to be faster; by default, among all.
    """
    number = profile.number(sense)
    rows = select_examples(
        profile.usages,
        profile.weights[:, number],
        _descriptive_words(profile.senses[number]),
        count,
        candidates=candidates,
        words=profile.words,
    )
    return [profile.usages[row] for row in rows]


def ambiguous_examples(profile: WordProfile, count: int = 5) -> list[tuple[Usage, dict[str, float]]]:
    """Choose usages with several senses at once, with the weights of their senses, heaviest first.

    They are the usages whose second sense has a weight of :data:`SECOND_SENSE` or more and, if these are too few, those
    with the greatest entropy. Usages with descriptive words of both senses come first, since weights are also even
    where a usage gives no evidence for any sense.
    """
    if len(profile.senses) < 2:
        return []
    descriptions = [_descriptive_words(sense) for sense in profile.senses]
    matches = np.array([[len(descriptive & words) for words in profile.words] for descriptive in descriptions])
    heaviest = np.argsort(-profile.weights, axis=1, kind="stable")[:, :2]
    rows = np.arange(len(profile.usages))
    evidence = np.minimum(matches[heaviest[:, 0], rows], matches[heaviest[:, 1], rows])
    even = profile.weights[rows, heaviest[:, 1]] >= SECOND_SENSE

    def key(row: int) -> tuple[bool, int, bool, float]:
        clear = (not even[row], -int(evidence[row]) if even[row] else 0)
        return (*clear, not has_example_length(profile.usages[row].text), -float(profile.ambiguity[row]))

    ranked = sorted(np.flatnonzero(profile.ambiguity > 0).tolist(), key=key)
    return [
        (profile.usages[row], _weights_by_sense(profile, row))
        for row in islice(vary_rows(profile.usages, profile.words, ranked), count)
    ]


def _weights_by_sense(profile: WordProfile, row: int) -> dict[str, float]:
    """The weights of a usage by sense, heaviest first."""
    weights = profile.weights[row]
    heaviest = np.argsort(-weights, kind="stable").tolist()
    return {profile.senses[number].id: float(weights[number]) for number in heaviest if weights[number] > 0}


def order_usages(profile: WordProfile, by: UsageOrder = "corpus", sense: str = "") -> list[int]:
    """Put the rows of the usages in order; unlabelled usages come last.

    Args:
        profile: The word.
        by: ``corpus``; ``sense``, by the heaviest sense and then its weight; ``purity``, clearest sense first; or
            ``ambiguity``, the most even weights first.
        sense: If this is not empty, only usages whose heaviest sense it is.
    """
    rows = np.lexsort(SORT_KEYS[by](profile)).tolist()
    return [row for row in rows if profile.main[row] == profile.number(sense)] if sense else rows


def _heaviest(profile: WordProfile) -> Floats:
    weights: Floats = profile.weights.max(axis=1, initial=0.0)
    return weights


SORT_KEYS: Mapping[str, Callable[[WordProfile], tuple[Floats | Ints | Bools, ...]]] = {
    "corpus": lambda profile: (np.arange(len(profile.usages)),),
    "sense": lambda profile: (-_heaviest(profile), profile.main, profile.main < 0),
    "purity": lambda profile: (profile.ambiguity, -_heaviest(profile), profile.main < 0),
    "ambiguity": lambda profile: (-profile.ambiguity, profile.main < 0),
}
"""The sort keys of each order; the last key is the primary one, as in ``numpy.lexsort``."""


def _descriptive_words(sense: Sense) -> set[str]:
    """The first descriptive words of a sense, without parts of speech."""
    features = (feature for feature, _ in sense.features[:DESCRIPTIVE_WORDS])
    return {word.partition(".")[0] for feature in features for word in feature.split(" ")}
