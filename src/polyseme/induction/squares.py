"""Squares: senses as the components of a word's graph, after edges on few squares are cut."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from polyseme.corpus.association import Dice
from polyseme.corpus.content_words import select_content_words
from polyseme.corpus.index import Index
from polyseme.corpus.neighbourhoods import Neighbourhood, get_neighbourhoods
from polyseme.corpus.windows import SentenceWindow, Window
from polyseme.errors import TooLittleData
from polyseme.graphs.cycles import keep_edges, square_ratio
from polyseme.induction.graph_induction import SenseFeatures
from polyseme.induction.inducer import GraphInducer
from polyseme.parts import check_ranges

if TYPE_CHECKING:
    import scipy.sparse as sp


@dataclass(frozen=True)
class Squares(GraphInducer):
    """Components of a word's graph, after edges in few squares are removed. (Navigli & Crisafulli 2010; Jurgens 2012)

    The neighbours of a word are those whose Dice coefficient with it, counted in sentences, is at least ``delta``. The
    graph has the neighbours of the target, and their neighbours. The components that remain without the target are
    the senses. A usage has each sense that shares a word with its context, weighted by the number of shared words.

    Args:
        delta: The smallest Dice coefficient of an edge.
        sigma: An edge is cut if it is on less than this share of the squares that it could be on.
        minimum: Rarer words are left out. The papers do not mention such a limit.
    """

    context: ClassVar[Window] = SentenceWindow()
    grid: ClassVar[Mapping[str, tuple[float, ...]]] = {
        "delta": tuple(round(0.001 * step, 3) for step in range(8, 93)),
        "sigma": (0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55),
    }
    gathered_by: ClassVar[tuple[str, ...]] = ("delta", "minimum")
    delta: float = 0.037
    sigma: float = 0.55
    minimum: int = 5

    def __post_init__(self) -> None:
        check_ranges(self, delta=(0, 1), sigma=(0, 1), minimum=(0, inf))

    def loosest(self, grid: Mapping[str, Sequence[float]]) -> Squares:
        """Return the inducer of a grid whose graphs contain those of all others."""
        return replace(self, delta=min(grid.get("delta", (self.delta,))))

    def gather(self, index: Index, words: Sequence[str]) -> Mapping[str, Neighbourhood]:
        """Count the graph of each word."""
        among = select_content_words(index.vocabulary, minimum=self.minimum)
        return get_neighbourhoods(index, words, Dice(), self.delta, mutual=False, among=among)

    def induce(self, word: str, material: Neighbourhood) -> list[SenseFeatures]:
        """Cut the graph of a word, and return its components."""
        graph = _restrict_graph(material, self.delta)
        if not graph.nnz:
            raise TooLittleData(f"no word has a Dice coefficient of {self.delta} with it")
        senses = component_senses(keep_edges(graph, square_ratio(graph) >= self.sigma), material.words)
        if not senses:
            raise TooLittleData(f"no edge is on {self.sigma} of the squares that it could be on")
        return senses


def _restrict_graph(material: Neighbourhood, delta: float) -> sp.csr_array[Any]:
    """Restrict the graph of a word, its node 0, to a ``delta`` that may be higher than that of its edges."""
    graph = material.matrix.copy()
    graph.data[graph.data < delta] = 0
    graph.eliminate_zeros()
    is_neighbour = np.zeros(graph.shape[0], np.bool_)
    is_neighbour[[0, *graph.indices[: graph.indptr[1]].tolist()]] = True
    graph.data[~(np.repeat(is_neighbour, np.diff(graph.indptr)) | is_neighbour[graph.indices])] = 0
    graph.eliminate_zeros()
    return graph


def component_senses(graph: sp.csr_array[Any], words: Sequence[str]) -> list[SenseFeatures]:
    """Return the components of a graph without its node 0, each word with the sum of its edges; single words are none.

    >>> import scipy.sparse as sp
    >>> graph = sp.csr_array([[0, 1, 1, 1], [1, 0, 0.5, 0], [1, 0.5, 0, 0], [1, 0, 0, 0]])
    >>> component_senses(graph, ["bank.n", "river.n", "boat.n", "money.n"])
    [{'river.n': 0.5, 'boat.n': 0.5}]
    """
    from scipy.sparse.csgraph import connected_components

    subgraph = graph[1:][:, 1:]
    labels = connected_components(subgraph, directed=False)[1]
    strength = np.asarray(subgraph.sum(axis=1)).ravel()
    senses: dict[int, SenseFeatures] = {}
    for node in np.flatnonzero(strength).tolist():
        senses.setdefault(int(labels[node]), {})[words[node + 1]] = float(strength[node])
    return list(senses.values())
