"""Senseval-2 XML: what is read, written and mended, and what is said of broken files."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polyseme.errors import InputError, InputWarning
from polyseme.formats.files import Blob
from polyseme.formats.senseval2 import (
    FORMAT,
    format_senseval2_usages,
    read_senseval2_labelling,
    read_senseval2_usages,
    write_senseval2_usages,
)
from polyseme.labelling import Labelling
from polyseme.usage import Usage
from strategies import attempt
from values import usages, word_names, xml_names, xml_texts

ONE = '<instance id="win.v.1"><context>We <head>won</head> at last.</context></instance>'
ANSWERED = ONE.replace("<context>", '<answer instance="win.v.1" senseid="a"/><answer senseid="b"/><context>')


def corpus(instances: str, item: str = 'item="win.v"', start: str = "") -> Blob:
    text = f'{start}<corpus lang="english">\n<lexelt {item}>\n{instances}\n</lexelt>\n</corpus>'
    return Blob("in.xml", text.encode())


def read(instances: str, item: str = 'item="win.v"', start: str = "") -> list[Usage]:
    return list(read_senseval2_usages(corpus(instances, item, start)))


def test_usages_are_read_with_their_targets() -> None:
    (usage,) = read(ONE)
    assert usage == Usage("win.v.1", "win.v", "We won at last.", 3, 6, "v")
    assert dict(usage.meta) == {}


@pytest.mark.parametrize(
    "item, lemma, pos",
    [
        ('item="win.v"', "win.v", "v"),
        ('item="win" pos="v"', "win.v", "v"),
        ('item="win.v" pos="v"', "win.v", "v"),
        ('item="dark.j"', "dark.j", "j"),
        ('item="bar.n.v"', "bar.n.v", "v"),
        ('item="win"', "win", ""),
        ('item="win" pos="unk"', "win", ""),
        ('item="v"', "v", ""),
        ('item="St.Ives"', "St.Ives", ""),
    ],
)
def test_the_part_of_speech_is_the_items_or_an_attribute(item: str, lemma: str, pos: str) -> None:
    (usage,) = read(ONE, item)
    assert (usage.lemma, usage.pos) == (lemma, pos)


def test_an_id_of_digits_gets_its_lemma_in_front() -> None:
    (usage,) = read(ONE.replace("win.v.1", "12"))
    assert usage.id == "win.v.12"


def test_the_text_is_what_stands_there_with_its_space_and_its_characters() -> None:
    (usage,) = read(
        '<instance id="x"><context>\n R&amp;B, <p>we <i><head>w<b>o</b>n</head></i></p>\t&#8212; é </context>'
        "</instance>"
    )
    assert usage.text == "\n R&B, we won\t— é "
    assert usage.target == "won"


def test_other_heads_and_attributes_are_in_the_meta() -> None:
    xml = "<context>We <head>won</head> and <head>won</head> it <sat>all</sat> <head>again</head></context>"
    (usage,) = read(f'<instance id="x" docsrc="diary">{xml}</instance>')
    assert usage.start == 3
    assert dict(usage.meta) == {"docsrc": "diary", "heads": "11:14 22:27"}
    (again,) = read_senseval2_usages(Blob("again.xml", format_senseval2_usages([usage]).encode()))
    assert (again, again.meta) == (usage, usage.meta)


def test_a_document_type_is_allowed() -> None:
    assert read(ONE, start='<?xml version="1.0" ?>\n<!DOCTYPE corpus SYSTEM "lexical-sample.dtd">\n') == read(ONE)


def test_answers() -> None:
    labelling = read_senseval2_labelling(corpus(ANSWERED + ONE.replace("win.v.1", "win.v.2") + "\n"))
    assert dict(labelling) == {"win.v.1": {"a": 1.0, "b": 1.0}}
    assert labelling.lemma("win.v.1") == "win.v"


def test_no_answer_at_all() -> None:
    with pytest.raises(InputError, match=r"^in\.xml: no instance has an <answer>.* key beside the file"):
        read_senseval2_labelling(corpus(ONE))


# -- broken files --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "instances, message",
    [
        (ONE.replace(' id="win.v.1"', ""), r"in\.xml:3: <instance> lacks the attribute 'id'"),
        (ONE.replace("<head>won</head>", "won"), r"in\.xml:3: instance 'win\.v\.1' has no <head>; put the target"),
        (ONE.replace("context", "text"), r"in\.xml:3: <instance> has 0 elements <context>"),
        (f"{ONE}\n{ONE}", r"in\.xml:4: usage 'win\.v\.1' is given in line 3 already"),
        (ONE.replace("instance", "usage"), r"in\.xml:3: <usage> where an <instance> must be"),
        (ONE + "<instance", r"in\.xml:4: not well-formed"),
        (ONE.replace("won", "&bomb;"), "not well-formed|entity"),
    ],
)
def test_broken_files_are_errors(instances: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read(instances)


def test_a_lexelt_without_an_item() -> None:
    with pytest.raises(InputError, match=r"in\.xml:2: <lexelt> lacks the attribute 'item'"):
        read(ONE, "")


def test_an_answer_to_another_instance() -> None:
    with pytest.raises(InputError, match=r"in\.xml:3: an answer to 'win\.v\.9' lies in instance 'win\.v\.1'"):
        read_senseval2_labelling(corpus(ANSWERED.replace('instance="win.v.1"', 'instance="win.v.9"')))


def test_a_file_cut_short_is_an_error() -> None:
    whole = corpus(ONE).data
    for end in range(len(whole)):
        with pytest.raises(InputError, match=r"cut short|not well-formed"):
            list(read_senseval2_usages(Blob("in.xml", whole[:end])))


def test_an_entity_bomb_is_refused() -> None:
    bomb = '<!DOCTYPE corpus [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]>'
    with pytest.raises(InputError, match="declares the entity 'a', which is not allowed"):
        read(ONE.replace("won", "&b;"), start=bomb)


def test_another_encoding_must_be_declared() -> None:
    text = corpus(ONE.replace("won", "né")).data.decode()
    with pytest.raises(InputError, match=r"in\.xml:3: not well-formed XML.*not UTF-8"):
        list(read_senseval2_usages(Blob("in.xml", text.encode("latin-1"))))
    declared = f'<?xml version="1.0" encoding="ISO-8859-1"?>{text}'.encode("latin-1")
    assert [usage.target for usage in read_senseval2_usages(Blob("in.xml", declared))] == ["né"]


@pytest.mark.filterwarnings("ignore::polyseme.errors.InputWarning")
@given(
    st.integers(0, 200), st.integers(0, 9), st.binary(max_size=4) | st.sampled_from([b"<", b"&", b'"', b"\n", b"\xe9"])
)
def test_any_damage_is_an_input_error(at: int, cut: int, piece: bytes) -> None:
    whole = corpus(ANSWERED).data
    damaged = Blob("in.xml", whole[:at] + piece + whole[at + cut :])
    attempt(lambda: (list(read_senseval2_usages(damaged)), read_senseval2_labelling(damaged)))


# -- mending -------------------------------------------------------------------------------------------------------


def test_references_cut_apart_are_joined() -> None:
    with pytest.warns(InputWarning, match=r"in\.xml: corrected 2 character references cut apart \(lines 3, 3\)"):
        (usage,) = read(ONE.replace("at last", "&#8220 ;at last&#x201d ; &amp; so ;"))
    assert usage.text == "We won “at last” & so ;."


def test_a_stray_byte_among_utf8_is_read_as_windows_1252() -> None:
    data = corpus(ONE.replace("at last", "é é STRAY")).data.replace(b"STRAY", b"na\xefve \x93")
    with pytest.warns(InputWarning, match=r"corrected 2 bytes that were not UTF-8 \(lines 3, 3\)"):
        list(read_senseval2_usages(Blob("in.xml", data.replace("é é".encode(), "é é é".encode()))))
    with pytest.raises(InputError, match="not UTF-8"):  # as many strange bytes as proper ones: another encoding
        list(read_senseval2_usages(Blob("in.xml", data)))


def test_documents_one_after_the_other() -> None:
    prolog = '<?xml version="1.0" ?>\n<!DOCTYPE corpus SYSTEM "lexsub.dtd">\n\n'
    first, second = (corpus(ONE.replace(".1", f".{n}"), start=prolog).data for n in (1, 2))
    assert [usage.id for usage in read_senseval2_usages(Blob("in.xml", first + second))] == ["win.v.1", "win.v.2"]
    with pytest.raises(InputError, match=r"in\.xml:14: usage 'win\.v\.1' is given in line 6 already"):
        list(read_senseval2_usages(Blob("in.xml", first + b"\n" + first)))


# -- writing -------------------------------------------------------------------------------------------------------

attribute_names = st.from_regex(r"[A-Za-z_][A-Za-z0-9_.-]{0,5}", fullmatch=True).filter(
    lambda name: name not in ("id", "heads")
)
writable = usages(
    texts=xml_texts,
    ids=xml_names.filter(lambda id: not re.fullmatch("[0-9]+", id)),
    meta=st.dictionaries(attribute_names, xml_texts, max_size=2),
)


@given(writable)
def test_written_values_are_read_back_unchanged(usages: list[Usage]) -> None:
    text = format_senseval2_usages(usages)
    back = list(read_senseval2_usages(Blob("out.xml", text.encode())))
    assert back == usages
    assert [usage.meta for usage in back] == [usage.meta for usage in usages]
    assert format_senseval2_usages(back) == text


@given(
    writable.filter(bool), st.lists(st.lists(xml_names, min_size=1, max_size=3, unique=True), min_size=1, max_size=5)
)
def test_round_trip_with_a_labelling(usages: list[Usage], senses: list[list[str]]) -> None:
    answered = zip(usages, senses, strict=False)
    labelling = Labelling((usage.lemma, usage.id, dict.fromkeys(names, 1.0)) for usage, names in answered)
    source = Blob("out.xml", format_senseval2_usages(usages, labelling).encode())
    assert list(read_senseval2_usages(source)) == usages
    assert read_senseval2_labelling(source) == labelling


def test_written_files_are_read_and_recognised(tmp_path: Path) -> None:
    path = tmp_path / "out.xml.gz"
    write_senseval2_usages(read(ONE), path)
    assert list(read_senseval2_usages(path)) == read(ONE)
    assert FORMAT.recognises(format_senseval2_usages(read(ONE)).encode())
    assert FORMAT.recognises(format_senseval2_usages([]).encode())


@pytest.mark.parametrize(
    "usage, message",
    [
        (Usage("7", "win.v", "We won", 3, 6), "the id '7' has only digits, and would be read as 'win.v.7'"),
        (Usage("a", "win.v", "We won", 3, 6, "n"), "usage 'a' has the part of speech 'n', its lemma 'win.v' 'v'"),
        (Usage("a", "win", "We won", 3, 6, "v"), "its lemma 'win' none; in Senseval-2 XML the lemma must end in it"),
        (Usage("a", "win.v", "We won", 3, 6, meta={"a b": 1}), "'a b' cannot be the name of an attribute in XML"),
        (Usage("a", "win.v", "We won", 3, 6, meta={"id": 1}), "'id' has a meaning of its own here; rename it"),
        (Usage("a", "win.v", "We won", 3, 6, meta={"heads": "0:2"}), "must follow the target"),
        (Usage("a", "win.v", "We won", 3, 6, meta={"heads": "last"}), "heads 'last' in its meta are not offsets"),
        (Usage("a", "win.v", "We \0won", 4, 7), "XML cannot hold the character"),
        (Usage("", "win.v", "We won", 3, 6), "a usage has no name"),
    ],
)
def test_what_cannot_be_written(usage: Usage, message: str) -> None:
    with pytest.raises(InputError, match=message):
        format_senseval2_usages([usage])


def test_ids_are_written_once() -> None:
    with pytest.raises(InputError, match=r"usage 'win\.v\.1' is given 2 times; give each usage once"):
        format_senseval2_usages(read(ONE) * 2)


def test_weights_other_than_one_are_for_a_key() -> None:
    labelling = Labelling([("win.v", "win.v.1", {"a": 0.5})])
    with pytest.raises(InputError, match=r"usage 'win\.v\.1' has weights other than 1.*; write an answer key"):
        format_senseval2_usages(read(ONE), labelling)


@given(st.text(max_size=200) | word_names.map(lambda name: f"<{name}>"))
def test_recognises_no_other_text(text: str) -> None:
    assert not FORMAT.recognises(text.encode(errors="replace"))


# -- the data sets -------------------------------------------------------------------------------------------------


def test_lexsub(data: Path, tmp_path: Path) -> None:
    """Its file is two documents, with 30 references cut apart and a byte that is not UTF-8."""
    path = data / "lexsub" / "lst_all.xml"
    with pytest.warns(InputWarning, match="corrected 1 bytes .* and 30 character references cut apart"):
        usages = list(read_senseval2_usages(path))
    assert len(usages) == 2010
    assert len({usage.lemma for usage in usages}) == 205
    assert [usage.id for usage in usages if not re.fullmatch(r"\S.*\S|\S", usage.target)] == []
    gold = [
        line.split(" :: ")[0] for name in ("trial", "test") for line in _lines(data / "lexsub" / f"lst_{name}.gold")
    ]
    assert {line.replace(" ", ".") for line in gold} <= {usage.id for usage in usages}
    write_senseval2_usages(usages, tmp_path / "out.xml")
    assert list(read_senseval2_usages(tmp_path / "out.xml")) == usages


def _lines(path: Path) -> list[str]:
    return path.read_text("utf-8").splitlines()


WITHOUT_GOLD = [
    *("dark.j.34", "find.v.30", "image.n.97", "live.v.41"),
    *("poor.j.78", "poor.j.84", "trace.n.13", "window.n.93"),
]
"""What Task 13's Senseval-2 file still has of the instances that were removed from the data."""


def test_task13(data: Path, tmp_path: Path) -> None:
    folder = data / "semeval-2013-task-13"
    (path,) = (folder / "contexts" / "senseval2-format").iterdir()
    usages = list(read_senseval2_usages(path))
    gold = {line.split()[1] for line in _lines(folder / "keys" / "gold" / "all.key")}
    assert len(usages) == 4672
    assert len({usage.lemma for usage in usages}) == 50
    assert sorted({usage.id for usage in usages} - gold) == WITHOUT_GOLD
    assert all(usage.target.strip() == usage.target != "" for usage in usages)
    write_senseval2_usages(usages, tmp_path / "out.xml")
    assert list(read_senseval2_usages(tmp_path / "out.xml")) == usages
