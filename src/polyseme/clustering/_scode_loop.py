"""The loop of S-CODE, compiled where numba is installed."""

from __future__ import annotations

import numpy as np

from polyseme.compilation import FloatArray, IntegerArray, compile_loop


@compile_loop
def _move_point(point: FloatArray, partner: FloatArray, stranger: FloatArray, step: float, z: float) -> FloatArray:
    """Move a point towards its partner and away from a stranger, and back onto the sphere."""
    away = point - stranger
    moved: FloatArray = point + step * ((partner - point) + np.exp(-np.dot(away, away)) / z * away)
    moved /= np.sqrt(np.dot(moved, moved))
    return moved


@compile_loop
def run_pass(
    x: FloatArray,
    y: FloatArray,
    x_moves: IntegerArray,
    y_moves: IntegerArray,
    first: IntegerArray,
    second: IntegerArray,
    other_first: IntegerArray,
    other_second: IntegerArray,
    z: float,
    phi: float,
    eta: float,
) -> None:
    """Go once over all pairs, each with two strangers; change the vectors, and the counts of moves, in place."""
    for pair in range(len(first)):
        one, two = first[pair], second[pair]
        x_step = eta * phi / (phi + x_moves[one])
        y_step = eta * phi / (phi + y_moves[two])
        moved = _move_point(x[one], y[two], y[other_second[pair]], x_step, z)
        y[two] = _move_point(y[two], x[one], x[other_first[pair]], y_step, z)
        x[one] = moved
        x_moves[one] += 1
        y_moves[two] += 1
