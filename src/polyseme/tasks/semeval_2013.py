"""SemEval-2013 Task 13: word sense induction for graded and non-graded senses (Jurgens & Klapaftis 2013)."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import ClassVar

from polyseme.baselines import CLUSTER_BASELINES, MOST_FREQUENT_BASELINE, SENSE_BASELINES
from polyseme.datasets import DataSet
from polyseme.errors import InputWarning
from polyseme.formats import load_labelling
from polyseme.inventory import Inventory
from polyseme.labelling import Labelling
from polyseme.mapping import FoldedMapping, WeightedDistribution, map_in_folds
from polyseme.measures.alignment import check_and_order, warn_of_unlabelled_lemmas
from polyseme.measures.bcubed import FuzzyBCubed
from polyseme.measures.detection import Jaccard
from polyseme.measures.nmi import FuzzyNMI
from polyseme.measures.perception import WNDCG
from polyseme.measures.protocol import Variant
from polyseme.measures.ranking import Ksim
from polyseme.parts import check_options
from polyseme.scores import Scores
from polyseme.tasks import data_sizes
from polyseme.tasks.columns import ScoreColumn
from polyseme.tasks.data import EvaluationData, has_content
from polyseme.tasks.published import DataFigures, PrintedFigure
from polyseme.tasks.result import Figures, TaskResult
from polyseme.tasks.senses_per_usage import UnlabelledLines, count_senses_per_usage, mean_senses_per_usage
from polyseme.tasks.task import BaselineGroup, EvaluationSet, LabelKind, LabellingTask, Load, Path, SelectLemmas

SINGLE, SEVERAL = "single", "several"
OFFICIAL_GROUPS = {SINGLE: "all.singlesense", SEVERAL: "all.multisense"}
"""The gold keys of usages with one sense and with several, in the data of the task."""


@dataclass(frozen=True)
class SemEval2013(LabellingTask):
    """Three measures of disambiguation after a mapping, and two of clustering without it.

    Args:
        mapping: Map induced senses to those of gold, fold by fold. Without it senses are compared by name, for systems
            that use the senses of gold.
        single_sense: Keep only the heaviest sense after the mapping; the Jaccard index is then plain precision and
            recall.
        variant: The definitions of the scorer (``official``) or of the paper.
        outside: Keep the system's usages outside the gold key in the two cluster measures, as the published figures do.

    (Jurgens & Klapaftis 2013)

    >>> gold = Labelling.hard(["u1", "u2", "u3", "u4"], list("aabb"), lemma="x")
    >>> SemEval2013(mapping=False).score(gold, gold).figures()["jaccard.f1"]
    1.0
    """

    mapping: bool = True
    single_sense: bool = False
    variant: Variant = "official"
    outside: bool = True

    name: ClassVar[str] = "semeval-2013"
    key_rule: ClassVar[str] = "semeval-2013"
    key_data: ClassVar[str] = "semeval-2013-task-13"
    labels: ClassVar[tuple[LabelKind, ...]] = ("induced", "dictionary")
    columns: ClassVar[tuple[ScoreColumn, ...]] = (
        ScoreColumn("Jaccard F1", "jaccard.f1"),
        ScoreColumn("Ksim F1", "ksim.f1"),
        ScoreColumn("WNDCG F1", "wndcg.f1"),
        ScoreColumn("Fuzzy NMI", "fuzzy_nmi"),
        ScoreColumn("Fuzzy B-Cubed", "fuzzy_bcubed.f1"),
        ScoreColumn("AVG", "fuzzy_nmi*fuzzy_bcubed.f1"),
        ScoreColumn("#Cl", "clusters"),
        ScoreColumn("#S", "senses"),
    )
    dictionary_columns: ClassVar[tuple[ScoreColumn, ...]] = (
        *columns[:3],
        ScoreColumn("Single: F1", "single.jaccard.f1"),
        ScoreColumn("Several: Jaccard F1", "several.jaccard.f1"),
        ScoreColumn("Several: Ksim F1", "several.ksim.f1"),
        ScoreColumn("Several: WNDCG F1", "several.wndcg.f1"),
    )

    def __post_init__(self) -> None:
        check_options(self)

    def score(self, gold: Labelling, system: Labelling, unlabelled: UnlabelledLines = ()) -> TaskResult:
        """Score a system's labelling against gold.

        Args:
            gold: The gold labelling.
            system: The system's labelling.
            unlabelled: Lemma and usage of the lines of the system's key that name no sense. They count in
                ``clusters``, the mean number of senses of a line.
        """
        gold, system = (labelling.normalise("max") for labelling in check_and_order(gold, system))
        mapped = self._map_senses(gold, system)
        answer = mapped.labelling.top() if self.single_sense else mapped.labelling
        scores = {
            "jaccard": Jaccard()(gold, answer),
            "ksim": Ksim(self.variant)(gold, answer),
            "wndcg": WNDCG(self.variant)(gold, answer),
            **self._score_clusters(gold, system),
            "clusters": count_senses_per_usage(system, unlabelled),
        }
        return TaskResult(scores, partial(self._score_clusters, gold, system), {"senses": mapped.senses})

    def _map_senses(self, gold: Labelling, system: Labelling) -> FoldedMapping:
        if self.mapping:
            return map_in_folds(WeightedDistribution(), gold, system)
        return FoldedMapping(system, mean_senses_per_usage(system))

    def _score_clusters(
        self, gold: Labelling, system: Labelling, usages: Collection[str] | None = None
    ) -> dict[str, Scores]:
        if usages is not None:
            gold, system = gold.restrict(usages), system.restrict(usages)
        return {
            "fuzzy_nmi": FuzzyNMI(outside=self.outside)(gold, system),
            "fuzzy_bcubed": FuzzyBCubed(variant=self.variant, outside=self.outside)(gold, system),
        }

    def map_to_gold(self, gold: Labelling, system: Labelling) -> Labelling:
        """Return a system's labelling with the senses of gold."""
        return map_in_folds(WeightedDistribution(), gold, system).labelling if self.mapping else system

    def score_file(self, gold: Labelling, path: Path) -> TaskResult:
        """Read the answers of a system and score them, lines that name no sense included."""
        answers = load_labelling(path, self.key_rule)
        warn_of_unlabelled_lemmas(gold, answers.labelling)
        return self.score(gold, answers.labelling, answers.unlabelled)

    def baselines(self) -> list[tuple[BaselineGroup, LabellingTask]]:
        """Return clusterings and the most frequent sense; without mapping, baselines that use the senses of gold."""
        by_name = replace(self, mapping=False)
        if self.mapping:
            return [(CLUSTER_BASELINES, self), (MOST_FREQUENT_BASELINE, by_name)]
        return [(SENSE_BASELINES, by_name)]

    # -- experiments ---------------------------------------------------------------------------------------------

    @classmethod
    def list_variants(cls, labels: LabelKind, mappings: Sequence[str] = ()) -> dict[str, LabellingTask]:  # noqa: ARG003
        """Return the task with a mapping for induced senses, and without it for those of a dictionary."""
        return {"": cls(mapping=labels == "induced")}

    @property
    def run_columns(self) -> tuple[ScoreColumn, ...]:
        """The columns of the table of a run."""
        return self.columns if self.mapping else self.dictionary_columns

    @property
    def headline(self) -> str:
        """The figure that ranks the rows of a run."""
        return "fuzzy_nmi*fuzzy_bcubed.f1" if self.mapping else "wndcg.f1"

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes below the table of a run."""
        by_group = "Single: usages with one sense, by the heaviest sense. Several: usages with several senses."
        return () if self.mapping else (by_group,)

    def make_evaluation_set(
        self, data: EvaluationData, select: SelectLemmas, dictionary: Inventory | None = None
    ) -> EvaluationSet:
        """Return the evaluation set; senses of a dictionary are also scored by groups of usages."""
        evaluation_set = super().make_evaluation_set(data, select, dictionary)
        if self.mapping:
            return evaluation_set
        groups = group_by_number_of_senses(data, evaluation_set.gold)
        return replace(evaluation_set, score=partial(self.score_groups, evaluation_set.gold, groups), baselines={})

    def score_groups(self, gold: Labelling, groups: Mapping[str, Collection[str]], system: Labelling) -> TaskResult:
        """Score all usages, and those of each group under the name of the group.

        Of usages with a single sense the heaviest sense is scored, as in Table 4 of the paper: F1 is
        ``single.jaccard.f1``.
        """
        result = self.score(gold, system)
        scores, extra = dict(result.scores), dict(result.extra)
        for name, part in ((name, gold.restrict(usages)) for name, usages in groups.items()):
            if any(usage in part for usage in system):
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore", InputWarning)  # most usages are in the other group
                    of_group = replace(self, single_sense=name == SINGLE).score(part, system)
                scores |= {f"{name}.{figure}": figures for figure, figures in of_group.scores.items()}
                extra |= {f"{name}.{figure}": value for figure, value in of_group.extra.items()}
        return replace(result, scores=scores, extra=extra)

    # -- published figures ---------------------------------------------------------------------------------------

    def score_published_key(self, data: DataSet, printed: PrintedFigure) -> Figures:
        """Score a published key with the setting of the printed figure."""
        task = replace(self, mapping=printed.setting != "by-name", single_sense=printed.setting == "mapped-single")
        return task.score_file(task.read_gold(data.place / printed.gold), data.place / printed.key).figures()

    def data_figures(self) -> Mapping[str, Callable[[Load], DataFigures]]:
        """Return the sizes of the data, by the section or table that prints them."""

        def compute(study: Callable[[DataSet], DataFigures]) -> Callable[[Load], DataFigures]:
            return lambda load: study(load(self.key_data))

        def count_test_and_trial(load: Load) -> DataFigures:
            trial = load("semeval-2013-task-13-trial").ratings
            return {**data_sizes.count_usages(load(self.key_data).gold), **data_sizes.count_trial_data(trial)}

        return {
            "§1": compute(lambda data: data_sizes.count_lemmas(data.gold)),
            "§2.1": count_test_and_trial,
            "Table 2": compute(lambda data: data_sizes.count_text(data.usages, {"all": data.gold})),
            "Table 2, sums": compute(
                lambda data: data_sizes.count_text(
                    data.usages, {name: data.golds[name] for name in ("spoken", "written")}
                )
            ),
            "README": compute(
                lambda data: data_sizes.count_usages_with_several_senses(data.gold, data.golds["spoken"])
            ),
        }


def group_by_number_of_senses(data: EvaluationData, gold: Labelling) -> dict[str, list[str]]:
    """Return the usages with a single sense and with several, by the keys of the data set or by gold's own senses."""
    if has_content(data, "golds") and isinstance(data, DataSet) and set(OFFICIAL_GROUPS.values()) <= set(data.golds):
        return {name: [usage for usage in data.golds[key] if usage in gold] for name, key in OFFICIAL_GROUPS.items()}
    sizes = {usage: sum(weight > 0 for weight in senses.values()) for usage, senses in gold.items()}
    return {
        SINGLE: [usage for usage, size in sizes.items() if size == 1],
        SEVERAL: [usage for usage, size in sizes.items() if size > 1],
    }
