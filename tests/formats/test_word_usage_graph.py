"""The tables of word usage graphs."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polyseme.errors import InputError
from polyseme.formats import read_inventory, read_ratings, read_usages
from polyseme.formats.files import Blob
from polyseme.formats.word_usage_graph import (
    read_wug_judgments,
    read_wug_senses,
    read_wug_uses,
    write_wug_judgments,
    write_wug_senses,
    write_wug_uses,
)
from polyseme.inventory import Inventory, Sense
from polyseme.rating import UNDECIDED, Rating, Ratings
from polyseme.usage import Usage
from strategies import attempt
from values import ratings, texts, usages, word_names

HEADER = "lemma\tpos\tdate\tidentifier\tcontext\tindexes_target_token\n"
JUDGMENTS = "identifier1\tidentifier2\tannotator\tjudgment\tcomment\tlemma\tround\n"


def uses(*rows: str) -> list[Usage]:
    return list(read_wug_uses(Blob("uses.csv", (HEADER + "\r\n".join(rows)).encode())))


def judgments(*rows: str) -> list[Rating]:
    return list(read_wug_judgments(Blob("judgments.csv", (JUDGMENTS + "\n".join(rows)).encode())))


def test_uses_are_read_with_their_metadata() -> None:
    first, second = uses('win_vb\tvvd\t1999\tu1\t" We won.\t5:8', "win_vb\t \t\tu2\twin or lose, win!\t0:3,13:16")
    assert (first.id, first.lemma, first.target, first.pos) == ("u1", "win_vb", "won", "v")
    assert first.text == '" We won.'
    assert dict(first.meta) == {"date": "1999", "pos": "vvd"}
    assert (second.target, second.pos, dict(second.meta)) == ("win", "", {"indexes_target_token": "0:3,13:16"})


def test_judgments_are_read_as_ratings(tmp_path: Path) -> None:
    rows = ["u1\tu2\tann\t4.0\t \twin\t1", "u1\tu3\tbo\t0\tno idea\twin\t ", "u1\ts1\tbo\t2\t\twin\t2"]
    usim = Rating("ann", "Usim", "win", "u1", "u2", 4, "", "", "1")
    undecided = Rating("bo", "Usim", "win", "u1", "u3", UNDECIDED, "no idea")
    last = Rating("bo", "Usim", "win", "u1", "s1", 2, "", "", "2")
    assert Ratings(judgments(*rows)) == Ratings([usim, undecided, last])
    (tmp_path / "judgments.csv").write_text(JUDGMENTS + "\n".join(rows))
    (tmp_path / "senses.csv").write_text("identifier_sense\tdescription_sense\ns1\tbe first\n")
    assert [rating.task for rating in read_ratings(tmp_path / "judgments.csv")] == ["Usim", "Usim", "WSsim"]
    assert [rating.task for rating in read_wug_judgments(tmp_path / "judgments.csv", {"u2"})] == [
        "WSsim",
        "Usim",
        "Usim",
    ]


def test_senses_are_read_with_their_glosses(tmp_path: Path) -> None:
    (tmp_path / "win").mkdir()
    path = tmp_path / "win" / "senses.csv"
    path.write_text("identifier_sense\tdescription_sense\ns1\tbe first\ns2\t \n")
    assert read_inventory(path)["win"] == (Sense("s1", "win", "be first"), Sense("s2", "win"))
    for lemmas in (["win"], ["win", "lose"]):
        inventory = Inventory(Sense(f"{lemma}1", lemma, "a gloss") for lemma in lemmas)
        write_wug_senses(inventory, path)
        assert read_inventory(path) == inventory
        assert ("lemma" in path.read_text()) == (len(lemmas) > 1)


graph_names = word_names
graph_usages = usages(texts=texts.map(lambda text: "".join(text.split())), meta=st.dictionaries(word_names, word_names))


@given(usages=graph_usages)
def test_usages_are_kept(usages: list[Usage], tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("graph") / "uses.csv"
    own = {"pos", "identifier", "lemma", "context", "indexes_target_token"}
    if any(own & set(usage.meta) for usage in usages) or any("\0" in usage.text for usage in usages):
        return
    write_wug_uses(usages, path)
    assert [(usage, usage.meta) for usage in read_wug_uses(path)] == [(usage, usage.meta) for usage in usages]


@given(usages=usages(ids=texts, lemmas=texts, meta=st.dictionaries(texts, texts, max_size=3)))
def test_usages_are_kept_or_refused(usages: list[Usage], tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("graph") / "uses.csv"
    if not isinstance(attempt(lambda: write_wug_uses(usages, path)), InputError):
        filled = [{name: value for name, value in usage.meta.items() if value} for usage in usages]
        assert list(read_wug_uses(path)) == usages
        assert [dict(usage.meta) for usage in read_wug_uses(path)] == filled


@given(ratings=ratings(names=texts) | ratings(comments=word_names))
def test_ratings_are_kept_or_refused(ratings: Ratings, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("graph") / "judgments.csv"
    if not isinstance(attempt(lambda: write_wug_judgments(ratings, path)), InputError):
        assert Ratings(read_wug_judgments(path)) == ratings


@given(
    lemmas=st.lists(texts, max_size=2), rows=st.lists(st.tuples(texts, texts), max_size=3, unique_by=lambda row: row[0])
)
def test_senses_are_kept_or_refused(
    lemmas: list[str], rows: list[tuple[str, str]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("graph") / "senses.csv"
    inventory = Inventory(Sense(id, lemma, gloss.strip()) for lemma in lemmas[:1] for id, gloss in rows)
    if not isinstance(attempt(lambda: write_wug_senses(inventory, path)), InputError):
        assert read_wug_senses(path) == inventory


@pytest.mark.parametrize(
    "row, message",
    [
        (
            "win\tv\t\tu1\tWe won.\t3-6",
            "uses.csv:2: the target '3-6' is not a part of the context, which has 7 characters",
        ),
        ("win\tv\t\tu1\tWe won.\t3:9", "uses.csv:2: the target '3:9' is not a part of the context"),
        ("win\tv\t\tu1\tWe won.", "uses.csv:2: 5 cells, but the first line names 6 columns"),
        ("win\tv\t\tu1\tWe\t0:2\nwin\tv\t\tu1\tWe\t0:2", "uses.csv:3: usage 'u1' is given in line 2 already"),
        ("win\tv\t\t\tWe\t0:2", "uses.csv:2: a usage has no name"),
    ],
)
def test_uses_that_cannot_be_read(row: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        uses(row)


@pytest.mark.parametrize(
    "row, message",
    [
        ("u1\tu2\tann\t6\t \twin\t1", "judgments.csv:2: judgment '6' is off the scale from 1 to 5; 0 is for"),
        ("u1\tu2\tann\tmuch\t \twin\t1", "judgments.csv:2: judgment 'much' is not a number"),
        ("u1\tu2\t \t4\t \twin\t1", "judgments.csv:2: the column annotator is empty"),
    ],
)
def test_judgments_that_cannot_be_read(row: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        judgments(row)


def test_a_missing_column() -> None:
    with pytest.raises(
        InputError, match="a:1: there is no column 'context'; the first line names 'identifier', 'lemma'"
    ):
        list(read_wug_uses(Blob("a", b"identifier\tlemma\tindexes_target_token\n")))
    with pytest.raises(InputError, match="there is no column 'identifier_sense', 'description_sense'"):
        read_wug_senses(Blob("a", b""))


def test_a_wrong_encoding_is_an_error() -> None:
    with pytest.raises(InputError, match="a:2: byte 0xe9"):
        list(read_wug_uses(Blob("a", HEADER.encode() + b"h\xe9\n")))


@pytest.mark.parametrize(
    "usage, message",
    [
        (Usage("u1", "x", "a\tb", 0, 1), r"'a\\tb' holds '\\t', which a tab-separated cell without quotes cannot"),
        (Usage("u1", "x", "a", 0, 1, "noun"), "usage 'u1': its 'pos' would be read back as something else"),
        (Usage("u1", "x", "a", 0, 1, meta={"date": 1999}), "usage 'u1': its 'date' would be read back"),
    ],
)
def test_what_cannot_be_written(usage: Usage, message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=message):
        write_wug_uses([usage], tmp_path / "uses.csv")


def test_judgements_of_senses_need_the_senses(tmp_path: Path) -> None:
    ratings = Ratings([Rating("ann", "WSsim", "win", "u1", "s1", 4)])
    with pytest.raises(InputError, match=r"a senses\.csv beside it says what is a sense; write that first"):
        write_wug_judgments(ratings, tmp_path / "judgments.csv")
    write_wug_senses(Inventory([Sense("s1", "win")]), tmp_path / "senses.csv")
    write_wug_judgments(ratings, tmp_path / "judgments.csv")
    assert read_ratings(tmp_path / "judgments.csv") == ratings


@pytest.mark.parametrize(
    "folder, counts",
    [
        ("test_uug1/data/chairman_nn", (200, 482, 0, {"Usim"})),
        ("test_uug/data/Aufkommen", (50, 430, 7, {"Usim"})),
        ("test_uug/data/Manschette", (178, 693, 37, {"Usim"})),
        ("test_uug/data/plane_nn", (200, 1153, 13, {"Usim"})),
        ("test_usg/data/acerbus", (60, 180, 2, {"WSsim"})),
    ],
)
def test_the_published_data_sets_are_read(
    folder: str, counts: tuple[int, int, int, set[str]], data: Path, tmp_path: Path
) -> None:
    tables = data / "word-usage-graphs" / folder
    usages = list(read_usages(tables / "uses.csv"))
    judged = read_ratings(tables / "judgments.csv")
    assert (len(usages), len(judged), judged.undecided, {rating.task for rating in judged}) == counts
    write_wug_uses(usages, tmp_path / "uses.csv")
    again = list(read_usages(tmp_path / "uses.csv"))
    assert [(usage, usage.meta) for usage in again] == [(usage, usage.meta) for usage in usages]
    if (tables / "senses.csv").exists():
        inventory = read_inventory(tables / "senses.csv")
        assert len(inventory["acerbus"]) == 3
        write_wug_senses(inventory, tmp_path / "senses.csv")
        assert read_inventory(tmp_path / "senses.csv") == inventory
    write_wug_judgments(judged, tmp_path / "judgments.csv")
    assert read_ratings(tmp_path / "judgments.csv") == judged
