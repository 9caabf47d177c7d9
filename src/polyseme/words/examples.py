"""Which usages to show: those that have one sense clearly, those that have several, and all in some order."""

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
"""How many characters an example should have, to be understood and to be read at a glance."""

DESCRIPTIVE_WORDS = 20
"""So many words of a sense make a usage that has some of them typical."""
SECOND_SENSE = 0.3
"""A usage with a second sense of this weight has two at once."""


def best_examples(portrait: WordProfile, sense: str, count: int = 3) -> list[Usage]:
    """The best examples of a sense: those with the greatest weight, rounded to a tenth.

    Of equal ones those of moderate length come first, and of these the ones with most words that tell the sense. No
    two have nearly the same text, and as long as there are others, no two are of one document.
    """
    number = portrait.number(sense)
    weight, typical = portrait.weights[:, number], _count_descriptive_words(portrait, portrait.senses[number])

    def key(row: int) -> tuple[float, bool, int, float]:
        return (
            -round(float(weight[row]), 1),
            not _has_example_length(portrait, row),
            -typical[row],
            -float(weight[row]),
        )

    rows = sorted(np.flatnonzero(weight).tolist(), key=key)
    return [portrait.usages[row] for row in islice(_vary(portrait, rows), count)]


def ambiguous_examples(portrait: WordProfile, count: int = 5) -> list[tuple[Usage, dict[str, float]]]:
    """Usages that have several senses at once, with their weights, the heaviest first.

    They are those whose second sense has a weight of :data:`SECOND` or more, or, if there are too few, those with the
    greatest entropy. First come the ones with words that tell both of the heaviest senses: weights can also be even
    because nothing is told of any.
    """
    if len(portrait.senses) < 2:
        return []
    typical = np.array([_count_descriptive_words(portrait, sense) for sense in portrait.senses])
    two = np.argsort(-portrait.weights, axis=1, kind="stable")[:, :2]
    every = np.arange(len(portrait.usages))
    told = np.minimum(typical[two[:, 0], every], typical[two[:, 1], every])
    even = portrait.weights[every, two[:, 1]] >= SECOND_SENSE

    def key(row: int) -> tuple[bool, int, bool, float]:
        clear = (not even[row], -int(told[row]) if even[row] else 0)
        return (*clear, not _has_example_length(portrait, row), -float(portrait.ambiguity[row]))

    rows = sorted(np.flatnonzero(portrait.ambiguity > 0).tolist(), key=key)
    return [(portrait.usages[row], _weights_by_sense(portrait, row)) for row in islice(_vary(portrait, rows), count)]


def _weights_by_sense(portrait: WordProfile, row: int) -> dict[str, float]:
    """The weights of a usage by the names of its senses, the heaviest first."""
    weights = portrait.weights[row]
    heaviest = np.argsort(-weights, kind="stable").tolist()
    return {portrait.senses[at].id: float(weights[at]) for at in heaviest if weights[at] > 0}


def _has_example_length(portrait: WordProfile, row: int) -> bool:
    return len(portrait.usages[row].text.strip()) in EXAMPLE_LENGTHS


def order_usages(portrait: WordProfile, by: UsageOrder = "corpus", sense: str = "") -> list[int]:
    """The rows of the usages in an order; with a sense, only of those whose heaviest sense it is.

    ``sense``: by the heaviest sense, the strongest first; ``purity``: by how strong the heaviest is; ``ambiguity``: by
    how evenly several are spread. Usages that are not labelled come last.
    """
    rows = np.lexsort(SORT_KEYS[by](portrait))
    return [row for row in rows.tolist() if not sense or portrait.main[row] == portrait.number(sense)]


def _heaviest(portrait: WordProfile) -> Floats:
    found: Floats = portrait.weights.max(axis=1, initial=0.0)
    return found


def _unlabelled(portrait: WordProfile) -> Bools:
    return portrait.main < 0


SORT_KEYS: Mapping[str, Callable[[WordProfile], tuple[Floats | Ints | Bools, ...]]] = {
    "corpus": lambda portrait: (np.arange(len(portrait.usages)),),
    "sense": lambda portrait: (-_heaviest(portrait), portrait.main, _unlabelled(portrait)),
    "purity": lambda portrait: (portrait.ambiguity, -_heaviest(portrait), _unlabelled(portrait)),
    "ambiguity": lambda portrait: (-portrait.ambiguity, _unlabelled(portrait)),
}
"""The orders of usages by their names; of the keys the last comes first, as numpy's lexsort has it."""


def _count_descriptive_words(portrait: WordProfile, sense: Sense) -> list[int]:
    """How many of the first words of a sense are in the text of each usage."""
    telling = {
        part.partition(".")[0] for feature, _ in sense.features[:DESCRIPTIVE_WORDS] for part in feature.split(" ")
    }
    return [len(telling & words) for words in portrait.words]


def _vary(portrait: WordProfile, rows: Iterable[int]) -> Iterator[int]:
    """Rows whose texts are not nearly the same; those of documents that were seen before come last."""
    texts: list[frozenset[str]] = []
    documents: set[object] = set()
    later: list[int] = []
    for row in rows:
        usage = portrait.usages[row]
        document = usage.meta.get("document", usage.id)
        if document in documents:
            later.append(row)
        elif _is_new(portrait.words[row], texts):
            documents.add(document)
            yield row
    yield from (row for row in later if _is_new(portrait.words[row], texts))


def _is_new(words: frozenset[str], texts: list[frozenset[str]]) -> bool:
    """Whether a text shares less than two thirds of its words with each one before; it is then added to them."""
    if any(3 * len(words & other) >= 2 * len(words | other) for other in texts):
        return False
    texts.append(words)
    return True
