"""The rows of a run, scored again from its files so that the scores of every unit are known; no model is run."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path

from polyseme.disambiguation.model import keep_strongest
from polyseme.errors import InputError, InputWarning, count_noun
from polyseme.experiments.plan import BASELINE, DISAMBIGUATORS
from polyseme.experiments.records import RunRecord
from polyseme.experiments.results import RunResults
from polyseme.experiments.run import make_setting
from polyseme.experiments.scored_rows import ScoredRow, ScoredRows, describe_size
from polyseme.experiments.setting import KEYS_FOLDER, Setting, Show
from polyseme.formats import read_labelling
from polyseme.labelling import Labelling
from polyseme.reports.experiment_tables import SPREAD
from polyseme.tasks.result import RunRow, TaskResult
from polyseme.tasks.task import Load, NothingMappedError

TOLERANCE = 1e-6
"""The largest difference of figures that count as the same."""


def rescore_run(record: RunRecord, load: Load, show: Show = lambda _: None) -> ScoredRows:
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
    plan, gold = record.results.plan, setting.evaluation_set.gold
    return ScoredRows(
        plan.title,
        plan.protocol,
        gold,
        {usage.id: usage for usage in setting.evaluation_set.usages},
        tuple(rows),
        plan.measures,
        setting.inventory,
        setting.maps_senses,
        {(row.name, row.mapping): row.figures for row in record.results.rows if row.kind == SPREAD},
        tuple(_note_missing_lemmas(record.results)),
        tuple(_describe_run(record, gold)),
    )


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


# -- words ---------------------------------------------------------------------------------------------------------


def _note_missing_lemmas(results: RunResults) -> Iterator[str]:
    """Yield notes about models without senses, of all lemmas or of some."""
    yield from (f"{model} found no senses at all." for model in results.empty)
    for model, missed in results.missed.items():
        if missed and model not in results.empty:
            lemmas = ", ".join(list(missed)[:5]) + (" …" if len(missed) > 5 else "")
            yield f"{model} has no senses of {count_noun(len(missed), 'lemma')}: {lemmas}"


def _describe_run(record: RunRecord, gold: Labelling) -> Iterator[tuple[str, str]]:
    plan = record.results.plan
    by_name = ", with senses by name" if plan.family is DISAMBIGUATORS else ""
    about = [
        ("Task", f"{plan.task}{by_name}"),
        ("Data", plan.data or f"{plan.usages.rpartition('/')[2]}, {plan.gold.rpartition('/')[2]}"),
        ("Size", describe_size(gold)),
        ("Corpus", ", ".join(source.rpartition("/")[2] or source for source in plan.sources)),
        ("Analyser", plan.analyser if plan.sources else ""),
        ("Seeds", str(plan.seeds) if plan.seeds > 1 else ""),
        ("Run by", f"polyseme {record.version}"),
    ]
    return ((heading, words) for heading, words in about if words)
