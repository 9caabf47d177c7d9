"""Normalised mutual information of covers: fuzzy (SemEval-2013 Task 13) and crisp (LFK, McDaid)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Literal, NamedTuple

import numpy as np

from polyseme.arrays import Bools, Floats, Ints, chunk_by_cost, count_at, expand_runs, run_starts, sum_at
from polyseme.labelling import Labelling
from polyseme.measures.covers import Cover, CoverPair, cover_pairs
from polyseme.measures.protocol import TASK_13, MeasureProperties
from polyseme.parts import check_options
from polyseme.scores import Scores

BINS = 10
CELLS = 1 << 22
"""How many cells of a sense × sense table are held at a time."""


@dataclass(frozen=True)
class FuzzyNMI:
    """Fuzzy normalised mutual information of two fuzzy covers, lemma by lemma; the total is the mean over lemmas.

    Each sense is a vector of weights over the lemma's usages, cut into ten right-closed bins (0 falls in the first).
    With H(X) = Σ_i H(X_i) and H(X|Y) = Σ_i min_j H(X_i|Y_j) over the candidates j of i,

        FNMI = ½ [H(X) − H(X|Y) + H(Y) − H(Y|X)] / max(H(X), H(Y)).

    Y_j is a candidate for X_i unless h(p11) + h(p00) < h(p10) + h(p01) on their supports. Weights are divided by the
    usage's largest first. ``outside=False`` leaves out the system's usages that are not in the gold key, as a later
    version of the scorer did; the published figures kept them. (Jurgens & Klapaftis 2013; McDaid et al. 2011)

    >>> gold = Labelling.hard(["u1", "u2", "u3", "u4"], list("aabb"), lemma="x")
    >>> FuzzyNMI()(gold, gold).total()
    {'score': 1.0}
    """

    outside: bool = True
    kind: ClassVar[str] = "measure"
    properties: ClassVar[MeasureProperties] = MeasureProperties(
        citation=f"{TASK_13}, §3.2.2; Lancichinetti, Fortunato & Kertész 2009; McDaid, Greene & Hurley 2011",
        symmetric=True,
        missing="absent",
        named=False,
    )

    def __call__(self, gold: Labelling, system: Labelling) -> Scores:
        """Score each of gold's lemmas."""
        pairs = cover_pairs(gold.normalise("max"), system.normalise("max"), keep_outside=self.outside)
        values = [_divided_by_largest(Information.from_covers(pair, pair.gold, pair.system)) for pair in pairs]
        return Scores.from_lemmas(repr(self), gold.lemmas, values)


@dataclass(frozen=True)
class OverlappingNMI:
    """Normalised mutual information of two covers, weights left aside: a sense applies (w > 0) or it does not.

    ``"max"`` divides as McDaid et al. do, by max(H(X), H(Y)); ``"lfk"`` is the original of Lancichinetti et al.,
    1 − ½ [mean_i H(X_i|Y)/H(X_i) + mean_j H(Y_j|X)/H(Y_j)].

    >>> gold = Labelling.hard(["u1", "u2", "u3", "u4"], list("aabb"), lemma="x")
    >>> OverlappingNMI("lfk")(gold, gold).total()
    {'score': 1.0}
    """

    normaliser: Literal["max", "lfk"] = "max"
    kind: ClassVar[str] = "measure"
    properties: ClassVar[MeasureProperties] = MeasureProperties(
        citation="Lancichinetti, Fortunato & Kertész 2009; McDaid, Greene & Hurley 2011",
        symmetric=True,
        missing="absent",
        named=False,
    )

    def __post_init__(self) -> None:
        check_options(self)

    def __call__(self, gold: Labelling, system: Labelling) -> Scores:
        """Score each of gold's lemmas on the usages of the gold key."""
        divided = _divided_by_largest if self.normaliser == "max" else _divided_by_own
        values = [
            divided(Information.from_covers(pair, pair.gold.crisp(), pair.system.crisp()))
            for pair in cover_pairs(gold, system, keep_outside=False)
        ]
        return Scores.from_lemmas(repr(self), gold.lemmas, values)


