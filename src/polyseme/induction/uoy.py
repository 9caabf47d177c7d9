"""UoY: senses as clusters of the nouns, and pairs of nouns, that occur with a word."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple

import numpy as np

from polyseme.arrays import Floats, Ints
from polyseme.corpus.association import G2
from polyseme.corpus.content_words import select_content_words
from polyseme.corpus.cooccurrence import count_contexts_by_word, count_cooccurrences
from polyseme.corpus.index import Index
from polyseme.corpus.windows import SentenceWindow, Window
from polyseme.errors import TooLittleData
from polyseme.graphs.chinese_whispers import ChineseWhispers
from polyseme.induction.graph_induction import SenseFeatures
from polyseme.induction.inducer import GraphInducer
from polyseme.parts import check_ranges

if TYPE_CHECKING:
    import scipy.sparse as sp


class ContextNouns(NamedTuple):
    """The nouns in the contexts of a word.

    Args:
        matrix: Usages × nouns, with ones.
        names: The nouns.
        association: The G² of each noun with the word.
    """

    matrix: sp.csr_array[Any]
    names: tuple[str, ...]
    association: Floats


@dataclass(frozen=True)
class UoY(GraphInducer):
    """Clusters of nouns and pairs of nouns from the contexts of a word. (Korkontzelos & Manandhar 2010)

    1. The vertices of a graph are nouns that are frequent in the contexts of the word and associated with it, and pairs
       of them. A pair is left out if its contexts are nearly those of one of its nouns, because it adds no information.
       The paper takes all other pairs. Here a pair must be as frequent as a noun, because rarer pairs are too many and
       match hardly any usage.
    2. The weight of an edge is the mean of the two conditional probabilities of its vertices in the contexts of the
       word; edges of low weight are left out. The paper does not say which of the two it takes, or how it combines
       both.
    3. Chinese Whispers clusters the vertices; a vertex without an edge is a cluster. A cluster whose contexts are all
       among those of another is merged into it.

    The context of a usage is all text that can share a window with it: with three sentences, two sentences on either
    side. A usage has each cluster with a noun or a whole pair in its context, weighted by how many.

    Args:
        p1: A noun or a pair must be in more contexts than this.
        p2: A noun must have a higher G² with the word.
        p3: The smallest mean conditional probability of an edge.
        p4: A pair is left out if its Dice coefficient with one of its nouns is higher.
        sentences: The sentences of the window.
        weighting: How Chinese Whispers weighs neighbours.
        seed: The random seed of Chinese Whispers.
    """

    grid: ClassVar[Mapping[str, tuple[float, ...]]] = {
        "p1": (10, 20),
        "p2": (10.0, 20.0, 30.0),
        "p3": (0.2, 0.3, 0.4),
        "p4": (0.4, 0.6, 0.8),
    }
    gathered_by: ClassVar[tuple[str, ...]] = ("p1", "sentences")
    p1: int = 20
    p2: float = 20.0
    p3: float = 0.3
    p4: float = 0.4
    sentences: int = 3
    weighting: Literal["top", "linear", "log"] = "top"
    seed: int = 0

    def __post_init__(self) -> None:
        check_ranges(self, p1=(0, inf), p2=(0, inf), p3=(0, 1), p4=(0, 1), sentences=(1, inf))

    @property
    def context(self) -> Window:
        """The sentences around the usage."""
        return SentenceWindow(self.sentences)

    def loosest(self, grid: Mapping[str, Sequence[int]]) -> UoY:
        """Return the inducer of a grid that has the nouns of all others."""
        return replace(self, p1=min(grid.get("p1", (self.p1,))))

    def gather(self, index: Index, words: Sequence[str]) -> Mapping[str, ContextNouns]:
        """Count the nouns in each word's contexts that are frequent enough for vertices."""
        nouns = select_content_words(index.vocabulary, "n", minimum=self.p1 + 1)
        counts = count_cooccurrences(index, self.context, nouns, rows=words)
        material: dict[str, ContextNouns] = {}
        for word, contexts in count_contexts_by_word(index, words, self.context, nouns).items():
            matrix = contexts.matrix.copy()
            matrix.data = np.ones(len(matrix.data), np.int32)
            is_frequent = np.asarray(matrix.sum(axis=0)) > self.p1
            columns = np.flatnonzero(is_frequent & (np.array(contexts.vocabulary) != word))
            row = counts.rows.number(word)
            joint = np.asarray(counts.matrix[[row]].toarray(), float).ravel()[columns]
            first = np.full(len(columns), float(counts.row_totals[row]))
            second = counts.column_totals[columns].astype(float)
            association = G2(signed=True).compute(joint, first, second, float(counts.total))
            names = tuple(contexts.vocabulary[column] for column in columns.tolist())
            material[word] = ContextNouns(matrix[:, columns], names, association)
        return material

    def induce(self, word: str, material: ContextNouns) -> list[SenseFeatures]:
        """Cluster nouns and pairs of nouns."""
        is_frequent = np.asarray(material.matrix.sum(axis=0)).ravel() > self.p1
        columns = np.flatnonzero(is_frequent & (material.association > self.p2))
        if len(columns) < 2:
            problem = f"fewer than two nouns are in more than {self.p1} of its contexts with G² above {self.p2:g}"
            raise TooLittleData(problem)
        nouns = [material.names[column] for column in columns.tolist()]
        contexts, names = self._add_pairs(material.matrix[:, columns], nouns)
        graph = _conditional_probabilities(contexts, self.p3)
        labels = ChineseWhispers(self.weighting, seed=self.seed)(graph)
        strength = np.asarray(graph.sum(axis=1), float).ravel()
        clusters = _merge_subsumed_clusters(labels, contexts)
        return [{names[vertex]: float(strength[vertex]) for vertex in cluster.tolist()} for cluster in clusters]

    def _add_pairs(self, nouns: sp.csr_array[Any], names: list[str]) -> tuple[sp.csr_array[Any], list[str]]:
        """Add the pairs that say more than their nouns: contexts × vertices, and their names."""
        import scipy.sparse as sp

        sizes = np.asarray(nouns.sum(axis=0)).ravel()
        shared = sp.triu(nouns.T @ nouns, 1).tocoo()
        one, other, both = shared.row, shared.col, shared.data
        dice = [2 * both / (both + sizes[end]) for end in (one, other)]
        is_vertex = (both > self.p1) & (dice[0] <= self.p4) & (dice[1] <= self.p4)
        one, other = one[is_vertex], other[is_vertex]
        columns = nouns.tocsc()
        pairs = columns[:, one].multiply(columns[:, other])
        pair_names = [f"{names[a]} {names[b]}" for a, b in zip(one.tolist(), other.tolist(), strict=True)]
        return sp.hstack([nouns, pairs], format="csr"), names + pair_names


