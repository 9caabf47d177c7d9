"""Usages as CSV."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polyseme.errors import InputError
from polyseme.formats import read_usages, write_usages
from polyseme.formats.files import Blob
from polyseme.formats.usages_csv import COLUMNS, read_usages_csv, write_usages_csv
from polyseme.usage import Usage
from strategies import attempt
from values import texts, usages

HEADER = "id,lemma,text,start,end\n"


def read(text: str) -> list[Usage]:
    return list(read_usages_csv(Blob("a.csv", text.encode())))


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_any_delimiter_and_the_mark_of_spreadsheets(delimiter: str) -> None:
    rows = ["\ufeffid,pos,lemma,text,start,end,year", '1,v,win.v,"We won.\r\nTwice!",3,6,1999', "2,,win.v,=cmd(),0,1,"]
    first, second = read("\r\n".join(rows).replace(",", delimiter))
    assert (first, dict(first.meta)) == (Usage("1", "win.v", "We won.\r\nTwice!", 3, 6, "v"), {"year": "1999"})
    assert (second, dict(second.meta)) == (Usage("2", "win.v", "=cmd()", 0, 1), {})


@pytest.mark.parametrize("header, end", [("id,lemma,text,pos", ""), ("id,lemma,text,pos,start,end", ",,")])
def test_the_only_form_of_the_lemma_is_the_target(header: str, end: str) -> None:
    rows = ["bank.n,The BANKS lend and banked.,", "bank,It banked.,", "win,We won a win.,n", "give_up.v,They gave up.,"]
    lines = [f"{number},{row}{end}" for number, row in enumerate(rows)]
    assert [usage.target for usage in read("\n".join([header, *lines]))] == ["BANKS", "banked", "win", "gave up"]


@given(usages=usages(ids=texts, lemmas=texts, meta=st.dictionaries(texts, texts, max_size=3)))
def test_written_values_are_read_back_unchanged(usages: list[Usage], tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("usages") / "out.csv"
    refused = attempt(lambda: write_usages_csv(usages, path))
    if isinstance(refused, InputError):
        meta = [name for usage in usages for name in usage.meta]
        everything = [
            text for usage in usages for text in (usage.id, usage.lemma, usage.text, *map(str, usage.meta.values()))
        ]
        assert "" in [usage.id for usage in usages] or {*COLUMNS} & {*meta} or "\0" in "".join(everything + meta)
    else:
        filled = [{name: value for name, value in usage.meta.items() if value} for usage in usages]
        assert list(read_usages_csv(path)) == usages
        assert [dict(usage.meta) for usage in read_usages_csv(path)] == filled


@pytest.mark.parametrize(
    "text, message",
    [
        ("id,lemma\n", "a.csv:1: there is no column 'text'; the first line names 'id', 'lemma'. Needed"),
        ("", "a.csv:1: there is no column 'id', 'lemma', 'text'; the first line names nothing"),
        ("id,lemma,text,start\n1,x,ab,0\n", "a.csv:2: end '' is not a whole number"),
        ("id,lemma,text\n1,bank.n,A bank\n2,bank.n,It banked\n", "a.csv:3: the text has no forms of 'bank.n', not one"),
        ("id,lemma,text\n1,bank.n,Bank and banks.\n", "a.csv:2: the text has 2 forms of 'bank.n', not one; give"),
        (HEADER + "1,x,ab,0,3\n", "a.csv:2: the target 0:3 is not a part of the text, which has 2 characters"),
        (HEADER + "1,x,ab,2,1\n", "a.csv:2: the target 2:1 is not a part of the text"),
        (HEADER + "1,x,ab,-1,1\n", "a.csv:2: start '-1' is not a whole number"),
        (HEADER + "1,x,ab,0,1.5\n", "a.csv:2: end '1.5' is not a whole number"),
        (HEADER + '1,x,"a\nb",0,1\n1,x,ab,0,1\n', "a.csv:4: usage '1' is given in line 2 already"),
        (HEADER + ",x,ab,0,1\n", "a.csv:2: a usage has no name"),
        (HEADER + "1,x,ab\n", "a.csv:2: 3 cells, but the first line names 5 columns"),
    ],
)
def test_what_cannot_be_read(text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        read(text)
    assert str(caught.value).startswith(message)


def test_a_wrong_encoding_is_an_error() -> None:
    with pytest.raises(InputError, match=r"a\.csv:3: byte 0xe9"):
        list(read_usages_csv(Blob("a.csv", HEADER.encode() + b"1,x,ab,0,1\n2,x,h\xe9,0,1\n")))


@pytest.mark.parametrize("meta", [{"a": [1]}, {"a": None}, {"text": "x"}])
def test_what_cannot_be_written(meta: dict[str, object], tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be a column of a CSV file"):
        write_usages_csv([Usage("1", "x", "ab", 0, 1, meta=meta)], tmp_path / "out.csv")


def test_numbers_become_text(tmp_path: Path) -> None:
    write_usages([Usage("1", "x", "ab", 0, 1, meta={"year": 1999, "share": 0.5})], tmp_path / "out.csv")
    (usage,) = read_usages(tmp_path / "out.csv")
    assert dict(usage.meta) == {"year": "1999", "share": "0.5"}
