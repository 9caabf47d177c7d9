"""PPR: the sense to which walks from the words of the context lead most often."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from polyseme.arrays import Floats, Ints
from polyseme.disambiguation.contexts import Context
from polyseme.disambiguation.model import SenseWeigher
from polyseme.disambiguation.networks import EntrySenses, NetworkWeigher, SenseNetwork, WordNetGraph, check_walk_options
from polyseme.disambiguation.sources import Sources
from polyseme.disambiguation.start_vectors import StartVectors
from polyseme.graphs.pagerank import RandomWalk, pagerank, rank_nodes


@dataclass(frozen=True)
class PPR:
    """Personalised PageRank on a graph of senses. (Agirre & Soroa 2009; Agirre, López de Lacalle & Soroa 2014, 2018)

    p = c·M·p + (1 − c)·v with the ``damping`` c, until two iterations differ by less than ``tolerance``, at most so
    many ``iterations``. In v all words of the context have the same part, which their senses have by their shares,
    (count + ``smoothing``) / Σ, or evenly without ``counts``. The ``method`` says what ranks senses:

    - ``ppr_w2w``: p, where the word itself is left out of the context;
    - ``ppr``: p, where all words of the context are in it;
    - ``static``: PageRank without a context;
    - ``degree``: the weights of the edges of the sense.

    The weight of a sense is rank ** ``strength`` · share ** ``prior``; with ``strength=1, prior=0`` it is the rank
    alone. Where the context has no other word, the rank is the static one. Where the ranks of all senses are 0, their
    shares decide.

    A usage may say which senses words around it have, in its ``meta``: ``{"fixed": {"river.n": "river%1:17:00::"}}``.
    """

    kind: ClassVar[str] = "disambiguator"
    method: Literal["ppr_w2w", "ppr", "static", "degree"] = "ppr_w2w"
    graph: Any = WordNetGraph()
    counts: bool = True
    smoothing: float = 1.0
    strength: float = 0.5
    prior: float = 1.0
    damping: float = 0.85
    iterations: int = 30
    tolerance: float = 1e-4

    def __post_init__(self) -> None:
        check_walk_options(self)

    @property
    def walk(self) -> RandomWalk:
        """How far to walk."""
        return RandomWalk(self.damping, self.iterations, self.tolerance)

    def ready(self, sources: Sources, lemmas: Collection[str]) -> SenseWeigher:
        """What weighs the senses of any lemmas; there is nothing to learn."""
        network: SenseNetwork = self.graph.ready(sources)

        def ranked(contexts: Sequence[Context], senses: Sequence[EntrySenses]) -> Sequence[Floats]:
            sizes = [len(each.nodes) for each in senses]
            nodes = np.concatenate([np.zeros(0, np.intp), *(each.nodes for each in senses)])
            return np.split(self._ranks(network, contexts, nodes, sizes), np.cumsum(sizes)[:-1])

        return NetworkWeigher(network, ranked, self.strength, self.prior, self.smoothing)

    def _ranks(self, network: SenseNetwork, contexts: Sequence[Context], nodes: Ints, sizes: Sequence[int]) -> Floats:
        """The rank of each node; of the first ``sizes[0]`` in the first context, and so on."""
        if self.method == "degree":
            return np.asarray(network.graph.strength[nodes], float)
        if self.method == "static":
            every = np.full((len(network.graph), 1), 1 / len(network.graph), np.float32)
            return np.asarray(pagerank(network.graph, every, self.walk)[nodes, 0], float)
        starts = StartVectors(network, counts=self.counts, smoothing=self.smoothing)
        given, column = starts.of(contexts, with_target=self.method == "ppr")
        return rank_nodes(network.graph, given, np.repeat(column, sizes), nodes, self.walk)
