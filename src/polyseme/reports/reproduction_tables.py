"""Published figures beside ours, as a table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

from polyseme.reports.tables import Table
from polyseme.tasks.coverage import FigureCount
from polyseme.tasks.published import ReproducedFigure


def verdict(cell: ReproducedFigure) -> str:
    """``same``, perhaps within chance, ``known`` with the reason, or ``DIFFERS``."""
    if cell.agrees:
        return f"same: within chance, ± {2 * cell.noise:.3f}" if cell.noise else "same"
    return f"known: {cell.known_difference}" if cell.known_difference else "DIFFERS"


def reproduction_records(cells: Sequence[ReproducedFigure]) -> list[dict[str, Any]]:
    """One object a cell, for programs."""
    return [cell.to_record() | {"verdict": verdict(cell)} for cell in cells]


def reproduction_table(task: str, cells: Sequence[ReproducedFigure], notes: Sequence[str] = ()) -> Table:
    """One row a cell, and below a count, and what else there is to say."""
    verdicts = [verdict(cell).partition(":")[0] for cell in cells]
    counts = ", ".join(f"{verdicts.count(name)} {name}" for name in ("same", "known", "DIFFERS"))
    rows = tuple(
        (
            cell.source,
            cell.system,
            cell.figure,
            cell.printed,
            cell.computed if isinstance(cell.computed, str) else f"{cell.computed:.10g}",
            f"{cell.difference:+.1e}",
            verdict(cell),
        )
        for cell in cells
    )
    headings = ("Source", "System", "Figure", "Printed", "Ours", "Difference", "Verdict")
    said = f"{len(cells)} cells: {counts}"
    return Table(f"{task}: {said}", headings, rows, notes=(said, *notes))


def coverage_table(coverage: Sequence[FigureCount]) -> Table:
    """One row a source, each task's sum above its sources; a number that nobody knows is left out."""
    rows: list[tuple[str, str, int | None, int, str]] = []
    rules: list[int] = []
    for task, group in groupby(coverage, lambda row: row.task):
        rules += [len(rows)] if rows else []
        rows += _task_rows(task, list(group))
    printed, computed = sum(row.printed for row in coverage), sum(row.computed for row in coverage)
    total = f"{computed:,} of {printed:,} figures are computed"
    return Table("Published figures", COVERAGE_COLUMNS, tuple(rows), notes=(total,), rules=tuple(rules))


COVERAGE_COLUMNS = ("Task", "Source", "Printed", "Computed", "Note")


def _task_rows(task: str, coverage: Sequence[FigureCount]) -> Iterator[tuple[str, str, int | None, int, str]]:
    yield task, "all", sum(row.printed for row in coverage), sum(row.computed for row in coverage), ""
    for row in coverage:
        yield "", row.source, row.printed or None, row.computed, row.reason
