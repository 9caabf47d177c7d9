"""Coarse senses as groups of sense keys: one group a line, ``win%2:33:00:: win%2:33:01::``, blanks between the keys.

So the EAW groups of WordNet 2.1 are given out. A sense is one of ``word.pos``, the word as its key has it. A group, in
which words may differ in capital letters, is called after the lemma of its first key and a number: ``win.v.group.1``.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from heapq import heappop, heappush
from itertools import pairwise

from polyseme.errors import InputError, quote_value
from polyseme.formats.files import BOM, Source, read_lines, write_text
from polyseme.formats.registry import FileFormat
from polyseme.formats.sense_keys import SENSE_KEY, lemma_from_sense_key
from polyseme.formats.unique_names import UniqueNames
from polyseme.inventory import Inventory, Sense

LINE_SYNTAX = "A line reads: sense keys such as win%2:33:00:: with a blank between each two"


def read_sense_clusters(source: Source) -> Inventory:
    """Read groups of sense keys; the parent of each sense is its group."""
    return Inventory(_read_senses(source))


def _read_senses(source: Source) -> Iterator[Sense]:
    seen, groups = UniqueNames("sense", source), Counter[str]()
    for number, text in read_lines(source):
        keys = [(key, lemma_from_sense_key(key)) for key in text.split()]
        for key, lemma in keys:
            if lemma is None:
                raise InputError(f"{quote_value(key)} is not a sense key. {LINE_SYNTAX}", path=source, line=number)
            seen.add(key, number)
        if keys:
            first = str(keys[0][1])
            groups[first] += 1
            yield from (Sense(key, str(lemma), parent=f"{first}.group.{groups[first]}") for key, lemma in keys)


def write_sense_clusters(inventory: Inventory, path: str | os.PathLike[str]) -> None:
    """Write the groups that the parents of the senses name, each sense without a parent as a group of its own.

    The senses must be called by their sense keys; of the groups, the names are not written, nor are glosses.
    """
    groups: dict[str, list[Sense]] = {}
    order: TopologicalSorter[str] = TopologicalSorter()
    for senses in inventory.values():
        for sense in senses:
            _check_sense(sense, path)
            groups.setdefault(_group_name(sense), []).append(sense)
            order.add(_group_name(sense))
        for before, after in pairwise(dict.fromkeys(map(_group_name, senses))):
            order.add(after, before)
    place = {name: number for number, name in enumerate(groups)}
    write_text(path, "".join(_format_group(name, groups[name]) for name in _order_groups(order, place, path)))


def _group_name(sense: Sense) -> str:
    return sense.id if sense.parent is None else f"\n{sense.parent}"


def _check_sense(sense: Sense, path: object) -> None:
    if lemma_from_sense_key(sense.id) != sense.lemma:
        problem = f"the sense {quote_value(sense.id)} of {quote_value(sense.lemma)} is not called by a sense key of that lemma"
        raise InputError(f"{problem}. {LINE_SYNTAX}", path=path)


def _order_groups(order: TopologicalSorter[str], place: dict[str, int], path: object) -> list[str]:
    """The groups so that the senses of every lemma keep their order."""
    try:
        order.prepare()
    except CycleError:
        problem = "the groups cannot be ordered so that the senses of each lemma keep their order"
        raise InputError(f"{problem}; sort the senses of each lemma by group", path=path) from None
    waiting: list[tuple[int, str]] = []
    found = []
    while order.is_active():
        for group in order.get_ready():
            heappush(waiting, (place[group], group))
        found.append(heappop(waiting)[1])
        order.done(found[-1])
    return found


def _format_group(name: str, senses: list[Sense]) -> str:
    """The keys of a group, those of the lemma that it is called after first."""
    ordered = sorted(senses, key=lambda sense: not name.startswith(f"\n{sense.lemma}.group."))
    return " ".join(sense.id for sense in ordered) + "\n"


def _recognise(start: bytes) -> bool:
    first = start.removeprefix(BOM).lstrip().split(b"\n", 1)[0].decode(errors="replace").split()
    return bool(first) and all(map(SENSE_KEY.fullmatch, first))


FORMAT = FileFormat(
    "sense-clusters",
    "a file of grouped sense keys",
    _recognise,
    readers={"inventory": read_sense_clusters},
    writers={"inventory": write_sense_clusters},
    suffixes=(".senses",),
)
