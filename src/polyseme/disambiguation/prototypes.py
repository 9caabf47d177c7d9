"""One vector for each sense, from usages that are tagged with it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import Any, ClassVar, Literal, Protocol

import numpy as np

from polyseme.arrays import Floats
from polyseme.disambiguation.contexts import Context
from polyseme.disambiguation.encoding import SenseTextOptions, encode_senses, encode_usages
from polyseme.disambiguation.model import SenseWeigher, SenseWeights
from polyseme.disambiguation.plain_words import context_passages, fit_gloss_bag, gloss_passages, usage_passages
from polyseme.disambiguation.sense_weights import (
    DictionarySenses,
    apply_temperature,
    context_cosines,
    read_dictionary_senses,
    split_rows_by_lemma,
    weigh_contexts,
)
from polyseme.disambiguation.sources import Sources
from polyseme.disambiguation.tagged_usages import TaggedExamples, sample_examples
from polyseme.disambiguation.word_vectors import WordVectors, build_word_vectors
from polyseme.matrices import unit_rows
from polyseme.parts import FolderName, check_options, check_ranges
from polyseme.usage import Usage
from polyseme.vectors.bag_of_words import FittedBag
from polyseme.vectors.encoders import SentenceEncoder, TokenEncoder


@dataclass(frozen=True)
class Prototypes:
    """The cosine of a usage with the mean of the usages of each sense in SemCor. (Erk & McCarthy 2009)

    A usage is the bag of words around it (``order=1``), with tf · log(N / df) where df of the dictionary's N glosses
    have the word; or the sum of the vectors of these words, times log(N / df), by what they occur with in glosses,
    SemCor, or ``corpus``, an index (``order=2``); or, whatever the order, the vector of the target by an ``encoder`` of
    Hugging Face. No usage of another sense is looked at. ``most`` usages of a sense are drawn by ``seed``.

    The likeness of a usage to a sense is (1 − ``glosses``) · cosine with its prototype + ``glosses`` · cosine with its
    gloss, which is read as usages are, or by the encoder as a whole. A sense without usages has the mean cosine of the
    others: only its gloss and its share speak for it. (Loureiro & Jorge 2019 take usages of its synonyms and hypernyms
    instead, which served no better.) Its weight is exp(likeness / ``temperature``) · share ** ``prior``, where the
    share is (count + 1) / Σ (count + 1) in SemCor. With ``temperature=0`` the likeness itself takes the place of the
    exponential: ``Prototypes(glosses=0, temperature=0, prior=0)`` is the paper's.
    """

    kind: ClassVar[str] = "disambiguator"
    order: Literal[1, 2] = 1
    encoder: FolderName = ""
    glosses: float = 0.2
    temperature: float = 0.05
    prior: float = 0.5
    most: int = 50
    layer: int = -1
    corpus: FolderName = ""
    seed: int = 0

    def __post_init__(self) -> None:
        check_options(self)
        check_ranges(self, glosses=(0, 1), temperature=(0, inf), prior=(0, inf))
        check_ranges(self, most=(1, inf), layer=(-inf, -1), seed=(0, inf))

    def ready(self, sources: Sources, lemmas: Collection[str]) -> SenseWeigher:
        """What weighs the senses of these lemmas, from the usages of each in the sense-tagged text."""
        senses = read_dictionary_senses(sources.wordnet, lemmas)
        space = self._space(sources)
        prototypes = _prototypes(space, sample_examples(sources, senses.values(), self.most, self.seed), senses)
        told = split_rows_by_lemma(space.glosses(senses), senses) if self.glosses else {}

        def weigh(contexts: Sequence[Context]) -> Sequence[SenseWeights]:
            usages = space.usages(contexts)
            likenesses = context_cosines(contexts, usages, prototypes)
            if self.glosses:
                with_glosses = zip(likenesses, context_cosines(contexts, usages, told), strict=True)
                likenesses = [(1 - self.glosses) * one + self.glosses * other for one, other in with_glosses]
            return weigh_contexts(
                contexts, senses, likenesses, lambda each: apply_temperature(each, self.temperature), self.prior
            )

        return weigh

    def _space(self, sources: Sources) -> _VectorSpace:
        if self.encoder:
            return _EncodedSpace(sources, self.encoder, self.layer)
        return _CountedSpace(sources, build_word_vectors(sources, self.corpus) if self.order == 2 else None)


def _prototypes(space: _VectorSpace, given: TaggedExamples, senses: Mapping[str, DictionarySenses]) -> dict[str, Any]:
    """The mean of the usages of each sense, of length 1, for each lemma; zeros where there is none."""
    import scipy.sparse as sp

    row = {key: at for at, key in enumerate(key for each in senses.values() for key in each.keys)}
    rows = [row[key] for _, key in given]
    where = sp.csr_array((np.ones(len(rows)), (rows, np.arange(len(rows)))), shape=(len(row), len(rows)))
    return split_rows_by_lemma(space.summed([usage for usage, _ in given], where), senses)


class _VectorSpace(Protocol):
    """How usages and glosses become vectors of length 1."""

    def summed(self, usages: Sequence[Usage], where: Any) -> Any:
        """The sums of tagged usages; ``where`` has a row for each, with ones for the usages that belong to it."""
        ...

    def usages(self, contexts: Sequence[Context]) -> Any:
        """Those of the usages that are asked for."""
        ...

    def glosses(self, senses: Mapping[str, DictionarySenses]) -> Any:
        """Those of the glosses of senses, one lemma after the other."""
        ...


@dataclass(frozen=True, eq=False)
class _CountedSpace:
    """By the words around usages, or by those that go with them."""

    sources: Sources
    vectors: WordVectors | None

    def summed(self, usages: Sequence[Usage], where: Any) -> Any:
        return self._of(where @ self._bag(usage_passages(usages, self.sources)))

    def usages(self, contexts: Sequence[Context]) -> Any:
        return self._of(self._bag(context_passages(contexts, self.sources)))

    def glosses(self, senses: Mapping[str, DictionarySenses]) -> Any:
        synsets = np.concatenate([np.zeros(0, np.intp), *(each.synsets for each in senses.values())])
        return self._of(self._bag(gloss_passages(self.sources).chosen(synsets)))

    @property
    def _bag(self) -> FittedBag:
        return self.vectors.bag if self.vectors else fit_gloss_bag(self.sources)

    def _of(self, bags: Any) -> Any:
        """The vectors of bags of words; sums of bags have sums of vectors, and are quicker to make."""
        return self.vectors.of(bags) if self.vectors else unit_rows(bags)


@dataclass(frozen=True, eq=False)
class _EncodedSpace:
    """By an encoder."""

    sources: Sources
    model: str
    layer: int

    def _of(self, usages: Sequence[Usage]) -> Floats:
        return encode_usages(self.sources, TokenEncoder(self.model, self.layer, False), usages)

    def summed(self, usages: Sequence[Usage], where: Any) -> Floats:
        return np.asarray(unit_rows(where @ self._of(usages)))

    def usages(self, contexts: Sequence[Context]) -> Floats:
        return self._of([each.usage for each in contexts])

    def glosses(self, senses: Mapping[str, DictionarySenses]) -> Floats:
        every = [sense for lemma in senses for sense in self.sources.wordnet[lemma]]
        return encode_senses(self.sources, SentenceEncoder(self.model, self.layer), every, SenseTextOptions())
