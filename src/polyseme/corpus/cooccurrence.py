"""Counting words and pairs of words in an index: here, or on an engine, with the same result."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from polyseme.arrays import Ints
from polyseme.corpus import expressions, products
from polyseme.corpus.counts import Contexts, Counts, Frequencies
from polyseme.corpus.engine import Engine
from polyseme.corpus.expressions import ArcPairs, SlidingPairs
from polyseme.corpus.index import Index
from polyseme.corpus.matrices import Numbers
from polyseme.corpus.products import Around, By, Sums
from polyseme.corpus.selection import Selection, numbers_of
from polyseme.corpus.vocabulary import Vocabulary
from polyseme.corpus.windows import DependencyWindow, SentenceWindow, Window
from polyseme.errors import InputError

if TYPE_CHECKING:
    import ibis
    import pyarrow as pa
    import scipy.sparse as sp

ALL = Selection()


def frequencies(index: Index, words: Selection = ALL, *, engine: Engine | None = None) -> Frequencies:
    """How many tokens, sentences and documents have each word that is selected."""
    if engine is None or engine.native:
        found = products.frequencies(index)
        sentences, documents = found["sentence"], found["document"]
    else:
        rows = engine.run(expressions.frequencies(engine.table(index, "tokens")))
        size = len(index.vocabulary)
        sentences, documents = (_spread(rows, "word", name, size) for name in ("sentences", "documents"))
    kept = words.numbers(index.vocabulary)
    return Frequencies(_part(index.vocabulary, kept), sentences[kept], documents[kept])


def cooccurrences(
    index: Index,
    window: Window = SentenceWindow(),  # noqa: B008 (a value that does not change)
    words: Selection = ALL,
    *,
    rows: Iterable[str] | None = None,
    by: By = "context",
    least: int = 1,
    engine: Engine | None = None,
) -> Counts:
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
    first = None if rows is None else numbers_of(rows, vocabulary)
    counted = columns if first is None else np.union1d(columns, first)
    places = None if first is None else np.searchsorted(counted, first)
    found = _sums(index, window, Numbers(counted, len(vocabulary)), by, places, least, engine)
    pairs, at = found.pairs, np.searchsorted(counted, columns)
    if len(at) < len(counted):
        pairs = pairs[:, at]
    if least > 1:
        pairs = _at_least(pairs, least)
    mine = columns if first is None else first
    return Counts(
        pairs,
        _part(vocabulary, mine),
        _part(vocabulary, columns),
        found.first[np.searchsorted(counted, mine)],
        found.second[at],
        found.total,
        symmetric=first is None and not isinstance(window, DependencyWindow),
    )


def contexts(
    index: Index,
    word: str,
    window: Window = SentenceWindow(),  # noqa: B008 (a value that does not change)
    words: Selection = ALL,
    *,
    engine: Engine | None = None,
) -> Contexts:
    """For each usage of a word, how many tokens of each selected word co-occur with it.

    The usage itself is not of them, but others of the same word are. In a dependency window they are its head and its
    dependents.
    """
    return contexts_of(index, [word], window, words, engine=engine)[word]


def contexts_of(
    index: Index,
    of: Iterable[str],
    window: Window = SentenceWindow(),  # noqa: B008 (a value that does not change)
    words: Selection = ALL,
    *,
    engine: Engine | None = None,
) -> dict[str, Contexts]:
    """The same for several words, in one pass over the corpus."""
    vocabulary = index.vocabulary
    columns = words.numbers(vocabulary)
    named = {word: int(numbers_of([word], vocabulary)[0]) for word in of}
    counted = np.union1d(columns, np.array(list(named.values()), np.intp))
    numbers = Numbers(counted, len(vocabulary))
    if engine is None or engine.native:
        found = products.around(index, window, numbers, list(named.values()))
    else:
        found = [_around(index, window, numbers, number, engine) for number in named.values()]
    kept, at = _part(vocabulary, columns), np.searchsorted(counted, columns)
    return {
        word: Contexts(word, each.matrix[:, at], kept, each.sentence, each.position)
        for word, each in zip(named, found, strict=True)
    }


def _part(vocabulary: Vocabulary, kept: Ints) -> Vocabulary:
    if len(kept) == len(vocabulary):
        return vocabulary
    return Vocabulary([vocabulary[number] for number in kept.tolist()], vocabulary.counts[kept])


def _at_least(pairs: sp.csr_array[Any], least: int) -> sp.csr_array[Any]:
    pairs.data[pairs.data < least] = 0
    pairs.eliminate_zeros()
    return pairs


# -- by an engine --------------------------------------------------------------------------------------------------


def _sums(
    index: Index, window: Window, numbers: Numbers, by: By, rows: Ints | None, least: int, engine: Engine | None
) -> Sums:
    if engine is None or engine.native:
        return products.sums(index, window, numbers, by, rows)
    tokens = engine.table(index, "tokens")
    if isinstance(window, DependencyWindow):
        return _arc_sums(ArcPairs(tokens, window, _given(numbers)), numbers, rows, least, engine)
    return _sliding_sums(SlidingPairs(tokens, window, _given(numbers)), numbers, by, rows, least, engine)


def _given(numbers: Numbers) -> Ints | None:
    """The words that are counted; none for all of them, as then there is nothing to look up."""
    return None if len(numbers.counted) == numbers.size else numbers.counted


def _sliding_sums(
    counting: SlidingPairs, numbers: Numbers, by: By, rows: Ints | None, least: int, engine: Engine
) -> Sums:
    first = None if rows is None else numbers.counted[rows]
    if by == "token":
        pairs = counting.pairs_by_token(first)
        matrix = _matrix(engine.run(pairs.filter(pairs.n >= least)), numbers, rows)
        each = _totals(counting.totals_by_token(), numbers, engine)
        return Sums(matrix, each, each, int(each.sum()))
    pairs = counting.pairs_by_context(first)
    kept = pairs.filter((pairs.n >= least) | (pairs.first == pairs.second))
    matrix = _matrix(engine.run(kept), numbers, rows)
    if rows is None:
        each = matrix.diagonal()
        matrix.setdiag(0)
        matrix.eliminate_zeros()
    else:
        each = _totals(counting.totals_by_context(), numbers, engine)
    return Sums(matrix, each, each, int(engine.run(counting.total()).column("total")[0].as_py()))


def _totals(totals: ibis.Table, numbers: Numbers, engine: Engine) -> Ints:
    """The table word, n as an array over the words counted."""
    return _spread(engine.run(totals), "word", "n", numbers.size)[numbers.counted]


def _arc_sums(counting: ArcPairs, numbers: Numbers, rows: Ints | None, least: int, engine: Engine) -> Sums:
    pairs = counting.pairs(None if rows is None else numbers.counted[rows])
    matrix = _matrix(engine.run(pairs.filter(pairs.n >= least)), numbers, rows)
    first, second = (
        _spread(engine.run(counting.totals(end)), "word", "n", numbers.size) for end in ("first", "second")
    )
    return Sums(matrix, first[numbers.counted], second[numbers.counted], int(first.sum()))


def _matrix(pairs: pa.Table, numbers: Numbers, rows: Ints | None) -> sp.csr_array[Any]:
    """The table first, second, n as a matrix, of all words counted or of some rows."""
    import scipy.sparse as sp

    columns = [numbers.of(pairs.column(name).to_numpy()) for name in ("first", "second")]
    first, second = columns[0] if rows is None else np.searchsorted(rows, columns[0]), columns[1]
    size = len(numbers.counted)
    data = pairs.column("n").to_numpy().astype(np.int64)
    return sp.csr_array((data, (first, second)), shape=(size if rows is None else len(rows), size))


def _around(index: Index, window: Window, numbers: Numbers, word: int, engine: Engine) -> Around:
    import scipy.sparse as sp

    tokens = engine.table(index, "tokens")
    given = _given(numbers)
    if isinstance(window, DependencyWindow):
        near = ArcPairs(tokens, window, given).around(word)
    else:
        near = SlidingPairs(tokens, window, given).around(word)
    usages = engine.run(tokens.filter(tokens.word == word).select("sentence", "position"))
    places = np.sort(_key(usages))
    found = engine.run(near)
    rows = np.searchsorted(places, _key(found))
    columns = numbers.of(found.column("word").to_numpy())
    data = found.column("n").to_numpy().astype(np.int64)
    matrix = sp.csr_array((data, (rows, columns)), shape=(len(places), len(numbers.counted)))
    return Around(places >> 32, places & 0xFFFFFFFF, matrix)


def _key(rows: pa.Table) -> Ints:
    """Sentence and position as one number, in the order of the text."""
    sentence, position = (rows.column(name).to_numpy().astype(np.int64) for name in ("sentence", "position"))
    return (sentence << 32) + position


def _spread(rows: pa.Table, where: str, what: str, size: int) -> Ints:
    """The values of a column at the places that another column says."""
    found: Ints = np.zeros(size, np.int64)
    found[rows.column(where).to_numpy()] = rows.column(what).to_numpy()
    return found
