"""The unified WSD framework: sentences in XML and their key, read and written, and what is said of broken files."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polyseme.errors import InputError
from polyseme.formats import semcor, semeval_2010_xml, semeval_2013_xml, senseval2, wsd_framework
from polyseme.formats.files import Blob
from polyseme.formats.wsd_framework import (
    FORMATS,
    format_framework_key,
    format_framework_sentences,
    read_framework_key,
    read_framework_sentences,
    read_framework_usages,
    write_framework_key,
    write_framework_sentences,
)
from polyseme.labelling import Labelling
from polyseme.lemma import pos_from_tag
from polyseme.sentence import Sentence, Token
from polyseme.usage import Usage
from strategies import attempt, key_names
from values import sentences, tokens, xml_names, xml_texts

WE = '<wf lemma="we" pos="PRON">We</wf>\n'
WON = '<instance id="t0" lemma="win" pos="VERB">won</instance>\n'
CUP = '<instance id="t1" lemma="boat_cup" pos="NOUN">Boat Cup</instance>\n'


def file(words: str = WE + WON + CUP, start: str = "") -> Blob:
    above = f'{start}<corpus lang="en" source="diaries">\n<text id="d0" year="1910">\n<sentence id="s0">\n'
    return Blob("in.xml", f"{above}{words}</sentence>\n</text>\n</corpus>\n".encode())


def key(text: str) -> Blob:
    return Blob("in.key", text.encode())


# -- sentences -----------------------------------------------------------------------------------------------------


def test_sentences_are_read_with_their_words() -> None:
    (sentence,) = read_framework_sentences(file())
    assert sentence == Sentence(
        "s0",
        "We won Boat Cup",
        (
            Token("We", 0, 2, "we", "", "PRON"),
            Token("won", 3, 6, "win", "v", "VERB", features={"id": "t0"}),
            Token("Boat Cup", 7, 15, "boat_cup", "n", "NOUN", features={"id": "t1"}),
        ),
        {"lang": "en", "source": "diaries", "document": "d0", "document_year": "1910"},
    )


def test_usages_are_read_with_their_targets() -> None:
    assert list(read_framework_usages(file())) == [
        Usage("t0", "win.v", "We won Boat Cup", 3, 6, "v"),
        Usage("t1", "boat_cup.n", "We won Boat Cup", 7, 15, "n"),
    ]


@pytest.mark.parametrize(
    "words, message",
    [
        (WE.replace(' lemma="we"', ""), r"in\.xml:4: <wf> lacks the attribute 'lemma'; it has pos"),
        (WON.replace(' pos="VERB"', ""), r"in\.xml:4: <instance> lacks the attribute 'pos'"),
        (WON.replace(' id="t0"', ""), r"in\.xml:4: <instance> lacks the attribute 'id'"),
        (WE + WON.replace("instance", "wf"), r"in\.xml:5: a <wf> has no id; call it <instance>"),
        (WE.replace("wf", "word"), r"in\.xml:4: <word> where a word must be, <wf> or <instance>"),
        (WON + CUP.replace("t1", "t0"), r"in\.xml:5: usage 't0' is given in line 4 already"),
        (f'{WE}</sentence>\n<sentence id="s0">\n', r"in\.xml:6: sentence 's0' is given in line 3 already"),
        (f"{WE}</sentence>\n<p>\n{WE}</p><sentence>", r"in\.xml:6: <p> where a <sentence> must be"),
        (WE.replace("We", "R&B"), r"in\.xml:4: not well-formed"),
    ],
)
def test_broken_files_are_errors(words: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        list(read_framework_sentences(file(words)))


def test_an_instance_of_another_part_of_speech() -> None:
    with pytest.raises(InputError, match=r"in\.xml: instance 't0' has the part of speech 'PRON'; allowed are NOUN"):
        list(read_framework_usages(file(WON.replace("VERB", "PRON"))))


def test_a_file_cut_short_is_an_error() -> None:
    whole = file().data.rstrip()
    for end in range(len(whole)):
        with pytest.raises(InputError, match=r"cut short|not well-formed"):
            list(read_framework_sentences(Blob("in.xml", whole[:end])))


def test_an_entity_bomb_is_refused() -> None:
    with pytest.raises(InputError, match="declares the entity 'a', which is not allowed"):
        list(read_framework_sentences(file(start='<!DOCTYPE corpus [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]>')))


def test_another_declared_encoding_is_read() -> None:
    with pytest.raises(InputError, match=r"in\.xml:4: not well-formed XML.*not UTF-8"):
        list(read_framework_sentences(Blob("in.xml", file(WE.replace("We", "Né")).data.decode().encode("latin-1"))))


@pytest.mark.filterwarnings("ignore::polyseme.errors.InputWarning")
@given(
    st.integers(0, 320), st.integers(0, 9), st.binary(max_size=4) | st.sampled_from([b"<", b"&", b'"', b"\n", b"\xe9"])
)
def test_any_damage_is_an_input_error(at: int, cut: int, piece: bytes) -> None:
    whole = file().data
    damaged = Blob("in.xml", whole[:at] + piece + whole[at + cut :])
    attempt(lambda: (list(read_framework_sentences(damaged)), list(read_framework_usages(damaged))))


# -- writing sentences ---------------------------------------------------------------------------------------------

attribute_names = st.from_regex(r"[A-Za-z_][A-Za-z0-9_.-]{0,5}", fullmatch=True).filter(
    lambda name: name not in ("id", "lemma", "pos") and not name.startswith("document")
)
metadata = st.fixed_dictionaries(
    {},
    optional=dict.fromkeys(("lang", "source", "document", "document_year", "paragraph"), xml_texts),
)


def as_read(sentence: Sentence, number: int) -> Sentence:
    """The sentence as this format holds it, with some of its words instances."""
    words = [
        Token(
            token.form,
            token.start,
            token.end,
            token.lemma,
            pos_from_tag(token.tag),
            token.tag or "X",
            features={**token.features, **({"id": f"{number}.{place}"} if token.head else {})},
        )
        for place, token in enumerate(sentence.tokens)
    ]
    return Sentence(sentence.id, sentence.text, tuple(words), sentence.meta)


any_sentences = sentences(
    words=tokens(
        forms=xml_texts,
        names=xml_names | st.sampled_from(["NOUN", "VERB", "ADJ"]),
        features=st.dictionaries(attribute_names, xml_texts, max_size=2),
    ),
    ids=xml_names,
    meta=metadata,
)
writable = any_sentences.map(lambda sentences: [as_read(sentence, number) for number, sentence in enumerate(sentences)])


@given(writable)
def test_written_values_are_read_back_unchanged(sentences: list[Sentence]) -> None:
    text = format_framework_sentences(sentences)
    back = list(read_framework_sentences(Blob("out.xml", text.encode())))
    assert back == sentences
    assert format_framework_sentences(back) == text


@given(any_sentences)
def test_other_sentences_keep_words_and_parts_of_speech(sentences: list[Sentence]) -> None:
    back = list(read_framework_sentences(Blob("out.xml", format_framework_sentences(sentences).encode())))
    words = [[(token.form, token.lemma, token.pos) for token in sentence.tokens] for sentence in sentences]
    assert [[(token.form, token.lemma, token.pos) for token in sentence.tokens] for sentence in back] == words


def test_words_that_have_senses_become_instances() -> None:
    sentence = Sentence("s0", "We won", (Token("We", 0, 2), Token("won", 3, 6, "win", "v", "VBD", senses=("a",))))
    (usage,) = read_framework_usages(Blob("out.xml", format_framework_sentences([sentence]).encode()))
    assert usage == Usage("s0.2", "win.v", "We won", 3, 6, "v")
    assert usage in list(sentence.usages())


@pytest.mark.parametrize(
    "sentence, message",
    [
        (Sentence("s", "", (), {"a b": "x"}), "sentence 's': 'a b' cannot be the name of an attribute in XML"),
        (Sentence("s", "", (), {"id": "x"}), "sentence 's': 'id' has a meaning of its own here"),
        (Sentence("s", "", (), {"document": "a", "document_id": "b"}), "'document_id' is what 'document' stands for"),
        (Sentence("s", "x", (Token("x", 0, 1, features={"pos": "y"}),)), "a word of sentence 's': 'pos' has a meaning"),
        (Sentence("", "", ()), "a sentence has no name"),
        (Sentence("s", "xx", (Token("x", 0, 1, features={"id": "y"}),) * 2), "usage 'y' is given 2 times"),
    ],
)
def test_what_cannot_be_written(sentence: Sentence, message: str) -> None:
    with pytest.raises(InputError, match=message):
        format_framework_sentences([sentence])


# -- keys ----------------------------------------------------------------------------------------------------------


def test_a_key() -> None:
    labelling = read_framework_key(key("t0 win%2:33:00:: win%2:33:01::\r\n\r\nt1 late%5:00:00:past:00\r\n"))
    assert dict(labelling) == {
        "t0": {"win%2:33:00::": 1.0, "win%2:33:01::": 1.0},
        "t1": {"late%5:00:00:past:00": 1.0},
    }
    assert labelling.lemmas == ("win.v", "late.a")


def test_lemmas_of_the_usages() -> None:
    usages = [Usage("t0", "gain.v", "We won", 3, 6)]
    assert read_framework_key(key("t0 bn:00001v\n"), usages).lemma("t0") == "gain.v"


@pytest.mark.parametrize(
    "text, message",
    [
        ("t0 win%2:33:00::\nt0 win%2:33:00::", r"in\.key:2: usage 't0' is given in line 1 already"),
        ("\nt0\n", r"in\.key:2: 't0' has no sense\. A line of the key reads: usage sense sense"),
        ("t0 win\n", r"in\.key:1: 'win' is not a sense key such as win%2:33:00::; give the usages"),
        ("t0 win%1:04:00:: win%2:33:00::", r"in\.key:1: the senses are of win\.n and win\.v; give the usages"),
        ("t0 a\0", r"in\.key:1: a zero byte"),
    ],
)
def test_broken_keys(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_framework_key(key(text))


def test_a_key_of_other_usages() -> None:
    with pytest.raises(InputError, match=r"in\.key:1: usage 't0' is not among the 1 usage given; is this their key\?"):
        read_framework_key(key("t0 win%2:33:00::"), [Usage("t1", "win.v", "We won", 3, 6)])


def test_a_key_in_another_encoding() -> None:
    with pytest.raises(InputError, match=r"in\.key:2: byte 0xe9 in column 5 is not UTF-8"):
        read_framework_key(Blob("in.key", b"t0 win%2:33:00::\nt1 n\xe9%2:33:00::"))


no_space = key_names.filter(lambda name: len(name.split()) == 1 and name == name.strip())
rows = st.dictionaries(no_space, st.tuples(no_space, st.lists(no_space, min_size=1, max_size=3)), max_size=5)


@given(rows)
def test_keys_are_read_back_unchanged(rows: dict[str, tuple[str, list[str]]]) -> None:
    labelling = Labelling((lemma, usage, dict.fromkeys(senses, 1.0)) for usage, (lemma, senses) in rows.items())
    usages = [Usage(usage, lemma, "", 0, 0) for usage, (lemma, _) in rows.items()]
    text = format_framework_key(labelling)
    back = read_framework_key(key(text), usages)
    assert back == labelling
    assert format_framework_key(back) == text


@pytest.mark.parametrize(
    "usage, senses, message",
    [
        ("t 0", {"a": 1.0}, "the name 't 0' cannot stand in a key, where white space has a meaning; rename it"),
        ("t0", {"a\u2028b": 1.0}, "cannot stand in a key"),
        ("t0", {"": 1.0}, "the name '' cannot stand in a key"),
        ("t0", {"a": 0.5, "b": 0.5}, "usage 't0' has weights other than 1.*; write an answer key"),
    ],
)
def test_keys_that_cannot_be_written(usage: str, senses: dict[str, float], message: str) -> None:
    with pytest.raises(InputError, match=message):
        format_framework_key(Labelling([("win.v", usage, senses)]))


# -- recognition ---------------------------------------------------------------------------------------------------

EVERY = [senseval2.FORMAT, semeval_2013_xml.FORMAT, semeval_2010_xml.FORMAT, semcor.FORMAT, *wsd_framework.FORMATS]


def recognised(start: bytes) -> list[str]:
    return [each.name for each in EVERY if each.recognises(start)]


@pytest.mark.parametrize(
    "start, names",
    [
        (file().data, ["wsd-framework"]),
        (b'<corpus lang="en"><!-- no <lexelt> --> <text id="d0"> <sentence id="s0">', ["wsd-framework"]),
        (b'<corpus lang="en">\n<text id="d0">\n<s>\nWe\tPP\twe\n', []),
        (b'<corpus lang="en"><!-- no <text> --> <lexelt item="win.v">', ["senseval-2"]),
        (b"d0.s0.t0 win%2:33:00:: late%5:00:00:past:00\r\nd0.s0.t1 x", ["wsd-framework-key"]),
        (b"d0.s0.t0 win%2:33:00::", ["wsd-framework-key"]),
        (b"win.v win.v.1 win%2:33:00::/1", []),
        (b"win.v win.v.1 win%2:33:00::", []),
        (b"win%2:33:00:: 1", []),
        (b"", []),
        (b"<contextfile concordance=brown>", ["semcor"]),
    ],
)
def test_one_format_recognises_a_file(start: bytes, names: list[str]) -> None:
    assert recognised(start) == names


FILES = {
    "lexsub/lst_all.xml": "senseval-2",
    "semeval-2013-task-13/contexts/senseval2-format/*.xml": "senseval-2",
    "semeval-2013-task-13/contexts/xml-format/*.xml": "semeval-2013-task-13",
    "semeval-2013-task-13-trial/data/*.xml": "semeval-2013-task-13",
    "semeval-2010-task-14/test_data/*/*.xml": "semeval-2010-task-14",
    "wsd-evaluation-framework/*/*.data.xml": "wsd-framework",
    "wsd-evaluation-framework/*/*.gold.key.txt": "wsd-framework-key",
}


@pytest.mark.parametrize("pattern, name", FILES.items())
def test_one_format_recognises_each_file_of_the_data(data: Path, pattern: str, name: str) -> None:
    paths = list(data.glob(pattern))
    assert paths
    for path in paths:
        assert recognised(path.read_bytes()[: 1 << 16]) == [name], path


# -- the data sets -------------------------------------------------------------------------------------------------

SETS = {"senseval2": 2282, "senseval3": 1850, "semeval2007": 455, "semeval2013": 1644, "semeval2015": 1022}


def test_the_five_sets_have_7253_instances() -> None:
    assert sum(SETS.values()) == 7253


@pytest.mark.parametrize("name, count", SETS.items())
def test_data(data: Path, tmp_path: Path, name: str, count: int) -> None:
    """The lemmas that the sense keys name are those of the usages, in all five sets."""
    folder = data / "wsd-evaluation-framework" / name
    sentences = list(read_framework_sentences(folder / f"{name}.data.xml"))
    usages = list(read_framework_usages(folder / f"{name}.data.xml"))
    assert len(usages) == count
    assert all(usage.target.strip() == usage.target != "" for usage in usages)
    gold = read_framework_key(folder / f"{name}.gold.key.txt")
    assert gold == read_framework_key(folder / f"{name}.gold.key.txt", usages)
    assert list(gold) == [usage.id for usage in usages]
    write_framework_sentences(sentences, tmp_path / "out.xml")
    write_framework_key(gold, tmp_path / "out.txt")
    assert list(read_framework_sentences(tmp_path / "out.xml")) == sentences
    assert (tmp_path / "out.txt").read_bytes() == (folder / f"{name}.gold.key.txt").read_bytes()


def test_both_formats_are_declared() -> None:
    assert [each.name for each in FORMATS] == ["wsd-framework", "wsd-framework-key"]