class Information(NamedTuple):
    """The entropy of each sense on either side, and what is left of it when the other side is known."""

    x: Floats
    y: Floats
    x_given_y: Floats
    y_given_x: Floats

    @property
    def settled(self) -> float | None:
        """1 where neither side tells any usage from another, 0 where only one does; otherwise it must be computed."""
        tells = [bool(side.sum() > 0) for side in (self.x, self.y)]
        if all(tells):
            return None
        return float(not any(tells) and len(self.x) > 0 and len(self.y) > 0)

    @classmethod
    def from_covers(cls, pair: CoverPair, gold: Cover, system: Cover) -> Information:
        """Compare the two covers of a lemma."""
        x, y = Binned.from_cover(gold, pair.usages), Binned.from_cover(system, pair.usages)
        return cls(x.entropy, y.entropy, *_conditional(x, y, pair.usages))


def _divided_by_largest(info: Information) -> float:
    if info.settled is not None:
        return info.settled
    h_x, h_y = info.x.sum(), info.y.sum()
    mutual = h_x - info.x_given_y.sum() + h_y - info.y_given_x.sum()
    return float(mutual / (2 * max(h_x, h_y)))


def _divided_by_own(info: Information) -> float:
    if info.settled is not None:
        return info.settled
    sides = [(info.x, info.x_given_y), (info.y, info.y_given_x)]
    shares = [np.mean(given[own > 0] / own[own > 0]) for own, given in sides]
    return float(1 - sum(shares) / 2)


def surprise(counts: Floats | Ints, total: int) -> Floats:
    """h(p) = −p log2 p for p = counts/total, and 0 at 0."""
    p = np.maximum(np.asarray(counts, np.float64), 0.0) / max(total, 1)
    return -p * np.log2(np.where(p > 0, p, 1.0))


@dataclass(frozen=True)
class Binned:
    """A cover whose memberships are cut into bins; only those above the first bin are held, the rest is one number."""

    high: Cover
    cell: Ints
    counts: Ints
    above: Ints
    uncertain: Floats
    entropy: Floats
    support: Cover

    @classmethod
    def from_cover(cls, cover: Cover, usages: int) -> Binned:
        """Cut [0, 1] into ten right-closed bins; 0 and (0, .1] share the first."""
        bins = np.maximum(np.ceil(cover.weight * BINS), 1).astype(np.intp) - 1
        high = cover.keep(bins > 0)
        cell = high.sense * BINS + bins[bins > 0]
        counts = count_at(cell, cover.senses * BINS)
        above = counts.reshape(-1, BINS).sum(axis=1)
        uncertain = surprise(counts, usages).reshape(-1, BINS).sum(axis=1)
        entropy = uncertain + surprise(usages - above, usages)
        return cls(high, cell, counts, above, uncertain, entropy, cover.keep(cover.weight > 0))


class Sparse(NamedTuple):
    """Values at (x's sense, y's sense), sorted by x's sense; the same cell may come several times."""

    x: Ints
    y: Ints
    value: Floats

    def rows(self, start: int, end: int, width: int) -> Floats:
        """Summed into the rows start … end of a table."""
        low, high = np.searchsorted(self.x, [start, end])
        cell = (self.x[low:high] - start) * width + self.y[low:high]
        return sum_at(cell, self.value[low:high], (end - start) * width).reshape(end - start, width)


def _conditional(x: Binned, y: Binned, usages: int) -> tuple[Floats, Floats]:
    """For each sense the smallest entropy that is left among its candidates on the other side; its own if it has none.

    The joint entropy of two senses that never occur together needs only their own counts, so the table of all pairs
    starts from those, and what co-occurs is put right: linear in the number of memberships.
    """
    x_given_y = np.full(len(x.entropy), np.inf)
    y_given_x = np.full(len(y.entropy), np.inf)
    for rows, joint, candidate in _tables(x, y, usages):
        x_given_y[rows] = np.where(candidate, joint - y.entropy, np.inf).min(axis=1, initial=np.inf)
        left = np.where(candidate, joint - x.entropy[rows, None], np.inf).min(axis=0, initial=np.inf)
        y_given_x = np.minimum(y_given_x, left)
    return np.where(np.isinf(x_given_y), x.entropy, x_given_y), np.where(np.isinf(y_given_x), y.entropy, y_given_x)


