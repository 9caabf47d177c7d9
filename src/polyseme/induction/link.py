"""Link: senses as the communities of links in one graph of all words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
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
from polyseme.induction.fitting import Corpus, SenseFeatures, fit_graph_model
from polyseme.induction.model import SenseModel, overlap
from polyseme.parts import check_ranges

if TYPE_CHECKING:
    import scipy.sparse as sp


@dataclass(frozen=True)
class Link:
    """The communities of links that a word is in. (Jurgens 2011, after Ahn, Bagrow & Lehmann 2010)

    All words are joined whose G² in three sentences of a document is at least ``tau``; the links between them are
    clustered (:class:`~polyseme.graphs.link_communities.LinkCommunities`), and each community of more than three
    words that has the target is one of its senses. Words are nouns, verbs and adjectives that occur ``minimum`` times,
    and the targets, whatever they are. A sense with the words F and a context with the words C have the weight
    |F| · |C ∩ F| / |C ∪ F|. ``passes`` saves memory when the graph is counted.
    """

    kind: ClassVar[str] = "inducer"
    context: ClassVar[Window] = SentenceWindow(3)
    grid: ClassVar[Mapping[str, tuple[float, ...]]] = {"tau": tuple(map(float, range(400, 1001, 100)))}
    tau: float = 500.0
    weighted: bool = False
    minimum: int = 5
    passes: int = 1

    def __post_init__(self) -> None:
        check_ranges(self, tau=(0, inf), minimum=(0, inf), passes=(1, inf))

    def fit(self, corpus: Corpus, lemmas: Iterable[str], **options: Any) -> SenseModel:
        """Induce the senses of lemmas from an index or from usages; see :func:`~polyseme.induction.fitting.fit_graph_model`."""
        return fit_graph_model(self, corpus, lemmas, **options)

    def gather(self, index: Index, words: Sequence[str]) -> Mapping[str, list[SenseFeatures]]:
        """The communities that each word is in, without it."""
        among = add_words(select_content_words(index.vocabulary, minimum=self.minimum), index.vocabulary, words)
        graph = build_word_graph(index, G2(signed=True), self.tau, window=self.context, words=among, passes=self.passes)
        found = LinkCommunities(weighted=self.weighted)(graph.matrix)
        of_words = {word: graph.words.number(word) for word in words}
        senses = _community_senses(found, graph, set(of_words.values()))
        return {word: senses.get(number, []) for word, number in of_words.items()}

    def induce(self, word: str, material: list[SenseFeatures]) -> list[SenseFeatures]:
        """The communities of the word."""
        if not material:
            raise TooLittleData(f"it is in no community of more than three words with G² of {self.tau} and more")
        return material

    def weigh(self, present: sp.csr_array[Any], members: sp.csr_array[Any], sizes: Ints) -> sp.csr_array[Any]:
        """|F| · |C ∩ F| / |C ∪ F|."""
        shared = overlap(present, members).tocoo()
        of_senses = np.diff(members.indptr)[shared.col]
        either = sizes[shared.row] + of_senses - shared.data
        shared.data = of_senses * shared.data / either
        return shared.tocsr()


def _community_senses(found: EdgeCommunities, graph: WordGraph, wanted: set[int]) -> dict[int, list[SenseFeatures]]:
    """The communities that have each of the wanted words, without it: the weights of words are those of their links."""
    senses: dict[int, list[SenseFeatures]] = {}
    weights = np.asarray(graph.matrix[found.edges[:, 0], found.edges[:, 1]]).ravel()
    for links in found.links():
        edges = found.edges[links]
        nodes = np.unique(edges)
        for target in wanted.intersection(nodes.tolist()) if len(nodes) > 3 else ():
            strength = np.bincount(np.searchsorted(nodes, edges).ravel(), np.repeat(weights[links], 2))
            members = zip(nodes.tolist(), strength.tolist(), strict=True)
            features = {graph.words[node]: weight for node, weight in members if node != target}
            senses.setdefault(target, []).append(features)
    return senses
