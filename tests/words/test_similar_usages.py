"""The usages that are similar to one."""

import pytest

from polyseme.errors import InputError
from polyseme.words.similar_usages import find_similar_usages
from word_profiles import bank_profile, changing_profile, usage


def test_similarity_counts_contexts_and_senses() -> None:
    usages = [
        usage(0, "the {} of the quiet river"),
        usage(1, "a {} near some quiet river"),
        usage(2, "the {} of the loud bankers"),
        usage(3, "nothing like it, this {}"),
    ]
    similar = find_similar_usages(bank_profile([(0.0, 1.0), (0.1, 0.9), (1.0, 0.0), (0.0, 1.0)], usages), "u0", 3)
    assert [other.id for other, _ in similar] == ["u1", "u3", "u2"]
    assert all(0 <= similarity <= 1 for _, similarity in similar)
    assert similar[0][1] > similar[1][1] > similar[2][1]


def test_a_repeated_text_is_found_once() -> None:
    usages = [usage(0, "the {} again"), usage(1, "the {} again"), usage(2, "the {} anew")]
    assert [other.id for other, _ in find_similar_usages(bank_profile([(1.0, 0.0)] * 3, usages), "u0")] == ["u2"]


def test_an_unknown_usage_is_an_error() -> None:
    with pytest.raises(InputError, match=r"bank\.n has no usage 'u99'"):
        find_similar_usages(changing_profile(10), "u99")


def test_usages_without_context_are_compared_by_senses() -> None:
    similar = find_similar_usages(bank_profile([(1.0, 0.0)] * 2, [usage(0, "{}"), usage(1, "{}!")]), "u0")
    assert [(other.id, similarity) for other, similarity in similar] == [("u1", 0.5)]
