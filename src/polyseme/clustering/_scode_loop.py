"""The loop of S-CODE, compiled where numba is installed; elsewhere it runs as it is, with the same results."""

from __future__ import annotations

import numpy as np

from polyseme.compilation import FloatArray, IntegerArray, compile_loop


@compile_loop
def _move_point(point: FloatArray, friend: FloatArray, stranger: FloatArray, step: float, z: float) -> FloatArray:
    """A point, drawn to a friend and driven from a stranger, on the sphere again."""
    away = point - stranger
    moved: FloatArray = point + step * ((friend - point) + np.exp(-np.dot(away, away)) / z * away)
    moved /= np.sqrt(np.dot(moved, moved))
    return moved


@compile_loop
def run_pass(
    x: FloatArray,
    y: FloatArray,
    x_seen: IntegerArray,
    y_seen: IntegerArray,
    first: IntegerArray,
    second: IntegerArray,
    other_first: IntegerArray,
    other_second: IntegerArray,
    z: float,
    phi: float,
    eta: float,
) -> None:
    """One pass over pairs, each with two strangers: the vectors, and how often each was moved, are changed in place."""
    for pair in range(len(first)):
        one, two = first[pair], second[pair]
        x_step = eta * phi / (phi + x_seen[one])
        y_step = eta * phi / (phi + y_seen[two])
        moved = _move_point(x[one], y[two], y[other_second[pair]], x_step, z)
        y[two] = _move_point(y[two], x[one], x[other_first[pair]], y_step, z)
        x[one] = moved
        x_seen[one] += 1
        y_seen[two] += 1
