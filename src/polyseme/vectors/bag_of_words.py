"""Bags of words: the words of a passage, anywhere or at exact positions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np

from polyseme.arrays import Floats, Ints
from polyseme.corpus.content_words import FREQUENT_WORDS
from polyseme.corpus.passages import Passages
from polyseme.corpus.vocabulary import have_pos
from polyseme.errors import InputError, TooLittleData
from polyseme.lemma import POS_LETTERS, pos_of_lemma
from polyseme.matrices import unit_rows
from polyseme.parts import CheckedOptions, Ranges
from polyseme.vectors.representation import RepresentationState, names_array

if TYPE_CHECKING:
    import scipy.sparse as sp


@dataclass(frozen=True)
class Bag(CheckedOptions):
    """How often each word occurs in the passage of a usage.

    Args:
        minimum: The least number of passages of a word.
        pos: The parts of speech. Where words have none, all but the most frequent words are taken.
        positions: How many positions on either side of the target have features of their own, for words of any part of
            speech: ``of#-1`` is *of* just before the target (Lau et al. 2012).
        weighting: ``count``, ``binary`` or ``tfidf``: count · log(usages / usages with the word), with rows of length
            1.
        stop: How many of the most frequent words are left out where words have no part of speech.

    >>> from polyseme.corpus.simple_analyser import Simple
    >>> from polyseme.corpus.passages import analyse_passages
    >>> from polyseme.usage import Usage
    >>> texts = ["The bank lends.", "The bank spends."]
    >>> usages = [Usage(f"u{number}", "bank", text, 4, 8) for number, text in enumerate(texts)]
    >>> passages = analyse_passages(usages, Simple(lemmatise=False))["bank"]
    >>> fitted = Bag(minimum=1, positions=1, stop=0).fit(passages)
    >>> list(fitted.names)
    ['lends', 'spends', 'the', 'the#-1', 'lends#1', 'spends#1']
    >>> fitted(passages).toarray().tolist()
    [[1.0, 0.0, 1.0, 1.0, 1.0, 0.0], [0.0, 1.0, 1.0, 1.0, 0.0, 1.0]]
    """

    kind: ClassVar[str] = "representation"
    reads_text: ClassVar[bool] = False
    ranges: ClassVar[Ranges] = {"minimum": (1, inf), "positions": (0, inf), "stop": (0, inf)}
    minimum: int = 5
    pos: str = "nvar"
    positions: int = 0
    weighting: Literal["count", "binary", "tfidf"] = "count"
    stop: int = FREQUENT_WORDS

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.pos or set(self.pos) - set(POS_LETTERS):
            raise InputError(f"Bag: pos is {self.pos!r}; it must be one or more of the letters nvar")

    def fit(self, passages: Passages) -> FittedBag:
        """Select the words."""
        names: list[str] = []
        for offset, counts in _iterate_counts(passages, self.positions):
            words = np.unique(counts.indices) if offset else self._content_words(passages, counts)
            frequent = words[_document_frequencies(counts)[words] >= self.minimum]
            names += sorted(feature_name(passages.words[word], offset) for word in frequent.tolist())
        if not names:
            raise TooLittleData(f"no word is in {self.minimum} of its {len(passages)} passages")
        fitted = FittedBag(self, tuple(names), np.ones(len(names)))
        if self.weighting != "tfidf":
            return fitted
        frequencies = _document_frequencies(fitted.counts(passages))
        return FittedBag(self, fitted.names, np.log(len(passages) / np.maximum(frequencies, 1)))

    def restore(self, state: RepresentationState) -> FittedBag:
        """Rebuild the bag from its words."""
        return FittedBag(self, tuple(state["names"].tolist()), state["weights"])

    def _content_words(self, passages: Passages, bags: sp.csr_array[Any]) -> Ints:
        """The numbers of the words of these parts of speech."""
        words: Ints = np.unique(bags.indices).astype(np.intp)
        letters = [pos_of_lemma(passages.words[word]) for word in words.tolist()]
        if have_pos(letters):
            is_content = np.array([bool(letter) and letter in self.pos for letter in letters], bool)
        else:
            totals = np.asarray(bags.sum(axis=0)).ravel()[words]
            is_content = np.array([passages.words[word][:1].isalpha() for word in words.tolist()], bool)
            is_content[np.argsort(-totals, kind="stable")[: min(self.stop, len(words) // 10)]] = False
        return np.asarray(words[is_content], np.intp)


@dataclass(frozen=True, eq=False)
class FittedBag:
    """A bag with its words, and their weights."""

    spec: Bag
    names: tuple[str, ...]
    weights: Floats

    @property
    def state(self) -> RepresentationState:
        """The words, and their weights."""
        return {"names": names_array(self.names), "weights": self.weights}

    def counts(self, passages: Passages) -> sp.csr_array[Any]:
        """Usages × features: how often each feature occurs."""
        import scipy.sparse as sp

        columns = {name: column for column, name in enumerate(self.names)}
        first, *others = (
            _words_to_features(counts, passages, columns, offset)
            for offset, counts in _iterate_counts(passages, self.spec.positions)
        )
        total: sp.csr_array[Any] = sp.csr_array(sum(others, first))
        return total

    def __call__(self, passages: Passages) -> sp.csr_array[Any]:
        """Usages × features, weighted."""
        matrix = self.counts(passages).astype(float)
        if self.spec.weighting == "binary":
            matrix.data = np.minimum(matrix.data, 1.0)
        if self.spec.weighting == "tfidf":
            matrix.data = matrix.data * self.weights[matrix.indices]
            matrix = unit_rows(matrix)
        return matrix


def position_offsets(positions: int) -> list[int]:
    """List the offsets of the positions on both sides of the target.

    >>> position_offsets(2)
    [-2, -1, 1, 2]
    """
    return [offset for offset in range(-positions, positions + 1) if offset]


def feature_name(word: str, offset: int) -> str:
    """The name of a word as a feature at a position; without an offset, the word itself."""
    return f"{word}#{offset}" if offset else word


def _document_frequencies(counts: sp.csr_array[Any]) -> Ints:
    return np.asarray((counts > 0).sum(axis=0)).ravel()


def _iterate_counts(passages: Passages, positions: int) -> Iterator[tuple[int, sp.csr_array[Any]]]:
    """Yield usages × words for the whole passage, with offset 0, and then for each position, with its offset."""
    import scipy.sparse as sp

    yield 0, passages.bags()
    for offset in position_offsets(positions):
        words = passages.words_at(offset)
        rows = np.flatnonzero(words >= 0)
        ones = (np.ones(len(rows), np.int32), (rows, words[rows]))
        yield offset, sp.csr_array(ones, shape=(len(passages), len(passages.words)))


def _words_to_features(
    matrix: sp.csr_array[Any], passages: Passages, columns: dict[str, int], offset: int
) -> sp.csr_array[Any]:
    """Replace the columns of words by those of features; words that are no features are left out."""
    import scipy.sparse as sp

    words, inverse = np.unique(matrix.indices, return_inverse=True)
    names = (feature_name(passages.words[word], offset) for word in words.tolist())
    features = np.array([columns.get(name, -1) for name in names], np.intp)[inverse]
    rows = np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr))
    is_feature = features >= 0
    entries = (matrix.data[is_feature], (rows[is_feature], features[is_feature]))
    return sp.csr_array(entries, shape=(matrix.shape[0], len(columns)))
