"""Do senses, or groups of them, keep usages together that people find alike, and apart those they find different?

Each usage is put into the group of its sense: that of WSbest (the mode), or the heaviest of any labelling, a model's
too. Then the mean Usim of pairs within a group should be high, across groups low. (Erk, McCarthy & Gaylord 2013, §6)
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

from polyseme.agreement.sense_groups import SenseGrouping
from polyseme.labelling import Labelling
from polyseme.usage import UsagePair

Key = TypeVar("Key")

EXAMPLE_PAIRS = 3


class SimilarityContrast(NamedTuple):
    """The mean Usim of pairs within and across groups, with how many pairs each is of; not a number of none."""

    name: str
    within: float
    within_pairs: int
    across: float
    across_pairs: int

    @property
    def reason(self) -> str:
        """Why a mean is undefined; nothing if both are there."""
        missing = [("within one group", self.within_pairs), ("of different groups", self.across_pairs)]
        return "; ".join(f"no pair of usages {where}" for where, pairs in missing if not pairs)

    @property
    def difference(self) -> float:
        """How much more alike usages within a group are; at 0 or below, the groups do not follow meaning."""
        return self.within - self.across


class GroupCohesion(NamedTuple):
    """A group with the mean Usim of its pairs of usages, and the pairs that are least alike."""

    lemma: str
    group: str
    usages: int
    pairs: int
    mean: float
    least_similar: tuple[UsagePair, ...]


class GroupProximity(NamedTuple):
    """Two groups of a lemma with the mean Usim of pairs across them, and the pairs that are most alike."""

    lemma: str
    first: str
    second: str
    pairs: int
    mean: float
    most_similar: tuple[UsagePair, ...]


@dataclass(frozen=True)
class GroupSimilarity:
    """Mean Usim within and across groups, overall, per lemma, per group and for every two groups of a lemma.

    What should be looked at comes first: lemmas whose groups tell usages apart least, groups whose usages are least
    alike (to be split, perhaps), and pairs of groups whose usages are most alike (to be merged).
    """

    overall: SimilarityContrast
    lemmas: tuple[SimilarityContrast, ...]
    groups: tuple[GroupCohesion, ...]
    neighbours: tuple[GroupProximity, ...]
    left_out: int
    """Pairs of which a usage has no sense, or one that is in no group."""
    alone: int
    """Groups with one usage only, which have no pairs."""

    def share_above(self, mean: float) -> float:
        """The share of groups whose mean Usim is above this; the paper asks for 4."""
        above = sum(group.mean > mean for group in self.groups)
        return above / len(self.groups) if self.groups else math.nan


class _GroupedPair(NamedTuple):
    """A pair with the groups of its usages."""

    pair: UsagePair
    first: str
    second: str


def compare_group_similarity(
    pairs: Iterable[UsagePair],
    labelling: Labelling,
    grouping: SenseGrouping | None = None,
    examples: int = EXAMPLE_PAIRS,
) -> GroupSimilarity:
    """Mean Usim within and across the groups of the usages' heaviest senses; without groups, of the senses themselves.

    >>> pairs = [UsagePair("x", "1", "2", 5.0), UsagePair("x", "1", "3", 1.0), UsagePair("x", "2", "3", 2.0)]
    >>> found = compare_group_similarity(pairs, Labelling.hard(["1", "2", "3"], list("aab"), lemma="x"))
    >>> found.overall
    Similarity(name='all', within=5.0, within_pairs=1, across=1.5, across_pairs=2)
    """
    given = list(pairs)
    group_of = _group_by_usage(labelling, grouping)
    placed = [
        _GroupedPair(pair, group_of[pair.first], group_of[pair.second])
        for pair in given
        if pair.first in group_of and pair.second in group_of
    ]
    lemmas = [
        _contrast_similarity(lemma, mine) for lemma, mine in _group_pairs(placed, lambda each: each.pair.lemma).items()
    ]
    groups = _measure_cohesion(placed, examples)
    return GroupSimilarity(
        _contrast_similarity("all", placed),
        tuple(sorted(lemmas, key=_undefined_last)),
        groups,
        _measure_proximity(placed, examples),
        len(given) - len(placed),
        len({(each.pair.lemma, group) for each in placed for group in each[1:]}) - len(groups),
    )


def _undefined_last(lemma: SimilarityContrast) -> tuple[bool, float]:
    return math.isnan(lemma.difference), lemma.difference


def _group_by_usage(labelling: Labelling, grouping: SenseGrouping | None) -> dict[str, str]:
    """Usage → the group of its heaviest sense, of equal ones the first listed."""
    found = {}
    for lemma, usage, senses in labelling.top().rows():
        (sense,) = senses
        group = sense if grouping is None else grouping.group(lemma, sense)
        if group is not None:
            found[usage] = group
    return found


def _group_pairs(placed: Iterable[_GroupedPair], key: Callable[[_GroupedPair], Key]) -> dict[Key, list[_GroupedPair]]:
    found: dict[Key, list[_GroupedPair]] = {}
    for each in placed:
        found.setdefault(key(each), []).append(each)
    return found


def _mean_similarity(placed: Sequence[_GroupedPair]) -> float:
    return sum(each.pair.similarity for each in placed) / len(placed) if placed else math.nan


def _contrast_similarity(name: str, placed: Sequence[_GroupedPair]) -> SimilarityContrast:
    within = [each for each in placed if each.first == each.second]
    across = [each for each in placed if each.first != each.second]
    return SimilarityContrast(name, _mean_similarity(within), len(within), _mean_similarity(across), len(across))


def _measure_cohesion(placed: Sequence[_GroupedPair], examples: int) -> tuple[GroupCohesion, ...]:
    within = _group_pairs(
        (each for each in placed if each.first == each.second), lambda each: (each.pair.lemma, each.first)
    )
    found = []
    for (lemma, group), mine in within.items():
        ordered = sorted((each.pair for each in mine), key=lambda pair: pair.similarity)
        usages = {usage for pair in ordered for usage in (pair.first, pair.second)}
        found.append(
            GroupCohesion(lemma, group, len(usages), len(mine), _mean_similarity(mine), tuple(ordered[:examples]))
        )
    return tuple(sorted(found, key=lambda group: group.mean))


def _measure_proximity(placed: Sequence[_GroupedPair], examples: int) -> tuple[GroupProximity, ...]:
    across = _group_pairs(
        (each for each in placed if each.first != each.second),
        lambda each: (each.pair.lemma, *sorted((each.first, each.second))),
    )
    found = []
    for (lemma, first, second), mine in across.items():
        ordered = sorted((each.pair for each in mine), key=lambda pair: -pair.similarity)
        found.append(GroupProximity(lemma, first, second, len(mine), _mean_similarity(mine), tuple(ordered[:examples])))
    return tuple(sorted(found, key=lambda pair: -pair.mean))
