"""Normalised mutual information of covers: fuzzy (SemEval-2013 Task 13) and crisp (LFK, McDaid)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Literal, NamedTuple

import numpy as np

from polyseme.arrays import Bools, Floats, Ints, chunk_by_cost, count_at, expand_runs, run_starts, sum_at
from polyseme.labelling import Labelling
from polyseme.measures.covers import Cover, CoverPair, cover_pairs, declare_cover_measure
from polyseme.measures.protocol import TASK_13, MeasurePart, MeasureProperties
from polyseme.scores import Scores

BINS = 10
MAX_CELLS = 1 << 22
"""How many cells of a sense × sense table are in memory at a time."""


@dataclass(frozen=True)
class FuzzyNMI(MeasurePart):
    """Fuzzy normalised mutual information of two fuzzy covers, lemma by lemma; the total is the mean over lemmas.

    Each sense is a vector of weights over the lemma's usages, cut into ten right-closed bins (0 falls in the first).
    With H(X) = Σ_i H(X_i) and H(X|Y) = Σ_i min_j H(X_i|Y_j) over the candidates j of i,

        FNMI = ½ [H(X) − H(X|Y) + H(Y) − H(Y|X)] / max(H(X), H(Y)).

    Y_j is a candidate for X_i unless h(p11) + h(p00) < h(p10) + h(p01) on their supports. Weights are divided by the
    usage's largest first. (Jurgens & Klapaftis 2013; McDaid et al. 2011)

    Args:
        outside: Keep the system's usages that are not in the gold key, as the published figures do; a later version of
            the scorer leaves them out.

    >>> gold = Labelling.hard(["u1", "u2", "u3", "u4"], list("aabb"), lemma="x")
    >>> FuzzyNMI()(gold, gold).total()
    {'score': 1.0}
    """

    outside: bool = True
    properties: ClassVar[MeasureProperties] = declare_cover_measure(
        f"{TASK_13}, §3.2.2; Lancichinetti, Fortunato & Kertész 2009; McDaid, Greene & Hurley 2011"
    )

    def __call__(self, gold: Labelling, system: Labelling) -> Scores:
        """Score each of gold's lemmas."""
        pairs = cover_pairs(gold.normalise("max"), system.normalise("max"), keep_outside=self.outside)
        values = [CoverInformation.from_covers(pair, pair.gold, pair.system).divide_by_largest() for pair in pairs]
        return Scores.from_lemmas(repr(self), gold.lemmas, values)


@dataclass(frozen=True)
class OverlappingNMI(MeasurePart):
    """Normalised mutual information of two covers without weights: a sense applies (w > 0) or it does not.

    Args:
        normaliser: ``"max"`` divides by max(H(X), H(Y)) (McDaid et al. 2011). ``"lfk"`` is the original of
            Lancichinetti et al. (2009), 1 − ½ [mean_i H(X_i|Y)/H(X_i) + mean_j H(Y_j|X)/H(Y_j)].

    >>> gold = Labelling.hard(["u1", "u2", "u3", "u4"], list("aabb"), lemma="x")
    >>> OverlappingNMI("lfk")(gold, gold).total()
    {'score': 1.0}
    """

    normaliser: Literal["max", "lfk"] = "max"
    properties: ClassVar[MeasureProperties] = declare_cover_measure(
        "Lancichinetti, Fortunato & Kertész 2009; McDaid, Greene & Hurley 2011"
    )

    def __call__(self, gold: Labelling, system: Labelling) -> Scores:
        """Score each of gold's lemmas on the usages of the gold key."""
        normalise = CoverInformation.divide_by_largest if self.normaliser == "max" else CoverInformation.divide_by_own
        values = [
            normalise(CoverInformation.from_covers(pair, pair.gold.crisp(), pair.system.crisp()))
            for pair in cover_pairs(gold, system, keep_outside=False)
        ]
        return Scores.from_lemmas(repr(self), gold.lemmas, values)


