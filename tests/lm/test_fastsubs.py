"""The search for the best words in a gap: the same as scoring every word."""

import importlib
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lm.texts import gaps, model
from polyseme.lm.ngrams.fastsubs import BestWords, Gap, fastsubs, ordinary_words, score_words, search_exhaustively
from polyseme.lm.ngrams.model import NGrams


def same(found: BestWords, expected: BestWords) -> bool:
    return np.array_equal(found.words, expected.words) and np.array_equal(found.scores, expected.scores)


def check(made: NGrams, some: list[Gap], count: int, **options: Any) -> float:
    """That both are equal, to the last bit; and how many words were scored, as a share."""
    found = list(fastsubs(made, some, count, **options))
    for gap, best in zip(some, found, strict=True):
        assert same(best, search_exhaustively(made, gap, count, **options)), gap
    return float(np.mean([best.tried for best in found]) / len(made.words))


def test_it_equals_exhaustive_search_in_a_thousand_gaps() -> None:
    assert check(model(), gaps(1000), 10) < 0.5


@pytest.mark.parametrize("order", [2, 3, 5])
@pytest.mark.parametrize("count", [1, 50])
def test_with_other_orders(order: int, count: int) -> None:
    check(model(order), gaps(60, seed=order), count)


@pytest.mark.parametrize("count", [1, 20, 1000])
def test_with_pruned_models(count: int) -> None:
    check(model(prune=True, minimum=3), gaps(60, seed=7), count)


def test_only_words_that_are_allowed() -> None:
    made = model()
    allowed = ordinary_words(made) & (np.arange(len(made.words)) % 3 == 0)
    check(made, gaps(50), 10, allowed=allowed)
    assert all((best.words % 3 == 0).all() for best in fastsubs(made, gaps(50), 10, allowed))


@given(
    st.lists(st.lists(st.sampled_from("abcd"), min_size=1, max_size=5), min_size=1, max_size=8),
    st.lists(st.sampled_from("abcdx"), max_size=4),
    st.lists(st.sampled_from("abcdx"), max_size=4),
    st.integers(2, 4),
)
@settings(max_examples=100)
def test_where_many_words_are_equal(text: list[list[str]], left: list[str], right: list[str], order: int) -> None:
    made = NGrams.train(text, order=order)
    for count in (1, 2, 9):
        check(made, [Gap(left, right)], count)


def test_a_score_is_that_of_the_whole_sentence() -> None:
    """The words that the gap's word has no part in add the same to all, so sentences are ranked as words are."""
    made = model()
    words = np.arange(3, 60)
    for gap in gaps(20, seed=3):
        scores = score_words(made, gap, words)
        whole = made.log_probabilities([(*gap.left, made.words[word], *gap.right) for word in words.tolist()])
        assert np.ptp(whole - scores) < 1e-9


@pytest.fixture
def without_numba(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The loops as they are where numba is not installed."""
    search = importlib.import_module("polyseme.lm.ngrams._fastsubs_loops")
    with monkeypatch.context() as patched:
        patched.setitem(sys.modules, "numba", None)
        importlib.reload(search)
        yield
    importlib.reload(search)


@pytest.mark.usefixtures("without_numba")
def test_the_same_without_numba() -> None:
    with np.errstate(all="raise"):
        check(model(), gaps(30, seed=5), 10)
