"""The rows of a run scored once more from what it kept, so that all is known unit by unit; no model is run."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from polyseme.baselines import CLUSTER_BASELINES, SENSE_BASELINES, Baseline
from polyseme.datasets import DataSet
from polyseme.disambiguation.model import keep_strongest as strongest
from polyseme.errors import InputError, InputWarning
from polyseme.experiments import disambiguation, substitution
from polyseme.experiments import induction as induction
from polyseme.experiments.corpora import Load
from polyseme.experiments.induction import RunRow, Show
from polyseme.experiments.plan import DICTIONARIES, INDUCERS, SUBSTITUTERS, Plan
from polyseme.experiments.records import RunRecord
from polyseme.experiments.scoring import NothingMappedError
from polyseme.formats import read_labelling
from polyseme.inventory import Inventory
from polyseme.labelling import Labelling
from polyseme.mapping import SenseMapping, WeightedDistribution, map_in_folds, map_senses
from polyseme.parts import build
from polyseme.reports.experiment_tables import SPREAD
from polyseme.tasks import protocols
from polyseme.tasks.result import TaskResult
from polyseme.usage import Usage

OFTEN = 5
"""Of how many parts of the usages one is mapped by what is learnt from the others."""

SAME = 1e-6
"""By how much figures may differ that are the same."""


@dataclass(frozen=True)
class ScoredRow:
    """A row with its labellings and their results, one a seed; none, where only its figures are known."""

    row: RunRow
    labellings: tuple[Labelling, ...] = ()
    results: tuple[TaskResult, ...] = ()


@dataclass(frozen=True)
class RescoredRun:
    """All rows, what they were scored on, and the senses of gold, where they are described."""

    kept: RunRecord
    gold: Labelling
    usages: Mapping[str, Usage]
    rows: tuple[ScoredRow, ...]
    inventory: Inventory | None
    named: bool
    """Whether labels are gold's own senses, and so are not mapped."""

    def in_gold_senses(self, scored: ScoredRow) -> Labelling:
        """What a row labelled, its first seed, with gold's senses: mapped as far as its usages can be."""
        system = scored.labellings[0]
        if self.named or (scored.row.kind == "baseline" and scored.row.name in SENSE_BASELINES):
            return system
        if scored.row.mapping:
            return map_senses(_mapping(self.kept.results.plan, scored.row.mapping), self.gold, system, OFTEN)
        return map_in_folds(WeightedDistribution(), self.gold, system, OFTEN).labelling


def _mapping(plan: Plan, name: str) -> SenseMapping:
    found: SenseMapping = next(each for each in map(build, plan.mappings) if type(each).__name__ == name)
    return found


