"""The papers' protocols: which measures, on what, after which mapping."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from polyseme.arrays import Floats
from polyseme.errors import InputError
from polyseme.formats.splits import MappingSplit
from polyseme.inventory import Inventory
from polyseme.labelling import Labelling
from polyseme.mapping import (
    Agirre,
    Distribution,
    FoldedMapping,
    Graded,
    MostProbable,
    SenseMapping,
    WeightedDistribution,
    map_in_folds,
    map_senses,
)
from polyseme.measures.alignment import check_and_order, common_usages
from polyseme.measures.bcubed import FuzzyBCubed
from polyseme.measures.detection import Jaccard
from polyseme.measures.melamed_resnik import MelamedResnik, SenseHierarchy
from polyseme.measures.nmi import FuzzyNMI
from polyseme.measures.partitions import AdjustedMutualInformation, BCubed, Contingency, PairedF, VMeasure
from polyseme.measures.perception import WNDCG, Cosine, JensenShannonSimilarity
from polyseme.measures.protocol import Measure, Variant
from polyseme.measures.ranking import GoodmanKruskal, Ksim
from polyseme.scores import Scores, ScoreSummary, Totals, safe_ratio
from polyseme.tasks.result import TaskResult

Unlabelled = Sequence[tuple[str, str]]
"""Lemma and usage of the lines of a key that name no sense."""

JURGENS_MAPPINGS: dict[str, SenseMapping] = {"agirre": Agirre(), "graded": Graded(), "distribution": Distribution()}


def semeval_2013(
    gold: Labelling,
    system: Labelling,
    *,
    mapping: bool = True,
    single_sense: bool = False,
    variant: Variant = "official",
    outside: bool = True,
    unlabelled: Unlabelled = (),
) -> TaskResult:
    """SemEval-2013 Task 13: three measures of disambiguation after mapping, two of clustering without it.

    ``mapping=False`` compares senses by name, for systems that use the gold inventory. ``single_sense`` keeps only the
    heaviest sense after the mapping, so that the Jaccard index is plain precision and recall. ``outside`` keeps the
    system's usages that are not in the gold key in the two cluster measures, as the published figures did.
    ``unlabelled`` are the lemma and usage of lines of the system's key that name no sense; they count in ``clusters``,
    the mean number of senses per line. (Jurgens & Klapaftis 2013)
    """
    gold, system = check_and_order(gold, system)
    gold, system = gold.normalise("max"), system.normalise("max")
    mapped = (
        map_in_folds(WeightedDistribution(), gold, system) if mapping else FoldedMapping(system, _mean_senses(system))
    )
    answer = mapped.labelling.top() if single_sense else mapped.labelling

    def clusters(usages: Collection[str] | None = None) -> dict[str, Scores]:
        g, s = (gold, system) if usages is None else (gold.restrict(usages), system.restrict(usages))
        return {
            "fuzzy_nmi": FuzzyNMI(outside=outside)(g, s),
            "fuzzy_bcubed": FuzzyBCubed(variant=variant, outside=outside)(g, s),
        }

    scores = {
        "jaccard": Jaccard()(gold, answer),
        "ksim": Ksim(variant)(gold, answer),
        "wndcg": WNDCG(variant)(gold, answer),
        **clusters(),
        "clusters": _senses_per_line(system, unlabelled),
    }
    return TaskResult(scores, clusters, {"senses": mapped.senses})


def _mean_senses(labelling: Labelling) -> float:
    return len(labelling.weights) / len(labelling) if len(labelling) else 0.0


def _senses_per_line(system: Labelling, unlabelled: Unlabelled = ()) -> Scores:
    sizes = np.concatenate([system.sizes, np.zeros(len(unlabelled))])
    usages = (*system.usages, *(usage for _, usage in unlabelled))
    lemmas = (*system.usage_lemmas, *(lemma for lemma, _ in unlabelled))
    sums = np.column_stack([sizes, np.ones(len(sizes))])
    return Scores("senses per usage", usages, lemmas, sums, ScoreSummary.mean)


def semeval_2010(
    gold: Labelling,
    system: Labelling,
    *,
    splits: Mapping[str, Sequence[MappingSplit]] | None = None,
    more: bool = False,
) -> TaskResult:
    """SemEval-2010 Task 14: V-measure and paired F-score of the first senses, supervised recall over given splits.

    ``splits`` names each setting (``80_20``, ``60_40``) with its splits; beside recall they give ``senses``, the mean
    number of gold senses that the mapping answers with for a lemma, column #S of the paper's tables. ``more`` adds
    B-Cubed and adjusted mutual information, normalised by the larger entropy, both as on the task's ranking page.
    (Manandhar et al. 2010)
    """
    gold, system = check_and_order(gold, system)
    _check_splits(gold, splits or {})

    def clusters(usages: Collection[str] | None = None) -> dict[str, Scores]:
        g, s = (gold, system) if usages is None else (gold.restrict(usages), system.restrict(usages))
        v, f = VMeasure()(g, s), PairedF()(g, s)
        scores = {
            "v_measure": v.only("score"),
            "homogeneity": v.only("homogeneity"),
            "completeness": v.only("completeness"),
            "paired_f": f.only("f1"),
        }
        if splits:
            scores |= _supervised(g, system, splits)
        if more:
            scores["adjusted_mutual_information"] = AdjustedMutualInformation("max")(g, s)
            scores["bcubed"] = BCubed()(g, s)
        table = Contingency.of(g, s)
        found = table.over_clusters(np.ones(len(table.clusters)))
        return scores | {"clusters": Scores.of_lemmas("clusters per lemma", g.lemmas, found)}

    return TaskResult(clusters(), clusters, absent=() if splits else ("supervised",))


def _check_splits(gold: Labelling, splits: Mapping[str, Sequence[MappingSplit]]) -> None:
    """Each part of a split must have usages of gold, under gold's lemmas; it may have others too."""
    for setting, each in splits.items():
        for number, split in enumerate(each, start=1):
            for part, key in split._asdict().items():
                name = f"the split {setting}, {part}.{number}"
                if not common_usages(gold, key, name):
                    raise InputError(f"{name}, has no usage of the gold key")


