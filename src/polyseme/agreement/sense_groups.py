"""Coarse groups of a dictionary's senses, from a file of groups, OntoNotes or a table."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from polyseme.errors import InputError, count_noun, quote_value
from polyseme.formats.ontonotes import OntoNotesSense
from polyseme.formats.sense_keys import lemma_from_sense_key
from polyseme.inventory import Inventory

ANY_LEMMA = ""
"""Stands for any lemma in the key of a sense."""


@dataclass(frozen=True, eq=False)
class SenseGrouping:
    """A mapping from senses to groups.

    WordNet's sense keys mean the same in every version that has them; upper and lower case are not distinguished. Other
    names of senses belong to a lemma or, if the source names none, to any lemma.

    Args:
        groups: (lemma, sense) → group.
        name: The name of the grouping.
        unknown: Grouped senses that could not be identified, in words.

    >>> grouping = SenseGrouping.from_dict({"win%2:33:00::": "1", "win%2:33:01::": "1", "win%2:40:00::": "2"})
    >>> grouping.group("win.v", "win%2:33:01::"), grouping.group("win.v", "win%2:30:00::")
    ('1', None)
    """

    groups: Mapping[tuple[str, str], str]
    name: str = "groups"
    unknown: tuple[str, ...] = ()

    @staticmethod
    def from_dict(groups: Mapping[str, str], name: str = "groups") -> SenseGrouping:
        """Make a grouping from senses without lemmas."""
        return SenseGrouping({_group_key(ANY_LEMMA, sense): group for sense, group in groups.items()}, name)

    @staticmethod
    def from_inventory(inventory: Inventory, name: str = "groups") -> SenseGrouping:
        """Make a grouping from the parents of senses, such as the EAW groups; a sense without one is in no group."""
        senses = (sense for entries in inventory.values() for sense in entries)
        groups = {_group_key(sense.lemma, sense.id): sense.parent for sense in senses if sense.parent is not None}
        if not groups:
            raise InputError(f"no sense of {inventory!r} has a parent, so there are no groups in it")
        return SenseGrouping(groups, name)

    def group(self, lemma: str, sense: str) -> str | None:
        """Return the group of a sense; none if it is in no group."""
        keys = (_group_key(lemma, sense), _group_key(ANY_LEMMA, sense))
        return next((self.groups[key] for key in keys if key in self.groups), None)

    def coverage(self, senses: Mapping[str, Iterable[str]]) -> GroupingCoverage:
        """Find out which senses of these lemmas are in groups: groups can be of WordNet 2.1, the senses of 3.0."""
        groups = {lemma: {sense: self.group(lemma, sense) for sense in names} for lemma, names in senses.items()}
        covered = {lemma: by_sense for lemma, by_sense in groups.items() if any(by_sense.values())}
        return GroupingCoverage(
            tuple(covered),
            tuple(lemma for lemma in groups if lemma not in covered),
            sum(group is not None for by_sense in covered.values() for group in by_sense.values()),
            sum(len(set(filter(None, by_sense.values()))) for by_sense in covered.values()),
            tuple((lemma, sense) for lemma, by_sense in covered.items() for sense, g in by_sense.items() if not g),
        )


def _group_key(lemma: str, sense: str) -> tuple[str, str]:
    return (ANY_LEMMA, sense.lower()) if lemma_from_sense_key(sense) else (lemma, sense)


class GroupingCoverage(NamedTuple):
    """How far a grouping covers the senses of lemmas.

    Args:
        lemmas: The lemmas with a sense that is in a group.
        without: The lemmas without such a sense.
        senses: The number of senses in groups.
        groups: The number of groups.
        unmapped: (lemma, sense) of the senses in no group, of lemmas that have groups.
    """

    lemmas: tuple[str, ...]
    without: tuple[str, ...]
    senses: int
    groups: int
    unmapped: tuple[tuple[str, str], ...]

    @property
    def mean_size(self) -> float:
        """The mean number of covered senses in a group."""
        return self.senses / self.groups if self.groups else float("nan")

    def describe(self) -> str:
        """Describe the coverage in words."""
        covered = f"{count_noun(self.senses, 'sense')} of {count_noun(len(self.lemmas), 'lemma')} in"
        names = ", ".join(f"{sense} ({lemma})" for lemma, sense in self.unmapped)
        unmapped = f"; in no group: {names}" if names else ""
        without = f"; no groups for {', '.join(self.without)}" if self.without else ""
        return f"{covered} {count_noun(self.groups, 'group')}{unmapped}{without}"


def read_grouping(
    path: str | os.PathLike[str], name: str = "", *, numbered: Mapping[str, Inventory] | None = None
) -> SenseGrouping:
    """Read groups of senses from a file.

    * ``.tsv``: one sense a line, a tab, its group;
    * OntoNotes' sense inventories, a file or a folder of them, which name WordNet's senses by number;
    * any inventory whose senses have parents, such as the EAW groups (``sense_clusters-21.senses``).

    Args:
        path: The file or folder.
        name: The name of the grouping. Default: the file name.
        numbered: For OntoNotes, the WordNet of each version that it names, as ``{"2.1": …}``, with its senses in order.
    """
    from polyseme.formats import read_inventory
    from polyseme.formats.archives import iterate_files
    from polyseme.formats.files import format_suffix, read_head
    from polyseme.formats.groups import read_groups
    from polyseme.formats.ontonotes import FORMAT, read_ontonotes_senses

    name = name or Path(path).name
    if format_suffix(path) == ".tsv":
        return SenseGrouping.from_dict(_check_single_groups(read_groups(path), path), name)
    files = list(iterate_files(path))
    if files and all(FORMAT.recognises(read_head(file)) for file in files):
        senses = [sense for file in files for sense in read_ontonotes_senses(file)]
        return group_by_ontonotes(senses, numbered or {}, name)
    return SenseGrouping.from_inventory(read_inventory(path), name)


def _check_single_groups(groups: Mapping[str, Iterable[str]], path: object) -> dict[str, str]:
    group_by_sense: dict[str, str] = {}
    for group, senses in groups.items():
        for sense in senses:
            if (other := group_by_sense.setdefault(sense, group)) != group:
                problem = f"the sense {quote_value(sense)} is in the groups {quote_value(other)} and"
                raise InputError(f"{problem} {quote_value(group)}; a sense can be in one group", path=path)
    return group_by_sense


def group_by_ontonotes(senses: Iterable[OntoNotesSense], numbered: Mapping[str, Inventory], name: str) -> SenseGrouping:
    """Make a grouping from OntoNotes' senses, which name WordNet's senses by number.

    Numbers without a sense, or of versions that ``numbered`` lacks, are listed in ``unknown``.

    Args:
        senses: OntoNotes' senses.
        numbered: The WordNet of each version, with its senses in order.
        name: The name of the grouping.
    """
    groups: dict[tuple[str, str], str] = {}
    unknown: list[str] = []
    for sense in senses:
        for version, numbers in sense.wordnet.items():
            entries = numbered[version].get(sense.lemma, ()) if version in numbered else ()
            for number in numbers:
                if 1 <= number <= len(entries):
                    key = _group_key(sense.lemma, entries[number - 1].id)
                    groups.setdefault(key, f"{sense.lemma}.group.{sense.id}")
                else:
                    unknown.append(f"{sense.lemma} {number} of WordNet {version}")
    if not groups:
        problem = f"none of {count_noun(len(unknown), 'sense')} that OntoNotes names by number could be identified"
        versions = f"WordNet {', '.join(numbered)} is available" if numbered else "no WordNet is available"
        raise InputError(f"{problem}: {versions}, and it names e.g. {unknown[0] if unknown else 'none'}")
    return SenseGrouping(groups, name, tuple(unknown))
