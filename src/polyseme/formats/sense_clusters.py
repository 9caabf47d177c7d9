"""Coarse senses as groups of sense keys: one group a line, ``win%2:33:00:: win%2:33:01::``, blanks between the keys.

The EAW groups of WordNet 2.1 are published in this format. The lemma of a sense is ``word.pos`` with the word of its
key. A group, whose words may differ in case, is called after the lemma of its first key and a number:
``win.v.group.1``.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from heapq import heappop, heappush
from itertools import pairwise

from polyseme.errors import InputError, quote_value
from polyseme.formats.files import Source, first_text_line, read_lines, write_text
from polyseme.formats.registry import FileFormat
from polyseme.formats.sense_keys import SENSE_KEY, lemma_from_sense_key
from polyseme.formats.unique_names import UniqueNames
from polyseme.inventory import Inventory, Sense

LINE_SYNTAX = "A line reads: sense keys such as win%2:33:00:: with a blank between each two"


def read_sense_clusters(source: Source) -> Inventory:
    """Read groups of sense keys; the group of a sense is its parent."""
    return Inventory(_read_senses(source))


def _read_senses(source: Source) -> Iterator[Sense]:
    ids, groups = UniqueNames("sense", source), Counter[str]()
    for number, text in read_lines(source):
        keys = [(key, lemma_from_sense_key(key)) for key in text.split()]
        for key, lemma in keys:
            if lemma is None:
                raise InputError(f"{quote_value(key)} is not a sense key. {LINE_SYNTAX}", path=source, line=number)
            ids.add(key, number)
        if keys:
            first = str(keys[0][1])
            groups[first] += 1
            yield from (Sense(key, str(lemma), parent=f"{first}.group.{groups[first]}") for key, lemma in keys)


def write_sense_clusters(inventory: Inventory, path: str | os.PathLike[str]) -> None:
    """Write the groups of senses by their parents; a sense without a parent is a group of its own.

    The ids of the senses must be sense keys. The names of groups, and glosses, are lost.
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
    ranks = {name: rank for rank, name in enumerate(groups)}
    write_text(path, "".join(_format_group(name, groups[name]) for name in _order_groups(order, ranks, path)))


def _group_name(sense: Sense) -> str:
    return sense.id if sense.parent is None else f"\n{sense.parent}"


def _check_sense(sense: Sense, path: object) -> None:
    if lemma_from_sense_key(sense.id) != sense.lemma:
        name = f"the sense {quote_value(sense.id)} of {quote_value(sense.lemma)}"
        problem = f"{name} is not called by a sense key of that lemma"
        raise InputError(f"{problem}. {LINE_SYNTAX}", path=path)


def _order_groups(order: TopologicalSorter[str], ranks: dict[str, int], path: object) -> list[str]:
    """Order the groups so that the senses of every lemma keep their order."""
    try:
        order.prepare()
    except CycleError:
        problem = "the groups cannot be ordered so that the senses of each lemma keep their order"
        raise InputError(f"{problem}; sort the senses of each lemma by group", path=path) from None
    waiting: list[tuple[int, str]] = []
    groups = []
    while order.is_active():
        for group in order.get_ready():
            heappush(waiting, (ranks[group], group))
        groups.append(heappop(waiting)[1])
        order.done(groups[-1])
    return groups


def _format_group(name: str, senses: list[Sense]) -> str:
    """Format the keys of a group, first those of the lemma after which it is called."""
    ordered = sorted(senses, key=lambda sense: not name.startswith(f"\n{sense.lemma}.group."))
    return " ".join(sense.id for sense in ordered) + "\n"


def _recognise(start: bytes) -> bool:
    words = first_text_line(start).split()
    return bool(words) and all(map(SENSE_KEY.fullmatch, words))


FORMAT = FileFormat.for_content(
    "inventory",
    "sense-clusters",
    "a file of grouped sense keys",
    _recognise,
    read_sense_clusters,
    write_sense_clusters,
    ".senses",
)
