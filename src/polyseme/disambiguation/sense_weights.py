"""From how like a usage is to senses to weights: what disambiguators that compare vectors have in common."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from polyseme.arrays import Bools, Floats, Ints
from polyseme.disambiguation.contexts import Context
from polyseme.wordnet.lexicon import WordNet


class DictionarySenses(NamedTuple):
    """The senses of a lemma: their keys and synsets, and the share (count + 1) / Σ (count + 1) of each in SemCor."""

    keys: tuple[str, ...]
    synsets: Ints
    shares: Floats

    def weights(self, scores: Floats, prior: float = 0.0) -> dict[str, float]:
        """For each sense, score · share ** prior; where no score is above 0, the scores say nothing.

        >>> senses = DictionarySenses(("a", "b"), np.array([7, 8]), np.array([0.75, 0.25]))
        >>> senses.weights(np.array([0.0, 2.0]), prior=1.0), senses.weights(np.zeros(2), prior=1.0)
        ({'a': 0.0, 'b': 0.5}, {'a': 0.75, 'b': 0.25})
        """
        said = np.maximum(scores, 0.0) if (scores > 0).any() else np.ones(len(self.keys))
        return dict(zip(self.keys, (said * self.shares**prior).tolist(), strict=True))


def read_dictionary_senses(wordnet: WordNet, lemmas: Iterable[str]) -> dict[str, DictionarySenses]:
    """The senses of lemmas that the dictionary has."""
    found = {}
    columns = wordnet.columns
    for lemma in lemmas:
        rows = wordnet.sense_rows(lemma)
        if len(rows):
            counts = columns.sense_count[rows].astype(float) + 1
            keys = tuple(columns.key[row] for row in rows.tolist())
            found[lemma] = DictionarySenses(keys, columns.sense_synset[rows].astype(np.intp), counts / counts.sum())
    return found


def apply_temperature(likeness: Floats, temperature: float) -> Floats:
    """exp(likeness / temperature), of which the greatest is 1; with a temperature of 0, the likeness itself.

    >>> apply_temperature(np.array([0.5, 0.25]), 0.25).round(2).tolist(), apply_temperature(np.array([0.5, -0.1]), 0.0).tolist()
    ([1.0, 0.37], [0.5, -0.1])
    """
    if temperature == 0:
        return likeness
    found: Floats = np.exp((likeness - likeness.max()) / temperature)
    return found


def weigh_contexts(
    contexts: Sequence[Context],
    senses: Mapping[str, DictionarySenses],
    likenesses: Sequence[Floats],
    score: Callable[[Floats], Floats],
    prior: float,
) -> list[dict[str, float]]:
    """The weights of senses in contexts, from how like they are; none where the lemma is not among those known."""
    return [
        senses[each.lemma].weights(score(likeness), prior) if each.lemma in senses else {}
        for each, likeness in zip(contexts, likenesses, strict=True)
    ]


def context_cosines(contexts: Sequence[Context], usages: Any, senses: Mapping[str, Any]) -> list[Floats]:
    """How like each usage is to the senses of its lemma, of which nothing is known where a vector has zeros.

    ``usages`` has a row for each context, ``senses`` a matrix for each lemma, dense or sparse; vectors are of length 1
    or of zeros. A context whose lemma has no matrix gets an empty array.
    """
    found: list[Floats] = [np.zeros(0)] * len(contexts)
    for lemma, places in context_positions_by_lemma(contexts).items():
        if lemma in senses:
            vectors = senses[lemma]
            product = usages[places] @ vectors.T
            dense = product if isinstance(product, np.ndarray) else product.toarray()
            known = np.asarray(abs(vectors).sum(axis=1)).ravel() > 0
            for place, row in zip(places, dense, strict=True):
                found[place] = fill_unknown_similarities(np.asarray(row, float), known)
    return found


def fill_unknown_similarities(likeness: Floats, known: Bools) -> Floats:
    """With the likeness of senses of which nothing is known: the mean of the others.

    >>> fill_unknown_similarities(np.array([0.5, 0.0, 0.25]), np.array([True, False, True])).tolist()
    [0.5, 0.375, 0.25]
    """
    if known.all() or not known.any():
        return likeness
    return np.where(known, likeness, likeness[known].mean())


def context_positions_by_lemma(contexts: Sequence[Context]) -> dict[str, list[int]]:
    """The places of the contexts of each lemma."""
    found: dict[str, list[int]] = {}
    for place, context in enumerate(contexts):
        found.setdefault(context.lemma, []).append(place)
    return found


def split_rows_by_lemma(vectors: Any, senses: Mapping[str, DictionarySenses]) -> dict[str, Any]:
    """The rows of each lemma, from those of the senses of all lemmas one after the other."""
    ends = np.cumsum([0, *(len(each.keys) for each in senses.values())]).tolist()
    return {lemma: vectors[start:end] for lemma, start, end in zip(senses, ends, ends[1:], strict=False)}
