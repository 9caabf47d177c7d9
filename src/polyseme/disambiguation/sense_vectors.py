"""Senses as the sum of the vectors of their words."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from polyseme.arrays import Floats
from polyseme.disambiguation.contexts import Context
from polyseme.disambiguation.model import SenseWeigher, SenseWeights
from polyseme.disambiguation.plain_words import build_passages, context_passages, get_plain_words
from polyseme.disambiguation.sense_weights import (
    apply_temperature,
    context_cosines,
    read_dictionary_senses,
    weigh_contexts,
)
from polyseme.disambiguation.sources import Sources
from polyseme.disambiguation.word_vectors import WordVectors, build_word_vectors
from polyseme.matrices import unit_rows
from polyseme.parts import FolderName, check_options, check_ranges

if TYPE_CHECKING:
    import scipy.sparse as sp

HYPERNYMS = ("hypernym", "instance hypernym")


@dataclass(frozen=True)
class SenseVectors:
    """A sense is the sum of the vectors of the words of its synset, plus a tenth of those of its hypernyms' words.

    v(s) = Σ v(synonym) + ``hypernyms`` · Σ v(hypernym), with vectors of words that are of length 1 (Thater, Fürstenau &
    Pinkal 2010). These have the positive pointwise mutual information of a word with others in glosses and SemCor, or
    in ``corpus``, an index. An entry of several words has the mean of theirs; the lemma itself, which all its senses
    have, is left out. Thater et al. contextualise the target by its syntax; here the usage is the sum of the vectors of
    the words around it, each times log(N / df), and if ``contextualised``, this times the vector of the target,
    dimension by dimension. The weight of a sense is exp(cosine / ``temperature``) · share ** ``prior``, or with a
    temperature of 0 the cosine itself instead of the exponential; the share is that in SemCor, smoothed by 1.
    """

    kind: ClassVar[str] = "disambiguator"
    hypernyms: float = 0.1
    contextualised: bool = True
    corpus: FolderName = ""
    temperature: float = 0.4
    prior: float = 0.5

    def __post_init__(self) -> None:
        check_options(self)
        check_ranges(self, hypernyms=(0, inf), temperature=(0, inf), prior=(0, inf))

    def ready(self, sources: Sources, lemmas: Collection[str]) -> SenseWeigher:
        """What weighs the senses of these lemmas."""
        vectors = build_word_vectors(sources, self.corpus)
        senses = read_dictionary_senses(sources.wordnet, lemmas)
        words = _synset_words(sources, vectors)
        above = sources.wordnet.graph(HYPERNYMS)
        made = {}
        for lemma, each in senses.items():
            near = words[each.synsets] + self.hypernyms * (above[each.synsets] @ words)
            made[lemma] = vectors.of(_remove_words(near, _word_numbers(lemma, sources, vectors)))

        def weigh(contexts: Sequence[Context]) -> Sequence[SenseWeights]:
            usages = vectors.of(vectors.bag(context_passages(contexts, sources)))
            if self.contextualised:
                usages = _contextualise(contexts, usages, vectors, sources)
            likenesses = context_cosines(contexts, usages, made)
            return weigh_contexts(
                contexts, senses, likenesses, lambda each: apply_temperature(each, self.temperature), self.prior
            )

        return weigh


def _contextualise(contexts: Sequence[Context], usages: Floats, vectors: WordVectors, sources: Sources) -> Floats:
    """The target's vector times that of its context, dimension by dimension; that of the context if this has none."""
    words = get_plain_words(sources)
    targets = build_passages([words.words(each.lemma[:-2].replace("_", " ")) for each in contexts])
    product = np.asarray(unit_rows(usages * vectors.of(vectors.bag(targets))))
    return np.where(product.any(axis=1, keepdims=True), product, usages)


def _remove_words(words: sp.csr_array[Any], numbers: Sequence[int]) -> sp.csr_array[Any]:
    """The words of senses but for some, which all of them have."""
    import scipy.sparse as sp

    kept = np.ones(words.shape[1])
    kept[list(numbers)] = 0
    found = sp.csr_array(words.multiply(kept))
    found.eliminate_zeros()
    return found


def _word_numbers(word: str, sources: Sources, vectors: WordVectors) -> list[int]:
    """The numbers of the words of an entry, ``oil_lamp.n``, that have vectors."""
    names = get_plain_words(sources).words(word[:-2].replace("_", " "))
    return [vectors.numbers[name] for name in names if name in vectors.numbers]


def _synset_words(sources: Sources, vectors: WordVectors) -> sp.csr_array[Any]:
    """Synsets × words that have vectors: 1 for a word, 1/n for each of an entry of n words."""
    import scipy.sparse as sp

    columns, words = sources.wordnet.columns, get_plain_words(sources)
    number = vectors.numbers
    parts = [[number[part] for part in words.words(word.replace("_", " ")) if part in number] for word in columns.word]
    sizes = np.array([len(each) for each in parts])
    rows = np.repeat(columns.sense_synset, sizes)
    data = np.repeat(1 / np.maximum(sizes, 1), sizes)
    shape = (len(columns.gloss), len(number))
    return sp.csr_array((data, (rows, [each for part in parts for each in part])), shape=shape)
