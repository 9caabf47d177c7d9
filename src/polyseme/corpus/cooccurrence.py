"""Counting words and pairs of words in an index, in this process or on an engine, with the same result."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from polyseme.arrays import Ints
from polyseme.corpus import ibis_counts, sparse_counts
from polyseme.corpus.counts import CooccurrenceCounts, UsageContexts, WordFrequencies
from polyseme.corpus.engine import Engine
from polyseme.corpus.ibis_counts import ArcPairs, SlidingPairs
from polyseme.corpus.index import Index
from polyseme.corpus.part_matrices import WordColumns
from polyseme.corpus.sparse_counts import CountUnit, PairCounts, UsageNeighbours
from polyseme.corpus.vocabulary import Vocabulary
from polyseme.corpus.windows import DependencyWindow, SentenceWindow, Window
from polyseme.corpus.word_selection import WordSelection, get_word_numbers
from polyseme.errors import InputError

if TYPE_CHECKING:
    import ibis
    import pyarrow as pa
    import scipy.sparse as sp

ALL_WORDS = WordSelection()


def count_words(index: Index, words: WordSelection = ALL_WORDS, *, engine: Engine | None = None) -> WordFrequencies:
    """Count the tokens, sentences and documents that have each selected word."""
    if engine is None or engine.native:
        counts = sparse_counts.count_rows_by_word(index)
        sentences, documents = counts["sentence"], counts["document"]
    else:
        rows = engine.run(ibis_counts.word_frequencies_table(engine.table(index, "tokens")))
        size = len(index.vocabulary)
        sentences, documents = (_column_to_array(rows, name, size) for name in ("sentences", "documents"))
    numbers = words.numbers(index.vocabulary)
    return WordFrequencies(_restrict_vocabulary(index.vocabulary, numbers), sentences[numbers], documents[numbers])


def count_cooccurrences(
    index: Index,
    window: Window = SentenceWindow(),  # noqa: B008 (a value that does not change)
    words: WordSelection = ALL_WORDS,
    *,
    rows: Iterable[str] | None = None,
    by: CountUnit = "context",
    least: int = 1,
    engine: Engine | None = None,
) -> CooccurrenceCounts:
    """Count how often words co-occur in a window: all pairs of selected words, or ``rows`` with selected words.

    ==============  ===================================  =============================  ========================
    ``by``          c(a, b)                              c(a)                           N
    ==============  ===================================  =============================  ========================
    ``"context"``   contexts that have both, a ≠ b       contexts that have a           contexts
    ``"token"``     pairs (i, j) of different tokens,    pairs whose i is of a          pairs
                    i of a, j of b, that co-occur
    a dependency    arcs whose head is of a, whose       arcs whose head is of a;       arcs
                    dependent of b                       for columns, dependent
    ==============  ===================================  =============================  ========================

    By context, a pair counts once however often the words are repeated, which Dice and G² suppose (Jurgens 2012);
    contexts and arcs count even without selected words. By token, only tokens of selected words and rows count, so that
    the totals are sums of the table. Both are symmetric. Arcs are not symmetric, and ``by`` does not apply to them.

    Args:
        index: The index.
        window: The window.
        words: The words of the columns, and of the rows unless these are given.
        rows: The words of the rows.
        by: What is counted.
        least: Pairs with a lower count are left out of the matrix.
        engine: Where to count; by default in this process.
    """
    if by not in ("context", "token"):
        raise InputError(f"by is {by!r}; allowed are 'context' and 'token'")
    vocabulary = index.vocabulary
    column_numbers = words.numbers(vocabulary)
    row_numbers = column_numbers if rows is None else get_word_numbers(rows, vocabulary)
    counted = column_numbers if rows is None else np.union1d(column_numbers, row_numbers)
    row_places, column_places = (np.searchsorted(counted, numbers) for numbers in (row_numbers, column_numbers))
    columns, selected = WordColumns(counted, len(vocabulary)), None if rows is None else row_places
    counts = _count_pairs(index, window, columns, by, selected, least, engine)
    pairs = counts.pairs if len(column_places) == len(counted) else counts.pairs[:, column_places]
    if least > 1:
        pairs.data[pairs.data < least] = 0
        pairs.eliminate_zeros()
    return CooccurrenceCounts(
        pairs,
        _restrict_vocabulary(vocabulary, row_numbers),
        _restrict_vocabulary(vocabulary, column_numbers),
        counts.first[row_places],
        counts.second[column_places],
        counts.total,
        symmetric=rows is None and not isinstance(window, DependencyWindow),
    )


def count_contexts(
    index: Index,
    word: str,
    window: Window = SentenceWindow(),  # noqa: B008 (a value that does not change)
    words: WordSelection = ALL_WORDS,
    *,
    engine: Engine | None = None,
) -> UsageContexts:
    """Count for each usage of a word how many tokens of each selected word co-occur with it.

    The usage itself does not count; other usages of the same word do. In a dependency window, its head and its
    dependents co-occur with it.
    """
    return count_contexts_by_word(index, [word], window, words, engine=engine)[word]


def count_contexts_by_word(
    index: Index,
    targets: Iterable[str],
    window: Window = SentenceWindow(),  # noqa: B008 (a value that does not change)
    words: WordSelection = ALL_WORDS,
    *,
    engine: Engine | None = None,
) -> dict[str, UsageContexts]:
    """Count the contexts of several words in one pass over the corpus; see :func:`count_contexts`."""
    vocabulary = index.vocabulary
    column_numbers = words.numbers(vocabulary)
    target_numbers = {word: int(get_word_numbers([word], vocabulary)[0]) for word in targets}
    counted = np.union1d(column_numbers, np.array(list(target_numbers.values()), np.intp))
    columns = WordColumns(counted, len(vocabulary))
    if engine is None or engine.native:
        neighbours = sparse_counts.count_neighbours(index, window, columns, list(target_numbers.values()))
    else:
        neighbours = [_run_neighbours(index, window, columns, number, engine) for number in target_numbers.values()]
    context_words, places = _restrict_vocabulary(vocabulary, column_numbers), np.searchsorted(counted, column_numbers)
    return {
        word: UsageContexts(word, usages.matrix[:, places], context_words, usages.sentence, usages.position)
        for word, usages in zip(target_numbers, neighbours, strict=True)
    }


def _restrict_vocabulary(vocabulary: Vocabulary, numbers: Ints) -> Vocabulary:
    if len(numbers) == len(vocabulary):
        return vocabulary
    return Vocabulary([vocabulary[number] for number in numbers.tolist()], vocabulary.counts[numbers])


# -- on an engine --------------------------------------------------------------------------------------------------


def _count_pairs(
    index: Index,
    window: Window,
    columns: WordColumns,
    by: CountUnit,
    rows: Ints | None,
    least: int,
    engine: Engine | None,
) -> PairCounts:
    if engine is None or engine.native:
        return sparse_counts.count_pairs(index, window, columns, by, rows)
    counting = _build_counting(index, window, columns, engine)
    row_numbers = None if rows is None else columns.counted[rows]
    if isinstance(counting, ArcPairs):
        pairs = counting.pairs(row_numbers)
        matrix = _pairs_to_matrix(engine.run(pairs.filter(pairs.n >= least)), columns, rows)
        first, second = (_run_totals(counting.totals(end), columns, engine) for end in ("first", "second"))
        return PairCounts(matrix, first[columns.counted], second[columns.counted], int(first.sum()))
    if by == "token":
        pairs = counting.pairs_by_token(row_numbers)
        matrix = _pairs_to_matrix(engine.run(pairs.filter(pairs.n >= least)), columns, rows)
        totals = _run_totals(counting.totals_by_token(), columns, engine)[columns.counted]
        return PairCounts(matrix, totals, totals, int(totals.sum()))
    pairs = counting.pairs_by_context(row_numbers)
    frequent = pairs.filter((pairs.n >= least) | (pairs.first == pairs.second))
    matrix = _pairs_to_matrix(engine.run(frequent), columns, rows)
    if rows is None:
        totals = matrix.diagonal()
        matrix.setdiag(0)
        matrix.eliminate_zeros()
    else:
        totals = _run_totals(counting.totals_by_context(), columns, engine)[columns.counted]
    return PairCounts(matrix, totals, totals, int(engine.run(counting.total()).column("total")[0].as_py()))


def _build_counting(index: Index, window: Window, columns: WordColumns, engine: Engine) -> ArcPairs | SlidingPairs:
    """The expressions of a window; without a filter if all words are counted."""
    tokens = engine.table(index, "tokens")
    word_filter = None if len(columns.counted) == columns.size else columns.counted
    if isinstance(window, DependencyWindow):
        return ArcPairs(tokens, window, word_filter)
    return SlidingPairs(tokens, window, word_filter)


def _run_totals(totals: ibis.Table, columns: WordColumns, engine: Engine) -> Ints:
    """The table word, n as an array over all words."""
    return _column_to_array(engine.run(totals), "n", columns.size)


def _pairs_to_matrix(pairs: pa.Table, columns: WordColumns, rows: Ints | None) -> sp.csr_array[Any]:
    """The table first, second, n as a matrix of all counted words, or of these rows."""
    import scipy.sparse as sp

    first, second = (columns[pairs.column(name).to_numpy()] for name in ("first", "second"))
    size = len(columns.counted)
    data = pairs.column("n").to_numpy().astype(np.int64)
    row_places = first if rows is None else np.searchsorted(rows, first)
    return sp.csr_array((data, (row_places, second)), shape=(size if rows is None else len(rows), size))


def _run_neighbours(index: Index, window: Window, columns: WordColumns, word: int, engine: Engine) -> UsageNeighbours:
    """The usages of a word, and the words that co-occur with each."""
    import scipy.sparse as sp

    tokens = engine.table(index, "tokens")
    usages = engine.run(tokens.filter(tokens.word == word).select("sentence", "position"))
    keys = np.sort(_position_keys(usages))
    neighbours = engine.run(_build_counting(index, window, columns, engine).neighbours(word))
    rows = np.searchsorted(keys, _position_keys(neighbours))
    words = columns[neighbours.column("word").to_numpy()]
    data = neighbours.column("n").to_numpy().astype(np.int64)
    matrix = sp.csr_array((data, (rows, words)), shape=(len(keys), len(columns.counted)))
    return UsageNeighbours(keys >> 32, keys & 0xFFFFFFFF, matrix)


def _position_keys(rows: pa.Table) -> Ints:
    """Sentence and position as one number, in the order of the text."""
    sentence, position = (rows.column(name).to_numpy().astype(np.int64) for name in ("sentence", "position"))
    return (sentence << 32) + position


def _column_to_array(rows: pa.Table, name: str, size: int) -> Ints:
    """The values of a column as an array, by the word of each row."""
    values: Ints = np.zeros(size, np.int64)
    values[rows.column("word").to_numpy()] = rows.column(name).to_numpy()
    return values
