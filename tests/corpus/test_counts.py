"""Counts equal those of brute force for any text; they become matrices and tables."""

import tempfile
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from corpus import brute_force
from corpus.expected import WINDOWS, assert_contexts, assert_counts
from corpus.tiny_index import Row, write_index
from polyseme.corpus import sparse_counts
from polyseme.corpus.cooccurrence import count_contexts, count_contexts_by_word, count_cooccurrences, count_words
from polyseme.corpus.counts import CooccurrenceCounts, mirror_upper
from polyseme.corpus.sparse_counts import CountUnit
from polyseme.corpus.vocabulary import Vocabulary
from polyseme.corpus.windows import Window
from polyseme.corpus.word_selection import WordSelection

WORDS = ["a.n", "b.n", "c.v", "d.v", "e", "f"]


@st.composite
def texts(draw: st.DrawFn) -> list[Row]:
    """A few documents of a few short sentences, with or without heads."""
    shape = draw(st.lists(st.lists(st.integers(1, 5), min_size=1, max_size=4), min_size=1, max_size=4))
    rows: list[Row] = []
    sentence = 0
    for document, sizes in enumerate(shape):
        for size in sizes:
            for position in range(size):
                head = draw(st.none() | st.integers(0, size))
                relation = draw(st.sampled_from(["x", "y", ""]))
                rows.append((document, sentence, position, draw(st.sampled_from(WORDS)), head, relation))
            sentence += 1
    return rows


@pytest.mark.parametrize("by", ["context", "token"])
@pytest.mark.parametrize("window", WINDOWS, ids=repr)
@settings(max_examples=12, deadline=None)
@given(rows=texts(), parts=st.integers(1, 3))
def test_counts_of_any_text_equal_brute_force(window: Window, by: CountUnit, rows: list[Row], parts: int) -> None:
    parts = min(parts, 1 + rows[-1][0])
    with tempfile.TemporaryDirectory() as folder:
        index = write_index(Path(folder), rows, parts)
        words = set(index.vocabulary)
        assert_counts(count_cooccurrences(index, window, by=by), brute_force.pairs(rows, window, by, words))
        nouns = WordSelection(pos="n")
        noun_names = {word for word in words if word.endswith(".n")}
        assert_counts(count_cooccurrences(index, window, nouns, by=by), brute_force.pairs(rows, window, by, noun_names))
        word = rows[0][3]
        expected = brute_force.pairs(rows, window, by, noun_names | {word})
        assert_counts(count_cooccurrences(index, window, nouns, rows=[word], by=by), expected)
        assert_contexts(count_contexts(index, word, window), brute_force.neighbours(rows, window, word))
        for other, contexts in count_contexts_by_word(index, list(words)[:3], window).items():
            assert_contexts(contexts, brute_force.neighbours(rows, window, other))


@settings(max_examples=20, deadline=None)
@given(rows=texts())
def test_frequencies_of_any_text_equal_brute_force(rows: list[Row]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        frequencies = count_words(write_index(Path(folder), rows, 1))
    columns = (frequencies.tokens.tolist(), frequencies.sentences.tolist(), frequencies.documents.tolist())
    assert dict(zip(frequencies.vocabulary, zip(*columns, strict=True), strict=True)) == brute_force.frequencies(rows)


def test_groups_of_parts_add_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(1)
    rows: list[Row] = [(at // 40, at // 8, at % 8, WORDS[int(rng.integers(6))], None, "") for at in range(400)]
    index = write_index(tmp_path, rows, 5)
    whole = count_cooccurrences(index)
    monkeypatch.setattr(sparse_counts, "GROUP_ENTRIES", 20)
    monkeypatch.setattr(sparse_counts, "PRODUCT_BLOCKS", 2)
    assert count_cooccurrences(index) == whole


def test_values_are_compared_by_what_they_hold() -> None:
    words, totals = Vocabulary(["a", "b"], [2, 1]), np.array([2, 1])

    def counts(pair: int, total: int, symmetric: bool = True) -> CooccurrenceCounts:
        return CooccurrenceCounts(
            sp.csr_array(np.array([[0, pair], [0, 0]])), words, words, totals, totals, total, symmetric
        )

    one = counts(1, 3)
    assert one == counts(1, 3)
    assert one not in (counts(2, 3), counts(1, 4), counts(1, 3, symmetric=False), 1)
    assert repr(one) == "<CooccurrenceCounts of 1 pair of 2 × 2 words, 3 in all>"
    assert one.matrix.dtype == np.int64
    with pytest.raises(KeyError):
        one["a", "x"]


def test_both_halves() -> None:
    upper = sp.random_array((50, 50), density=0.2, rng=np.random.default_rng(2), format="csr")
    upper = sp.triu(upper, format="csr")
    whole = mirror_upper(upper).toarray()
    np.testing.assert_array_equal(whole, whole.T)
    np.testing.assert_array_equal(np.triu(whole), upper.toarray())
