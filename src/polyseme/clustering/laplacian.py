"""The normalised Laplacian of a similarity graph: its smallest eigenvalues, and their vectors.

With the similarities A of all pairs of rows, and their sums in a diagonal D, it is L = I − D^−½ A D^−½.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from polyseme.arrays import Floats
from polyseme.matrices import dot_products

DENSE_LIMIT = 500
"""Up to this number of rows, all eigenvalues are computed: it is as fast as a few."""


def laplacian_vectors(rows: Any, count: int) -> tuple[Floats, Floats]:
    """Compute the smallest eigenvalues, and their vectors in columns, at most as many as there are rows.

    The similarity of two unit rows is their cosine, or 0 if it is negative; rows of zeros are similar to each other.

    >>> laplacian_vectors(np.eye(3), 2)[0].tolist()
    [0.0, 0.0]
    """
    import scipy.linalg
    from scipy.sparse.linalg import eigsh

    similarities = np.maximum(dot_products(rows, rows), 0)
    empty = np.flatnonzero(np.diagonal(similarities) < 0.5)
    similarities[empty[:, None], empty] = 1
    scale = 1 / np.sqrt(similarities.sum(axis=1))
    similarities *= scale
    similarities *= scale[:, None]
    size = len(similarities)
    if size <= max(DENSE_LIMIT, 3 * count):
        values, vectors = scipy.linalg.eigh(similarities)
    else:
        values, vectors = eigsh(similarities, count, v0=np.ones(size) + np.linspace(0, 1, size))
    order = np.argsort(-values, kind="stable")[:count]
    return np.maximum(1 - values[order], 0).round(12), vectors[:, order]
