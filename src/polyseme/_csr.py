"""What a labelling is made of, and how it is put together from flat columns."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import compress
from typing import NamedTuple

import numpy as np

from polyseme.arrays import Floats, Ints, count_at, sum_at
from polyseme.errors import quote_value


class LabellingFields(NamedTuple):
    """The fields of a labelling: names, and a matrix in compressed sparse rows."""

    usages: tuple[str, ...]
    lemmas: tuple[str, ...]
    columns: tuple[tuple[str, str], ...]
    row_lemmas: Ints
    indptr: Ints
    indices: Ints
    weights: Floats
    ordered: bool = False


def assemble(
    usages: Sequence[str],
    lemmas: Sequence[str],
    sizes: Sequence[int] | Ints,
    senses: Sequence[str],
    weights: Sequence[float] | Floats,
) -> LabellingFields:
    """Put together the lemma and the number of senses of each usage, and the senses and weights of all of them.

    A sense given twice to one usage has its weights added; a usage with no sense is left out.
    """
    counts, values = np.array(sizes, np.intp), np.array(weights, np.float64)
    if not len(usages) == len(lemmas) == len(counts) or not counts.sum() == len(senses) == len(values):
        raise ValueError(
            f"{len(usages)} usages, {len(lemmas)} lemmas and {len(counts)} sizes;"
            f" {counts.sum()} senses by the sizes, {len(senses)} senses and {len(values)} weights: they must match"
        )
    if not counts.all():
        kept = counts > 0
        usages, lemmas, counts = list(compress(usages, kept)), list(compress(lemmas, kept)), counts[kept]
    lemma_names, row_lemmas = encode_names(lemmas)
    sense_names, codes = encode_names(senses)
    rows, width = np.repeat(np.arange(len(counts)), counts), len(sense_names)
    pairs, indices = number_by_first_appearance(row_lemmas[rows] * width + codes)
    columns = tuple([(lemma_names[pair // width], sense_names[pair % width]) for pair in pairs.tolist()])
    if len(rows) > len(counts):
        counts, indices, values = sum_duplicate_entries(rows, indices, values, len(columns))
    return LabellingFields(tuple(usages), lemma_names, columns, row_lemmas, row_bounds(counts), indices, values)


def encode_names(names: Sequence[str]) -> tuple[tuple[str, ...], Ints]:
    """The distinct names in order of first appearance, and where each name stands among them."""
    numbers = {name: number for number, name in enumerate(dict.fromkeys(names))}
    return tuple(numbers), np.fromiter(map(numbers.__getitem__, names), np.intp, len(names))


def number_by_first_appearance(codes: Ints) -> tuple[Ints, Ints]:
    """The distinct codes in order of first appearance, and where each code stands among them."""
    distinct, first, places = np.unique(codes, return_index=True, return_inverse=True)
    order = np.argsort(first)
    ranks = np.empty(len(order), np.intp)
    ranks[order] = np.arange(len(order))
    return distinct[order], ranks[places]


def row_bounds(sizes: Ints) -> Ints:
    """Where each row begins, and where the last one ends."""
    return np.concatenate((np.zeros(1, np.intp), np.cumsum(sizes, dtype=np.intp)))


def sum_duplicate_entries(rows: Ints, columns: Ints, weights: Floats, width: int) -> tuple[Ints, Ints, Floats]:
    """Row sizes, columns and weights, with the entries that share row and column made one, their weights added."""
    cells = rows * width + columns
    if (np.diff(np.sort(cells)) == 0).any():
        distinct, places = number_by_first_appearance(cells)
        rows, columns = np.divmod(distinct, width)
        weights = sum_at(places, weights, len(distinct))
    return count_at(rows, 0), columns, weights


def rename_row_senses(
    usage: str,
    senses: Mapping[str, float],
    name: Callable[[str], str],
    merge: Callable[[float, float], float] | None,
) -> dict[str, float]:
    """One usage's senses under other names; ``merge`` joins the weights of those that become one."""
    made: dict[str, float] = {}
    for sense, weight in senses.items():
        new = name(sense)
        if new in made and merge is None:
            raise ValueError(
                f"usage {quote_value(usage)}: two senses become {quote_value(new)}; say how to merge them, e.g. merge=max"
            )
        made[new] = merge(made[new], weight) if merge and new in made else weight
    return made


def order_by_weight(weights: Floats, rows: Ints) -> Ints:
    """The entries row by row, the heaviest first; equal ones as they are listed."""
    order: Ints = np.lexsort((-weights, rows))
    return order


def number_rows(fields: LabellingFields) -> dict[str, int]:
    """The row of each usage; an error if a usage is given twice, or a weight is negative or not finite."""
    usages, weights = fields.usages, fields.weights
    if weights.size and not (np.isfinite(weights).all() and weights.min() >= 0):
        entry = np.argmin(np.isfinite(weights) & (weights >= 0))
        row = int(np.searchsorted(fields.indptr, entry, "right")) - 1
        raise ValueError(f"usage {quote_value(usages[row])} has a weight that is negative or not finite")
    rows = dict(zip(usages, range(len(usages)), strict=True))
    if len(rows) != len(usages):
        twice = next(usage for row, usage in enumerate(usages) if rows[usage] != row)
        raise ValueError(f"usage {quote_value(twice)} is given twice")
    return rows
