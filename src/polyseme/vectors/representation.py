"""Representations: how usages become vectors.

A representation is a specification. Fitted to the usages of a lemma, it is a function from passages to a matrix. What
it has learnt, its ``state``, consists of arrays, so that it can be stored in a file and rebuilt by ``restore``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, NamedTuple, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from polyseme.corpus.passages import Passages

Matrix = Any
"""Usages × dimensions: a dense array or a sparse one."""

RepresentationState = Mapping[str, NDArray[Any]]
"""The arrays that a representation has learnt, by name."""


class NamedFeatures(NamedTuple):
    """The features of usages under readable names: usages × names."""

    names: tuple[str, ...]
    weights: Matrix


class FittedRepresentation(Protocol):
    """A representation that was fitted to the usages of a lemma."""

    def __call__(self, passages: Passages) -> Matrix:
        """A row for each usage."""
        ...

    @property
    def state(self) -> RepresentationState:
        """The arrays that it has learnt."""
        ...


@runtime_checkable
class Representation(Protocol):
    """The specification of how usages become vectors; fitting does not change it."""

    kind: ClassVar[str]

    @property
    def reads_text(self) -> bool:
        """Whether it reads the texts themselves; otherwise it reads the words that an analyser finds in them."""
        ...

    def fit(self, passages: Passages) -> FittedRepresentation:
        """Learn from the usages of a lemma."""
        ...

    def restore(self, state: RepresentationState) -> FittedRepresentation:
        """Rebuild a fitted representation from its state."""
        ...


def needs_one_process(representation: Representation) -> bool:
    """Whether one process should do all the work, as where a language model uses threads of its own."""
    inner = getattr(representation, "of", None)
    needs_it = bool(getattr(representation, "single_process", False))
    return needs_it or (isinstance(inner, Representation) and needs_one_process(inner))


def inner_state(state: RepresentationState, name: str) -> RepresentationState:
    """Extract the state of an inner representation.

    >>> inner_state({"inner.mean": np.zeros(1), "words": np.zeros(2)}, "inner")
    {'mean': array([0.])}
    """
    return {key.removeprefix(f"{name}."): value for key, value in state.items() if key.startswith(f"{name}.")}


def prefix_state(state: RepresentationState, name: str) -> RepresentationState:
    """Rename the arrays of an inner representation, to store them with those of the outer one."""
    return {f"{name}.{key}": value for key, value in state.items()}


def names_array(names: tuple[str, ...]) -> NDArray[Any]:
    """Convert names to an array that can be written without pickling."""
    return np.array(names, dtype=np.str_) if names else np.zeros(0, "<U1")
