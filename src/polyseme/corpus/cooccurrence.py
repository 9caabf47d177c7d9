"""Counting words and pairs of words in an index: here, or on an engine, with the same result."""

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
    """How many tokens, sentences and documents have each word that is selected."""
    if engine is None or engine.native:
        found = sparse_counts.count_rows_by_word(index)
        sentences, documents = found["sentence"], found["document"]
    else:
        rows = engine.run(ibis_counts.word_frequencies_table(engine.table(index, "tokens")))
        size = len(index.vocabulary)
        sentences, documents = (_column_to_array(rows, "word", name, size) for name in ("sentences", "documents"))
    kept = words.numbers(index.vocabulary)
    return WordFrequencies(_restrict_vocabulary(index.vocabulary, kept), sentences[kept], documents[kept])


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
    """How often words co-occur in a window: each selected word with each, or some ``rows`` with each selected word.

    ==============  ===================================  =============================  ========================
    ``by``          c(a, b)                              c(a)                           N
    ==============  ===================================  =============================  ========================
    ``"context"``   contexts that have both, a ≠ b       contexts that have a           contexts
    ``"token"``     pairs (i, j) of different tokens,    pairs whose i is of a          pairs
                    i of a, j of b, that co-occur
    a dependency    arcs whose head is of a, whose       arcs whose head is of a;       arcs
                    dependent of b                       for columns, dependent
    ==============  ===================================  =============================  ========================

    By context a pair counts once however often the words are repeated, which is what Dice and G² suppose (Jurgens
    2012); contexts and arcs count whether they have selected words or not. By token only tokens of selected words and
    rows take part, so that the totals are sums of the table. Both are symmetric; arcs are not, and are counted in one
    way, whatever ``by`` says. Pairs that are counted fewer than ``least`` times are left out of the matrix.
    """
    if by not in ("context", "token"):
        raise InputError(f"by is {by!r}; allowed are 'context' and 'token'")
    vocabulary = index.vocabulary
    columns = words.numbers(vocabulary)
    first = None if rows is None else get_word_numbers(rows, vocabulary)
    counted = columns if first is None else np.union1d(columns, first)
    places = None if first is None else np.searchsorted(counted, first)
    found = _count_pairs(index, window, WordColumns(counted, len(vocabulary)), by, places, least, engine)
    pairs, at = found.pairs, np.searchsorted(counted, columns)
    if len(at) < len(counted):
        pairs = pairs[:, at]
    if least > 1:
        pairs = _drop_rare_pairs(pairs, least)
    mine = columns if first is None else first
    return CooccurrenceCounts(
        pairs,
        _restrict_vocabulary(vocabulary, mine),
        _restrict_vocabulary(vocabulary, columns),
        found.first[np.searchsorted(counted, mine)],
        found.second[at],
        found.total,
        symmetric=first is None and not isinstance(window, DependencyWindow),
    )


def count_contexts(
    index: Index,
    word: str,
    window: Window = SentenceWindow(),  # noqa: B008 (a value that does not change)
    words: WordSelection = ALL_WORDS,
    *,
    engine: Engine | None = None,
) -> UsageContexts:
    """For each usage of a word, how many tokens of each selected word co-occur with it.

    The usage itself is not of them, but others of the same word are. In a dependency window they are its head and its
    dependents.
    """
    return count_contexts_by_word(index, [word], window, words, engine=engine)[word]


def count_contexts_by_word(
    index: Index,
    of: Iterable[str],
    window: Window = SentenceWindow(),  # noqa: B008 (a value that does not change)
    words: WordSelection = ALL_WORDS,
    *,
    engine: Engine | None = None,
) -> dict[str, UsageContexts]:
    """The same for several words, in one pass over the corpus."""
    vocabulary = index.vocabulary
    columns = words.numbers(vocabulary)
    named = {word: int(get_word_numbers([word], vocabulary)[0]) for word in of}
    counted = np.union1d(columns, np.array(list(named.values()), np.intp))
    numbers = WordColumns(counted, len(vocabulary))
    if engine is None or engine.native:
        found = sparse_counts.count_neighbours(index, window, numbers, list(named.values()))
    else:
        found = [_count_usage_contexts(index, window, numbers, number, engine) for number in named.values()]
    kept, at = _restrict_vocabulary(vocabulary, columns), np.searchsorted(counted, columns)
    return {
        word: UsageContexts(word, each.matrix[:, at], kept, each.sentence, each.position)
        for word, each in zip(named, found, strict=True)
    }


def _restrict_vocabulary(vocabulary: Vocabulary, kept: Ints) -> Vocabulary:
    if len(kept) == len(vocabulary):
        return vocabulary
    return Vocabulary([vocabulary[number] for number in kept.tolist()], vocabulary.counts[kept])


def _drop_rare_pairs(pairs: sp.csr_array[Any], least: int) -> sp.csr_array[Any]:
    pairs.data[pairs.data < least] = 0
    pairs.eliminate_zeros()
    return pairs


