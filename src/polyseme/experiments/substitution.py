"""Experiments with substituters: usages are labelled with words, which lexical substitution scores.

The answers of a model are its ten likeliest words for each usage, and how likely the candidates are: the words that
gold has for any usage of the lemma.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any

from polyseme.disambiguation.sources import Sources
from polyseme.experiments.corpora import build_corpus_index
from polyseme.experiments.disambiguation import NEWEST_WORDNET
from polyseme.experiments.plan import BASELINE
from polyseme.experiments.setting import (
    KEYS_FOLDER,
    ModelLabels,
    Setting,
    Show,
    cache_name,
    label_once,
    list_usage_fields,
)
from polyseme.induction.aiku import CORPUS_MODEL
from polyseme.inventory import Inventory
from polyseme.labelling import Labelling
from polyseme.lm.ngrams.corpus_model import train_corpus_model
from polyseme.lm.substitute_labelling import label_with_substitutes
from polyseme.parts import resolve_folders, short_specification


class SubstitutionSetting(Setting):
    """Usages that are labelled with substitutes."""

    describes_baselines = True

    @cached_property
    def _dictionary(self) -> Inventory:
        return Sources(self.plan.wordnet or NEWEST_WORDNET).wordnet

    def label(self, model: Any, folder: Path, show: Show) -> ModelLabels:
        """Ask a substituter, or a baseline that uses a dictionary."""
        name, usages = short_specification(model), self.evaluation_set.usages
        candidates = self.evaluation_set.candidates or Inventory([])
        if model.kind == BASELINE:
            facts = [repr(model), getattr(self._dictionary, "version", "")]
        else:
            model, facts = self._prepare_model(model, folder, show)
        words = {lemma: [sense.id for sense in senses] for lemma, senses in candidates.items()}
        key = folder / KEYS_FOLDER / f"{cache_name(model, *facts, list_usage_fields(usages), words)}.jsonl"

        def answer() -> Labelling:
            if model.kind == BASELINE:
                return model(usages, self._dictionary)  # type: ignore[no-any-return]
            show(f"asking {name}")
            return label_with_substitutes(model, usages, candidates=candidates)

        return ModelLabels(label_once(key, answer), key.name)

    def _prepare_model(self, model: Any, folder: Path, show: Show) -> tuple[Any, list[object]]:
        """Return a model, with an n-gram model of the corpus if it asks for one, and what its answers depend on."""
        if getattr(model, "model", "") != CORPUS_MODEL:
            return resolve_folders(model), [repr(resolve_folders(model))]
        show("indexing")
        index = build_corpus_index(self.plan.sources, self.plan.analyser, folder, self.load)
        return replace(model, model=str(train_corpus_model(index, show))), [repr(model), index.digest]

    def count(self, labelling: Labelling) -> dict[str, float]:
        """Count the labelled usages of the test part."""
        return {"labelled": super().count(labelling)["labelled"]}
