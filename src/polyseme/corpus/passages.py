"""Passages: usages with the words around them, in order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from polyseme.arrays import Ints, expand_runs
from polyseme.corpus.analysers import Analyser
from polyseme.corpus.concordance import read_usages_at
from polyseme.corpus.index import Index
from polyseme.corpus.parallel_analysis import TextWords, analyse_usages
from polyseme.corpus.word_selection import get_word_numbers
from polyseme.lemma import normalise_lemma, pos_of_lemma
from polyseme.usage import Usage

if TYPE_CHECKING:
    import scipy.sparse as sp


@dataclass(frozen=True, eq=False)
class Passages:
    """Usages of one lemma, each with the words of its passage.

    Args:
        usages: The usages.
        words: The words, by number.
        tokens: The numbers of words, passage after passage.
        starts: Where each passage starts in ``tokens``, and where the last one ends.
        targets: The position of each target in ``tokens``; -1 if no token overlaps with it.
    """

    usages: tuple[Usage, ...]
    words: Sequence[str]
    tokens: Ints
    starts: Ints
    targets: Ints

    def __len__(self) -> int:
        """The number of usages."""
        return len(self.usages)

    @property
    def rows(self) -> Ints:
        """The number of the usage of each token."""
        return np.repeat(np.arange(len(self)), np.diff(self.starts))

    def bags(self) -> sp.csr_array[Any]:
        """Usages × words: how often each word is in the passage, without the target.

        >>> usage = Usage("u", "bank.n", "the bank the", 4, 8)
        >>> passages = Passages((usage,), ("the", "bank"), np.array([0, 1, 0]), np.array([0, 3]), np.array([1]))
        >>> passages.bags().toarray().tolist()
        [[2, 0]]
        """
        import scipy.sparse as sp

        context = np.ones(len(self.tokens), bool)
        context[self.targets[self.targets >= 0]] = False
        entries = (np.ones(int(context.sum()), np.int32), (self.rows[context], self.tokens[context]))
        return sp.csr_array(entries, shape=(len(self), len(self.words)))

    def words_at(self, offset: int) -> Ints:
        """The number of the word at this offset from the target in each passage; -1 if there is none."""
        position = self.targets + offset
        inside = (self.targets >= 0) & (position >= self.starts[:-1]) & (position < self.starts[1:])
        return np.where(inside, self.tokens[np.where(inside, position, 0)] if len(self.tokens) else -1, -1)

    def sample(self, count: int, seed: int = 0, *, share: float = 1.0) -> Passages:
        """Draw a share of the usages, at most ``count``, in the same order."""
        return self.select(draw_rows(np.arange(len(self)), count, share, seed))

    def with_lemma(self, lemma: str) -> Passages:
        """The same passages as usages of a lemma; an index without parts of speech has *bank* for *bank.n*.

        >>> usage = Usage("u", "bank", "the bank", 4, 8)
        >>> passages = Passages((usage,), ("the", "bank"), np.array([0, 1]), np.array([0, 2]), np.array([1]))
        >>> passages.with_lemma("bank.n").usages[0].pos
        'n'
        """
        return replace(self, usages=tuple(replace_lemma(usage, lemma) for usage in self.usages))

    def select(self, rows: Ints) -> Passages:
        """The usages of these rows, in this order."""
        sizes = np.diff(self.starts)[rows]
        starts = np.concatenate([[0], np.cumsum(sizes)])
        targets = self.targets[rows]
        new_targets = np.where(targets >= 0, targets - self.starts[:-1][rows] + starts[:-1], -1)
        tokens = self.tokens[expand_runs(self.starts[:-1][rows], sizes)]
        return Passages(tuple(self.usages[row] for row in rows.tolist()), self.words, tokens, starts, new_targets)


def replace_lemma(usage: Usage, lemma: str) -> Usage:
    """Assign a usage to a lemma, with the part of speech in the lemma's name, if any."""
    return replace(usage, lemma=lemma, pos=pos_of_lemma(normalise_lemma(lemma)) or usage.pos)


