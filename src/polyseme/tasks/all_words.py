"""Disambiguation of all words of a text, as the unified framework scores it (Raganato et al. 2017)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import ClassVar

import numpy as np

from polyseme.labelling import Labelling
from polyseme.measures.alignment import check_and_order
from polyseme.measures.melamed_resnik import MelamedResnik
from polyseme.tasks.columns import ANY_SUFFIX, ScoreColumn
from polyseme.tasks.result import TaskResult
from polyseme.tasks.task import EvaluationSet, LabelKind, LabellingTask
from polyseme.usage import Usage

POS_PREFIX, SET_PREFIX = "pos", "sets"
"""The beginnings of figures of parts of speech, and of the texts that usages come from."""


@dataclass(frozen=True)
class AllWords(LabellingTask):
    """Score each usage's heaviest sense: precision, recall and F1 over all usages.

    An answer is right if it is any of the gold senses; of equal weights the first listed counts. Precision is the share
    of right answers among the answered usages, recall among all. (Raganato, Camacho-Collados & Navigli 2017)

    >>> gold = Labelling.from_dict({"u1": {"a": 1, "b": 1}, "u2": {"a": 1}, "u3": {"c": 1}}, lemma="x")
    >>> AllWords().score(gold, Labelling.from_dict({"u1": {"b": 0.6, "c": 0.4}, "u2": {"b": 1}}, lemma="x")).figures()
    {'precision': 0.5, 'recall': 0.3333333333333333, 'f1': 0.4}
    """

    name: ClassVar[str] = "all-words"
    labels: ClassVar[tuple[LabelKind, ...]] = ("dictionary",)
    headline: ClassVar[str] = "f1"
    notes: ClassVar[tuple[str, ...]] = ("Of each usage the heaviest sense counts; right is any of the gold senses.",)
    columns: ClassVar[tuple[ScoreColumn, ...]] = (
        ScoreColumn("Precision", "precision"),
        ScoreColumn("Recall", "recall"),
        ScoreColumn("F1", "f1"),
        ScoreColumn("Nouns", f"{POS_PREFIX}.n"),
        ScoreColumn("Verbs", f"{POS_PREFIX}.v"),
        ScoreColumn("Adjectives", f"{POS_PREFIX}.a"),
        ScoreColumn("Adverbs", f"{POS_PREFIX}.r"),
        ScoreColumn("", f"{SET_PREFIX}{ANY_SUFFIX}"),
    )

    def score(self, gold: Labelling, system: Labelling) -> TaskResult:
        """Score a system's labelling against gold."""
        gold, system = check_and_order(gold, system)
        best = system.top()
        scores = MelamedResnik()(gold, best.with_weights(np.ones(len(best.weights))))
        return TaskResult({figure: scores.only(figure) for figure in ("precision", "recall", "f1")})

    def make_evaluation_set_from_gold(self, gold: Labelling, usages: Sequence[Usage]) -> EvaluationSet:
        """Return the evaluation set of a gold labelling, with figures by part of speech and by text."""
        evaluation_set = super().make_evaluation_set_from_gold(gold, usages)
        groups: dict[str, list[str]] = {}
        for usage in evaluation_set.usages:
            groups.setdefault(f"{POS_PREFIX}.{usage.pos or usage.lemma.rpartition('.')[2]}", []).append(usage.id)
            groups.setdefault(f"{SET_PREFIX}.{usage.meta.get('source', '')}", []).append(usage.id)
        sets = [name for name in groups if name.startswith(SET_PREFIX)]
        several_groups = {name: usages for name, usages in groups.items() if len(sets) > 1 or name not in sets}
        return replace(evaluation_set, score=partial(self.score_groups, gold, several_groups))

    def score_groups(self, gold: Labelling, groups: Mapping[str, Collection[str]], system: Labelling) -> TaskResult:
        """Score all usages, and add F1 of each group."""
        result = self.score(gold, system)
        parts = {name: part.scores["f1"] for name, part in result.by_usages(groups).items()}
        return replace(result, scores={**result.scores, **parts})
