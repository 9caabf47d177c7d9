"""Disambiguation with probabilities and hierarchies of senses (Melamed & Resnik 2000, Senseval)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import ClassVar, Literal

import numpy as np

from polyseme.errors import InputError
from polyseme.inventory import Inventory
from polyseme.labelling import Labelling
from polyseme.measures.protocol import MeasurePart, MeasureProperties
from polyseme.scores import Scores, ScoreSummary


class SenseHierarchy:
    """A tree of senses; a sense that is not in it stands for itself.

    Args:
        parents: The parent of each child.

    >>> tree = SenseHierarchy({"3.1": "3", "3.2": "3", "3.1a": "3.1", "3.1b": "3.1"})
    >>> tree.top("3.1a"), tree.probability({"3.1a"}, "3"), tree.probability({"3"}, "3.1b")
    ('3', 0.25, 1.0)
    """

    def __init__(self, parents: Mapping[str, str] | None = None) -> None:
        self._parents = dict(parents or {})
        self._children = Counter(self._parents.values())
        checked: set[str] = set()
        for start in self._parents:
            sense, path = start, set[str]()
            while sense in self._parents and sense not in checked:
                if sense in path:
                    raise InputError(
                        f"the hierarchy of senses goes round in a circle at {sense!r}; remove one of its lines"
                    )
                path.add(sense)
                sense = self._parents[sense]
            checked |= path

    @classmethod
    def from_inventory(cls, inventory: Inventory) -> SenseHierarchy:
        """Return the tree of the parents that an inventory names."""
        senses = (sense for group in inventory.values() for sense in group)
        return cls({sense.id: sense.parent for sense in senses if sense.parent is not None})

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SenseHierarchy) and self._parents == other._parents

    __hash__ = None  # type: ignore[assignment]

    def ancestors(self, sense: str) -> Iterator[str]:
        """Yield the sense itself, its parent, and so on up to the top."""
        yield sense
        while (parent := self._parents.get(sense)) is not None:
            yield parent
            sense = parent

    def top(self, sense: str) -> str:
        """Return the sense's broadest ancestor."""
        *_, top = self.ancestors(sense)
        return top

    def probability(self, gold: Collection[str], sense: str) -> float:
        """Return P(any gold sense | this sense): 1 at or below one of them; above one, children are equally likely."""
        if any(ancestor in gold for ancestor in self.ancestors(sense)):
            return 1.0
        return sum(self._probability_below(gold, sense, below) for below in gold)

    def _probability_below(self, gold: Collection[str], sense: str, below: str) -> float:
        """Return P(below | sense), or 0 if it is not below it, or if a gold sense in between is counted already."""
        share = 1.0
        for child, parent in pairwise(self.ancestors(below)):
            if child != below and child in gold:
                return 0.0
            share /= self._children[parent]
            if parent == sense:
                return share
        return 0.0


@dataclass(frozen=True)
class MelamedResnik(MeasurePart):
    """The probability that a system gives to any of the correct senses; a broad sense stands for its children.

    A usage scores Σ_t p(t) · P(a correct sense | t), at most 1, where the system's weights are probabilities (divided
    by their sum where that is above 1; mass that is missing counts as not attempted). Precision = score / attempted
    mass, recall = score / usages.

    Gold weights do not matter. (Melamed & Resnik 2000)

    Args:
        granularity: ``"fine"``: P is 1 for a correct sense and 0 for any other. ``"mixed"``: P = 1 at or below a
            correct sense; a sense above one is spread evenly over its children. ``"coarse"``: every sense is replaced
            by its broadest ancestor, on both sides.
        single: Score only the usages with one gold sense.
        hierarchy: The hierarchy of senses.

    >>> gold = Labelling.from_dict({"u": {"A": 1, "B": 1}}, lemma="x")
    >>> system = Labelling.from_dict({"u": {"A": 0.3, "B": 0.4, "C": 0.3}}, lemma="x")
    >>> MelamedResnik()(gold, system).total()["recall"]
    0.7
    """

    granularity: Literal["fine", "mixed", "coarse"] = "fine"
    single: bool = False
    hierarchy: SenseHierarchy = field(default_factory=SenseHierarchy, repr=False, hash=False)
    properties: ClassVar[MeasureProperties] = MeasureProperties(
        citation="Melamed & Resnik 2000, Tagger evaluation given hierarchical tag sets; Resnik & Yarowsky 1997"
    )

    def __call__(self, gold: Labelling, system: Labelling) -> Scores:
        """Score each gold usage, or each with a single sense."""
        rows = [row for row in gold.rows() if len(row[2]) == 1 or not self.single]
        answers = {usage: senses for _, usage, senses in system.rows()}
        statistics = [self._score_usage(frozenset(senses), answers.get(usage, {})) for _, usage, senses in rows]
        usages, lemmas = tuple(usage for _, usage, _ in rows), tuple(lemma for lemma, _, _ in rows)
        return Scores(
            repr(self), usages, lemmas, np.array(statistics, np.float64).reshape(-1, 3), ScoreSummary.answered
        )

    def _score_usage(self, gold: frozenset[str], answer: Mapping[str, float]) -> tuple[float, float, float]:
        """Return (score, attempted mass, 1)."""
        mass = sum(answer.values())
        if mass == float("inf"):
            largest = max(answer.values())
            return self._score_usage(gold, {sense: weight / largest for sense, weight in answer.items()})
        share = 1 / mass if mass > 1 else 1.0
        if self.granularity == "coarse":
            gold = frozenset(map(self.hierarchy.top, gold))
        score = sum(weight * share * self._probability_correct(gold, sense) for sense, weight in answer.items())
        return min(score, 1.0), min(mass, 1.0), 1.0

    def _probability_correct(self, gold: frozenset[str], sense: str) -> float:
        if self.granularity == "mixed":
            return self.hierarchy.probability(gold, sense)
        return float((self.hierarchy.top(sense) if self.granularity == "coarse" else sense) in gold)
