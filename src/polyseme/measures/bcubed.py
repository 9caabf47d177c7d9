"""B-Cubed of covers: fuzzy (SemEval-2013 Task 13) and crisp (Amigó et al. 2009)."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import combinations_with_replacement, pairwise
from typing import ClassVar, NamedTuple

import numpy as np

from polyseme.arrays import Bools, Floats, Ints, count_at, sum_at
from polyseme.labelling import Labelling
from polyseme.measures.covers import Cover, CoverPair, cover_pairs, declare_cover_measure
from polyseme.measures.protocol import TASK_13, MeasurePart, MeasureProperties, Variant
from polyseme.scores import Scores, ScoreSummary

TILE_SIZE = 256
"""Pairs of usages are compared in tiles of this many by this many, so that they stay in the processor's cache."""
PARALLEL_PARTS = 16
"""The number of parts that the tiles are dealt into, to be computed in parallel."""
TINY = 1e-300


@dataclass(frozen=True)
class FuzzyBCubed(MeasurePart):
    """Fuzzy B-Cubed, lemma by lemma; precision and recall are means over lemmas, F comes from these two.

    C(i, j, X) = Σ 1 − |w_k(i) − w_k(j)| over the senses k that i and j share. A usage's score on side X is the mean of
    min(C_X, C_Y) / C_X over the *other* usages that share a sense of X with it (0 where C_X = 0; a usage alone in its
    senses scores 0). "Precision" is the side of the gold senses, "recall" that of the system's, as the scorer names
    them; both are divided by the number of gold usages. Weights are divided by the usage's largest first.

    Usages with the same weights on both sides are counted once, and the rest in tiles: no n × n matrix is in memory.

    Args:
        variant: ``"official"`` sums C over the senses that both usages share, as the scorer does; ``"paper"`` over the
            *union* of their senses, as in Eq. 5.
        outside: Keep the system's usages that are not in the gold key.

    (Jurgens & Klapaftis 2013, §3.2.1)

    >>> gold = Labelling.hard(["u1", "u2", "u3", "u4"], list("aabb"), lemma="x")
    >>> FuzzyBCubed()(gold, gold).total()
    {'precision': 1.0, 'recall': 1.0, 'f1': 1.0}
    """

    variant: Variant = "official"
    outside: bool = True
    properties: ClassVar[MeasureProperties] = declare_cover_measure(f"{TASK_13}, §3.2.1", self_is_best=False)

    def __call__(self, gold: Labelling, system: Labelling) -> Scores:
        """Score each of gold's lemmas."""
        pairs = cover_pairs(gold.normalise("max"), system.normalise("max"), keep_outside=self.outside)
        sums = [
            [
                *_sum_agreement(pair, union=self.variant == "paper", alone=False)
                / (pair.usages if self.variant == "paper" else pair.gold_usages),
                1.0,
            ]
            for pair in pairs
        ]
        return Scores(repr(self), gold.lemmas, gold.lemmas, np.array(sums).reshape(-1, 3), ScoreSummary.f_of_means)


@dataclass(frozen=True)
class ExtendedBCubed(MeasurePart):
    """B-Cubed for overlapping clusters without weights: a sense applies (w > 0) or it does not.

    Let S_X(i, j) be the number of senses that i and j share on side X. The precision of a usage i is the mean of
    min(S_gold, S_system) / S_system over the usages j that share a *system* sense with it, including i. Precision is
    the mean over the labelled usages. Recall is the same over gold senses. (Amigó, Gonzalo, Artiles & Verdejo 2009)

    >>> gold = Labelling.from_dict({"u1": {"a": 1, "b": 1}, "u2": {"a": 1, "b": 1}}, lemma="x")
    >>> system = Labelling.from_dict({"u1": {"c": 1}, "u2": {"c": 1}}, lemma="x")
    >>> ExtendedBCubed()(gold, system).total()
    {'precision': 1.0, 'recall': 0.5, 'f1': 0.6666666666666666}
    """

    properties: ClassVar[MeasureProperties] = declare_cover_measure(
        "Amigó, Gonzalo, Artiles & Verdejo 2009, A comparison of extrinsic clustering evaluation metrics"
    )

    def __call__(self, gold: Labelling, system: Labelling) -> Scores:
        """Score each of gold's lemmas on the usages of the gold key."""
        return Scores(
            repr(self),
            gold.lemmas,
            gold.lemmas,
            np.array([self._lemma(pair) for pair in cover_pairs(gold, system, keep_outside=False)]).reshape(-1, 3),
            ScoreSummary.f_of_means,
        )

    def _lemma(self, pair: CoverPair) -> list[float]:
        crisp = CoverPair(pair.lemma, pair.gold_usages, pair.usages, pair.gold.crisp(), pair.system.crisp())
        recall, precision = _sum_agreement(crisp, union=False, alone=True)
        gold, system = (max(len(np.unique(cover.usage)), 1) for cover in (crisp.gold, crisp.system))
        return [precision / system, recall / gold, 1.0]


