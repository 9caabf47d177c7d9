"""What a measure is, and the properties that it declares."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import ClassVar, Literal, Protocol, runtime_checkable

from polyseme.conversion import LabellingLike, as_labelling
from polyseme.labelling import Labelling
from polyseme.parts import check_options
from polyseme.scores import Scores

TASK_13 = "Jurgens & Klapaftis 2013, SemEval-2013 Task 13"
Variant = Literal["official", "paper"]
UnlabelledRule = Literal["recall", "zero", "worst", "cluster", "absent"]


@dataclass(frozen=True)
class MeasureProperties:
    """The properties of a measure; a test holds it to each of them.

    Args:
        citation: Where the measure is defined.
        low: The lowest value.
        high: The highest value.
        best: The best value.
        symmetric: Whether gold and system can be exchanged.
        missing: The cost of a gold usage that the system leaves unlabelled. ``"recall"``: it is left out of precision
            and counts 0 in recall. ``"zero"``: all its senses have weight 0 on the system's side. ``"worst"``: it gets
            the worst value. ``"cluster"``: all unlabelled usages of a lemma form one cluster. ``"absent"``: it has no
            sense on the system's side.
        same_inventory: Whether gold and system must use the same sense names; if not, renaming senses changes nothing.
        self_is_best: Whether gold against gold gives ``best``, which the original scorers do not always. It is tested
            with gold in which every usage has a weight above 0 and probabilities sum to 1.
    """

    citation: str
    low: float = 0.0
    high: float = 1.0
    best: float = 1.0
    symmetric: bool = False
    missing: UnlabelledRule = "recall"
    same_inventory: bool = True
    self_is_best: bool = True


class MeasurePart:
    """The base of measures: it checks their options, and takes dictionaries and data frames for labellings."""

    kind: ClassVar[str] = "measure"

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "__call__" in vars(cls):
            setattr(cls, "__call__", _with_labellings(vars(cls)["__call__"]))  # noqa: B010 mypy takes it for an instance's

    def __post_init__(self) -> None:
        check_options(self)


def _with_labellings(compare: Callable[..., Scores]) -> Callable[..., Scores]:
    """Let a measure take what :func:`polyseme.conversion.as_labelling` takes."""

    @wraps(compare)
    def compare_any(self: MeasurePart, gold: LabellingLike, system: LabellingLike) -> Scores:
        return compare(self, as_labelling(gold), as_labelling(system))

    return compare_any


@runtime_checkable
class Measure(Protocol):
    """A measure is a value: a frozen dataclass whose fields are its options, called with (gold, system)."""

    kind: ClassVar[str]
    properties: ClassVar[MeasureProperties]

    def __call__(self, gold: Labelling, system: Labelling) -> Scores:
        """Score the system's labelling against the gold one."""
        ...
