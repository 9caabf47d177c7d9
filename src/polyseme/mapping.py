"""Mappings of induced senses to those of a dictionary, learnt from usages that have both.

All mappings start from one table, M[induced][gold], over the training usages, with rows normalised to
P(gold | induced). They differ in its entries and in how they apply it.

A mapping is a specification; ``fit(system, gold)`` learns from two labellings of the same usages and returns a function
from labellings to labellings. A usage that maps to nothing (unlabelled, or only unseen senses) is not in the result.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import ClassVar, Literal, NamedTuple, Protocol

import numpy as np

from polyseme.arrays import Floats, Ints, chunk_by_cost, count_at, expand_runs, run_starts, sum_at
from polyseme.errors import InputError
from polyseme.labelling import Labelling
from polyseme.parts import build

FittedMapping = Callable[[Labelling], Labelling]


class SenseMapping(Protocol):
    """A mapping."""

    def fit(self, system: Labelling, gold: Labelling) -> FittedMapping:
        """Learn which gold senses the system's senses map to."""
        ...


@dataclass(frozen=True)
class Agirre:
    """Each induced sense maps to its most probable gold sense; weights count the induced senses that map there.

    M counts how often two senses label a usage together. A usage's weight for gold sense g is the share of its induced
    senses that map to g. Of equally probable gold senses the first by name is taken. (Agirre et al. 2006)

    >>> gold = Labelling.from_dict({"u1": {"A": 1}, "u2": {"A": 1, "B": 1}, "u3": {"B": 1}}, lemma="x")
    >>> system = Labelling.from_dict({"u1": {"s": 1}, "u2": {"s": 2, "t": 1}, "u3": {"t": 1}}, lemma="x")
    >>> Agirre().fit(system, gold)(system)["u2"]
    {'A': 0.5, 'B': 0.5}
    """

    kind: ClassVar[str] = "mapping"

    def fit(self, system: Labelling, gold: Labelling) -> FittedMapping:
        """Learn from usages labelled by both."""
        table = SenseTable.from_labellings(system, gold, "count").best()
        return lambda labelling: table.apply(labelling.with_weights(np.ones_like(labelling.weights)), share=True)


@dataclass(frozen=True)
class Graded:
    """As Agirre, but weighted: M += w_T · w_G, and a usage's induced weights are carried over and normalised.

    (Jurgens 2012, §4, "Graded")

    >>> gold = Labelling.from_dict({"u1": {"A": 1}, "u2": {"A": 1, "B": 1}, "u3": {"B": 1}}, lemma="x")
    >>> system = Labelling.from_dict({"u1": {"s": 1}, "u2": {"s": 3, "t": 1}, "u3": {"t": 1}}, lemma="x")
    >>> Graded().fit(system, gold)(system)["u2"]
    {'A': 0.75, 'B': 0.25}
    """

    kind: ClassVar[str] = "mapping"

    def fit(self, system: Labelling, gold: Labelling) -> FittedMapping:
        """Learn from usages labelled by both."""
        table = SenseTable.from_labellings(system, gold, "product").best()
        return lambda labelling: table.apply(labelling).normalise("sum")


@dataclass(frozen=True)
class Distribution:
    """Each induced sense maps to a distribution over gold senses; a usage's distributions are summed and normalised.

    M is that of :class:`Graded`; the usage's induced weights do not matter. (Jurgens 2012, §4, "Distribution")

    >>> gold = Labelling.from_dict({"u1": {"A": 1}, "u2": {"A": 1, "B": 3}}, lemma="x")
    >>> system = Labelling.from_dict({"u1": {"s": 1}, "u2": {"s": 1}}, lemma="x")
    >>> Distribution().fit(system, gold)(system)["u1"]
    {'A': 0.4, 'B': 0.6}
    """

    kind: ClassVar[str] = "mapping"

    def fit(self, system: Labelling, gold: Labelling) -> FittedMapping:
        """Learn from usages labelled by both."""
        table = SenseTable.from_labellings(system, gold, "product")
        return lambda labelling: table.apply(labelling.with_weights(np.ones_like(labelling.weights))).normalise("sum")


