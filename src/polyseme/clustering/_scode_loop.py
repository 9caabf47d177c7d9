"""The loop of S-CODE, compiled where numba is installed."""

from __future__ import annotations

from typing import Any

import numpy as np

from polyseme.compilation import FloatArray, compile_loop

Pair = tuple[Any, Any]
"""Arrays for x and for y."""


@compile_loop
def _move_point(point: FloatArray, partner: FloatArray, stranger: FloatArray, step: float, z: float) -> FloatArray:
    """Move a point towards its partner and away from a stranger, and back onto the sphere."""
    away = point - stranger
    new_point: FloatArray = point + step * ((partner - point) + np.exp(-np.dot(away, away)) / z * away)
    new_point /= np.sqrt(np.dot(new_point, new_point))
    return new_point


@compile_loop
def run_pass(vectors: Pair, moves: Pair, pairs: Pair, strangers: Pair, z: float, phi: float, eta: float) -> None:
    """Go once over all pairs, each with two strangers; change the vectors, and the counts of moves, in place."""
    (x, y), (x_moves, y_moves) = vectors, moves
    (first, second), (other_first, other_second) = pairs, strangers
    for pair in range(len(first)):
        one, two = first[pair], second[pair]
        x_step = eta * phi / (phi + x_moves[one])
        y_step = eta * phi / (phi + y_moves[two])
        new_point = _move_point(x[one], y[two], y[other_second[pair]], x_step, z)
        y[two] = _move_point(y[two], x[one], x[other_first[pair]], y_step, z)
        x[one] = new_point
        x_moves[one] += 1
        y_moves[two] += 1
