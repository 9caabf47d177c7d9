"""Overlaps with held-out contexts, also against a plain loop over all runs of words."""

import sys
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

sys.path.insert(0, str(Path(__file__).parents[2]))

from training.overlap import (
    OVERLAP_WORDS,
    CheckedDocument,
    HeldOutContexts,
    OverlapRemovals,
    RemovalCounts,
    drop_overlapping,
    normalise_text,
)

from polyseme.errors import InputError
from training import overlap

THIRTEEN = "one two three four five six seven eight nine ten eleven twelve thirteen"


def compare_all(
    documents: Iterable[str], contexts: dict[str, list[str]], size: int
) -> list[frozenset[tuple[str, int]]]:
    """The contexts that each document overlaps with, from a comparison of all with all."""

    def list_runs(text: str) -> set[tuple[str, ...]]:
        words = normalise_text(text).split()
        return {tuple(words[start : start + size]) for start in range(len(words) - size + 1)}

    runs = {(name, number): list_runs(text) for name, texts in contexts.items() for number, text in enumerate(texts)}
    return [frozenset(place for place, own in runs.items() if own & list_runs(document)) for document in documents]


@pytest.mark.parametrize(
    "one, other",
    [
        ("They don't.", "they do n't"),
        ("It's John’s", "it 's John 's"),
        ("“Well-known”, he said", "`` Well - known '' , he said"),
        ("the U.S. in 1,000 ways…", "the U.S. in 1,000 ways . . ."),
        ("snake_case", "snake case"),
        ("ÜBER café", "über café"),
    ],
)
def test_words_do_not_depend_on_how_a_text_was_tokenised(one: str, other: str) -> None:
    assert normalise_text(one) == normalise_text(other)


def test_thirteen_words_in_a_row_overlap_but_twelve_do_not() -> None:
    contexts = HeldOutContexts({"test": [f"Before: {THIRTEEN}, after"]})
    twelve = THIRTEEN.rpartition(" ")[0]
    documents = [f"x {THIRTEEN.upper()} y", f"x {twelve} y", THIRTEEN.replace(" ", ", "), "", f"after {twelve}"]
    assert [bool(document.contexts) for document in contexts.check_documents(documents)] == [
        True,
        False,
        True,
        False,
        False,
    ]
    assert OVERLAP_WORDS == 13


def test_no_overlap_extends_into_the_next_text() -> None:
    contexts = HeldOutContexts({"test": ["a b c", "d e f"]}, size=4)
    assert [document.contexts for document in contexts.check_documents(["a b c d e f"])] == [frozenset()]
    assert contexts.too_short == {"test": 2}
    assert [
        document.contexts
        for document in HeldOutContexts({"test": ["c d e f"]}, size=4).check_documents(["b c d", "e f g"])
    ] == [
        frozenset(),
        frozenset(),
    ]


def test_contexts_of_several_sets_are_distinguished() -> None:
    contexts = HeldOutContexts({"one": ["a b c", "b c d"], "two": ["x b c d", "z"]}, size=3)
    (document,) = contexts.check_documents(["q b c d q"])
    assert document.contexts == {("one", 1), ("two", 0)}
    assert document.tests == {"one", "two"}
    assert document.words == 5
    assert contexts.counts == {"one": 2, "two": 2}
    assert contexts.too_short == {"one": 0, "two": 1}


def test_no_contexts_and_no_documents_are_accepted() -> None:
    assert [document.contexts for document in HeldOutContexts({}).check_documents([THIRTEEN, ""])] == [
        frozenset(),
        frozenset(),
    ]
    assert not list(HeldOutContexts({"test": [THIRTEEN]}).check_documents([]))
    with pytest.raises(InputError, match="give 1 or more"):
        HeldOutContexts({}, size=0)


texts = st.lists(st.lists(st.sampled_from(["a", "b", "ab", "é", "-", "don't"]), max_size=12).map(" ".join), max_size=8)


@given(texts, texts, st.integers(1, 4))
def test_overlaps_equal_those_of_a_plain_loop(documents: list[str], contexts: list[str], size: int) -> None:
    test_sets = {"odd": contexts[::2], "even": contexts[1::2]}
    overlaps = [document.contexts for document in HeldOutContexts(test_sets, size).check_documents(documents)]
    assert overlaps == compare_all(documents, test_sets, size)


def test_equal_hashes_are_not_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    """If all words had the same hash, the words themselves would still be compared."""
    monkeypatch.setattr(overlap, "_hash_words", lambda _, starts: np.ones(len(starts), np.uint64))
    documents = ["a b c d", "d c b a", "b c"]
    assert [
        document.contexts for document in HeldOutContexts({"test": ["x b c"]}, 2).check_documents(documents)
    ] == compare_all(documents, {"test": ["x b c"]}, 2)


def test_documents_stay_in_order_in_batches_of_any_size(monkeypatch: pytest.MonkeyPatch) -> None:
    documents = [f"w{number} a b" for number in range(50)]
    whole = list(HeldOutContexts({"test": ["w7 a b"]}, 3).check_documents(documents))
    monkeypatch.setattr(overlap, "BATCH_CHARACTERS", 20)
    assert list(HeldOutContexts({"test": ["w7 a b"]}, 3).check_documents(iter(documents))) == whole
    assert [document.text for document in whole] == documents
    assert [number for number, document in enumerate(whole) if document.contexts] == [7]


def test_removals_are_counted() -> None:
    contexts = HeldOutContexts({"one": ["a b c"], "two": ["b c d", "x y z"]}, size=3)
    counts, again = RemovalCounts(), RemovalCounts()
    left = list(drop_overlapping(contexts.check_documents(["a b c d", "p q", "b c d e f", "c d e"]), counts, again))
    assert left == ["p q", "c d e"]
    assert (counts.documents, counts.words, counts.removed_documents, counts.removed_words) == (4, 14, 2, 9)
    assert counts.by_test == {"one": OverlapRemovals(1, 4, 1), "two": OverlapRemovals(2, 9, 1)}
    assert again == counts
    assert counts.as_json()["by_test"]["two"] == {"documents": 2, "words": 9, "contexts": 1}


def test_documents_without_an_overlap_are_returned() -> None:
    assert list(HeldOutContexts({"test": [THIRTEEN]}).check_documents(["Something else"])) == [
        CheckedDocument("Something else", 2)
    ]
