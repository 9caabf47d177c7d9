"""Usage similarity within and across senses or groups of senses.

Each usage belongs to the group of its sense: the mode of WSbest, or the heaviest sense of any labelling, including a
model's. Good groups have a high mean Usim within and a low one across. (Erk, McCarthy & Gaylord 2013, §6)
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from polyseme.agreement.grouping import group_by
from polyseme.agreement.sense_groups import SenseGrouping
from polyseme.labelling import Labelling
from polyseme.usage import UsagePair


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


def compare_group_similarity(
    pairs: Iterable[UsagePair],
    labelling: Labelling,
    grouping: SenseGrouping | None = None,
    examples: int = 3,
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
    groups = _group_by_usage(labelling, grouping)
    grouped = [pair for pair in all_pairs if pair.first in groups and pair.second in groups]
    by_groups = group_by(grouped, lambda pair: (pair.lemma, *sorted((groups[pair.first], groups[pair.second]))))
    names = {(lemma, group) for lemma, *both in by_groups for group in both}
    lemmas = [
        _contrast_similarity(lemma, rows, groups) for lemma, rows in group_by(grouped, lambda pair: pair.lemma).items()
    ]
    cohesion, proximity = [], []
    for (lemma, first, second), members in by_groups.items():
        mean = _mean_similarity(members)
        if first == second:
            usages = {usage for pair in members for usage in (pair.first, pair.second)}
            farthest = tuple(sorted(members, key=lambda pair: pair.similarity)[:examples])
            cohesion.append(GroupCohesion(lemma, first, len(usages), len(members), mean, farthest))
        else:
            closest = tuple(sorted(members, key=lambda pair: -pair.similarity)[:examples])
            proximity.append(GroupProximity(lemma, first, second, len(members), mean, closest))
    return GroupSimilarity(
        _contrast_similarity("all", grouped, groups),
        tuple(sorted(lemmas, key=lambda lemma: (math.isnan(lemma.difference), lemma.difference))),
        tuple(sorted(cohesion, key=lambda group: group.mean)),
        tuple(sorted(proximity, key=lambda neighbours: -neighbours.mean)),
        len(all_pairs) - len(grouped),
        len(names) - len(cohesion),
    )


def _group_by_usage(labelling: Labelling, grouping: SenseGrouping | None) -> dict[str, str]:
    """Map usages to the group of their heaviest sense; of equal senses, the first listed counts."""
    groups = {}
    for lemma, usage, (sense,) in labelling.top().rows():
        group = sense if grouping is None else grouping.group(lemma, sense)
        if group is not None:
            groups[usage] = group
    return groups


def _mean_similarity(pairs: Sequence[UsagePair]) -> float:
    return sum(pair.similarity for pair in pairs) / len(pairs) if pairs else math.nan


def _contrast_similarity(name: str, pairs: Sequence[UsagePair], groups: Mapping[str, str]) -> SimilarityContrast:
    within = [pair for pair in pairs if groups[pair.first] == groups[pair.second]]
    across = [pair for pair in pairs if groups[pair.first] != groups[pair.second]]
    return SimilarityContrast(name, _mean_similarity(within), len(within), _mean_similarity(across), len(across))
