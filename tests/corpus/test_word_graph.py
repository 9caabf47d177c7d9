"""The graph of all words is the same in any number of passes."""

from typing import Any

import pytest

from corpus.test_neighbourhoods import index as chain
from polyseme.corpus.association import G2, ConditionalProbability, Dice, association_matrix
from polyseme.corpus.cooccurrence import count_cooccurrences
from polyseme.corpus.counts import equal_matrices
from polyseme.corpus.index import Index
from polyseme.corpus.vocabulary import Vocabulary
from polyseme.corpus.windows import SentenceWindow, WordWindow
from polyseme.corpus.word_graph import build_word_graph
from polyseme.corpus.word_selection import WordSelection
from polyseme.errors import InputError

index = chain


@pytest.mark.parametrize("passes", [2, 3, 7, 59, 500])
@pytest.mark.parametrize("association", [Dice(), G2(), ConditionalProbability()])
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"window": WordWindow(2)},
        {"window": SentenceWindow(2), "words": WordSelection(pos="n", minimum=5), "least": 2},
    ],
)
def test_passes_do_not_change_the_graph(index: Index, association: Any, options: dict[str, Any], passes: int) -> None:
    whole = build_word_graph(index, association, 0.1, **options)
    assert whole.matrix.nnz > 50
    assert build_word_graph(index, association, 0.1, passes=passes, **options) == whole


def test_a_graph_holds_the_association_of_counts(index: Index) -> None:
    graph = build_word_graph(index, Dice(), 0.2)
    counts = count_cooccurrences(index)
    expected = association_matrix(Dice(), counts, 0.2)
    assert graph.words == counts.rows
    assert equal_matrices(graph.matrix, expected)
    first = counts.rows[0]
    second = graph.words[int(graph.matrix[[0]].indices[0])]
    assert graph[first, second] == graph[second, first] == expected[0, counts.rows.number(second)] > 0


def test_graphs_of_one_word_or_none(index: Index) -> None:
    graph = build_word_graph(index, Dice(), 0.2, words=WordSelection(among=["w8.n"]), passes=3)
    assert (list(graph.words), graph.matrix.nnz) == (["w8.n"], 0)
    assert build_word_graph(index, Dice(), 0.2, words=WordSelection(minimum=10**6), passes=3).words == Vocabulary(
        [], []
    )
    with pytest.raises(InputError, match="passes is 0; it must be at least 1"):
        build_word_graph(index, Dice(), 0.2, passes=0)
