"""Experiments with models that label with a dictionary's senses: nothing is indexed, induced or mapped.

No model learns from a sentence that it is scored on, even where the two are of the same text.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

from polyseme.baselines import CLUSTER_BASELINES, Synonyms
from polyseme.datasets import DataSet
from polyseme.disambiguation.contexts import find_usage_entry
from polyseme.disambiguation.model import DictionaryModel
from polyseme.disambiguation.sources import Sources
from polyseme.errors import InputError, InputWarning
from polyseme.experiments.plan import Plan
from polyseme.experiments.setting import (
    KEYS_FOLDER,
    ModelLabels,
    Setting,
    Show,
    cache_name,
    label_once,
    list_usage_fields,
)
from polyseme.labelling import Labelling
from polyseme.parts import build, resolve_folders, short_specification
from polyseme.tasks.task import Load
from polyseme.wordnet.lexicon import WordNet

NEWEST_WORDNET = "3.1"
"""The version of WordNet for usages of a user's own."""


class DisambiguationSetting(Setting):
    """Usages that are labelled with the senses of WordNet."""

    def __init__(self, plan: Plan, load: Load) -> None:
        _check_senses([build(name) for name in plan.models])
        super().__init__(plan, load)

    @cached_property
    def _all_sources(self) -> Sources:
        return Sources(self.plan.wordnet or self._find_version())

    @cached_property
    def sources(self) -> Sources:
        """WordNet and tagged text, without the sentences to label."""
        return self._all_sources.without([usage.text for usage in self.evaluation_set.usages])

    @property
    def dictionary(self) -> WordNet:
        """WordNet."""
        return self._all_sources.wordnet

    def _find_version(self) -> str:
        """Return the version of WordNet that the data set takes its senses from."""
        if not isinstance(self.data, DataSet):
            return NEWEST_WORDNET
        entry = self.data.entry
        version = self.load(entry.inventory).entry.wordnet if entry.inventory else ""
        if not version:
            problem = f"{entry.name} does not say which WordNet its senses are of"
            raise InputError(f"{problem}; give wordnet = {NEWEST_WORDNET!r}")
        return version

    def label(self, model: Any, folder: Path, show: Show) -> ModelLabels:
        """Label the usages with the senses of WordNet."""
        name, part, usages = short_specification(model), resolve_folders(model), self.evaluation_set.usages
        documents = [str(usage.meta.get("document", "")) for usage in usages]
        facts = [repr(part), repr(self.sources.analyser), self.sources.wordnet.version, list_usage_fields(usages)]
        key = folder / KEYS_FOLDER / f"{cache_name(part, *facts, documents)}.jsonl"

        def label() -> Labelling:
            show(f"labelling by {name}")
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", InputWarning)  # lemmas missing from WordNet are reported once for all
                return DictionaryModel(part, self.sources).label(usages)

        return ModelLabels(label_once(key, label), key.name)

    def read_system(self, name: str) -> Labelling:
        """Return a published key."""
        return self.data.systems[name]

    def list_systems(self) -> list[str]:
        """Return the names of the published keys to score; of all keys those with any sense of the gold standard."""
        if self.plan.systems != ("all",):
            return self.systems
        senses = set(self.evaluation_set.gold.columns)
        return [name for name in self.systems if not senses.isdisjoint(self.read_system(name).columns)]

    def list_missed(self) -> dict[str, Mapping[str, str]]:
        """Return the lemmas that are not in WordNet."""
        version = f"WordNet {self.sources.wordnet.version}"
        usages = (usage for usage in self.evaluation_set.usages if not find_usage_entry(usage, self.sources))
        return {version: dict.fromkeys((usage.lemma for usage in usages), f"it is not in {version}")}


def _check_senses(models: list[Any]) -> None:
    """Check that no baseline gives clusters or words instead of the senses of a dictionary."""
    others = {type(run): "clusters" for runs in CLUSTER_BASELINES.values() for run in runs} | {Synonyms: "substitutes"}
    for model in models:
        if type(model) in others:
            name = short_specification(model)
            raise InputError(f"{name} gives {others[type(model)]}, and not senses of a dictionary; leave it out")
