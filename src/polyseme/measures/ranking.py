"""Ranking: measures of the *order* of a usage's senses."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from polyseme.arrays import Floats, Ints, count_at, positions_by_value, sum_at
from polyseme.inventory import Inventory
from polyseme.labelling import Labelling
from polyseme.measures.alignment import Alignment
from polyseme.measures.protocol import TASK_13, MeasurePart, MeasureProperties, Variant
from polyseme.scores import Scores

MAX_PAIRS = 1 << 22
"""How many pairs of senses are compared at a time."""
DIRECT_LIMIT = 256
"""The most senses of a usage for which all pairs are compared."""


@dataclass(frozen=True)
class Ksim(MeasurePart):
    """Ranking: positionally weighted Kendall similarity, which makes a swap among the first ranks cost more.

    Both labellings rank the n senses of their union by weight (absent = 0, ties by name in reverse order). With
    δ_i = 1 − i/N, p_i = 1 + Σ_{k<i} δ_k and p̄_i = (p_i − p_σ(i)) / (i − σ(i)), or 1 where i = σ(i),

        K = Σ over inverted pairs of p̄_i · p̄_j,   Ksim = 1 − K / K_max,

    where K_max is the K of the reversed gold ranking and N the number of the lemma's senses, in gold and system
    together. A sense that keeps its rank while others move costs more than in the reversed ranking, so some rankings
    score below 0. (Jurgens & Klapaftis 2013, §3.1.3)

    Args:
        variant: ``"official"`` is the scorer's δ_i; ``"paper"`` uses the printed δ_i = (n − (i + 1)) / n.

    >>> gold = Labelling.from_dict({"u": {"a": 0.6, "b": 0.4}}, lemma="x")
    >>> system = Labelling.from_dict({"u": {"a": 0.4, "b": 0.6}}, lemma="x")
    >>> Ksim()(gold, gold).total()["f1"], Ksim()(gold, system).total()["f1"]
    (1.0, 0.0)
    """

    variant: Variant = "official"
    properties: ClassVar[MeasureProperties] = MeasureProperties(
        citation=f"{TASK_13}, §3.1.3; Kumar & Vassilvitskii 2010", low=-0.5, symmetric=True
    )

    def __call__(self, gold: Labelling, system: Labelling) -> Scores:
        """Score each gold usage."""
        table = Alignment.from_labellings(gold, system)
        by_gold, by_system = (
            table.positions(np.lexsort((-table.rank, -weights, table.usage))) for weights in (table.gold, table.system)
        )
        sense_counts = _count_lemma_senses(gold, system)[gold.row_lemmas]
        values = np.ones(len(gold))
        for usages, entries in _group_by_size(table, at_least=2):
            sigma = np.empty_like(entries)
            np.put_along_axis(sigma, by_gold[entries], by_system[entries], axis=1)
            values[usages] = self._similarity(sigma, sense_counts[usages])
        return table.scores(self, values)

    def _similarity(self, sigma: Ints, sense_counts: Ints) -> Floats:
        """Return Ksim of each usage u.

        Args:
            sigma: At [u, i], the system's rank of the sense that gold ranks i-th.
            sense_counts: At [u], how many senses the lemma has.
        """
        size = sigma.shape[1]
        rank = np.arange(size)
        delta = 1 - rank / sense_counts[:, None] if self.variant == "official" else (size - (rank + 1)) / size
        delta = np.broadcast_to(delta, sigma.shape)
        p = 1 + np.cumsum(delta, axis=1) - delta
        return 1 - _kendall(p, sigma) / _kendall(p, np.broadcast_to(rank[::-1], sigma.shape))


def _kendall(p: Floats, sigma: Ints) -> Floats:
    """Return K, Σ over inverted pairs of p̄_i · p̄_j, for each row."""
    shift = np.arange(sigma.shape[1]) - sigma
    is_fixed = shift == 0
    p_bar = np.where(is_fixed, 1.0, (p - np.take_along_axis(p, sigma, axis=1)) / np.where(is_fixed, 1, shift))
    return inversions(sigma, p_bar)


def inversions(values: Floats | Ints, weights: Floats) -> Floats:
    """Return Σ w_i · w_j over the pairs i < j with v_i > v_j, for each row; long rows are halved, in n log n steps.

    >>> inversions(np.array([[2, 0, 1]]), np.array([[1.0, 10.0, 100.0]])).tolist()
    [110.0]
    """
    size = values.shape[1]
    if size <= DIRECT_LIMIT:
        first, second = np.triu_indices(size, 1)
        inverted = values[:, first] > values[:, second]
        total: Floats = np.where(inverted, weights[:, first] * weights[:, second], 0.0).sum(axis=1)
        return total
    half = size // 2
    within = [inversions(values[:, part], weights[:, part]) for part in (slice(half), slice(half, None))]
    across = [
        _inversions_across(row[:half], weight[:half], row[half:], weight[half:])
        for row, weight in zip(values, weights, strict=True)
    ]
    sums: Floats = within[0] + within[1] + np.array(across)
    return sums


def _inversions_across(left: Floats | Ints, left_weight: Floats, right: Floats | Ints, right_weight: Floats) -> float:
    """Return Σ w_i · w_j over i on the left and j on the right with v_i > v_j."""
    order = np.argsort(left, kind="stable")
    up_to = np.concatenate(([0.0], np.cumsum(left_weight[order])))
    larger = up_to[-1] - up_to[np.searchsorted(left[order], right, "right")]
    return float(np.dot(larger, right_weight))


def _count_discordant(gold: Floats, system: Floats) -> Floats:
    """Count in each row the pairs that the two series put in opposite order; ties in either do not count."""
    order = np.lexsort((system, gold), axis=1)
    sorted_system = np.take_along_axis(system, order, axis=1)
    return inversions(sorted_system, np.ones_like(sorted_system))


@dataclass(frozen=True)
class GoodmanKruskal(MeasurePart):
    """Ranking: Goodman & Kruskal's γ = (c − d) / (c + d) over all pairs of the lemma's senses.

    The m applicable senses (w > 0) are ranked by weight, ties equal; every other sense of the lemma has rank m + 1. A
    pair that is tied in either ranking counts neither way; without an untied pair γ is 0. (Jurgens 2012, "Ranking")

    Args:
        inventory: The lemma's senses; by default those that gold and system use.

    >>> gold = Labelling.from_dict({"win.v.i": {"1": 0.6, "2": 0.4, "3": 0, "4": 0}}, lemma="win.v")
    >>> system = Labelling.from_dict({"win.v.i": {"3": 0.5, "1": 0.3, "4": 0.2}}, lemma="win.v")
    >>> round(GoodmanKruskal()(gold, system).total()["f1"], 3)
    -0.2
    """

    inventory: Inventory | None = field(default=None, repr=False, hash=False)
    properties: ClassVar[MeasureProperties] = MeasureProperties(
        citation="Jurgens 2012, §2; Goodman & Kruskal 1954", low=-1.0, symmetric=True, self_is_best=False
    )

    def __call__(self, gold: Labelling, system: Labelling) -> Scores:
        """Score each gold usage."""
        table = Alignment.from_labellings(gold, system)
        sense_counts = _count_lemma_senses(gold, system, self.inventory)[gold.row_lemmas]
        # A sense that neither lists is last in both rankings: it is concordant with each sense that both apply.
        concordant = table.per_usage((table.gold > 0) & (table.system > 0)) * (sense_counts - table.sizes)
        discordant = np.zeros(len(gold))
        for usages, entries in _group_by_size(table, at_least=2):
            gold_weights, system_weights = table.gold[entries], table.system[entries]
            concordant[usages] += _count_discordant(gold_weights, -system_weights)
            discordant[usages] += _count_discordant(gold_weights, system_weights)
        untied = concordant + discordant
        return table.scores(self, (concordant - discordant) / np.where(untied == 0, 1, untied))


@dataclass(frozen=True)
class Spearman(MeasurePart):
    """Spearman's ρ of gold and system weights over all usages × senses of a lemma; the total is the mean of lemmas.

    A sense that is not listed weighs 0, and so does every sense of a usage that the system left unlabelled. A lemma
    whose weights are all equal on one side has no ρ and is left out of the mean. ``pooled`` ranks all lemmas'
    usages × senses together. (Erk & McCarthy 2009)

    >>> gold = Labelling.from_dict({"u1": {"a": 5, "b": 1}, "u2": {"a": 2, "b": 4}}, lemma="x")
    >>> Spearman()(gold, gold).total()
    {'score': 1.0}
    """

    properties: ClassVar[MeasureProperties] = MeasureProperties(
        citation="Erk & McCarthy 2009, Graded word sense assignment", low=-1.0, symmetric=True, missing="zero"
    )

    def __call__(self, gold: Labelling, system: Labelling) -> Scores:
        """Score each of gold's lemmas."""
        table = Alignment.from_labellings(gold, system)
        unlisted = self._count_unlisted(gold, system, table)
        parts = positions_by_value(gold.row_lemmas[table.usage], len(gold.lemmas))
        values = [
            rank_correlation(table.gold[entries], table.system[entries], zeros)
            for entries, zeros in zip(parts, unlisted.tolist(), strict=True)
        ]
        return Scores.from_lemmas(repr(self), gold.lemmas, values)

    def pooled(self, gold: Labelling, system: Labelling) -> float:
        """Return ρ over the usages × senses of all lemmas together."""
        table = Alignment.from_labellings(gold, system)
        return rank_correlation(table.gold, table.system, int(self._count_unlisted(gold, system, table).sum()))

    def _count_unlisted(self, gold: Labelling, system: Labelling, table: Alignment) -> Ints:
        """Count, for each lemma, the usage × sense pairs that neither side lists."""
        cells = _count_lemma_senses(gold, system)[gold.row_lemmas] - table.sizes
        return sum_at(gold.row_lemmas, cells, len(gold.lemmas)).astype(np.intp)