def _sum_agreement(pair: CoverPair, *, union: bool, alone: bool) -> Floats:
    """Sum over usages the mean agreement with those that share a gold sense, and with those that share a system sense.

    Args:
        pair: The covers of a lemma.
        union: Compare over the union of senses.
        alone: Count the pair of a usage with itself.
    """
    patterns = _find_patterns(pair)
    sides = [PatternMemberships.from_cover(cover, patterns, union=union) for cover in (pair.gold, pair.system)]
    sums = _sum_tiles(sides, patterns.size)
    if not alone:
        least = np.minimum(sides[0].sizes, sides[1].sizes)
        for row, side in enumerate(sides):
            sums[2 * row] -= least / np.maximum(side.sizes, 1)
            sums[2 * row + 1] -= side.sizes > 0
    agreement, shared = sums[::2], sums[1::2]
    totals: Floats = (patterns.size * agreement / np.where(shared > 0, shared, 1.0)).sum(axis=1)
    return totals


class WeightPatterns(NamedTuple):
    """The distinct combinations of gold and system weights: an example usage, and the number of usages."""

    example: Ints
    size: Floats


def _find_patterns(pair: CoverPair) -> WeightPatterns:
    """Group usages with the same senses and weights on both sides; patterns with the same senses are neighbours."""
    marks: list[list[tuple[int, float]]] = [[] for _ in range(pair.usages)]
    for cover, offset in ((pair.gold, 0), (pair.system, pair.gold.senses)):
        senses = (cover.sense + offset).tolist()
        for usage, sense, weight in zip(cover.usage.tolist(), senses, cover.weight.tolist(), strict=True):
            marks[usage].append((sense, weight))
    for mark in marks:
        mark.sort()
    members: dict[tuple[tuple[int, float], ...], list[int]] = {}
    for usage, mark in enumerate(marks):
        members.setdefault(tuple(mark), []).append(usage)
    # Patterns with the same senses side by side: most tiles then need a few whole blocks, not scattered cells.
    ordered = sorted(members, key=lambda pattern: [sense for sense, _ in pattern])
    return WeightPatterns(
        np.array([members[pattern][0] for pattern in ordered], np.intp),
        np.array([len(members[pattern]) for pattern in ordered], np.float64),
    )


