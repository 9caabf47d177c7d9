"""Ratings as JSON Lines, as Parquet and as a table with tabs: nothing is lost."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polyseme.errors import InputError
from polyseme.formats import read_ratings, write_ratings
from polyseme.formats.files import Blob
from polyseme.formats.ratings_jsonl import read_ratings_jsonl
from polyseme.rating import ROLES, UNDECIDED, Rating, Ratings
from values import texts, word_names

LINE = '{"annotator": "ann", "task": "Usim", "lemma": "win.v", "usage": "1", "target": "2", "value": 4'

whole = st.none() | st.integers(0, 2**40)
every_field = st.builds(
    Rating,
    annotator=word_names,
    task=texts,
    lemma=texts,
    usage=word_names,
    target=word_names,
    value=st.floats(allow_nan=False, allow_infinity=False) | st.just(UNDECIDED),
    comment=texts,
    time=texts,
    round=texts,
    group=texts,
    role=st.sampled_from(ROLES),
    order=whole,
    milliseconds=whole,
)


@pytest.mark.parametrize("suffix", [".jsonl", ".parquet", ".jsonl.gz"])
@given(st.lists(every_field, max_size=6).map(Ratings))
def test_every_field_is_read_back(tmp_path_factory: pytest.TempPathFactory, suffix: str, ratings: Ratings) -> None:
    path = tmp_path_factory.mktemp("ratings") / f"out{suffix}"
    write_ratings(ratings, path)
    if len(ratings) or suffix == ".parquet":
        assert read_ratings(path) == ratings


@given(st.lists(every_field.filter(lambda rating: "\0" not in "".join(map(str, rating))), max_size=6).map(Ratings))
def test_a_table_with_tabs(tmp_path_factory: pytest.TempPathFactory, ratings: Ratings) -> None:
    path = tmp_path_factory.mktemp("ratings") / "out.tsv"
    write_ratings(ratings, path)
    assert path.read_text().startswith("annotator\ttask\tlemma\tusage\ttarget\tvalue\tcomment")
    assert read_ratings(path) == ratings


@pytest.mark.parametrize(
    "line, message",
    [
        ('{"annotator": "ann"}', "the object lacks 'task', 'lemma'"),
        (LINE.replace('"ann"', '""') + "}", "annotator is empty; every judgement needs it"),
        (LINE.replace('"1"', "1") + "}", "usage 1 must be text in quotes"),
        (LINE.replace("4", '"4"') + "}", "value '4' must be a finite number, or null for 'cannot decide'"),
        (LINE.replace("4", "true") + "}", "value True must be a finite number"),
        (LINE.replace("4", "1e999") + "}", "value inf must be a finite number"),
        (LINE + ', "order": -1}', "order -1 must be a whole number, 0 or more, or null"),
        (LINE + ', "milliseconds": 1.5}', "milliseconds 1.5 must be a whole number"),
        (LINE + ', "role": "boss"}', "role 'boss' is unknown; allowed are nothing, repeat, control, training"),
        ("[]", "'[]' is not an object"),
    ],
)
def test_what_is_no_judgement(line: str, message: str) -> None:
    with pytest.raises(InputError, match=r"a\.jsonl:2: ") as error:
        list(read_ratings_jsonl(Blob("a.jsonl", f"\n{line}\n".encode())))
    assert message in str(error.value)
    assert "A line reads: " in str(error.value)


def test_what_cannot_be_written(tmp_path: Path) -> None:
    good = Rating("ann", "Usim", "win.v", "1", "2", 4)
    halves = "\ud83d" + "\ude00"
    for name, rating, message in [
        ("a.parquet", good._replace(comment="\ud800"), "the column comment holds half a character"),
        ("a.parquet", good._replace(order=2**70), "the column order holds a number with too many digits"),
        ("a.jsonl", good._replace(comment=halves), "two halves of one character"),
        ("a.jsonl", good._replace(role="boss"), "role 'boss' is unknown"),
        ("a.tsv", good._replace(comment="a\0b"), "holds a zero byte"),
    ]:
        with pytest.raises(InputError, match=message):
            write_ratings(Ratings([rating]), tmp_path / name)
        assert not (tmp_path / name).exists()
    lone = Ratings([good._replace(comment="\ud800")])
    write_ratings(lone, tmp_path / "lone.jsonl")
    assert read_ratings(tmp_path / "lone.jsonl") == lone


def test_tables_of_other_programs_are_read(tmp_path: Path) -> None:
    """Columns in any order, numbers as pandas writes them, and others that are not looked at."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    rows: list[dict[str, object]] = [
        {"value": 4, "extra": "x", "annotator": "ann", "task": "Usim", "lemma": "w", "usage": "1", "target": "2"}
    ]
    rows.append({**rows[0], "annotator": "bob", "value": None, "order": 3, "comment": "hm"})
    columns: dict[str, list[object]] = {name: [row.get(name) for row in rows] for name in rows[1]}
    columns |= {"order": [float("nan"), 3.0], "value": [4.0, float("nan")]}
    pq.write_table(pa.table(columns), tmp_path / "a.parquet")
    first = Rating("ann", "Usim", "w", "1", "2", 4)
    assert read_ratings(tmp_path / "a.parquet") == Ratings(
        [first, first._replace(annotator="bob", value=UNDECIDED, order=3, comment="hm")]
    )
    pq.write_table(pa.table(columns | {"annotator": [None, "bob"]}), tmp_path / "b.parquet")
    with pytest.raises(InputError, match=r"b\.parquet: row 1: annotator is empty"):
        read_ratings(tmp_path / "b.parquet")
