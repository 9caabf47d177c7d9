from __future__ import annotations

from urllib.parse import parse_qsl

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polyseme.explorer.page_request import MAX_LENGTHS, MAX_NAMED_SENSES, PageRequest, clean_text


def test_an_address_says_what_was_asked() -> None:
    asked = PageRequest(
        "bank.n", "UoY()", where="year > 1900 & x", by="purity", page=3, names={2: "a = b"}, into={3: 1}
    )
    path, _, query = asked.link("/word").partition("?")
    assert path == "/word"
    assert PageRequest.of(dict(parse_qsl(query))) == asked


@given(st.dictionaries(st.sampled_from([*MAX_LENGTHS, "page", "by", "own", "name1", "into2"]), st.text(max_size=300)))
def test_whatever_is_sent_can_be_read_and_asked_again(fields: dict[str, str]) -> None:
    asked = PageRequest.of(fields)
    again = PageRequest.of(dict(parse_qsl(asked.link("/word").partition("?")[2], keep_blank_values=True)))
    assert again == asked


def test_long_fields_are_cut_and_odd_numbers_are_not_taken() -> None:
    asked = PageRequest.of(
        {"word": "x" * 10_000, "page": "-4", f"name{MAX_NAMED_SENSES + 1}": "a", "into1": "1", "by": "DROP"}
    )
    assert len(asked.word) == MAX_LENGTHS["word"]
    assert (asked.page, asked.names, asked.into, asked.by) == (1, {}, {}, "")


def test_a_field_of_ones_own_comes_before_the_list() -> None:
    assert PageRequest.of({"model": "Squares()", "own": " UoY(p1=10) "}).model == "UoY(p1=10)"
    assert PageRequest.of({"other": "Squares()", "ownother": "Link()"}).other == "Link()"


def test_control_characters_and_half_characters_are_left_out() -> None:
    assert clean_text("a\x00b\x1b[31m\ud800 c\x7f") == "ab[31m c"
    assert clean_text("\u202ea\u2066b\u2069\u200f") == "ab"


@pytest.mark.parametrize("word", ["می\u200cخواهم", "क\u200dष", "co\u00adoperate", "👩\u200d🚀"])
def test_characters_that_are_not_seen_but_belong_to_a_word_stay(word: str) -> None:
    assert PageRequest.of({"word": f" {word}\u202e "}).word == word


def test_spaces_are_collapsed_in_words_and_names_only() -> None:
    odd = "a  b\u00a0c"
    asked = PageRequest.of(dict.fromkeys(("word", "name1", "where", "usage", "sense", "model", "text"), odd))
    assert (asked.word, asked.names) == ("a b c", {1: "a b c"})
    assert {asked.where, asked.usage, asked.sense, asked.model, asked.text} == {odd}
    assert PageRequest.of({"where": "  x == 'a  b' "}).where == "x == 'a  b'"


def test_forms_send_what_is_not_their_own() -> None:
    asked = PageRequest("bank", where="x", page=4, names={1: "money"}, into={2: 1})
    assert dict(asked.hidden("where", "into")) == {"word": "bank", "name1": "money"}
