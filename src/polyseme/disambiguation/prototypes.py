"""Prototypes: one vector for each sense, the mean of its tagged usages."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import inf
from typing import Any, ClassVar, Literal, Protocol

import numpy as np

from polyseme.arrays import Floats
from polyseme.disambiguation.contexts import Context
from polyseme.disambiguation.encoding import SenseTextOptions, encode_senses, encode_usages
from polyseme.disambiguation.model import Disambiguator, SenseWeigher
from polyseme.disambiguation.plain_words import context_passages, fit_gloss_bag, gloss_passages, usage_passages
from polyseme.disambiguation.sense_weights import (
    EntrySenses,
    apply_temperature,
    context_cosines,
    read_dictionary_senses,
    similarity_weigher,
    split_rows_by_lemma,
)
from polyseme.disambiguation.sources import Sources
from polyseme.disambiguation.tagged_usages import TaggedExamples, sample_examples
from polyseme.disambiguation.word_vectors import WordVectors, build_word_vectors
from polyseme.matrices import unit_rows
from polyseme.parts import FolderName, Ranges
from polyseme.usage import Usage
from polyseme.vectors.bag_of_words import FittedBag
from polyseme.vectors.encoders import SentenceEncoder, TokenEncoder


@dataclass(frozen=True)
class Prototypes(Disambiguator):
    """The cosine between a usage and the mean of each sense's usages in SemCor. (Erk & McCarthy 2009)

    The similarity of a usage to a sense is (1 − ``glosses``) · cosine with its prototype + ``glosses`` · cosine with
    its gloss. A sense without usages has the mean cosine of the others. (Loureiro & Jorge 2019 use its synonyms and
    hypernyms instead, which was no better.) The weight of a sense is exp(similarity / ``temperature``) ·
    share ** ``prior``, with the share (count + 1) / Σ (count + 1) in SemCor.
    ``Prototypes(glosses=0, temperature=0, prior=0)`` is the paper's.

    Args:
        order: 1: a usage is the bag of words in its context, with tf · log(N / df) for a word in df of the dictionary's
            N glosses. 2: it is the sum of the vectors of these words, times log(N / df).
        encoder: A model of Hugging Face, whose vector of the target replaces the bag, whatever the order.
        glosses: The weight of the cosine with the gloss.
        temperature: The temperature; with 0, the similarity replaces the exponential.
        prior: The exponent of the share.
        most: The largest number of usages of a sense.
        layer: The layer of the encoder, from −1, the last, downwards.
        corpus: An index to count the words of order 2 in. Default: glosses and SemCor.
        seed: The random seed for the sample of usages.
    """

    ranges: ClassVar[Ranges] = {
        "glosses": (0, 1),
        "temperature": (0, inf),
        "prior": (0, inf),
        "most": (1, inf),
        "layer": (-inf, -1),
        "seed": (0, inf),
    }
    order: Literal[1, 2] = 1
    encoder: FolderName = ""
    glosses: float = 0.2
    temperature: float = 0.05
    prior: float = 0.5
    most: int = 50
    layer: int = -1
    corpus: FolderName = ""
    seed: int = 0

    def prepare(self, sources: Sources, lemmas: Collection[str]) -> SenseWeigher:
        """Prepare to weigh the senses of these lemmas, from their usages in the sense-tagged text."""
        senses = read_dictionary_senses(sources.wordnet, lemmas)
        space = self._build_space(sources)
        prototypes = _build_prototypes(space, sample_examples(sources, senses.values(), self.most, self.seed), senses)
        glosses = split_rows_by_lemma(space.glosses(senses), senses) if self.glosses else {}

        def similarities(contexts: Sequence[Context]) -> list[Floats]:
            usages = space.usages(contexts)
            cosines = context_cosines(contexts, usages, prototypes)
            if not self.glosses:
                return cosines
            pairs = zip(cosines, context_cosines(contexts, usages, glosses), strict=True)
            return [(1 - self.glosses) * prototype + self.glosses * gloss for prototype, gloss in pairs]

        return similarity_weigher(
            senses, similarities, partial(apply_temperature, temperature=self.temperature), self.prior
        )

    def _build_space(self, sources: Sources) -> _VectorSpace:
        if self.encoder:
            return _EncodedSpace(sources, self.encoder, self.layer)
        return _CountedSpace(sources, build_word_vectors(sources, self.corpus) if self.order == 2 else None)


def _build_prototypes(
    space: _VectorSpace, examples: TaggedExamples, senses: Mapping[str, EntrySenses]
) -> dict[str, Any]:
    """Return the mean of the usages of each sense, of length 1, for each lemma; zeros where there is none."""
    import scipy.sparse as sp

    row = {key: number for number, key in enumerate(key for entry in senses.values() for key in entry.keys)}
    rows = [row[key] for _, key in examples]
    members = sp.csr_array((np.ones(len(rows)), (rows, np.arange(len(rows)))), shape=(len(row), len(rows)))
    return split_rows_by_lemma(space.sums([usage for usage, _ in examples], members), senses)


class _VectorSpace(Protocol):
    """Represents usages and glosses as vectors of length 1."""

    def sums(self, usages: Sequence[Usage], members: Any) -> Any:
        """Sum tagged usages; ``members`` has a row for each sum, with ones for its usages."""
        ...

    def usages(self, contexts: Sequence[Context]) -> Any:
        """Represent the usages of contexts."""
        ...

    def glosses(self, senses: Mapping[str, EntrySenses]) -> Any:
        """Represent the glosses of senses, one lemma after the other."""
        ...


@dataclass(frozen=True, eq=False)
class _CountedSpace:
    """Represents usages by the words in their contexts, or by the vectors of these words."""

    sources: Sources
    vectors: WordVectors | None

    def sums(self, usages: Sequence[Usage], members: Any) -> Any:
        return self._to_vectors(members @ self._bag(usage_passages(usages, self.sources)))

    def usages(self, contexts: Sequence[Context]) -> Any:
        return self._to_vectors(self._bag(context_passages(contexts, self.sources)))

    def glosses(self, senses: Mapping[str, EntrySenses]) -> Any:
        synsets = np.concatenate([np.zeros(0, np.intp), *(entry.nodes for entry in senses.values())])
        return self._to_vectors(self._bag(gloss_passages(self.sources).select(synsets)))

    @property
    def _bag(self) -> FittedBag:
        return self.vectors.bag if self.vectors else fit_gloss_bag(self.sources)

    def _to_vectors(self, bags: Any) -> Any:
        """Return the vectors of bags of words; sums of bags have sums of vectors, and are faster to compute."""
        return self.vectors.sum(bags) if self.vectors else unit_rows(bags)


@dataclass(frozen=True, eq=False)
class _EncodedSpace:
    """Represents usages by an encoder."""

    sources: Sources
    model: str
    layer: int

    def _encode(self, usages: Sequence[Usage]) -> Floats:
        return encode_usages(self.sources, TokenEncoder(self.model, self.layer, False), usages)

    def sums(self, usages: Sequence[Usage], members: Any) -> Floats:
        return np.asarray(unit_rows(members @ self._encode(usages)))

    def usages(self, contexts: Sequence[Context]) -> Floats:
        return self._encode([context.usage for context in contexts])

    def glosses(self, senses: Mapping[str, EntrySenses]) -> Floats:
        listed = [sense for lemma in senses for sense in self.sources.wordnet[lemma]]
        encoder = SentenceEncoder(self.model, self.layer, pooling="mean")
        return encode_senses(self.sources, encoder, listed, SenseTextOptions())
