"""The two labellings of a lemma as covers: overlapping sets of usages with degrees of membership."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from polyseme.arrays import Bools, Floats, Ints, expand_runs, positions_by_value
from polyseme.labelling import Labelling
from polyseme.measures.protocol import MeasureProperties


def declare_cover_measure(citation: str, *, self_is_best: bool = True) -> MeasureProperties:
    """Return the properties that all measures of covers share."""
    return MeasureProperties(
        citation, symmetric=True, missing="absent", same_inventory=False, self_is_best=self_is_best
    )


@dataclass(frozen=True)
class Cover:
    """The memberships of one lemma's usages in its senses, entry by entry, sorted by usage.

    Args:
        usage: The number of the usage of each entry.
        sense: The number of its sense.
        weight: The degree of membership.
        senses: How many senses there are.
    """

    usage: Ints
    sense: Ints
    weight: Floats
    senses: int

    def select(self, entries: Bools) -> Cover:
        """Return the cover with some of its entries."""
        return Cover(self.usage[entries], self.sense[entries], self.weight[entries], self.senses)

    def crisp(self) -> Cover:
        """Return the cover without degrees: the memberships above 0, all with weight 1."""
        members = self.select(self.weight > 0)
        return Cover(members.usage, members.sense, np.ones_like(members.weight), members.senses)


@dataclass(frozen=True)
class CoverPair:
    """The covers of one lemma; its usages are numbered 0 … usages − 1, those of the gold key first.

    Args:
        lemma: The lemma.
        gold_usages: How many usages of the gold key there are.
        usages: How many usages there are.
        gold: The gold cover.
        system: The system's cover.
    """

    lemma: str
    gold_usages: int
    usages: int
    gold: Cover
    system: Cover


def cover_pairs(gold: Labelling, system: Labelling, *, keep_outside: bool) -> Iterator[CoverPair]:
    """Yield the covers of each of gold's lemmas.

    Args:
        gold: The gold labelling.
        system: The system's labelling.
        keep_outside: Keep the system's usages that are not in the gold key.
    """
    system_lemmas = {lemma: number for number, lemma in enumerate(system.lemmas)}
    gold_rows, system_rows = (
        positions_by_value(labelling.row_lemmas, len(labelling.lemmas)) for labelling in (gold, system)
    )
    for lemma, rows in zip(gold.lemmas, gold_rows, strict=True):
        numbers = {gold.usages[row]: number for number, row in enumerate(rows.tolist())}
        of_system = system_rows[system_lemmas[lemma]].tolist() if lemma in system_lemmas else []
        selected = [row for row in of_system if keep_outside or system.usages[row] in numbers]
        system_numbers = [numbers.setdefault(system.usages[row], len(numbers)) for row in selected]
        yield CoverPair(
            lemma,
            len(rows),
            len(numbers),
            _make_cover(gold, rows, np.arange(len(rows))),
            _make_cover(system, np.array(selected, np.intp), np.array(system_numbers, np.intp)),
        )


def _make_cover(labelling: Labelling, rows: Ints, numbers: Ints) -> Cover:
    order = np.argsort(numbers, kind="stable")
    rows, numbers = rows[order], numbers[order]
    sizes = labelling.sizes[rows]
    entries = expand_runs(labelling.indptr[rows], sizes)
    columns, sense = np.unique(labelling.indices[entries], return_inverse=True)
    return Cover(np.repeat(numbers, sizes), sense.astype(np.intp), labelling.weights[entries], len(columns))
