"""Usages: one occurrence of a lemma in its context."""

import copy
import pickle
from dataclasses import FrozenInstanceError, replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polyseme.usage import Usage


@pytest.fixture
def usage() -> Usage:
    return Usage("win.v.1", "win.v", "The athlete won.", 12, 15, pos="v", meta={"genre": "news", "tags": ["sport"]})


@given(st.text(), st.data())
def test_left_target_and_right_make_the_text(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    usage = Usage("u1", "x", text, start, end)
    assert usage.left + usage.target + usage.right == text
    assert len(usage.target) == end - start


@pytest.mark.parametrize("start, end", [(-1, 2), (3, 2), (0, 17), (17, 17)])
def test_target_lies_inside_the_text(start: int, end: int) -> None:
    with pytest.raises(ValueError, match=r"usage 'win.v.1': the target \[-?\d+:\d+\] lies outside its text of 16 char"):
        Usage("win.v.1", "win.v", "The athlete won.", start, end)


def test_a_lemma_that_is_no_text_is_an_error() -> None:
    with pytest.raises(ValueError, match=r"usage 'u': the lemma must be a text, such as 'win.v', not \['win'\]"):
        Usage("u", ["win"], "won", 0, 3)  # type: ignore[arg-type]


@pytest.mark.parametrize("text, start, end", [(None, 0, 3), (b"won", 0, 3), ("won", "0", 3), ("won", 0, 3.0)])
def test_a_text_and_whole_numbers_are_needed(text: Any, start: Any, end: Any) -> None:
    with pytest.raises(ValueError, match=r"usage 'win.v.1': text, start and end must be a text and whole numbers, not"):
        Usage("win.v.1", "win.v", text, start, end)


def test_it_cannot_be_changed(usage: Usage) -> None:
    with pytest.raises(FrozenInstanceError):
        usage.text = "other"  # type: ignore[misc]
    with pytest.raises(TypeError, match="cannot be changed"):
        usage.meta["genre"] = "fiction"  # type: ignore[index]


def test_meta_is_a_copy() -> None:
    meta: dict[str, object] = {"year": 1999}
    usage = Usage("u1", "x", "x", 0, 1, meta=meta)
    meta["year"] = 2000
    assert usage.meta == {"year": 1999}


def test_meta_does_not_count_in_comparisons(usage: Usage) -> None:
    other = replace(usage, meta={})
    assert other == usage
    assert hash(other) == hash(usage)
    assert replace(usage, pos="n") != usage
    assert Usage("u1", "x", "x", 0, 1).meta == {}


def test_copies_keep_everything(usage: Usage) -> None:
    for duplicate in (copy.copy(usage), copy.deepcopy(usage), pickle.loads(pickle.dumps(usage)), replace(usage)):
        assert duplicate == usage
        assert duplicate.meta == usage.meta
