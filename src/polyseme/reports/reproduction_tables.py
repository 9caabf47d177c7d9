"""Tables of published figures beside computed ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

from polyseme.reports.tables import Table
from polyseme.tasks.coverage import FigureCount
from polyseme.tasks.published import ReproducedFigure

COVERAGE_COLUMNS = ("Task", "Source", "Printed", "Computed", "Note")


def verdict(figure: ReproducedFigure) -> str:
    """``same``, perhaps within chance, ``known`` with the reason, or ``DIFFERS``."""
    if figure.agrees:
        return f"same: within chance, ± {2 * figure.noise:.3f}" if figure.noise else "same"
    return f"known: {figure.known_difference}" if figure.known_difference else "DIFFERS"


def reproduction_records(figures: Sequence[ReproducedFigure]) -> list[dict[str, Any]]:
    """One object a figure, for programs."""
    return [figure.to_record() | {"verdict": verdict(figure)} for figure in figures]


def reproduction_table(task: str, figures: Sequence[ReproducedFigure], notes: Sequence[str] = ()) -> Table:
    """One row a figure; the first note counts the verdicts."""
    verdicts = [verdict(figure).partition(":")[0] for figure in figures]
    counts = ", ".join(f"{verdicts.count(name)} {name}" for name in ("same", "known", "DIFFERS"))
    rows = tuple(
        (
            figure.source,
            figure.system,
            figure.figure,
            figure.printed,
            figure.computed if isinstance(figure.computed, str) else f"{figure.computed:.10g}",
            f"{figure.difference:+.1e}",
            verdict(figure),
        )
        for figure in figures
    )
    headings = ("Source", "System", "Figure", "Printed", "Computed", "Difference", "Verdict")
    summary = f"{len(figures)} figures: {counts}"
    return Table(f"{task}: {summary}", headings, rows, notes=(summary, *notes))


def coverage_table(coverage: Sequence[FigureCount]) -> Table:
    """One row a source, below the sum of its task; unknown numbers are left out."""
    rows: list[tuple[str, str, int | None, int, str]] = []
    rules: list[int] = []
    for task, group in groupby(coverage, lambda row: row.task):
        rules += [len(rows)] if rows else []
        rows += _task_rows(task, list(group))
    printed, computed = sum(row.printed for row in coverage), sum(row.computed for row in coverage)
    total = f"{computed:,} of {printed:,} figures are computed"
    return Table("Published figures", COVERAGE_COLUMNS, tuple(rows), notes=(total,), rules=tuple(rules))


def _task_rows(task: str, coverage: Sequence[FigureCount]) -> Iterator[tuple[str, str, int | None, int, str]]:
    yield task, "all", sum(row.printed for row in coverage), sum(row.computed for row in coverage), ""
    for row in coverage:
        yield "", row.source, row.printed or None, row.computed, row.reason
