"""Usages by topics: latent Dirichlet allocation, and the hierarchical Dirichlet process, which finds how many."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from itertools import islice
from math import inf
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from polyseme.arrays import Floats, Ints
from polyseme.corpus.passages import Passages
from polyseme.errors import MissingExtra
from polyseme.induction.fitting import TooLittleData
from polyseme.parts import check_ranges
from polyseme.vectors.bag_of_words import Bag, FittedBag
from polyseme.vectors.representation import RepresentationState, inner_state, prefix_state

if TYPE_CHECKING:
    import scipy.sparse as sp

FOLDING_ROUNDS = 50
"""How often the proportions of a usage are estimated again."""


@dataclass(frozen=True)
class LDA:
    """How much of each of so many topics is in a usage. (Blei, Ng & Jordan 2003)

    Topics are learnt by collapsed Gibbs sampling (tomotopy). The proportions θ of a usage are then the ones that are
    most likely, given the topics φ: θ_k ∝ α_k + Σ_w n_w θ_k φ_kw / Σ_j θ_j φ_jw.

    Args:
        of: The bag whose features are read.
        topics: How many topics.
        alpha: The prior of each topic in a usage.
        eta: The prior of each word in a topic.
        iterations: Rounds of sampling.
        seed: The random seed.
        learn_alpha: Whether the priors of topics are learnt, starting from ``alpha``; otherwise they stay.
    """

    kind: ClassVar[str] = "representation"
    reads_text: ClassVar[bool] = False
    of: Bag = Bag()
    topics: int = 10
    alpha: float = 0.1
    eta: float = 0.01
    iterations: int = 300
    seed: int = 0
    learn_alpha: bool = True

    def __post_init__(self) -> None:
        check_ranges(self, topics=(1, inf), alpha=(1e-9, inf), eta=(1e-9, inf), iterations=(1, inf), seed=(0, inf))

    def fit(self, passages: Passages) -> FittedTopics:
        """Learn the topics."""
        words = self.of.fit(passages)
        model = _tomotopy().LDAModel(k=self.topics, alpha=self.alpha, eta=self.eta, seed=self.seed)
        if not self.learn_alpha:
            model.optim_interval = 0
        _train(model, words, passages, self.iterations)
        every = np.array([model.get_topic_word_dist(topic) for topic in range(model.k)])
        prior = np.full(self.topics, np.asarray(model.alpha, float))
        return FittedTopics(words, _topics_by_feature(model, every, words), prior)

    def restore(self, state: RepresentationState) -> FittedTopics:
        """The same topics again."""
        return _restore(self.of, state)


@dataclass(frozen=True)
class HDP:
    """How much of each topic is in a usage, where the text says how many topics there are. (Teh et al. 2006)

    A hierarchical Dirichlet process, with η as prior of the words of a topic, by Gibbs sampling, direct assignment. The
    concentrations are drawn as well, with the priors of Teh et al. and Lau et al. (2012): γ from Gamma(1, .1) and α₀
    from Gamma(1, 1), of which ``gamma`` and ``alpha`` are the means. Topics with less than ``smallest`` of all words
    are dropped. Without numba (``pip install 'polyseme[fast]'``) it takes hundreds of times as long.
    """

    kind: ClassVar[str] = "representation"
    reads_text: ClassVar[bool] = False
    of: Bag = Bag(minimum=11, positions=3)
    gamma: float = 10.0
    alpha: float = 1.0
    eta: float = 0.5
    iterations: int = 300
    smallest: float = 0.005
    seed: int = 0

    def __post_init__(self) -> None:
        check_ranges(self, gamma=(1e-9, inf), alpha=(1e-9, inf), eta=(1e-9, inf), iterations=(1, inf))
        check_ranges(self, smallest=(0, 1), seed=(0, inf))

    def fit(self, passages: Passages) -> FittedTopics:
        """Learn the topics."""
        from polyseme.vectors._hdp_sampler import sample_topics

        words = self.of.fit(passages)
        tokens, rows = _tokens(words.counts(passages))
        rounds = sample_topics(tokens, rows, len(words.names), (self.gamma, self.alpha), self.eta, self.seed)
        found = next(islice(rounds, self.iterations - 1, None))
        least = min(self.smallest * found.total.sum(), found.total.max())
        kept = np.flatnonzero(found.total >= max(least, 1))
        likely = found.words[kept] + self.eta
        shares = found.total[kept] / found.total[kept].sum()
        return FittedTopics(words, np.asarray(likely / likely.sum(axis=1, keepdims=True)), found.alpha * shares)

    def restore(self, state: RepresentationState) -> FittedTopics:
        """The same topics again."""
        return _restore(self.of, state)


@dataclass(frozen=True, eq=False)
class FittedTopics:
    """Topics × features, each a distribution; and how much of each topic is expected before anything is seen."""

    words: FittedBag
    topics: Floats
    prior: Floats

    @property
    def state(self) -> RepresentationState:
        """The words, the topics and their priors."""
        return {**prefix_state(self.words.state, "of"), "topics": self.topics, "prior": self.prior}

    def __call__(self, passages: Passages) -> Floats:
        """Usages × topics; a usage that has none of the words has zeros."""
        return infer_proportions(self.words.counts(passages), self.topics, self.prior)


def infer_proportions(counts: sp.csr_array[Any], topics: Floats, prior: Floats, rounds: int = FOLDING_ROUNDS) -> Floats:
    """The likeliest proportions of topics in each row, given the topics.

    >>> import scipy.sparse as sp
    >>> topics = np.array([[0.9, 0.1], [0.1, 0.9]])
    >>> infer_proportions(sp.csr_array([[5, 0], [0, 0]]), topics, np.array([0.1, 0.1])).round(2).tolist()
    [[0.98, 0.02], [0.0, 0.0]]
    """
    import scipy.sparse as sp

    places = np.arange(len(counts.indices))
    of = sp.csr_array((np.ones(len(places)), places, counts.indptr), shape=(counts.shape[0], len(places)))
    rows = np.repeat(np.arange(counts.shape[0]), np.diff(counts.indptr))
    likely = topics.T[counts.indices]
    found = np.full((counts.shape[0], len(prior)), 1 / len(prior))
    for _ in range(rounds):
        share = found[rows] * likely
        share *= (counts.data / share.sum(axis=1))[:, None]
        found = of @ share + prior
        found /= found.sum(axis=1, keepdims=True)
    found[np.diff(counts.indptr) == 0] = 0
    return found


def _tomotopy() -> Any:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # of its compiled classes, on newer Pythons
            import tomotopy
    except ImportError:
        raise MissingExtra("topics", "tomotopy") from None
    return tomotopy


def _tokens(counts: sp.csr_array[Any]) -> tuple[Ints, Ints]:
    """The words of passages that have any, as often as they are there, and of which of these passages each is."""
    sizes = np.diff(counts.indptr)
    rows = np.repeat(np.cumsum(sizes > 0) - 1, sizes)
    if not len(rows) or rows[-1] < 1:
        raise TooLittleData("fewer than two passages have words from which topics could be learnt")
    return np.repeat(counts.indices, counts.data).astype(np.intp), np.repeat(rows, counts.data)


def _train(model: Any, words: FittedBag, passages: Passages, iterations: int) -> None:
    """Give the passages to a model, and sample so often; one thread, so that the seed decides."""
    tokens, rows = _tokens(words.counts(passages))
    for numbers in np.split(tokens, np.flatnonzero(np.diff(rows)) + 1):
        model.add_doc([str(number) for number in numbers.tolist()])
    model.train(iterations, workers=1)


def _topics_by_feature(model: Any, topics: Floats, words: FittedBag) -> Floats:
    """Topics over our features, from those over the vocabulary of tomotopy."""
    found = np.full((len(topics), len(words.names)), 1e-12)
    found[:, [int(number) for number in model.used_vocabs]] = topics
    return np.asarray(found / found.sum(axis=1, keepdims=True))


def _restore(of: Bag, state: RepresentationState) -> FittedTopics:
    return FittedTopics(of.restore(inner_state(state, "of")), state["topics"], state["prior"])