# -- by an engine --------------------------------------------------------------------------------------------------


def _count_pairs(
    index: Index,
    window: Window,
    numbers: WordColumns,
    by: CountUnit,
    rows: Ints | None,
    least: int,
    engine: Engine | None,
) -> PairCounts:
    if engine is None or engine.native:
        return sparse_counts.count_pairs(index, window, numbers, by, rows)
    tokens = engine.table(index, "tokens")
    if isinstance(window, DependencyWindow):
        return _count_arcs(ArcPairs(tokens, window, _word_filter(numbers)), numbers, rows, least, engine)
    return _count_sliding_pairs(SlidingPairs(tokens, window, _word_filter(numbers)), numbers, by, rows, least, engine)


def _word_filter(numbers: WordColumns) -> Ints | None:
    """The words that are counted; none for all of them, as then there is nothing to look up."""
    return None if len(numbers.counted) == numbers.size else numbers.counted


def _count_sliding_pairs(
    counting: SlidingPairs, numbers: WordColumns, by: CountUnit, rows: Ints | None, least: int, engine: Engine
) -> PairCounts:
    first = None if rows is None else numbers.counted[rows]
    if by == "token":
        pairs = counting.pairs_by_token(first)
        matrix = _pairs_to_matrix(engine.run(pairs.filter(pairs.n >= least)), numbers, rows)
        each = _read_totals(counting.totals_by_token(), numbers, engine)
        return PairCounts(matrix, each, each, int(each.sum()))
    pairs = counting.pairs_by_context(first)
    kept = pairs.filter((pairs.n >= least) | (pairs.first == pairs.second))
    matrix = _pairs_to_matrix(engine.run(kept), numbers, rows)
    if rows is None:
        each = matrix.diagonal()
        matrix.setdiag(0)
        matrix.eliminate_zeros()
    else:
        each = _read_totals(counting.totals_by_context(), numbers, engine)
    return PairCounts(matrix, each, each, int(engine.run(counting.total()).column("total")[0].as_py()))


def _read_totals(totals: ibis.Table, numbers: WordColumns, engine: Engine) -> Ints:
    """The table word, n as an array over the words counted."""
    return _column_to_array(engine.run(totals), "word", "n", numbers.size)[numbers.counted]


def _count_arcs(counting: ArcPairs, numbers: WordColumns, rows: Ints | None, least: int, engine: Engine) -> PairCounts:
    pairs = counting.pairs(None if rows is None else numbers.counted[rows])
    matrix = _pairs_to_matrix(engine.run(pairs.filter(pairs.n >= least)), numbers, rows)
    first, second = (
        _column_to_array(engine.run(counting.totals(end)), "word", "n", numbers.size) for end in ("first", "second")
    )
    return PairCounts(matrix, first[numbers.counted], second[numbers.counted], int(first.sum()))


def _pairs_to_matrix(pairs: pa.Table, numbers: WordColumns, rows: Ints | None) -> sp.csr_array[Any]:
    """The table first, second, n as a matrix, of all words counted or of some rows."""
    import scipy.sparse as sp

    columns = [numbers.of(pairs.column(name).to_numpy()) for name in ("first", "second")]
    first, second = columns[0] if rows is None else np.searchsorted(rows, columns[0]), columns[1]
    size = len(numbers.counted)
    data = pairs.column("n").to_numpy().astype(np.int64)
    return sp.csr_array((data, (first, second)), shape=(size if rows is None else len(rows), size))


def _count_usage_contexts(
    index: Index, window: Window, numbers: WordColumns, word: int, engine: Engine
) -> UsageNeighbours:
    import scipy.sparse as sp

    tokens = engine.table(index, "tokens")
    given = _word_filter(numbers)
    if isinstance(window, DependencyWindow):
        near = ArcPairs(tokens, window, given).around(word)
    else:
        near = SlidingPairs(tokens, window, given).around(word)
    usages = engine.run(tokens.filter(tokens.word == word).select("sentence", "position"))
    places = np.sort(_position_keys(usages))
    found = engine.run(near)
    rows = np.searchsorted(places, _position_keys(found))
    columns = numbers.of(found.column("word").to_numpy())
    data = found.column("n").to_numpy().astype(np.int64)
    matrix = sp.csr_array((data, (rows, columns)), shape=(len(places), len(numbers.counted)))
    return UsageNeighbours(places >> 32, places & 0xFFFFFFFF, matrix)


def _position_keys(rows: pa.Table) -> Ints:
    """Sentence and position as one number, in the order of the text."""
    sentence, position = (rows.column(name).to_numpy().astype(np.int64) for name in ("sentence", "position"))
    return (sentence << 32) + position


def _column_to_array(rows: pa.Table, where: str, what: str, size: int) -> Ints:
    """The values of a column at the places that another column says."""
    found: Ints = np.zeros(size, np.int64)
    found[rows.column(where).to_numpy()] = rows.column(what).to_numpy()
    return found
