"""Fineness: the same model with coarser or finer senses, one step at a time."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from polyseme.induction.same_sense import SameSense
from polyseme.induction.substitution import Substitution
from polyseme.parts import short_specification

STEPS = (0.18, 0.26, 0.34, 0.42, 0.50, 0.58, 0.66, 0.74)
"""The probabilities of the same sense that pages offer; the default of a model is one of them."""


@dataclass(frozen=True)
class Fineness:
    """How fine the senses of a model are, and the models one step away.

    Args:
        probability: The probability of the same sense that two groups of usages need to form one sense.
        is_default: Whether it is the default.
        coarser: The specification of the next coarser model; empty at the end of the steps.
        finer: The specification of the next finer model; empty at the end of the steps.

    >>> fineness = measure_fineness(Substitution())
    >>> print(fineness), fineness.coarser, fineness.finer
    .42 (default)
    (None, 'Substitution(probability=0.34)', 'Substitution(probability=0.5)')
    """

    probability: float
    is_default: bool
    coarser: str
    finer: str

    def __str__(self) -> str:
        return f"{format_probability(self.probability)}{' (default)' if self.is_default else ''}"


def measure_fineness(inducer: Any) -> Fineness | None:
    """The fineness of a model; ``None`` if no probability decides how many senses it has."""
    if not _has_fineness(inducer):
        return None
    probability = inducer.probability
    coarser = next((step for step in reversed(STEPS) if step < probability), None)
    finer = next((step for step in STEPS if step > probability), None)
    specifications = (_with_probability(inducer, step) for step in (coarser, finer))
    return Fineness(probability, probability == Substitution.probability, *specifications)


def list_steps(inducer: Any) -> list[str]:
    """The specifications of a model at all steps; none if no probability decides how many senses it has."""
    return [_with_probability(inducer, step) for step in STEPS] if _has_fineness(inducer) else []


def state_difference(inducer: Any, other: Any) -> str:
    """State the fineness of a model that differs from another in it alone; empty if it differs in anything else.

    >>> state_difference(Substitution(probability=0.5), Substitution())
    'finer: .50'
    >>> state_difference(Substitution(number=3), Substitution())
    ''
    """
    if not (_has_fineness(inducer) and _has_fineness(other)) or inducer == other:
        return ""
    if replace(inducer, probability=other.probability) != other:
        return ""
    direction = "finer" if inducer.probability > other.probability else "coarser"
    return f"{direction}: {format_probability(inducer.probability)}"


def format_probability(probability: float) -> str:
    """Format a probability without the zero.

    >>> format_probability(0.6), format_probability(0.445)
    ('.60', '.445')
    """
    return f"{probability:.2f}".lstrip("0") if round(probability, 2) == probability else f"{probability:g}".lstrip("0")


def _has_fineness(inducer: Any) -> bool:
    return isinstance(inducer, Substitution) and isinstance(inducer.clusterer(), SameSense)


def _with_probability(inducer: Any, probability: float | None) -> str:
    """The specification of a model with another probability; empty without one."""
    return "" if probability is None else short_specification(replace(inducer, probability=probability))
