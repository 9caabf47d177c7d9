"""PageRank, personalised, for many contexts at once: p = c·M·p + (1 − c)·v. (Page et al. 1999; Haveliwala 2002)"""

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
"""So many columns are computed together at most: with more, a product is no faster, but all else is slower."""

SPECTRAL_BOUND = 0.85
"""Most eigenvalues of a step are less, on WordNet with or without its glosses."""


@dataclass(frozen=True)
class RandomWalk:
    """How far to walk: so many ``iterations``, or fewer if the L1 distance of two is less than the ``tolerance``."""

    damping: float = 0.85
    iterations: int = 30
    tolerance: float = 1e-4
    threads: int | None = field(default=None, repr=False)


def pagerank(graph: TransitionGraph, given: Any, walk: RandomWalk | None = None) -> Block:
    """The PageRank of all nodes for each column of ``given``, a matrix nodes × contexts, sparse or dense.

    A column says where the walk starts, and starts again; it need not sum to 1, its PageRank does. Where no edge leads
    on, the walk starts again.

    >>> import scipy.sparse as sp
    >>> chain = TransitionGraph(sp.csr_array([[0, 1, 0], [1, 0, 1], [0, 1, 0]]))
    >>> [f"{rank:.2f}" for rank in pagerank(chain, np.eye(3)[:, :1]).ravel()]
    ['0.35', '0.46', '0.20']
    """
    columns = _start_columns(graph, given)
    parts = map_batches(
        columns, lambda block, _: walk_forwards(graph, block, walk or RandomWalk()), walk or RandomWalk()
    )
    found: Block = np.hstack([*parts, np.zeros((len(graph), 0), np.float32)])
    found /= _column_sums(found)
    return found


def rank_nodes(
    graph: TransitionGraph,
    given: Any,
    columns: Ints,
    nodes: Ints,
    walk: RandomWalk | None = None,
    *,
    way: Literal["fewer", "forwards", "backwards"] = "fewer",
) -> Floats:
    """The rank of ``nodes[k]`` for the column ``columns[k]`` of ``given``, for each k.

    Ranks are linear in the column: that of node s is v·q_s, where q_s is the walk backwards from s alone. So there are
    two ways, from each column or from each node, of which the one is taken that needs fewer walks. Ranks of one column
    sum to 1 less what is lost where no edge leads on.
    """
    walked = walk or RandomWalk()
    starts = _start_columns(graph, given)
    asked, place = np.unique(nodes, return_inverse=True)
    if way == "forwards" or (way == "fewer" and starts.shape[1] <= len(asked)):
        return _rank_from_columns(graph, starts, columns, nodes, walked)
    return _rank_from_nodes(graph, starts, columns, asked, place.ravel(), walked)


def _rank_from_columns(
    graph: TransitionGraph, given: sp.csc_array[Any], columns: Ints, nodes: Ints, walk: RandomWalk
) -> Floats:
    """Walks from each column; what is asked for is picked out."""
    order = np.argsort(columns, kind="stable")
    sorted_columns = columns[order]
    found = np.zeros(len(columns))

    def pick(block: Block, at: slice) -> None:
        asked = order[slice(*np.searchsorted(sorted_columns, [at.start, at.stop]))]
        found[asked] = walk_forwards(graph, block, walk)[nodes[asked], columns[asked] - at.start]

    list(map_batches(given, pick, walk))
    return found


def _rank_from_nodes(
    graph: TransitionGraph, given: sp.csc_array[Any], columns: Ints, asked: Ints, place: Ints, walk: RandomWalk
) -> Floats:
    """Walks backwards from each node that is asked for; their products with the columns that ask."""
    order = np.argsort(place, kind="stable")
    sorted_places = place[order]
    rows, factor, walked = given.T.tocsr(), np.ones(len(asked), np.float32), walk_backwards
    if graph.undirected:  # as backwards does, but the strengths are put where there are fewer numbers
        rows.data = rows.data / graph.spread[rows.indices]
        factor, walked = graph.spread[asked], walk_forwards
    found = np.zeros(len(columns))

    def pick(block: Block, at: slice) -> None:
        pairs = order[slice(*np.searchsorted(sorted_places, [at.start, at.stop]))]
        here, row = np.unique(columns[pairs], return_inverse=True)
        products = rows[here] @ walked(graph, block, walk)
        found[pairs] = products[row.ravel(), place[pairs] - at.start] * factor[place[pairs]]

    list(map_batches(unit_columns(len(graph), asked), pick, walk))
    return found


