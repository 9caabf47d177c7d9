"""UoS: senses as the clusters that MaxMax finds among the words related to a word."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple

import numpy as np

from polyseme.arrays import Floats, Ints
from polyseme.corpus.association import G2, NPMI, association_matrix
from polyseme.corpus.content_words import select_content_words
from polyseme.corpus.cooccurrence import count_contexts_by_word, count_cooccurrences
from polyseme.corpus.index import Index
from polyseme.corpus.windows import DependencyWindow, SentenceWindow, Window, WordWindow
from polyseme.corpus.word_selection import WordSelection
from polyseme.errors import InputError, TooLittleData
from polyseme.graphs.maxmax import MaxMax
from polyseme.induction.fitting import Corpus, SenseFeatures, fit_graph_model
from polyseme.induction.model import SenseModel, overlap
from polyseme.lemma import POS_LETTERS, pos_of_lemma
from polyseme.parts import check_ranges

if TYPE_CHECKING:
    import scipy.sparse as sp


class RelatedWords(NamedTuple):
    """The words related to a word, the strongest first, how they are associated, and how many senses it may have."""

    names: tuple[str, ...]
    graph: sp.csr_array[Any]
    senses: int | None


@dataclass(frozen=True)
class UoS:
    """A graph of the words related to a word, clustered by MaxMax. (Hope & Keller 2013)

    The ``words`` that depend on the target, or on which it depends, with the highest G² are taken; if the corpus is not
    parsed, those at most ``reach`` words away. They are joined if they co-occur in sentences more often than by chance,
    by their normalised pointwise mutual information. MaxMax makes many small clusters, of which two are merged, the
    least separable first, as long as their separability is below ``separable``. All that are left are ``senses``, or
    the largest, as many as WordNet 3.1 has (``'wordnet'``; of all parts of speech, if the corpus has none) or a number.

    A usage has the ``top`` senses that match its context best, by the words that they share over the square root of
    how many the sense has: but for a factor, the cosine of the two as sets.

    ``UoS()`` is the submitted system *top-3* and ``UoS(senses='wordnet', top='all')`` is *#WN senses*; that the first
    has all clusters (21 of a lemma) and three of a usage, the second as many of a lemma as WordNet and all of a usage,
    is seen in their keys. The paper says too little of the graph, of separability and of the match: these are ours.
    Separability is the mean weight of edges inside the two clusters over that of all pairs of a word of the one and a
    word of the other. What is merged is the union of two sets: a word that was in both counts once.
    """

    kind: ClassVar[str] = "inducer"
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

    def fit(self, corpus: Corpus, lemmas: Iterable[str], **options: Any) -> SenseModel:
        """Induce the senses of lemmas from an index or from usages; see :func:`~polyseme.induction.fitting.fit_graph_model`."""
        return fit_graph_model(self, corpus, lemmas, **options)

    def gather(self, index: Index, words: Sequence[str]) -> Mapping[str, RelatedWords]:
        """The words related to each word, and how they are associated."""
        among = select_content_words(index.vocabulary, minimum=self.minimum)
        near: Window = DependencyWindow() if _is_parsed(index) else WordWindow(self.reach)
        found = count_contexts_by_word(index, words, near, among)
        related = {
            word: self._strongest(each.matrix, tuple(each.vocabulary), index, word) for word, each in found.items()
        }
        every = WordSelection(among={name for names in related.values() for name in names})
        counts = count_cooccurrences(index, self.context, every)
        graph = association_matrix(NPMI(), counts, 1e-9)
        senses = self._at_most(words)
        result: dict[str, RelatedWords] = {}
        for word, names in related.items():
            at = np.array([counts.rows.number(name) for name in names], np.intp)
            result[word] = RelatedWords(names, graph[at][:, at], senses[word])
        return result

    def _at_most(self, words: Sequence[str]) -> Mapping[str, int | None]:
        """How many senses each word may have."""
        if self.senses == "wordnet":
            return _count_wordnet_senses(words)
        return dict.fromkeys(words, None if self.senses == "all" else self.senses)

    def _strongest(self, matrix: sp.csr_array[Any], names: tuple[str, ...], index: Index, word: str) -> tuple[str, ...]:
        """The words with the highest G² of being near."""
        joint = np.asarray(matrix.sum(axis=0), float).ravel()
        kept = np.flatnonzero((joint > 1) & (np.array(names) != word))
        counts = np.array([index.vocabulary.counts[index.vocabulary.number(names[at])] for at in kept.tolist()], float)
        first = np.full(len(kept), joint.sum())
        value = G2(signed=True).of(np.minimum(joint[kept], counts), first, counts, float(len(index)))
        best = [at for at in np.argsort(-value, kind="stable")[: self.words].tolist() if value[at] > 0]
        return tuple(names[kept[at]] for at in best)

    def induce(self, word: str, material: RelatedWords) -> list[SenseFeatures]:
        """The clusters of the words."""
        if material.graph.nnz == 0:
            raise TooLittleData("no two words that are related to it co-occur more often than by chance")
        clusters = [nodes for nodes in MaxMax()(material.graph) if len(nodes) > 1]
        clusters = merge_inseparable_clusters(material.graph, clusters, self.separable)
        largest = sorted(clusters, key=lambda nodes: -len(nodes))[: material.senses]
        strength = [np.asarray(material.graph[nodes][:, nodes].sum(axis=1)).ravel() for nodes in largest]
        return [
            {material.names[at]: float(weight) for at, weight in zip(nodes.tolist(), weights.tolist(), strict=True)}
            for nodes, weights in zip(largest, strength, strict=True)
        ]

    def weigh(self, present: sp.csr_array[Any], members: sp.csr_array[Any], sizes: Ints) -> sp.csr_array[Any]:
        """The words that each usage shares with each sense, over the root of the sense's; the best senses only."""
        import scipy.sparse as sp

        shared = overlap(present, members).toarray() / np.sqrt(np.maximum(np.diff(members.indptr), 1))
        return sp.csr_array(shared if self.top == "all" else keep_row_maxima(shared, self.top))