def rescore_run(kept: RunRecord, load: Load, show: Show = lambda _: None) -> RescoredRun:
    """Score all that a run kept; ``load`` gives data sets by name."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InputWarning)  # what is not in gold was said when it was run
        return SCORED_AGAIN[kept.results.plan.family](kept, load, show)


Result = Callable[[Labelling], TaskResult]


def _of_induction(kept: RunRecord, load: Load, show: Show) -> RescoredRun:
    plan = kept.results.plan
    data, gold, scorers, usages = induction.prepare_induction(plan, load)
    baselines = SENSE_BASELINES if plan.task == "jurgens-2012" else CLUSTER_BASELINES
    by_name = partial(protocols.jurgens_2012, gold, mapping="none")

    def labellings(row: RunRow) -> list[Labelling]:
        if row.kind == "system":
            return [induction.restrict_published_key(data, row.name, gold)]
        return _by_baselines(baselines, row, gold) if row.kind == "baseline" else _read(kept, row)

    def result(row: RunRow) -> Result:
        if row.kind == "baseline" and plan.task == "jurgens-2012":
            return by_name
        return partial(scorers[row.mapping], gold)

    rows = tuple(_scored(kept, gold, labellings, result, show))
    return RescoredRun(kept, gold, {usage.id: usage for usage in usages}, rows, _inventory(data), named=False)


def _of_dictionary(kept: RunRecord, load: Load, show: Show) -> RescoredRun:
    data, sources, scoring, usages = disambiguation.prepare_disambiguation(kept.results.plan, load)

    def labellings(row: RunRow) -> list[Labelling]:
        if row.kind == "system":
            return [data.systems[row.name]]
        return [strongest(each, row.keep) for each in _read(kept, row)]

    rows = tuple(_scored(kept, scoring.gold, labellings, lambda _: scoring.result, show))
    return RescoredRun(kept, scoring.gold, {usage.id: usage for usage in usages}, rows, sources.wordnet, named=True)


def _of_substituters(kept: RunRecord, load: Load, show: Show) -> RescoredRun:
    task = substitution.prepare_substitution(kept.results.plan, load)

    def labellings(row: RunRow) -> list[Labelling]:
        if row.kind == "system":
            return [task.data.systems[row.name]]
        return _read(kept, row) if row.keys else [task.baseline(row.name)]

    rows = tuple(_scored(kept, task.gold, labellings, lambda _: task.result, show))
    usages = {usage.id: usage for usage in task.usages}
    return RescoredRun(kept, task.gold, usages, rows, None, named=True)


SCORED_AGAIN = {INDUCERS: _of_induction, DICTIONARIES: _of_dictionary, SUBSTITUTERS: _of_substituters}


def _scored(
    kept: RunRecord,
    gold: Labelling,
    labellings: Callable[[RunRow], Sequence[Labelling]],
    result: Callable[[RunRow], Result],
    show: Show,
) -> Iterator[ScoredRow]:
    """The rows but those of spreads; those of people, and of models that labelled nothing, as they are."""
    for row in kept.results.rows:
        if row.kind == SPREAD:
            continue
        show(f"scoring {row.name}")
        found = labellings(row) if row.kind != "annotator" and row.figures else []
        usable = [each for each in found if any(usage in gold for usage in each)]
        try:
            results = tuple(map(result(row), usable))
        except NothingMappedError:
            yield ScoredRow(row)
            continue
        if not kept.results.plan.of_dictionary:  # their figures are means that cannot all be found again from one key
            _check_same(kept, row, results)
        yield ScoredRow(row, tuple(usable), results)


def _check_same(kept: RunRecord, row: RunRow, results: Sequence[TaskResult]) -> None:
    """An error if figures are others now than when it was run: a page would mix both."""
    found = [result.figures() for result in results]
    for name, then in row.figures.items():
        again = [each[name] for each in found if name in each]
        if len(again) == len(row.keys or found) and again and abs(sum(again) / len(again) - then) > SAME:
            now = f"{name} of {row.name} was {then:.4f} when it was run, and is {sum(again) / len(again):.4f} now"
            raise InputError(f"{now}: gold or a measure has changed since. Type: {kept.again}")


def _by_baselines(known: Mapping[str, Sequence[Baseline]], row: RunRow, gold: Labelling) -> list[Labelling]:
    return [baseline(gold) for baseline in known[row.name]]


def _read(kept: RunRecord, row: RunRow) -> list[Labelling]:
    """What a model labelled, from its files; an error that says what to type, if one is gone."""
    return [_labelling(kept, kept.folder / "keys" / key) for key in row.keys]


def _labelling(kept: RunRecord, path: Path) -> Labelling:
    if not path.is_file():
        raise InputError(f"the file of what a model labelled is gone. Type: {kept.again}", path=path)
    return read_labelling(path)


def _inventory(data: object) -> Inventory | None:
    """The senses of a data set, where it says which they are, and they are there."""
    if not isinstance(data, DataSet) or not (data.entry.inventory or "inventory" in data.entry.contents):
        return None
    try:
        return data.inventory
    except InputError:
        return None  # a page without glosses is better than none
