"""Labellings as JSON Lines."""

import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polyseme.errors import InputError, InputWarning
from polyseme.formats.answer_key import parse_key
from polyseme.formats.labelling_jsonl import (
    format_labelling_jsonl,
    parse_labelling_jsonl,
    read_labelling_jsonl,
    write_labelling_jsonl,
)
from polyseme.formats.labelling_parquet import format_labelling_parquet, parse_labelling_parquet
from polyseme.labelling import Labelling
from strategies import any_labellings, as_rows, attempt, finite, labellings

GOOD = b'{"usage": "u1", "lemma": "x", "senses": {"a": 0.5}}\n'
ALLOWED = 'A line reads: {"usage": "win.v.1", "lemma": "win.v", "senses": {"win.v.2": 0.5}}'

with_lone_surrogates = labellings(
    senses=st.text(st.characters(min_codepoint=0xD700, max_codepoint=0xE010)), weights=finite
)


def problem(data: bytes) -> str:
    """What is said about a file that cannot be read."""
    with pytest.raises(InputError) as caught:
        parse_labelling_jsonl(data, "out.jsonl")
    return str(caught.value)


@given(any_labellings)
def test_written_values_are_read_back_unchanged(labelling: Labelling) -> None:
    data = format_labelling_jsonl(labelling).encode()
    assert as_rows(parse_labelling_jsonl(data)) == as_rows(labelling.heaviest_first())
    assert data.count(b"\n") == len(labelling)


@given(with_lone_surrogates)
def test_half_characters_survive_unless_two_would_join(labelling: Labelling) -> None:
    joined = any(re.search("[\ud800-\udbff][\udc00-\udfff]", sense) for _, sense in labelling.columns)
    text = attempt(lambda: format_labelling_jsonl(labelling))
    assert isinstance(text, InputError) == joined
    if isinstance(text, str):
        assert as_rows(parse_labelling_jsonl(text.encode())) == as_rows(labelling.heaviest_first())


def test_half_characters_that_would_join() -> None:
    with pytest.raises(InputError, match="two halves of one character, which JSON would join; change it"):
        format_labelling_jsonl(Labelling([("x", "u1", {"\ud83d\ude00": 1})]))


def test_half_a_character_is_refused() -> None:
    labelling = Labelling([("x", "u1", {"\ud83d": 1} | {"\ude00": 2})])
    assert (
        format_labelling_jsonl(labelling)
        == '{"usage": "u1", "lemma": "x", "senses": {"\\ude00": 2.0, "\\ud83d": 1.0}}\n'
    )
    assert parse_labelling_jsonl(format_labelling_jsonl(labelling).encode()) == labelling


@given(any_labellings)
def test_any_program_can_read_it(labelling: Labelling) -> None:
    lines = [json.loads(line) for line in format_labelling_jsonl(labelling).split("\n")[:-1]]
    assert lines == [{"usage": usage, "lemma": lemma, "senses": senses} for lemma, usage, senses in labelling.rows()]


@pytest.mark.parametrize("name", ["out.jsonl", "out.jsonl.gz", "out.ndjson.zst"])
def test_files_are_listed(name: str, tmp_path: Path) -> None:
    labelling = Labelling([("x", "u1", {"a b": 0.1, "": 0}), ("ÿ", "u 2", {"ü": 3})])
    write_labelling_jsonl(labelling, tmp_path / name)
    assert as_rows(read_labelling_jsonl(tmp_path / name)) == as_rows(labelling.heaviest_first())


@pytest.mark.parametrize(
    "data",
    [
        b"\xef\xbb\xbf" + GOOD,
        b"\n \n" + GOOD + b"\n",
        GOOD.replace(b"\n", b"\r\n"),
        GOOD.rstrip(),
        b'{"senses":{"a":5e-1},"lemma":"x","text":"more","usage":"u1","more":[null,{}]}',
    ],
)
def test_harmless_deviations_are_tolerated(data: bytes) -> None:
    assert as_rows(parse_labelling_jsonl(data)) == [("x", "u1", [("a", 0.5)])]


@pytest.mark.parametrize("data", [b"", b"\n\n", b"\xef\xbb\xbf"])
def test_an_empty_file_is_handled(data: bytes) -> None:
    assert parse_labelling_jsonl(data) == Labelling()


