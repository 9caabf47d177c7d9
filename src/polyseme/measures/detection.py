"""Detection: measures of the *set* of senses that apply to a usage."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from polyseme.labelling import Labelling
from polyseme.measures.alignment import Alignment
from polyseme.measures.protocol import TASK_13, MeasurePart, MeasureProperties
from polyseme.scores import Scores


@dataclass(frozen=True)
class Jaccard(MeasurePart):
    """Detection: the share of the listed senses that both list, |G ∩ T| / |G ∪ T|, usage by usage.

    A sense listed with weight 0 is a member. (Jurgens 2012, "Detection"; SemEval-2013 Task 13, §3.1.2)

    >>> gold = Labelling.from_dict({"win.v.i": {"win.v.1": 0.6, "win.v.2": 0.4}}, lemma="win.v")
    >>> system = Labelling.from_dict({"win.v.i": {"win.v.3": 0.5, "win.v.1": 0.3, "win.v.4": 0.2}}, lemma="win.v")
    >>> Jaccard()(gold, system).total()["f1"]
    0.25
    """

    properties: ClassVar[MeasureProperties] = MeasureProperties(
        citation=f"Jurgens 2012, §2; {TASK_13}, §3.1.2", symmetric=True
    )

    def __call__(self, gold: Labelling, system: Labelling) -> Scores:
        """Score each gold usage."""
        table = Alignment.from_labellings(gold, system)
        common = table.per_usage(table.in_gold & table.in_system)
        return table.scores(self, common / table.sizes)
