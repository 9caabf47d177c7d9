"""Graphs for the tests of graph algorithms."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp
from hypothesis import strategies as st


def graph_from_edges(size: int, edges: list[tuple[int, int]], weights: list[float] | None = None) -> sp.csr_array[Any]:
    """A symmetric matrix from edges."""
    dense = np.zeros((size, size))
    for (a, b), weight in zip(edges, weights or [1.0] * len(edges), strict=True):
        dense[a, b] = dense[b, a] = weight
    return sp.csr_array(dense)


@st.composite
def graphs(draw: st.DrawFn, most: int = 12) -> sp.csr_array[Any]:
    """Any small graph; many of its weights are equal."""
    size = draw(st.integers(1, most))
    pairs = [(a, b) for a in range(size) for b in range(a)]
    edges = draw(st.lists(st.sampled_from(pairs), unique=True, max_size=30)) if pairs else []
    weights = draw(st.lists(st.sampled_from([0.5, 1.0, 2.0, 3.0]), min_size=len(edges), max_size=len(edges)))
    return graph_from_edges(size, edges, weights)


def planted(blocks: int, size: int, inside: float, outside: float, seed: int = 0) -> tuple[sp.csr_array[Any], Any]:
    """A random graph with more edges inside of blocks than between them, and the block of each node."""
    rng = np.random.default_rng(seed)
    block = np.repeat(np.arange(blocks), size)
    chance = np.where(block[:, None] == block, inside, outside)
    upper = np.triu(rng.random(chance.shape) < chance, 1)
    return sp.csr_array((upper | upper.T).astype(float)), block
