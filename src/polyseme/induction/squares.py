"""Squares: senses as the components of a word's graph when edges on few squares are cut."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from polyseme.arrays import Ints
from polyseme.corpus.association import Dice
from polyseme.corpus.content_words import select_content_words
from polyseme.corpus.index import Index
from polyseme.corpus.neighbourhoods import Neighbourhood, get_neighbourhoods
from polyseme.corpus.windows import SentenceWindow, Window
from polyseme.errors import TooLittleData
from polyseme.graphs.cycles import keep_edges, square_ratio
from polyseme.induction.fitting import Corpus, SenseFeatures, fit_graph_model
from polyseme.induction.model import SenseModel, overlap
from polyseme.parts import check_ranges

if TYPE_CHECKING:
    import scipy.sparse as sp


@dataclass(frozen=True)
class Squares:
    """A graph of each word, cut where few squares are. (Navigli & Crisafulli 2010; Jurgens 2012)

    The graph has the words whose Dice with the target in a sentence is at least ``delta``, and those whose Dice with
    one of these is. An edge is cut if fewer than ``sigma`` of the squares that could go through it do; the components
    that are left, without the target, are the senses. A usage has each sense that shares a word with its context, the
    more the more words. Words that occur fewer than ``minimum`` times are left out, of which the papers say nothing.
    """

    kind: ClassVar[str] = "inducer"
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

    def fit(self, corpus: Corpus, lemmas: Iterable[str], **options: Any) -> SenseModel:
        """Induce the senses of lemmas from an index or from usages; see :func:`~polyseme.induction.fitting.fit_graph_model`."""
        return fit_graph_model(self, corpus, lemmas, **options)

    def loosest(self, grid: Mapping[str, Sequence[Any]]) -> Squares:
        """The one whose graphs have all that the others' have."""
        return replace(self, delta=min(grid.get("delta", (self.delta,))))

    def gather(self, index: Index, words: Sequence[str]) -> Mapping[str, Neighbourhood]:
        """The graph of each word."""
        among = select_content_words(index.vocabulary, minimum=self.minimum)
        return get_neighbourhoods(index, words, Dice(), self.delta, mutual=False, among=among)

    def induce(self, word: str, material: Neighbourhood) -> list[SenseFeatures]:
        """The components of the graph that is left, with how strongly each word hangs on to its own."""
        graph = restrict_graph(material, self.delta)
        if not graph.nnz:
            raise TooLittleData(f"no word has a Dice coefficient of {self.delta} with it")
        kept = keep_edges(graph, square_ratio(graph) >= self.sigma)
        senses = component_senses(kept, material.words, without=0)
        if not senses:
            raise TooLittleData(f"no edge is on {self.sigma} of the squares that it could be on")
        return senses

    def weigh(self, present: sp.csr_array[Any], members: sp.csr_array[Any], sizes: Ints) -> sp.csr_array[Any]:
        """How many words each usage shares with each sense."""
        return overlap(present, members)


def restrict_graph(found: Neighbourhood, delta: float) -> sp.csr_array[Any]:
    """What the graph of a word is with a higher ``delta`` than that with which it was found; the word is its node 0."""
    graph = found.matrix.copy()
    graph.data[graph.data < delta] = 0
    graph.eliminate_zeros()
    near = np.zeros(graph.shape[0], np.bool_)
    near[[0, *graph.indices[: graph.indptr[1]].tolist()]] = True
    graph.data[~(np.repeat(near, np.diff(graph.indptr)) | near[graph.indices])] = 0
    graph.eliminate_zeros()
    return graph


def component_senses(graph: sp.csr_array[Any], words: Sequence[str], without: int) -> list[SenseFeatures]:
    """The components of a graph without one of its nodes; those of a single word are none.

    >>> import scipy.sparse as sp
    >>> graph = sp.csr_array([[0, 1, 1, 1], [1, 0, 0.5, 0], [1, 0.5, 0, 0], [1, 0, 0, 0]])
    >>> component_senses(graph, ["bank.n", "river.n", "boat.n", "money.n"], without=0)
    [{'river.n': 0.5, 'boat.n': 0.5}]
    """
    from scipy.sparse.csgraph import connected_components

    others = np.delete(np.arange(graph.shape[0]), without)
    rest = graph[others][:, others]
    labels = connected_components(rest, directed=False)[1]
    strength = np.asarray(rest.sum(axis=1)).ravel()
    found: dict[int, SenseFeatures] = {}
    for place in np.flatnonzero(strength).tolist():
        found.setdefault(int(labels[place]), {})[words[others[place]]] = float(strength[place])
    return list(found.values())
