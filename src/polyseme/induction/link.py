"""Link: senses as the communities of links in one graph of all words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from polyseme.arrays import Ints
from polyseme.corpus.association import G2
from polyseme.corpus.content_words import add_words, select_content_words
from polyseme.corpus.index import Index
from polyseme.corpus.windows import SentenceWindow, Window
from polyseme.corpus.word_graph import WordGraph, build_word_graph
from polyseme.errors import TooLittleData
from polyseme.graphs.link_communities import EdgeCommunities, LinkCommunities
from polyseme.induction.graph_induction import SenseFeatures, overlap
from polyseme.induction.inducer import GraphInducer
from polyseme.parts import check_ranges

if TYPE_CHECKING:
    import scipy.sparse as sp


@dataclass(frozen=True)
class Link(GraphInducer):
    """Communities of word links; each with the target is a sense. (Jurgens 2011, after Ahn, Bagrow & Lehmann 2010)

    Two words are linked if their G² in three sentences of a document is high. The links are clustered
    (:class:`~polyseme.graphs.link_communities.LinkCommunities`), and each community of more than three words that has
    the target is one of its senses. Words are nouns, verbs and adjectives, and the targets themselves. A sense with the
    words F and a context with the words C have the weight |F| · |C ∩ F| / |C ∪ F|.

    Args:
        tau: The smallest G² of a link.
        weighted: Whether the similarity of links depends on their weights.
        minimum: Rarer words are left out.
        passes: How many times the corpus is read when the graph is counted; more passes need less memory.
    """

    context: ClassVar[Window] = SentenceWindow(3)
    grid: ClassVar[Mapping[str, tuple[float, ...]]] = {"tau": tuple(map(float, range(400, 1001, 100)))}
    tau: float = 500.0
    weighted: bool = False
    minimum: int = 5
    passes: int = 1

    def __post_init__(self) -> None:
        check_ranges(self, tau=(0, inf), minimum=(0, inf), passes=(1, inf))

    def gather(self, index: Index, words: Sequence[str]) -> Mapping[str, list[SenseFeatures]]:
        """Find the communities of each word in one graph of all words."""
        among = add_words(select_content_words(index.vocabulary, minimum=self.minimum), index.vocabulary, words)
        graph = build_word_graph(index, G2(signed=True), self.tau, window=self.context, words=among, passes=self.passes)
        numbers = {word: graph.words.number(word) for word in words}
        communities = LinkCommunities(weighted=self.weighted)(graph.matrix)
        senses = _find_senses(communities, graph, set(numbers.values()))
        return {word: senses.get(number, []) for word, number in numbers.items()}

    def induce(self, word: str, material: list[SenseFeatures]) -> list[SenseFeatures]:
        """Return the communities of a word."""
        if not material:
            raise TooLittleData(f"it is in no community of more than three words with G² of {self.tau} and more")
        return material

    def weigh(self, present: sp.csr_array[Any], members: sp.csr_array[Any], sizes: Ints) -> sp.csr_array[Any]:
        """Weigh usages by |F| · |C ∩ F| / |C ∪ F|."""
        shared = overlap(present, members).tocoo()
        sense_sizes = np.diff(members.indptr)[shared.col]
        union = sizes[shared.row] + sense_sizes - shared.data
        shared.data = sense_sizes * shared.data / union
        return shared.tocsr()


def _find_senses(communities: EdgeCommunities, graph: WordGraph, targets: set[int]) -> dict[int, list[SenseFeatures]]:
    """Return the communities of each target without it, each word with the sum of the weights of its links."""
    senses: dict[int, list[SenseFeatures]] = {}
    weights = np.asarray(graph.matrix[communities.edges[:, 0], communities.edges[:, 1]]).ravel()
    for links in communities.links():
        edges = communities.edges[links]
        nodes = np.unique(edges)
        for target in targets.intersection(nodes.tolist()) if len(nodes) > 3 else ():
            strength = np.bincount(np.searchsorted(nodes, edges).ravel(), np.repeat(weights[links], 2))
            members = zip(nodes.tolist(), strength.tolist(), strict=True)
            features = {graph.words[node]: weight for node, weight in members if node != target}
            senses.setdefault(target, []).append(features)
    return senses
