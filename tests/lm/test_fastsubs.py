"""The search for the best words in a gap: the same as scoring every word."""

import importlib
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lm.texts import make_gaps, train_model
from polyseme.lm.ngrams.fastsubs import BestWords, Gap, fastsubs, ordinary_words, score_words, search_exhaustively
from polyseme.lm.ngrams.model import NGrams


def is_same(best: BestWords, expected: BestWords) -> bool:
    return np.array_equal(best.words, expected.words) and np.array_equal(best.scores, expected.scores)


def check_search(ngrams: NGrams, gaps: list[Gap], count: int, **options: Any) -> float:
    """Check that both searches are equal, to the last bit, and return the share of words that were scored."""
    results = list(fastsubs(ngrams, gaps, count, **options))
    for gap, best in zip(gaps, results, strict=True):
        assert is_same(best, search_exhaustively(ngrams, gap, count, **options)), gap
    return float(np.mean([best.tried for best in results]) / len(ngrams.words))


def test_it_equals_exhaustive_search_in_a_thousand_gaps() -> None:
    assert check_search(train_model(), make_gaps(1000), 10) < 0.5


@pytest.mark.parametrize("order", [2, 3, 5])
@pytest.mark.parametrize("count", [1, 50])
def test_it_equals_exhaustive_search_with_other_orders(order: int, count: int) -> None:
    check_search(train_model(order), make_gaps(60, seed=order), count)


@pytest.mark.parametrize("count", [1, 20, 1000])
def test_it_equals_exhaustive_search_in_pruned_models(count: int) -> None:
    check_search(train_model(prune=True, minimum=3), make_gaps(60, seed=7), count)


def test_only_allowed_words_are_found() -> None:
    ngrams = train_model()
    allowed = ordinary_words(ngrams) & (np.arange(len(ngrams.words)) % 3 == 0)
    check_search(ngrams, make_gaps(50), 10, allowed=allowed)
    assert all((best.words % 3 == 0).all() for best in fastsubs(ngrams, make_gaps(50), 10, allowed))


@given(
    st.lists(st.lists(st.sampled_from("abcd"), min_size=1, max_size=5), min_size=1, max_size=8),
    st.lists(st.sampled_from("abcdx"), max_size=4),
    st.lists(st.sampled_from("abcdx"), max_size=4),
    st.integers(2, 4),
)
@settings(max_examples=100)
def test_equal_words_are_ranked_as_in_exhaustive_search(
    text: list[list[str]], left: list[str], right: list[str], order: int
) -> None:
    ngrams = NGrams.train(text, order=order)
    for count in (1, 2, 9):
        check_search(ngrams, [Gap(left, right)], count)


def test_words_are_ranked_like_whole_sentences() -> None:
    """N-grams without the word in the gap add the same to all sentences."""
    ngrams = train_model()
    words = np.arange(3, 60)
    for gap in make_gaps(20, seed=3):
        scores = score_words(ngrams, gap, words)
        whole = ngrams.log_probabilities([(*gap.left, ngrams.words[word], *gap.right) for word in words.tolist()])
        assert np.ptp(whole - scores) < 1e-9


@pytest.fixture
def without_numba(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Reload the loops without numba."""
    search = importlib.import_module("polyseme.lm.ngrams._fastsubs_loops")
    with monkeypatch.context() as patched:
        patched.setitem(sys.modules, "numba", None)
        importlib.reload(search)
        yield
    importlib.reload(search)


@pytest.mark.usefixtures("without_numba")
def test_the_search_is_the_same_without_numba() -> None:
    with np.errstate(all="raise"):
        check_search(train_model(), make_gaps(30, seed=5), 10)