def rank_correlation(x: Floats, y: Floats, zeros: int = 0) -> float:
    """Return Spearman's ρ of two series and of ``zeros`` more pairs (0, 0), which are not in memory.

    >>> rank_correlation(np.array([1.0, 2.0, 3.0]), np.array([10.0, 30.0, 20.0]))
    0.5
    """
    weights = np.concatenate([np.ones(len(x)), [zeros]])
    ranks = [_mean_ranks(np.append(series, 0.0), weights) for series in (x, y)]
    total = weights.sum()
    a, b = (rank - np.dot(weights, rank) / total for rank in ranks) if total else ranks
    spread = float(np.sqrt(np.dot(weights, a * a) * np.dot(weights, b * b)))
    return float(np.dot(weights, a * b)) / spread if spread > 0 else float("nan")


def _mean_ranks(values: Floats, weights: Floats) -> Floats:
    """Return the mean ranks of values; each value represents several (``weights``) equal ones."""
    distinct, positions = np.unique(values, return_inverse=True)
    counts = sum_at(positions, weights, len(distinct))
    return (np.cumsum(counts) - (counts - 1) / 2)[positions]


def _count_lemma_senses(gold: Labelling, system: Labelling, inventory: Inventory | None = None) -> Ints:
    """Count the senses of each of gold's lemmas: in gold, system and the inventory together."""
    names = {*gold.columns, *system.columns}
    if inventory is not None:
        names |= {(lemma, sense.id) for lemma in gold.lemmas for sense in inventory.get(lemma, ())}
    rows = {lemma: row for row, lemma in enumerate(gold.lemmas)}
    return count_at(np.array([rows[lemma] for lemma, _ in names if lemma in rows], np.intp), len(rows))


def _group_by_size(table: Alignment, at_least: int) -> Iterator[tuple[Ints, Ints]]:
    """Yield usages with equally many senses, and their entries as a matrix; the number of sense pairs is bounded."""
    for size in np.unique(table.sizes[table.sizes >= at_least]).tolist():
        usages = np.flatnonzero(table.sizes == size)
        for part in np.array_split(usages, len(usages) * size * min(size, DIRECT_LIMIT) // MAX_PAIRS + 1):
            yield part, table.starts[part][:, None] + np.arange(size)
