"""LexSub answer files, for best and for out of ten."""

from pathlib import Path

import pytest

from polyseme import read_labelling, write_labelling
from polyseme.errors import InputError
from polyseme.formats import lexsub, lexsub_answers
from polyseme.formats.files import Blob
from polyseme.formats.lexsub_answers import BEST, OOT, read_lexsub_answers
from polyseme.formats.registry import FileFormat
from polyseme.labelling import Labelling
from polyseme.measures.lexical_substitution import OutOfTen
from strategies import as_rows

ANSWERS = b"bright.a 1 :: clever; quick on  the uptake;clever\nbright.a 2 :: \n\nday.n 3 ::time;\r\n"


def test_guesses_of_best_weigh_the_same_and_answers_of_oot_by_their_order() -> None:
    for mark, weight in ((BEST, 1.0), (OOT, 0.5)):
        labelling = read_lexsub_answers(mark, Blob("answers", ANSWERS.replace(b"::", mark.encode())))
        assert as_rows(labelling) == [
            ("bright.a", "bright.a.1", [("clever", 1.0), ("quick on the uptake", weight)]),
            ("day.n", "day.n.3", [("time", 1.0)]),
        ]
        assert labelling.ordered == (mark == BEST)


def test_the_marks_tell_the_two_apart(tmp_path: Path) -> None:
    for mark, weight in ((BEST, 1.0), (OOT, 0.5)):
        (tmp_path / "answers").write_text(f"day.n 3 {mark} time;last hour\n")
        assert read_labelling(tmp_path / "answers")["day.n.3"] == {"time": 1.0, "last hour": weight}


def test_an_answer_that_ends_in_a_number_is_no_count(tmp_path: Path) -> None:
    (tmp_path / "answers").write_text("car.n 1 :: area 51;zone\n")
    assert read_labelling(tmp_path / "answers")["car.n.1"] == {"area 51": 1.0, "zone": 1.0}


@pytest.mark.parametrize(
    "mark, text, message",
    [
        (
            BEST,
            b"day.n 1 ::: time\n",
            "a:1: 'day.n 1 ::: time' is not a line of answers. A line of answers reads: lemma numb",
        ),
        (OOT, b"day.n 1 ::: time\nday.n 2 :: time\n", "a:2: 'day.n 2 :: time' is not a line of answers"),
        (OOT, b"day.n one ::: time\n", "a:1: 'day.n one ::: time' is not a line of answers"),
        (BEST, b"day.n 1 :: time;;hour\n", "a:1: 'day.n 1 :: time;;hour' is not a line of answers"),
        (BEST, b"day.n 1 :::: time\n", "a:1: 'day.n 1 :::: time' is not a line of answers"),
        (BEST, b"day.n 1 :: a\nday.n 1 :: b\n", "a:2: usage 'day.n.1' is given in line 1 already"),
    ],
)
def test_what_cannot_be_read(mark: str, text: bytes, message: str) -> None:
    with pytest.raises(InputError) as caught:
        read_lexsub_answers(mark, Blob("a", text))
    assert str(caught.value).startswith(message)


def test_the_heaviest_is_written_first_and_ten_at_most_for_oot(tmp_path: Path) -> None:
    weights = {"b": 0.25, "a": 0.5, **{f"c{number}": 0.01 for number in range(10)}}
    labelling = Labelling([("day.n", "day.n.7", weights)])
    write_labelling(labelling, tmp_path / "out.oot")
    assert (tmp_path / "out.oot").read_text() == "day.n 7 ::: a;b;c0;c1;c2;c3;c4;c5;c6;c7\n"
    write_labelling(labelling, tmp_path / "out.best")
    assert (tmp_path / "out.best").read_text() == "day.n 7 :: a;b;c0;c1;c2;c3;c4;c5;c6;c7;c8;c9\n"


def test_a_file_for_oot_holds_what_is_scored(tmp_path: Path) -> None:
    labelling = Labelling([("day.n", "day.n.7", {f"c{place}": 1 / place for place in range(1, 13)})])
    write_labelling(labelling, tmp_path / "out.oot")
    written = read_labelling(tmp_path / "out.oot")
    gold = Labelling([("day.n", "day.n.7", {f"c{place}": 1.0 for place in range(1, 13)})])
    recalls = [OutOfTen()(gold, system).total()["recall"] for system in (labelling, written)]
    assert recalls == pytest.approx([10 / 12, 10 / 12])


@pytest.mark.parametrize("start", [b"", b" \r\n\n", b"\xef\xbb\xbf\n"])
@pytest.mark.parametrize("format", [*lexsub.FORMATS, *lexsub_answers.FORMATS], ids=lambda format: format.name)
def test_files_may_begin_with_blank_lines(start: bytes, format: FileFormat) -> None:
    lines = {"gold": b"day.n 1 :: a 2;", "candidates": b"day.n::a", "best": b"day.n 1 :: a", "oot": b"day.n 1 ::: a"}
    recognised = [name for name, line in lines.items() if format.recognises(start + line + b"\r\n")]
    assert recognised == [format.name.removeprefix("lexsub-")]


@pytest.mark.parametrize(
    "usage, substitute, message",
    [
        ("u1", "a", "the usage 'u1' of 'x.n' is not called after its lemma and a number"),
        ("x.n.1", "a;b", "the substitute 'a;b' cannot stand in a file of substitutes"),
    ],
)
def test_what_cannot_be_written(usage: str, substitute: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=message):
        write_labelling(Labelling([("x.n", usage, {substitute: 1.0})]), tmp_path / "out.oot")
    assert not list(tmp_path.iterdir())
