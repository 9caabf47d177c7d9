"""What a task offers to the commands that score, compare, run, report and reproduce."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, ClassVar, Literal, Protocol

from polyseme.baselines import Baseline
from polyseme.datasets import DataSet
from polyseme.errors import InputError
from polyseme.formats import read_labelling
from polyseme.inventory import Inventory
from polyseme.labelling import Labelling
from polyseme.measures.alignment import warn_of_unlabelled_lemmas
from polyseme.tasks.columns import COUNT_FIGURES, ScoreColumn
from polyseme.tasks.data import EvaluationData
from polyseme.tasks.published import DataFigures, PrintedFigure, ReproducedFigure
from polyseme.tasks.result import Figures, RunRow, TaskResult
from polyseme.usage import Usage

Load = Callable[[str], DataSet]
"""Gives a data set by its name, as :func:`polyseme.load` does."""

LabelKind = Literal["induced", "dictionary", "substitutes"]
"""Labels that a task scores: induced senses, the senses of a dictionary, or substitutes."""

Path = str | os.PathLike[str]
SelectLemmas = Callable[[Collection[str]], Collection[str]]
"""Chooses the lemmas to score."""
BaselineGroup = Mapping[str, Sequence[Baseline]]
"""Baselines by name; a stochastic one has several runs, which are averaged."""


class NothingMappedError(InputError):
    """Too few usages are labelled to learn a mapping from them."""


class Task:
    """A protocol of the field; subclasses are frozen dataclasses whose fields are its options.

    A task that computes published figures again says from what: worked examples, answer keys of a data set, data, or
    models that are run. The figures themselves are in ``polyseme/tasks/figures``.

    Attributes:
        name: The name of the task on the command line and in plans.
        key_data: The data set whose answer keys published figures are computed from; empty if there is none.
        model_tables: The published tables that need a run of models.
        model_plan: The settings of the plan that is run for these tables.
    """

    kind: ClassVar[str] = "task"
    name: ClassVar[str]
    key_data: ClassVar[str] = ""
    model_tables: ClassVar[tuple[str, ...]] = ()
    model_plan: ClassVar[Mapping[str, Any]] = {}

    def compute_worked_examples(self) -> Iterator[ReproducedFigure]:
        """Yield the figures of the paper's worked examples."""
        yield from ()

    def score_published_key(self, data: DataSet, printed: PrintedFigure) -> Figures:
        """Score the published key that a printed figure names."""
        raise NotImplementedError(f"{self.name} has no published keys: {data!r}, {printed!r}")

    def data_figures(self) -> Mapping[str, Callable[[Load], DataFigures]]:
        """Return, for each source of figures that need data only, the function that computes them."""
        return {}

    def compare_models(self, rows: Sequence[RunRow]) -> Iterator[ReproducedFigure]:
        """Yield the figures of :attr:`model_tables` with those of a run."""
        yield from ()

    def describe_models(self, rows: Sequence[RunRow]) -> list[str]:
        """Return notes about the models of such a run."""
        return []

    def describe_data(self, load: Load) -> list[str]:
        """Return notes about figures that the data give and the paper does not print."""
        return []


@dataclass(frozen=True)
class EvaluationSet:
    """Usages with gold labels, and how labellings of them are scored.

    Args:
        task: The task with its options.
        gold: The gold labelling.
        usages: The usages to label.
        score: Scores the labelling of a system.
        baselines: The runs of each baseline that is compared with the models, by name.
        baseline_task: The task that scores baselines; by default ``score`` does.
        annotators: Figures of annotators, to compare models with.
        candidates: The substitutes that gold has for each lemma.
    """

    task: LabellingTask
    gold: Labelling
    usages: Sequence[Usage]
    score: Callable[[Labelling], TaskResult]
    baselines: Mapping[str, Sequence[Callable[[], Labelling]]] = field(default_factory=dict)
    baseline_task: LabellingTask | None = None
    annotators: Mapping[str, Figures] = field(default_factory=dict)
    candidates: Inventory | None = None

    def score_baseline(self, labelling: Labelling) -> TaskResult:
        """Score the labelling of a baseline."""
        return self.baseline_task.score(self.gold, labelling) if self.baseline_task else self.score(labelling)

    def score_baselines(self) -> dict[str, dict[str, float]]:
        """Score every baseline; of several runs return the mean."""
        return {
            name: average_runs([self.score_baseline(run()).figures() for run in runs])
            for name, runs in self.baselines.items()
        }


class ScorableTask(Protocol):
    """What a table of scores needs of a task."""

    name: ClassVar[str]
    columns: ClassVar[tuple[ScoreColumn, ...]]


