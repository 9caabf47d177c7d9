"""What a measure is, and what it must declare about itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal, Protocol, runtime_checkable

from polyseme.labelling import Labelling
from polyseme.scores import Scores

TASK_13 = "Jurgens & Klapaftis 2013, SemEval-2013 Task 13"
Variant = Literal["official", "paper"]
UnlabelledRule = Literal["recall", "zero", "worst", "cluster", "absent"]


@dataclass(frozen=True)
class MeasureProperties:
    """What a measure says about itself; a test holds it to every word.

    ``missing`` is what a gold usage costs that the system left unlabelled:

    * ``"recall"`` – it is left out of precision and counts 0 in recall,
    * ``"zero"`` – every sense of it weighs 0 on the system's side,
    * ``"worst"`` – it gets the worst value there is,
    * ``"cluster"`` – all unlabelled usages of a lemma form one cluster of their own,
    * ``"absent"`` – it simply has no sense on the system's side.
    """

    citation: str
    low: float = 0.0
    high: float = 1.0
    best: float = 1.0
    symmetric: bool = False
    missing: UnlabelledRule = "recall"
    named: bool = True
    """Whether gold and system must use the same sense names; if not, renaming senses changes nothing."""
    self_is_best: bool = True
    """Whether gold against gold gives ``best`` (where every usage has a weight above 0, and probabilities sum to 1);
    the original scorers do not always."""


@runtime_checkable
class Measure(Protocol):
    """A measure is a value: a frozen dataclass whose fields are its options, called with (gold, system)."""

    kind: ClassVar[str]
    properties: ClassVar[MeasureProperties]

    def __call__(self, gold: Labelling, system: Labelling) -> Scores:
        """Score the system's labelling against the gold one."""
        ...
