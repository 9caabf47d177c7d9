"""How many figures the papers print, how many of them we compute, and why the rest are not."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterator
from importlib.resources import files
from typing import Any, NamedTuple

from polyseme.tasks.reproduction import find_missing_data, read_printed_figures
from polyseme.tasks.worked_examples import EXAMPLES, compute_worked_examples


class FigureCount(NamedTuple):
    """One source of a paper: how many figures it prints and how many of them we compute.

    ``printed`` is 0 if nobody can say how many there are, because every copy at hand has lost them.
    """

    task: str
    source: str
    printed: int
    computed: int
    reason: str
    """Why the rest is not computed."""


def count_figures(task: str | None = None) -> list[FigureCount]:
    """Every source of the papers, or of one task's, with the number of figures that we compute of it.

    >>> [(row.source, row.printed, row.computed) for row in count_figures("senseval")]
    [('§1', 5, 5), ('§3', 5, 5), ('§4', 16, 16)]
    """
    computed: dict[str, Counter[str]] = {}
    rows = []
    for entry in _entries():
        name, source = entry["task"], entry["source"]
        if task in (None, name):
            counts = computed.setdefault(name, count_computed_figures(name))
            rows.append(FigureCount(name, source, entry["printed"], counts[source], entry["reason"]))
    return rows


def _entries() -> Iterator[dict[str, Any]]:
    folder = files("polyseme.tasks").joinpath("figures")
    tables = {path.name.removesuffix(".toml"): path for path in folder.iterdir() if path.name.endswith(".toml")}
    for name, path in sorted(tables.items()):
        if name.startswith("coverage"):
            yield from tomllib.loads(path.read_text(encoding="utf-8"))["cells"]


def count_computed_figures(task: str) -> Counter[str]:
    """How many figures of each source of a task we compute: worked examples, and rows that lack no data."""
    examples = [cell.source for cell in compute_worked_examples(task)] if task in EXAMPLES else []
    table = files("polyseme.tasks").joinpath("figures", f"{task}.tsv")
    printed = read_printed_figures(task) if table.is_file() else []
    return Counter([*examples, *(figure.source for figure in printed if not find_missing_data(task, figure))])