class CoverInformation(NamedTuple):
    """The entropy of each sense on either side, and its conditional entropy given the other side.

    Args:
        x: The entropies of the gold senses.
        y: The entropies of the system's senses.
        x_given_y: The conditional entropies of the gold senses.
        y_given_x: The conditional entropies of the system's senses.
    """

    x: Floats
    y: Floats
    x_given_y: Floats
    y_given_x: Floats

    @classmethod
    def from_covers(cls, pair: CoverPair, gold: Cover, system: Cover) -> CoverInformation:
        """Compare the two covers of a lemma."""
        x, y = BinnedCover.from_cover(gold, pair.usages), BinnedCover.from_cover(system, pair.usages)
        return cls(x.entropy, y.entropy, *_conditional_entropies(x, y, pair.usages))

    @property
    def trivial_value(self) -> float | None:
        """1 if no side distinguishes usages, 0 if one side does; nothing if both do and the value must be computed."""
        distinguishes = [bool(side.sum() > 0) for side in (self.x, self.y)]
        if all(distinguishes):
            return None
        return float(not any(distinguishes) and len(self.x) > 0 and len(self.y) > 0)

    def divide_by_largest(self) -> float:
        """Return the mutual information divided by the larger entropy."""
        if self.trivial_value is not None:
            return self.trivial_value
        h_x, h_y = self.x.sum(), self.y.sum()
        mutual = h_x - self.x_given_y.sum() + h_y - self.y_given_x.sum()
        return float(mutual / (2 * max(h_x, h_y)))

    def divide_by_own(self) -> float:
        """Return the mean information, where each sense is divided by its own entropy."""
        if self.trivial_value is not None:
            return self.trivial_value
        sides = [(self.x, self.x_given_y), (self.y, self.y_given_x)]
        shares = [np.mean(conditional[own > 0] / own[own > 0]) for own, conditional in sides]
        return float(1 - sum(shares) / 2)


def surprise(counts: Floats | Ints, total: int) -> Floats:
    """h(p) = −p log2 p for p = counts/total, and 0 at 0."""
    p = np.maximum(np.asarray(counts, np.float64), 0.0) / max(total, 1)
    return -p * np.log2(np.where(p > 0, p, 1.0))


@dataclass(frozen=True)
class BinnedCover:
    """A cover whose memberships are cut into bins; the entries of the first bin are not held.

    Args:
        high: The memberships above the first bin.
        cell: The (sense, bin) of each of them.
        counts: How many there are of each (sense, bin).
        above: How many there are of each sense.
        uncertain: The entropy of each sense over the bins above the first.
        entropy: The entropy of each sense.
        support: The memberships above 0.
    """

    high: Cover
    cell: Ints
    counts: Ints
    above: Ints
    uncertain: Floats
    entropy: Floats
    support: Cover

    @classmethod
    def from_cover(cls, cover: Cover, usages: int) -> BinnedCover:
        """Cut [0, 1] into ten right-closed bins; 0 and (0, .1] share the first."""
        bins = np.maximum(np.ceil(cover.weight * BINS), 1).astype(np.intp) - 1
        high = cover.select(bins > 0)
        cell = high.sense * BINS + bins[bins > 0]
        counts = count_at(cell, cover.senses * BINS)
        above = counts.reshape(-1, BINS).sum(axis=1)
        uncertain = surprise(counts, usages).reshape(-1, BINS).sum(axis=1)
        entropy = uncertain + surprise(usages - above, usages)
        return cls(high, cell, counts, above, uncertain, entropy, cover.select(cover.weight > 0))


class SensePairValues(NamedTuple):
    """Values at (x's sense, y's sense), sorted by x's sense; a cell may occur several times and is summed."""

    x: Ints
    y: Ints
    value: Floats

    def to_rows(self, start: int, end: int, width: int) -> Floats:
        """Return the rows start … end of the table of sums."""
        low, high = np.searchsorted(self.x, [start, end])
        cell = (self.x[low:high] - start) * width + self.y[low:high]
        return sum_at(cell, self.value[low:high], (end - start) * width).reshape(end - start, width)


def _conditional_entropies(x: BinnedCover, y: BinnedCover, usages: int) -> tuple[Floats, Floats]:
    """Return the smallest conditional entropy of each sense among its candidates; its own if it has no candidate.

    The joint entropy of two senses that never co-occur depends on their own counts only. The table of all pairs starts
    from those, and co-occurrences correct it: the cost is linear in the number of memberships.
    """
    x_given_y = np.full(len(x.entropy), np.inf)
    y_given_x = np.full(len(y.entropy), np.inf)
    for rows, joint, candidate in _joint_entropies(x, y, usages):
        x_given_y[rows] = np.where(candidate, joint - y.entropy, np.inf).min(axis=1, initial=np.inf)
        remaining = np.where(candidate, joint - x.entropy[rows, None], np.inf).min(axis=0, initial=np.inf)
        y_given_x = np.minimum(y_given_x, remaining)
    return np.where(np.isinf(x_given_y), x.entropy, x_given_y), np.where(np.isinf(y_given_x), y.entropy, y_given_x)


