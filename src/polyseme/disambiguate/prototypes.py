"""One vector for each sense, from usages that are tagged with it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import Any, ClassVar, Literal, Protocol

import numpy as np

from polyseme.arrays import Floats
from polyseme.disambiguate._encoding import Told, of_senses, of_usages
from polyseme.disambiguate._tagged import Examples, examples
from polyseme.disambiguate._weighing import Senses, cosines, senses_of, softened, split, weighed
from polyseme.disambiguate._word_vectors import WordVectors, word_vectors
from polyseme.disambiguate._words import glosses, signature, surroundings, texts
from polyseme.disambiguate.contexts import Context
from polyseme.disambiguate.model import Weigher, Weights
from polyseme.disambiguate.sources import Sources
from polyseme.induce.vectors.encoders import SentenceEncoder, TokenEncoder
from polyseme.induce.vectors.words import FittedBag, unit_rows
from polyseme.parts import Place, check_options, check_ranges
from polyseme.usage import Usage


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
    encoder: Place = ""
    glosses: float = 0.2
    temperature: float = 0.05
    prior: float = 0.5
    most: int = 50
    layer: int = -1
    corpus: Place = ""
    seed: int = 0

    def __post_init__(self) -> None:
        check_options(self)
        check_ranges(self, glosses=(0, 1), temperature=(0, inf), prior=(0, inf))
        check_ranges(self, most=(1, inf), layer=(-inf, -1), seed=(0, inf))

    def ready(self, sources: Sources, lemmas: Collection[str]) -> Weigher:
        """What weighs the senses of these lemmas, from the usages of each in the sense-tagged text."""
        senses = senses_of(sources.wordnet, lemmas)
        space = self._space(sources)
        prototypes = _prototypes(space, examples(sources, senses.values(), self.most, self.seed), senses)
        told = split(space.glosses(senses), senses) if self.glosses else {}

        def weigh(contexts: Sequence[Context]) -> Sequence[Weights]:
            usages = space.usages(contexts)
            likenesses = cosines(contexts, usages, prototypes)
            if self.glosses:
                with_glosses = zip(likenesses, cosines(contexts, usages, told), strict=True)
                likenesses = [(1 - self.glosses) * one + self.glosses * other for one, other in with_glosses]
            return weighed(contexts, senses, likenesses, lambda each: softened(each, self.temperature), self.prior)

        return weigh

    def _space(self, sources: Sources) -> _Space:
        if self.encoder:
            return _Encoded(sources, self.encoder, self.layer)
        return _Counted(sources, word_vectors(sources, self.corpus) if self.order == 2 else None)


def _prototypes(space: _Space, given: Examples, senses: Mapping[str, Senses]) -> dict[str, Any]:
    """The mean of the usages of each sense, of length 1, for each lemma; zeros where there is none."""
    import scipy.sparse as sp

    row = {key: at for at, key in enumerate(key for each in senses.values() for key in each.keys)}
    rows = [row[key] for _, key in given]
    where = sp.csr_array((np.ones(len(rows)), (rows, np.arange(len(rows)))), shape=(len(row), len(rows)))
    return split(space.summed([usage for usage, _ in given], where), senses)


class _Space(Protocol):
    """How usages and glosses become vectors of length 1."""

    def summed(self, usages: Sequence[Usage], where: Any) -> Any:
        """The sums of tagged usages; ``where`` has a row for each, with ones for the usages that belong to it."""
        ...

    def usages(self, contexts: Sequence[Context]) -> Any:
        """Those of the usages that are asked for."""
        ...

    def glosses(self, senses: Mapping[str, Senses]) -> Any:
        """Those of the glosses of senses, one lemma after the other."""
        ...


@dataclass(frozen=True, eq=False)
class _Counted:
    """By the words around usages, or by those that go with them."""

    sources: Sources
    vectors: WordVectors | None

    def summed(self, usages: Sequence[Usage], where: Any) -> Any:
        return self._of(where @ self._bag(texts(usages, self.sources)))

    def usages(self, contexts: Sequence[Context]) -> Any:
        return self._of(self._bag(surroundings(contexts, self.sources)))

    def glosses(self, senses: Mapping[str, Senses]) -> Any:
        synsets = np.concatenate([np.zeros(0, np.intp), *(each.synsets for each in senses.values())])
        return self._of(self._bag(glosses(self.sources).chosen(synsets)))

    @property
    def _bag(self) -> FittedBag:
        return self.vectors.bag if self.vectors else signature(self.sources)

    def _of(self, bags: Any) -> Any:
        """The vectors of bags of words; sums of bags have sums of vectors, and are quicker to make."""
        return self.vectors.of(bags) if self.vectors else unit_rows(bags)


@dataclass(frozen=True, eq=False)
class _Encoded:
    """By an encoder."""

    sources: Sources
    model: str
    layer: int

    def _of(self, usages: Sequence[Usage]) -> Floats:
        return of_usages(self.sources, TokenEncoder(self.model, self.layer, False), usages)

    def summed(self, usages: Sequence[Usage], where: Any) -> Floats:
        return np.asarray(unit_rows(where @ self._of(usages)))

    def usages(self, contexts: Sequence[Context]) -> Floats:
        return self._of([each.usage for each in contexts])

    def glosses(self, senses: Mapping[str, Senses]) -> Floats:
        every = [sense for lemma in senses for sense in self.sources.wordnet[lemma]]
        return of_senses(self.sources, SentenceEncoder(self.model, self.layer), every, Told())
