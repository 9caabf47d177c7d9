"""Running an experiment: what is not there yet is made, and kept; the rest is read again.

In the folder of results, ``corpus-…`` are indexes, ``models`` what was induced and ``keys`` how usages were labelled,
each called after what it was made from, and by which version, so that experiments can share a folder. The tables are
written anew each time.
"""

from __future__ import annotations

import hashlib
import json
import warnings
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from pathlib import Path
from statistics import fmean, median, stdev
from typing import Any, NamedTuple

from polyseme.baselines import CLUSTER_BASELINES, SENSE_BASELINES, score_baselines
from polyseme.corpus.index import Index
from polyseme.errors import InputError, InputWarning
from polyseme.experiments.corpora import Load, build_corpus_index, describe_progress
from polyseme.experiments.data import EvaluationData, UserFiles, get_gold, get_splits
from polyseme.experiments.plan import Plan
from polyseme.experiments.scoring import NothingMappedError, Scorer, make_scorer
from polyseme.formats import read_labelling, write_labelling
from polyseme.induction.fitting import NothingInduced
from polyseme.induction.loading import Model, load_model
from polyseme.induction.vector_fitting import INTERRUPTED
from polyseme.induction.vector_model import clusters_labelled_usages
from polyseme.labelling import Labelling
from polyseme.parts import build, resolve_folders, seed_variants, short_specification
from polyseme.tasks import protocols
from polyseme.usage import Usage

Show = Callable[[str], object]


class RunRow(NamedTuple):
    """A model, a published system or a baseline: its figures, and how many usages it labels with how many senses.

    Where induced senses are mapped before they are scored, ``mapping`` says how. The figures of a model that was run
    with several seeds are means; the row after it, of the kind *spread*, has their standard deviations. ``keys`` are
    the files of what it labelled, one a seed; ``keep`` is the share of the greatest weight that its senses must have.
    """

    name: str
    kind: str
    figures: Mapping[str, float]
    facts: Mapping[str, float]
    mapping: str = ""
    keys: tuple[str, ...] = ()
    keep: float = 0.0


@dataclass(frozen=True)
class RunResults:
    """The rows of an experiment, and of which lemmas a model has no senses, and why; ``empty`` models have none."""

    plan: Plan
    rows: tuple[RunRow, ...]
    missed: Mapping[str, Mapping[str, str]]
    empty: tuple[str, ...] = ()


class InductionSetting(NamedTuple):
    """What the models of a plan are asked: usages, their gold labelling, and how answers are scored, by mapping."""

    data: EvaluationData
    gold: Labelling
    scorers: Mapping[str, Scorer]
    usages: Sequence[Usage]


def prepare_induction(plan: Plan, load: Load) -> InductionSetting:
    """What a plan asks; ``load`` gives data sets by name."""
    data: EvaluationData = load(plan.data) if plan.data else UserFiles(plan.usages, plan.gold)
    gold = get_gold(plan.task, data)
    wanted = select_lemmas(plan, gold.lemmas, load)
    gold = gold if wanted is None else gold.restrict(usage for usage in gold if gold.lemma(usage) in wanted)
    return InductionSetting(
        data, gold, _scorers(plan, data, gold), [usage for usage in data.usages if usage.id in gold]
    )


def run_inducers(plan: Plan, folder: Path, load: Load, show: Show = lambda _: None) -> RunResults:
    """Do what a plan says; ``load`` gives data sets by name."""
    data, gold, scorers, usages = prepare_induction(plan, load)
    systems = select_systems(plan, data)
    show("indexing")
    index = build_corpus_index(
        plan.sources, plan.analyser, folder, load, lambda done: show(f"indexing: {describe_progress(done)}")
    )
    rows: list[RunRow] = []
    missed: dict[str, Mapping[str, str]] = {}
    empty: list[str] = []
    for inducer in (build(name, "inducer") for name in plan.models):
        name, found = short_specification(inducer), []
        for each in seed_variants(inducer, plan.seeds):
            try:
                labelling, model, key = label_with_inducer(each, index, usages, folder, show)
                missed[name] = model.missed
            except NothingInduced as problem:
                labelling, missed[name], key = Labelling([]), problem.missed, ""
                empty.append(name)
            rows_of = _scored(name, "model", gold, labelling, scorers)
            found.append([row._replace(keys=(key,) if key else ()) for row in rows_of])
        rows += [row for same in zip(*found, strict=True) for row in summarise_seeds(same)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InputWarning)  # published keys have usages outside gold
        for name in systems:
            rows += _scored(name, "system", gold, restrict_published_key(data, name, gold), scorers)
    for name, figures in _baselines(plan, gold, scorers).items():
        rows.append(RunRow(name, "baseline", figures, {}))
    return RunResults(plan, tuple(rows), missed, tuple(empty))


# -- models --------------------------------------------------------------------------------------------------------


def summarise_seeds(same: Sequence[RunRow]) -> list[RunRow]:
    """Rows of one model with different seeds as one; and how far they are apart."""
    if len(same) == 1:
        return list(same)
    figures, about = ([getattr(row, part) for row in same] for part in ("figures", "facts"))
    keys = tuple(key for row in same for key in row.keys)
    mean = same[0]._replace(figures=_each(fmean, figures), facts=_each(fmean, about), keys=keys)
    return [mean, RunRow(mean.name, "spread", _each(stdev, figures), {}, mean.mapping)]


