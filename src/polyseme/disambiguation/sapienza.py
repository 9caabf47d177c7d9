"""La Sapienza: senses whose signature, a walk from the sense, resembles that of the context."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from math import inf
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from polyseme.arrays import Floats, Ints
from polyseme.disambiguation.contexts import Context
from polyseme.disambiguation.model import SenseWeigher
from polyseme.disambiguation.networks import GraphDisambiguator, NetworkWeigher, SenseNetwork, WordNetGraph
from polyseme.disambiguation.sense_weights import EntrySenses
from polyseme.disambiguation.sources import Sources
from polyseme.disambiguation.start_vectors import StartVectors
from polyseme.graphs.pagerank import Block, RandomWalk, map_batches, unit_columns, walk_backwards, walk_forwards
from polyseme.graphs.transition_graph import TransitionGraph
from polyseme.parts import Ranges

RankedNodes = NDArray[np.int32]
"""Nodes, the highest rank first."""


@dataclass(frozen=True)
class Sapienza(GraphDisambiguator):
    """The similarity of the PageRanks of a context and of each sense. (SemEval-2013 Task 13; Pilehvar et al. 2013)

    The *signature* of a sense is the personalised PageRank with v on its node. The signature of a context has v spread
    over the senses of its words by their shares, (count + ``smoothing``) / Σ. The weight of a sense is
    similarity ** ``strength`` · share ** ``prior``. The paper specifies neither the similarity nor the words of the
    context; here these words are those of :class:`~polyseme.disambiguation.contexts.Context`.

    Args:
        measure: The similarity of signatures: their ``cosine``, or the ``overlap`` of their top nodes, weighted by
            their ranks r in the two, Σ 1 / (r₁ + r₂) / Σ 1 / (2·i) (Pilehvar, Jurgens & Navigli 2013).
        graph: The graph of senses.
        with_target: Whether the target is part of its context.
        smoothing: What is added to the counts of senses.
        strength: The exponent of the similarity.
        prior: The exponent of the share.
        top: The number of nodes that overlap compares.
        damping: The damping factor of the walk.
        iterations: The number of iterations at most.
        tolerance: The walk ends if two iterations differ by less.
    """

    ranges: ClassVar[Ranges] = {"top": (1, inf)}
    measure: Literal["cosine", "overlap"] = "cosine"
    graph: Any = WordNetGraph()
    with_target: bool = False
    smoothing: float = 1.0
    strength: float = 1.0
    prior: float = 0.0
    top: int = 5000
    damping: float = 0.85
    iterations: int = 30
    tolerance: float = 1e-4

    def prepare(self, sources: Sources, lemmas: Collection[str]) -> SenseWeigher:
        """Prepare to weigh the senses of any lemmas."""
        network: SenseNetwork = self.graph.build_network(sources)
        starts = StartVectors(network, smoothing=self.smoothing)
        signatures: dict[int, RankedNodes] = sources.cached(f"signatures {id(network)} {self.walk!r} {self.top}", dict)

        def score(contexts: Sequence[Context], senses: Sequence[EntrySenses]) -> Sequence[Floats]:
            matrix, column = starts.build(contexts, with_target=self.with_target)
            nodes = [entry.nodes for entry in senses]
            if self.measure == "cosine":
                return _signature_cosines(network.graph, matrix, column, nodes, self.walk)
            return _signature_overlaps(network.graph, matrix, column, nodes, self.walk, self.top, signatures)

        return NetworkWeigher(network, score, self.strength, self.prior, self.smoothing)


def _signature_cosines(
    graph: TransitionGraph, starts: Any, column: Ints, nodes: Sequence[Ints], walk: RandomWalk
) -> list[Floats]:
    """Compute the cosines of contexts and their nodes, up to a factor that is the same within a context.

    With P the matrix that makes signatures, cos(P·v, P·e) is proportional to v·Pᵀ·(P·e) / |P·e|: no walk from any
    context is needed.
    """
    unique, inverse = np.unique(np.concatenate([np.zeros(0, np.intp), *nodes]), return_inverse=True)
    position = inverse.ravel()
    row = np.repeat(column, [len(part) for part in nodes])
    order = np.argsort(position, kind="stable")
    sorted_positions = position[order]
    rows = starts.T.tocsr()
    cosines = np.zeros(len(row))

    def pick(block: Block, batch: slice) -> None:
        signatures = walk_forwards(graph, block, walk)
        signatures /= np.sqrt(np.einsum("ij,ij->j", signatures, signatures))
        pairs = order[slice(*np.searchsorted(sorted_positions, [batch.start, batch.stop]))]
        needed, number = np.unique(row[pairs], return_inverse=True)
        products = rows[needed] @ walk_backwards(graph, signatures, walk)
        cosines[pairs] = products[number.ravel(), position[pairs] - batch.start]

    list(map_batches(unit_columns(len(graph), unique), pick, walk))
    return np.split(cosines, np.cumsum([len(part) for part in nodes])[:-1])


def _signature_overlaps(
    graph: TransitionGraph,
    starts: Any,
    column: Ints,
    nodes: Sequence[Ints],
    walk: RandomWalk,
    top: int,
    signatures: dict[int, RankedNodes],
) -> list[Floats]:
    """Compute the rank-weighted overlap of each context with its nodes; ``signatures`` caches those of nodes."""
    new = np.array(sorted({node for part in nodes for node in part.tolist()} - signatures.keys()), np.intp)
    columns = unit_columns(len(graph), new)
    signatures.update(zip(new.tolist(), _build_signatures(graph, columns, walk, top), strict=True))
    contexts = _build_signatures(graph, starts, walk, top)
    rank = np.zeros(len(graph), np.int32)
    contexts_by_node: dict[int, dict[int, None]] = {}
    for number, part in zip(column.tolist(), nodes, strict=True):
        for node in part.tolist():
            contexts_by_node.setdefault(node, {})[number] = None
    overlaps: dict[tuple[int, int], float] = {}
    for node, numbers in contexts_by_node.items():
        rank[signatures[node]] = np.arange(1, len(signatures[node]) + 1)
        overlaps |= {(node, number): weighted_overlap(rank[contexts[number]]) for number in numbers}
        rank[signatures[node]] = 0
    return [
        np.array([overlaps[node, number] for node in part.tolist()])
        for number, part in zip(column.tolist(), nodes, strict=True)
    ]


def weighted_overlap(ranks: NDArray[np.int32]) -> float:
    """Compute the overlap of two rankings.

    Args:
        ranks: The rank in the second ranking of each item of the first, in its order; 0 if it is not there.

    >>> weighted_overlap(np.array([1, 2, 3], np.int32)), weighted_overlap(np.array([0, 0, 0], np.int32))
    (1.0, 0.0)
    """
    shared = np.flatnonzero(ranks)
    if not len(shared):
        return 0.0
    best = 1 / (2 * np.arange(1, len(shared) + 1))
    return float((1 / (shared + 1 + ranks[shared])).sum() / best.sum())


def _build_signatures(graph: TransitionGraph, starts: Any, walk: RandomWalk, top: int) -> list[RankedNodes]:
    """Return the nodes with the highest PageRank for each column."""

    def rank(block: Block, _: slice) -> list[RankedNodes]:
        return [_highest_nodes(column, top) for column in np.ascontiguousarray(walk_forwards(graph, block, walk).T)]

    return [signature for batch in map_batches(starts, rank, walk) for signature in batch]


def _highest_nodes(values: NDArray[np.float32], top: int) -> RankedNodes:
    """Return the positions of the highest values above 0, the highest first."""
    positions = np.argpartition(-values, top)[:top] if top < len(values) else np.arange(len(values))
    positions = positions[values[positions] > 0]
    return positions[np.argsort(-values[positions], kind="stable")].astype(np.int32)
