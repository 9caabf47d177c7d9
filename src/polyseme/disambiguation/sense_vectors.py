"""Senses as sums of the vectors of their words."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import partial
from math import inf
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from polyseme.arrays import Floats
from polyseme.disambiguation.contexts import Context
from polyseme.disambiguation.model import Disambiguator, SenseWeigher
from polyseme.disambiguation.plain_words import build_passages, context_passages, get_plain_words
from polyseme.disambiguation.sense_weights import (
    apply_temperature,
    context_cosines,
    read_dictionary_senses,
    similarity_weigher,
)
from polyseme.disambiguation.sources import Sources
from polyseme.disambiguation.word_vectors import WordVectors, build_word_vectors
from polyseme.lemma import strip_pos
from polyseme.matrices import unit_rows
from polyseme.parts import FolderName, Ranges

if TYPE_CHECKING:
    import scipy.sparse as sp

HYPERNYMS = ("hypernym", "instance hypernym")


@dataclass(frozen=True)
class SenseVectors(Disambiguator):
    """A sense vector is the sum of the word vectors of its synset, plus a tenth of those of its hypernyms.

    v(s) = Σ v(synonym) + ``hypernyms`` · Σ v(hypernym), with word vectors of length 1 (Thater, Fürstenau & Pinkal
    2010). Word vectors have the positive pointwise mutual information with other words. An entry of several words has
    their mean; the lemma itself, which all its senses share, is excluded. Thater et al. contextualise the target by its
    syntax; here a usage is the sum of the vectors of the words in its context, each times log(N / df). The weight of a
    sense is exp(cosine / ``temperature``) · share ** ``prior``, with its share in SemCor, smoothed by 1.

    Args:
        hypernyms: The weight of the words of hypernyms.
        contextualised: Whether the vector of the context is multiplied by that of the target, dimension by dimension.
        corpus: An index to count words in. Default: glosses and SemCor.
        temperature: The temperature; with 0, the cosine replaces the exponential.
        prior: The exponent of the share.
    """

    ranges: ClassVar[Ranges] = {"hypernyms": (0, inf), "temperature": (0, inf), "prior": (0, inf)}
    hypernyms: float = 0.1
    contextualised: bool = True
    corpus: FolderName = ""
    temperature: float = 0.4
    prior: float = 0.5

    def prepare(self, sources: Sources, lemmas: Collection[str]) -> SenseWeigher:
        """Prepare to weigh the senses of these lemmas."""
        vectors = build_word_vectors(sources, self.corpus)
        senses = read_dictionary_senses(sources.wordnet, lemmas)
        words = _synset_words(sources, vectors)
        hypernyms = sources.wordnet.graph(HYPERNYMS)
        by_lemma = {}
        for lemma, entry in senses.items():
            bags = words[entry.nodes] + self.hypernyms * (hypernyms[entry.nodes] @ words)
            by_lemma[lemma] = vectors.sum(_remove_words(bags, _word_numbers(lemma, sources, vectors)))

        def similarities(contexts: Sequence[Context]) -> list[Floats]:
            usages = vectors.sum(vectors.bag(context_passages(contexts, sources)))
            if self.contextualised:
                usages = _contextualise(contexts, usages, vectors, sources)
            return context_cosines(contexts, usages, by_lemma)

        return similarity_weigher(
            senses, similarities, partial(apply_temperature, temperature=self.temperature), self.prior
        )


def _contextualise(contexts: Sequence[Context], usages: Floats, vectors: WordVectors, sources: Sources) -> Floats:
    """Multiply the target's vector by that of its context; if the product is zero, keep that of the context."""
    words = get_plain_words(sources)
    targets = build_passages([words.words(strip_pos(context.lemma)) for context in contexts])
    product = np.asarray(unit_rows(usages * vectors.sum(vectors.bag(targets))))
    return np.where(product.any(axis=1, keepdims=True), product, usages)


def _remove_words(bags: sp.csr_array[Any], numbers: Sequence[int]) -> sp.csr_array[Any]:
    """Remove words that all senses share."""
    import scipy.sparse as sp

    factors = np.ones(bags.shape[1])
    factors[list(numbers)] = 0
    rest = sp.csr_array(bags.multiply(factors))
    rest.eliminate_zeros()
    return rest


def _word_numbers(entry: str, sources: Sources, vectors: WordVectors) -> list[int]:
    """Return the numbers of the words of an entry, ``oil_lamp.n``, that have vectors."""
    names = get_plain_words(sources).words(strip_pos(entry))
    return [vectors.numbers[name] for name in names if name in vectors.numbers]


def _synset_words(sources: Sources, vectors: WordVectors) -> sp.csr_array[Any]:
    """Build synsets × words that have vectors: 1 for a word, 1/n for each word of an entry of n words."""
    import scipy.sparse as sp

    columns, words, numbers = sources.wordnet.columns, get_plain_words(sources), vectors.numbers
    parts = [[numbers[name] for name in words.words(word) if name in numbers] for word in columns.word]
    sizes = np.array([len(part) for part in parts])
    rows = np.repeat(columns.sense_synset, sizes)
    data = np.repeat(1 / np.maximum(sizes, 1), sizes)
    shape = (len(columns.gloss), len(numbers))
    return sp.csr_array((data, (rows, [number for part in parts for number in part])), shape=shape)
