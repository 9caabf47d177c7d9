"""SemEval-2010 Task 14: word sense induction and disambiguation (Manandhar et al. 2010)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from math import comb
from typing import ClassVar

import numpy as np

from polyseme.arrays import Floats
from polyseme.baselines import CLUSTER_BASELINES
from polyseme.datasets import DataSet
from polyseme.errors import InputError
from polyseme.formats.answer_key import read_key
from polyseme.formats.splits import MappingSplit
from polyseme.inventory import Inventory
from polyseme.labelling import Labelling
from polyseme.mapping import MostProbable, WeightedDistribution, map_in_folds
from polyseme.measures.alignment import check_and_order, common_usages
from polyseme.measures.partitions import AdjustedMutualInformation, BCubed, Contingency, PairedF, VMeasure
from polyseme.scores import Scores, Totals, safe_ratio
from polyseme.tasks import data_sizes
from polyseme.tasks.columns import ScoreColumn
from polyseme.tasks.data import EvaluationData, has_content
from polyseme.tasks.published import DataFigures, PrintedFigure, ReproducedFigure, read_worked_example
from polyseme.tasks.result import Figures, TaskResult
from polyseme.tasks.task import (
    BaselineGroup,
    EvaluationSet,
    LabelKind,
    LabellingTask,
    Load,
    SelectLemmas,
    restrict_to_lemmas,
)

Splits = Mapping[str, Sequence[MappingSplit]]
"""The splits of each setting (``80_20``, ``60_40``)."""

MOST_FREQUENT_KEY = "evaluation/sup_eval/baselines/mfs_all.key"


@dataclass(frozen=True)
class SemEval2010(LabellingTask):
    """V-measure and paired F-score of the first senses, and supervised recall over splits.

    Args:
        splits: The splits of each setting, for supervised recall. They also give ``senses``, the mean number
            of gold senses that the mapping answers with for a lemma, column #S of the paper's tables.
        more: Add B-Cubed and adjusted mutual information, normalised by the larger entropy, as on the ranking page of
            the task.

    (Manandhar et al. 2010)

    >>> gold = Labelling.hard(["u1", "u2"], list("ab"), lemma="x")
    >>> SemEval2010().score(gold, gold).figures()["v_measure"]
    1.0
    """

    splits: Splits | None = field(default=None, repr=False, hash=False)
    more: bool = False

    name: ClassVar[str] = "semeval-2010"
    key_data: ClassVar[str] = "semeval-2010-task-14"
    labels: ClassVar[tuple[LabelKind, ...]] = ("induced",)
    headline: ClassVar[str] = "v_measure*paired_f"
    columns: ClassVar[tuple[ScoreColumn, ...]] = (
        ScoreColumn("V", "v_measure"),
        ScoreColumn("Homogeneity", "homogeneity"),
        ScoreColumn("Completeness", "completeness"),
        ScoreColumn("Paired F", "paired_f"),
        ScoreColumn("AVG", "v_measure*paired_f"),
        ScoreColumn("AMI", "adjusted_mutual_information"),
        ScoreColumn("B-Cubed", "bcubed.f1"),
        ScoreColumn("Recall 80/20", "supervised.80_20"),
        ScoreColumn("Recall 60/40", "supervised.60_40"),
        ScoreColumn("#Cl", "clusters"),
        ScoreColumn("#S 80/20", "senses.80_20"),
        ScoreColumn("#S 60/40", "senses.60_40"),
    )

    def score(self, gold: Labelling, system: Labelling) -> TaskResult:
        """Score a system's labelling against gold."""
        gold, system = check_and_order(gold, system)
        check_splits(gold, self.splits or {})
        regroup = partial(self._score_clusters, gold, system)
        return TaskResult(regroup(), regroup, absent=() if self.splits else ("supervised",))

    def _score_clusters(
        self, gold: Labelling, system: Labelling, usages: Collection[str] | None = None
    ) -> dict[str, Scores]:
        part, answers = (gold, system) if usages is None else (gold.restrict(usages), system.restrict(usages))
        v_measure = VMeasure()(part, answers)
        scores = {
            "v_measure": v_measure.only("score"),
            "homogeneity": v_measure.only("homogeneity"),
            "completeness": v_measure.only("completeness"),
            "paired_f": PairedF()(part, answers).only("f1"),
        }
        if self.splits:
            scores |= _score_splits(part, system, self.splits)
        if self.more:
            scores["adjusted_mutual_information"] = AdjustedMutualInformation("max")(part, answers)
            scores["bcubed"] = BCubed()(part, answers)
        table = Contingency.from_labellings(part, answers)
        clusters = table.over_clusters(np.ones(len(table.clusters)))
        return scores | {"clusters": Scores.from_lemmas("clusters per lemma", part.lemmas, clusters)}

    def map_to_gold(self, gold: Labelling, system: Labelling) -> Labelling:
        """Return a system's labelling with the senses of gold."""
        return map_in_folds(WeightedDistribution(), gold, system).labelling

    def baselines(self) -> list[tuple[BaselineGroup, LabellingTask]]:
        """Return trivial clusterings."""
        return [(CLUSTER_BASELINES, self)]

    def make_evaluation_set(
        self, data: EvaluationData, select: SelectLemmas, dictionary: Inventory | None = None
    ) -> EvaluationSet:
        """Return the evaluation set, with the splits of the data set where it has them."""
        gold = restrict_to_lemmas(data.gold, select)
        splits = data.splits if has_content(data, "splits") else self.splits or {}
        within = {name: [_restrict_split(split, gold) for split in group] for name, group in splits.items()}
        return replace(self, splits=within).make_evaluation_set_from_gold(gold, data.usages)

    # -- published figures ---------------------------------------------------------------------------------------

    def score_published_key(self, data: DataSet, printed: PrintedFigure) -> Figures:
        """All figures of a key, those of nouns and of verbs; against MFS, the distance of recall from that baseline."""
        splits = data.splits if printed.setting != "unsupervised" else None
        task = SemEval2010(splits, more=not splits)
        gold = read_key(data.place / printed.gold)
        result = task.score(gold, read_key(data.place / printed.key))
        figures = result.figures()
        for name, group in result.by_lemmas(data_sizes.lemmas_by_part_of_speech(gold.lemmas)).items():
            figures |= {f"{figure}, {name}": value for figure, value in group.figures().items()}
        if printed.setting == "against MFS":
            baseline = SemEval2010(splits).score(gold, read_key(data.place / MOST_FREQUENT_KEY)).figures()
            figures |= {f"{figure}, less MFS": figures[figure] - value for figure, value in baseline.items()}
        return figures

    def data_figures(self) -> Mapping[str, Callable[[Load], DataFigures]]:
        """Return the sizes of the data, by the section or table that prints them."""
        return {
            "§1": lambda load: data_sizes.count_lemmas(load(self.key_data).gold),
            "Table 1": lambda load: data_sizes.count_senses_by_part_of_speech(load(self.key_data).gold),
        }

    def compute_worked_examples(self) -> Iterator[ReproducedFigure]:
        """Yield the figures of Table 3 and of the examples of §3."""
        example = read_worked_example(self.name)
        pairs = [
            (sense, cluster)
            for cluster, row in example["table"].items()
            for sense, count in zip(example["senses"], row, strict=True)
            for _ in range(count)
        ]
        usages = [f"x.{number}" for number in range(len(pairs))]
        gold, system = (Labelling.hard(usages, column, lemma="x") for column in zip(*pairs, strict=True))
        figures: dict[str, float | str] = {**self.score(gold, system).figures(), **_count_pairs(example["table"])}
        figures |= {f"paired_f.{name}": value for name, value in PairedF()(gold, system).total().items()}
        mapped = MostProbable().fit(system, gold)(Labelling.from_dict({"x.new": example["vector"]}, lemma="x"))
        ((figures["sense"], figures["score"]),) = mapped["x.new"].items()
        for figure, printed in example.items():
            if figure in figures:
                yield ReproducedFigure(self.name, "worked example", "Table 3", figure, printed, figures[figure])


