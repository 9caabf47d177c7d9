"""Windows on a text small enough to count by hand."""

from pathlib import Path

import pytest

from corpus.tiny_index import Row, write_index
from polyseme.corpus.cooccurrence import count_contexts, count_cooccurrences, count_words
from polyseme.corpus.index import Index
from polyseme.corpus.sparse_counts import CountUnit
from polyseme.corpus.windows import DependencyWindow, SentenceWindow, Window, WordWindow
from polyseme.corpus.word_selection import WordSelection
from polyseme.errors import InputError
from polyseme.parts import build

# Two documents: "a b a / c / b c" and "a".
TEXT: list[Row] = [
    (0, 0, 0, "a", 2, "nsubj"),
    (0, 0, 1, "b", 0, "root"),
    (0, 0, 2, "a", 2, "obj"),
    (0, 1, 0, "c", 0, "root"),
    (0, 2, 0, "b", 2, "det"),
    (0, 2, 1, "c", 0, "root"),
    (1, 3, 0, "a", 0, "root"),
]


@pytest.fixture
def index(tmp_path: Path) -> Index:
    return write_index(tmp_path, TEXT)


@pytest.mark.parametrize(
    "window, by, pairs, totals, total",
    [
        # sentences: aba, c, bc, a
        (SentenceWindow(), "context", {"ab": 1, "bc": 1}, [2, 2, 2], 4),
        (SentenceWindow(), "token", {"ab": 2, "aa": 2, "bc": 1}, [4, 3, 1], 8),
        # windows of the first document: aba c, c bc; of the second: a
        (SentenceWindow(2), "context", {"ab": 1, "ac": 1, "bc": 2}, [2, 2, 2], 3),
        # aba c bc, a: a document that is shorter is one window
        (SentenceWindow(3), "context", {"ab": 1, "ac": 1, "bc": 1}, [2, 1, 1], 2),
        (SentenceWindow(9), "context", {"ab": 1, "ac": 1, "bc": 1}, [2, 1, 1], 2),
        # ab, ba, c, bc, a
        (WordWindow(1), "context", {"ab": 2, "bc": 1}, [3, 3, 2], 5),
        (WordWindow(1), "token", {"ab": 2, "bc": 1}, [2, 3, 1], 6),
        # ab, ba, ac, cb, bc, a
        (WordWindow(1, across=True), "context", {"ab": 2, "ac": 1, "bc": 2}, [4, 4, 3], 6),
        (WordWindow(1, across=True), "token", {"ab": 2, "ac": 1, "bc": 2}, [3, 4, 3], 10),
    ],
)
def test_pairs_in_sliding_windows(
    index: Index, window: Window, by: CountUnit, pairs: dict[str, int], totals: list[int], total: int
) -> None:
    counts = count_cooccurrences(index, window, by=by)
    rows = counts.table().to_pylist()
    assert {row["first"] + row["second"]: row["count"] for row in rows} == pairs
    assert counts.row_totals.tolist() == counts.column_totals.tolist() == totals
    assert counts.total == total


def test_pairs_of_heads_and_dependents(index: Index) -> None:
    counts = count_cooccurrences(index, DependencyWindow())
    assert not counts.symmetric
    assert counts.matrix.toarray().tolist() == [[0, 0, 0], [2, 0, 0], [0, 1, 0]]
    assert (counts.row_totals.tolist(), counts.column_totals.tolist(), counts.total) == ([0, 2, 1], [2, 1, 0], 3)
    assert count_cooccurrences(index, DependencyWindow("obj det")).matrix.sum() == 2


def test_contexts_count_whether_or_not_they_have_selected_words(index: Index) -> None:
    counts = count_cooccurrences(index, words=WordSelection(among=["b", "c"]))
    assert (counts.total, counts.row_totals.tolist(), counts["c", "b"]) == (4, [2, 2], 1)
    arcs = count_cooccurrences(index, DependencyWindow(), WordSelection(among=["b", "c"]))
    assert (arcs.total, arcs.row_totals.tolist(), arcs.matrix.toarray().tolist()) == (3, [2, 1], [[0, 0], [1, 0]])


def test_tokens_are_those_of_selected_words(index: Index) -> None:
    counts = count_cooccurrences(index, words=WordSelection(among=["a", "c"]), by="token")
    assert (counts.total, counts.row_totals.tolist(), counts["a", "a"]) == (2, [2, 0], 2)


def test_words_that_are_not_counted_take_up_places(index: Index) -> None:
    near = count_cooccurrences(index, WordWindow(1), WordSelection(among=["a"]), by="token")
    far = count_cooccurrences(index, WordWindow(2), WordSelection(among=["a"]), by="token")
    assert (near["a", "a"], far["a", "a"]) == (0, 2)


def test_rows_can_be_selected(index: Index) -> None:
    counts = count_cooccurrences(index, words=WordSelection(among=["b"]), rows=["c", "a"])
    assert (list(counts.rows), list(counts.columns)) == (["a", "c"], ["b"])
    assert (counts.matrix.toarray().tolist(), counts.row_totals.tolist()) == ([[1], [1]], [2, 2])


def test_rare_pairs_are_left_out(index: Index) -> None:
    counts = count_cooccurrences(index, SentenceWindow(2), least=2)
    assert counts.table().to_pylist() == [{"first": "b", "second": "c", "count": 2}]
    assert counts.row_totals.tolist() == [2, 2, 2]


def test_contexts_of_usages(index: Index) -> None:
    counts = count_contexts(index, "a", WordWindow(2))
    assert (counts.sentence.tolist(), counts.position.tolist()) == ([0, 0, 3], [0, 2, 0])
    assert counts.matrix.toarray().tolist() == [[1, 1, 0], [1, 1, 0], [0, 0, 0]]
    assert count_contexts(index, "b", DependencyWindow()).matrix.toarray().tolist() == [[2, 0, 0], [0, 0, 1]]
    assert count_contexts(index, "b", words=WordSelection(among=["c"])).matrix.toarray().tolist() == [[0], [1]]


def test_frequencies(index: Index) -> None:
    counts = count_words(index, WordSelection(maximum=2))
    assert counts.table().to_pylist() == [
        {"word": "b", "tokens": 2, "sentences": 2, "documents": 1},
        {"word": "c", "tokens": 2, "sentences": 2, "documents": 1},
    ]


@pytest.mark.parametrize("specification", ["SentenceWindow(sentences=0)", "WordWindow(0)", "WordWindow(words='five')"])
def test_wrong_windows_are_refused(specification: str) -> None:
    with pytest.raises(InputError):
        build(specification, "window")


def test_wrong_units_and_words_are_refused(index: Index) -> None:
    with pytest.raises(InputError, match="'x' does not occur in this corpus"):
        count_contexts(index, "x")
    with pytest.raises(InputError, match="allowed are 'context' and 'token'"):
        count_cooccurrences(index, by="tokens")  # type: ignore[arg-type]
