"""The fields of a labelling as a matrix in compressed sparse rows, and how flat columns become one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import compress
from typing import NamedTuple

import numpy as np

from polyseme.arrays import Floats, Ints, count_at, number_by_first_appearance, sum_at
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
    """Build the fields from flat columns.

    The weights of a sense that a usage has twice are added; a usage without a sense is left out.

    Args:
        usages: The names of the usages.
        lemmas: The lemma of each usage.
        sizes: How many senses each usage has.
        senses: The senses of all usages, one usage after the other.
        weights: The weight of each of these senses.

    Raises:
        ValueError: The columns do not match in length.
    """
    counts, values = np.array(sizes, np.intp), np.array(weights, np.float64)
    if not len(usages) == len(lemmas) == len(counts) or not counts.sum() == len(senses) == len(values):
        raise ValueError(
            f"{len(usages)} usages, {len(lemmas)} lemmas and {len(counts)} sizes;"
            f" {counts.sum()} senses by the sizes, {len(senses)} senses and {len(values)} weights: they must match"
        )
    if not counts.all():
        labelled = counts > 0
        usages, lemmas, counts = list(compress(usages, labelled)), list(compress(lemmas, labelled)), counts[labelled]
    lemma_names, row_lemmas = _encode_names(lemmas)
    sense_names, codes = _encode_names(senses)
    rows, width = np.repeat(np.arange(len(counts)), counts), len(sense_names)
    pairs, indices = number_by_first_appearance(row_lemmas[rows] * width + codes)
    columns = tuple([(lemma_names[pair // width], sense_names[pair % width]) for pair in pairs.tolist()])
    if len(rows) > len(counts):
        counts, indices, values = _sum_duplicate_entries(rows, indices, values, len(columns))
    return LabellingFields(tuple(usages), lemma_names, columns, row_lemmas, row_bounds(counts), indices, values)


def _encode_names(names: Sequence[str]) -> tuple[tuple[str, ...], Ints]:
    """The distinct names in order of first appearance, and the position of each name among them."""
    numbers = {name: number for number, name in enumerate(dict.fromkeys(names))}
    return tuple(numbers), np.fromiter(map(numbers.__getitem__, names), np.intp, len(names))


def row_bounds(sizes: Ints) -> Ints:
    """Where each row begins, and where the last one ends."""
    return np.concatenate((np.zeros(1, np.intp), np.cumsum(sizes, dtype=np.intp)))


def _sum_duplicate_entries(rows: Ints, columns: Ints, weights: Floats, width: int) -> tuple[Ints, Ints, Floats]:
    """Row sizes, columns and weights, where the weights of entries with the same row and column are added."""
    cells = rows * width + columns
    if (np.diff(np.sort(cells)) == 0).any():
        distinct, positions = number_by_first_appearance(cells)
        rows, columns = np.divmod(distinct, width)
        weights = sum_at(positions, weights, len(distinct))
    return count_at(rows, 0), columns, weights


def rename_row_senses(
    usage: str,
    senses: Mapping[str, float],
    name: Callable[[str], str],
    merge: Callable[[float, float], float] | None,
) -> dict[str, float]:
    """Rename the senses of one usage.

    Args:
        usage: The name of the usage, for the error message.
        senses: The weight of each sense.
        name: Returns the new name of a sense.
        merge: Combines the weights of two senses that get the same name.

    Raises:
        ValueError: Two senses get the same name, and ``merge`` is missing.
    """
    renamed: dict[str, float] = {}
    for sense, weight in senses.items():
        new = name(sense)
        if new in renamed and merge is None:
            problem = f"usage {quote_value(usage)}: two senses become {quote_value(new)}"
            raise ValueError(f"{problem}; say how to merge them, e.g. merge=max")
        renamed[new] = merge(renamed[new], weight) if merge and new in renamed else weight
    return renamed


def order_by_weight(weights: Floats, rows: Ints) -> Ints:
    """Order the entries row by row, the heaviest first; equal ones stay in their order."""
    order: Ints = np.lexsort((-weights, rows))
    return order


def number_rows(fields: LabellingFields) -> dict[str, int]:
    """Number the usages by row.

    Raises:
        ValueError: A usage occurs twice, or a weight is negative or not finite.
    """
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
