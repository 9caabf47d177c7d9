"""UoS: senses as clusters, by MaxMax, of the words related to a word."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple

import numpy as np

from polyseme.arrays import Floats, Ints
from polyseme.corpus.association import G2, NPMI, association_matrix
from polyseme.corpus.content_words import select_content_words
from polyseme.corpus.cooccurrence import count_contexts_by_word, count_cooccurrences
from polyseme.corpus.counts import UsageContexts
from polyseme.corpus.index import Index
from polyseme.corpus.windows import DependencyWindow, SentenceWindow, Window, WordWindow
from polyseme.corpus.word_selection import WordSelection
from polyseme.errors import InputError, TooLittleData
from polyseme.graphs.maxmax import MaxMax
from polyseme.induction.graph_induction import SenseFeatures, overlap
from polyseme.induction.inducer import GraphInducer
from polyseme.lemma import POS_LETTERS, pos_of_lemma
from polyseme.parts import check_ranges

if TYPE_CHECKING:
    import scipy.sparse as sp


class RelatedWords(NamedTuple):
    """The words related to a word.

    Args:
        names: The words, the most strongly related first.
        graph: How they are associated with each other.
        senses: The greatest number of senses of the word; ``None`` for any number.
    """

    names: tuple[str, ...]
    graph: sp.csr_array[Any]
    senses: int | None


@dataclass(frozen=True)
class UoS(GraphInducer):
    """A graph of the words related to a word, clustered by MaxMax. (Hope & Keller 2013)

    The related words are those with the highest G² of depending on the target, or the target on them. In a corpus that
    is not parsed, they are near the target. Two of them are joined by their normalised pointwise mutual information, if
    they co-occur in sentences more often than by chance. MaxMax finds many small clusters; the least separable two are
    merged, again and again, until all are separable enough. A usage has the senses that match its context best, by the
    number of shared words over the square root of the sense's words. This is proportional to the cosine of the two as
    sets.

    ``UoS()`` is the submitted system *top-3* and ``UoS(senses='wordnet', top='all')`` is *#WN senses*. Their keys show
    that the first keeps all clusters of a lemma (21), and labels a usage with three. The second keeps as many clusters
    of a lemma as WordNet has senses, and labels a usage with all. The paper does not define the graph, separability and
    the match; these definitions are ours. Separability is the mean weight of edges inside the two clusters, divided by
    the mean weight of all pairs across them. Merging is the union of two sets: a word of both counts once.

    Args:
        senses: ``'all'`` senses, or the largest: as many as WordNet 3.1 has (``'wordnet'``), or a number. For a corpus
            without parts of speech, the senses of all parts of speech count.
        top: How many senses a usage has; ``'all'`` for all that match.
        words: The number of related words.
        reach: How many words away a related word may be, in a corpus that is not parsed.
        separable: Two clusters are merged if their separability is lower.
        minimum: Rarer words are left out.
    """

    context: ClassVar[Window] = SentenceWindow()
    gathered_by: ClassVar[tuple[str, ...]] = ("senses", "words", "reach", "minimum")
    senses: int | Literal["all", "wordnet"] = "all"
    top: int | Literal["all"] = 3
    words: int = 500
    reach: int = 5
    separable: float = 1.5
    minimum: int = 10

    def __post_init__(self) -> None:
        check_ranges(self, senses=(1, inf), top=(1, inf), words=(1, inf), reach=(1, inf))
        check_ranges(self, separable=(0, inf), minimum=(0, inf))

    def gather(self, index: Index, words: Sequence[str]) -> Mapping[str, RelatedWords]:
        """Find the words related to each word, and their associations."""
        among = select_content_words(index.vocabulary, minimum=self.minimum)
        window: Window = DependencyWindow() if _is_parsed(index) else WordWindow(self.reach)
        contexts = count_contexts_by_word(index, words, window, among)
        related = {word: self._select_strongest(of_word, index) for word, of_word in contexts.items()}
        names = {name for strongest in related.values() for name in strongest}
        counts = count_cooccurrences(index, self.context, WordSelection(among=names))
        graph = association_matrix(NPMI(), counts, 1e-9)
        limits = self._limit_senses(words)
        material: dict[str, RelatedWords] = {}
        for word, strongest in related.items():
            nodes = np.array([counts.rows.number(name) for name in strongest], np.intp)
            material[word] = RelatedWords(strongest, graph[nodes][:, nodes], limits[word])
        return material

    def _limit_senses(self, words: Sequence[str]) -> Mapping[str, int | None]:
        """Return the greatest number of senses of each word."""
        if self.senses == "wordnet":
            return _count_wordnet_senses(words)
        return dict.fromkeys(words, None if self.senses == "all" else self.senses)

    def _select_strongest(self, contexts: UsageContexts, index: Index) -> tuple[str, ...]:
        """Select the words with the highest G² of being near a word."""
        names, vocabulary = contexts.vocabulary, index.vocabulary
        joint = np.asarray(contexts.matrix.sum(axis=0), float).ravel()
        columns = np.flatnonzero((joint > 1) & (np.array(tuple(names)) != contexts.word))
        counts = np.array([vocabulary.counts[vocabulary.number(names[at])] for at in columns.tolist()], float)
        first = np.full(len(columns), joint.sum())
        association = G2(signed=True).compute(np.minimum(joint[columns], counts), first, counts, float(len(index)))
        order = np.argsort(-association, kind="stable")[: self.words].tolist()
        return tuple(names[columns[at]] for at in order if association[at] > 0)

    def induce(self, word: str, material: RelatedWords) -> list[SenseFeatures]:
        """Cluster the related words."""
        graph = material.graph
        if graph.nnz == 0:
            raise TooLittleData("no two words that are related to it co-occur more often than by chance")
        clusters = [nodes for nodes in MaxMax()(graph) if len(nodes) > 1]
        clusters = merge_inseparable_clusters(graph, clusters, self.separable)
        senses = []
        for nodes in sorted(clusters, key=lambda nodes: -len(nodes))[: material.senses]:
            strength = np.asarray(graph[nodes][:, nodes].sum(axis=1)).ravel()
            names = [material.names[node] for node in nodes.tolist()]
            senses.append(dict(zip(names, map(float, strength), strict=True)))
        return senses

    def weigh(self, present: sp.csr_array[Any], members: sp.csr_array[Any], sizes: Ints) -> sp.csr_array[Any]:
        """Weigh usages by shared words over the root of the sense's words; only the best senses stay."""
        import scipy.sparse as sp

        weights = overlap(present, members).toarray() / np.sqrt(np.maximum(np.diff(members.indptr), 1))
        if self.top != "all":  # the first of equal senses count
            np.put_along_axis(weights, np.argsort(-weights, axis=1, kind="stable")[:, self.top :], 0.0, axis=1)
        return sp.csr_array(weights)


