"""Usages with the words around them in their order: what models look at that need more than a bag of words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from polyseme.arrays import Ints, expand_runs
from polyseme.corpus.analysers import Analyser
from polyseme.corpus.concordance import read_usages_at
from polyseme.corpus.context_bags import SERIAL_LIMIT, TextWords, list_text_words
from polyseme.corpus.index import Index
from polyseme.corpus.parallel_analysis import map_documents
from polyseme.corpus.word_selection import get_word_numbers
from polyseme.lemma import normalise_lemma, pos_of_lemma
from polyseme.usage import Usage
from polyseme.workers import available_processors

if TYPE_CHECKING:
    import scipy.sparse as sp


@dataclass(frozen=True, eq=False)
class Passages:
    """Usages of one lemma, each with the words of its passage.

    ``tokens`` are the numbers of ``words``, passage after passage; ``starts`` say where each begins, and where the last
    ends; ``targets`` where the target stands, or -1 if no token is where it should be.
    """

    usages: tuple[Usage, ...]
    words: Sequence[str]
    tokens: Ints
    starts: Ints
    targets: Ints

    def __len__(self) -> int:
        """How many usages there are."""
        return len(self.usages)

    @property
    def rows(self) -> Ints:
        """Of which usage each token is."""
        return np.repeat(np.arange(len(self)), np.diff(self.starts))

    def bags(self) -> sp.csr_array[Any]:
        """Usages × words: how often each word is in the passage, but for the target itself.

        >>> usage = Usage("u", "bank.n", "the bank the", 4, 8)
        >>> found = Passages((usage,), ("the", "bank"), np.array([0, 1, 0]), np.array([0, 3]), np.array([1]))
        >>> found.bags().toarray().tolist()
        [[2, 0]]
        """
        import scipy.sparse as sp

        kept = np.ones(len(self.tokens), bool)
        kept[self.targets[self.targets >= 0]] = False
        shape = (len(self), len(self.words))
        return sp.csr_array((np.ones(int(kept.sum()), np.int32), (self.rows[kept], self.tokens[kept])), shape=shape)

    def at(self, offset: int) -> Ints:
        """The number of the word so far from the target in each passage; -1 where there is none."""
        place = self.targets + offset
        inside = (self.targets >= 0) & (place >= self.starts[:-1]) & (place < self.starts[1:])
        return np.where(inside, self.tokens[np.where(inside, place, 0)] if len(self.tokens) else -1, -1)

    def sample(self, count: int, seed: int = 0, *, share: float = 1.0) -> Passages:
        """A share of the usages, ``count`` at most, drawn at random, in the same order; all, if there are no more."""
        return self.chosen(_draw_rows(np.arange(len(self)), count, share, seed))

    def with_lemma(self, lemma: str) -> Passages:
        """The same passages as usages of a lemma, whatever the index calls it: one without parts of speech has *bank*.

        >>> usage = Usage("u", "bank", "the bank", 4, 8)
        >>> of_index = Passages((usage,), ("the", "bank"), np.array([0, 1]), np.array([0, 2]), np.array([1]))
        >>> of_index.with_lemma("bank.n").usages[0].pos
        'n'
        """
        return replace(self, usages=tuple(replace_lemma(usage, lemma) for usage in self.usages))

    def chosen(self, rows: Ints) -> Passages:
        """Some of the usages, in this order."""
        sizes = np.diff(self.starts)[rows]
        starts = np.concatenate([[0], np.cumsum(sizes)])
        targets = self.targets[rows]
        moved = np.where(targets >= 0, targets - self.starts[:-1][rows] + starts[:-1], -1)
        tokens = self.tokens[expand_runs(self.starts[:-1][rows], sizes)]
        return Passages(tuple(self.usages[row] for row in rows.tolist()), self.words, tokens, starts, moved)


def replace_lemma(usage: Usage, lemma: str) -> Usage:
    """The usage as one of a lemma, with the part of speech that the lemma's name gives, if any."""
    return replace(usage, lemma=lemma, pos=pos_of_lemma(normalise_lemma(lemma)) or usage.pos)


def concatenate_passages(parts: Sequence[Passages]) -> Passages:
    """The usages of several, whose words are numbered anew."""
    if len(parts) == 1:
        return parts[0]
    numbers: dict[str, int] = {}
    tokens = [_renumber_tokens(each, numbers) for each in parts]
    firsts = np.cumsum([0, *map(len, tokens)])
    starts = [each.starts[:-1] + first for each, first in zip(parts, firsts, strict=False)]
    targets = [np.where(each.targets < 0, -1, each.targets + first) for each, first in zip(parts, firsts, strict=False)]
    return Passages(
        tuple(usage for each in parts for usage in each.usages),
        tuple(numbers),
        np.concatenate(tokens),
        np.concatenate([*starts, firsts[-1:]]).astype(np.intp),
        np.concatenate(targets),
    )


def _renumber_tokens(given: Passages, numbers: dict[str, int]) -> Ints:
    """The tokens by other numbers of their words; words that have none get the next."""
    there, back = np.unique(given.tokens, return_inverse=True)
    known = [numbers.setdefault(given.words[number], len(numbers)) for number in there.tolist()]
    return np.array(known, np.intp)[back]


# -- of an index ---------------------------------------------------------------------------------------------------


