"""Ratings as CSV: the long table, and the authors' tables."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest
from hypothesis import given

from polyseme.errors import InputError
from polyseme.formats import read_ratings, write_ratings
from polyseme.formats.files import Blob, Source
from polyseme.formats.ratings_csv import (
    read_ratings_csv,
    read_usim_csv,
    read_wssim_csv,
    write_ratings_csv,
    write_usim_csv,
    write_wssim_csv,
)
from polyseme.rating import UNDECIDED, Rating, Ratings
from strategies import attempt
from values import ratings, texts

USIM = "user_id,lemma,lexsub_id1,lexsub_id2,judgment\n"
WSSIM = "lemma;lexsub_id;sense_id;judgment;user_id\n"
LONG = "annotator,task,lemma,usage,target,value\n"

Reader = Callable[[Source], Iterator[Rating]]


def read(reader: Reader, text: str) -> Ratings:
    return Ratings(reader(Blob("a.csv", text.encode())))


@pytest.mark.parametrize("text", ["I don't know", "", "NA", "I don’t know"])
def test_the_authors_table_of_usim_is_read(text: str) -> None:
    ratings = read(read_usim_csv, USIM + f"ann,bright.a,1,2,4\r\nbo,bright.a,1,bright.a.3,{text}\r\n")
    first = Rating("ann", "Usim", "bright.a", "bright.a.1", "bright.a.2", 4)
    assert ratings == Ratings([first, Rating("bo", "Usim", "bright.a", "bright.a.1", "bright.a.3", UNDECIDED)])


def test_the_authors_table_of_wssim_is_read() -> None:
    ratings = read(read_wssim_csv, WSSIM + "win.v;7;win%2:33:00::;5;ann\n")
    assert ratings == Ratings([Rating("ann", "WSsim", "win.v", "win.v.7", "win%2:33:00::", 5)])


def test_the_mean_of_all_annotators_is_nobodys_judgement(tmp_path: Path) -> None:
    """The authors' files give it as the judgement of one more annotator."""
    rated = Rating("ann", "Usim", "bright.a", "bright.a.1", "bright.a.2", 4)
    assert read(read_usim_csv, USIM + "ann,bright.a,1,2,4\navg,bright.a,1,2,3.125\n") == Ratings([rated])
    with pytest.raises(InputError, match="its annotator is called 'avg', as the mean is"):
        write_ratings(Ratings([rated._replace(annotator="avg")]), tmp_path / "out.csv", "usim-csv")


def test_the_long_table_is_read(tmp_path: Path) -> None:
    comment = 'a "comment",\nof two lines'
    ratings = Ratings(
        [
            Rating("ann", "Usim", "win.v", "u1", "u2", 4.5, comment, "2024-01-01", "1"),
            Rating("=cmd|'x'!A1", "WSbest", "win.v", "u1", "s1", UNDECIDED),
        ]
    )
    write_ratings(ratings, tmp_path / "out.csv")
    assert read_ratings(tmp_path / "out.csv") == ratings
    assert "\n=cmd|'x'!A1,WSbest,win.v,u1,s1,,,,\n" in (tmp_path / "out.csv").read_text()


def test_the_lines_of_cells_with_line_ends() -> None:
    with pytest.raises(InputError, match=r"a\.csv:5: value 'x' is not a number"):
        read(read_ratings_csv, LONG.strip() + ',comment\nann,Usim,l,u,t,1,"a\nb\nc"\nann,Usim,l,u,v,x,\n')