def _tables(x: Binned, y: Binned, usages: int) -> Iterator[tuple[slice, Floats, Bools]]:
    """Some rows of the sense × sense tables at a time: joint entropies, and who is a candidate for whom."""
    change, together = _cooccurrence(x, y, usages)
    support = _supports(x, y, usages)
    x_size, y_size = (count_at(side.support.sense, len(side.entropy)) for side in (x, y))
    width = len(y.entropy)
    step = max(CELLS // max(width, 1), 1)
    for start in range(0, len(x.entropy), step):
        rows = slice(start, min(start + step, len(x.entropy)))
        rest = usages - x.above[rows, None] - y.above + together.rows(rows.start, rows.stop, width)
        joint = x.uncertain[rows, None] + y.uncertain + change.rows(rows.start, rows.stop, width)
        n11 = support.rows(rows.start, rows.stop, width)
        yield rows, joint + surprise(rest, usages), _candidates(n11, x_size[rows, None], y_size, usages)


def _candidates(n11: Floats, x_size: Ints, y_size: Ints, usages: int) -> Bools:
    """Two senses are worth comparing unless they agree less than they differ (Lancichinetti et al., their Eq. B.14)."""
    n10, n01 = x_size - n11, y_size - n11
    agree = surprise(n11, usages) + surprise(usages - n11 - n10 - n01, usages)
    return ~(agree < surprise(n10, usages) + surprise(n01, usages))


def _supports(x: Binned, y: Binned, usages: int) -> Sparse:
    return _together(x.support, x.support.sense, y.support, y.support.sense, len(y.entropy), usages)


def _cooccurrence(x: Binned, y: Binned, usages: int) -> tuple[Sparse, Sparse]:
    """What co-occurring memberships change in the joint entropy, and how many there are."""
    x_cell, y_cell, both = _together(x.high, x.cell, y.high, y.cell, len(y.counts), usages)
    x_sense, y_sense = x_cell // BINS, y_cell // BINS
    lost_x = _counted(x_cell, y_sense, len(y.entropy), both)
    lost_y = _counted(y_cell, x_sense, len(x.entropy), both)
    parts = [
        (x_sense, y_sense, surprise(both, usages)),
        (lost_x.x // BINS, lost_x.y, _lowered(x.counts[lost_x.x], lost_x.value, usages)),
        (lost_y.y, lost_y.x // BINS, _lowered(y.counts[lost_y.x], lost_y.value, usages)),
    ]
    xs, ys, values = (np.concatenate(column) for column in zip(*parts, strict=True))
    order = np.argsort(xs, kind="stable")
    return Sparse(xs[order], ys[order], values[order]), Sparse(x_sense, y_sense, both)


def _lowered(counts: Ints, by: Floats, usages: int) -> Floats:
    return surprise(counts - by, usages) - surprise(counts, usages)


def _together(x: Cover, x_codes: Ints, y: Cover, y_codes: Ints, width: int, usages: int) -> Sparse:
    """How often each code of x and each code of y belong to the same usage, over all their entries."""
    sizes = count_at(y.usage, usages)
    starts = run_starts(sizes)
    parts = [Sparse(np.empty(0, np.intp), np.empty(0, np.intp), np.empty(0))]
    for some in chunk_by_cost(sizes[x.usage]):
        beside = sizes[x.usage[some]]
        left, right = np.repeat(x_codes[some], beside), y_codes[expand_runs(starts[x.usage[some]], beside)]
        parts.append(_counted(left, right, width))
    xs, ys, counts = (np.concatenate(column) for column in zip(*parts, strict=True))
    return _counted(xs, ys, width, counts)


def _counted(first: Ints, second: Ints, width: int, weights: Floats | None = None) -> Sparse:
    """The distinct (first, second), sorted, with how often each occurs or the sum of its weights."""
    width = max(width, 1)
    keys, where = np.unique(first * width + second, return_inverse=True)
    return Sparse(
        keys // width, keys % width, sum_at(where, np.ones(len(where)) if weights is None else weights, len(keys))
    )
