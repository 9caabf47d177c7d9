"""Usages as JSON Lines."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polyseme.errors import InputError
from polyseme.formats import read_usages, write_usages
from polyseme.formats.files import Blob
from polyseme.formats.usages_jsonl import read_usages_jsonl, write_usages_jsonl
from polyseme.usage import Usage
from values import texts, usages

GOOD = {"id": "1", "lemma": "win.v", "text": "We won.", "start": 3, "end": 6}

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=5,
)
any_usages = usages(
    ids=texts.filter(bool),
    lemmas=texts,
    meta=st.dictionaries(texts, values, max_size=3),  # type: ignore[arg-type]
)


def read(*objects: object) -> list[Usage]:
    text = "\n".join(each if isinstance(each, str) else json.dumps(each) for each in objects)
    return list(read_usages_jsonl(Blob("a.jsonl", text.encode())))


def test_fields_are_read() -> None:
    first, second = read(GOOD | {"pos": "v", "meta": {"a": [1]}}, "", GOOD | {"id": "2", "year": 1999})
    assert (first, dict(first.meta)) == (Usage("1", "win.v", "We won.", 3, 6, "v"), {"a": [1]})
    assert (second, dict(second.meta)) == (Usage("2", "win.v", "We won.", 3, 6), {"year": 1999})


def test_the_only_form_of_the_lemma_is_the_target() -> None:
    (usage,) = read({"id": "1", "lemma": "win.v", "text": "We won."})
    assert usage.target == "won"


@given(usages=any_usages)
def test_written_values_are_read_back_unchanged(usages: list[Usage], tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("usages") / "out.jsonl"
    write_usages_jsonl(usages, path)
    assert [(usage, usage.meta) for usage in read_usages_jsonl(path)] == [(usage, usage.meta) for usage in usages]
    assert path.read_bytes().count(b"\n") == len(usages)


def test_files_are_listed(tmp_path: Path) -> None:
    usages = [Usage("1", "x", "a\ud83d\u2028", 0, 1, meta={"n": 1})]
    write_usages(usages, tmp_path / "out.jsonl.gz")
    assert list(read_usages(tmp_path / "out.jsonl.gz")) == usages


@pytest.mark.parametrize(
    "line, message",
    [
        ("{", "not JSON: Expecting property name enclosed in double quotes (column 2)"),
        ("[1]", "'[1]' is not an object"),
        ({"id": "1", "lemma": "x"}, "the object lacks 'text'; it has 'id', 'lemma'"),
        ({"id": "1", "lemma": "x", "text": "x", "end": 1}, "the object lacks 'start'; it has 'id', 'lemma', 'text'"),
        ({"id": "1", "lemma": "x", "text": "y"}, "the text has no forms of 'x', not one; give start and end"),
        (GOOD | {"start": "3"}, "start '3' must be a whole number"),
        (GOOD | {"start": True}, "start True must be a whole number"),
        (GOOD | {"id": 1}, "id 1 must be text in quotes"),
        (GOOD | {"meta": []}, "meta [] must be an object"),
        (GOOD | {"end": 8}, "the target 3:8 is not a part of the text of 7 characters"),
        (GOOD | {"meta": {"a": 1}, "a": 2}, "'a' is given in meta and beside it"),
        ('{"id": "1", "id": "2"}', "'id' is given twice in one object"),
        ('{"id": NaN}', "NaN is not JSON, which has only finite numbers"),
        ("[" * 100_000, "the brackets are nested too deeply"),
        ('{"id": %s}' % ("9" * 5000), "a number has too many digits"),
    ],
)
def test_what_cannot_be_read(line: object, message: str) -> None:
    with pytest.raises(InputError) as caught:
        read(GOOD | {"id": "first"}, line)
    assert str(caught.value).startswith(f"a.jsonl:2: {message}")


def test_usage_given_twice() -> None:
    with pytest.raises(InputError, match=r"a\.jsonl:2: usage '1' is given in line 1 already"):
        read(GOOD, GOOD)


def test_a_wrong_encoding_is_an_error() -> None:
    with pytest.raises(InputError, match=r"a\.jsonl:1: byte 0xe9"):
        list(read_usages_jsonl(Blob("a.jsonl", b'{"id": "\xe9"}')))


@pytest.mark.parametrize("value", [(1, 2), {1: 2}, object(), float("nan"), "\ud83d\ude00"])
def test_what_cannot_be_written(value: object, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="usage '1' cannot be written as JSON"):
        write_usages_jsonl([Usage("1", "x", "ab", 0, 1, meta={"a": value})], tmp_path / "out.jsonl")