@dataclass(frozen=True)
class WeightedDistribution:
    """The mapping of the SemEval-2013 Task 13 scorer: rows weighted by the usage's induced weights, not normalised.

    The weight of g is Σ w_T(i) · P(g | i) over the usage's induced senses i, and can exceed 1. The row is normalised
    first and then multiplied, in double precision, because rounding decides ties. (Jurgens & Klapaftis 2013, §3.1.1)

    >>> gold = Labelling.from_dict({"u1": {"A": 1}, "u2": {"A": 1, "B": 3}}, lemma="x")
    >>> system = Labelling.from_dict({"u1": {"s": 0.5}, "u2": {"s": 0.5}}, lemma="x")
    >>> WeightedDistribution().fit(system, gold)(system)["u1"]
    {'A': 0.2, 'B': 0.3}
    """

    kind: ClassVar[str] = "mapping"

    def fit(self, system: Labelling, gold: Labelling) -> FittedMapping:
        """Learn from usages labelled by both."""
        return SenseTable.from_labellings(system, gold, "product").apply


@dataclass(frozen=True)
class MostProbable:
    """The mapping of the SemEval-2010 Task 14 scorer: the heaviest gold sense of cluster vector × M.

    A usage with n gold senses counts 1/n for each of them; ties go to the first sense by name. (Agirre & Soroa 2007;
    Manandhar et al. 2010, §3.2)

    >>> gold = Labelling.from_dict({"u1": {"A": 1}, "u2": {"B": 1}, "u3": {"B": 1}}, lemma="x")
    >>> system = Labelling.from_dict({"u1": {"s": 1}, "u2": {"s": 1}, "u3": {"s": 1}}, lemma="x")
    >>> MostProbable().fit(system, gold)(system)["u1"]
    {'B': 0.6666666666666666}
    """

    kind: ClassVar[str] = "mapping"

    def fit(self, system: Labelling, gold: Labelling) -> FittedMapping:
        """Learn from usages labelled by both."""
        table = SenseTable.from_labellings(system, gold, "share").sorted()
        return lambda labelling: table.apply(labelling).top()


def get_mapping(specification: str) -> SenseMapping:
    """Return the mapping that a specification names.

    >>> get_mapping("graded")
    Graded()
    """
    parts = (Agirre, Graded, Distribution, WeightedDistribution, MostProbable)
    by_name = {part.__name__.lower(): part for part in parts}
    mapping: SenseMapping = by_name.get(specification.lower(), partial(build, specification, "mapping"))()
    return mapping