def _conditional_probabilities(contexts: sp.csr_array[Any], minimum: float) -> sp.csr_array[Any]:
    """Compute the mean of P(a | b) and P(b | a) of each two vertices, where it is at least ``minimum``."""
    sizes = np.asarray(contexts.sum(axis=0), float).ravel()
    shared = (contexts.T @ contexts).tocoo()
    means = (shared.data / sizes[shared.row] + shared.data / sizes[shared.col]) / 2
    shared.data = np.where((means >= minimum) & (shared.row != shared.col), means, 0)
    graph: sp.csr_array[Any] = shared.tocsr()
    graph.eliminate_zeros()
    return graph


def _merge_subsumed_clusters(labels: Ints, contexts: sp.csr_array[Any]) -> list[Ints]:
    """Return the vertices of each cluster; a cluster whose contexts are all among those of a larger one joins it."""
    import scipy.sparse as sp

    names, number = np.unique(labels, return_inverse=True)
    vertices = np.arange(len(labels))
    members = sp.csr_array((np.ones(len(labels), np.int32), (vertices, number)), shape=(len(labels), len(names)))
    covered = ((contexts @ members) > 0).astype(np.int64)
    shared = (covered.T @ covered).toarray()
    size = shared.diagonal()
    wider = (shared == size[:, None]) & (size > size[:, None])
    # The largest cluster with all contexts of another is in no larger one: that would have these contexts, too.
    into = np.where(wider.any(axis=1), np.where(wider, size, -1).argmax(axis=1), np.arange(len(names)))
    return [vertices[into[number] == cluster] for cluster in np.unique(into).tolist()]
