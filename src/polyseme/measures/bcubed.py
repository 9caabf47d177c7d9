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
from polyseme.measures.covers import Cover, CoverPair, cover_pairs
from polyseme.measures.protocol import TASK_13, MeasureProperties, Variant
from polyseme.parts import check_options
from polyseme.scores import Scores, ScoreSummary

TILE = 256
"""Pairs of usages are looked at in squares of this many by this many, so that they stay in the cache."""
HANDS = 16
"""Into how many parts the squares are dealt, to be worked on side by side."""
TINY = 1e-300


@dataclass(frozen=True)
class FuzzyBCubed:
    """Fuzzy B-Cubed, lemma by lemma; precision and recall are means over lemmas, F comes from these two.

    C(i, j, X) = Σ 1 − |w_k(i) − w_k(j)| over the senses k that i and j share. A usage's score on side X is the mean of
    min(C_X, C_Y) / C_X over the *other* usages that share a sense of X with it (0 where C_X = 0; a usage alone in its
    senses scores 0). "Precision" is the side of the gold senses, "recall" that of the system's, as the scorer names
    them; both are divided by the number of gold usages. Weights are divided by the usage's largest first.

    ``variant="paper"`` sums C over the *union* of the two usages' senses, as in Eq. 5; ``outside=False`` leaves out
    the system's usages that are not in the gold key. (Jurgens & Klapaftis 2013, §3.2.1)

    Usages with the same weights on both sides are taken together, the rest in blocks: no n × n matrix is made.

    >>> gold = Labelling.hard(["u1", "u2", "u3", "u4"], list("aabb"), lemma="x")
    >>> FuzzyBCubed()(gold, gold).total()
    {'precision': 1.0, 'recall': 1.0, 'f1': 1.0}
    """

    variant: Variant = "official"
    outside: bool = True
    kind: ClassVar[str] = "measure"
    properties: ClassVar[MeasureProperties] = MeasureProperties(
        citation=f"{TASK_13}, §3.2.1", symmetric=True, missing="absent", named=False, self_is_best=False
    )

    def __post_init__(self) -> None:
        check_options(self)

    def __call__(self, gold: Labelling, system: Labelling) -> Scores:
        """Score each of gold's lemmas."""
        pairs = cover_pairs(gold.normalise("max"), system.normalise("max"), keep_outside=self.outside)
        sums = [
            [
                *_both_sides(pair, union=self.variant == "paper", alone=False)
                / (pair.usages if self.variant == "paper" else pair.gold_usages),
                1.0,
            ]
            for pair in pairs
        ]
        return Scores(repr(self), gold.lemmas, gold.lemmas, np.array(sums).reshape(-1, 3), ScoreSummary.f_of_means)


