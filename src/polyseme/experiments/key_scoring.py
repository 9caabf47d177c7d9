"""Keys of systems, scored for a page of results, with published systems and baselines beside them."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version

from polyseme.errors import InputWarning, add_file_name
from polyseme.experiments.results import count_labels
from polyseme.experiments.scored_rows import ScoredRow, ScoredRows, describe_size
from polyseme.inventory import Inventory
from polyseme.labelling import Labelling
from polyseme.reports.results import BASELINE, MODEL, SYSTEM
from polyseme.tasks.data import EvaluationData
from polyseme.tasks.result import RunRow, TaskResult
from polyseme.tasks.task import EvaluationSet, LabellingTask, NothingMappedError, average_runs
from polyseme.usage import Usage


@dataclass(frozen=True)
class KeyComparison:
    """Keys to compare with each other, with published systems and with baselines.

    Args:
        task: The task.
        data: The usages and their gold labelling.
        keys: The labellings of the user, by name.
        systems: Published labellings, by name.
        gold: The name of the gold standard.
        inventory: The senses of gold, where they are described.
        title: The title of the page; by default the names of the keys and of the task.
    """

    task: LabellingTask
    data: EvaluationData
    keys: Mapping[str, Labelling]
    systems: Mapping[str, Labelling] = field(default_factory=dict)
    gold: str = ""
    inventory: Inventory | None = None
    title: str = ""


def score_keys(comparison: KeyComparison, show: Callable[[str], object] = lambda _: None) -> ScoredRows:
    """Score keys, published systems and the baselines of a task, as ``polyseme score`` does.

    Args:
        comparison: The keys.
        show: Receives the current step.
    """
    evaluation_set = comparison.task.make_evaluation_set(comparison.data, lambda lemmas: lemmas, comparison.inventory)
    gold = evaluation_set.gold
    rows = [_score_key(evaluation_set, name, MODEL, key, show) for name, key in comparison.keys.items()]
    maps_senses = _maps_senses(evaluation_set, rows[0])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InputWarning)  # published keys have usages outside gold, and damaged lines
        systems = comparison.systems.items()
        comparable = (pair for pair in systems if maps_senses or not set(gold.columns).isdisjoint(pair[1].columns))
        rows += [_score_key(evaluation_set, name, SYSTEM, key, show) for name, key in comparable]
        rows += _score_baselines(evaluation_set, show)
    return ScoredRows(
        comparison.title or f"{_name_keys(list(comparison.keys))} on {comparison.task.name}",
        evaluation_set.task,
        gold,
        _complete_usages(gold, comparison.data.usages),
        tuple(rows),
        inventory=comparison.inventory,
        maps_senses=maps_senses,
        about=(
            ("Task", comparison.task.name if maps_senses else f"{comparison.task.name}, with senses by name"),
            ("Gold", comparison.gold or "the gold labelling"),
            ("Size", describe_size(gold)),
            ("Keys", ", ".join(comparison.keys)),
            ("Scored by", f"polyseme {version('polyseme')}"),
        ),
    )


def _name_keys(names: Sequence[str]) -> str:
    return f"{', '.join(names[:2])} and {len(names) - 2} more" if len(names) > 3 else ", ".join(names)


def _score_key(
    evaluation_set: EvaluationSet, name: str, kind: str, key: Labelling, show: Callable[[str], object]
) -> ScoredRow:
    show(f"scoring {name}")
    facts, results = count_labels(evaluation_set.gold, key), tuple[TaskResult, ...]()
    with add_file_name(name):
        try:
            results = (evaluation_set.score(key),) if facts["labelled"] else ()
        except NothingMappedError:
            results = ()
    figures = results[0].figures() if results else {}
    return ScoredRow(RunRow(name, kind, figures, facts), evaluation_set.task, (key,) if results else (), results)


def _score_baselines(evaluation_set: EvaluationSet, show: Callable[[str], object]) -> Iterator[ScoredRow]:
    task = evaluation_set.baseline_task or evaluation_set.task
    for name, runs in evaluation_set.baselines.items():
        show(f"scoring {name}")
        labellings = tuple(run() for run in runs)
        results = tuple(map(evaluation_set.score_baseline, labellings))
        figures = average_runs([result.figures() for result in results])
        yield ScoredRow(RunRow(name, BASELINE, figures, {}), task, labellings, results)


def _complete_usages(gold: Labelling, usages: Sequence[Usage]) -> dict[str, Usage]:
    """Return the usages of gold; those whose text is unknown have none."""
    by_id = {usage.id: usage for usage in usages}
    return {id: by_id.get(id) or Usage(id, gold.lemma(id), "", 0, 0) for id in gold}


def _maps_senses(evaluation_set: EvaluationSet, row: ScoredRow) -> bool:
    """Whether the task maps the senses of a key to those of gold."""
    if not row.labellings:
        return False
    (key,) = row.labellings
    return row.task.map_to_gold(evaluation_set.gold, key) is not key