def read_passages(
    index: Index,
    words: Iterable[str],
    *,
    sentences: int = 3,
    most: int | None = None,
    share: float = 1.0,
    seed: int = 0,
) -> dict[str, Passages]:
    """Usages of words in an index, each with its sentence and those less than ``sentences`` away in its document.

    Of each word a ``share`` of the usages is drawn, and ``most`` of them at most. The text of a usage is that of its
    sentence.
    """
    given = list(dict.fromkeys(words))
    numbers = np.concatenate([np.zeros(0, np.intp), *(get_word_numbers([word], index.vocabulary) for word in given)])
    chosen = [_draw_rows(rows, most, share, seed) for rows in _find_occurrences(index, numbers)]
    found = _collect_passages(index, chosen, sentences)
    places = {place: word for word, each in zip(given, found, strict=True) for place in each.places}
    texts = read_usages_at(index, places)
    return {
        word: Passages(tuple(texts[place] for place in each.places), index.vocabulary, *each.arrays())
        for word, each in zip(given, found, strict=True)
    }


def _find_occurrences(index: Index, numbers: Ints) -> list[Ints]:
    """In which rows of all tokens each word stands."""
    found: list[list[Ints]] = [[] for _ in numbers]
    first = 0
    for part in index.parts("tokens", ["word"]):
        column = part.column("word").to_numpy()
        rows = np.flatnonzero(np.isin(column, numbers))
        for place, number in enumerate(numbers.tolist()):
            found[place].append(rows[column[rows] == number] + first)
        first += len(column)
    return [np.concatenate(each) if each else np.zeros(0, np.intp) for each in found]


def _draw_rows(rows: Ints, most: int | None, share: float, seed: int) -> Ints:
    count = min(int(np.ceil(share * len(rows))), len(rows) if most is None else most)
    return rows if count == len(rows) else np.sort(np.random.default_rng(seed).choice(rows, count, replace=False))


class _PassageCollector:
    """The passages of one word, gathered part by part."""

    def __init__(self) -> None:
        self.places: list[tuple[int, int]] = []
        self.tokens: list[Ints] = []
        self.sizes: list[Ints] = []
        self.targets: list[Ints] = []

    def arrays(self) -> tuple[Ints, Ints, Ints]:
        """Tokens, starts and targets."""
        sizes, within, tokens = (_concatenate(each) for each in (self.sizes, self.targets, self.tokens))
        starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.intp)
        return tokens, starts, starts[:-1] + within


def _concatenate(arrays: list[Ints]) -> Ints:
    return np.concatenate(arrays) if arrays else np.zeros(0, np.intp)


def _collect_passages(index: Index, chosen: Sequence[Ints], sentences: int) -> list[_PassageCollector]:
    """The passages around rows of the tokens, for each word."""
    found = [_PassageCollector() for _ in chosen]
    first = 0
    for part in index.parts("tokens", ["document", "sentence", "position", "word"]):
        document, sentence, position, word = (part.column(name).to_numpy() for name in part.column_names)
        for each, rows in zip(found, chosen, strict=True):
            mine = rows[(rows >= first) & (rows < first + len(word))] - first
            if not len(mine):
                continue
            begin = np.maximum(
                np.searchsorted(sentence, sentence[mine] - sentences + 1), np.searchsorted(document, document[mine])
            )
            end = np.minimum(
                np.searchsorted(sentence, sentence[mine] + sentences - 1, "right"),
                np.searchsorted(document, document[mine], "right"),
            )
            each.tokens.append(word[expand_runs(begin, end - begin)].astype(np.intp))
            each.sizes.append(end - begin)
            each.targets.append(mine - begin)
            each.places += zip(sentence[mine].tolist(), position[mine].tolist(), strict=True)
        first += len(word)
    return found


# -- of usages -----------------------------------------------------------------------------------------------------


def analyse_passages(
    usages: Iterable[Usage], analyser: Analyser, *, processes: int | None = None
) -> dict[str, Passages]:
    """The usages of each lemma, with the words of their text as an analyser sees them.

    >>> from polyseme.corpus.simple_analyser import Simple
    >>> usage = Usage("bank.n.1", "bank.n", "A bank, not the other bank.", 2, 6)
    >>> found = analyse_passages([usage], Simple(lemmatise=False))["bank.n"]
    >>> [found.words[number] for number in found.tokens.tolist()], found.targets.tolist()
    (['a', 'bank', ',', 'not', 'the', 'other', 'bank', '.'], [1])
    """
    given = list(usages)
    count = (available_processors() if len(given) > SERIAL_LIMIT else 1) if processes is None else processes
    texts = ((usage.id, usage.text) for usage in given)
    read = list(map_documents(list_text_words, analyser, texts, processes=count))
    found: dict[str, list[tuple[Usage, TextWords]]] = {}
    for usage, words in zip(given, read, strict=True):
        found.setdefault(usage.lemma, []).append((usage, words))
    return {lemma: _build_passages(each) for lemma, each in found.items()}


def passages_without_words(usages: Iterable[Usage]) -> dict[str, Passages]:
    """The usages of each lemma without their words, for those who read the texts themselves."""
    found: dict[str, list[tuple[Usage, TextWords]]] = {}
    for usage in usages:
        found.setdefault(usage.lemma, []).append((usage, []))
    return {lemma: _build_passages(each) for lemma, each in found.items()}


def _build_passages(read: Sequence[tuple[Usage, TextWords]]) -> Passages:
    numbers: dict[str, int] = {}
    tokens = [numbers.setdefault(word, len(numbers)) for _, words in read for _, _, word in words]
    starts = np.concatenate([[0], np.cumsum([len(words) for _, words in read])]).astype(np.intp)
    targets = [_find_target(usage, words) for usage, words in read]
    placed = [first + target if target >= 0 else -1 for first, target in zip(starts.tolist(), targets, strict=False)]
    every = tuple(usage for usage, _ in read)
    return Passages(every, tuple(numbers), np.array(tokens, np.intp), starts, np.array(placed, np.intp))


def _find_target(usage: Usage, words: TextWords) -> int:
    """The first word that has a part of the target; -1 if there is none."""
    return next((at for at, (start, end, _) in enumerate(words) if start < usage.end and end > usage.start), -1)
