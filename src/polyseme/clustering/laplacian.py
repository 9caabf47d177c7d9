"""The normalised Laplacian of a similarity graph: its smallest eigenvalues, and their vectors.

With the similarities A of all pairs of rows, and their sums in a diagonal D, it is L = I − D^−½ A D^−½.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from polyseme.arrays import Floats
from polyseme.matrices import dot_products

DENSE_LIMIT = 500
"""Up to so many rows all eigenvalues are computed, which is then as fast as some."""


def laplacian_vectors(rows: Any, count: int) -> tuple[Floats, Floats]:
    """The smallest eigenvalues, and their vectors in columns, at most n of them; unit rows are given.

    Rows are as similar as their cosine, at least 0; those without any length are like each other.

    >>> laplacian_vectors(np.eye(3), 2)[0].tolist()
    [0.0, 0.0]
    """
    import scipy.linalg
    from scipy.sparse.linalg import eigsh

    similar = np.maximum(dot_products(rows, rows), 0)
    empty = np.flatnonzero(np.diagonal(similar) < 0.5)
    similar[empty[:, None], empty] = 1
    scale = 1 / np.sqrt(similar.sum(axis=1))
    similar *= scale
    similar *= scale[:, None]
    size = len(similar)
    if size <= max(DENSE_LIMIT, 3 * count):
        values, vectors = scipy.linalg.eigh(similar)
    else:
        values, vectors = eigsh(similar, count, v0=np.ones(size) + np.linspace(0, 1, size))
    order = np.argsort(-values, kind="stable")[:count]
    return np.maximum(1 - values[order], 0).round(12), vectors[:, order]