def test_object_without_a_sense() -> None:
    with pytest.warns(InputWarning, match=r"^out\.jsonl: 1 line names no sense; .* \(line 2\)$"):
        labelling = parse_labelling_jsonl(GOOD + b'{"usage": "u2", "lemma": "x", "senses": {}}', "out.jsonl")
    assert list(labelling) == ["u1"]


@pytest.mark.parametrize(
    "line, message",
    [
        ("[1]", "'[1]' is not an object"),
        ('"text"', """'"text"' is not an object"""),
        ("{", "not JSON: Expecting property name enclosed in double quotes (column 2)"),
        ('{"usage": "u2"} {}', "not JSON: Extra data (column 17)"),
        ("x u1 a/1", "not JSON: Expecting value (column 1)"),
        ("[" * 100_000, "the brackets are nested too deeply"),
        ('{"usage": "u2", "sense": "a"}', "the object lacks 'lemma', 'senses'; it has 'usage', 'sense'"),
        ("{}", "the object lacks 'usage', 'lemma', 'senses'; it has nothing"),
        ('{"usage": 2, "lemma": null, "senses": {}}', "usage 2 and lemma None must both be text in quotes"),
        ('{"usage": [], "lemma": "x", "senses": {}}', "usage (a list) and lemma 'x' must both be text in quotes"),
        ('{"usage": "u2", "lemma": "x", "senses": ["a"]}', "senses (a list) must be an object of weights"),
        ('{"usage": "u2", "lemma": "x", "lemma": "y", "senses": {}}', "'lemma' is given twice in one object"),
        ('{"usage": "u2", "lemma": "x", "senses": {"a": 1, "b": 1, "a": 1}}', "'a' is given twice in one object"),
        (
            '{"usage": "u2", "lemma": "x", "senses": {"a": NaN}}',
            "NaN is not JSON, which has only finite numbers",
        ),
        ('{"usage": "u2", "lemma": "x", "senses": {"a": %s}}' % ("9" * 5000), "a number has too many digits"),
    ],
)
def test_faults_are_errors_with_their_cause(line: str, message: str) -> None:
    assert problem(GOOD + line.encode()) == f"out.jsonl:2: {message}. {ALLOWED}"


@pytest.mark.parametrize("weight", ["-0.5", "1e999", "-1e999", '"1"', "true", "null", "[1]", "{}", "9" * 400])
def test_weights_are_read(weight: str) -> None:
    line = f'{{"usage": "u2", "lemma": "x", "senses": {{"a": {weight}}}}}'
    assert "of sense 'a' is not a number, 0 or more, and finite. A line reads" in problem(GOOD + line.encode())


def test_usage_given_twice() -> None:
    expected = "out.jsonl:3: usage 'u1' is given in line 1 already; a usage has one line"
    assert problem(GOOD + b"\n" + GOOD) == expected


@pytest.mark.parametrize(
    "data", [GOOD + "é".encode("latin-1"), GOOD + b"\0", "{}".encode("utf-16"), GOOD + b"\xff\xfe"]
)
def test_text_that_is_not_utf8_is_an_error(data: bytes) -> None:
    assert "UTF-8" in problem(data)


def test_messages_are_short_even_for_10_megabytes() -> None:
    long = "a" * 10_000_000
    for line in (f'"{long}"', f'{{"{long}": 1}}', f'{{"usage": "u", "lemma": "x", "senses": {{"{long}": "{long}"}}}}'):
        assert len(problem(line.encode())) < 600


@given(st.binary() | st.text().map(str.encode) | st.from_regex(r'\{"usage": .*\}').map(str.encode))
def test_anything_is_read_or_refused(data: bytes) -> None:
    outcome = attempt(lambda: parse_labelling_jsonl(data))
    if isinstance(outcome, InputError):
        assert str(outcome).startswith("json:")
    else:
        assert len(outcome) <= data.count(b"\n") + 1


def test_a_key_keeps_its_answers_in_other_formats() -> None:
    key = parse_key(b"x u1 a/0.2 b/0.8\nx u2 a/1 b/1\n")
    for again in (
        parse_labelling_jsonl(format_labelling_jsonl(key).encode()),
        parse_labelling_parquet(format_labelling_parquet(key)),
    ):
        assert again.ordered
        assert dict(again.single()) == {"u1": {"a": 1.0}, "u2": {"a": 1.0}}
    mixed = format_labelling_jsonl(key) + format_labelling_jsonl(Labelling([("x", "u3", {"a": 1.0})]))
    assert not parse_labelling_jsonl(mixed.encode()).ordered
