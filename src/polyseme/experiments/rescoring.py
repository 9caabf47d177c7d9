"""The rows of a run, scored again from its files so that the scores of every unit are known; no model is run."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from polyseme.disambiguation.model import keep_strongest
from polyseme.errors import InputError, InputWarning
from polyseme.experiments.plan import BASELINE, DISAMBIGUATORS
from polyseme.experiments.records import RunRecord
from polyseme.experiments.run import make_setting
from polyseme.experiments.setting import KEYS_FOLDER, Setting, Show
from polyseme.formats import read_labelling
from polyseme.inventory import Inventory
from polyseme.labelling import Labelling
from polyseme.reports.experiment_tables import SPREAD
from polyseme.tasks.result import RunRow, TaskResult
from polyseme.tasks.task import LabellingTask, Load, NothingMappedError
from polyseme.usage import Usage

TOLERANCE = 1e-6
"""The largest difference of figures that count as the same."""


@dataclass(frozen=True)
class ScoredRow:
    """A row with its labellings and their results, one a seed; none, where only its figures are known.

    Args:
        row: The row.
        task: The task that scores it.
        labellings: The labellings.
        results: Their results.
    """

    row: RunRow
    task: LabellingTask
    labellings: tuple[Labelling, ...] = ()
    results: tuple[TaskResult, ...] = ()


@dataclass(frozen=True)
class RescoredRun:
    """All rows of a run with their results.

    Args:
        record: The record of the run.
        gold: The gold labelling.
        usages: The usages by identifier.
        rows: The rows.
        inventory: The senses of gold, where they are described.
        maps_senses: Whether labels are mapped to the senses of gold.
    """

    record: RunRecord
    gold: Labelling
    usages: Mapping[str, Usage]
    rows: tuple[ScoredRow, ...]
    inventory: Inventory | None
    maps_senses: bool

    def map_to_gold(self, scored: ScoredRow) -> Labelling:
        """Return the labelling of a row, its first seed, with the senses of gold."""
        return scored.task.map_to_gold(self.gold, scored.labellings[0])


def rescore_run(record: RunRecord, load: Load, show: Show = lambda _: None) -> RescoredRun:
    """Score all labellings of a run again.

    Args:
        record: The record of the run.
        load: Gives a data set by its name.
        show: Receives the current step.

    Raises:
        polyseme.errors.InputError: If a file of the run is missing, or figures differ from those of the run.
    """
    setting = make_setting(record.results.plan, load)
    rows = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InputWarning)  # usages outside gold were reported by the run
        for row in record.results.rows:
            if row.kind != SPREAD:
                show(f"scoring {row.name}")
                rows.append(_rescore_row(record, setting, row))
    usages = {usage.id: usage for usage in setting.evaluation_set.usages}
    gold = setting.evaluation_set.gold
    return RescoredRun(record, gold, usages, tuple(rows), setting.inventory, setting.maps_senses)


def _rescore_row(record: RunRecord, setting: Setting, row: RunRow) -> ScoredRow:
    """Score a row again; those of annotators, and of models that labelled nothing, have no results."""
    evaluation_set = setting.evaluation_sets.get(row.mapping, setting.evaluation_set)
    is_task_baseline = row.kind == BASELINE and not row.keys
    task = (evaluation_set.baseline_task or evaluation_set.task) if is_task_baseline else evaluation_set.task
    score = evaluation_set.score_baseline if is_task_baseline else evaluation_set.score
    labellings = _get_labellings(record, setting, row) if row.kind != "annotator" and row.figures else []
    usable = tuple(labelling for labelling in labellings if any(usage in evaluation_set.gold for usage in labelling))
    try:
        results = tuple(map(score, usable))
    except NothingMappedError:
        return ScoredRow(row, task)
    if record.results.plan.family is not DISAMBIGUATORS:  # their figures cannot all be computed from one key
        _check_same(record, row, results)
    return ScoredRow(row, task, usable, results)


def _get_labellings(record: RunRecord, setting: Setting, row: RunRow) -> list[Labelling]:
    if row.kind == "system":
        return [setting.read_system(row.name)]
    if row.kind == BASELINE and not row.keys:
        return [run() for run in setting.evaluation_set.baselines[row.name]]
    labellings = [_read_key(record, record.folder / KEYS_FOLDER / key) for key in row.keys]
    return [keep_strongest(labelling, row.keep) for labelling in labellings] if row.keep else labellings


def _check_same(record: RunRecord, row: RunRow, results: Sequence[TaskResult]) -> None:
    """Check that figures are those of the run; otherwise a page would mix both."""
    by_seed = [result.figures() for result in results]
    for name, value in row.figures.items():
        values = [figures[name] for figures in by_seed if name in figures]
        mean = sum(values) / len(values) if values else value
        if len(values) == len(row.keys or by_seed) and abs(mean - value) > TOLERANCE:
            problem = f"{name} of {row.name} was {value:.4f} in the run, and is {mean:.4f} now"
            raise InputError(f"{problem}: gold or a measure has changed since. Type: {record.rerun_command}")


def _read_key(record: RunRecord, path: Path) -> Labelling:
    if not path.is_file():
        raise InputError(f"the file of what a model labelled is gone. Type: {record.rerun_command}", path=path)
    return read_labelling(path)