def _count_pairs(table: Mapping[str, Sequence[int]]) -> dict[str, float]:
    """Count the pairs of usages that share a cluster, which is a row; a sense, which is a column; or both."""
    groups = {
        "clusters": [sum(row) for row in table.values()],
        "senses": [sum(column) for column in zip(*table.values(), strict=True)],
        "both": [count for row in table.values() for count in row],
    }
    return {f"pairs.{name}": float(sum(comb(size, 2) for size in sizes)) for name, sizes in groups.items()}


# -- supervised recall -------------------------------------------------------------------------------------------------


def check_splits(gold: Labelling, splits: Splits) -> None:
    """Check that each part of a split has usages of gold, under gold's lemmas; it may have others too."""
    for setting, group in splits.items():
        for number, split in enumerate(group, start=1):
            for part, key in split._asdict().items():
                name = f"the split {setting}, {part}.{number}"
                if not common_usages(gold, key, name):
                    raise InputError(f"{name}, has no usage of the gold key")


def _restrict_split(split: MappingSplit, gold: Labelling) -> MappingSplit:
    return MappingSplit(*(part.restrict(usage for usage in part if usage in gold) for part in split))


def _score_splits(gold: Labelling, system: Labelling, splits: Splits) -> dict[str, Scores]:
    """For each of gold's lemmas and each split: the recall of the mapped senses, and the number of distinct ones."""
    recall: list[Floats] = []
    senses: list[Floats] = []
    for split in (split for group in splits.values() for split in group):
        test = split.test.restrict(gold)
        answer = MostProbable().fit(system, split.mapping)(system.restrict(test))
        correct, distinct, total = _count_answers(gold.lemmas, test, answer)
        recall += [correct, total]
        senses += [distinct, np.minimum(total, 1)]
    means = _SettingMeans(tuple((name, len(group)) for name, group in splits.items()))
    return {
        "supervised": Scores("supervised recall", gold.lemmas, gold.lemmas, np.column_stack(recall), means),
        "senses": Scores("mapped senses per lemma", gold.lemmas, gold.lemmas, np.column_stack(senses), means),
    }


def _count_answers(lemmas: Sequence[str], test: Labelling, answer: Labelling) -> tuple[Floats, Floats, Floats]:
    """For each lemma: the number of correct answers, of distinct senses in answers, and of usages."""
    row_numbers = {lemma: row for row, lemma in enumerate(lemmas)}
    correct, total = np.zeros(len(lemmas)), np.zeros(len(lemmas))
    distinct: list[set[str]] = [set() for _ in lemmas]
    for lemma, usage, senses in test.rows():
        row, mapped = row_numbers[lemma], answer.get(usage, {})
        total[row] += 1
        correct[row] += not senses.keys().isdisjoint(mapped)
        distinct[row].update(mapped)
    return correct, np.array([len(senses) for senses in distinct], np.float64), total


@dataclass(frozen=True)
class _SettingMeans:
    """Statistics (value, total) of each split of each setting → the mean ratio of each setting."""

    sizes: tuple[tuple[str, int], ...]

    def __call__(self, sums: Floats) -> Totals:
        ratios = safe_ratio(sums[..., ::2], sums[..., 1::2])
        bounds = np.cumsum([size for _, size in self.sizes])[:-1]
        parts = np.split(ratios, bounds, axis=-1)
        return {name: part.mean(axis=-1) for (name, _), part in zip(self.sizes, parts, strict=True)}
