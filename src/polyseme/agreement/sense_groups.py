"""Coarse groups of a dictionary's senses, from a file of groups, OntoNotes or a table."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from polyseme.errors import InputError, count_noun, quote_value
from polyseme.formats.ontonotes import OntoNotesSense
from polyseme.formats.sense_keys import lemma_from_sense_key
from polyseme.inventory import Inventory

ANY_LEMMA = ""
"""In place of a lemma: senses of this name, whatever lemma they are of."""


@dataclass(frozen=True, eq=False)
class SenseGrouping:
    """Sense → group, for the senses that are in one.

    WordNet's sense keys mean the same in every version that has them, and are looked up without regard to capital
    letters; other names of senses belong to a lemma, or, where the source names none, to any.

    >>> grouping = SenseGrouping.of({"win%2:33:00::": "1", "win%2:33:01::": "1", "win%2:40:00::": "2"})
    >>> grouping.group("win.v", "win%2:33:01::"), grouping.group("win.v", "win%2:30:00::")
    ('1', None)
    """

    groups: Mapping[tuple[str, str], str]
    name: str = "groups"
    unknown: tuple[str, ...] = field(default=())
    """What the source groups that could not be carried to senses, in words."""

    @staticmethod
    def of(groups: Mapping[str, str], name: str = "groups") -> SenseGrouping:
        """Groups of senses whose lemmas are not named."""
        return SenseGrouping({_group_key(ANY_LEMMA, sense): group for sense, group in groups.items()}, name)

    @staticmethod
    def from_inventory(inventory: Inventory, name: str = "groups") -> SenseGrouping:
        """The parents of an inventory's senses, as those of the EAW groups; a sense without one is in no group."""
        senses = (sense for each in inventory.values() for sense in each)
        made = {_group_key(sense.lemma, sense.id): sense.parent for sense in senses if sense.parent is not None}
        if not made:
            raise InputError(f"no sense of {inventory!r} has a parent, so there are no groups in it")
        return SenseGrouping(made, name)

    def group(self, lemma: str, sense: str) -> str | None:
        """The group of a sense; nothing if it is in none."""
        for of in (lemma, ANY_LEMMA):
            if (found := self.groups.get(_group_key(of, sense))) is not None:
                return found
        return None

    def coverage(self, senses: Mapping[str, Iterable[str]]) -> GroupingCoverage:
        """Which of these lemmas' senses are in groups; the groups are of WordNet 2.1, say, the senses of 3.0."""
        groups = {lemma: {sense: self.group(lemma, sense) for sense in each} for lemma, each in senses.items()}
        covered = {lemma: found for lemma, found in groups.items() if any(found.values())}
        return GroupingCoverage(
            tuple(covered),
            tuple(lemma for lemma in groups if lemma not in covered),
            sum(group is not None for found in covered.values() for group in found.values()),
            sum(len(set(filter(None, found.values()))) for found in covered.values()),
            tuple((lemma, sense) for lemma, found in covered.items() for sense, group in found.items() if not group),
        )


def _group_key(lemma: str, sense: str) -> tuple[str, str]:
    return (ANY_LEMMA, sense.lower()) if lemma_from_sense_key(sense) else (lemma, sense)


class GroupingCoverage(NamedTuple):
    """How far a grouping covers some senses."""

    lemmas: tuple[str, ...]
    """Those with a sense that is in a group."""
    without: tuple[str, ...]
    """Lemmas of which no sense is in a group: nothing is said about them."""
    senses: int
    """How many senses are in a group."""
    groups: int
    unmapped: tuple[tuple[str, str], ...]
    """Senses, with their lemmas, that are in no group though others of the lemma are."""

    @property
    def mean_size(self) -> float:
        """How many senses a group has on average, of those asked about."""
        return self.senses / self.groups if self.groups else float("nan")

    def said(self) -> str:
        """What is covered, in words."""
        covered = f"{count_noun(self.senses, 'sense')} of {count_noun(len(self.lemmas), 'lemma')} in"
        missing = ", ".join(f"{sense} ({lemma})" for lemma, sense in self.unmapped)
        lost = f"; in no group: {missing}" if missing else ""
        bare = f"; no groups for {', '.join(self.without)}" if self.without else ""
        return f"{covered} {count_noun(self.groups, 'group')}{lost}{bare}"


def read_grouping(
    path: str | os.PathLike[str], name: str = "", *, numbered: Mapping[str, Inventory] | None = None
) -> SenseGrouping:
    """Read groups of senses from any file that has some.

    * ``.tsv``: one sense a line, a tab, its group;
    * OntoNotes' sense inventories, a file or a folder of them, which name WordNet's senses by number: ``numbered`` has
      the WordNet of each version that they name, as ``{"2.1": ...}``, with its senses in their order;
    * any inventory whose senses have parents, such as the EAW groups (``sense_clusters-21.senses``).
    """
    from polyseme.formats import read_inventory
    from polyseme.formats.archives import iterate_files
    from polyseme.formats.files import format_suffix, read_head
    from polyseme.formats.groups import read_groups
    from polyseme.formats.ontonotes import FORMAT, read_ontonotes_senses

    name = name or Path(path).name
    if format_suffix(path) == ".tsv":
        return SenseGrouping.of(_check_single_groups(read_groups(path), path), name)
    files = list(iterate_files(path))
    if files and all(FORMAT.recognises(read_head(file)) for file in files):
        senses = [sense for file in files for sense in read_ontonotes_senses(file)]
        return group_by_ontonotes(senses, numbered or {}, name)
    return SenseGrouping.from_inventory(read_inventory(path), name)


def _check_single_groups(groups: Mapping[str, Iterable[str]], path: object) -> dict[str, str]:
    found: dict[str, str] = {}
    for group, senses in groups.items():
        for sense in senses:
            if found.setdefault(sense, group) != group:
                problem = f"the sense {quote_value(sense)} is in the groups {quote_value(found[sense])} and {quote_value(group)}"
                raise InputError(f"{problem}; it can be in one", path=path)
    return found


def group_by_ontonotes(senses: Iterable[OntoNotesSense], numbered: Mapping[str, Inventory], name: str) -> SenseGrouping:
    """Groups from OntoNotes' senses: numbers become the names that an inventory has at these places.

    Numbers that the inventory has not, or of versions that are not given, are listed in ``unknown``.
    """
    groups: dict[tuple[str, str], str] = {}
    unknown: list[str] = []
    for sense in senses:
        for version, numbers in sense.wordnet.items():
            there = numbered[version].get(sense.lemma, ()) if version in numbered else ()
            for number in numbers:
                if 1 <= number <= len(there):
                    groups.setdefault(_group_key(sense.lemma, there[number - 1].id), f"{sense.lemma}.group.{sense.id}")
                else:
                    unknown.append(f"{sense.lemma} {number} of WordNet {version}")
    if not groups:
        problem = f"none of {count_noun(len(unknown), 'sense')} that OntoNotes names by number could be found"
        given = f"WordNet {', '.join(numbered)} is given" if numbered else "no WordNet is given"
        raise InputError(f"{problem}: {given}, and it names e.g. {unknown[0] if unknown else 'none'}")
    return SenseGrouping(groups, name, tuple(unknown))
