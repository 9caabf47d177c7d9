"""Lesk: the sense whose gloss shares words with the context."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from polyseme.disambiguation.model import Disambiguator, SenseWeigher
from polyseme.disambiguation.plain_words import context_passages, fit_gloss_bag, gloss_passages
from polyseme.disambiguation.sense_weights import context_cosines, read_dictionary_senses, similarity_weigher
from polyseme.disambiguation.sources import Sources
from polyseme.matrices import unit_rows
from polyseme.parts import Ranges
from polyseme.wordnet.relations import RELATIONS

if TYPE_CHECKING:
    import scipy.sparse as sp

RELATED_WEIGHT = 0.5
"""The weight of a word in the gloss of a related synset; a word in the sense's own gloss weighs 1."""

EXCLUDED_RELATIONS = (
    "antonym",
    "member of topic",
    "domain region",
    "member of region",
    "domain usage",
    "member of usage",
)
"""Relations that say little about a sense, or lead to hundreds of synsets."""


@dataclass(frozen=True)
class Lesk(Disambiguator):
    """The overlap of the words of a context with the words of a sense's gloss. (Lesk 1986)

    The weight of a sense is (overlap + ``smoothing``) · share ** ``prior``. The overlap compares words, not phrases: it
    is the cosine of two bags of words with the weights tf · log(N / df), where df of the N glosses have the word. A
    sense has the words of its definition, its examples and its synset. The share of a sense is
    (count + 1) / Σ (count + 1) in SemCor.

    Args:
        extended: Whether half of the words of all related synsets are added (Banerjee & Pedersen 2003).
        prior: The exponent of the share; with 0, senses without an overlap weigh the same.
        smoothing: What is added to the overlap.
    """

    ranges: ClassVar[Ranges] = {"prior": (0, inf), "smoothing": (0, inf)}
    extended: bool = False
    prior: float = 0.5
    smoothing: float = 0.05

    def prepare(self, sources: Sources, lemmas: Collection[str]) -> SenseWeigher:
        """Prepare to weigh the senses of these lemmas."""
        senses = read_dictionary_senses(sources.wordnet, lemmas)
        name = f"signatures of synsets, {'extended' if self.extended else 'plain'}"
        signatures = sources.cached(name, lambda: self._build_signatures(sources))
        by_lemma = {lemma: unit_rows(signatures[entry.nodes]) for lemma, entry in senses.items()}
        bag = fit_gloss_bag(sources)
        return similarity_weigher(
            senses,
            lambda contexts: context_cosines(contexts, bag(context_passages(contexts, sources)), by_lemma),
            lambda overlap: overlap + self.smoothing,
            self.prior,
        )

    def _build_signatures(self, sources: Sources) -> sp.csr_array[Any]:
        """Build synsets × words: the weight of each word in the gloss of a synset."""
        bag = fit_gloss_bag(sources)
        weights = bag.counts(gloss_passages(sources)).astype(np.float64)
        weights.data *= bag.weights[weights.indices]
        if not self.extended:
            return weights
        related = sources.wordnet.graph([relation for relation in RELATIONS if relation not in EXCLUDED_RELATIONS])
        extended: sp.csr_array[Any] = weights + RELATED_WEIGHT * (related @ weights)
        return extended
