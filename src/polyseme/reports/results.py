"""What a page of results is made of: plain values, without a word of how they were found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from polyseme.reports.score_tables import ScoreColumn
from polyseme.usage import Usage

UNDEFINED = float("nan")
MODEL, SYSTEM, BASELINE = "model", "system", "baseline"
LEVEL = 0.05
"""Below which corrected p a difference is marked."""


class FigureWithSignificance(NamedTuple):
    """A figure with its interval, and how far it is from that of the row that all are compared with.

    ``p`` is of one comparison, ``corrected`` takes the number of comparisons into account.
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
    def marked(self) -> bool:
        """Whether the difference is more than chance, as far as can be said."""
        return self.corrected < LEVEL


@dataclass(frozen=True)
class ResultLine:
    """A model, a published system, a baseline or a person: its figures, and the same of each lemma.

    ``kind`` says which of these it is; ``spread`` is the standard deviation of each figure over seeds.
    """

    name: str
    kind: str
    figures: Mapping[str, FigureWithSignificance]
    facts: Mapping[str, float] = field(default_factory=dict)
    spread: Mapping[str, float] = field(default_factory=dict)
    lemmas: Mapping[str, float] = field(default_factory=dict)

    def value(self, figure: str) -> float:
        """A figure; not a number, where there is none."""
        return self.figures[figure].value if figure in self.figures else UNDEFINED


class Breakdown(NamedTuple):
    """One measure on parts of the usages: the number of usages of each part, and by line the figure of each."""

    field: str
    sizes: Mapping[str, int]
    values: Mapping[str, Mapping[str, float]]
    left_out: int = 0
    """How many usages are in no part that is large enough."""


class FailedUsage(NamedTuple):
    """A usage, its gold senses and what was answered, each with weights that sum to 1; ``wrong`` is from 0 to 1."""

    usage: Usage
    gold: Mapping[str, float]
    answer: Mapping[str, float]
    wrong: float


class Confusion(NamedTuple):
    """How much weight of a gold sense, summed over usages, was given to another sense instead."""

    lemma: str
    gold: str
    answer: str
    weight: float
    usages: int


@dataclass(frozen=True)
class Mistakes:
    """What the best model gets wrong: how far each usage, the worst of them, and which senses it confuses."""

    wrong: Sequence[float]
    unanswered: int
    examples: Sequence[FailedUsage]
    confusions: Sequence[Confusion]
    glosses: Mapping[tuple[str, str], str]
    mapped: bool
    """Whether senses were mapped to gold's before."""


@dataclass(frozen=True)
class Findings:
    """All that a page of results tells."""

    title: str
    task: str
    columns: Sequence[ScoreColumn]
    measure: ScoreColumn
    """The measure by which rows are ranked, and shown by lemma and by part."""
    lines: Sequence[ResultLine]
    best: str
    """The name of the best model."""
    beside: str
    """The best published system; empty, if there is none."""
    reference: str
    sizes: Mapping[str, int]
    """The number of usages of each lemma."""
    breakdowns: Sequence[Breakdown]
    mistakes: Mistakes | None
    notes: Sequence[str] = ()
    samples: int = 0
    confidence: float = 0.95
    about: Sequence[tuple[str, str]] = ()
    """What was run, as headings and words."""

    def line(self, name: str) -> ResultLine:
        """The line of this name."""
        return next(each for each in self.lines if each.name == name)

    @property
    def focus(self) -> list[ResultLine]:
        """The best model, the best published system and what all are compared with, each once."""
        return [self.line(name) for name in dict.fromkeys((self.best, self.beside, self.reference)) if name]