def merge_inseparable_clusters(graph: sp.csr_array[Any], clusters: list[Ints], separable: float) -> list[Ints]:
    """Merge the two clusters that are least separable, again and again, until all are separable enough.

    >>> import scipy.sparse as sp
    >>> graph = sp.csr_array([[0, 2, 1, 0], [2, 0, 1, 0], [1, 1, 0, 2], [0, 0, 2, 0]])
    >>> [nodes.tolist() for nodes in merge_inseparable_clusters(graph, [np.array([0, 1]), np.array([2, 3])], 5.0)]
    [[0, 1, 2, 3]]
    """
    member = np.zeros((len(clusters), graph.shape[0]))
    for number, nodes in enumerate(clusters):
        member[number, nodes] = 1
    between = member @ (graph @ member.T)
    while len(member) > 1:
        separability = _separability(between, member.sum(axis=1))
        one, other = sorted(map(int, np.unravel_index(np.argmin(separability), separability.shape)))
        if separability[one, other] >= separable:
            break
        member[one] = np.maximum(member[one], member[other])
        member, between = np.delete(member, other, 0), np.delete(np.delete(between, other, 0), other, 1)
        between[one] = between[:, one] = member @ (graph @ member[one])
    return [np.flatnonzero(nodes) for nodes in member]


def _separability(between: Floats, size: Floats) -> Floats:
    """Compute the mean weight of the possible edges inside two clusters over that of the pairs of words of both."""
    pairs = size * (size - 1)
    inside = (between.diagonal()[:, None] + between.diagonal()) / np.maximum(pairs[:, None] + pairs, 1)
    across = between / (size[:, None] * size)
    ratio: Floats = np.divide(inside, across, out=np.full_like(across, np.inf), where=across > 0)
    np.fill_diagonal(ratio, np.inf)
    return ratio


def _is_parsed(index: Index) -> bool:
    """Whether the corpus has dependencies."""
    first = next(index.parts("tokens", ["head"]), None)
    return first is not None and first.column("head").null_count < first.num_rows


def _count_wordnet_senses(words: Sequence[str]) -> dict[str, int]:
    """Count the senses of each word in WordNet 3.1; without a part of speech, those of all parts of speech."""
    from polyseme.datasets import load

    inventory = load("wordnet-3.1").inventory
    if inventory is None:
        raise InputError("the number of WordNet's senses needs WordNet. Type: polyseme data install wordnet-3.1")
    lemmas = {word: [word] if pos_of_lemma(word) else [f"{word}.{pos}" for pos in POS_LETTERS] for word in words}
    return {word: sum(len(inventory.get(lemma, ())) for lemma in lemmas[word]) or 1 for word in words}
