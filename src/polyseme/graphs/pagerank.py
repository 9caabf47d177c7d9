"""Personalised PageRank for many start vectors at once: p = c·M·p + (1 − c)·v. (Page et al. 1999; Haveliwala 2002)"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from math import ceil
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from polyseme.arrays import Floats, Ints
from polyseme.errors import InputError
from polyseme.graphs.transition_graph import TransitionGraph
from polyseme.workers import available_processors

if TYPE_CHECKING:
    import scipy.sparse as sp

Block = NDArray[np.float32]
"""Nodes × columns."""
Result = TypeVar("Result")

COLUMN_BATCH = 32
"""How many columns are computed together at most: more would not speed up the product, and slow down the rest."""

SPECTRAL_BOUND = 0.85
"""Most eigenvalues of a step are below, on WordNet with or without its glosses."""


@dataclass(frozen=True)
class RandomWalk:
    """The options of a random walk.

    Args:
        damping: The damping factor c.
        iterations: The number of iterations at most.
        tolerance: The walk ends if the L1 distance of two iterations is smaller.
        threads: The number of threads. Default: the number of processors.
    """

    damping: float = 0.85
    iterations: int = 30
    tolerance: float = 1e-4
    threads: int | None = field(default=None, repr=False)


def pagerank(graph: TransitionGraph, starts: Any, walk: RandomWalk | None = None) -> Block:
    """Compute the PageRank of all nodes for each start vector.

    Where no edge leads on, the walk starts again. PageRanks sum to 1.

    Args:
        graph: The graph.
        starts: Nodes × start vectors, sparse or dense: where walks start, and start again. Columns need not sum to 1.
        walk: The options of the walk.

    >>> import scipy.sparse as sp
    >>> chain = TransitionGraph(sp.csr_array([[0, 1, 0], [1, 0, 1], [0, 1, 0]]))
    >>> [f"{rank:.2f}" for rank in pagerank(chain, np.eye(3)[:, :1]).ravel()]
    ['0.35', '0.46', '0.20']
    """
    options = walk or RandomWalk()
    parts = map_batches(_start_columns(graph, starts), lambda block, _: walk_forwards(graph, block, options), options)
    ranks: Block = np.hstack([*parts, np.zeros((len(graph), 0), np.float32)])
    ranks /= _column_sums(ranks)
    return ranks


def rank_nodes(
    graph: TransitionGraph,
    starts: Any,
    columns: Ints,
    nodes: Ints,
    walk: RandomWalk | None = None,
    *,
    way: Literal["fewer", "forwards", "backwards"] = "fewer",
) -> Floats:
    """Compute the rank of ``nodes[k]`` for the start vector ``columns[k]``, for each k.

    Ranks are linear in the start vector: the rank of node s is v·q_s, where q_s is the walk backwards from s alone. So
    walks can start from each column or from each node. Ranks of one column sum to 1 minus what is lost where no edge
    leads on.

    Args:
        graph: The graph.
        starts: Nodes × start vectors.
        columns: The start vector of each rank.
        nodes: The node of each rank.
        walk: The options of the walk.
        way: Walk from the columns (``forwards``), from the nodes (``backwards``), or whichever needs fewer walks.
    """
    options = walk or RandomWalk()
    matrix = _start_columns(graph, starts)
    unique, position = np.unique(nodes, return_inverse=True)
    if way == "forwards" or (way == "fewer" and matrix.shape[1] <= len(unique)):
        return _rank_from_columns(graph, matrix, columns, nodes, options)
    return _rank_from_nodes(graph, matrix, columns, unique, position.ravel(), options)


def _rank_from_columns(
    graph: TransitionGraph, starts: sp.csc_array[Any], columns: Ints, nodes: Ints, walk: RandomWalk
) -> Floats:
    """Walk from each column, and pick out the ranks."""
    order = np.argsort(columns, kind="stable")
    sorted_columns = columns[order]
    ranks = np.zeros(len(columns))

    def pick(block: Block, batch: slice) -> None:
        rows = order[slice(*np.searchsorted(sorted_columns, [batch.start, batch.stop]))]
        ranks[rows] = walk_forwards(graph, block, walk)[nodes[rows], columns[rows] - batch.start]

    list(map_batches(starts, pick, walk))
    return ranks


def _rank_from_nodes(
    graph: TransitionGraph, starts: sp.csc_array[Any], columns: Ints, nodes: Ints, position: Ints, walk: RandomWalk
) -> Floats:
    """Walk backwards from each node, and multiply with the columns that need its rank."""
    order = np.argsort(position, kind="stable")
    sorted_positions = position[order]
    rows, factors, step = starts.T.tocsr(), np.ones(len(nodes), np.float32), walk_backwards
    if graph.undirected:  # as walk_backwards does, but the strengths are applied where there are fewer numbers
        rows.data = rows.data / graph.divisors[rows.indices]
        factors, step = graph.divisors[nodes], walk_forwards
    ranks = np.zeros(len(columns))

    def pick(block: Block, batch: slice) -> None:
        pairs = order[slice(*np.searchsorted(sorted_positions, [batch.start, batch.stop]))]
        needed, row = np.unique(columns[pairs], return_inverse=True)
        products = rows[needed] @ step(graph, block, walk)
        ranks[pairs] = products[row.ravel(), position[pairs] - batch.start] * factors[position[pairs]]

    list(map_batches(unit_columns(len(graph), nodes), pick, walk))
    return ranks


def unit_columns(size: int, nodes: Ints) -> sp.csc_array[Any]:
    """Build a column for each node, which is 1 there and 0 elsewhere."""
    import scipy.sparse as sp

    ones = np.ones(len(nodes), np.float32)
    return sp.csc_array((ones, nodes, np.arange(len(nodes) + 1)), shape=(size, len(nodes)))


def _start_columns(graph: TransitionGraph, starts: Any) -> sp.csc_array[Any]:
    import scipy.sparse as sp

    columns = sp.csc_array(starts, dtype=np.float32)
    if columns.shape[0] != len(graph):
        problem = f"{columns.shape[0]:,} rows for a graph of {len(graph):,} nodes"
        raise InputError(f"{problem}; start vectors need a row for each node")
    return columns


def map_batches(
    starts: sp.csc_array[Any], work: Callable[[Block, slice], Result], walk: RandomWalk
) -> Iterator[Result]:
    """Apply a function to batches of columns, in order; several threads share the work.

    Threads run at the same time because scipy's products release the interpreter lock.
    """
    threads = available_processors() if walk.threads is None else walk.threads
    count = starts.shape[1]
    size = max(1, min(COLUMN_BATCH, ceil(count / threads)))
    batches = [slice(start, min(start + size, count)) for start in range(0, count, size)]

    def run(batch: slice) -> Result:
        return work(starts[:, batch].toarray(order="C"), batch)

    if min(threads, len(batches)) < 2:
        yield from map(run, batches)
        return
    with ThreadPoolExecutor(threads) as pool:
        yield from pool.map(run, batches)


# -- walks ---------------------------------------------------------------------------------------------------------


def walk_forwards(graph: TransitionGraph, starts: Block, walk: RandomWalk) -> Block:
    """Compute the ranks of all nodes for each start column: (1 − c)·(I − c·M)⁻¹·v."""
    return _iterate(graph.transitions, starts, walk, accelerated=graph.undirected)


def walk_backwards(graph: TransitionGraph, starts: Block, walk: RandomWalk) -> Block:
    """Compute the same on the transposed matrix: (1 − c)·(I − c·Mᵀ)⁻¹·v.

    With the strengths D of the nodes of an undirected graph, Mᵀ = D⁻¹·M·D. So it is a walk forwards, whose changes can
    be compared with the tolerance.
    """
    if not graph.undirected:
        return _iterate(graph.backward_transitions, starts, walk)
    scaled = starts * graph.divisors[:, None]
    sums = _column_sums(scaled)
    ranks = walk_forwards(graph, scaled / sums, walk)
    ranks *= sums
    ranks /= graph.divisors[:, None]
    return ranks


def _column_sums(block: Block) -> Block:
    """Return the sum of each column, and 1 for a column of zeros."""
    sums: Any = np.einsum("ij->j", block)
    sums[sums == 0] = 1
    return np.asarray(sums, np.float32)


def _iterate(matrix: sp.csr_array[Any], starts: Block, walk: RandomWalk, *, accelerated: bool = False) -> Block:
    """Iterate from the starts; a column that changes by less than the tolerance is finished.

    If ``accelerated``, the iterations are those of Chebyshev (Golub & Varga 1961); little more than half as many are
    needed. They require real eigenvalues, which an undirected graph has:
    x″ = ω·(c·M·x′ + (1 − c)·v) + (1 − ω)·x with ω = 1 / (1 − ω′·ρ² / 4). Most eigenvalues of c·M are within ±ρ; those
    beyond only slow it down.
    """
    damped = matrix * np.float32(walk.damping)
    base = np.float32(1 - walk.damping) * starts
    ranks = np.empty_like(starts, order="C")
    active, current, previous, relaxation = np.arange(starts.shape[1]), starts.copy(), starts.copy(), 1.0
    for number in range(walk.iterations):
        new = damped @ current
        new += base
        if accelerated and number:
            relaxation = 1 / (1 - relaxation * (SPECTRAL_BOUND * walk.damping) ** 2 / (2 if number == 1 else 4))
            new *= np.float32(relaxation)
            previous *= np.float32(1 - relaxation)
            new += previous
        done = _column_distances(current, new, previous) < walk.tolerance
        current, previous = new, current
        if done.any():
            ranks[:, active[done]] = current[:, done]
            active = active[~done]
            base, current, previous = base[:, ~done], current[:, ~done], previous[:, ~done]
        if not len(active):
            return ranks
    ranks[:, active] = current
    return ranks


def _column_distances(old: Block, new: Block, scratch: Block) -> Block:
    """Compute the L1 distance of two blocks, column by column; ``scratch`` is overwritten."""
    np.abs(np.subtract(old, new, out=scratch), out=scratch)
    distances: Any = np.einsum("ij->j", scratch)  # faster than sum(axis=0) for few columns
    return np.asarray(distances)
