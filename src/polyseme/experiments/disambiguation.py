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

from polyseme.baselines import CLUSTER_BASELINES, Synonyms
from polyseme.datasets import DataSet
from polyseme.disambiguation.contexts import find_usage_entry
from polyseme.disambiguation.model import DictionaryModel, keep_strongest
from polyseme.disambiguation.sources import Sources
from polyseme.errors import InputError, InputWarning
from polyseme.experiments.corpora import Load
from polyseme.experiments.data import UserFiles
from polyseme.experiments.dictionary_scoring import SCORINGS, Scoring
from polyseme.experiments.induction import (
    RunResults,
    RunRow,
    Show,
    cache_name,
    count_labels,
    select_lemmas,
    select_systems,
    summarise_seeds,
)
from polyseme.experiments.plan import BASELINE, Plan
from polyseme.formats import read_labelling, write_labelling
from polyseme.labelling import Labelling
from polyseme.parts import build, resolve_folders, seed_variants, short_specification
from polyseme.usage import Usage

NEWEST_WORDNET = "3.1"
"""The version of WordNet for usages of one's own."""


class DisambiguationSetting(NamedTuple):
    """What the models of a plan are asked: usages, what a model may look into, and how answers are scored."""

    data: DataSet | UserFiles
    sources: Sources
    scoring: Scoring
    usages: Sequence[Usage]


def prepare_disambiguation(plan: Plan, load: Load) -> DisambiguationSetting:
    """What a plan asks; ``load`` gives data sets by name."""
    data = load(plan.data) if plan.data else UserFiles(plan.usages, plan.gold)
    sources = Sources(plan.wordnet or _version(data, load))

    def wanted(lemmas: Collection[str]) -> Collection[str]:
        found = select_lemmas(plan, lemmas, load)
        return lemmas if found is None else found

    scoring = SCORINGS[plan.task](data, wanted, sources.wordnet)
    return DisambiguationSetting(data, sources, scoring, [usage for usage in data.usages if usage.id in scoring.gold])


def run_disambiguators(plan: Plan, folder: Path, load: Load, show: Show = lambda _: None) -> RunResults:
    """Do what a plan of models of a dictionary says; ``load`` gives data sets by name."""
    models = [build(name) for name in plan.models]
    _check_senses(models)
    data, unread, scoring, usages = prepare_disambiguation(plan, load)
    names = select_systems(plan, data)
    sources = unread.without([usage.text for usage in usages])
    above, below = (
        [row for model in some for row in _rows(model, plan, scoring, usages, sources, folder, show)]
        for some in ([each for each in models if (each.kind == BASELINE) is last] for last in (False, True))
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InputWarning)  # published keys have usages outside gold
        systems = [row for name in names for row in _system(name, data.systems[name], scoring, plan)]
    people = [RunRow(name, "annotator", figures, {}) for name, figures in scoring.people.items()]
    missed = {f"WordNet {sources.wordnet.version}": _missed(usages, sources)}
    return RunResults(plan, (*above, *systems, *people, *below), missed)


def _check_senses(models: Sequence[Any]) -> None:
    """An error if a baseline gives clusters of its own, or words, instead of a dictionary's senses."""
    others = {type(run): "clusters" for runs in CLUSTER_BASELINES.values() for run in runs} | {Synonyms: "substitutes"}
    for model in models:
        if type(model) in others:
            raise InputError(
                f"{short_specification(model)} gives {others[type(model)]}, and not senses of a dictionary; leave it out"
            )


def _version(data: DataSet | UserFiles, load: Load) -> str:
    """The version of WordNet that a data set's senses are of."""
    if isinstance(data, UserFiles):
        return NEWEST_WORDNET
    found = load(data.entry.inventory).entry.wordnet if data.entry.inventory else ""
    if not found:
        raise InputError(
            f"{data.entry.name} does not say which WordNet its senses are of; give wordnet = {NEWEST_WORDNET!r}"
        )
    return found


# -- models --------------------------------------------------------------------------------------------------------


def _rows(
    model: Any, plan: Plan, scoring: Scoring, usages: Sequence[Usage], sources: Sources, folder: Path, show: Show
) -> Iterator[RunRow]:
    """A row for each share of the greatest weight that a sense must have; below it, how far seeds are apart.

    A baseline is what it is called: none of its senses is left out.
    """
    found = [label_with_disambiguator(each, usages, sources, folder, show) for each in seed_variants(model, plan.seeds)]
    kind, shares = (BASELINE, (0.0,)) if model.kind == BASELINE else ("model", plan.keep)
    for keep in shares:
        name = f"{short_specification(model)}, keep {keep:g}" if keep else short_specification(model)
        rows = [(_row(name, kind, keep_strongest(labelling, keep), scoring), key) for labelling, key in found]
        yield from summarise_seeds([row._replace(keys=(key,), keep=keep) for row, key in rows])


def label_with_disambiguator(
    part: Any, usages: Sequence[Usage], sources: Sources, folder: Path, show: Show
) -> tuple[Labelling, str]:
    """The usages as a model labels them, and the file of that; from it, if it is there."""
    short, part = short_specification(part), resolve_folders(part)
    asked = [[usage.id, usage.lemma, usage.pos, usage.text, usage.start, usage.end] for usage in usages]
    documents = [str(usage.meta.get("document", "")) for usage in usages]
    made_from = [version("polyseme"), repr(part), repr(sources.analyser), sources.wordnet.version]
    key = folder / "keys" / f"{cache_name(part, [*made_from, asked, documents])}.jsonl"
    if not key.is_file():
        show(f"labelling by {short}")
        key.parent.mkdir(parents=True, exist_ok=True)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", InputWarning)  # what is not in the dictionary is said once for all models
            write_labelling(DictionaryModel(part, sources).label(usages), key)
    return read_labelling(key), key.name


def _missed(usages: Sequence[Usage], sources: Sources) -> dict[str, str]:
    """The lemmas that are not in the dictionary."""
    lemmas = dict.fromkeys(usage.lemma for usage in usages if not find_usage_entry(usage, sources))
    return dict.fromkeys(lemmas, f"it is not in WordNet {sources.wordnet.version}")


# -- rows ----------------------------------------------------------------------------------------------------------


def _row(name: str, kind: str, labelling: Labelling, scoring: Scoring) -> RunRow:
    about = count_labels(scoring.gold, labelling)
    return RunRow(name, kind, scoring.score(labelling) if about["labelled"] else {}, about)


def _system(name: str, key: Labelling, scoring: Scoring, plan: Plan) -> Iterator[RunRow]:
    """A published system; where all are asked for, only one that uses the senses of the gold standard at all."""
    if plan.systems != ("all",) or not {*key.columns}.isdisjoint(scoring.gold.columns):
        yield _row(name, "system", key, scoring)
