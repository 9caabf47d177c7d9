"""Groups of senses from files, and what of a dictionary they cover."""

from pathlib import Path

import pytest

import polyseme
from polyseme.agreement.sense_groups import SenseGrouping, read_grouping
from polyseme.errors import InputError
from polyseme.inventory import Inventory, Sense

KEYS = "win%2:33:00:: win%2:33:01::\nwin%2:40:00::\nAB%1:10:00::\n"
XML = """<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<inventory lemma="win-v">
<sense group="1" n="1" name="be first" type="">
<examples>
We won.
</examples>
<mappings><wn version="2.1">1,3</wn><omega></omega><pb>win.01</pb></mappings>
</sense>
<sense group="1" n="2" name="get" type=""><mappings><wn version="2.1">2, 9</wn></mappings></sense>
</inventory>
"""


def test_a_file_of_groups(tmp_path: Path) -> None:
    (tmp_path / "eaw.senses").write_text(KEYS)
    grouping = read_grouping(tmp_path / "eaw.senses")
    assert grouping.name == "eaw.senses"
    assert grouping.group("win.v", "win%2:33:01::") == "win.v.group.1"
    assert grouping.group("win.v", "win%2:40:00::") == "win.v.group.2"
    assert grouping.group("win.v", "win%2:41:00::") is None
    assert grouping.group("ab.n", "ab%1:10:00::") == "AB.n.group.1", "later versions write keys in small letters"


def test_a_table_of_groups(tmp_path: Path) -> None:
    (tmp_path / "mine.tsv").write_text("sense 1\tA\nsense 2\tA\nwin%2:33:00::\tB\n")
    grouping = read_grouping(tmp_path / "mine.tsv", "mine")
    assert [grouping.group("x.n", sense) for sense in ("sense 1", "sense 2", "sense 3")] == ["A", "A", None]
    assert grouping.group("win.v", "win%2:33:00::") == "B"
    (tmp_path / "twice.tsv").write_text("s\tA\ns\tB\n")
    with pytest.raises(
        InputError, match=r"twice.tsv: the sense 's' is in the groups 'A' and 'B'; a sense can be in one group"
    ):
        read_grouping(tmp_path / "twice.tsv")


def test_names_of_senses_belong_to_a_lemma() -> None:
    senses = [Sense("1", "x.n", parent="A"), Sense("1", "y.n", parent="B"), Sense("2", "y.n")]
    grouping = SenseGrouping.from_inventory(Inventory(senses))
    assert [grouping.group(lemma, "1") for lemma in ("x.n", "y.n", "z.n")] == ["A", "B", None]
    with pytest.raises(InputError, match="has a parent, so there are no groups in it"):
        SenseGrouping.from_inventory(Inventory([Sense("1", "x.n")]))


def test_what_is_covered() -> None:
    grouping = SenseGrouping.from_dict({"a": "1", "b": "1", "c": "2"})
    coverage = grouping.coverage({"x.n": ["a", "b", "c", "d"], "y.n": ["e"]})
    assert (coverage.senses, coverage.groups, coverage.mean_size) == (3, 2, 1.5)
    assert coverage.unmapped == (("x.n", "d"),)
    assert coverage.without == ("y.n",)
    assert coverage.describe() == "3 senses of 1 lemma in 2 groups; in no group: d (x.n); no groups for y.n"


def test_groups_of_ontonotes(tmp_path: Path) -> None:
    (tmp_path / "win-v.xml").write_text(XML)
    wordnet = Inventory(Sense(f"win%2:33:0{number}::", "win.v") for number in range(4))
    grouping = read_grouping(tmp_path, "OntoNotes", numbered={"2.1": wordnet})
    assert [grouping.group("win.v", sense.id) for sense in wordnet["win.v"]] == [
        "win.v.group.1",
        "win.v.group.2",
        "win.v.group.1",
        None,
    ]
    assert grouping.unknown == ("win.v 9 of WordNet 2.1",)


def test_ontonotes_needs_the_wordnet_that_it_counts_by(tmp_path: Path) -> None:
    (tmp_path / "win-v.xml").write_text(XML)
    with pytest.raises(
        InputError, match=r"none of 4 senses .*: no WordNet is available, and it names e.g. win.v 1 of WordNet"
    ):
        read_grouping(tmp_path / "win-v.xml")


@pytest.mark.usefixtures("wordnet_30")
def test_eaw_groups_and_wordnet_3(data: Path) -> None:
    """Of the eight lemmas of WSsim-1 two senses have no group."""
    trial = polyseme.load("semeval-2013-task-13-trial", data=data)
    grouping = SenseGrouping.from_inventory(polyseme.load("coarse-wordnet-2.1", data=data).inventory, "EAW")
    coverage = grouping.coverage({lemma: [s.id for s in trial.inventory[lemma]] for lemma in trial.ratings.lemmas})
    assert (len(coverage.lemmas), coverage.senses, coverage.groups) == (8, 46, 24)
    assert {lemma for lemma, _ in coverage.unmapped} == {"argument.n"}
    assert len(coverage.unmapped) == 2
