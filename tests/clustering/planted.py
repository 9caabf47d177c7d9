"""Rows with planted clusters."""

from typing import Any

import numpy as np
import scipy.sparse as sp

from polyseme.arrays import Floats, Ints


def planted(
    number: int, size: int = 120, dimensions: int = 30, noise: float = 0.1, seed: int = 0
) -> tuple[Floats, Ints]:
    """Dense rows around orthogonal directions, and the cluster of each row."""
    rng = np.random.default_rng(seed)
    centres = np.linalg.qr(rng.normal(size=(dimensions, number)))[0].T
    labels = np.arange(size) % number
    return centres[labels] + rng.normal(size=(size, dimensions)) * noise, labels


def texts(number: int, size: int = 120, words: int = 40, length: int = 30, seed: int = 0) -> tuple[Any, Ints]:
    """Sparse word counts: each cluster has words of its own, and all share a few."""
    rng = np.random.default_rng(seed)
    topics = np.kron(np.eye(number), np.ones(words)) * rng.random((number, number * words))
    topics = 0.9 * topics / topics.sum(axis=1, keepdims=True) + 0.1 / (number * words)
    labels = np.arange(size) % number
    return sp.csr_array(np.array([rng.multinomial(length, topics[label]) for label in labels]).astype(float)), labels
