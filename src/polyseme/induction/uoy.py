"""UoY: senses as clusters of the nouns, and pairs of nouns, that occur with a word."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
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
from polyseme.induction.fitting import Corpus, SenseFeatures, fit_graph_model
from polyseme.induction.model import SenseModel, overlap
from polyseme.parts import check_ranges

if TYPE_CHECKING:
    import scipy.sparse as sp


class ContextNouns(NamedTuple):
    """The nouns around a word: usages × nouns, with ones; what they are called; and their G² with the word."""

    matrix: sp.csr_array[Any]
    names: tuple[str, ...]
    association: Floats


@dataclass(frozen=True)
class UoY:
    """A graph of the nouns around a word, and of pairs of them, in clusters. (Korkontzelos & Manandhar 2010)

    1. Nouns that are in more than ``p1`` contexts of the word and have a G² above ``p2`` with it are vertices. So are
       pairs of them, unless a pair's contexts are much the same as those of one of its nouns, with a Dice above ``p4``:
       such a pair tells nothing new. The paper takes all other pairs; here they too must be in more than ``p1``
       contexts, as rarer ones are too many and match hardly any usage.
    2. Two vertices are joined, with the mean of the two conditional probabilities of one given the other in the
       contexts of the word, if that is at least ``p3``. Which of the two, or what of both, the paper takes, it does not
       say.
    3. Chinese Whispers, with ``weighting`` and ``seed``, makes clusters of them; a vertex without an edge is one of its
       own. A cluster whose contexts are all among those of another is merged into it.

    A context is what stands together with the word in a window of so many ``sentences``, wherever that begins: with
    three, two sentences on either side. A usage has each cluster of which a noun or a whole pair is in its context,
    with how many of them are.
    """

    kind: ClassVar[str] = "inducer"
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
        """Sentences around the usage."""
        return SentenceWindow(self.sentences)

    def fit(self, corpus: Corpus, lemmas: Iterable[str], **options: Any) -> SenseModel:
        """Induce the senses of lemmas from an index or from usages; see :func:`~polyseme.induction.fitting.fit_graph_model`."""
        return fit_graph_model(self, corpus, lemmas, **options)

    def loosest(self, grid: Mapping[str, Sequence[Any]]) -> UoY:
        """The one that has all nouns that the others have."""
        return replace(self, p1=min(grid.get("p1", (self.p1,))))

    def gather(self, index: Index, words: Sequence[str]) -> Mapping[str, ContextNouns]:
        """The nouns of each word's contexts, but for those that are too rare to be vertices."""
        nouns = select_content_words(index.vocabulary, "n", minimum=self.p1 + 1)
        found = count_contexts_by_word(index, words, self.context, nouns)
        counts = count_cooccurrences(index, self.context, nouns, rows=words)
        result: dict[str, ContextNouns] = {}
        for word, each in found.items():
            matrix = each.matrix.copy()
            matrix.data = np.ones(len(matrix.data), np.int32)
            kept = np.flatnonzero((np.asarray(matrix.sum(axis=0)) > self.p1) & (np.array(each.vocabulary) != word))
            row = counts.rows.number(word)
            joint = np.asarray(counts.matrix[[row]].toarray(), float).ravel()[kept]
            first = np.full(len(kept), float(counts.row_totals[row]))
            second = counts.column_totals[kept].astype(float)
            value = G2(signed=True).of(joint, first, second, float(counts.total))
            result[word] = ContextNouns(matrix[:, kept], tuple(each.vocabulary[at] for at in kept.tolist()), value)
        return result

    def induce(self, word: str, material: ContextNouns) -> list[SenseFeatures]:
        """The clusters of nouns and pairs."""
        frequent = np.asarray(material.matrix.sum(axis=0)).ravel() > self.p1
        kept = np.flatnonzero(frequent & (material.association > self.p2))
        if len(kept) < 2:
            problem = f"fewer than two nouns are in more than {self.p1} of its contexts with G² above {self.p2:g}"
            raise TooLittleData(problem)
        nouns, names = material.matrix[:, kept], [material.names[at] for at in kept.tolist()]
        there, named = self._with_pairs(nouns, names)
        graph = _conditional_probabilities(there, self.p3)
        labels = ChineseWhispers(self.weighting, seed=self.seed)(graph)
        strength = np.asarray(graph.sum(axis=1), float).ravel()
        return [
            {named[at]: float(strength[at]) for at in members.tolist()}
            for members in _merge_subsumed_clusters(labels, there)
        ]

    def weigh(self, present: sp.csr_array[Any], members: sp.csr_array[Any], sizes: Ints) -> sp.csr_array[Any]:
        """How many nouns and pairs of each sense are in the context of each usage."""
        return overlap(present, members)

    def _with_pairs(self, nouns: sp.csr_array[Any], names: list[str]) -> tuple[sp.csr_array[Any], list[str]]:
        """Contexts × vertices: the nouns, and the pairs that say more than they do."""
        import scipy.sparse as sp

        each = np.asarray(nouns.sum(axis=0)).ravel()
        shared = sp.triu(nouns.T @ nouns, 1).tocoo()
        one, other, both = shared.row, shared.col, shared.data
        dice = [2 * both / (both + each[end]) for end in (one, other)]
        kept = (both > self.p1) & (dice[0] <= self.p4) & (dice[1] <= self.p4)
        one, other = one[kept], other[kept]
        columns = nouns.tocsc()
        pairs = columns[:, one].multiply(columns[:, other])
        named = [f"{names[a]} {names[b]}" for a, b in zip(one.tolist(), other.tolist(), strict=True)]
        return sp.hstack([nouns, pairs], format="csr"), names + named


def _conditional_probabilities(there: sp.csr_array[Any], minimum: float) -> sp.csr_array[Any]:
    """The mean of P(a | b) and P(b | a) of each two vertices, where it is large enough."""
    each = np.asarray(there.sum(axis=0), float).ravel()
    shared = (there.T @ there).tocoo()
    value = (shared.data / each[shared.row] + shared.data / each[shared.col]) / 2
    shared.data = np.where((value >= minimum) & (shared.row != shared.col), value, 0)
    found: sp.csr_array[Any] = shared.tocsr()
    found.eliminate_zeros()
    return found


def _merge_subsumed_clusters(labels: Ints, there: sp.csr_array[Any]) -> list[Ints]:
    """The vertices of each cluster; one whose contexts are all among those of a larger one's is part of it."""
    import scipy.sparse as sp

    names, number = np.unique(labels, return_inverse=True)
    vertices = np.arange(len(labels))
    members = sp.csr_array((np.ones(len(labels), np.int32), (vertices, number)), shape=(len(labels), len(names)))
    covered = ((there @ members) > 0).astype(np.int64)
    shared = (covered.T @ covered).toarray()
    size = shared.diagonal()
    wider = (shared == size[:, None]) & (size > size[:, None])
    # The largest of those that have all contexts of a cluster is in no larger one itself: that would have them too.
    into = np.where(wider.any(axis=1), np.where(wider, size, -1).argmax(axis=1), np.arange(len(names)))
    return [vertices[into[number] == cluster] for cluster in np.unique(into).tolist()]