NO_NUMBERS = np.zeros(0, np.intp)


def concatenate_passages(parts: Sequence[Passages]) -> Passages:
    """Join the usages of several passages, whose words are renumbered."""
    if len(parts) == 1:
        return parts[0]
    numbers: dict[str, int] = {}
    tokens = [_renumber_tokens(part, numbers) for part in parts]
    firsts = np.cumsum([0, *map(len, tokens)])
    starts = [part.starts[:-1] + first for part, first in zip(parts, firsts, strict=False)]
    targets = [np.where(part.targets < 0, -1, part.targets + first) for part, first in zip(parts, firsts, strict=False)]
    return Passages(
        tuple(usage for part in parts for usage in part.usages),
        tuple(numbers),
        np.concatenate([NO_NUMBERS, *tokens]),
        np.concatenate([*starts, firsts[-1:]]).astype(np.intp),
        np.concatenate([NO_NUMBERS, *targets]),
    )


def _renumber_tokens(passages: Passages, numbers: dict[str, int]) -> Ints:
    """The tokens by other numbers of their words; new words get the next numbers."""
    word_numbers, inverse = np.unique(passages.tokens, return_inverse=True)
    new_numbers = [numbers.setdefault(passages.words[number], len(numbers)) for number in word_numbers.tolist()]
    return np.array(new_numbers, np.intp)[inverse]


# -- from an index -------------------------------------------------------------------------------------------------


def read_passages(
    index: Index,
    words: Iterable[str],
    *,
    sentences: int = 3,
    most: int | None = None,
    share: float = 1.0,
    seed: int = 0,
) -> dict[str, Passages]:
    """Read the usages of words in an index, each with the sentences around it.

    Args:
        index: The index.
        words: The words.
        sentences: Sentences less than this far from the target, in the same document, are in the passage. The text of a
            usage is that of its sentence.
        most: The greatest number of usages of a word.
        share: The share of the usages of a word that is drawn.
        seed: The random seed.
    """
    words = list(dict.fromkeys(words))
    numbers = np.concatenate([np.zeros(0, np.intp), *(get_word_numbers([word], index.vocabulary) for word in words)])
    rows = [draw_rows(occurrences, most, share, seed) for occurrences in _find_occurrences(index, numbers)]
    collectors = dict(zip(words, _collect_passages(index, rows, sentences), strict=True))
    places = {place: word for word, collector in collectors.items() for place in collector.places}
    usages = read_usages_at(index, places)
    return {
        word: Passages(tuple(usages[place] for place in collector.places), index.vocabulary, *collector.arrays())
        for word, collector in collectors.items()
    }


def _find_occurrences(index: Index, numbers: Ints) -> list[Ints]:
    """The rows of all tokens in which each word occurs."""
    occurrences: list[list[Ints]] = [[np.zeros(0, np.intp)] for _ in numbers]
    first = 0
    for part in index.parts("tokens", ["word"]):
        words = part.numbers("word")
        rows = np.flatnonzero(np.isin(words, numbers))
        for own_rows, number in zip(occurrences, numbers.tolist(), strict=True):
            own_rows.append(rows[words[rows] == number] + first)
        first += len(words)
    return [np.concatenate(own_rows) for own_rows in occurrences]


def draw_rows(rows: Ints, most: int | None, share: float = 1.0, seed: int = 0) -> Ints:
    """Draw a random sample of rows, in their order; with the same seed, a smaller sample is part of a larger one.

    Args:
        rows: The rows.
        most: The size of the sample, at most.
        share: The share of the rows that is drawn.
        seed: The random seed.

    >>> len(draw_rows(np.arange(100), 10)), set(draw_rows(np.arange(100), 5)) < set(draw_rows(np.arange(100), 10))
    (10, True)
    """
    count = min(int(np.ceil(share * len(rows))), len(rows) if most is None else most)
    if count == len(rows):
        return rows
    sample: Ints = np.sort(rows[np.random.default_rng(seed).permutation(len(rows))[:count]])
    return sample


