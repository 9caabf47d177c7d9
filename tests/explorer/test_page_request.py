"""The query of a page."""

from __future__ import annotations

from urllib.parse import parse_qsl

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polyseme.explorer.page_request import MAX_LENGTHS, MAX_NAMED_SENSES, PageRequest, clean_text


def test_an_address_holds_the_whole_query() -> None:
    request = PageRequest(
        "bank.n", "UoY()", where="year > 1900 & x", by="purity", page=3, names={2: "a = b"}, into={3: 1}
    )
    path, _, query = request.link("/word").partition("?")
    assert path == "/word"
    assert PageRequest.from_query(dict(parse_qsl(query))) == request


@given(st.dictionaries(st.sampled_from([*MAX_LENGTHS, "page", "by", "own", "name1", "into2"]), st.text(max_size=300)))
def test_any_query_survives_a_round_trip(fields: dict[str, str]) -> None:
    request = PageRequest.from_query(fields)
    again = PageRequest.from_query(dict(parse_qsl(request.link("/word").partition("?")[2], keep_blank_values=True)))
    assert again == request


def test_long_fields_are_cut_and_wrong_numbers_are_ignored() -> None:
    request = PageRequest.from_query(
        {"word": "x" * 10_000, "page": "-4", f"name{MAX_NAMED_SENSES + 1}": "a", "into1": "1", "by": "DROP"}
    )
    assert len(request.word) == MAX_LENGTHS["word"]
    assert (request.page, request.names, request.into, request.by) == (1, {}, {}, "")


def test_a_typed_model_takes_precedence_over_the_list() -> None:
    assert PageRequest.from_query({"model": "Squares()", "own": " UoY(p1=10) "}).model == "UoY(p1=10)"
    assert PageRequest.from_query({"other": "Squares()", "ownother": "Link()"}).other == "Link()"


def test_control_characters_and_surrogates_are_removed() -> None:
    assert clean_text("a\x00b\x1b[31m\ud800 c\x7f") == "ab[31m c"
    assert clean_text("\u202ea\u2066b\u2069\u200f") == "ab"


@pytest.mark.parametrize("word", ["می\u200cخواهم", "क\u200dष", "co\u00adoperate", "👩\u200d🚀"])
def test_invisible_characters_of_words_stay(word: str) -> None:
    assert PageRequest.from_query({"word": f" {word}\u202e "}).word == word


def test_spaces_are_collapsed_in_words_and_names_only() -> None:
    spaced = "a  b\u00a0c"
    request = PageRequest.from_query(
        dict.fromkeys(("word", "name1", "where", "usage", "sense", "model", "text"), spaced)
    )
    assert (request.word, request.names) == ("a b c", {1: "a b c"})
    assert {request.where, request.usage, request.sense, request.model, request.text} == {spaced}
    assert PageRequest.from_query({"where": "  x == 'a  b' "}).where == "x == 'a  b'"


def test_forms_have_hidden_fields_for_the_rest_of_the_query() -> None:
    request = PageRequest("bank", where="x", page=4, names={1: "money"}, into={2: 1})
    assert dict(request.hidden_fields("where", "into")) == {"word": "bank", "name1": "money"}