def _each(summary: Callable[[Sequence[float]], float], given: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """A summary of each figure; of those only that all have."""
    return {name: summary([each[name] for each in given]) for name in given[0] if all(name in each for each in given)}


def label_with_inducer(
    inducer: Any, index: Index, usages: Sequence[Usage], folder: Path, show: Show
) -> tuple[Labelling, Model, str]:
    """The usages as a model labels them, the model, and the file of the former; from their files, if they are there."""
    short, inducer = short_specification(inducer), resolve_folders(inducer)
    lemmas = sorted({usage.lemma for usage in usages})
    asked = [[usage.id, usage.lemma, usage.text, usage.start, usage.end] for usage in usages]
    given = {"usages": usages} if clusters_labelled_usages(inducer) else {}
    made_from = [version("polyseme"), repr(inducer), index.digest, lemmas, asked if given else []]
    place = folder / "models" / cache_name(inducer, made_from)
    if not (place / "model.json").is_file():
        show(f"inducing by {short}")
        made = inducer.fit(index, lemmas, show=lambda done: show(f"{short}: {done.lemma}"), **given)
        if INTERRUPTED in made.missed.values():
            raise KeyboardInterrupt  # what is only half done must not be found there next time
        made.save(place)
    model = load_model(place)
    key = folder / "keys" / f"{cache_name(inducer, [*made_from, asked])}.jsonl"
    if not key.is_file():
        show(f"labelling by {short}")
        key.parent.mkdir(parents=True, exist_ok=True)
        write_labelling(model.label(usages), key)
    return read_labelling(key), model, key.name


def cache_name(inducer: Any, made_from: list[Any]) -> str:
    """The name of what is kept: the part, and what tells it from others that were made from something else."""
    return f"{type(inducer).__name__}-{hashlib.sha256(json.dumps(made_from).encode()).hexdigest()[:12]}"


# -- scores --------------------------------------------------------------------------------------------------------


def select_lemmas(plan: Plan, known: Collection[str], load: Load) -> set[str] | None:
    """The lemmas of the usages that the plan names."""
    if not plan.lemmas:
        return None
    name, _, role = plan.lemmas.partition(":")
    if role not in ("", "usages", "training"):
        raise InputError(f"lemmas is {plan.lemmas!r}; allowed after the data set's name are :usages and :training")
    data = load(name)
    usages = data.training() if role == "training" else data.usages
    found = {usage.lemma for usage in usages} & set(known)
    if not found:
        raise InputError(f"{plan.lemmas} has none of the lemmas of {plan.data}")
    return found


def _scorers(plan: Plan, data: EvaluationData, gold: Labelling) -> dict[str, Scorer]:
    """How a labelling is scored, in one way or, for each mapping, in several."""
    if plan.task == "jurgens-2012":
        return {type(build(name)).__name__: make_scorer(plan.task, mapping=name) for name in plan.mappings}
    return {"": make_scorer(plan.task, splits=get_splits(plan.task, data, gold))}


def _scored(
    name: str, kind: str, gold: Labelling, system: Labelling, scorers: Mapping[str, Scorer]
) -> Iterator[RunRow]:
    about = count_labels(gold, system)
    for mapping, score in scorers.items():
        try:
            figures = score(gold, system).figures() if about["labelled"] else {}
        except NothingMappedError:
            figures = {}
        yield RunRow(name, kind, figures, about, mapping)


def count_labels(gold: Labelling, system: Labelling) -> dict[str, float]:
    """What share of usages is labelled, with how many senses, and how many senses are used of a lemma.

    >>> gold = Labelling.from_dict({"u1": {"A": 1}, "u2": {"B": 1}}, lemma="x")
    >>> count_labels(gold, Labelling.from_dict({"u1": {"s": 1, "t": 2}}, lemma="x"))
    {'labelled': 0.5, 'senses per usage': 2.0, 'median': 2.0, 'several': 1.0, 'clusters': 2.0}
    """
    sizes = [len(senses) for usage, senses in system.items() if usage in gold]
    used = len(set(system.columns)) / max(len(system.lemmas), 1)
    return {
        "labelled": len(sizes) / len(gold),
        "senses per usage": sum(sizes) / len(sizes) if sizes else 0.0,
        "median": float(median(sizes)) if sizes else 0.0,
        "several": float(sum(size > 1 for size in sizes)),
        "clusters": used,
    }


def select_systems(plan: Plan, data: EvaluationData) -> list[str]:
    """The published keys that the plan names."""
    if not plan.systems:
        return []
    there = list(data.systems)
    names = there if plan.systems == ("all",) else list(plan.systems)
    for name in names:
        if name not in there:
            raise InputError(f"{plan.data} has no system {name!r}; it has {', '.join(there)}")
    return names


def restrict_published_key(data: EvaluationData, name: str, gold: Labelling) -> Labelling:
    """A published key, of the usages that are scored."""
    key = data.systems[name]
    return key.restrict(usage for usage in key if usage in gold)


def _baselines(plan: Plan, gold: Labelling, scorers: Mapping[str, Scorer]) -> dict[str, dict[str, float]]:
    if plan.task == "jurgens-2012":
        return score_baselines(gold, SENSE_BASELINES, partial(protocols.jurgens_2012, mapping="none"))
    return score_baselines(gold, CLUSTER_BASELINES, next(iter(scorers.values())))
