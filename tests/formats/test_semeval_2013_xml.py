"""The XML of SemEval-2013 Task 13: usages and ratings, read and written, and what is said of broken files."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polyseme.errors import InputError
from polyseme.formats.files import Blob
from polyseme.formats.semeval_2013_xml import (
    FORMAT,
    format_semeval_2013_usages,
    read_semeval_2013_ratings,
    read_semeval_2013_usages,
    write_semeval_2013_usages,
)
from polyseme.rating import UNDECIDED, Rating, Ratings
from polyseme.usage import Usage
from strategies import attempt
from values import usages, xml_names, xml_texts

ONE = '<instance id="win.v.1" lemma="win" partOfSpeech="v" token="won" tokenEnd="6" tokenStart="3">We won.</instance>'
SENSE = '<sense name="a"><annotation annotator="ann">5</annotation>\n<annotation annotator="bob">4</annotation></sense>'
RATED = ONE.replace("</instance>", f"<ratings>\n{SENSE}</ratings>\n </instance>")
USAGE = Usage("win.v.1", "win.v", "We won.", 3, 6, "v")
RATING = Rating("ann", "WSsim", "win.v", "win.v.1", "a", 5)


def file(instances: str, start: str = "") -> Blob:
    return Blob("in.xml", f"{start}<instances>\n{instances}\n</instances>".encode())


def test_usages_are_read_with_their_targets() -> None:
    assert list(read_semeval_2013_usages(file(ONE))) == [USAGE]


def test_the_text_is_what_precedes_the_ratings() -> None:
    (usage,) = read_semeval_2013_usages(
        file(RATED.replace("We won.", "We won. \n&amp; ").replace("<instance", '<instance year="1910"'))
    )
    assert usage.text == "We won. \n& "
    assert dict(usage.meta) == {"year": "1910"}


def test_ratings_come_in_the_order_of_the_file() -> None:
    more = RATED.replace("</ratings>", SENSE.replace('"a"', '"b"').replace("5", "2.5") + "</ratings>")
    assert list(read_semeval_2013_ratings(file(more))) == [
        RATING,
        RATING._replace(annotator="bob", value=4),
        RATING._replace(target="b", value=2.5),
        RATING._replace(annotator="bob", target="b", value=4),
    ]


def test_a_file_without_ratings_is_an_error() -> None:
    with pytest.raises(InputError, match=r"in\.xml: no instance has <ratings>"):
        list(read_semeval_2013_ratings(file(ONE)))


# -- broken files --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "instances, message",
    [
        (
            ONE.replace(' lemma="win"', ""),
            r"in\.xml:2: <instance> lacks the attribute 'lemma'; it has id, partOfSpeech",
        ),
        (ONE.replace(' tokenStart="3"', ""), r"in\.xml:2: <instance> lacks the attribute 'tokenStart'"),
        (
            ONE.replace('"3"', '"three"'),
            r"in\.xml:2: tokenStart 'three' of <instance> is not a whole number, 0 or more",
        ),
        (ONE.replace('"3"', '"-3"'), r"in\.xml:2: tokenStart '-3' of <instance> is not a whole number, 0 or more"),
        (ONE.replace('"6"', '"60"'), r"in\.xml:2: the target \[3:60\] of 'win\.v\.1' lies outside its text of 7"),
        (
            ONE.replace('"3"', '"4"'),
            r"in\.xml:2: tokenStart and tokenEnd of 'win\.v\.1' enclose 'on', but token is 'won'",
        ),
        (ONE.replace('"3"', '"7"'), r"in\.xml:2: the target \[7:6\]"),
        (ONE.replace("We won.", ""), r"in\.xml:2: the target \[3:6\] of 'win\.v\.1' lies outside its text of 0"),
        (f"{ONE}\n{ONE}", r"in\.xml:3: usage 'win\.v\.1' is given in line 2 already"),
        (ONE.replace("instance", "usage"), r"in\.xml:2: <usage> where an <instance> must be"),
        (ONE + "<instance", r"in\.xml:3: not well-formed"),
        (ONE.replace("We won", "We & won"), r"in\.xml:2: not well-formed XML.*write &amp;"),
    ],
)
def test_broken_files_are_errors(instances: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        list(read_semeval_2013_usages(file(instances)))


@pytest.mark.parametrize(
    "instances, message",
    [
        (RATED.replace("5", "five"), r"in\.xml:3: rating 'five' is not a number"),
        (RATED.replace("5", "nan"), r"in\.xml:3: rating 'nan' is not a number"),
        (RATED.replace(' name="a"', ""), r"in\.xml:3: <sense> lacks the attribute 'name'"),
        (RATED.replace("bob", "ann"), r"in\.xml:4: annotator 'ann' is given in line 3 already"),
        (RATED.replace(SENSE, f"{SENSE}\n{SENSE}"), r"in\.xml:5: sense 'a' is given in line 3 already"),
    ],
)
def test_broken_ratings(instances: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        list(read_semeval_2013_ratings(file(instances)))


def test_a_file_cut_short_is_an_error() -> None:
    whole = file(RATED).data
    for end in range(len(whole)):
        with pytest.raises(InputError, match=r"cut short|not well-formed"):
            list(read_semeval_2013_usages(Blob("in.xml", whole[:end])))


def test_an_entity_bomb_is_refused() -> None:
    bomb = '<!DOCTYPE instances [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]>'
    with pytest.raises(InputError, match="declares the entity 'a', which is not allowed"):
        list(read_semeval_2013_usages(file(ONE, bomb)))


def test_another_declared_encoding_is_read() -> None:
    with pytest.raises(InputError, match=r"in\.xml:2: not well-formed XML.*not UTF-8"):
        list(read_semeval_2013_usages(Blob("in.xml", file(ONE.replace("We", "Né")).data.decode().encode("latin-1"))))


@pytest.mark.filterwarnings("ignore::polyseme.errors.InputWarning")
@given(
    st.integers(0, 330), st.integers(0, 9), st.binary(max_size=4) | st.sampled_from([b"<", b"&", b'"', b"\n", b"\xe9"])
)
def test_any_damage_is_an_input_error(at: int, cut: int, piece: bytes) -> None:
    whole = file(RATED).data
    damaged = Blob("in.xml", whole[:at] + piece + whole[at + cut :])
    attempt(lambda: (list(read_semeval_2013_usages(damaged)), list(read_semeval_2013_ratings(damaged))))


# -- writing -------------------------------------------------------------------------------------------------------

attribute_names = st.from_regex(r"[a-z_][a-z0-9_.-]{0,5}", fullmatch=True).filter(
    lambda name: name not in ("id", "lemma", "token")
)
writable = usages(texts=xml_texts, ids=xml_names, meta=st.dictionaries(attribute_names, xml_texts, max_size=2))
judgements = st.lists(st.tuples(st.integers(0, 4), xml_names, xml_names, st.floats(1, 5)), max_size=8)


@given(writable)
def test_written_values_are_read_back_unchanged(usages: list[Usage]) -> None:
    text = format_semeval_2013_usages(usages)
    back = list(read_semeval_2013_usages(Blob("out.xml", text.encode())))
    assert back == usages
    assert [usage.meta for usage in back] == [usage.meta for usage in usages]
    assert format_semeval_2013_usages(back) == text


@given(writable.filter(bool), judgements.filter(bool))
def test_round_trip_with_ratings(usages: list[Usage], judgements: list[tuple[int, str, str, float]]) -> None:
    values = {(number % len(usages), sense, annotator): value for number, sense, annotator, value in judgements}
    ratings = [
        Rating(annotator, "WSsim", usages[number].lemma, usages[number].id, sense, value)
        for (number, sense, annotator), value in values.items()
    ]
    source = Blob("out.xml", format_semeval_2013_usages(usages, ratings).encode())
    assert list(read_semeval_2013_usages(source)) == usages
    back = list(read_semeval_2013_ratings(source))
    assert sorted(back) == sorted(ratings)
    assert format_semeval_2013_usages(usages, back).encode() == source.data


def test_lemmas_without_a_part_of_speech() -> None:
    usage = Usage("a", "win.v", "We won", 3, 6)
    assert list(read_semeval_2013_usages(Blob("out.xml", format_semeval_2013_usages([usage]).encode()))) == [usage]


def test_statistics_are_made_from_the_annotations() -> None:
    ratings = [RATING._replace(annotator=str(number), value=value) for number, value in enumerate([1, 1, 4, 4, 5])]
    assert '<sense mean="3.0" median="4.0" mode="4.0" name="a">' in format_semeval_2013_usages([USAGE], ratings)


@pytest.mark.parametrize(
    "rating, message",
    [
        (RATING._replace(usage="win.v.2"), "is of a usage that is not written; give that usage too"),
        (RATING._replace(lemma="win.n"), "names the lemma 'win.n', the usage 'win.v'; they must agree"),
        (RATING._replace(task="Usim"), "is of the task 'Usim'; only WSsim can be written here"),
        (RATING._replace(value=UNDECIDED), "has no number as its value"),
        (RATING._replace(comment="unsure"), "has a comment, a time or the like, which cannot be written here"),
        (RATING, "annotator 'ann' rates 'a' of 'win.v.1' twice; give each judgement once"),
    ],
)
def test_ratings_that_cannot_be_written(rating: Rating, message: str) -> None:
    with pytest.raises(InputError, match=message):
        format_semeval_2013_usages([USAGE], [RATING, rating])


@pytest.mark.parametrize(
    "usage, message",
    [
        (Usage("a", "win", "We won", 3, 6, "v"), "part of speech 'v', in which its lemma 'win' does not end; call it"),
        (Usage("a", "win.v", "We won", 3, 6, meta={"token": "x"}), "'token' has a meaning of its own here"),
        (Usage("a", "win.v", "We won", 3, 6, meta={"é x": "x"}), "cannot be the name of an attribute"),
        (Usage("", "win.v", "We won", 3, 6), "a usage has no name"),
    ],
)
def test_usages_that_cannot_be_written(usage: Usage, message: str) -> None:
    with pytest.raises(InputError, match=message):
        format_semeval_2013_usages([usage])


def test_written_files_are_recognised(tmp_path: Path) -> None:
    write_semeval_2013_usages([USAGE], tmp_path / "out.xml", Ratings([RATING]))
    assert FORMAT.recognises((tmp_path / "out.xml").read_bytes())
    assert not FORMAT.recognises(b"<instance>")


# -- the data sets -------------------------------------------------------------------------------------------------


def test_the_published_test_data_are_read(data: Path, tmp_path: Path) -> None:
    """Every place encloses its token, or reading would be an error; the gold key has the same usages."""
    folder = data / "semeval-2013-task-13"
    usages = [
        usage
        for path in sorted((folder / "contexts" / "xml-format").iterdir())
        for usage in read_semeval_2013_usages(path)
    ]
    gold = [line.split()[1] for line in (folder / "keys" / "gold" / "all.key").read_text("utf-8").splitlines()]
    assert len(usages) == len(gold) == 4664
    assert {usage.id for usage in usages} == set(gold)
    assert len({usage.lemma for usage in usages}) == 50
    assert all(usage.target for usage in usages)
    write_semeval_2013_usages(usages, tmp_path / "out.xml")
    assert list(read_semeval_2013_usages(tmp_path / "out.xml")) == usages


def test_the_published_trial_data_are_read(data: Path) -> None:
    """Written again, it is the same file but for the first line: statistics, too."""
    (path,) = (data / "semeval-2013-task-13-trial" / "data").iterdir()
    usages, ratings = list(read_semeval_2013_usages(path)), Ratings(read_semeval_2013_ratings(path))
    assert len(usages) == 400
    assert len({usage.lemma for usage in usages}) == 8
    assert repr(ratings) == "<Ratings: 5,967 judgements of 1,989 items by 3 annotators>"
    assert format_semeval_2013_usages(usages, ratings).partition("\n")[2] == path.read_text("utf-8")
