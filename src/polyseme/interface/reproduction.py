"""Published figures, computed again."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from polyseme.datasets import load
from polyseme.errors import InputError, quote_value
from polyseme.progress import show_progress_bar, track
from polyseme.tabular import frame_of_records
from polyseme.tasks.registry import get_task

if TYPE_CHECKING:
    import pandas as pd

    from polyseme.tasks.published import ReproducedFigure


@dataclass(frozen=True)
class Reproduction(Sequence["ReproducedFigure"]):
    """Published figures of a task, with those that polyseme computes.

    Args:
        task: The name of the task.
        figures: The figures.
        notes: Notes about data and models.
    """

    task: str
    figures: tuple[ReproducedFigure, ...]
    notes: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.figures)

    def __getitem__(self, number: Any) -> Any:
        return self.figures[number]

    def __repr__(self) -> str:
        agree = sum(figure.agrees for figure in self.figures)
        explained = sum(bool(figure.known_difference) for figure in self.figures if not figure.agrees)
        return f"<Reproduction of {self.task}: {agree} of {len(self)} figures agree, {explained} differ as is known>"

    def _repr_html_(self) -> str:
        from polyseme.display.scores import render_reproduction

        return render_reproduction(self.task, self.figures, self.notes)

    @property
    def holds(self) -> bool:
        """Whether every figure agrees, or differs for a reason in the list of known differences."""
        return all(figure.agrees or figure.known_difference for figure in self.figures)

    def to_dict(self) -> dict[str, Any]:
        """Return the task, the figures and the notes as plain values."""
        return {"task": self.task, "figures": self.to_records(), "notes": list(self.notes)}

    def to_records(self) -> list[dict[str, Any]]:
        """Return a row for each figure: where it is printed, the printed figure, ours, the difference, the verdict."""
        from polyseme.reports.reproduction_tables import reproduction_records

        return reproduction_records(self.figures)

    def to_frame(self) -> pd.DataFrame:
        """Return the rows of :meth:`to_records` as a data frame of pandas."""
        records = self.to_records()
        return frame_of_records(records, list(dict.fromkeys(name for record in records for name in record)))


def reproduce(
    task: str,
    table: str | None = None,
    *,
    data: str | os.PathLike[str] | None = None,
    plan: str | os.PathLike[str] | None = None,
    folder: str | os.PathLike[str] = "results",
    progress: bool | None = None,
) -> Reproduction:
    """Compute published figures of a task again.

    Args:
        task: The name of the task.
        table: Only this table, as ``3``, or another source, as ``Figure 1`` or ``§5.3``.
        data: A folder of data sets, which is searched first.
        plan: For Table 2 of jurgens-2012: models and corpus. Default: the shipped plan.
        folder: For Table 2 of jurgens-2012: the cache of results.
        progress: Whether a progress bar is shown. Default: on a terminal and in a notebook.

    >>> reproduce("senseval", "§3").holds
    True
    """
    from polyseme.experiments.plan import read_plan
    from polyseme.experiments.reproduction import needs_models, reproduce_models
    from polyseme.experiments.results import warn_of_missing_lemmas
    from polyseme.formats.output_checks import check_output_folder
    from polyseme.tasks.reproduction import count_reproduced, list_reproducible_tasks
    from polyseme.tasks.reproduction import reproduce as reproduce_figures

    if task not in (names := list_reproducible_tasks()):
        raise InputError(f"task is {quote_value(task)}; tasks with published figures are {', '.join(names)}")
    loaded = cache(partial(load, data=data))  # each data set is read once
    protocol = get_task(task)()
    if with_models := needs_models(protocol, table):
        check_output_folder(folder)
    figures: list[ReproducedFigure] = []
    notes: list[str] = []
    if not (with_models and table):
        work = reproduce_figures(protocol, loaded, table)
        figures = list(track(work, count_reproduced(protocol, table), f"Computing {task}", progress))
        notes = [] if table else protocol.describe_data(loaded)
    if with_models:
        with show_progress_bar(progress=progress) as show:
            models = reproduce_models(protocol, loaded, Path(folder), read_plan(Path(plan)) if plan else None, show)
        warn_of_missing_lemmas(models[2])
        figures, notes = figures + models[0], notes + models[1]
    return Reproduction(task, tuple(figures), tuple(notes))
