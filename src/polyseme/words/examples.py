"""Examples of a word: clear and ambiguous usages, and all usages in a chosen order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from typing import Literal

import numpy as np

from polyseme.arrays import Bools, Floats, Ints
from polyseme.inventory import Sense
from polyseme.usage import Usage
from polyseme.words.profile import WordProfile

UsageOrder = Literal["corpus", "sense", "purity", "ambiguity"]

EXAMPLE_LENGTHS = range(60, 241)
"""Lengths of a text, in characters, that is complete enough and can be read at a glance."""

DESCRIPTIVE_WORDS = 20
"""The number of descriptive words of a sense that make a usage typical."""
SECOND_SENSE = 0.3
"""A usage has two senses at once if its second sense has this weight or more."""


def best_examples(profile: WordProfile, sense: str, count: int = 3, candidates: int | None = None) -> list[Usage]:
    """Choose the best examples of a sense: the usages with the greatest weight, rounded to a tenth.

    Of equal ones, texts of moderate length come first, and of these the ones with most descriptive words of the sense.
    No two have nearly the same text, and as long as possible no two come from the same document.

    Args:
        profile: The word.
        sense: The id of the sense.
        count: The number of examples, at most.
        candidates: Choose among this many of the heaviest usages, to be faster; by default, among all.
    """
    number = profile.number(sense)
    weights, descriptive = profile.weights[:, number], _descriptive_words(profile.senses[number])

    def key(row: int) -> tuple[float, bool, int, float]:
        weight, matches = float(weights[row]), len(descriptive & profile.words[row])
        return (-round(weight, 1), not _has_example_length(profile, row), -matches, -weight)

    rows = np.flatnonzero(weights) if candidates is None else np.argsort(-weights, kind="stable")[:candidates]
    ranked = sorted((row for row in rows.tolist() if weights[row]), key=key)
    return [profile.usages[row] for row in islice(_vary(profile, ranked), count)]


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
        return (*clear, not _has_example_length(profile, row), -float(profile.ambiguity[row]))

    ranked = sorted(np.flatnonzero(profile.ambiguity > 0).tolist(), key=key)
    return [(profile.usages[row], _weights_by_sense(profile, row)) for row in islice(_vary(profile, ranked), count)]


def _weights_by_sense(profile: WordProfile, row: int) -> dict[str, float]:
    """The weights of a usage by sense, heaviest first."""
    weights = profile.weights[row]
    heaviest = np.argsort(-weights, kind="stable").tolist()
    return {profile.senses[number].id: float(weights[number]) for number in heaviest if weights[number] > 0}


def _has_example_length(profile: WordProfile, row: int) -> bool:
    return len(profile.usages[row].text.strip()) in EXAMPLE_LENGTHS


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


def _vary(profile: WordProfile, rows: Iterable[int]) -> Iterator[int]:
    """Skip rows with nearly the same text; rows from documents seen before come last."""
    texts: list[frozenset[str]] = []
    documents: set[object] = set()
    postponed: list[int] = []
    for row in rows:
        usage = profile.usages[row]
        document = usage.meta.get("document", usage.id)
        if document in documents:
            postponed.append(row)
        elif _add_if_new(profile.words[row], texts):
            documents.add(document)
            yield row
    yield from (row for row in postponed if _add_if_new(profile.words[row], texts))


def _add_if_new(words: frozenset[str], texts: list[frozenset[str]]) -> bool:
    """Add a text if it shares less than two thirds of its words with every text before."""
    if any(3 * len(words & other) >= 2 * len(words | other) for other in texts):
        return False
    texts.append(words)
    return True
