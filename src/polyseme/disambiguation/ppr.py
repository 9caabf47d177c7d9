"""PPR: the sense that walks from the words of the context reach most often."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from polyseme.arrays import Floats, Ints
from polyseme.disambiguation.contexts import Context
from polyseme.disambiguation.model import SenseWeigher
from polyseme.disambiguation.networks import GraphDisambiguator, NetworkWeigher, SenseNetwork, WordNetGraph
from polyseme.disambiguation.sense_weights import EntrySenses
from polyseme.disambiguation.sources import Sources
from polyseme.disambiguation.start_vectors import StartVectors
from polyseme.graphs.pagerank import pagerank, rank_nodes


@dataclass(frozen=True)
class PPR(GraphDisambiguator):
    """Personalised PageRank on a graph of senses. (Agirre & Soroa 2009; Agirre, López de Lacalle & Soroa 2014, 2018)

    p = c·M·p + (1 − c)·v, where all words of the context have the same part of v, and their senses share it. The weight
    of a sense is rank ** ``strength`` · share ** ``prior``. If the context has no other word, the rank is the static
    one. If the ranks of all senses are 0, only the shares count.

    A usage can name the senses of words in its context, in its ``meta``: ``{"fixed": {"river.n": "river%1:17:00::"}}``.

    Args:
        method: What ranks senses. ``ppr_w2w``: p without the word itself in the context. ``ppr``: p with all words of
            the context. ``static``: PageRank without a context. ``degree``: the sum of the weights of the sense's
            edges.
        graph: The graph of senses.
        counts: Whether senses share v by (count + smoothing) / Σ, or equally.
        smoothing: What is added to the counts of senses.
        strength: The exponent of the rank.
        prior: The exponent of the share; ``strength=1, prior=0`` gives the rank alone.
        damping: The damping factor c.
        iterations: The number of iterations at most.
        tolerance: The walk ends if two iterations differ by less.
    """

    method: Literal["ppr_w2w", "ppr", "static", "degree"] = "ppr_w2w"
    graph: Any = WordNetGraph()
    counts: bool = True
    smoothing: float = 1.0
    strength: float = 0.5
    prior: float = 1.0
    damping: float = 0.85
    iterations: int = 30
    tolerance: float = 1e-4

    def prepare(self, sources: Sources, lemmas: Collection[str]) -> SenseWeigher:
        """Prepare to weigh the senses of any lemmas; there is no training."""
        network: SenseNetwork = self.graph.build_network(sources)

        def score(contexts: Sequence[Context], senses: Sequence[EntrySenses]) -> Sequence[Floats]:
            sizes = [len(entry.nodes) for entry in senses]
            nodes = np.concatenate([np.zeros(0, np.intp), *(entry.nodes for entry in senses)])
            return np.split(self._rank(network, contexts, nodes, sizes), np.cumsum(sizes)[:-1])

        return NetworkWeigher(network, score, self.strength, self.prior, self.smoothing)

    def _rank(self, network: SenseNetwork, contexts: Sequence[Context], nodes: Ints, sizes: Sequence[int]) -> Floats:
        """Rank the nodes: the first ``sizes[0]`` in the first context, and so on."""
        if self.method == "degree":
            return np.asarray(network.graph.strength[nodes], float)
        if self.method == "static":
            uniform = np.full((len(network.graph), 1), 1 / len(network.graph), np.float32)
            return np.asarray(pagerank(network.graph, uniform, self.walk)[nodes, 0], float)
        starts = StartVectors(network, counts=self.counts, smoothing=self.smoothing)
        matrix, column = starts.build(contexts, with_target=self.method == "ppr")
        return rank_nodes(network.graph, matrix, np.repeat(column, sizes), nodes, self.walk)
