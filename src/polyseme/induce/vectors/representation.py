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

State = Mapping[str, NDArray[Any]]
"""What was learnt, as arrays by name."""


class Telling(NamedTuple):
    """What usages have in names that people can read: usages × names."""

    names: tuple[str, ...]
    weights: Matrix


class Fitted(Protocol):
    """A representation that was fitted to the usages of a lemma."""

    def __call__(self, passages: Passages) -> Matrix:
        """A row for each usage."""
        ...

    @property
    def state(self) -> State:
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

    def fit(self, passages: Passages) -> Fitted:
        """Learn from the usages of a lemma what is to be learnt."""
        ...

    def restored(self, state: State) -> Fitted:
        """The same as was fitted before."""
        ...


def alone(represent: Representation) -> bool:
    """Whether one process should do it all, as where a language model is loaded, which has threads of its own."""
    inner = getattr(represent, "of", None)
    return bool(getattr(represent, "alone", False)) or (isinstance(inner, Representation) and alone(inner))


def below(state: State, name: str) -> State:
    """The part of a state that another representation inside this one learnt.

    >>> below({"inner.mean": np.zeros(1), "words": np.zeros(2)}, "inner")
    {'mean': array([0.])}
    """
    return {key.removeprefix(f"{name}."): value for key, value in state.items() if key.startswith(f"{name}.")}


def nested(state: State, name: str) -> State:
    """The state of a representation inside another one, to be kept with that one's."""
    return {f"{name}.{key}": value for key, value in state.items()}


def names_array(names: tuple[str, ...]) -> NDArray[Any]:
    """Names as an array that can be written without pickling."""
    return np.array(names, dtype=np.str_) if names else np.zeros(0, "<U1")
