"""The XML of SemEval-2010 Task 14: the target is looked for, and what is said where it is not found."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polyseme.errors import InputError, InputWarning
from polyseme.formats.archives import iterate_files
from polyseme.formats.files import Blob
from polyseme.formats.semeval_2010_xml import FORMAT, read_semeval_2010_usages
from polyseme.formats.xml import escape_text
from polyseme.usage import Usage
from strategies import attempt
from values import xml_texts


def file(instances: str, lemma: str = "win.v", part: str = "test", start: str = "") -> Blob:
    return Blob("in.xml", f"{start}<{lemma}.{part}>\n{instances}\n</{lemma}.{part}>".encode())


def instance(text: str, lemma: str = "win.v", number: int = 1) -> str:
    return f"<{lemma}.{number}>{text}</{lemma}.{number}>"


def read_one(text: str, lemma: str = "win.v") -> Usage:
    (usage,) = read_semeval_2010_usages(file(instance(text, lemma), lemma))
    return usage


def test_the_target_is_looked_for_in_the_target_sentence() -> None:
    usage = read_one("They won before. <TargetSentence>R&amp;B: we won. </TargetSentence>We win.")
    assert usage == Usage("win.v.1", "win.v", "They won before. R&B: we won. We win.", 25, 28, "v")
    assert dict(usage.meta) == {"part": "test"}


def test_training_data_have_no_target_sentence() -> None:
    (usage,) = read_semeval_2010_usages(file(instance("We won, they won."), part="train"))
    assert (usage.start, usage.target) == (3, "won")
    assert dict(usage.meta) == {"part": "train", "matches": 2}


def test_the_whole_text_is_looked_at_if_the_sentence_has_none() -> None:
    assert read_one("We won. <TargetSentence>So it goes.</TargetSentence>").start == 3


@pytest.mark.parametrize(
    "lemma, text, target",
    [
        ("lie.v", "It LAY there", "LAY"),
        ("market.n", "the market's end", "market"),
        ("market.n", "the markets ' end", "markets"),
        ("air.n", "on-the-air", "air"),
        ("air.n", "mid-air , no air", "air"),
        ("straighten.v", "half-straightened", "straightened"),
        ("house.n", "warehouses, two _houses_", "houses"),
        ("lay.v", "the hen layed it", "layed"),
        ("lie.v", "was lieing", "lieing"),
        ("swim.v", "went swiming", "swiming"),
        ("analyze.v", "we analysed it", "analysed"),
        ("moment.n", "“moment”—no", "moment"),
    ],
)
def test_forms(lemma: str, text: str, target: str) -> None:
    usage = read_one(text, lemma)
    assert usage.target == target
    assert "matches" not in usage.meta


def test_a_word_of_its_own_comes_before_part_of_one() -> None:
    assert read_one("mid-air and air", "air.n").start == 12


def test_a_target_that_is_not_found_is_empty_and_reported() -> None:
    lost = "\n".join(instance("Late. <TargetSentence>We lost.</TargetSentence>", number=number) for number in (1, 2))
    read = read_semeval_2010_usages(file(lost + instance("We won.", number=3)))
    usages = [next(read), next(read), next(read)]
    with pytest.warns(
        InputWarning,
        match=r"in\.xml: no form .* in 2 usages; the target is empty there \(win\.v\.1, win\.v\.2\)",
    ):
        assert list(read) == []
    assert [(usage.start, usage.target) for usage in usages] == [(6, ""), (6, ""), (3, "won")]
    assert usages[0].meta["target"] == "not found"
    assert "target" not in usages[2].meta


@given(xml_texts, xml_texts)
def test_the_text_is_kept(before: str, after: str) -> None:
    usage = read_one(f"{escape_text(before)}<TargetSentence>We won.</TargetSentence>{escape_text(after)}")
    assert usage.text == f"{before}We won.{after}"
    assert usage.start == len(before) + 3


# -- broken files --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "source, message",
    [
        (
            file(instance("We won") + "\n" + instance("We won")),
            r"in\.xml:3: usage 'win\.v\.1' is given in line 2 already",
        ),
        (file(instance("We won", "lose.v")), r"in\.xml:2: <lose\.v\.1> among the instances of win\.v; it must be"),
        (file("<win.v>We won</win.v>"), r"in\.xml:2: <win\.v> among the instances of win\.v"),
        (file(instance("<b>We</b> won")), r"in\.xml:2: <b> in <win\.v\.1>; only <TargetSentence>"),
        (file(instance("<TargetSentence>We</TargetSentence>" * 2)), r"in\.xml:2: 'win\.v\.1' has 2 target sentences"),
        (file(instance("We won"), "win"), r"in\.xml: the first element is <win\.test>; it must be called"),
        (file(instance("We won"), "win.x"), r"in\.xml: the first element is <win\.x\.test>"),
        (file(instance("We & won")), r"in\.xml:2: not well-formed XML.*write &amp;"),
        (file(instance("won"), start='<!DOCTYPE x [<!ENTITY a "ha">]>'), "declares the entity 'a'"),
        (Blob("in.xml", file(instance("Né won")).data.decode().encode("latin-1")), r"in\.xml:2: .*not UTF-8"),
    ],
)
def test_broken_files_are_errors(source: Blob, message: str) -> None:
    with pytest.raises(InputError, match=message):
        list(read_semeval_2010_usages(source))


def test_a_file_cut_short_is_an_error() -> None:
    whole = file(instance("We won")).data
    for end in range(len(whole)):
        with pytest.raises(InputError, match=r"cut short|not well-formed"):
            list(read_semeval_2010_usages(Blob("in.xml", whole[:end])))


@pytest.mark.filterwarnings("ignore::polyseme.errors.InputWarning")
@given(
    st.integers(0, 120), st.integers(0, 9), st.binary(max_size=4) | st.sampled_from([b"<", b"&", b'"', b"\n", b"\xe9"])
)
def test_any_damage_is_an_input_error(at: int, cut: int, piece: bytes) -> None:
    whole = file(instance("No. <TargetSentence>We won.</TargetSentence>")).data
    damaged = Blob("in.xml", whole[:at] + piece + whole[at + cut :])
    attempt(lambda: list(read_semeval_2010_usages(damaged)))


@pytest.mark.parametrize("root", ["win.v.test", "win.v.train", "dark.j.train"])
def test_its_files_are_recognised(root: str) -> None:
    assert FORMAT.recognises(f"<?xml version='1.0'?>\n<{root}>".encode())


@pytest.mark.parametrize("root", ["corpus", "instances", "win.v", "win.x.test", "win.v.tests", "test"])
def test_does_not_recognise(root: str) -> None:
    assert not FORMAT.recognises(f"<{root}>".encode())


# -- the data sets -------------------------------------------------------------------------------------------------

NOT_FOUND = {
    "figure.v.28": "spelt as it is spoken: figger",
    "figure.v.29": "spelt as it is spoken: figger",
    "figure.v.30": "spelt as it is spoken: figger",
    "figure.v.35": "spelt as it is spoken: figgered",
    "lie.v.130": "spelt as it is spoken: lah",
}


@pytest.mark.filterwarnings("ignore::polyseme.errors.InputWarning")
def test_the_published_test_data_are_read(data: Path) -> None:
    folder = data / "semeval-2010-task-14" / "test_data"
    usages = [usage for source in iterate_files(folder, "*.xml") for usage in read_semeval_2010_usages(source)]
    assert len(usages) == 8915
    assert len({usage.lemma for usage in usages}) == 100
    assert [usage.id for usage in usages if not usage.target] == list(NOT_FOUND)
    assert sum("matches" in usage.meta for usage in usages) == 593


def test_a_warning_names_those_not_found(data: Path) -> None:
    path = data / "semeval-2010-task-14" / "test_data" / "verbs" / "lie.v.xml"
    with pytest.warns(InputWarning, match=r"lie\.v\.xml: .* in 1 usage; the target is empty there \(lie\.v\.130\)"):
        list(read_semeval_2010_usages(path))


TRAINING_NOT_FOUND = {"shave.v.3062": "has only the noun shavees"}


@pytest.mark.filterwarnings("ignore::polyseme.errors.InputWarning")
def test_the_training_data(data: Path) -> None:
    archive = data / "semeval-2010-task-14" / "training_data.tar.xz"
    files, count, lost = 0, 0, []
    for source in iterate_files(archive, "*.xml"):
        files += 1
        for usage in read_semeval_2010_usages(source):
            count += 1
            lost += [] if usage.target else [usage.id]
    assert (files, count) == (65, 250_901)
    assert lost == list(TRAINING_NOT_FOUND)
