"""From the similarity of usages and senses to weights: shared by the disambiguators that compare vectors."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from polyseme.arrays import Bools, Floats, Ints
from polyseme.disambiguation.contexts import Context
from polyseme.disambiguation.model import SenseWeigher
from polyseme.matrices import dot_products
from polyseme.wordnet.lexicon import WordNet


class EntrySenses(NamedTuple):
    """The senses of an entry of the dictionary, such as ``bank.n``.

    Args:
        keys: The names of the senses.
        nodes: Their synsets, or their nodes in a graph.
        counts: How often each occurs.
    """

    keys: tuple[str, ...]
    nodes: Ints
    counts: Floats

    def shares(self, smoothing: float = 1.0) -> Floats:
        """Return the share of each sense: (count + smoothing) / Σ (count + smoothing).

        >>> EntrySenses(("a", "b"), np.array([3, 5]), np.array([2.0, 0.0])).shares(1).tolist()
        [0.75, 0.25]
        """
        smoothed = self.counts + smoothing
        return smoothed / smoothed.sum() if smoothed.any() else np.full(len(smoothed), 1 / max(len(smoothed), 1))

    def weights(self, scores: Floats, prior: float = 0.0) -> dict[str, float]:
        """Return score · share ** prior for each sense; if no score is above 0, only the shares count.

        >>> senses = EntrySenses(("a", "b"), np.array([7, 8]), np.array([2.0, 0.0]))
        >>> senses.weights(np.array([0.0, 2.0]), prior=1.0), senses.weights(np.zeros(2), prior=1.0)
        ({'a': 0.0, 'b': 0.5}, {'a': 0.75, 'b': 0.25})
        """
        positive = np.maximum(scores, 0.0) if (scores > 0).any() else np.ones(len(self.keys))
        return dict(zip(self.keys, (positive * self.shares() ** prior).tolist(), strict=True))


def read_entry_senses(wordnet: WordNet, entry: str) -> EntrySenses:
    """Read the senses of an entry, with their synsets and their counts in SemCor."""
    rows, columns = wordnet.sense_rows(entry), wordnet.columns
    keys = tuple(columns.key[row] for row in rows.tolist())
    return EntrySenses(keys, columns.sense_synset[rows].astype(np.intp), columns.sense_count[rows].astype(float))


def read_dictionary_senses(wordnet: WordNet, lemmas: Iterable[str]) -> dict[str, EntrySenses]:
    """Read the senses of the lemmas that are in the dictionary."""
    entries = ((lemma, read_entry_senses(wordnet, lemma)) for lemma in lemmas)
    return {lemma: senses for lemma, senses in entries if senses.keys}


def apply_temperature(similarity: Floats, temperature: float) -> Floats:
    """Return exp(similarity / temperature), scaled to a maximum of 1; with a temperature of 0, the similarity itself.

    >>> apply_temperature(np.array([0.5, 0.25]), 0.25).round(2).tolist()
    [1.0, 0.37]
    >>> apply_temperature(np.array([0.5, -0.1]), 0.0).tolist()
    [0.5, -0.1]
    """
    if temperature == 0:
        return similarity
    scores: Floats = np.exp((similarity - similarity.max()) / temperature)
    return scores


Similarities = Callable[[Sequence[Context]], Sequence[Floats]]
"""Computes the similarity of each context to the senses of its lemma."""


def similarity_weigher(
    senses: Mapping[str, EntrySenses], similarities: Similarities, score: Callable[[Floats], Floats], prior: float
) -> SenseWeigher:
    """Build a weigher of senses from similarities.

    Args:
        senses: The senses of each lemma; contexts of other lemmas get no weights.
        similarities: Computes the similarity of each context to the senses of its lemma.
        score: Turns similarities into scores.
        prior: The exponent of the senses' shares.
    """

    def weigh(contexts: Sequence[Context]) -> list[dict[str, float]]:
        return [
            senses[context.lemma].weights(score(similarity), prior) if context.lemma in senses else {}
            for context, similarity in zip(contexts, similarities(contexts), strict=True)
        ]

    return weigh


def context_cosines(contexts: Sequence[Context], usages: Any, senses: Mapping[str, Any]) -> list[Floats]:
    """Compute the cosine of each usage with the senses of its lemma.

    A sense whose vector is zero gets the mean of the other senses.

    Args:
        contexts: The contexts.
        usages: A row for each context, dense or sparse, of length 1 or 0.
        senses: A matrix for each lemma, with rows of length 1 or 0. Contexts of other lemmas get an empty array.
    """
    cosines: list[Floats] = [np.zeros(0)] * len(contexts)
    for lemma, positions in context_positions_by_lemma(contexts).items():
        if lemma in senses:
            valid = np.asarray(abs(senses[lemma]).sum(axis=1)).ravel() > 0
            for position, row in zip(positions, dot_products(usages[positions], senses[lemma]), strict=True):
                cosines[position] = fill_unknown_similarities(row, valid)
    return cosines


def fill_unknown_similarities(similarity: Floats, valid: Bools) -> Floats:
    """Replace the similarities that are not valid by the mean of the others.

    >>> fill_unknown_similarities(np.array([0.5, 0.0, 0.25]), np.array([True, False, True])).tolist()
    [0.5, 0.375, 0.25]
    """
    if valid.all() or not valid.any():
        return similarity
    return np.where(valid, similarity, similarity[valid].mean())


def context_positions_by_lemma(contexts: Sequence[Context]) -> dict[str, list[int]]:
    """Return the positions of the contexts of each lemma."""
    positions: dict[str, list[int]] = {}
    for position, context in enumerate(contexts):
        positions.setdefault(context.lemma, []).append(position)
    return positions


def split_rows_by_lemma(vectors: Any, senses: Mapping[str, EntrySenses]) -> dict[str, Any]:
    """Split a matrix of the senses of all lemmas into one for each lemma."""
    ends = np.cumsum([0, *(len(entry.keys) for entry in senses.values())]).tolist()
    return {lemma: vectors[start:end] for lemma, start, end in zip(senses, ends, ends[1:], strict=False)}
