"""The comparison of two systems: intervals and tests over lemmas."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, overload

import numpy as np

from polyseme.errors import InputError
from polyseme.tabular import frame_of_records
from polyseme.tasks.columns import ScoreColumn
from polyseme.tasks.resampling import AdditiveFigure, bootstrap, percentile_interval, randomisation_test
from polyseme.tasks.result import TaskResult

if TYPE_CHECKING:
    import pandas as pd


class Comparison(NamedTuple):
    """One figure of two systems.

    Args:
        figure: The name of the figure.
        first: The figure of the first system.
        first_interval: The bootstrap interval of that figure.
        second: The figure of the second system.
        second_interval: The bootstrap interval of that figure.
        difference: The second less the first.
        interval: The bootstrap interval of the difference.
        p: The probability of a difference at least as large if the systems do not differ.
    """

    figure: str
    first: float
    first_interval: tuple[float, float]
    second: float
    second_interval: tuple[float, float]
    difference: float
    interval: tuple[float, float]
    p: float


@dataclass(frozen=True)
class SystemComparison(Sequence[Comparison]):
    """Two systems, compared figure by figure.

    Args:
        first: The name of the first system.
        second: The name of the second system, which may be better.
        rows: The figures.
        confidence: The confidence of the intervals.
    """

    first: str
    second: str
    rows: tuple[Comparison, ...]
    confidence: float = 0.95

    def __len__(self) -> int:
        return len(self.rows)

    @overload
    def __getitem__(self, number: int) -> Comparison: ...
    @overload
    def __getitem__(self, number: slice) -> Sequence[Comparison]: ...
    def __getitem__(self, number: int | slice) -> Comparison | Sequence[Comparison]:
        return self.rows[number]

    def __repr__(self) -> str:
        figures = ", ".join(f"{row.figure} {row.difference:+.3f} (p {row.p:.4f})" for row in self.rows)
        return f"<SystemComparison of {self.second} with {self.first}: {figures}>"

    def _repr_html_(self) -> str:
        from polyseme.display.scores import render_comparison

        return render_comparison(self)

    def to_dict(self) -> dict[str, dict[str, Any]]:
        """Return the figures by name, as `polyseme compare --json` prints them."""
        return {row.figure: {name: value for name, value in row._asdict().items() if name != "figure"} for row in self}

    def to_frame(self) -> pd.DataFrame:
        """Return the figures as a data frame of pandas, with the ends of intervals as columns of their own."""
        records = [_flatten_intervals(row) for row in self.rows]
        return frame_of_records(records, list(dict.fromkeys(name for record in records for name in record)))


def _flatten_intervals(row: Comparison) -> dict[str, Any]:
    """Return a row with a column for each end of an interval."""
    cells: dict[str, Any] = {}
    for name, value in row._asdict().items():
        cells |= {f"{name}_low": value[0], f"{name}_high": value[1]} if isinstance(value, tuple) else {name: value}
    return cells


def compare_results(
    first: TaskResult,
    second: TaskResult,
    *,
    averages: Sequence[ScoreColumn] = (),
    samples: int = 10_000,
    seed: int = 0,
    confidence: float = 0.95,
) -> list[Comparison]:
    """Compare every figure of two systems that are scored on the same gold key.

    Args:
        first: The result of the first system.
        second: The result of the second system.
        averages: Geometric means of figures to compare besides, such as AVG.
        samples: The number of resamples of the bootstrap, and of swaps of the paired randomisation test.
        seed: The random seed.
        confidence: The confidence of the intervals.
    """
    # The first figure has all of gold's lemmas; the number of clusters may have others, from outside the gold key.
    lemmas = tuple(dict.fromkeys(next(iter(first.scores.values())).lemmas))
    if len(lemmas) < 2:
        raise InputError(f"only {len(lemmas)} lemma: intervals over lemmas need at least two; name keys of more")
    totals = [_compute_totals(result, frozenset(lemmas)) for result in (first, second)]
    columns = [*(ScoreColumn(name, name) for name in totals[0]), *averages]
    cells = [[column.cell(values) for column in columns] for values in totals]
    figures = [[_get_figure(result, column.figure, lemmas) for column in columns] for result in (first, second)]
    resamples = bootstrap([*figures[0], *figures[1]], len(lemmas), samples=samples, seed=seed)
    p_values = randomisation_test(list(zip(*figures, strict=True)), len(lemmas), samples=samples, seed=seed)
    return [
        Comparison(
            column.heading,
            value,
            percentile_interval(values, confidence),
            other,
            percentile_interval(others, confidence),
            other - value,
            percentile_interval(others - values, confidence),
            p,
        )
        for column, value, other, values, others, p in zip(
            columns, *cells, resamples[: len(columns)], resamples[len(columns) :], p_values, strict=True
        )
        if value is not None and other is not None
    ]


def _get_figure(result: TaskResult, name: str, lemmas: tuple[str, ...]) -> AdditiveFigure:
    figure = AdditiveFigure.from_results([result], name, lemmas)
    if figure is None:
        raise InputError(f"{name} is not a sum over lemmas or usages, and cannot be compared")
    return figure


def _compute_totals(result: TaskResult, lemmas: frozenset[str]) -> dict[str, float]:
    """Return all figures over the units of some lemmas."""
    parts = {
        name: scores.select(np.array([lemma in lemmas for lemma in scores.lemmas], np.bool_))
        for name, scores in result.scores.items()
    }
    return {
        name if figure == "score" else f"{name}.{figure}": value
        for name, scores in parts.items()
        for figure, value in scores.total().items()
    }
