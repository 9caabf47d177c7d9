"""Criterion functions: the quality of a clustering, from the composite vector of each cluster. (Zhao & Karypis 2004)

With unit rows x, the composite of cluster r is Dᵣ, the sum of its rows; D is the sum of all, nᵣ the number of rows:

    I1 = Σ |Dᵣ|² / nᵣ       I2 = Σ |Dᵣ|       E1 = Σ nᵣ cos(Dᵣ, D)       H1 = I1 / E1       H2 = I2 / E1

A smaller E1 is better; for the others, a greater value is. With weights, the sums and numbers are weighted. E1, H1 and
H2 are made for vectors without negative numbers, such as counts.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from polyseme.arrays import Floats, Ints
from polyseme.matrices import as_matrix, check_weights, squared_lengths, to_dense, unit_rows

Criterion = Literal["I1", "I2", "E1", "H1", "H2"]

TINY = 1e-12
"""Smaller numbers count as 0."""


def criterion_value(matrix: Any, labels: Ints, criterion: Criterion = "I2", weights: Floats | None = None) -> float:
    """Compute a criterion function, by cosine similarity; rows of no cluster (−1) are left out.

    >>> criterion_value([[1, 0], [2, 0], [0, 1]], np.array([0, 0, 1])), criterion_value([[1, 0], [0, 1]], [0, 0], "I1")
    (3.0, 1.0)
    """
    inside = np.asarray(labels) >= 0
    rows = unit_rows(as_matrix(matrix))[inside]
    row_weights = check_weights(weights, len(inside))[inside]
    return abs(clustering_value(criterion, *compute_composites(rows, np.asarray(labels)[inside], row_weights)))


def clustering_value(criterion: Criterion, composites: Floats, sizes: Floats) -> float:
    """The quality of clusters, from their composites and sizes; a greater value is better."""
    squares, dots = composite_products(composites)
    inside = internal_terms(criterion, squares, sizes).sum()
    return float(combine_terms(criterion, inside, external_terms(criterion, squares, dots, sizes).sum()))


def compute_composites(rows: Any, labels: Any, weights: Floats, number: int | None = None) -> tuple[Floats, Floats]:
    """The weighted sum of the rows of each cluster, and the size of each cluster."""
    count = number or int(labels.max(initial=-1)) + 1
    members = np.zeros((count, len(labels)))
    members[labels, np.arange(len(labels))] = weights
    return to_dense(members @ rows), members.sum(axis=1)


def composite_products(composites: Floats) -> tuple[Floats, Floats]:
    """The squared length of each composite, and its dot product with the unit sum of all."""
    total = composites.sum(axis=0)
    length = float(np.sqrt(total @ total))
    return squared_lengths(composites), composites @ total / max(length, TINY)


def internal_terms(criterion: Criterion, squares: Any, sizes: Any) -> Any:
    """The term of each cluster in I1 or I2; 0 for a cluster without rows."""
    if criterion in ("I1", "H1"):
        return squares / np.maximum(sizes, TINY)
    return np.sqrt(np.maximum(squares, 0))


def external_terms(criterion: Criterion, squares: Any, dots: Any, sizes: Any) -> Any:
    """The term of each cluster in E1; 0 for I1 and I2, which do not contain it."""
    if criterion in ("I1", "I2"):
        return np.zeros_like(squares)
    return sizes * dots / np.sqrt(np.maximum(squares, TINY))


def combine_terms(criterion: Criterion, inside: Any, outside: Any) -> Any:
    """The criterion from I and E, turned so that a greater value is better: E1 becomes −E1."""
    if criterion in ("I1", "I2"):
        return inside
    return -outside if criterion == "E1" else inside / np.maximum(outside, TINY)