def _joint_entropies(x: BinnedCover, y: BinnedCover, usages: int) -> Iterator[tuple[slice, Floats, Bools]]:
    """Yield, some rows at a time, the joint entropies of senses, and which pairs are candidates."""
    change, cooccurrence = _correct_joint_entropies(x, y, usages)
    support = _count_cooccurrences(x.support, x.support.sense, y.support, y.support.sense, len(y.entropy), usages)
    x_size, y_size = (count_at(side.support.sense, len(side.entropy)) for side in (x, y))
    width = len(y.entropy)
    step = max(MAX_CELLS // max(width, 1), 1)
    for start in range(0, len(x.entropy), step):
        rows = slice(start, min(start + step, len(x.entropy)))
        outside = usages - x.above[rows, None] - y.above + cooccurrence.to_rows(rows.start, rows.stop, width)
        joint = x.uncertain[rows, None] + y.uncertain + change.to_rows(rows.start, rows.stop, width)
        n11 = support.to_rows(rows.start, rows.stop, width)
        yield rows, joint + surprise(outside, usages), _are_candidates(n11, x_size[rows, None], y_size, usages)


def _are_candidates(n11: Floats, x_size: Ints, y_size: Ints, usages: int) -> Bools:
    """Whether senses agree at least as much as they differ (Lancichinetti et al. 2009, Eq. B.14)."""
    n10, n01 = x_size - n11, y_size - n11
    agree = surprise(n11, usages) + surprise(usages - n11 - n10 - n01, usages)
    return ~(agree < surprise(n10, usages) + surprise(n01, usages))


def _correct_joint_entropies(x: BinnedCover, y: BinnedCover, usages: int) -> tuple[SensePairValues, SensePairValues]:
    """Return the changes of the joint entropies by co-occurring memberships, and the numbers of these."""
    x_cell, y_cell, counts = _count_cooccurrences(x.high, x.cell, y.high, y.cell, len(y.counts), usages)
    x_sense, y_sense = x_cell // BINS, y_cell // BINS
    lost_x = _sum_pairs(x_cell, y_sense, len(y.entropy), counts)
    lost_y = _sum_pairs(y_cell, x_sense, len(x.entropy), counts)
    parts = [
        (x_sense, y_sense, surprise(counts, usages)),
        (lost_x.x // BINS, lost_x.y, _entropy_change(x.counts[lost_x.x], lost_x.value, usages)),
        (lost_y.y, lost_y.x // BINS, _entropy_change(y.counts[lost_y.x], lost_y.value, usages)),
    ]
    xs, ys, values = (np.concatenate(column) for column in zip(*parts, strict=True))
    order = np.argsort(xs, kind="stable")
    return SensePairValues(xs[order], ys[order], values[order]), SensePairValues(x_sense, y_sense, counts)


def _entropy_change(counts: Ints, decrease: Floats, usages: int) -> Floats:
    return surprise(counts - decrease, usages) - surprise(counts, usages)


def _count_cooccurrences(x: Cover, x_codes: Ints, y: Cover, y_codes: Ints, width: int, usages: int) -> SensePairValues:
    """Count how often each code of x and each code of y belong to the same usage."""
    sizes = count_at(y.usage, usages)
    starts = run_starts(sizes)
    parts = [SensePairValues(np.empty(0, np.intp), np.empty(0, np.intp), np.empty(0))]
    for chunk in chunk_by_cost(sizes[x.usage]):
        repeats = sizes[x.usage[chunk]]
        left, right = np.repeat(x_codes[chunk], repeats), y_codes[expand_runs(starts[x.usage[chunk]], repeats)]
        parts.append(_sum_pairs(left, right, width))
    xs, ys, counts = (np.concatenate(column) for column in zip(*parts, strict=True))
    return _sum_pairs(xs, ys, width, counts)


def _sum_pairs(first: Ints, second: Ints, width: int, weights: Floats | None = None) -> SensePairValues:
    """Return the distinct (first, second), sorted, with the number of their occurrences or the sum of their weights."""
    width = max(width, 1)
    keys, positions = np.unique(first * width + second, return_inverse=True)
    values = np.ones(len(positions)) if weights is None else weights
    return SensePairValues(keys // width, keys % width, sum_at(positions, values, len(keys)))
