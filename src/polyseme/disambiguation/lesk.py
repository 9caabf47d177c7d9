"""Lesk: the sense whose gloss has words of the context."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from polyseme.disambiguation.contexts import Context
from polyseme.disambiguation.model import SenseWeigher, SenseWeights
from polyseme.disambiguation.plain_words import context_passages, fit_gloss_bag, gloss_passages
from polyseme.disambiguation.sense_weights import context_cosines, read_dictionary_senses, weigh_contexts
from polyseme.disambiguation.sources import Sources
from polyseme.matrices import unit_rows
from polyseme.parts import check_options, check_ranges
from polyseme.wordnet.relations import RELATIONS

if TYPE_CHECKING:
    import scipy.sparse as sp

RELATED_WEIGHT = 0.5
"""What a word in the gloss of a related synset counts, where one in the sense's own counts 1."""

EXCLUDED_RELATIONS = (
    "antonym",
    "member of topic",
    "domain region",
    "member of region",
    "domain usage",
    "member of usage",
)
"""Relations that tell little of what a sense is about, or lead to hundreds of synsets."""


@dataclass(frozen=True)
class Lesk:
    """How much the words around a usage overlap with those of a sense's gloss. (Lesk 1986)

    The weight of a sense is (overlap + ``smoothing``) · share ** ``prior``. The overlap is not that of phrases but the
    cosine of two bags of words, with tf · log(N / df) for a word that is in df of the dictionary's N glosses. A sense
    has the words of its definition, of its examples and of its synset; if ``extended``, half of those of all related
    synsets besides (Banerjee & Pedersen 2003). The share of a sense is (count + 1) / Σ (count + 1) in SemCor; with
    ``prior=0`` it counts for nothing, and senses without an overlap weigh the same.
    """

    kind: ClassVar[str] = "disambiguator"
    extended: bool = False
    prior: float = 0.5
    smoothing: float = 0.05

    def __post_init__(self) -> None:
        check_options(self)
        check_ranges(self, prior=(0, inf), smoothing=(0, inf))

    def ready(self, sources: Sources, lemmas: Collection[str]) -> SenseWeigher:
        """What weighs the senses of these lemmas."""
        senses = read_dictionary_senses(sources.wordnet, lemmas)
        every = self._signatures(sources)
        signatures = {lemma: unit_rows(every[each.synsets]) for lemma, each in senses.items()}

        def weigh(contexts: Sequence[Context]) -> Sequence[SenseWeights]:
            usages = fit_gloss_bag(sources)(context_passages(contexts, sources))
            overlaps = context_cosines(contexts, usages, signatures)
            return weigh_contexts(contexts, senses, overlaps, lambda overlap: overlap + self.smoothing, self.prior)

        return weigh

    def _signatures(self, sources: Sources) -> sp.csr_array[Any]:
        """Synsets × words: how much of each word the gloss of a synset has."""
        name = f"signatures of synsets, {'extended' if self.extended else 'plain'}"
        if name not in sources.made:
            sources.made[name] = self._weighed(sources)
        found: sp.csr_array[Any] = sources.made[name]
        return found

    def _weighed(self, sources: Sources) -> sp.csr_array[Any]:
        bag = fit_gloss_bag(sources)
        found = bag.counts(gloss_passages(sources)).astype(np.float64)
        found.data *= bag.weights[found.indices]
        if not self.extended:
            return found
        near = sources.wordnet.graph([relation for relation in RELATIONS if relation not in EXCLUDED_RELATIONS])
        related: sp.csr_array[Any] = found + RELATED_WEIGHT * (near @ found)
        return related