class LabellingTask(Task):
    """A task whose gold standard and systems are labellings.

    Attributes:
        key_rule: The loading rule of answer keys.
        columns: The columns of a table of scores.
        labels: The kinds of labels that plans can run it with; none if plans cannot name it.
        takes_mappings: Whether a plan names the mappings of induced senses.
    """

    key_rule: ClassVar[str] = "as-written"
    columns: ClassVar[tuple[ScoreColumn, ...]]
    labels: ClassVar[tuple[LabelKind, ...]] = ()
    takes_mappings: ClassVar[bool] = False

    @property
    def headline(self) -> str:
        """The figure that ranks the rows of a run."""
        return self.columns[0].figure

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes below the table of a run."""
        return ()

    def score(self, gold: Labelling, system: Labelling) -> TaskResult:
        """Score a system's labelling against gold."""
        raise NotImplementedError

    def score_mapped(self, gold: Labelling, system: Labelling) -> TaskResult:
        """Score a system's labelling in an experiment.

        Raises:
            NothingMappedError: If no usage can be mapped.
        """
        return self.score(gold, system)

    def map_to_gold(self, gold: Labelling, system: Labelling) -> Labelling:
        """Return a system's labelling with the senses of gold, mapped where they are induced."""
        return system

    # -- files ---------------------------------------------------------------------------------------------------

    def read_gold(self, path: Path) -> Labelling:
        """Read a gold standard."""
        return read_labelling(path, self.key_rule)

    def score_file(self, gold: Labelling, path: Path) -> TaskResult:
        """Read the answers of a system and score them."""
        answers = read_labelling(path, self.key_rule)
        warn_of_unlabelled_lemmas(gold, answers)
        return self.score(gold, answers)

    # -- baselines -----------------------------------------------------------------------------------------------

    def baselines(self) -> list[tuple[BaselineGroup, LabellingTask]]:
        """Return groups of baselines to compare systems with, each with the task that scores it."""
        return []

    def score_baselines(self, gold: Labelling) -> dict[str, dict[str, float]]:
        """Score every baseline; of several runs return the mean."""
        return {
            name: average_runs([task.score(gold, run(gold)).figures() for run in runs])
            for group, task in self.baselines()
            for name, runs in group.items()
        }

    # -- experiments ---------------------------------------------------------------------------------------------

    @classmethod
    def list_variants(
        cls,
        labels: LabelKind,  # noqa: ARG003 for subclasses
        mappings: Sequence[str] = (),  # noqa: ARG003
    ) -> dict[str, LabellingTask]:
        """Return the task as a plan runs it, by the name of the mapping; without a name if there is one variant.

        Args:
            labels: The kind of labels that the models of the plan give.
            mappings: Specifications of mappings, for tasks with ``takes_mappings``.
        """
        return {"": cls()}

    @property
    def run_columns(self) -> tuple[ScoreColumn, ...]:
        """The columns of the table of a run."""
        return self.columns

    @property
    def measures(self) -> list[str]:
        """The figures that a plan can name; ``a*b`` is a geometric mean, ``sets.*`` all figures that begin so."""
        return [column.figure for column in self.run_columns if column.figure not in COUNT_FIGURES]

    def get_gold(self, data: EvaluationData) -> Labelling:
        """Return the gold labelling of a data set."""
        return data.gold

    def make_evaluation_set(
        self, data: EvaluationData, select: SelectLemmas, dictionary: Inventory | None = None
    ) -> EvaluationSet:
        """Return the usages of a data set, their gold labels and what scores a labelling of them.

        Args:
            data: The data set, or the files of a user.
            select: Chooses lemmas.
            dictionary: The senses of the dictionary, where labels are its senses.
        """
        return self.make_evaluation_set_from_gold(restrict_to_lemmas(self.get_gold(data), select), data.usages)

    def make_evaluation_set_from_gold(self, gold: Labelling, usages: Sequence[Usage]) -> EvaluationSet:
        """Return the evaluation set of a gold labelling: the usages it labels, and the first group of baselines."""
        group, task = next(iter(self.baselines()), ({}, self))
        runs = {name: [partial(run, gold) for run in runs] for name, runs in group.items()}
        scored = [usage for usage in usages if usage.id in gold]
        return EvaluationSet(self, gold, scored, partial(self.score_mapped, gold), runs, task)


def restrict_to_lemmas(gold: Labelling, select: SelectLemmas) -> Labelling:
    """Return the part of a gold labelling whose lemmas are selected."""
    lemmas = set(select(gold.lemmas))
    return gold.restrict(usage for usage in gold if gold.lemma(usage) in lemmas)


def average_runs(runs: Sequence[Figures]) -> dict[str, float]:
    """Return the mean of each figure over the runs of a baseline."""
    return {figure: sum(run[figure] for run in runs) / len(runs) for figure in runs[0]}
