"""The values of a page of results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from polyseme.tasks.columns import ScoreColumn
from polyseme.usage import Usage

UNDEFINED = float("nan")
MODEL, SYSTEM, BASELINE = "model", "system", "baseline"
LEVEL = 0.05
"""A difference is significant if its corrected p is below this level."""


class FigureWithSignificance(NamedTuple):
    """A figure with its interval, and its difference from that of the reference.

    Args:
        value: The figure.
        low: The lower end of its interval.
        high: The upper end of its interval.
        difference: The difference from the reference.
        least: The lower end of the interval of the difference.
        most: The upper end of the interval of the difference.
        p: The p-value of this comparison.
        corrected: The p-value, corrected for the number of comparisons.
    """

    value: float
    low: float = UNDEFINED
    high: float = UNDEFINED
    difference: float = UNDEFINED
    least: float = UNDEFINED
    most: float = UNDEFINED
    p: float = UNDEFINED
    corrected: float = UNDEFINED

    @property
    def significant(self) -> bool:
        """Whether the difference is significant."""
        return self.corrected < LEVEL


@dataclass(frozen=True)
class ResultLine:
    """The results of a model, a published system, a baseline or a person.

    Args:
        name: Its name.
        kind: Model, system, baseline or annotator.
        figures: Its figures.
        facts: How many usages it labels with how many senses.
        spread: The standard deviation of each figure over seeds.
        lemmas: The headline figure of each lemma.
    """

    name: str
    kind: str
    figures: Mapping[str, FigureWithSignificance]
    facts: Mapping[str, float] = field(default_factory=dict)
    spread: Mapping[str, float] = field(default_factory=dict)
    lemmas: Mapping[str, float] = field(default_factory=dict)

    def value(self, figure: str) -> float:
        """The value of a figure; NaN if there is none."""
        return self.figures[figure].value if figure in self.figures else UNDEFINED


class Breakdown(NamedTuple):
    """The headline figure on groups of usages.

    Args:
        field: The field of the metadata that defines the groups.
        sizes: The number of usages of each group.
        values: The figure of each group, by line.
        left_out: The number of usages that are in no group of sufficient size.
    """

    field: str
    sizes: Mapping[str, int]
    values: Mapping[str, Mapping[str, float]]
    left_out: int = 0


class FailedUsage(NamedTuple):
    """A usage, its gold senses and its answer, both with weights that sum to 1, and the error, from 0 to 1."""

    usage: Usage
    gold: Mapping[str, float]
    answer: Mapping[str, float]
    error: float


class Confusion(NamedTuple):
    """The weight of a gold sense, summed over usages, that was given to another sense instead."""

    lemma: str
    gold: str
    answer: str
    weight: float
    usages: int


@dataclass(frozen=True)
class Mistakes:
    """The mistakes of the best model.

    Args:
        errors: The error of each usage, from 0 to 1.
        unanswered: The number of usages without an answer.
        examples: The worst usages.
        confusions: The senses that are confused most.
        glosses: The glosses of senses, by lemma and sense.
        mapped: Whether senses were mapped to gold senses first.
    """

    errors: Sequence[float]
    unanswered: int
    examples: Sequence[FailedUsage]
    confusions: Sequence[Confusion]
    glosses: Mapping[tuple[str, str], str]
    mapped: bool


@dataclass(frozen=True)
class Findings:
    """The contents of a page of results.

    Args:
        title: The title of the experiment.
        task: The name of the task.
        columns: The columns of the table of scores.
        measure: The column of the headline figure, by which lines are ranked.
        lines: The results.
        best: The name of the best model.
        best_system: The name of the best published system; empty if there is none.
        reference: The name of the line that all are compared with.
        sizes: The number of usages of each lemma.
        breakdowns: The headline figure on groups of usages.
        mistakes: The mistakes of the best model.
        notes: Sentences for the summary.
        samples: The number of bootstrap samples; 0 if there are no intervals and tests.
        confidence: The confidence level of the intervals.
        about: What was run, as headings and texts.
    """

    title: str
    task: str
    columns: Sequence[ScoreColumn]
    measure: ScoreColumn
    lines: Sequence[ResultLine]
    best: str
    best_system: str
    reference: str
    sizes: Mapping[str, int]
    breakdowns: Sequence[Breakdown]
    mistakes: Mistakes | None
    notes: Sequence[str] = ()
    samples: int = 0
    confidence: float = 0.95
    about: Sequence[tuple[str, str]] = ()

    def line(self, name: str) -> ResultLine:
        """The line of this name."""
        return next(line for line in self.lines if line.name == name)

    @property
    def focus(self) -> list[ResultLine]:
        """The best model, the best published system and the reference, without repetition."""
        return [self.line(name) for name in dict.fromkeys((self.best, self.best_system, self.reference)) if name]

    def ranked_lemmas(self, limit: int | None = None) -> list[str]:
        """The lemmas, or the most frequent of them, ranked by the headline figure of the best model."""
        values = self.line(self.best).lemmas
        frequent = sorted(values, key=lambda lemma: (-self.sizes.get(lemma, 0), lemma))[:limit]
        return sorted(frequent, key=lambda lemma: (-values[lemma], lemma))
