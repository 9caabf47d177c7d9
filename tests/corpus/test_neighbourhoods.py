"""Neighbourhoods equal those of the whole graph."""

import numpy as np
import pytest

from corpus.tiny_index import Row, write_index
from polyseme.corpus.association import G2, ConditionalProbability, Dice, association_matrix
from polyseme.corpus.cooccurrence import count_cooccurrences
from polyseme.corpus.counts import equal_matrices
from polyseme.corpus.index import Index
from polyseme.corpus.neighbourhoods import Neighbourhood, get_neighbourhood, get_neighbourhoods
from polyseme.corpus.word_selection import WordSelection
from polyseme.errors import InputError


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Index:
    """60 words, each most often beside its neighbours by number."""
    rng = np.random.default_rng(7)
    rows: list[Row] = []
    for sentence in range(300):
        middle = int(rng.integers(60))
        for position, shift in enumerate(rng.normal(0, 2, 5).round().astype(int).tolist()):
            word = (middle + shift) % 60
            rows.append((sentence // 10, sentence, position, f"w{word}.{'nv'[word % 2]}", None, ""))
    return write_index(tmp_path_factory.mktemp("chain"), rows, 3)


def cut_out(index: Index, word: str, minimum: float, depth: int) -> tuple[dict[str, int], dict[tuple[str, str], float]]:
    """The steps of words and the edges between them, from the whole graph."""
    counts = count_cooccurrences(index)
    graph = association_matrix(Dice(), counts, minimum).tocoo()
    names = list(counts.rows)
    edges = {(names[a], names[b]): v for a, b, v in zip(graph.row, graph.col, graph.data.tolist(), strict=True)}
    steps = {word: 0}
    for step in range(1, depth + 1):
        steps |= {b: step for a, b in edges if a in steps and b not in steps}
    return steps, {pair: value for pair, value in edges.items() if pair[0] in steps and pair[1] in steps}


def list_edges(neighbourhood: Neighbourhood) -> dict[tuple[str, str], float]:
    graph = neighbourhood.matrix.tocoo()
    pairs = zip(graph.row.tolist(), graph.col.tolist(), graph.data.tolist(), strict=True)
    return {(neighbourhood.words[a], neighbourhood.words[b]): value for a, b, value in pairs}


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_neighbourhoods_equal_those_of_the_whole_graph(index: Index, depth: int) -> None:
    neighbourhood = get_neighbourhood(index, "w8.n", Dice(), 0.25, depth=depth)
    steps, edges = cut_out(index, "w8.n", 0.25, depth)
    assert neighbourhood.words[0] == "w8.n"
    assert dict(zip(neighbourhood.words, neighbourhood.steps.tolist(), strict=True)) == steps
    assert list_edges(neighbourhood) == edges
    assert 2 < len(neighbourhood) < 60


def test_associations_between_the_last_words_can_be_left_out(index: Index) -> None:
    neighbourhood = get_neighbourhood(index, "w8.n", Dice(), 0.25, mutual=False)
    steps, edges = cut_out(index, "w8.n", 0.25, 2)
    assert list_edges(neighbourhood) == {
        pair: value for pair, value in edges.items() if min(steps[pair[0]], steps[pair[1]]) < 2
    }
    assert len(list_edges(neighbourhood)) < len(edges)


def test_several_words_at_once_equal_single_words(index: Index) -> None:
    words = ["w8.n", "w9.v", "w40.n"]
    for mutual in (True, False):
        together = get_neighbourhoods(index, words, G2(), 10.83, mutual=mutual)
        assert list(together) == words
        for word in words:
            assert together[word] == get_neighbourhood(index, word, G2(), 10.83, mutual=mutual)


def test_neighbours_are_selected_words(index: Index) -> None:
    neighbourhood = get_neighbourhood(index, "w8.n", Dice(), 0.05, among=WordSelection(pos="v"))
    assert {word[-1] for word in neighbourhood.words[1:]} == {"v"}
    assert equal_matrices(neighbourhood.matrix, neighbourhood.matrix.T.tocsr())
    assert neighbourhood.matrix[1:, [0]].nnz > 0


def test_an_asymmetric_association_gives_a_directed_graph(index: Index) -> None:
    neighbourhood = get_neighbourhood(index, "w8.n", ConditionalProbability(), 0.3)
    assert not equal_matrices(neighbourhood.matrix, neighbourhood.matrix.T.tocsr())


def test_a_word_without_neighbours_is_alone(index: Index) -> None:
    neighbourhood = get_neighbourhood(index, "w8.n", Dice(), 2.0)
    assert (neighbourhood.words, neighbourhood.matrix.shape) == (("w8.n",), (1, 1))
    assert repr(neighbourhood) == "<Neighbourhood of w8.n: 1 word, 0 entries>"


def test_wrong_depths_and_words_are_refused(index: Index) -> None:
    with pytest.raises(InputError, match="depth is 0"):
        get_neighbourhood(index, "w8.n", Dice(), 0.1, depth=0)
    with pytest.raises(InputError, match="does not occur"):
        get_neighbourhood(index, "zzz", Dice(), 0.1)
