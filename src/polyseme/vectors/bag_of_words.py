"""Usages by the words around them, wherever these stand and where exactly."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np

from polyseme.arrays import Floats, Ints
from polyseme.corpus.passages import Passages
from polyseme.corpus.vocabulary import have_pos, pos_of_lemma
from polyseme.errors import InputError
from polyseme.induction.fitting import FREQUENT_WORDS, TooLittleData
from polyseme.parts import check_options, check_ranges
from polyseme.vectors.representation import RepresentationState, names_array

if TYPE_CHECKING:
    import scipy.sparse as sp


@dataclass(frozen=True)
class Bag:
    """How often each word is around a usage; and, with ``positions``, which words stand so near on either side.

    Words of the parts of speech ``pos`` that are in ``minimum`` passages or more; where there are no parts of speech,
    all but the most frequent. A word at a position, of whatever part of speech, is a feature of its own, as ``of#-1``
    for *of* just before the target (Lau et al. 2012). ``weighting`` is ``count``, ``binary`` or ``tfidf``:
    count · log(usages / usages with the word), rows then of length 1.

    >>> from polyseme.corpus.simple_analyser import Simple
    >>> from polyseme.corpus.passages import analyse_passages
    >>> from polyseme.usage import Usage
    >>> given = [Usage(f"u{n}", "bank", text, 4, 8) for n, text in enumerate(["The bank lends.", "The bank spends."])]
    >>> found = analyse_passages(given, Simple(lemmatise=False))["bank"]
    >>> fitted = Bag(minimum=1, positions=1, stop=0).fit(found)
    >>> list(fitted.names)
    ['lends', 'spends', 'the', 'the#-1', 'lends#1', 'spends#1']
    >>> fitted(found).toarray().tolist()
    [[1.0, 0.0, 1.0, 1.0, 1.0, 0.0], [0.0, 1.0, 1.0, 1.0, 0.0, 1.0]]
    """

    kind: ClassVar[str] = "representation"
    reads_text: ClassVar[bool] = False
    minimum: int = 5
    pos: str = "nvar"
    positions: int = 0
    weighting: Literal["count", "binary", "tfidf"] = "count"
    stop: int = FREQUENT_WORDS

    def __post_init__(self) -> None:
        check_options(self)
        check_ranges(self, minimum=(1, inf), positions=(0, inf), stop=(0, inf))
        if not self.pos or set(self.pos) - set("nvar"):
            raise InputError(f"Bag: pos is {self.pos!r}; it must be some of the letters nvar")

    def fit(self, passages: Passages) -> FittedBag:
        """Choose the words."""
        names: list[str] = []
        for each, kept in self._features(passages):
            there = np.asarray((each > 0).sum(axis=0)).ravel()
            chosen = kept[there[kept[:, 0]] >= self.minimum] if len(kept) else kept
            names += sorted(self._name(passages, number, offset) for number, offset in chosen.tolist())
        if not names:
            raise TooLittleData(f"no word is in {self.minimum} of its {len(passages)} passages")
        fitted = FittedBag(self, tuple(names), np.ones(len(names)))
        if self.weighting != "tfidf":
            return fitted
        there = np.asarray((fitted.counts(passages) > 0).sum(axis=0)).ravel()
        return FittedBag(self, fitted.names, np.log(len(passages) / np.maximum(there, 1)))

    def restore(self, state: RepresentationState) -> FittedBag:
        """The same words again."""
        return FittedBag(self, tuple(state["names"].tolist()), state["weights"])

    def _features(self, passages: Passages) -> Iterator[tuple[sp.csr_array[Any], Ints]]:
        """Usages × words, and which words may be features at which offset; for the bag, then for each position."""
        bags = passages.bags()
        yield bags, _pair_with_offset(self._content(passages, bags), 0)
        for offset in position_offsets(self.positions):
            at = _indicator_matrix(passages.at(offset), len(passages.words))
            yield at, _pair_with_offset(np.unique(at.indices), offset)

    def _content(self, passages: Passages, bags: sp.csr_array[Any]) -> Ints:
        """The numbers of words that have content."""
        there = np.unique(bags.indices)
        parts = [pos_of_lemma(passages.words[number]) for number in there.tolist()]
        if have_pos(parts):
            return np.asarray(there[np.array([bool(part) and part in self.pos for part in parts], bool)], np.intp)
        totals = np.asarray(bags.sum(axis=0)).ravel()[there]
        kept = np.ones(len(there), bool)
        kept[np.argsort(-totals, kind="stable")[: min(self.stop, len(there) // 10)]] = False
        alphabetic = [passages.words[number][:1].isalpha() for number in there.tolist()]
        return np.asarray(there[kept & np.array(alphabetic, bool)], np.intp)

    @staticmethod
    def _name(passages: Passages, number: int, offset: int) -> str:
        return feature_name(passages.words[number], offset)


@dataclass(frozen=True, eq=False)
class FittedBag:
    """A bag with its words chosen."""

    spec: Bag
    names: tuple[str, ...]
    weights: Floats

    @property
    def state(self) -> RepresentationState:
        """The words, and their weights."""
        return {"names": names_array(self.names), "weights": self.weights}

    def counts(self, passages: Passages) -> sp.csr_array[Any]:
        """How often each feature is there."""
        import scipy.sparse as sp

        column = {name: at for at, name in enumerate(self.names)}
        found = [_words_to_features(passages.bags(), passages, column, 0)]
        for offset in position_offsets(self.spec.positions):
            at = _indicator_matrix(passages.at(offset), len(passages.words))
            found.append(_words_to_features(at, passages, column, offset))
        total: sp.csr_array[Any] = sp.csr_array(sum(found[1:], found[0]))
        return total

    def __call__(self, passages: Passages) -> sp.csr_array[Any]:
        """Usages × features, weighed."""
        found = self.counts(passages).astype(float)
        if self.spec.weighting == "binary":
            found.data = np.minimum(found.data, 1.0)
        if self.spec.weighting == "tfidf":
            found.data = found.data * self.weights[found.indices]
            found = scale_to_unit_rows(found)
        return found


def position_offsets(positions: int) -> list[int]:
    """The places so near on either side.

    >>> position_offsets(2)
    [-2, -1, 1, 2]
    """
    return [offset for offset in range(-positions, positions + 1) if offset]


def feature_name(word: str, offset: int) -> str:
    """What a word at a place is called as a feature; anywhere, by its own name."""
    return f"{word}#{offset}" if offset else word


def scale_to_unit_rows(matrix: Any) -> Any:
    """Rows of length 1; rows of zeros stay what they are.

    >>> scale_to_unit_rows(np.array([[3.0, 4.0], [0.0, 0.0]])).tolist()
    [[0.6, 0.8], [0.0, 0.0]]
    """
    import scipy.sparse as sp

    if isinstance(matrix, np.ndarray):
        length = np.linalg.norm(matrix, axis=1, keepdims=True)
        return matrix / np.where(length > 0, length, 1)
    length = np.sqrt(np.asarray(matrix.multiply(matrix).sum(axis=1)).ravel())
    return sp.csr_array(sp.diags_array(1 / np.where(length > 0, length, 1)) @ matrix)


def _pair_with_offset(numbers: Ints, offset: int) -> Ints:
    return np.column_stack([numbers, np.full(len(numbers), offset)]).astype(np.intp)


def _indicator_matrix(numbers: Ints, size: int) -> sp.csr_array[Any]:
    """Usages × words, with a one for the word that each usage has."""
    import scipy.sparse as sp

    rows = np.flatnonzero(numbers >= 0)
    return sp.csr_array((np.ones(len(rows), np.int32), (rows, numbers[rows])), shape=(len(numbers), size))


def _words_to_features(
    matrix: sp.csr_array[Any], passages: Passages, column: dict[str, int], offset: int
) -> sp.csr_array[Any]:
    """Words by their numbers as features by theirs; words that are no features are left out."""
    import scipy.sparse as sp

    there, back = np.unique(matrix.indices, return_inverse=True)
    names = (feature_name(passages.words[number], offset) for number in there.tolist())
    to = np.array([column.get(name, -1) for name in names], np.intp)
    rows = np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr))
    columns = to[back] if len(there) else np.zeros(0, np.intp)
    kept = columns >= 0
    shape = (matrix.shape[0], len(column))
    return sp.csr_array((matrix.data[kept], (rows[kept], columns[kept])), shape=shape)