class PatternMemberships(NamedTuple):
    """The memberships of the patterns on one side, by sense.

    Args:
        row: The pattern of each membership.
        weight: Its weight.
        tiles: For each tile, the run of memberships of each sense.
        sizes: How many senses each pattern has.
        lacking: For each pattern, Σ 1 − w over its senses.
        union: Compare over the union of senses.
        is_shared_positive: Whether C > 0 for all pairs that share a sense. A weight of 0, or one so small that
            1 − (1 − w) is 0, prevents that.
    """

    row: Ints
    weight: Floats
    tiles: list[dict[int, slice]]
    sizes: Ints
    lacking: Floats
    union: bool
    is_shared_positive: bool

    @classmethod
    def from_cover(cls, cover: Cover, patterns: WeightPatterns, *, union: bool) -> PatternMemberships:
        """Select one usage of each pattern, and sort the memberships by sense."""
        rows = np.full(max(cover.usage.max(initial=-1), patterns.example.max(initial=-1)) + 1, -1)
        rows[patterns.example] = np.arange(len(patterns.example))
        examples = cover.select(rows[cover.usage] >= 0)
        row = rows[examples.usage]
        order = np.lexsort((row, examples.sense))
        sizes = count_at(row, len(patterns.example))
        lacking = sum_at(row, 1 - examples.weight, len(patterns.example))
        is_shared_positive = not union and bool(examples.weight.min(initial=1.0) > 1e-15)
        tiles = _find_runs(row[order], examples.sense[order], -(-len(sizes) // TILE_SIZE))
        return cls(row[order], examples.weight[order], tiles, sizes, lacking, union, is_shared_positive)

    def compare(self, left: int, right: int) -> tuple[Floats, Bools]:
        """Return C(i, j), and whether i and j share a sense, for i in one tile and j in another."""
        rows, columns = _tile_slice(left), _tile_slice(right)
        agreement = np.zeros((len(self.sizes[rows]), len(self.sizes[columns])))
        shared = np.zeros(agreement.shape, np.bool_)
        for sense in sorted(self.tiles[left].keys() & self.tiles[right].keys()):
            a, b = self.tiles[left][sense], self.tiles[right][sense]
            w, v = self.weight[a, None], self.weight[b]
            both = np.abs(w - v)
            np.subtract(1, both, out=both)
            if self.union:
                both -= (1 - w) + (1 - v)
            cells = _index_cells(self.row[a] - rows.start, self.row[b] - columns.start)
            agreement[cells] += both
            if not self.is_shared_positive:
                shared[cells] = True
        if self.union:
            agreement += self.lacking[rows, None] + self.lacking[columns]
        return agreement, (agreement > 0) if self.is_shared_positive else shared


def _find_runs(row: Ints, sense: Ints, tiles: int) -> list[dict[int, slice]]:
    """Return, for each tile, the run of memberships of each sense."""
    tile = row // TILE_SIZE
    starts = np.flatnonzero(np.diff(tile, prepend=-1) | np.diff(sense, prepend=-1))
    by_tile: list[dict[int, slice]] = [{} for _ in range(tiles)]
    for start, stop in pairwise([*starts.tolist(), len(row)]):
        by_tile[tile[start]][int(sense[start])] = slice(start, stop)
    return by_tile


def _tile_slice(number: int) -> slice:
    return slice(number * TILE_SIZE, (number + 1) * TILE_SIZE)


def _index_cells(rows: Ints, columns: Ints) -> tuple[slice | Ints, slice | Ints]:
    """Return an index of a block of cells; slices where they are contiguous, which numpy reaches much faster."""
    if _is_contiguous(rows) and _is_contiguous(columns):
        return slice(rows[0], rows[-1] + 1), slice(columns[0], columns[-1] + 1)
    return rows[:, None], columns


def _is_contiguous(positions: Ints) -> bool:
    return bool(positions[-1] - positions[0] + 1 == len(positions))


def _sum_tiles(sides: list[PatternMemberships], size: Floats) -> Floats:
    """Sum (agreement, sharing) on both sides for each pattern, tile by tile and on all cores.

    The tiles are dealt into a fixed number of parts, so that the last digit does not depend on the machine.
    """
    tiles = list(combinations_with_replacement(range(-(-len(size) // TILE_SIZE)), 2))
    parts = [tiles[start::PARALLEL_PARTS] for start in range(min(PARALLEL_PARTS, len(tiles)))]
    if len(parts) < PARALLEL_PARTS:
        return sum((_sum_part(part, sides, size) for part in parts), np.zeros((4, len(size))))
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return sum(pool.map(lambda part: _sum_part(part, sides, size), parts), np.zeros((4, len(size))))


def _sum_part(tiles: list[tuple[int, int]], sides: list[PatternMemberships], size: Floats) -> Floats:
    sums = np.zeros((4, len(size)))
    for left, right in tiles:
        comparisons = [side.compare(left, right) for side in sides]
        least = np.minimum(comparisons[0][0], comparisons[1][0])
        for row, (agreement, shared) in enumerate(comparisons):
            # where C is 0 so is the least, and 0 divided by anything is 0
            share = np.divide(least, np.maximum(agreement, TINY, out=agreement), out=agreement)
            sharing = shared.astype(np.float64)
            if not sides[row].is_shared_positive:
                share *= sharing
            for number, table in ((2 * row, share), (2 * row + 1, sharing)):
                sums[number, _tile_slice(left)] += table @ size[_tile_slice(right)]
                if left != right:
                    sums[number, _tile_slice(right)] += size[_tile_slice(left)] @ table
    return sums
