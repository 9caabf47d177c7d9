"""Each operation on every engine: counts equal those of brute force."""

from itertools import product

import numpy as np
import pytest

from corpus import brute_force
from corpus.expected import assert_contexts, assert_counts
from corpus.tiny_index import Row, write_index
from polyseme.corpus.association import Dice
from polyseme.corpus.cooccurrence import count_contexts, count_cooccurrences, count_words
from polyseme.corpus.engine import Engine
from polyseme.corpus.index import Index
from polyseme.corpus.neighbourhoods import get_neighbourhood
from polyseme.corpus.sparse_counts import CountUnit
from polyseme.corpus.windows import DependencyWindow, SentenceWindow, Window, WordWindow
from polyseme.corpus.word_graph import build_word_graph
from polyseme.corpus.word_selection import WordSelection

WORDS = [f"{letter}.{pos}" for letter, pos in product("abcdefgh", "nv")] + list("xyz")
CASES: list[tuple[Window, CountUnit]] = [
    (SentenceWindow(), "context"),
    (SentenceWindow(3), "token"),
    (WordWindow(2), "context"),
    (WordWindow(3, across=True), "token"),
    (DependencyWindow(), "context"),
]
"""Every window; test_real_text.py has each in both ways."""


def text() -> list[Row]:
    """A thousand tokens or so: documents of one to eight sentences of one to nine words."""
    rng = np.random.default_rng(3)
    rows: list[Row] = []
    sentence = 0
    for document in range(40):
        for _ in range(int(rng.integers(1, 9))):
            size = int(rng.integers(1, 10))
            for position in range(size):
                head = [None, *range(size + 1)][int(rng.integers(size + 2))]
                word, relation = WORDS[int(rng.integers(len(WORDS)))], "xyz"[int(rng.integers(3))]
                rows.append((document, sentence, position, word, head, relation))
            sentence += 1
    return rows


ROWS = text()


@pytest.fixture(scope="session")
def index(tmp_path_factory: pytest.TempPathFactory) -> Index:
    return write_index(tmp_path_factory.mktemp("small"), ROWS, 3)


def test_frequencies(index: Index, engine: Engine) -> None:
    frequencies = count_words(index, engine=engine)
    columns = (frequencies.tokens.tolist(), frequencies.sentences.tolist(), frequencies.documents.tolist())
    assert dict(zip(frequencies.vocabulary, zip(*columns, strict=True), strict=True)) == brute_force.frequencies(ROWS)


@pytest.mark.parametrize("window, by", CASES, ids=str)
def test_cooccurrences(index: Index, engine: Engine, window: Window, by: CountUnit) -> None:
    counts = count_cooccurrences(index, window, by=by, engine=engine)
    assert_counts(counts, brute_force.pairs(ROWS, window, by, set(WORDS)))
    assert counts == count_cooccurrences(index, window, by=by)


@pytest.mark.parametrize("window, by", [(SentenceWindow(3), "context"), (WordWindow(2), "token")], ids=str)
def test_selected_rows_and_words(index: Index, engine: Engine, window: Window, by: CountUnit) -> None:
    """``rows``, ``words`` by part of speech and frequency, and ``least`` together."""
    nouns = {word for word in WORDS if word.endswith(".n")}
    options = {"rows": ["a.v", "b.n"], "by": by, "engine": engine}
    counts = count_cooccurrences(index, window, WordSelection(pos="n", minimum=2), **options)  # type: ignore[arg-type]
    assert_counts(counts, brute_force.pairs(ROWS, window, by, nouns | {"a.v", "b.n"}))
    assert counts.matrix.shape == (2, 8)
    least = count_cooccurrences(index, window, WordSelection(pos="n"), least=3, by=by, engine=engine)
    assert least == count_cooccurrences(index, window, WordSelection(pos="n"), least=3, by=by)


def test_heads_of_selected_words(index: Index, engine: Engine) -> None:
    counts = count_cooccurrences(index, DependencyWindow("x"), WordSelection(pos="v"), rows=["a.n"], engine=engine)
    assert_counts(counts, brute_force.pairs(ROWS, DependencyWindow("x"), "context", set(WORDS)))


@pytest.mark.parametrize("window", [SentenceWindow(2), WordWindow(3, across=True), DependencyWindow()], ids=repr)
def test_contexts(index: Index, engine: Engine, window: Window) -> None:
    assert_contexts(count_contexts(index, "a.n", window, engine=engine), brute_force.neighbours(ROWS, window, "a.n"))


def test_contexts_of_selected_words(index: Index, engine: Engine) -> None:
    counts = count_contexts(index, "a.n", SentenceWindow(2), WordSelection(pos="v"), engine=engine)
    assert counts == count_contexts(index, "a.n", SentenceWindow(2), WordSelection(pos="v"))


def test_neighbourhoods(index: Index, engine: Engine) -> None:
    """The same to the last bit: an engine only counts."""
    options = {"window": SentenceWindow(2), "among": WordSelection(pos="nv")}
    neighbourhood = get_neighbourhood(index, "a.n", Dice(), 0.2, engine=engine, **options)
    assert neighbourhood == get_neighbourhood(index, "a.n", Dice(), 0.2, **options)
    assert len(neighbourhood) > 3


@pytest.mark.parametrize("passes", [1, 3])
def test_the_graph_of_all_words(index: Index, engine: Engine, passes: int) -> None:
    options = {"words": WordSelection(pos="n"), "least": 2}
    graph = build_word_graph(index, Dice(), 0.1, passes=passes, engine=engine, **options)  # type: ignore[arg-type]
    assert graph == build_word_graph(index, Dice(), 0.1, **options)  # type: ignore[arg-type]
    assert graph.matrix.nnz > 10
