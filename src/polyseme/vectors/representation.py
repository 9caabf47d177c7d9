"""How usages become vectors: what all representations have in common.

A representation is a specification. Fitted to the usages of a lemma it is a function from passages to a matrix, whose
``state`` is arrays alone, so that it can be kept in a file and made again by ``restored``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, NamedTuple, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from polyseme.corpus.passages import Passages

Matrix = Any
"""Usages × dimensions: an array or a sparse one."""

RepresentationState = Mapping[str, NDArray[Any]]
"""What was learnt, as arrays by name."""


class NamedFeatures(NamedTuple):
    """What usages have in names that people can read: usages × names."""

    names: tuple[str, ...]
    weights: Matrix


class FittedRepresentation(Protocol):
    """A representation that was fitted to the usages of a lemma."""

    def __call__(self, passages: Passages) -> Matrix:
        """A row for each usage."""
        ...

    @property
    def state(self) -> RepresentationState:
        """What it learnt."""
        ...


@runtime_checkable
class Representation(Protocol):
    """A specification of how usages become vectors; fitting changes nothing in it."""

    kind: ClassVar[str]

    @property
    def reads_text(self) -> bool:
        """Whether it looks at texts themselves; else at the words that an analyser found there."""
        ...

    def fit(self, passages: Passages) -> FittedRepresentation:
        """Learn from the usages of a lemma what is to be learnt."""
        ...

    def restore(self, state: RepresentationState) -> FittedRepresentation:
        """The same as was fitted before."""
        ...


def needs_one_process(represent: Representation) -> bool:
    """Whether one process should do it all, as where a language model is loaded, which has threads of its own."""
    inner = getattr(represent, "of", None)
    return bool(getattr(represent, "alone", False)) or (isinstance(inner, Representation) and needs_one_process(inner))


def inner_state(state: RepresentationState, name: str) -> RepresentationState:
    """The part of a state that another representation inside this one learnt.

    >>> inner_state({"inner.mean": np.zeros(1), "words": np.zeros(2)}, "inner")
    {'mean': array([0.])}
    """
    return {key.removeprefix(f"{name}."): value for key, value in state.items() if key.startswith(f"{name}.")}


def prefix_state(state: RepresentationState, name: str) -> RepresentationState:
    """The state of a representation inside another one, to be kept with that one's."""
    return {f"{name}.{key}": value for key, value in state.items()}


def names_array(names: tuple[str, ...]) -> NDArray[Any]:
    """Names as an array that can be written without pickling."""
    return np.array(names, dtype=np.str_) if names else np.zeros(0, "<U1")
