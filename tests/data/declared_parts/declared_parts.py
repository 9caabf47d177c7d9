"""Parts of somebody else's package: a measure, a baseline and a task."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from polyseme import Labelling, Scores
from polyseme.measures.protocol import MeasureProperties
from polyseme.tasks.columns import ScoreColumn
from polyseme.tasks.result import TaskResult
from polyseme.tasks.task import LabellingTask


@dataclass(frozen=True)
class SameHeaviest:
    """Whether the heaviest senses are the same, usage by usage. (An example of 2026.)"""

    kind: ClassVar[str] = "measure"
    properties: ClassVar[MeasureProperties] = MeasureProperties(citation="an example", symmetric=True)

    def __call__(self, gold: Labelling, system: Labelling) -> Scores:
        """Compare the heaviest senses."""
        answers: Mapping[str, Mapping[str, float]] = system.top()
        values = [
            float(set(senses) == set(answers[usage])) if usage in answers else float("nan")
            for usage, senses in gold.top().items()
        ]
        return Scores.from_units(repr(self), gold.usages, gold.usage_lemmas, values)


@dataclass(frozen=True)
class HeaviestSense(LabellingTask):
    """Scores systems by their heaviest sense. (An example of 2026.)"""

    name: ClassVar[str] = "heaviest-sense"
    columns: ClassVar[tuple[ScoreColumn, ...]] = (ScoreColumn("Same", "same.f1"),)

    def score(self, gold: Labelling, system: Labelling) -> TaskResult:
        """Score the heaviest senses."""
        return TaskResult({"same": SameHeaviest()(gold, system)})


@dataclass(frozen=True)
class Jaccard:
    """A part whose name is taken. (An example of 2026.)"""

    kind: ClassVar[str] = "measure"
