"""SemCor-WSI: words as frequent and as ambiguous as in running text (Mosolova, Candito & Ramisch 2025)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from functools import partial
from typing import ClassVar

import numpy as np

from polyseme.baselines import CLUSTER_BASELINES
from polyseme.labelling import Labelling
from polyseme.measures.alignment import check_and_order
from polyseme.measures.partitions import BCubed, Contingency
from polyseme.scores import Scores
from polyseme.tasks.columns import ScoreColumn
from polyseme.tasks.result import TaskResult
from polyseme.tasks.task import BaselineGroup, LabelKind, LabellingTask


@dataclass(frozen=True)
class SemCorWSI(LabellingTask):
    """Score induced senses by B-Cubed, lemma by lemma, as SemCor-WSI does.

    The headline figure is the mean over lemmas; beside it is the mean weighted by their usages. More than half of the
    lemmas have one sense in the usages of the task, so one cluster per lemma is a strong baseline. (Mosolova, Candito &
    Ramisch 2025)

    >>> senses = [("x", "u1", "a"), ("x", "u2", "a"), ("y", "u3", "b"), ("y", "u4", "c")]
    >>> gold = Labelling((lemma, usage, {sense: 1.0}) for lemma, usage, sense in senses)
    >>> system = Labelling((lemma, usage, {"one": 1.0}) for lemma, usage, _ in senses)
    >>> round(SemCorWSI().score(gold, system).figures()["bcubed.f1"], 3)
    0.833
    """

    name: ClassVar[str] = "semcor-wsi"
    key_data: ClassVar[str] = "semcor-wsi"
    labels: ClassVar[tuple[LabelKind, ...]] = ("induced",)
    headline: ClassVar[str] = "bcubed.f1"
    columns: ClassVar[tuple[ScoreColumn, ...]] = (
        ScoreColumn("B-Cubed F", "bcubed.f1"),
        ScoreColumn("Precision", "bcubed.precision"),
        ScoreColumn("Recall", "bcubed.recall"),
        ScoreColumn("F by usages", "weighted"),
        ScoreColumn("#Cl", "clusters"),
    )

    def score(self, gold: Labelling, system: Labelling) -> TaskResult:
        """Score a system's labelling against gold."""
        gold, system = check_and_order(gold, system)
        regroup = partial(_score_lemmas, gold, system)
        return TaskResult(regroup(gold), regroup)

    def baselines(self) -> list[tuple[BaselineGroup, LabellingTask]]:
        """Return trivial clusterings."""
        return [(CLUSTER_BASELINES, self)]


def _score_lemmas(gold: Labelling, system: Labelling, usages: Collection[str]) -> dict[str, Scores]:
    gold, system = gold.restrict(usages), system.restrict(usages)
    weighted = BCubed()(gold, system)
    table = Contingency.from_labellings(gold, system)
    clusters = table.over_clusters(np.ones(len(table.clusters)))
    return {
        "bcubed": replace(weighted, sums=weighted.sums / weighted.sums[:, -1:]),
        "weighted": weighted.only("f1"),
        "clusters": Scores.from_lemmas("clusters per lemma", gold.lemmas, clusters),
    }
