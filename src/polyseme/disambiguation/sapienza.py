"""La Sapienza: senses whose signature, a walk from the sense, is like that of the context."""

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
from polyseme.disambiguation.networks import EntrySenses, NetworkWeigher, SenseNetwork, WordNetGraph, check_walk_options
from polyseme.disambiguation.sources import Sources
from polyseme.disambiguation.start_vectors import StartVectors
from polyseme.graphs.pagerank import Block, RandomWalk, map_batches, unit_columns, walk_backwards, walk_forwards
from polyseme.graphs.transition_graph import TransitionGraph

RankedNodes = NDArray[np.int32]
"""Nodes, the highest rank first."""


@dataclass(frozen=True)
class Sapienza:
    """How like the PageRank of a context is to that of each sense. (SemEval-2013 Task 13; Pilehvar et al. 2013)

    The *signature* of a sense is the personalised PageRank with v on its node; that of a context has v spread over the
    senses of its words by their shares, (count + ``smoothing``) / Σ. The weight of a sense is
    similarity ** ``strength`` · share ** ``prior``. The ``measure`` of similarity is

    - ``cosine`` of the two;
    - ``overlap``: of the ``top`` nodes of each, those that both have, weighted by their ranks r in the two,
      Σ 1 / (r₁ + r₂) / Σ 1 / (2·i) (Pilehvar, Jurgens & Navigli 2013).

    La Sapienza's paper does not say which of these, nor which words are the context; here it is those of
    :class:`~polyseme.disambiguation.contexts.Context`, the target too if ``with_target``.
    """

    kind: ClassVar[str] = "disambiguator"
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

    def __post_init__(self) -> None:
        check_walk_options(self, top=(1, inf))

    @property
    def walk(self) -> RandomWalk:
        """How far to walk."""
        return RandomWalk(self.damping, self.iterations, self.tolerance)

    def ready(self, sources: Sources, lemmas: Collection[str]) -> SenseWeigher:
        """What weighs the senses of any lemmas."""
        network: SenseNetwork = self.graph.ready(sources)
        starts = StartVectors(network, smoothing=self.smoothing)
        kept = sources.made.setdefault(f"signatures {id(network)} {self.walk!r} {self.top}", {})

        def alike(contexts: Sequence[Context], senses: Sequence[EntrySenses]) -> Sequence[Floats]:
            given, column = starts.of(contexts, with_target=self.with_target)
            asked = [each.nodes for each in senses]
            if self.measure == "cosine":
                return _signature_cosines(network.graph, given, column, asked, self.walk)
            return _signature_overlaps(network.graph, given, column, asked, self.walk, self.top, kept)

        return NetworkWeigher(network, alike, self.strength, self.prior, self.smoothing)


def _signature_cosines(
    graph: TransitionGraph, given: Any, column: Ints, asked: Sequence[Ints], walk: RandomWalk
) -> list[Floats]:
    """The cosines of contexts and the nodes that each asks about, but for a factor that is the same for one context.

    With P the matrix that makes signatures, cos(P·v, P·e) is in proportion to v·Pᵀ·(P·e) / |P·e|: there need be no walk
    from any context.
    """
    nodes, place = np.unique(np.concatenate([np.zeros(0, np.intp), *asked]), return_inverse=True)
    row = np.repeat(column, [len(each) for each in asked])
    order = np.argsort(place.ravel(), kind="stable")
    ordered = place.ravel()[order]
    rows = given.T.tocsr()
    found = np.zeros(len(row))

    def pick(block: Block, at: slice) -> None:
        signatures = walk_forwards(graph, block, walk)
        signatures /= np.sqrt(np.einsum("ij,ij->j", signatures, signatures))
        pairs = order[slice(*np.searchsorted(ordered, [at.start, at.stop]))]
        here, which = np.unique(row[pairs], return_inverse=True)
        products = rows[here] @ walk_backwards(graph, signatures, walk)
        found[pairs] = products[which.ravel(), place.ravel()[pairs] - at.start]

    list(map_batches(unit_columns(len(graph), nodes), pick, walk))
    return np.split(found, np.cumsum([len(each) for each in asked])[:-1])


def _signature_overlaps(
    graph: TransitionGraph,
    given: Any,
    column: Ints,
    asked: Sequence[Ints],
    walk: RandomWalk,
    top: int,
    kept: dict[int, RankedNodes],
) -> list[Floats]:
    """The rank-weighted overlap of each context with the nodes that it asks about; signatures of nodes are kept."""
    missing = np.array(sorted({node for each in asked for node in each.tolist()} - kept.keys()), np.intp)
    kept.update(
        zip(missing.tolist(), _build_signatures(graph, unit_columns(len(graph), missing), walk, top), strict=True)
    )
    contexts = _build_signatures(graph, given, walk, top)
    rank = np.zeros(len(graph), np.int32)
    found: dict[tuple[int, int], float] = {}
    by_node: dict[int, list[int]] = {}
    for number, nodes in zip(column.tolist(), asked, strict=True):
        for node in nodes.tolist():
            by_node.setdefault(node, []).append(number)
    for node, numbers in by_node.items():
        rank[kept[node]] = np.arange(1, len(kept[node]) + 1)
        found |= {(node, number): weighted_overlap(rank[contexts[number]]) for number in dict.fromkeys(numbers)}
        rank[kept[node]] = 0
    return [
        np.array([found[node, number] for node in nodes.tolist()])
        for number, nodes in zip(column.tolist(), asked, strict=True)
    ]


def weighted_overlap(ranks: NDArray[np.int32]) -> float:
    """The overlap of two rankings: the ranks in the second of what the first has, in its order; 0 if it has it not.

    >>> weighted_overlap(np.array([1, 2, 3], np.int32)), weighted_overlap(np.array([0, 0, 0], np.int32))
    (1.0, 0.0)
    """
    shared = np.flatnonzero(ranks)
    if not len(shared):
        return 0.0
    best = 1 / (2 * np.arange(1, len(shared) + 1))
    return float((1 / (shared + 1 + ranks[shared])).sum() / best.sum())


def _build_signatures(graph: TransitionGraph, given: Any, walk: RandomWalk, top: int) -> list[RankedNodes]:
    """The nodes of the highest PageRank for each column."""

    def ranked(block: Block, _: slice) -> list[RankedNodes]:
        return [_highest_nodes(column, top) for column in np.ascontiguousarray(walk_forwards(graph, block, walk).T)]

    return [each for batch in map_batches(given, ranked, walk) for each in batch]


def _highest_nodes(values: NDArray[np.float32], top: int) -> RankedNodes:
    """The places of the highest values above 0, the highest first."""
    places = np.argpartition(-values, top)[:top] if top < len(values) else np.arange(len(values))
    places = places[values[places] > 0]
    return places[np.argsort(-values[places], kind="stable")].astype(np.int32)
