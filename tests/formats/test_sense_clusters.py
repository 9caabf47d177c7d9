"""Groups of sense keys."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polyseme.errors import InputError
from polyseme.formats import read_inventory
from polyseme.formats.files import Blob
from polyseme.formats.sense_clusters import read_sense_clusters, write_sense_clusters
from polyseme.inventory import Inventory, Sense

TEXT = b"win%2:33:00:: win%2:33:01::\r\nwin%2:33:02::\r\nBlue%5:00:00:sad:00 blue%3:00:00::\r\n"


@st.composite
def groupings(draw: st.DrawFn) -> bytes:
    """Files of groups, whose words differ in capital letters here and there."""
    words = st.sampled_from(["ab", "AB", "Ab"])
    drawn = draw(
        st.lists(st.tuples(words, st.integers(0, 30), st.sampled_from([" ", "\n"])), unique_by=lambda key: key[:2])
    )
    return "".join(f"{word}%1:{number:02}:00::{end}" for word, number, end in drawn).encode()


def test_groups_of_senses_become_parents() -> None:
    inventory = read_sense_clusters(Blob("a.senses", TEXT))
    assert [(sense.id, sense.parent) for sense in inventory["win.v"]] == [
        ("win%2:33:00::", "win.v.group.1"),
        ("win%2:33:01::", "win.v.group.1"),
        ("win%2:33:02::", "win.v.group.2"),
    ]
    assert {sense.parent for lemma in ("Blue.a", "blue.a") for sense in inventory[lemma]} == {"Blue.a.group.1"}


@given(text=groupings())
def test_written_values_are_read_back_unchanged(text: bytes, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("groups") / "out.senses"
    inventory = read_sense_clusters(Blob("a.senses", text))
    write_sense_clusters(inventory, path)
    assert read_sense_clusters(path) == inventory


@pytest.mark.parametrize(
    "text, message",
    [
        (b"win%2:33:00::\nwin%2:33:0\n", "a:2: 'win%2:33:0' is not a sense key. A line reads"),
        (b"win%6:33:00::\n", "is not a sense key"),
        (b"win%2:33:00::\nwin%2:33:01:: win%2:33:00::\n", "a:2: sense 'win%2:33:00::' is given in line 1 already"),
        (b"win%2:33:00:: win%2:33:00::\n", "a:1: sense 'win%2:33:00::' is given in line 1 already"),
        (b"win%2:33:00::\nh\xe9%1:00:00::\n", "a:2: byte 0xe9"),
    ],
)
def test_what_cannot_be_read(text: bytes, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_sense_clusters(Blob("a", text))


def test_what_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(
        InputError, match=r"the sense 'win\.v\.1' of 'win\.v' is not called by a sense key of that lemma"
    ):
        write_sense_clusters(Inventory([Sense("win.v.1", "win.v")]), tmp_path / "out.senses")


def test_groups_that_contradict_the_order_of_senses(tmp_path: Path) -> None:
    keys = [("a", "1", "p"), ("a", "2", "q"), ("A", "1", "q"), ("A", "2", "p")]
    senses = [Sense(f"{word}%1:0{number}:00::", f"{word}.n", parent=parent) for word, number, parent in keys]
    with pytest.raises(InputError, match="the groups cannot be ordered"):
        write_sense_clusters(Inventory(senses), tmp_path / "out.senses")


def test_a_sense_without_a_parent_is_a_group(tmp_path: Path) -> None:
    write_sense_clusters(Inventory([Sense("win%2:33:00::", "win.v")]), tmp_path / "out.senses")
    assert (tmp_path / "out.senses").read_text() == "win%2:33:00::\n"


def test_the_published_data_set_is_read(data: Path, tmp_path: Path) -> None:
    inventory = read_inventory(data / "coarse-wordnet-2.1" / "sense_clusters-21.senses")
    senses = [sense for lemma in inventory for sense in inventory[lemma]]
    assert (len(senses), len({sense.parent for sense in senses})) == (60655, 29974)
    write_sense_clusters(inventory, tmp_path / "out.senses")
    assert read_inventory(tmp_path / "out.senses") == inventory
