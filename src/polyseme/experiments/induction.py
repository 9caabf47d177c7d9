"""Experiments with inducers: the corpus is indexed, senses are induced from it, and mapped to those of gold."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from polyseme.corpus.index import Index
from polyseme.datasets import DataSet
from polyseme.errors import InputError
from polyseme.experiments.corpora import build_corpus_index, describe_progress
from polyseme.experiments.setting import (
    KEYS_FOLDER,
    ModelLabels,
    Setting,
    Show,
    cache_name,
    label_once,
    list_usage_fields,
)
from polyseme.formats.checkpoint import load_or_compute
from polyseme.induction.fitting import INTERRUPTED, NothingInduced
from polyseme.induction.inducer import clusters_labelled_usages
from polyseme.induction.model import SenseModel
from polyseme.inventory import Inventory
from polyseme.labelling import Labelling
from polyseme.parts import resolve_folders, short_specification


class InductionSetting(Setting):
    """Usages that are labelled with senses induced from a corpus."""

    maps_senses = True
    index: Index

    @property
    def inventory(self) -> Inventory | None:
        """The senses of the data set, if it names them and they are installed."""
        if not isinstance(self.data, DataSet) or "inventory" not in self.data.entry.contents:
            return None
        try:
            return self.data.inventory
        except InputError:
            return None  # a page without glosses is better than none

    def prepare(self, folder: Path, show: Show) -> None:
        """Index the corpus."""
        show("indexing")
        self.index = build_corpus_index(
            self.plan.sources,
            self.plan.analyser,
            folder,
            self.load,
            lambda progress: show(f"indexing: {describe_progress(progress)}"),
        )

    def label(self, model: Any, folder: Path, show: Show) -> ModelLabels:
        """Induce senses and label the usages with them."""
        name, inducer = short_specification(model), resolve_folders(model)
        usages, described = self.evaluation_set.usages, list_usage_fields(self.evaluation_set.usages)
        lemmas = sorted({usage.lemma for usage in usages})
        options = {"usages": usages} if clusters_labelled_usages(inducer) else {}
        facts = [repr(inducer), self.index.digest, lemmas, described if options else []]

        def induce() -> SenseModel:
            show(f"inducing by {name}")
            induced = inducer.fit(self.index, lemmas, show=lambda done: show(f"{name}: {done.lemma}"), **options)
            if INTERRUPTED in induced.missed.values():
                raise KeyboardInterrupt  # a model of some lemmas must not be taken for one of all next time
            induced.save(path)
            return SenseModel.load(path)

        def label() -> Labelling:
            show(f"labelling by {name}")
            return senses.label(usages, progress=False)

        path = folder / "models" / cache_name(inducer, *facts)
        try:
            senses = load_or_compute(path, SenseModel.load, induce)
        except NothingInduced as problem:
            return ModelLabels(Labelling([]), missed=problem.missed, empty=True)
        key = folder / KEYS_FOLDER / f"{cache_name(inducer, *facts, described)}.jsonl"
        return ModelLabels(label_once(key, label), key.name, senses.missed)
