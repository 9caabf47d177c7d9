"""Scores of systems, comparisons of two, and mappings to the senses of gold."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from polyseme import mapping as mappings
from polyseme.datasets import DataSet, load
from polyseme.datasets.opening import (
    LabellingSource,
    UsagesSource,
    find_data_set,
    find_key_file,
    is_name,
    open_labelling,
    open_usages,
)
from polyseme.errors import InputError, add_file_name, quote_value
from polyseme.induction.storage import MODEL_MANIFEST
from polyseme.labelling import Labelling
from polyseme.measures.alignment import adopt_lemmas, common_usages, warn_of_unlabelled_lemmas
from polyseme.parts import build
from polyseme.progress import show_progress_bar
from polyseme.tasks.columns import split_figure
from polyseme.tasks.comparison import SystemComparison, compare_results
from polyseme.tasks.data import has_content
from polyseme.tasks.registry import get_task, key_tasks_by_name
from polyseme.tasks.result import TaskResult

if TYPE_CHECKING:
    from polyseme.mapping import SenseMapping
    from polyseme.measures.melamed_resnik import SenseHierarchy
    from polyseme.models import Model
    from polyseme.tasks.usim import UsimScores

Task = Any
"""A task: its name, its class, a part, or its specification."""
System: TypeAlias = "LabellingSource | Model"
"""A labelling, or a model that labels the usages of the task."""


def score(
    task: str | Task,
    system: System,
    gold: LabellingSource | None = None,
    *,
    usages: UsagesSource | None = None,
    processes: int | None = None,
    progress: bool | None = None,
    **options: Any,
) -> TaskResult | UsimScores:
    """Score a system under the protocol of a task.

    Args:
        task: The name of a task, as ``semeval-2013``; or a part, as ``SemEval2013(variant='paper')``.
        system: A labelling, or what :func:`polyseme.read_labelling` takes; for usim also similarities of pairs. Or a
            model, or its folder, which labels the usages.
        gold: The gold standard, or what :func:`polyseme.read_labelling` takes. Default: that of the task's data set.
        usages: The usages that a model labels. Default: those of the data set.
        processes: How many processes a model uses. Default: the number of processors.
        progress: Whether a progress bar is shown. Default: on a terminal and in a notebook.
        options: Options of the task, as ``mapping=False`` or ``variant="paper"``. ``splits`` may be a folder and
            ``hierarchy`` a file.

    Raises:
        InputError: There is no such task or option, or gold and system have no usage in common.

    >>> gold = {"bank.n.1": {"river": 1}, "bank.n.2": {"money": 0.8, "river": 0.2}}
    >>> labels = {"bank.n.1": {"river": 1}, "bank.n.2": {"money": 1}}
    >>> round(score("semeval-2013", labels, gold, mapping=False).figures()["jaccard.f1"], 2)
    0.75
    """
    protocol, reference = open_task(task, gold, **options)
    result = score_system(protocol, reference, system, usages, processes=processes, progress=progress)
    return replace(result, task=protocol) if isinstance(result, TaskResult) else result


def compare(
    first: System,
    second: System,
    gold: LabellingSource | None = None,
    task: str | Task = "semeval-2013",
    *,
    usages: UsagesSource | None = None,
    samples: int = 10_000,
    seed: int = 0,
    confidence: float = 0.95,
    names: tuple[str, str] | None = None,
    **options: Any,
) -> SystemComparison:
    """Compare two systems: bootstrap intervals and a paired randomisation test, both over lemmas.

    Args:
        first: The system to compare with; see :func:`score`.
        second: The system that may be better.
        gold: The gold standard. Default: that of the task's data set.
        task: The task.
        usages: The usages that models label. Default: those of the data set.
        samples: How many resamples and swaps.
        seed: The random seed.
        confidence: The confidence level of the intervals.
        names: The names of the systems. Default: those of their files, or ``A`` and ``B``.
        options: Options of the task; see :func:`score`.

    >>> gold = {"bank.n.1": {"river": 1}, "mouse.n.1": {"rodent": 1}}
    >>> one, two = {"bank.n.1": "river", "mouse.n.1": "device"}, {"bank.n.1": "river", "mouse.n.1": "rodent"}
    >>> compare(one, two, gold, samples=100, mapping=False)[0].difference
    0.5
    """
    protocol, reference = open_task(task, gold, **options)
    results: list[TaskResult] = []
    for system in (first, second):
        result = score_system(protocol, reference, system, usages)
        if not isinstance(result, TaskResult):
            allowed = ", ".join(key_tasks_by_name())
            raise InputError(f"results of {protocol.name} cannot be compared; these tasks can: {allowed}")
        results.append(result)
    averages = [column for column in protocol.columns if len(split_figure(column.figure)) > 1]
    rows = compare_results(*results, averages=averages, samples=samples, seed=seed, confidence=confidence)
    return SystemComparison(*(names or (_name_system(first, "A"), _name_system(second, "B"))), tuple(rows), confidence)


def map_senses(
    system: LabellingSource,
    gold: LabellingSource,
    mapping: str | SenseMapping = "Distribution",
    folds: int = 5,
) -> Labelling:
    """Map induced senses to those of a gold labelling, learnt from the usages that both label.

    Args:
        system: A labelling with induced senses.
        gold: A labelling with the senses of a dictionary.
        mapping: The mapping, as a part or its specification.
        folds: A usage is mapped by the other folds; 1: by all usages, including itself.

    >>> gold = {"bank.n.1": {"river": 1}, "bank.n.2": {"money": 1}}
    >>> map_senses({"bank.n.1": {"s1": 1}, "bank.n.2": {"s2": 1}}, gold, folds=1)["bank.n.2"]
    {'money': 1.0}
    """
    part = build(mapping, "mapping") if isinstance(mapping, str) else mapping
    labelling = adopt_lemmas(open_labelling(system), reference := open_labelling(gold))
    reference = adopt_lemmas(reference, labelling)
    name = _name_system(system, "the system")
    if not len(common_usages(reference, labelling, name)):
        where, path = _name_system(gold, "gold"), name if is_name(system) else None
        raise InputError(
            f"none of its usages is in {where}; a mapping is learnt from usages that both label", path=path
        )
    return mappings.map_senses(part, reference, labelling, folds)


# -- tasks, gold standards and systems -------------------------------------------------------------------------------


def open_task(task: str | Task, gold: Any = None, **options: Any) -> tuple[Any, Any]:
    """Return a task with its options, and its gold standard.

    Args:
        task: The name of a task, its class, a part, or its specification.
        gold: The gold standard. Default: that of the task's data set, with its splits if the task has any.
        options: Options of the task.
    """
    protocol = find_task(task, **options)
    if gold is not None:
        return protocol, open_gold(protocol, gold)
    if not protocol.key_data:
        raise InputError(f"{protocol.name} has no data set of its own; name the gold standard: --gold GOLD, or gold=…")
    try:
        data = load(protocol.key_data)
    except InputError as error:
        raise InputError(f"no gold standard is named, and {error}") from None
    if getattr(protocol, "splits", ()) is None and has_content(data, "splits"):
        protocol = replace(protocol, splits=data.splits)
    return protocol, protocol.get_gold(data)


def find_task(task: Any, **options: Any) -> Any:
    """Return a task with its options.

    Args:
        task: The name of a task, its class, a part, or its specification.
        options: Options of the task.
    """
    return _set_options(_build_task(task), options)


def _build_task(task: Any) -> Any:
    if isinstance(task, str):
        return build(task, "task") if "(" in task else get_task(task)()
    part = task() if isinstance(task, type) else task
    if getattr(part, "kind", "") != "task":
        raise InputError(f"{quote_value(task)} is not a task; name one, such as semeval-2013")
    return part


def _read_splits(folder: Any) -> Any:
    from polyseme.formats.splits import read_splits

    return read_splits(folder)


def _read_hierarchy(path: Any) -> SenseHierarchy:
    from polyseme.formats.hierarchy import read_hierarchy
    from polyseme.measures.melamed_resnik import SenseHierarchy

    with add_file_name(path):
        return SenseHierarchy(read_hierarchy(path))


OPTION_READERS: Mapping[str, Callable[[Any], Any]] = {"splits": _read_splits, "hierarchy": _read_hierarchy}
"""The options of tasks that may be files, and how these are read."""


def _set_options(task: Any, options: Mapping[str, Any]) -> Any:
    names = [option.name for option in fields(task)] if is_dataclass(task) else []
    if unknown := [name for name in options if name not in names]:
        allowed = ", ".join(names) or "none"
        raise InputError(f"{task.name} has no option {quote_value(unknown[0])}; its options are {allowed}")
    values = {
        name: OPTION_READERS[name](value) if name in OPTION_READERS and is_name(value) else value
        for name, value in options.items()
    }
    return replace(task, **values) if values else task


def open_gold(task: Any, gold: Any) -> Any:
    """Return the gold standard of a task: a labelling, or pairs of usages."""
    if is_name(gold) and Path(gold).exists():
        return task.read_gold(gold)
    data = gold if isinstance(gold, DataSet) else None
    if not hasattr(task, "key_rule"):  # a task of pairs
        data = find_data_set(gold) if is_name(gold) else data
        return data.pairs if data else task.read_gold(gold) if is_name(gold) else gold
    return task.get_gold(data) if data else open_labelling(gold, task.key_rule)


def score_system(
    task: Any,
    gold: Any,
    system: Any,
    usages: Any = None,
    *,
    processes: int | None = None,
    progress: bool | None = None,
) -> TaskResult | UsimScores:
    """Score a system, which may be a model, against gold that is open already; errors name its file."""
    with add_file_name(system) if is_name(system) else nullcontext():
        return _score_source(task, gold, system, usages, processes, progress)


def _score_source(
    task: Any, gold: Any, system: Any, usages: Any, processes: int | None, progress: bool | None
) -> TaskResult | UsimScores:
    system = find_key_file(system) or system if is_name(system) else system
    system = _load_if_model(system)
    if hasattr(system, "label") and hasattr(system, "inventory"):
        system = _label_usages(task, system, usages, processes, progress)
    elif is_name(system) and (Path(system).exists() or not _is_known_name(system)):
        result: TaskResult | UsimScores = task.score_file(gold, system)
        return result
    rule = getattr(task, "key_rule", "as-written")
    is_pairs = not hasattr(task, "key_rule") and not is_name(system) and not isinstance(system, Mapping | Labelling)
    answers = system if is_pairs else adopt_lemmas(open_labelling(system, rule), gold)
    if isinstance(gold, Labelling) and isinstance(answers, Labelling):
        warn_of_unlabelled_lemmas(gold, answers)
    scores: TaskResult | UsimScores = task.score(gold, answers)
    return scores


def _load_if_model(system: Any) -> Any:
    """Load a model from its folder; return anything else as it is."""
    if not (is_name(system) and Path(system).is_dir() and (Path(system) / MODEL_MANIFEST).is_file()):
        return system
    from polyseme.models import load_model  # which takes as long as to score a key

    return load_model(system)


def open_system(task: Any, system: Any, usages: Any = None) -> Labelling:
    """Return the labelling of a system: that of a file, a data set or a value, or of a model that labels usages."""
    system = _load_if_model(system)
    if hasattr(system, "label") and hasattr(system, "inventory"):
        return _label_usages(task, system, usages, None, None)
    return open_labelling(system, task.key_rule)


def _is_known_name(name: Any) -> bool:
    """Whether a name stands for a data set, or for one of its labellings."""
    from polyseme.datasets.index import read_index

    return os.fspath(name).partition(":")[0] in read_index()


def _label_usages(task: Any, model: Model, usages: Any, processes: int | None, progress: bool | None) -> Labelling:
    if usages is None and not task.key_data:
        raise InputError(f"a model labels usages, and {task.name} has none; name them: --usages FILE, or usages=…")
    listed = open_usages(task.key_data if usages is None else usages)
    with show_progress_bar(f"Labelling {len(listed):,} usages", progress):
        return model.label(listed, processes=processes)


def _name_system(system: Any, default: str) -> str:
    return Path(system).name if is_name(system) else default
