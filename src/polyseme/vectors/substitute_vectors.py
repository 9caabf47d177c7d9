"""Usages by what could stand in place of the target."""

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
from polyseme.parts import FolderName, check_ranges
from polyseme.usage import Usage
from polyseme.vectors.representation import NamedFeatures, RepresentationState, names_array
from polyseme.vectors.usage_cache import UsageCache

if TYPE_CHECKING:
    import scipy.sparse as sp


CACHE_SIZE = 50_000
"""Of how many usages the last substitutes are kept, until another model is in the same folder: some 100 MB."""


@dataclass(frozen=True)
class SubstituteVector:
    """The likeliest substitutes of a usage, with their probabilities; or so many ``samples`` of them, with counts.

    (Yatbaz et al. 2012, Baskaya et al. 2013)

    ``model`` is a folder of an n-gram model or a substituter, as in ``polyseme substitutes``; if empty, the model of
    the State of the Union addresses. Weights are raised to the ``power``: with .5, cosines are those of square roots
    of probabilities, in which rarer substitutes have more of a say (Bhattacharyya 1943). Samples are drawn with the
    name of the usage and ``seed``, so that the same usage always has the same ones.
    """

    kind: ClassVar[str] = "representation"
    reads_text: ClassVar[bool] = True
    model: FolderName = ""
    count: int = 100
    samples: int = 0
    seed: int = 0
    power: float = 1.0

    def __post_init__(self) -> None:
        check_ranges(self, count=(1, inf), samples=(0, inf), power=(0, inf))

    @property
    def alone(self) -> bool:
        """Whether one process should do it all: not with n-grams, whose files all processes look into together."""
        return not isinstance(_open_substituter(self.model), NGramSubstitutes)

    def fit(self, passages: Passages) -> FittedSubstituteVector:
        """Find out which substitutes there are."""
        names = sorted({word for each in self.found(passages.usages) for word in each})
        if not names:
            raise TooLittleData("no usage of it has substitutes")
        return FittedSubstituteVector(self, tuple(names))

    def restore(self, state: RepresentationState) -> FittedSubstituteVector:
        """With the same substitutes again."""
        return FittedSubstituteVector(self, tuple(state["names"].tolist()))

    def found(self, usages: Sequence[Usage]) -> Iterator[Mapping[str, float]]:
        """The substitutes of each usage, with their weights."""
        last = last_modified(getattr(_open_substituter(self.model), "model", ""))
        asked = partial(_open_substituter(self.model).substitutes, count=self.count)
        given = _substitute_cache((self.model, self.count, last), usages, asked)
        for usage, each in zip(usages, given, strict=True):
            weights = self._drawn(usage.id, each) if self.samples else _probabilities(each)
            yield self._raised(weights)

    def _raised(self, weights: Mapping[str, float]) -> Mapping[str, float]:
        return weights if self.power == 1 else {word: weight**self.power for word, weight in weights.items()}

    def _drawn(self, name: str, each: Substitutes) -> Mapping[str, float]:
        if not len(each):
            return {}
        digest = hashlib.sha256(f"{self.seed} {name}".encode()).digest()
        lots = np.random.default_rng(int.from_bytes(digest[:8], "big"))
        drawn = lots.choice(len(each), self.samples, p=each.probabilities)
        return {each.words[at]: float(times) for at, times in Counter(drawn.tolist()).items()}


def _open_substituter(model: str) -> Substituter:
    return build_substituter(model or "NGramSubstitutes")


_substitute_cache: UsageCache[Substitutes] = UsageCache(CACHE_SIZE)


def _probabilities(each: Substitutes) -> Mapping[str, float]:
    return dict(zip(each.words, each.probabilities.tolist(), strict=True))


def bags_to_matrix(bags: Sequence[Mapping[str, float]], columns: Mapping[str, int]) -> sp.csr_array[Any]:
    """Bags of words as rows; words that have no column are left out.

    >>> bags_to_matrix([{"shore": 0.5, "edge": 0.25}], {"edge": 0, "lender": 1}).toarray().tolist()
    [[0.25, 0.0]]
    """
    import scipy.sparse as sp

    entries = [
        (row, columns[word], weight) for row, bag in enumerate(bags) for word, weight in bag.items() if word in columns
    ]
    rows, places, data = ([entry[part] for entry in entries] for part in range(3))
    return sp.csr_array((np.array(data, float), (rows, places)), shape=(len(bags), len(columns)))


@dataclass(frozen=True, eq=False)
class FittedSubstituteVector:
    """The substitutes that there are."""

    spec: SubstituteVector
    names: tuple[str, ...]

    @property
    def state(self) -> RepresentationState:
        """The substitutes."""
        return {"names": names_array(self.names)}

    def __call__(self, passages: Passages) -> sp.csr_array[Any]:
        """Usages × substitutes; those that were not known before are left out."""
        return bags_to_matrix(list(self.spec.found(passages.usages)), {name: at for at, name in enumerate(self.names)})

    def telling(self, passages: Passages) -> NamedFeatures:
        """The same with probabilities as they were, to say which substitutes tell a sense."""
        found = self(passages)
        if self.spec.power:
            found.data **= 1 / self.spec.power
        return NamedFeatures(self.names, found)
