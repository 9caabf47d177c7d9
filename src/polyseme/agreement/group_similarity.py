"""Usage similarity within and across senses or groups of senses.

Each usage belongs to the group of its sense: the mode of WSbest, or the heaviest sense of any labelling, including a
model's. Good groups have a high mean Usim within and a low one across. (Erk, McCarthy & Gaylord 2013, §6)
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from polyseme.agreement.grouping import group_by
from polyseme.agreement.sense_groups import SenseGrouping
from polyseme.labelling import Labelling
from polyseme.usage import UsagePair

EXAMPLE_PAIRS = 3
"""How many pairs of usages are listed for a group."""


class SimilarityContrast(NamedTuple):
    """The mean Usim of pairs within and across groups.

    Args:
        name: A lemma, or ``all``.
        within: The mean of pairs within a group; NaN if there is none.
        within_pairs: The number of these pairs.
        across: The mean of pairs across groups; NaN if there is none.
        across_pairs: The number of these pairs.
    """

    name: str
    within: float
    within_pairs: int
    across: float
    across_pairs: int

    @property
    def reason(self) -> str:
        """Why a mean is undefined; empty if both are defined."""
        counts = [("within one group", self.within_pairs), ("of different groups", self.across_pairs)]
        return "; ".join(f"no pair of usages {kind}" for kind, pairs in counts if not pairs)

    @property
    def difference(self) -> float:
        """How much more similar usages within a group are; at 0 or below, the groups do not follow meaning."""
        return self.within - self.across


class GroupCohesion(NamedTuple):
    """The mean Usim of the pairs of usages in one group.

    Args:
        lemma: The lemma.
        group: The group.
        usages: The number of usages in these pairs.
        pairs: The number of pairs.
        mean: The mean Usim.
        least_similar: The least similar pairs.
    """

    lemma: str
    group: str
    usages: int
    pairs: int
    mean: float
    least_similar: tuple[UsagePair, ...]


class GroupProximity(NamedTuple):
    """The mean Usim of pairs across two groups of a lemma.

    Args:
        lemma: The lemma.
        first: The first group.
        second: The second group.
        pairs: The number of pairs.
        mean: The mean Usim.
        most_similar: The most similar pairs.
    """

    lemma: str
    first: str
    second: str
    pairs: int
    mean: float
    most_similar: tuple[UsagePair, ...]


@dataclass(frozen=True)
class GroupSimilarity:
    """The mean Usim within and across groups.

    The entries that most need a look come first.

    Args:
        overall: The contrast over all lemmas.
        lemmas: The contrast of each lemma, the smallest difference first.
        groups: The cohesion of each group, the least cohesive first: perhaps to be split.
        neighbours: The proximity of every two groups of a lemma, the closest first: perhaps to be merged.
        left_out: The number of pairs with a usage that has no sense, or none in a group.
        alone: The number of groups with a single usage, which have no pairs.
    """

    overall: SimilarityContrast
    lemmas: tuple[SimilarityContrast, ...]
    groups: tuple[GroupCohesion, ...]
    neighbours: tuple[GroupProximity, ...]
    left_out: int
    alone: int

    def share_above(self, mean: float) -> float:
        """Return the share of groups with a higher mean Usim; the paper reports the share above 4."""
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
    """Compare the mean Usim within and across the groups of the usages' heaviest senses.

    Args:
        pairs: Pairs of usages with their Usim.
        labelling: The senses of the usages.
        grouping: Groups of senses. Default: each sense is a group.
        examples: How many pairs of usages are listed for a group.

    >>> pairs = [UsagePair("x", "1", "2", 5.0), UsagePair("x", "1", "3", 1.0), UsagePair("x", "2", "3", 2.0)]
    >>> compare_group_similarity(pairs, Labelling.hard(["1", "2", "3"], list("aab"), lemma="x")).overall
    SimilarityContrast(name='all', within=5.0, within_pairs=1, across=1.5, across_pairs=2)
    """
    all_pairs = list(pairs)
    group_by_usage = _group_by_usage(labelling, grouping)
    grouped = [
        _GroupedPair(pair, group_by_usage[pair.first], group_by_usage[pair.second])
        for pair in all_pairs
        if pair.first in group_by_usage and pair.second in group_by_usage
    ]
    by_lemma = group_by(grouped, lambda row: row.pair.lemma)
    lemmas = [_contrast_similarity(lemma, rows) for lemma, rows in by_lemma.items()]
    groups = _measure_cohesion(grouped, examples)
    names = {(row.pair.lemma, group) for row in grouped for group in (row.first, row.second)}
    return GroupSimilarity(
        _contrast_similarity("all", grouped),
        tuple(sorted(lemmas, key=lambda lemma: (math.isnan(lemma.difference), lemma.difference))),
        groups,
        _measure_proximity(grouped, examples),
        len(all_pairs) - len(grouped),
        len(names) - len(groups),
    )


def _group_by_usage(labelling: Labelling, grouping: SenseGrouping | None) -> dict[str, str]:
    """Map usages to the group of their heaviest sense; of equal senses, the first listed counts."""
    groups = {}
    for lemma, usage, senses in labelling.top().rows():
        (sense,) = senses
        group = sense if grouping is None else grouping.group(lemma, sense)
        if group is not None:
            groups[usage] = group
    return groups


def _mean_similarity(rows: Sequence[_GroupedPair]) -> float:
    return sum(row.pair.similarity for row in rows) / len(rows) if rows else math.nan


def _contrast_similarity(name: str, rows: Sequence[_GroupedPair]) -> SimilarityContrast:
    within = [row for row in rows if row.first == row.second]
    across = [row for row in rows if row.first != row.second]
    return SimilarityContrast(name, _mean_similarity(within), len(within), _mean_similarity(across), len(across))


def _measure_cohesion(rows: Sequence[_GroupedPair], examples: int) -> tuple[GroupCohesion, ...]:
    within = group_by((row for row in rows if row.first == row.second), lambda row: (row.pair.lemma, row.first))
    groups = []
    for (lemma, group), members in within.items():
        pairs = sorted((row.pair for row in members), key=lambda pair: pair.similarity)
        usages = {usage for pair in pairs for usage in (pair.first, pair.second)}
        mean = _mean_similarity(members)
        groups.append(GroupCohesion(lemma, group, len(usages), len(pairs), mean, tuple(pairs[:examples])))
    return tuple(sorted(groups, key=lambda group: group.mean))


def _measure_proximity(rows: Sequence[_GroupedPair], examples: int) -> tuple[GroupProximity, ...]:
    across = group_by(
        (row for row in rows if row.first != row.second),
        lambda row: (row.pair.lemma, *sorted((row.first, row.second))),
    )
    neighbours = []
    for (lemma, first, second), members in across.items():
        pairs = sorted((row.pair for row in members), key=lambda pair: -pair.similarity)
        mean = _mean_similarity(members)
        neighbours.append(GroupProximity(lemma, first, second, len(pairs), mean, tuple(pairs[:examples])))
    return tuple(sorted(neighbours, key=lambda neighbour: -neighbour.mean))
