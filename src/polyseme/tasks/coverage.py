"""How many figures the papers print, how many of them polyseme computes, and why it does not compute the rest."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

from polyseme.tasks.published import FIGURES_FOLDER, read_printed_figures
from polyseme.tasks.registry import get_task
from polyseme.tasks.reproduction import find_missing_data


class FigureCount(NamedTuple):
    """The figures of one source of a paper.

    Args:
        task: The name of the task.
        source: The table or section.
        printed: How many figures it prints; 0 if every copy at hand has lost them.
        computed: How many of them polyseme computes.
        reason: Why it does not compute the rest.
    """

    task: str
    source: str
    printed: int
    computed: int
    reason: str


def count_figures(task: str | None = None) -> list[FigureCount]:
    """Count the figures of every source, or of the sources of one task.

    >>> [(row.source, row.printed, row.computed) for row in count_figures("senseval")]
    [('§1', 5, 5), ('§3', 5, 5), ('§4', 16, 16)]
    """
    computed: dict[str, Counter[str]] = {}
    rows = []
    for entry in _read_sources():
        name, source = entry["task"], entry["source"]
        if task in (None, name):
            if name not in computed:
                computed[name] = count_computed_figures(name)
            rows.append(FigureCount(name, source, entry["printed"], computed[name][source], entry["reason"]))
    return rows


def _read_sources() -> Iterator[dict[str, Any]]:
    """Yield the sources with their numbers of printed figures."""
    for path in sorted(FIGURES_FOLDER.iterdir(), key=lambda path: path.name.removesuffix(".toml")):
        if path.name.startswith("coverage"):
            yield from tomllib.loads(path.read_text(encoding="utf-8"))["cells"]


def count_computed_figures(name: str) -> Counter[str]:
    """Count, for each source of a task, worked examples and printed figures that lack no data."""
    task = get_task(name)()
    examples = [figure.source for figure in task.compute_worked_examples()]
    printed = [figure.source for figure in read_printed_figures(name) if not find_missing_data(task, figure)]
    return Counter([*examples, *printed])
