"""The loop of S-CODE, compiled where numba is installed; elsewhere it runs as it is, with the same results."""

from __future__ import annotations

import numpy as np

from polyseme.induce.compiled import Integers, Numbers, compiled


@compiled
def _moved(point: Numbers, friend: Numbers, stranger: Numbers, step: float, z: float) -> Numbers:
    """A point, drawn to a friend and driven from a stranger, on the sphere again."""
    away = point - stranger
    moved: Numbers = point + step * ((friend - point) + np.exp(-np.dot(away, away)) / z * away)
    moved /= np.sqrt(np.dot(moved, moved))
    return moved


@compiled
def embedded(
    x: Numbers,
    y: Numbers,
    x_seen: Integers,
    y_seen: Integers,
    first: Integers,
    second: Integers,
    other_first: Integers,
    other_second: Integers,
    z: float,
    phi: float,
    eta: float,
) -> None:
    """One pass over pairs, each with two strangers: the vectors, and how often each was moved, are changed in place."""
    for pair in range(len(first)):
        one, two = first[pair], second[pair]
        x_step = eta * phi / (phi + x_seen[one])
        y_step = eta * phi / (phi + y_seen[two])
        moved = _moved(x[one], y[two], y[other_second[pair]], x_step, z)
        y[two] = _moved(y[two], x[one], x[other_first[pair]], y_step, z)
        x[one] = moved
        x_seen[one] += 1
        y_seen[two] += 1
