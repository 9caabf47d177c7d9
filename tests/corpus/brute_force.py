"""Counting word by word and pair by pair, by definition: slow and simple."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from itertools import groupby

from corpus.tiny_index import Row
from polyseme.corpus.windows import DependencyWindow, SlidingWindow, Window

Pair = tuple[str, str]


def units(rows: list[Row], window: SlidingWindow) -> Iterator[list[list[Row]]]:
    """Each unit of a window: a list of its places, each with the tokens there."""
    column = 0 if window.unit == "document" else 1
    for _, unit in groupby(rows, key=lambda row: row[column]):
        if window.place == "sentence":
            yield [list(sentence) for _, sentence in groupby(unit, key=lambda row: row[1])]
        else:
            yield [[row] for row in unit]


def contexts(rows: list[Row], window: SlidingWindow) -> Iterator[set[str]]:
    """The words of each run of places."""
    for places in units(rows, window):
        for start in range(max(1, len(places) - window.span + 1)):
            yield {row[3] for place in places[start : start + window.span] for row in place}


def token_pairs(rows: list[Row], window: SlidingWindow) -> Iterator[tuple[Row, Row]]:
    """Each two tokens that co-occur, in both orders."""
    for places in units(rows, window):
        for at, place in enumerate(places):
            near = [row for other in places[max(0, at - window.span + 1) : at + window.span] for row in other]
            yield from ((one, other) for one in place for other in near if one is not other)


def arcs(rows: list[Row], window: DependencyWindow) -> Iterator[tuple[Row, Row]]:
    """Heads with their dependents."""
    for _, group in groupby(rows, key=lambda row: row[1]):
        sentence = list(group)
        for row in sentence:
            if row[4] and (not window.relation_names or row[5] in window.relation_names):
                yield sentence[row[4] - 1], row


def pairs(rows: list[Row], window: Window, by: str, words: set[str]) -> tuple[Counter[Pair], Counter[str], int]:
    """The counts of pairs of these words, the totals of each word in the first place, and the total."""
    if isinstance(window, DependencyWindow):
        word_pairs = [(head[3], dependent[3]) for head, dependent in arcs(rows, window)]
        return _count_pairs(word_pairs, words), Counter(head for head, _ in word_pairs), len(word_pairs)
    if by == "token":
        counted = [row for row in rows if row[3] in words]
        counts: Counter[Pair] = Counter()
        for one, other in (
            token_pairs(rows, window) if len(counted) == len(rows) else _select_pairs(rows, window, words)
        ):
            counts[one[3], other[3]] += 1
        return counts, _totals(counts), counts.total()
    totals: Counter[str] = Counter()
    counts, total = Counter(), 0
    for context in contexts(rows, window):
        total += 1
        totals.update(context)
        counts.update((a, b) for a in context & words for b in context & words if a != b)
    return counts, totals, total


def _select_pairs(rows: list[Row], window: SlidingWindow, words: set[str]) -> Iterator[tuple[Row, Row]]:
    return (pair for pair in token_pairs(rows, window) if pair[0][3] in words and pair[1][3] in words)


def _count_pairs(word_pairs: Iterable[Pair], words: set[str]) -> Counter[Pair]:
    return Counter(pair for pair in word_pairs if pair[0] in words and pair[1] in words)


def _totals(counts: Counter[Pair]) -> Counter[str]:
    totals: Counter[str] = Counter()
    for (word, _), count in counts.items():
        totals[word] += count
    return totals


def neighbours(rows: list[Row], window: Window, word: str) -> dict[tuple[int, int], Counter[str]]:
    """The words that co-occur with each usage of a word, by its sentence and position."""
    counts: dict[tuple[int, int], Counter[str]] = {row[1:3]: Counter() for row in rows if row[3] == word}
    if isinstance(window, DependencyWindow):
        near = [pair for head, dependent in arcs(rows, window) for pair in ((head, dependent), (dependent, head))]
    else:
        near = [pair for pair in token_pairs(rows, window) if pair[0][3] == word]
    for one, other in near:
        if one[3] == word:
            counts[one[1:3]][other[3]] += 1
    return counts


def frequencies(rows: list[Row]) -> dict[str, tuple[int, int, int]]:
    """Tokens, sentences and documents of each word."""
    tokens: Counter[str] = Counter(row[3] for row in rows)
    places: dict[str, tuple[set[int], set[int]]] = defaultdict(lambda: (set(), set()))
    for document, sentence, _, word, *_ in rows:
        places[word][0].add(sentence)
        places[word][1].add(document)
    return {word: (count, len(places[word][0]), len(places[word][1])) for word, count in tokens.items()}
