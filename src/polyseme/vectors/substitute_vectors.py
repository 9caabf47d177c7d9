"""Vectors of substitutes: the words that could stand in place of the target."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import inf
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from polyseme.corpus.passages import Passages
from polyseme.errors import TooLittleData
from polyseme.formats.checkpoint import last_modified
from polyseme.lm.ngram_substitutes import NGramSubstitutes
from polyseme.lm.substitutes import Substituter, Substitutes, build_substituter
from polyseme.parts import CheckedOptions, FolderName, Ranges
from polyseme.usage import Usage
from polyseme.vectors.representation import NamedFeatures, RepresentationState, names_array
from polyseme.vectors.usage_cache import UsageCache

if TYPE_CHECKING:
    import scipy.sparse as sp


CACHE_SIZE = 50_000
"""The number of usages whose substitutes are in the cache, some 100 MB; another model in the same folder renews it."""


@dataclass(frozen=True)
class SubstituteVector(CheckedOptions):
    """The likeliest substitutes of a usage: their probabilities, or counts of random samples.

    (Yatbaz et al. 2012, Baskaya et al. 2013)

    Args:
        model: The folder of an n-gram model, or a substituter, as in ``polyseme substitutes``; by default the model of
            the State of the Union addresses.
        count: The number of substitutes.
        samples: Draw this many substitutes, with counts, instead of taking probabilities. The name of the usage and the
            seed decide, so that a usage always has the same samples.
        seed: The random seed of samples.
        power: Raise weights to this power. With .5, cosines are those of square roots of probabilities, which give
            rarer substitutes more influence (Bhattacharyya 1943).
    """

    kind: ClassVar[str] = "representation"
    reads_text: ClassVar[bool] = True
    ranges: ClassVar[Ranges] = {"count": (1, inf), "samples": (0, inf), "power": (0, inf)}
    model: FolderName = ""
    count: int = 100
    samples: int = 0
    seed: int = 0
    power: float = 1.0

    @property
    def single_process(self) -> bool:
        """Whether one process should do all the work: not with n-grams, whose files all processes share."""
        return not isinstance(self._substituter, NGramSubstitutes)

    @property
    def _substituter(self) -> Substituter:
        return build_substituter(self.model or "NGramSubstitutes")

    def fit(self, passages: Passages) -> FittedSubstituteVector:
        """Collect the substitutes of all usages."""
        names = sorted({word for weights in self.weigh_substitutes(passages.usages) for word in weights})
        if not names:
            raise TooLittleData("no usage of it has substitutes")
        return FittedSubstituteVector(self, tuple(names))

    def restore(self, state: RepresentationState) -> FittedSubstituteVector:
        """Rebuild the representation from its substitutes."""
        return FittedSubstituteVector(self, tuple(state["names"].tolist()))

    def weigh_substitutes(self, usages: Sequence[Usage]) -> Iterator[Mapping[str, float]]:
        """Yield the weights of the substitutes of each usage."""
        key = (self.model, self.count, last_modified(getattr(self._substituter, "model", "")))
        answers = _substitute_cache(key, usages, partial(self._substituter.substitutes, count=self.count))
        for usage, substitutes in zip(usages, answers, strict=True):
            weights = self._draw(usage.id, substitutes) if self.samples else _probabilities(substitutes)
            yield weights if self.power == 1 else {word: weight**self.power for word, weight in weights.items()}

    def _draw(self, name: str, substitutes: Substitutes) -> Mapping[str, float]:
        """The counts of random substitutes, which depend on the name of the usage."""
        if not len(substitutes):
            return {}
        digest = hashlib.sha256(f"{self.seed} {name}".encode()).digest()
        rng = np.random.default_rng(int.from_bytes(digest[:8], "big"))
        numbers = rng.choice(len(substitutes), self.samples, p=substitutes.probabilities)
        return {substitutes.words[number]: float(count) for number, count in Counter(numbers.tolist()).items()}


_substitute_cache: UsageCache[Substitutes] = UsageCache(CACHE_SIZE)


def _probabilities(substitutes: Substitutes) -> Mapping[str, float]:
    return dict(zip(substitutes.words, substitutes.probabilities.tolist(), strict=True))


def bags_to_matrix(bags: Sequence[Mapping[str, float]], columns: Mapping[str, int]) -> sp.csr_array[Any]:
    """Convert bags of words to rows; words without a column are left out.

    >>> bags_to_matrix([{"shore": 0.5, "edge": 0.25}], {"edge": 0, "lender": 1}).toarray().tolist()
    [[0.25, 0.0]]
    """
    import scipy.sparse as sp

    entries = [
        (row, columns[word], weight) for row, bag in enumerate(bags) for word, weight in bag.items() if word in columns
    ]
    rows, places, data = ([entry[field] for entry in entries] for field in range(3))
    return sp.csr_array((np.array(data, float), (rows, places)), shape=(len(bags), len(columns)))


@dataclass(frozen=True, eq=False)
class FittedSubstituteVector:
    """A fitted representation: the substitutes are its dimensions."""

    spec: SubstituteVector
    names: tuple[str, ...]

    @property
    def state(self) -> RepresentationState:
        """The substitutes."""
        return {"names": names_array(self.names)}

    def __call__(self, passages: Passages) -> sp.csr_array[Any]:
        """Usages × substitutes; new substitutes are left out."""
        columns = {name: column for column, name in enumerate(self.names)}
        return bags_to_matrix(list(self.spec.weigh_substitutes(passages.usages)), columns)

    def named_features(self, passages: Passages) -> NamedFeatures:
        """The weights without the power, to describe senses by substitutes."""
        weights = self(passages)
        if self.spec.power:
            weights.data **= 1 / self.spec.power
        return NamedFeatures(self.names, weights)