def unit_columns(size: int, nodes: Ints) -> sp.csc_array[Any]:
    """A column for each node, which is 1 there and 0 elsewhere."""
    import scipy.sparse as sp

    ones = np.ones(len(nodes), np.float32)
    return sp.csc_array((ones, nodes, np.arange(len(nodes) + 1)), shape=(size, len(nodes)))


def _start_columns(graph: TransitionGraph, given: Any) -> sp.csc_array[Any]:
    import scipy.sparse as sp

    found = sp.csc_array(given, dtype=np.float32)
    if found.shape[0] != len(graph):
        raise InputError(f"{found.shape[0]:,} rows for a graph of {len(graph):,} nodes; give a row for each node")
    return found


def map_batches(given: sp.csc_array[Any], work: Callable[[Block, slice], Result], walk: RandomWalk) -> Iterator[Result]:
    """What is made of each batch of columns, in order; by several threads, as products of scipy let others work.

    Few columns are shared by the threads, too.
    """
    threads = available_processors() if walk.threads is None else walk.threads
    count = given.shape[1]
    size = max(1, min(COLUMN_BATCH, ceil(count / threads)))
    batches = [slice(start, min(start + size, count)) for start in range(0, count, size)]

    def run(at: slice) -> Result:
        return work(given[:, at].toarray(order="C"), at)

    if min(threads, len(batches)) < 2:
        yield from map(run, batches)
        return
    with ThreadPoolExecutor(threads) as pool:
        yield from pool.map(run, batches)


# -- walks ---------------------------------------------------------------------------------------------------------


def walk_forwards(graph: TransitionGraph, starts: Block, walk: RandomWalk) -> Block:
    """The ranks of all nodes for each column of starts: (1 − c)·(I − c·M)⁻¹·v."""
    return _iterate(graph.moves, starts, walk, accelerated=graph.undirected)


def walk_backwards(graph: TransitionGraph, starts: Block, walk: RandomWalk) -> Block:
    """The same on the transposed matrix: (1 − c)·(I − c·Mᵀ)⁻¹·v.

    With the strengths D of the nodes of an undirected graph, Mᵀ = D⁻¹·M·D. So it is a walk forwards, the changes of
    which can be compared with the tolerance.
    """
    if not graph.undirected:
        return _iterate(graph.back, starts, walk)
    scaled = starts * graph.spread[:, None]
    total = _column_sums(scaled)
    found = walk_forwards(graph, scaled / total, walk)
    found *= total
    found /= graph.spread[:, None]
    return found


def _column_sums(block: Block) -> Block:
    """The sum of each column, and 1 for one of zeros."""
    found: Any = np.einsum("ij->j", block)
    found[found == 0] = 1
    return np.asarray(found, np.float32)


def _iterate(matrix: sp.csr_array[Any], starts: Block, walk: RandomWalk, *, accelerated: bool = False) -> Block:
    """Iterations from the starts; a column that changes by less than the tolerance leaves the others.

    If ``accelerated``, they are those of Chebyshev (Golub & Varga 1961), which need little more than half as many; but
    eigenvalues must be real, as those of an undirected graph are: x″ = ω·(c·M·x′ + (1 − c)·v) + (1 − ω)·x, where ω is
    1 / (1 − ω′·ρ² / 4). With ρ most eigenvalues of c·M are within ±ρ; those beyond slow it down, but no more.
    """
    damped = matrix * np.float32(walk.damping)
    base = np.float32(1 - walk.damping) * starts
    found = np.empty_like(starts, order="C")
    active, now, before, relaxed = np.arange(starts.shape[1]), starts.copy(), starts.copy(), 1.0
    for number in range(walk.iterations):
        new = damped @ now
        new += base
        if accelerated and number:
            relaxed = 1 / (1 - relaxed * (SPECTRAL_BOUND * walk.damping) ** 2 / (2 if number == 1 else 4))
            new *= np.float32(relaxed)
            before *= np.float32(1 - relaxed)
            new += before
        done = _column_distances(now, new, before) < walk.tolerance
        now, before = new, now
        if done.any():
            found[:, active[done]] = now[:, done]
            active = active[~done]
            base, now, before = base[:, ~done], now[:, ~done], before[:, ~done]
        if not len(active):
            return found
    found[:, active] = now
    return found


def _column_distances(old: Block, new: Block, room: Block) -> Block:
    """The L1 distance of two blocks, column by column; there is room to work it out."""
    np.abs(np.subtract(old, new, out=room), out=room)
    found: Any = np.einsum("ij->j", room)  # faster than sum(axis=0) where there are few columns
    return np.asarray(found)