def _supervised(gold: Labelling, system: Labelling, splits: Mapping[str, Sequence[MappingSplit]]) -> dict[str, Scores]:
    """Of the mapped senses, for each of gold's lemmas and each split: recall, and how many different ones there are."""
    recall: list[Floats] = []
    senses: list[Floats] = []
    for split in (split for setting in splits.values() for split in setting):
        test = split.test.restrict(gold)
        answer = MostProbable().fit(system, split.mapping)(system.restrict(test))
        correct, distinct, total = _answered(gold.lemmas, test, answer)
        recall += [correct, total]
        senses += [distinct, np.minimum(total, 1)]
    means = _SettingMeans(tuple((name, len(setting)) for name, setting in splits.items()))
    return {
        "supervised": Scores("supervised recall", gold.lemmas, gold.lemmas, np.column_stack(recall), means),
        "senses": Scores("mapped senses per lemma", gold.lemmas, gold.lemmas, np.column_stack(senses), means),
    }


def _answered(lemmas: Sequence[str], test: Labelling, answer: Labelling) -> tuple[Floats, Floats, Floats]:
    """For each lemma: how many answers are correct, how many different senses they use, and how many usages it has."""
    number = {lemma: row for row, lemma in enumerate(lemmas)}
    correct, total = np.zeros(len(lemmas)), np.zeros(len(lemmas))
    distinct: list[set[str]] = [set() for _ in lemmas]
    for lemma, usage, senses in test.rows():
        row, mapped = number[lemma], answer.get(usage, {})
        total[row] += 1
        correct[row] += not senses.keys().isdisjoint(mapped)
        distinct[row].update(mapped)
    return correct, np.array([len(senses) for senses in distinct], np.float64), total


@dataclass(frozen=True)
class _SettingMeans:
    """Statistics (value, total) for each split of each setting → the mean ratio of each setting."""

    sizes: tuple[tuple[str, int], ...]

    def __call__(self, sums: Floats) -> Totals:
        ratios = safe_ratio(sums[..., ::2], sums[..., 1::2])
        bounds = np.cumsum([size for _, size in self.sizes])[:-1]
        parts = np.split(ratios, bounds, axis=-1)
        return {name: part.mean(axis=-1) for (name, _), part in zip(self.sizes, parts, strict=True)}


def senseval(
    gold: Labelling,
    system: Labelling,
    *,
    hierarchy: SenseHierarchy | None = None,
    granularity: Literal["fine", "mixed", "coarse"] = "fine",
    single: bool = False,
) -> TaskResult:
    """Senseval: precision and recall of weighted answers, on flat or hierarchical senses. (Melamed & Resnik 2000)"""
    gold, system = check_and_order(gold, system)
    if granularity != "fine" and hierarchy is None:
        raise InputError(f"{granularity} scoring needs a hierarchy of senses")
    found = MelamedResnik(granularity, single, hierarchy or SenseHierarchy())(gold, system)
    if not len(found):
        raise InputError("no usage of the gold key has a single sense")
    attempted = Scores("attempted", found.units, found.lemmas, found.sums[:, 1:], ScoreSummary.mean)
    return TaskResult(
        {figure: found.only(figure) for figure in ("precision", "recall", "f1")}
        | {"attempted": attempted, "clusters": _senses_per_line(system)}
    )


def jurgens_2012(
    gold: Labelling,
    system: Labelling,
    *,
    mapping: Literal["agirre", "graded", "distribution", "none"] | SenseMapping = "distribution",
    inventory: Inventory | None = None,
) -> TaskResult:
    """Jurgens 2012: Detection, Ranking and Perception over the usages that were labelled and mapped, and their share.

    Weights are normalised to sum 1; four segments are for the mapping, the fifth is evaluated, each in turn. The
    mapping is one of his, by name, or any other; ``none`` compares by name.
    """
    gold, system = check_and_order(gold, system)
    learnt = JURGENS_MAPPINGS.get(mapping) if isinstance(mapping, str) else mapping
    answer = (map_senses(learnt, gold, system) if learnt else system).normalise("sum")
    gold = gold.normalise("sum")
    measures: dict[str, Measure] = {
        "detection": Jaccard(),
        "ranking": GoodmanKruskal(inventory),
        "perception": Cosine(),
        "jensen_shannon": JensenShannonSimilarity(),
    }
    scores = {name: measure(gold, answer) for name, measure in measures.items()}
    answered = scores["detection"]
    recall = Scores("labelled", answered.units, answered.lemmas, answered.sums[:, 1:], ScoreSummary.mean)
    return TaskResult(
        {name: part.only("precision") for name, part in scores.items()}
        | {"recall": recall, "clusters": _senses_per_line(system)}
    )
