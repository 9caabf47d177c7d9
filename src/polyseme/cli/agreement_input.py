"""What ``polyseme agreement`` takes besides ratings: averages of pairs, groups of annotators, the ends of a scale."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from polyseme.errors import InputError, shown
from polyseme.rating import DUREL, WSSIM, Scale

if TYPE_CHECKING:
    from polyseme.rating import Ratings
    from polyseme.usage import UsagePair

LONGEST = 100
"""How far the ends of a scale may be apart."""
AVERAGED = ("metricity", "schemes")
"""The sections that averages of pairs of usages are enough for."""


def read_averages(name: str) -> Sequence[UsagePair]:
    """The mean similarities of pairs of usages in a file or a data set; none if it holds ratings."""
    from polyseme.cli.gold import reader_of_pairs
    from polyseme.datasets import load
    from polyseme.datasets.index import index

    if Path(name).exists():
        read = reader_of_pairs(name)
        return tuple(read(name)) if read else ()
    if name not in index() or "ratings" in index()[name].files or "pairs" not in index()[name].files:
        return ()
    return load(name).pairs


def averaged_sections(
    names: Sequence[str] | None, groups: Sequence[str] | None = None, *, report: bool = False
) -> list[str]:
    """The sections of averages: those with these names, all of them for a report, by default metricity.

    Args:
        names: The sections that the command line names.
        groups: The groups of annotators that it names; averages allow none.
        report: Whether it wants a page of all sections.

    Raises:
        polyseme.errors.InputError: A section, or a group, needs the ratings of single annotators.
    """
    if groups:
        problem = f"--group {shown(groups[0])} puts annotators into a group, and these are averages, without annotators"
        raise InputError(f"{problem}; leave --group out, or give the ratings of single annotators")
    if wrong := [name for name in names or () if name not in (*AVERAGED, "all")]:
        problem = f"these are averages, and the section {shown(wrong[0])} needs what single annotators said"
        raise InputError(f"{problem}; of averages there are {' and '.join(AVERAGED)}")
    if (not names and report) or "all" in (names or ()):
        return list(AVERAGED)
    return list(dict.fromkeys(names or AVERAGED[:1]))


def assign_groups(ratings: Ratings, groups: Sequence[str]) -> Ratings:
    """The ratings with their annotators in the groups that the command line names, as ``first=ann,bob``."""
    from polyseme.rating import Ratings

    annotators = ratings.annotators
    group_of: dict[str, str] = {}
    for text in groups:
        name, equals, people = text.partition("=")
        if not equals or not name.strip() or not people.strip():
            raise InputError(f"--group {shown(text)} names no group; write NAME=ANNOTATOR,ANNOTATOR")
        for person in (part.strip() for part in people.split(",")):
            if person not in annotators:
                problem = f"--group {shown(text)}: {shown(person)} is not an annotator"
                raise InputError(f"{problem}; write one of {', '.join(annotators)}")
            if group_of.setdefault(person, name) != name:
                problem = f"--group {shown(text)}: {shown(person)} is in the group {shown(group_of[person])} already"
                raise InputError(f"{problem}; write every annotator in one group")
    if not groups:
        return ratings
    return Ratings(row._replace(group=group_of.get(row.annotator, row.group)) for row in ratings)


def read_scale(text: str | None) -> Scale | None:
    """The scale that is named by its ends: one that is known by them, or one whose values have no names."""
    if text is None:
        return None
    ends = re.fullmatch(r"(-?\d+)-(-?\d+)", text.strip())
    lowest, highest = map(int, ends.groups()) if ends else (0, 0)
    if not lowest < highest <= lowest + LONGEST:
        problem = f"--scale {shown(text)} is no scale; give its lowest and highest value, whole numbers, as in 1-5"
        raise InputError(f"{problem}, at most {LONGEST} apart")
    scales = {(scale.lowest, scale.highest): scale for scale in (WSSIM, DUREL)}
    return scales.get((lowest, highest)) or Scale(lowest, ("",) * (highest - lowest + 1))
