"""Usages like one."""

import pytest

from polyseme.errors import InputError
from polyseme.words.similar_usages import find_similar_usages
from word_profiles import planted, portrait, usage


def test_contexts_and_senses_count() -> None:
    usages = [
        usage(0, "the {} of the quiet river"),
        usage(1, "a {} near some quiet river"),
        usage(2, "the {} of the loud bankers"),
        usage(3, "nothing like it, this {}"),
    ]
    found = find_similar_usages(portrait([(0.0, 1.0), (0.1, 0.9), (1.0, 0.0), (0.0, 1.0)], usages), "u0", 3)
    assert [each.id for each, _ in found] == ["u1", "u3", "u2"]
    assert all(0 <= likeness <= 1 for _, likeness in found)
    assert found[0][1] > found[1][1] > found[2][1]


def test_the_same_text_is_not_shown_again() -> None:
    usages = [usage(0, "the {} again"), usage(1, "the {} again"), usage(2, "the {} anew")]
    assert [each.id for each, _ in find_similar_usages(portrait([(1.0, 0.0)] * 3, usages), "u0")] == ["u2"]


def test_an_unknown_usage() -> None:
    with pytest.raises(InputError, match="there is no usage 'u99' of bank"):
        find_similar_usages(planted(10), "u99")


def test_usages_without_a_word_around_them() -> None:
    found = find_similar_usages(portrait([(1.0, 0.0)] * 2, [usage(0, "{}"), usage(1, "{}!")]), "u0")
    assert [(each.id, likeness) for each, likeness in found] == [("u1", 0.5)]