class SenseTable(NamedTuple):
    """P(gold | induced) as a sparse table: the cells of row ``i`` are ``starts[i]`` … ``starts[i] + sizes[i]``.

    Args:
        induced: The row of each induced sense.
        gold: The gold sense of each column.
        starts: The first cell of each row.
        sizes: The number of cells of each row.
        column: The column of each cell.
        probability: The probability of each cell.
    """

    induced: dict[tuple[str, str], int]
    gold: tuple[tuple[str, str], ...]
    starts: Ints
    sizes: Ints
    column: Ints
    probability: Floats

    @classmethod
    def from_labellings(
        cls, system: Labelling, gold: Labelling, count: Literal["count", "product", "share"]
    ) -> SenseTable:
        """Count the senses that label a usage together, in gold's order of usages, and normalise the rows."""
        width = max(len(gold.columns), 1)
        cells, sums, first = _count_cells(system, gold, count, width)
        row = cells // width
        sizes = count_at(row, len(system.columns))
        # Rows are summed in the order in which their cells first occur: the last digit decides ties later.
        order = np.argsort(first)
        totals = sum_at(row[order], sums[order], len(system.columns))
        if not np.isfinite(totals).all():  # too large for a float
            return cls.from_labellings(system.normalise("max"), gold.normalise("max"), count)
        probability = sums / np.where(totals == 0, 1.0, totals)[row]
        numbers = {name: number for number, name in enumerate(system.columns)}
        return cls(numbers, gold.columns, run_starts(sizes), sizes, cells % width, probability)

    def sorted(self) -> SenseTable:
        """Return the table with gold's columns in order of their names, so that ties go to the first by name."""
        names = sorted(self.gold)
        numbers = {name: number for number, name in enumerate(names)}
        column = np.array([numbers[name] for name in self.gold], np.intp)[self.column]
        row = np.repeat(np.arange(len(self.sizes)), self.sizes)
        order = np.lexsort((column, row))
        return self._replace(gold=tuple(names), column=column[order], probability=self.probability[order])

    def best(self) -> SenseTable:
        """Return the table with each row's most probable gold sense, at probability 1; of equals the first by name."""
        table = self.sorted()
        row = np.repeat(np.arange(len(table.sizes)), table.sizes)
        order = np.lexsort((table.column, -table.probability, row))
        rows = np.flatnonzero(table.sizes)
        first = order[table.starts[rows]]
        sizes = (table.sizes > 0).astype(np.intp)
        return table._replace(
            starts=run_starts(sizes), sizes=sizes, column=table.column[first], probability=np.ones(len(first))
        )

    def apply(self, labelling: Labelling, *, share: bool = False) -> Labelling:
        """Return Σ w · P(gold | induced) for each usage; unseen senses are ignored.

        Args:
            labelling: The labelling to map.
            share: Divide by the usage's number of senses.
        """
        row = np.array([self.induced.get(column, -1) for column in labelling.columns], np.intp)[labelling.indices]
        width = max(len(self.gold), 1)
        costs = sum_at(labelling.entry_rows, np.append(self.sizes, 0)[row], len(labelling)).astype(np.intp)
        parts = [self._apply_chunk(labelling, row, usages, width) for usages in chunk_by_cost(costs)]
        keys = np.concatenate([np.empty(0, np.intp), *(keys for keys, _ in parts)])
        sums = np.concatenate([np.empty(0), *(sums for _, sums in parts)])
        if not np.isfinite(sums).all():  # too large for a float
            return self.apply(labelling.normalise("max"), share=share)
        if share:
            sums = sums / labelling.sizes[keys // width]
        return Labelling.from_entries(labelling, self.gold, keys // width, keys % width, sums)

    def _apply_chunk(self, labelling: Labelling, row: Ints, usages: slice, width: int) -> tuple[Ints, Floats]:
        """Return the (usage · width + gold column) of some usages, and their weights."""
        entries = np.arange(labelling.indptr[usages.start], labelling.indptr[usages.stop])
        mapped = entries[row[entries] >= 0]
        sizes = self.sizes[row[mapped]]
        cells = expand_runs(self.starts[row[mapped]], sizes)
        usage = np.repeat(labelling.entry_rows[mapped], sizes)
        weight = np.repeat(labelling.weights[mapped], sizes) * self.probability[cells]
        keys, positions = np.unique(usage * width + self.column[cells], return_inverse=True)
        return keys, sum_at(positions, weight, len(keys))


def _count_cells(system: Labelling, gold: Labelling, count: str, width: int) -> tuple[Ints, Floats, Ints]:
    """Return the cells of M (row · width + column), their sums, and their first occurrences."""
    rows = system.row_numbers(gold.usages)
    gold_rows = np.flatnonzero(rows >= 0)
    system_rows = rows[gold_rows]
    cells, sums, first = [np.empty(0, np.intp)], [np.empty(0)], [np.empty(0, np.intp)]
    pairs = 0
    for chunk in chunk_by_cost(system.sizes[system_rows] * gold.sizes[gold_rows]):
        induced, column, weight = _pair_senses(system, gold, system_rows[chunk], gold_rows[chunk], count)
        keys, starts, positions = np.unique(induced * width + column, return_index=True, return_inverse=True)
        cells.append(keys)
        sums.append(sum_at(positions, weight, len(keys)))
        first.append(starts + pairs)
        pairs += len(weight)
    distinct, starts, positions = np.unique(np.concatenate(cells), return_index=True, return_inverse=True)
    return distinct, sum_at(positions, np.concatenate(sums), len(distinct)), np.concatenate(first)[starts]


def _pair_senses(
    system: Labelling, gold: Labelling, system_rows: Ints, gold_rows: Ints, count: str
) -> tuple[Ints, Ints, Floats]:
    """Return the (induced column, gold column, weight) of all pairs of senses that label the same usage."""
    induced_sizes, gold_sizes = system.sizes[system_rows], gold.sizes[gold_rows]
    induced = expand_runs(system.indptr[system_rows], induced_sizes)
    # every induced entry of a usage, in order, with each of its gold entries
    repeats = np.repeat(gold_sizes, induced_sizes)
    induced_entry = np.repeat(induced, repeats)
    gold_entry = expand_runs(np.repeat(gold.indptr[gold_rows], induced_sizes), repeats)
    with np.errstate(over="ignore"):
        weight = {
            "count": np.ones(len(induced_entry)),
            "product": system.weights[induced_entry] * gold.weights[gold_entry],
            "share": 1 / np.repeat(repeats, repeats).astype(np.float64),
        }
    return system.indices[induced_entry], gold.indices[gold_entry], weight[count]


class FoldedMapping(NamedTuple):
    """A labelling that is mapped fold by fold.

    Args:
        labelling: The labelling with gold senses.
        senses: The mean number of gold senses of a mapped usage (``#S``).
    """

    labelling: Labelling
    senses: float


def map_in_folds(mapping: SenseMapping, gold: Labelling, system: Labelling, folds: int = 5) -> FoldedMapping:
    """Map each fold of the gold usages with a mapping that is learnt from the other folds.

    Gold's usages, lemma after lemma, are dealt out in turn: usage number i belongs to fold i mod ``folds``, as in the
    SemEval-2013 scorer. A usage's senses are in the order in which they first appear in the gold key, which decides
    ties when only the heaviest counts. The mean number of senses also counts the system's usages outside gold, once
    per fold, and 0 for a usage that cannot be mapped.
    """
    order = np.argsort(gold.row_lemmas, kind="stable")
    fold_by_usage = {gold.usages[row]: number % folds for number, row in enumerate(order.tolist())}
    outside = [usage for usage in system.usages if usage not in fold_by_usage]
    labels, usages = 0, 0
    rows: dict[str, tuple[str, str, dict[str, float]]] = {}
    for fold in range(folds):
        held_out = [usage for usage, number in fold_by_usage.items() if number == fold]
        training = gold.restrict(usage for usage, number in fold_by_usage.items() if number != fold)
        test = system.restrict([*held_out, *outside])
        mapped = mapping.fit(system, training)(test)
        labels, usages = labels + len(mapped.weights), usages + len(test)
        rows |= {row[1]: row for row in mapped.rows() if row[1] in fold_by_usage}
    ranks = {column: rank for rank, column in enumerate(gold.columns)}
    labelling = Labelling(
        (lemma, usage, dict(sorted(senses.items(), key=lambda pair: ranks[lemma, pair[0]])))
        for lemma, usage, senses in (rows[usage] for usage in gold.usages if usage in rows)
    )
    return FoldedMapping(labelling, labels / usages if usages else 0.0)


def map_senses(mapping: SenseMapping, gold: Labelling, system: Labelling, folds: int = 5) -> Labelling:
    """Map the system's usages to gold's senses, with weights that sum to 1 in each usage of both, as in Jurgens 2012.

    Args:
        mapping: The mapping.
        gold: The gold labelling to learn from.
        system: The system's labelling.
        folds: The number of folds (see :func:`map_in_folds`). With one fold the mapping is learnt from all of gold,
            and all usages of the system are mapped.

    Raises:
        InputError: ``folds`` is less than 1.

    >>> gold = Labelling.from_dict({"u1": {"A": 1}, "u2": {"A": 1, "B": 3}}, lemma="x")
    >>> system = Labelling.from_dict({"u1": {"s": 5}, "u2": {"s": 1}}, lemma="x")
    >>> map_senses(Distribution(), gold, system, folds=1)["u1"]
    {'A': 0.625, 'B': 0.375}
    """
    if folds < 1:
        raise InputError(f"folds is {folds}; it must be 1 or more")
    gold, system = gold.normalise("sum"), system.normalise("sum")
    return mapping.fit(system, gold)(system) if folds == 1 else map_in_folds(mapping, gold, system, folds).labelling
