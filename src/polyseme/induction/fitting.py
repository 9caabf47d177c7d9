"""What a model is fitted to, the senses of each lemma, and why a lemma has none."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from polyseme.corpus.analysers import Analyser
from polyseme.corpus.index import Index
from polyseme.errors import InputError
from polyseme.induction.model import LemmaVectors
from polyseme.inventory import Sense
from polyseme.parts import short_specification
from polyseme.usage import Usage

EXAMPLE_COUNT = 3
"""How many example usages a sense has."""

INTERRUPTED = "the work was interrupted before its turn"
"""The reason why a lemma has no senses if the user interrupted the work."""


class NothingInduced(InputError):
    """No lemma has senses.

    Args:
        inducer: The inducer.
        missed: The reason for each lemma.
    """

    def __init__(self, inducer: object, missed: Mapping[str, str]) -> None:
        reasons = summarise_reasons(missed) or "no lemmas were given"
        super().__init__(f"{short_specification(inducer)} finds no senses: {reasons}")
        self.missed = missed


def summarise_reasons(missed: Mapping[str, str], limit: int = 5) -> str:
    """Say in words why lemmas have no senses.

    >>> summarise_reasons({"bank.n": "it is too rare", "tree.n": "it is nowhere"}, limit=1)
    'bank.n: it is too rare; and so on, 2 lemmas'
    """
    reasons = "; ".join(f"{lemma}: {reason}" for lemma, reason in list(missed.items())[:limit])
    return f"{reasons}; and so on, {len(missed)} lemmas" if len(missed) > limit else reasons


class LemmaSenses(NamedTuple):
    """The senses of a lemma, the most frequent first.

    Args:
        senses: The senses.
        labelled: The share of the lemma's usages in the corpus that have a sense.
        vectors: The vectors of the senses, if they are vectors.
    """

    senses: tuple[Sense, ...]
    labelled: float
    vectors: LemmaVectors | None = None


class FitTask(NamedTuple):
    """What a model is fitted to; the fields are the arguments of :meth:`.inducer.Inducer.fit`."""

    corpus: Index | Sequence[Usage]
    lemmas: Sequence[str]
    usages: Sequence[Usage]
    analyser: Analyser | None
    processes: int | None


class FittingProgress(NamedTuple):
    """How far fitting has come: lemmas done, all lemmas, and the last lemma."""

    done: int
    lemmas: int
    lemma: str


ShowFitting = Callable[[FittingProgress], object]
