"""What ``polyseme agreement`` takes besides ratings: averages of pairs, groups of annotators, the ends of a scale."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from polyseme.errors import InputError, quote_value
from polyseme.rating import DUREL, WSSIM, Scale

if TYPE_CHECKING:
    from polyseme.rating import Ratings
    from polyseme.usage import UsagePair

MAX_SCALE_STEPS = 100
"""How far the ends of a scale may be apart."""
SECTIONS_OF_AVERAGES = ("metricity", "schemes")
"""The sections that averages of pairs of usages are enough for."""


def open_pair_averages(name: str) -> Sequence[UsagePair]:
    """The mean similarities of pairs of usages in a file or a data set; none if it holds ratings."""
    from polyseme.cli.gold import find_pair_reader
    from polyseme.datasets import load
    from polyseme.datasets.index import read_index

    if Path(name).exists():
        read = find_pair_reader(name)
        return tuple(read(name)) if read else ()
    if name not in read_index() or "ratings" in read_index()[name].files or "pairs" not in read_index()[name].files:
        return ()
    return load(name).pairs


def select_average_sections(
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
        problem = (
            f"--group {quote_value(groups[0])} puts annotators into a group, and these are averages, without annotators"
        )
        raise InputError(f"{problem}; leave --group out, or give the ratings of single annotators")
    if wrong := [name for name in names or () if name not in (*SECTIONS_OF_AVERAGES, "all")]:
        problem = f"these are averages, and the section {quote_value(wrong[0])} needs what single annotators said"
        raise InputError(f"{problem}; of averages there are {' and '.join(SECTIONS_OF_AVERAGES)}")
    if (not names and report) or "all" in (names or ()):
        return list(SECTIONS_OF_AVERAGES)
    return list(dict.fromkeys(names or SECTIONS_OF_AVERAGES[:1]))


def assign_annotator_groups(ratings: Ratings, groups: Sequence[str]) -> Ratings:
    """The ratings with their annotators in the groups that the command line names, as ``first=ann,bob``."""
    from polyseme.rating import Ratings

    annotators = ratings.annotators
    group_of: dict[str, str] = {}
    for text in groups:
        name, equals, people = text.partition("=")
        if not equals or not name.strip() or not people.strip():
            raise InputError(f"--group {quote_value(text)} names no group; write NAME=ANNOTATOR,ANNOTATOR")
        for person in (part.strip() for part in people.split(",")):
            if person not in annotators:
                problem = f"--group {quote_value(text)}: {quote_value(person)} is not an annotator"
                raise InputError(f"{problem}; write one of {', '.join(annotators)}")
            if group_of.setdefault(person, name) != name:
                problem = f"--group {quote_value(text)}: {quote_value(person)} is in the group {quote_value(group_of[person])} already"
                raise InputError(f"{problem}; write every annotator in one group")
    if not groups:
        return ratings
    return Ratings(row._replace(group=group_of.get(row.annotator, row.group)) for row in ratings)


def parse_scale(text: str | None) -> Scale | None:
    """The scale that is named by its ends: one that is known by them, or one whose values have no names."""
    if text is None:
        return None
    ends = re.fullmatch(r"(-?\d+)-(-?\d+)", text.strip())
    lowest, highest = map(int, ends.groups()) if ends else (0, 0)
    if not lowest < highest <= lowest + MAX_SCALE_STEPS:
        problem = (
            f"--scale {quote_value(text)} is no scale; give its lowest and highest value, whole numbers, as in 1-5"
        )
        raise InputError(f"{problem}, at most {MAX_SCALE_STEPS} apart")
    scales = {(scale.lowest, scale.highest): scale for scale in (WSSIM, DUREL)}
    return scales.get((lowest, highest)) or Scale(lowest, ("",) * (highest - lowest + 1))
