"""Experiments with substituters: usages are labelled with words, which are scored by lexical substitution.

What a model answers is kept under ``keys`` in the folder of results, as for models of senses: its ten likeliest words
for each usage, and how likely the candidates are, the words that gold has for any usage of the lemma.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

from polyseme.datasets import DataSet
from polyseme.disambiguation.sources import Sources
from polyseme.errors import InputError, InputWarning
from polyseme.experiments.corpora import Load, build_corpus_index
from polyseme.experiments.data import UserFiles
from polyseme.experiments.disambiguation import NEWEST_WORDNET
from polyseme.experiments.induction import (
    RunResults,
    RunRow,
    Show,
    cache_name,
    select_lemmas,
    select_systems,
)
from polyseme.experiments.plan import BASELINE, Plan
from polyseme.formats import read_labelling, write_labelling
from polyseme.induction.aiku import CORPUS_MODEL
from polyseme.inventory import Inventory
from polyseme.labelling import Labelling
from polyseme.lm.ngrams.corpus_model import train_corpus_model
from polyseme.lm.substitute_labelling import label_with_substitutes
from polyseme.parts import build, resolve_folders, short_specification
from polyseme.tasks.lexsub import SUBSTITUTE_BASELINES, lexsub
from polyseme.tasks.result import TaskResult
from polyseme.usage import Usage

TEST = "test"
"""The part of a data set whose figures have no name before them."""


class SubstitutionSetting(NamedTuple):
    """The usages to find substitutes for, and the gold of each part of the data, the test part first."""

    data: DataSet | UserFiles
    golds: Mapping[str, Labelling]
    usages: Sequence[Usage]

    @property
    def gold(self) -> Labelling:
        """The gold of the test part."""
        return next(iter(self.golds.values()))

    @property
    def candidates(self) -> Inventory:
        """The words that any part of gold has for a lemma."""
        return Inventory.observed(_union(self.golds.values()))

    def baseline(self, name: str) -> Labelling:
        """What a baseline that knows gold's substitutes answers."""
        (run,) = SUBSTITUTE_BASELINES[name]
        return _union(run(gold) for gold in self.golds.values())

    def result(self, system: Labelling) -> TaskResult:
        """The scores on the test part, and those on others after their names: ``trial.best``."""
        first = next(iter(self.golds))
        answers = {part: system.restrict(gold) for part, gold in self.golds.items()}
        results = {part: lexsub(self.golds[part], labelling) for part, labelling in answers.items() if len(labelling)}
        return TaskResult(
            {
                name if part == first else f"{part}.{name}": scores
                for part, result in results.items()
                for name, scores in result.scores.items()
            }
        )


def _union(labellings: Iterable[Labelling]) -> Labelling:
    return Labelling(row for labelling in labellings for row in labelling.rows())


def prepare_substitution(plan: Plan, load: Load) -> SubstitutionSetting:
    """The usages and the gold of a plan; ``load`` gives data sets by name."""
    data = load(plan.data) if plan.data else UserFiles(plan.usages, plan.gold)
    golds = _golds(data)
    lemmas = select_lemmas(plan, [lemma for gold in golds.values() for lemma in gold.lemmas], load)
    if lemmas is not None:
        golds = {part: _of_lemmas(gold, lemmas) for part, gold in golds.items()}
        golds = {part: gold for part, gold in golds.items() if len(gold)}
    usages = [usage for usage in data.usages if any(usage.id in gold for gold in golds.values())]
    return SubstitutionSetting(data, golds, usages)


def _of_lemmas(gold: Labelling, lemmas: Container[str]) -> Labelling:
    return gold.restrict(usage for usage in gold if gold.lemma(usage) in lemmas)


def _golds(data: DataSet | UserFiles) -> dict[str, Labelling]:
    """The gold of each part of the data, the test part first; of one's own files, there is one."""
    if isinstance(data, UserFiles):
        return {TEST: data.gold}
    if "golds" not in data.entry.contents or TEST not in data.golds:
        problem = f"{data.entry.name} has no gold of a part called {TEST!r}"
        raise InputError(f"{problem}, as lexsub has; give usages and gold of your own instead")
    return {TEST: data.golds[TEST], **data.golds}


def run_substituters(plan: Plan, folder: Path, load: Load, show: Show = lambda _: None) -> RunResults:
    """Do what a plan of substituters says; ``load`` gives data sets by name."""
    task = prepare_substitution(plan, load)
    models = [build(name) for name in plan.models]
    rows = [_of_model(model, plan, task, folder, load, show) for model in models if model.kind != BASELINE]
    rows += [_row(name, "system", task.data.systems[name], task) for name in select_systems(plan, task.data)]
    dictionary = Sources(plan.wordnet or NEWEST_WORDNET)
    for model in (model for model in models if model.kind == BASELINE):
        answers = partial(model, task.usages, dictionary.wordnet)
        key = _key(model, [repr(model), dictionary.wordnet.version], task, folder)
        rows.append(_row(short_specification(model), BASELINE, _once(key, answers), task, key))
    rows += [_row(name, BASELINE, task.baseline(name), task) for name in SUBSTITUTE_BASELINES]
    return RunResults(plan, tuple(rows), {})


def _of_model(model: Any, plan: Plan, task: SubstitutionSetting, folder: Path, load: Load, show: Show) -> RunRow:
    """The row of a substituter, which may ask for an n-gram model of the corpus."""
    ready = resolve_folders(model)
    made_from = [repr(ready)]
    if getattr(model, "model", "") == CORPUS_MODEL:
        show("indexing")
        index = build_corpus_index(plan.sources, plan.analyser, folder, load)
        ready = replace(model, model=str(train_corpus_model(index, show)))
        made_from.append(index.digest)
    key = _key(model, made_from, task, folder)

    def answers() -> Labelling:
        show(f"asking {short_specification(model)}")
        return label_with_substitutes(ready, task.usages, candidates=task.candidates)

    return _row(short_specification(model), "model", _once(key, answers), task, key)


def _key(model: Any, made_from: list[Any], task: SubstitutionSetting, folder: Path) -> Path:
    """The file of what a model answers."""
    usages = [[usage.id, usage.lemma, usage.pos, usage.text, usage.start, usage.end] for usage in task.usages]
    words = {lemma: [sense.id for sense in senses] for lemma, senses in task.candidates.items()}
    return folder / "keys" / f"{cache_name(model, [version('polyseme'), *made_from, usages, words])}.jsonl"


def _once(key: Path, answers: Callable[[], Labelling]) -> Labelling:
    """What a file holds; if it is not there, it is written first."""
    if not key.is_file():
        key.parent.mkdir(parents=True, exist_ok=True)
        write_labelling(answers(), key)
    return read_labelling(key)


def _row(name: str, kind: str, labelling: Labelling, task: SubstitutionSetting, key: Path | None = None) -> RunRow:
    labelled = sum(usage in labelling for usage in task.gold) / len(task.gold)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InputWarning)
        figures = task.result(labelling).figures() if labelled else {}
    return RunRow(name, kind, figures, {"labelled": labelled}, keys=(key.name,) if key else ())
