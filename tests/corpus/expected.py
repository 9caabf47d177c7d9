"""Windows of every kind, and the comparison of counts with those of brute force."""

from __future__ import annotations

from collections import Counter

import numpy as np
import scipy.sparse as sp

from polyseme.corpus.counts import CooccurrenceCounts, UsageContexts
from polyseme.corpus.index import Index
from polyseme.corpus.windows import DependencyWindow, SentenceWindow, Window, WordWindow

WINDOWS: list[Window] = [
    SentenceWindow(),
    SentenceWindow(3),
    WordWindow(2),
    WordWindow(3, across=True),
    DependencyWindow(),
    DependencyWindow("x y"),
]


def assert_counts(counts: CooccurrenceCounts, expected: tuple[Counter[tuple[str, str]], Counter[str], int]) -> None:
    """Check the pairs of the matrix, the totals of its rows, and the total."""
    pairs, totals, total = expected
    entries = counts.matrix.tocoo()
    triples = zip(entries.row.tolist(), entries.col.tolist(), entries.data.tolist(), strict=True)
    counted = {(counts.rows[row], counts.columns[column]): count for row, column, count in triples}
    assert counted == {pair: pairs[pair] for pair in pairs if pair[0] in counts.rows and pair[1] in counts.columns}
    assert counts.row_totals.tolist() == [totals[word] for word in counts.rows]
    assert counts.total == total


def as_counts(
    index: Index, expected: tuple[Counter[tuple[str, str]], Counter[str], int], symmetric: bool
) -> CooccurrenceCounts:
    """The counts of brute force for all words of an index, as a value that is fast to compare."""
    pairs, totals, total = expected
    number = index.vocabulary.number
    rows, columns = (np.array([number(pair[at]) for pair in pairs], int) for at in (0, 1))
    data = np.array(list(pairs.values()), int)
    upper = rows <= columns if symmetric else np.ones(len(rows), bool)
    size = len(index.vocabulary)
    matrix = sp.csr_array((data[upper], (rows[upper], columns[upper])), shape=(size, size))
    first = np.array([totals[word] for word in index.vocabulary])
    second = first if symmetric else matrix.sum(axis=0)
    return CooccurrenceCounts(matrix, index.vocabulary, index.vocabulary, first, second, total, symmetric)


def assert_contexts(contexts: UsageContexts, expected: dict[tuple[int, int], Counter[str]]) -> None:
    """Check the usages, and the words that co-occur with them."""
    places = list(zip(contexts.sentence.tolist(), contexts.position.tolist(), strict=True))
    assert places == sorted(expected)
    for row, place in enumerate(places):
        own = contexts.matrix[[row]]
        words = {
            contexts.vocabulary[at]: count for at, count in zip(own.indices.tolist(), own.data.tolist(), strict=True)
        }
        assert words == expected[place]