@dataclass(frozen=True)
class ExtendedBCubed:
    """B-Cubed for overlapping clusters, weights left aside (a sense applies, w > 0, or it does not).

    With S_X(i, j) the number of senses that i and j share on side X, precision is the mean over usages i, and over the
    usages j (i itself included) that share a *system* sense with i, of min(S_gold, S_system) / S_system; recall is the
    same over gold senses. Precision is taken over the labelled usages. (Amigó, Gonzalo, Artiles & Verdejo 2009)

    >>> gold = Labelling.from_dict({"u1": {"a": 1, "b": 1}, "u2": {"a": 1, "b": 1}}, lemma="x")
    >>> system = Labelling.from_dict({"u1": {"c": 1}, "u2": {"c": 1}}, lemma="x")
    >>> ExtendedBCubed()(gold, system).total()
    {'precision': 1.0, 'recall': 0.5, 'f1': 0.6666666666666666}
    """

    kind: ClassVar[str] = "measure"
    properties: ClassVar[MeasureProperties] = MeasureProperties(
        citation="Amigó, Gonzalo, Artiles & Verdejo 2009, A comparison of extrinsic clustering evaluation metrics",
        named=False,
        symmetric=True,
        missing="absent",
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
        recall, precision = _both_sides(crisp, union=False, alone=True)
        gold, system = (max(len(np.unique(cover.usage)), 1) for cover in (crisp.gold, crisp.system))
        return [precision / system, recall / gold, 1.0]


def _both_sides(pair: CoverPair, *, union: bool, alone: bool) -> Floats:
    """Σ over usages of the mean agreement with those that share a gold sense, and with those that share a system one.

    ``alone`` counts the pair of a usage with itself.
    """
    patterns = _patterns(pair)
    sides = [Side.from_cover(cover, patterns, union=union) for cover in (pair.gold, pair.system)]
    sums = _over_squares(sides, patterns.size)
    if not alone:
        least = np.minimum(sides[0].held, sides[1].held)
        for row, side in enumerate(sides):
            sums[2 * row] -= least / np.maximum(side.held, 1)
            sums[2 * row + 1] -= side.held > 0
    agreed, shared = sums[::2], sums[1::2]
    totals: Floats = (patterns.size * agreed / np.where(shared > 0, shared, 1.0)).sum(axis=1)
    return totals


class Patterns(NamedTuple):
    """The distinct combinations of gold and system weights: one usage that has it, and how many do."""

    example: Ints
    size: Floats


def _patterns(pair: CoverPair) -> Patterns:
    """Usages with the same senses and weights on both sides are one pattern; like patterns stand together."""
    marks: list[list[tuple[int, float]]] = [[] for _ in range(pair.usages)]
    for cover, offset in ((pair.gold, 0), (pair.system, pair.gold.senses)):
        senses = (cover.sense + offset).tolist()
        for usage, sense, weight in zip(cover.usage.tolist(), senses, cover.weight.tolist(), strict=True):
            marks[usage].append((sense, weight))
    for mark in marks:
        mark.sort()
    same: dict[tuple[tuple[int, float], ...], list[int]] = {}
    for usage, mark in enumerate(marks):
        same.setdefault(tuple(mark), []).append(usage)
    # Patterns with the same senses side by side: most tiles then need a few whole blocks, not scattered cells.
    ordered = sorted(same, key=lambda pattern: [sense for sense, _ in pattern])
    return Patterns(
        np.array([same[pattern][0] for pattern in ordered], np.intp),
        np.array([len(same[pattern]) for pattern in ordered], np.float64),
    )


class Side(NamedTuple):
    """One side's memberships for the patterns, by sense; and for each tile, which senses have members where."""

    row: Ints
    weight: Floats
    tiles: list[dict[int, slice]]
    held: Ints
    lacking: Floats
    union: bool
    shows: bool
    """Whether sharing a sense always shows as C > 0; not where a weight is 0, or so small that 1 − (1 − w) is."""

    @classmethod
    def from_cover(cls, cover: Cover, patterns: Patterns, *, union: bool) -> Side:
        """Keep one usage of each pattern; sort the memberships by sense."""
        where = np.full(max(cover.usage.max(initial=-1), patterns.example.max(initial=-1)) + 1, -1)
        where[patterns.example] = np.arange(len(patterns.example))
        kept = cover.keep(where[cover.usage] >= 0)
        row = where[kept.usage]
        order = np.lexsort((row, kept.sense))
        held = count_at(row, len(patterns.example))
        lacking = sum_at(row, 1 - kept.weight, len(patterns.example))
        shows = not union and bool(kept.weight.min(initial=1.0) > 1e-15)
        tiles = _by_tile(row[order], kept.sense[order], -(-len(held) // TILE))
        return cls(row[order], kept.weight[order], tiles, held, lacking, union, shows)

    def compare(self, left: int, right: int) -> tuple[Floats, Bools]:
        """C(i, j) and whether i and j share a sense, for i in one tile and j in another."""
        rows, columns = _tile(left), _tile(right)
        agreement = np.zeros((len(self.held[rows]), len(self.held[columns])))
        shared = np.zeros(agreement.shape, np.bool_)
        for sense in sorted(self.tiles[left].keys() & self.tiles[right].keys()):
            a, b = self.tiles[left][sense], self.tiles[right][sense]
            w, v = self.weight[a, None], self.weight[b]
            both = np.abs(w - v)
            np.subtract(1, both, out=both)
            if self.union:
                both -= (1 - w) + (1 - v)
            at = _cells(self.row[a] - rows.start, self.row[b] - columns.start)
            agreement[at] += both
            if not self.shows:
                shared[at] = True
        if self.union:
            agreement += self.lacking[rows, None] + self.lacking[columns]
        return agreement, (agreement > 0) if self.shows else shared


def _by_tile(row: Ints, sense: Ints, tiles: int) -> list[dict[int, slice]]:
    """For each tile the senses that have members in it, and the run of memberships of each."""
    tile = row // TILE
    starts = np.flatnonzero(np.diff(tile, prepend=-1) | np.diff(sense, prepend=-1))
    found: list[dict[int, slice]] = [{} for _ in range(tiles)]
    for start, stop in pairwise([*starts.tolist(), len(row)]):
        found[tile[start]][int(sense[start])] = slice(start, stop)
    return found


def _tile(number: int) -> slice:
    return slice(number * TILE, (number + 1) * TILE)


def _cells(rows: Ints, columns: Ints) -> tuple[slice | Ints, slice | Ints]:
    """An index for a block of cells; slices where they stand together, which numpy reaches much faster."""
    if _together(rows) and _together(columns):
        return slice(rows[0], rows[-1] + 1), slice(columns[0], columns[-1] + 1)
    return rows[:, None], columns


def _together(places: Ints) -> bool:
    return bool(places[-1] - places[0] + 1 == len(places))


def _over_squares(sides: list[Side], size: Floats) -> Floats:
    """(agreed, shared) on both sides for each pattern, tile by tile and on all cores.

    The squares are dealt into a fixed number of hands, so that the last digit does not depend on the machine.
    """
    squares = list(combinations_with_replacement(range(-(-len(size) // TILE)), 2))
    hands = [squares[start::HANDS] for start in range(min(HANDS, len(squares)))]
    if len(hands) < HANDS:
        return sum((_hand(hand, sides, size) for hand in hands), np.zeros((4, len(size))))
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return sum(pool.map(lambda hand: _hand(hand, sides, size), hands), np.zeros((4, len(size))))


def _hand(squares: list[tuple[int, int]], sides: list[Side], size: Floats) -> Floats:
    sums = np.zeros((4, len(size)))
    for left, right in squares:
        compared = [side.compare(left, right) for side in sides]
        least = np.minimum(compared[0][0], compared[1][0])
        for row, (agreement, shared) in enumerate(compared):
            # where C is 0 so is the least, and 0 divided by anything is 0
            share = np.divide(least, np.maximum(agreement, TINY, out=agreement), out=agreement)
            together = shared.astype(np.float64)
            if not sides[row].shows:
                share *= together
            for at, table in ((2 * row, share), (2 * row + 1, together)):
                sums[at, _tile(left)] += table @ size[_tile(right)]
                if left != right:
                    sums[at, _tile(right)] += size[_tile(left)] @ table
    return sums
