"""Experiments with models that label with a dictionary's senses: nothing is indexed, induced or mapped.

What a model has labelled is kept under ``keys`` in the folder of results, as for models of induced senses. No model
learns from a sentence that it is scored on, even where the two are of the same text.
"""

from __future__ import annotations

import warnings
from collections.abc import Collection, Iterator, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

from polyseme.datasets import DataSet
from polyseme.disambiguate.contexts import entry
from polyseme.disambiguate.model import DictionaryModel, kept
from polyseme.disambiguate.sources import Sources
from polyseme.errors import InputError, InputWarning
from polyseme.evaluate.baselines import CLUSTERINGS, Synonyms
from polyseme.experiment.corpora import Load
from polyseme.experiment.data import OwnFiles
from polyseme.experiment.dictionary_scoring import SCORINGS, Scoring
from polyseme.experiment.plan import BASELINE, Plan
from polyseme.experiment.run import (
    Results,
    Row,
    Show,
    called,
    facts,
    over_seeds,
    resolved,
    seeded,
    system_names,
    wanted_lemmas,
)
from polyseme.formats import read_labelling, write_labelling
from polyseme.labelling import Labelling
from polyseme.parts import brief, build, moved
from polyseme.usage import Usage

NEWEST = "3.1"
"""The version of WordNet for usages of one's own."""


class Question(NamedTuple):
    """What the models of a plan are asked: usages, what a model may look into, and how answers are scored."""

    data: DataSet | OwnFiles
    sources: Sources
    scoring: Scoring
    usages: Sequence[Usage]


def question(plan: Plan, load: Load) -> Question:
    """What a plan asks; ``load`` gives data sets by name."""
    data = load(plan.data) if plan.data else OwnFiles(plan.usages, plan.gold)
    sources = Sources(plan.wordnet or _version(data, load))

    def wanted(lemmas: Collection[str]) -> Collection[str]:
        found = wanted_lemmas(plan, lemmas, load)
        return lemmas if found is None else found

    scoring = SCORINGS[plan.task](data, wanted, sources.wordnet)
    return Question(data, sources, scoring, [usage for usage in data.usages if usage.id in scoring.gold])


def run(plan: Plan, folder: Path, load: Load, show: Show = lambda _: None) -> Results:
    """Do what a plan of models of a dictionary says; ``load`` gives data sets by name."""
    models = [build(name) for name in plan.models]
    _check_senses(models)
    data, unread, scoring, usages = question(plan, load)
    names = system_names(plan, data)
    sources = unread.without([usage.text for usage in usages])
    above, below = (
        [row for model in some for row in _rows(model, plan, scoring, usages, sources, folder, show)]
        for some in ([each for each in models if (each.kind == BASELINE) is last] for last in (False, True))
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InputWarning)  # published keys have usages outside gold
        systems = [row for name in names for row in _system(name, data.systems[name], scoring, plan)]
    people = [Row(name, "annotator", figures, {}) for name, figures in scoring.people.items()]
    missed = {f"WordNet {sources.wordnet.version}": _missed(usages, sources)}
    return Results(plan, (*above, *systems, *people, *below), missed)


def _check_senses(models: Sequence[Any]) -> None:
    """An error if a baseline gives clusters of its own, or words, instead of a dictionary's senses."""
    others = {type(run): "clusters" for runs in CLUSTERINGS.values() for run in runs} | {Synonyms: "substitutes"}
    for model in models:
        if type(model) in others:
            raise InputError(
                f"{brief(model)} gives {others[type(model)]}, and not senses of a dictionary; leave it out"
            )


def _version(data: DataSet | OwnFiles, load: Load) -> str:
    """The version of WordNet that a data set's senses are of."""
    if isinstance(data, OwnFiles):
        return NEWEST
    found = load(data.entry.inventory).entry.wordnet if data.entry.inventory else ""
    if not found:
        raise InputError(f"{data.entry.name} does not say which WordNet its senses are of; give wordnet = {NEWEST!r}")
    return found


# -- models --------------------------------------------------------------------------------------------------------


def _rows(
    model: Any, plan: Plan, scoring: Scoring, usages: Sequence[Usage], sources: Sources, folder: Path, show: Show
) -> Iterator[Row]:
    """A row for each share of the greatest weight that a sense must have; below it, how far seeds are apart.

    A baseline is what it is called: none of its senses is left out.
    """
    found = [labelled(each, usages, sources, folder, show) for each in seeded(model, plan.seeds)]
    kind, shares = (BASELINE, (0.0,)) if model.kind == BASELINE else ("model", plan.keep)
    for keep in shares:
        name = f"{brief(model)}, keep {keep:g}" if keep else brief(model)
        rows = [(_row(name, kind, kept(labelling, keep), scoring), key) for labelling, key in found]
        yield from over_seeds([row._replace(keys=(key,), keep=keep) for row, key in rows])


def labelled(part: Any, usages: Sequence[Usage], sources: Sources, folder: Path, show: Show) -> tuple[Labelling, str]:
    """The usages as a model labels them, and the file of that; from it, if it is there."""
    short, part = brief(part), moved(part, resolved)
    asked = [[usage.id, usage.lemma, usage.pos, usage.text, usage.start, usage.end] for usage in usages]
    documents = [str(usage.meta.get("document", "")) for usage in usages]
    made_from = [version("polyseme"), repr(part), repr(sources.analyser), sources.wordnet.version]
    key = folder / "keys" / f"{called(part, [*made_from, asked, documents])}.jsonl"
    if not key.is_file():
        show(f"labelling by {short}")
        key.parent.mkdir(parents=True, exist_ok=True)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", InputWarning)  # what is not in the dictionary is said once for all models
            write_labelling(DictionaryModel(part, sources).label(usages), key)
    return read_labelling(key), key.name


def _missed(usages: Sequence[Usage], sources: Sources) -> dict[str, str]:
    """The lemmas that are not in the dictionary."""
    lemmas = dict.fromkeys(usage.lemma for usage in usages if not entry(usage, sources))
    return dict.fromkeys(lemmas, f"it is not in WordNet {sources.wordnet.version}")


# -- rows ----------------------------------------------------------------------------------------------------------


def _row(name: str, kind: str, labelling: Labelling, scoring: Scoring) -> Row:
    about = facts(scoring.gold, labelling)
    return Row(name, kind, scoring.score(labelling) if about["labelled"] else {}, about)


def _system(name: str, key: Labelling, scoring: Scoring, plan: Plan) -> Iterator[Row]:
    """A published system; where all are asked for, only one that uses the senses of the gold standard at all."""
    if plan.systems != ("all",) or not {*key.columns}.isdisjoint(scoring.gold.columns):
        yield _row(name, "system", key, scoring)
