"""Lesk: the sense whose gloss has words of the context."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from polyseme.disambiguate._weighing import cosines, senses_of, weighed
from polyseme.disambiguate._words import glosses, signature, surroundings
from polyseme.disambiguate.contexts import Context
from polyseme.disambiguate.model import Weigher, Weights
from polyseme.disambiguate.sources import Sources
from polyseme.induce.vectors.words import unit_rows
from polyseme.parts import check_options, check_ranges
from polyseme.wordnet.relations import RELATIONS

if TYPE_CHECKING:
    import scipy.sparse as sp

RELATED = 0.5
"""What a word in the gloss of a related synset counts, where one in the sense's own counts 1."""

FAR = ("antonym", "member of topic", "domain region", "member of region", "domain usage", "member of usage")
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

    def ready(self, sources: Sources, lemmas: Collection[str]) -> Weigher:
        """What weighs the senses of these lemmas."""
        senses = senses_of(sources.wordnet, lemmas)
        every = self._signatures(sources)
        signatures = {lemma: unit_rows(every[each.synsets]) for lemma, each in senses.items()}

        def weigh(contexts: Sequence[Context]) -> Sequence[Weights]:
            usages = signature(sources)(surroundings(contexts, sources))
            overlaps = cosines(contexts, usages, signatures)
            return weighed(contexts, senses, overlaps, lambda overlap: overlap + self.smoothing, self.prior)

        return weigh

    def _signatures(self, sources: Sources) -> sp.csr_array[Any]:
        """Synsets × words: how much of each word the gloss of a synset has."""
        name = f"signatures of synsets, {'extended' if self.extended else 'plain'}"
        if name not in sources.made:
            sources.made[name] = self._weighed(sources)
        found: sp.csr_array[Any] = sources.made[name]
        return found

    def _weighed(self, sources: Sources) -> sp.csr_array[Any]:
        bag = signature(sources)
        found = bag.counts(glosses(sources)).astype(np.float64)
        found.data *= bag.weights[found.indices]
        if not self.extended:
            return found
        near = sources.wordnet.graph([relation for relation in RELATIONS if relation not in FAR])
        related: sp.csr_array[Any] = found + RELATED * (near @ found)
        return related