def keep_row_maxima(values: Floats, count: int) -> Floats:
    """The greatest values of each row, the first of equal ones; zero for the others.

    >>> keep_row_maxima(np.array([[1.0, 3.0, 2.0, 1.0]]), 3).tolist()
    [[1.0, 3.0, 2.0, 0.0]]
    """
    others = np.argsort(-values, axis=1, kind="stable")[:, count:]
    found = values.copy()
    np.put_along_axis(found, others, 0.0, axis=1)
    return found


def merge_inseparable_clusters(graph: sp.csr_array[Any], clusters: list[Ints], separable: float) -> list[Ints]:
    """Clusters of which the two that are least separable are merged, again and again, until all are separable enough.

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
        one, other = sorted(int(at) for at in np.unravel_index(np.argmin(separability), separability.shape))
        if separability[one, other] >= separable:
            break
        member[one] = np.maximum(member[one], member[other])
        member, between = np.delete(member, other, 0), np.delete(np.delete(between, other, 0), other, 1)
        between[one] = between[:, one] = member @ (graph @ member[one])
    return [np.flatnonzero(nodes) for nodes in member]


def _separability(between: Floats, size: Floats) -> Floats:
    """The mean weight of the possible edges inside two clusters over that of the pairs of words of both."""
    pairs = size * (size - 1)
    inside = (between.diagonal()[:, None] + between.diagonal()) / np.maximum(pairs[:, None] + pairs, 1)
    across = between / (size[:, None] * size)
    found: Floats = np.divide(inside, across, out=np.full_like(across, np.inf), where=across > 0)
    np.fill_diagonal(found, np.inf)
    return found


def _is_parsed(index: Index) -> bool:
    """Whether the corpus has dependencies."""
    first = next(index.parts("tokens", ["head"]), None)
    return first is not None and first.column("head").null_count < first.num_rows


def _count_wordnet_senses(words: Sequence[str]) -> dict[str, int]:
    """How many senses WordNet 3.1 has of each word; of one without a part of speech, those of all its parts."""
    from polyseme.datasets import load

    inventory = load("wordnet-3.1").inventory
    if inventory is None:
        raise InputError("the number of WordNet's senses needs WordNet. Type: polyseme data install wordnet-3.1")
    named = {word: [word] if pos_of_lemma(word) else [f"{word}.{part}" for part in POS_LETTERS] for word in words}
    return {word: sum(len(inventory.get(name, ())) for name in names) or 1 for word, names in named.items()}