class _PassageCollector:
    """The passages of one word, collected part by part."""

    def __init__(self) -> None:
        empty = np.zeros(0, np.intp)
        self.places: list[tuple[int, int]] = []
        self.tokens, self.sizes, self.targets = [empty], [empty], [empty]

    def arrays(self) -> tuple[Ints, Ints, Ints]:
        """Tokens, starts and targets."""
        sizes, targets, tokens = map(np.concatenate, (self.sizes, self.targets, self.tokens))
        starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.intp)
        return tokens, starts, starts[:-1] + targets


def _collect_passages(index: Index, rows_by_word: Sequence[Ints], sentences: int) -> list[_PassageCollector]:
    """The passages around rows of the tokens, for each word."""
    collectors = [_PassageCollector() for _ in rows_by_word]
    first = 0
    for part in index.parts("tokens", ["document", "sentence", "position", "word"]):
        document, sentence, position, word = (part.numbers(name) for name in part.column_names)
        for collector, all_rows in zip(collectors, rows_by_word, strict=True):
            rows = all_rows[(all_rows >= first) & (all_rows < first + len(word))] - first
            if not len(rows):
                continue
            begin = np.maximum(
                np.searchsorted(sentence, sentence[rows] - sentences + 1), np.searchsorted(document, document[rows])
            )
            end = np.minimum(
                np.searchsorted(sentence, sentence[rows] + sentences - 1, "right"),
                np.searchsorted(document, document[rows], "right"),
            )
            collector.tokens.append(word[expand_runs(begin, end - begin)].astype(np.intp))
            collector.sizes.append(end - begin)
            collector.targets.append(rows - begin)
            collector.places += zip(sentence[rows].tolist(), position[rows].tolist(), strict=True)
        first += len(word)
    return collectors


# -- from usages ---------------------------------------------------------------------------------------------------


def analyse_passages(
    usages: Iterable[Usage], analyser: Analyser, *, processes: int | None = None
) -> dict[str, Passages]:
    """Analyse the texts of usages, and return the passages of each lemma.

    >>> from polyseme.corpus.simple_analyser import Simple
    >>> usage = Usage("bank.n.1", "bank.n", "A bank, not the other bank.", 2, 6)
    >>> passages = analyse_passages([usage], Simple(lemmatise=False))["bank.n"]
    >>> [passages.words[number] for number in passages.tokens.tolist()], passages.targets.tolist()
    (['a', 'bank', ',', 'not', 'the', 'other', 'bank', '.'], [1])
    """
    usages = list(usages)
    return _group_by_lemma(zip(usages, analyse_usages(usages, analyser, processes), strict=True))


def passages_without_words(usages: Iterable[Usage]) -> dict[str, Passages]:
    """Return passages without words, for representations that read the texts themselves."""
    return _group_by_lemma((usage, []) for usage in usages)


def _group_by_lemma(analysed: Iterable[tuple[Usage, TextWords]]) -> dict[str, Passages]:
    groups: dict[str, list[tuple[Usage, TextWords]]] = {}
    for usage, words in analysed:
        groups.setdefault(usage.lemma, []).append((usage, words))
    return {lemma: _build_passages(group) for lemma, group in groups.items()}


def _build_passages(group: Sequence[tuple[Usage, TextWords]]) -> Passages:
    numbers: dict[str, int] = {}
    tokens = [numbers.setdefault(word, len(numbers)) for _, words in group for _, _, word in words]
    starts = np.concatenate([[0], np.cumsum([len(words) for _, words in group])]).astype(np.intp)
    within = np.array([_find_target(usage, words) for usage, words in group], np.intp)
    targets = np.where(within >= 0, starts[:-1] + within, -1)
    usages = tuple(usage for usage, _ in group)
    return Passages(usages, tuple(numbers), np.array(tokens, np.intp), starts, targets)


def _find_target(usage: Usage, words: TextWords) -> int:
    """The number of the first word that overlaps with the target; -1 if there is none."""
    spans = ((number, start, end) for number, (start, end, _) in enumerate(words))
    return next((number for number, start, end in spans if start < usage.end and end > usage.start), -1)