@given(ratings=ratings(names=texts.filter(lambda name: name != "" and "\0" not in name), comments=texts))
def test_written_values_are_read_back_unchanged(ratings: Ratings, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("ratings") / "out.csv"
    if not isinstance(attempt(lambda: write_ratings_csv(ratings, path)), InputError):
        assert Ratings(read_ratings_csv(path)) == ratings
    else:
        assert any("\0" in text for rating in ratings for text in (rating.comment, rating.time, rating.round))


@pytest.mark.parametrize(
    "task, reader, writer", [("Usim", read_usim_csv, write_usim_csv), ("WSsim", read_wssim_csv, write_wssim_csv)]
)
@given(ratings=ratings(names=texts))
def test_the_authors_tables_keep_or_refuse(
    task: str,
    reader: Reader,
    writer: Callable[[Iterable[Rating], Path], None],
    ratings: Ratings,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    path = tmp_path_factory.mktemp("ratings") / "out.csv"
    bare = Ratings(Rating(*rating[:6]) for rating in ratings if rating.task == task)
    if not isinstance(attempt(lambda: writer(bare, path)), InputError):
        assert Ratings(reader(path)) == bare


@pytest.mark.parametrize("kind, rest", [("usim-csv", ["4", "u9"]), ("wssim-csv", ["s1", "s2"])])
def test_the_authors_tables(kind: str, rest: list[str], tmp_path: Path) -> None:
    task = {"usim-csv": "Usim", "wssim-csv": "WSsim"}[kind]
    targets = ["win.v.4", "u9"] if task == "Usim" else rest
    ratings = Ratings(Rating("ann", task, "win.v", "win.v.3", target, 2) for target in targets)
    write_ratings(ratings, tmp_path / "out.csv", kind)
    assert read_ratings(tmp_path / "out.csv") == ratings
    assert f"win.v,3,{rest[0]},2,ann\nwin.v,3,{rest[1]},2,ann\n" in (tmp_path / "out.csv").read_text()


@pytest.mark.parametrize(
    "reader, text, message",
    [
        (read_usim_csv, USIM + "ann,w,1,2,6\n", "a.csv:2: judgment '6' is off the scale from 1 to 5"),
        (read_usim_csv, USIM + "ann,w,1,2,2.5\n", "a.csv:2: judgment '2.5' is off the scale"),
        (read_usim_csv, USIM + "ann,w,1,2,4o\n", "a.csv:2: judgment '4o' is not a number"),
        (read_usim_csv, USIM + "ann,w,1,2\n", "a.csv:2: 4 cells, but the first line names 5 columns"),
        (read_usim_csv, USIM + ",w,1,2,3\n", "a.csv:2: the column user_id is empty"),
        (read_usim_csv, "lemma,lexsub_id1,judgment,user_id\n", "a.csv:1: there is no column 'lexsub_id2'"),
        (read_wssim_csv, WSSIM + 'w;1;"s;5;ann\n', "a.csv:2: a quotation mark that opens a cell here is never closed"),
        (read_wssim_csv, WSSIM + 'w;1;"s"t;5;ann\n', "a.csv:2: the quotation marks of a cell are wrong"),
        (read_ratings_csv, LONG + "ann,Usim,l,u,t,inf\n", "a.csv:2: value 'inf' is not a finite number"),
        (read_ratings_csv, LONG + "ann,Usim,l,,t,1\n", "a.csv:2: the column usage is empty"),
        (read_ratings_csv, LONG.replace("task", "lemma"), "a.csv:1: there is no column 'task'"),
        (read_ratings_csv, LONG.strip() + ",x,x\n", "a.csv:1: two columns are called 'x'"),
        (read_ratings_csv, LONG + "a\rb,Usim,l,u,t,1\n", "a.csv:2: a line ends with a carriage return alone"),
        (
            read_ratings_csv,
            LONG + f"{'a' * 200_000},Usim,l,u,t,1\n",
            "a.csv:2: a cell is longer than 131072 characters",
        ),
    ],
)
def test_what_cannot_be_read(reader: Reader, text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read(reader, text)


@pytest.mark.parametrize(
    "rating, message",
    [
        (Rating("ann", "WSsim", "w", "u", "t", 3), "it is one of 'WSsim'"),
        (Rating("ann", "Usim", "w", "u", "t", 3, "a comment"), "it has a comment, a time, a round or the like"),
        (Rating("ann", "Usim", "w", "u", "t", 9), "its value 9 is off the scale"),
        (Rating("ann", "Usim", "w", "7", "t", 3), "a usage is called by a number alone"),
        (Rating("", "Usim", "w", "u", "t", 3), "it has an empty name"),
    ],
)
def test_what_the_table_of_usim_cannot_hold(rating: Rating, message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=f"cannot be written to a table of Usim: {message}; write the long table"):
        write_usim_csv([rating], tmp_path / "out.csv")
