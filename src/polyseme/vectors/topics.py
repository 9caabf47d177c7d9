"""Topic proportions: latent Dirichlet allocation, and hierarchical Dirichlet processes, which find how many topics."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from itertools import islice
from math import inf
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from polyseme.arrays import Floats, Ints
from polyseme.clustering.clusterer import GREATEST_NUMBER
from polyseme.corpus.passages import Passages
from polyseme.errors import MissingExtra, TooLittleData
from polyseme.parts import CheckedOptions, Ranges
from polyseme.vectors.bag_of_words import Bag, FittedBag
from polyseme.vectors.representation import RepresentationState, inner_state, prefix_state

if TYPE_CHECKING:
    import scipy.sparse as sp

FOLDING_ROUNDS = 50
"""How often the proportions of a usage are re-estimated."""


SHARED_RANGES: Ranges = {"alpha": (1e-9, inf), "eta": (1e-9, inf), "iterations": (1, inf), "seed": (0, inf)}
"""The ranges of the options that both models have."""


@dataclass(frozen=True)
class LDA(CheckedOptions):
    """The proportions of topics in a usage. (Blei, Ng & Jordan 2003)

    Topics are learnt by collapsed Gibbs sampling (tomotopy). The proportions θ of a usage are then the likeliest ones,
    given the topics φ: θ_k ∝ α_k + Σ_w n_w θ_k φ_kw / Σ_j θ_j φ_jw.

    Args:
        of: The bag whose features are read.
        topics: The number of topics.
        alpha: The prior of each topic in a usage.
        eta: The prior of each word in a topic.
        iterations: The number of rounds of sampling.
        seed: The random seed.
        learn_alpha: Whether the priors of topics are learnt, starting from ``alpha``; otherwise they stay.
    """

    kind: ClassVar[str] = "representation"
    reads_text: ClassVar[bool] = False
    ranges: ClassVar[Ranges] = {**SHARED_RANGES, "topics": (1, GREATEST_NUMBER)}
    of: Bag = Bag()
    topics: int = 10
    alpha: float = 0.1
    eta: float = 0.01
    iterations: int = 300
    seed: int = 0
    learn_alpha: bool = True

    def fit(self, passages: Passages) -> FittedTopics:
        """Learn the topics; one thread, so that the seed decides."""
        words = self.of.fit(passages)
        model = _import_tomotopy().LDAModel(k=self.topics, alpha=self.alpha, eta=self.eta, seed=self.seed)
        if not self.learn_alpha:
            model.optim_interval = 0
        tokens, rows = _list_tokens(words.counts(passages))
        for numbers in np.split(tokens, np.flatnonzero(np.diff(rows)) + 1):
            model.add_doc([str(number) for number in numbers.tolist()])
        model.train(self.iterations, workers=1)
        topics = np.full((model.k, len(words.names)), 1e-12)
        columns = [int(number) for number in model.used_vocabs]  # the vocabulary of tomotopy has an order of its own
        topics[:, columns] = [model.get_topic_word_dist(topic) for topic in range(model.k)]
        prior = np.full(self.topics, np.asarray(model.alpha, float))
        return FittedTopics(words, np.asarray(topics / topics.sum(axis=1, keepdims=True)), prior)

    def restore(self, state: RepresentationState) -> FittedTopics:
        """Rebuild the topics from their state."""
        return FittedTopics.from_state(self.of, state)


@dataclass(frozen=True)
class HDP(CheckedOptions):
    """The proportions of topics in a usage; the number of topics is learnt from the texts. (Teh et al. 2006)

    A hierarchical Dirichlet process, by Gibbs sampling with direct assignment. The concentrations are drawn as well,
    with the priors of Teh et al. and Lau et al. (2012): γ from Gamma(1, .1) and α₀ from Gamma(1, 1). Without numba
    (``pip install 'polyseme[fast]'``) it takes hundreds of times as long.

    Args:
        of: The bag whose features are read.
        gamma: The prior mean of γ.
        alpha: The prior mean of α₀.
        eta: The prior of each word in a topic.
        iterations: The number of rounds of sampling.
        smallest: Topics with a smaller share of all words are dropped.
        seed: The random seed.
    """

    kind: ClassVar[str] = "representation"
    reads_text: ClassVar[bool] = False
    ranges: ClassVar[Ranges] = {**SHARED_RANGES, "gamma": (1e-9, inf), "smallest": (0, 1)}
    of: Bag = Bag(minimum=11, positions=3)
    gamma: float = 10.0
    alpha: float = 1.0
    eta: float = 0.5
    iterations: int = 300
    smallest: float = 0.005
    seed: int = 0

    def fit(self, passages: Passages) -> FittedTopics:
        """Learn the topics."""
        from polyseme.vectors._hdp_sampler import sample_topics

        words = self.of.fit(passages)
        tokens, rows = _list_tokens(words.counts(passages))
        samples = sample_topics(tokens, rows, len(words.names), (self.gamma, self.alpha), self.eta, self.seed)
        sample = next(islice(samples, self.iterations - 1, None))
        least = min(self.smallest * sample.total.sum(), sample.total.max())
        large = np.flatnonzero(sample.total >= max(least, 1))
        likelihoods = sample.words[large] + self.eta
        shares = sample.total[large] / sample.total[large].sum()
        topics = np.asarray(likelihoods / likelihoods.sum(axis=1, keepdims=True))
        return FittedTopics(words, topics, sample.alpha * shares)

    def restore(self, state: RepresentationState) -> FittedTopics:
        """Rebuild the topics from their state."""
        return FittedTopics.from_state(self.of, state)


@dataclass(frozen=True, eq=False)
class FittedTopics:
    """Topics × features, each row a distribution; and the prior of each topic in a usage."""

    words: FittedBag
    topics: Floats
    prior: Floats

    @classmethod
    def from_state(cls, bag: Bag, state: RepresentationState) -> FittedTopics:
        """Rebuild topics over the features of a bag."""
        return cls(bag.restore(inner_state(state, "of")), state["topics"], state["prior"])

    @property
    def state(self) -> RepresentationState:
        """The words, the topics and their priors."""
        return {**prefix_state(self.words.state, "of"), "topics": self.topics, "prior": self.prior}

    def __call__(self, passages: Passages) -> Floats:
        """Usages × topics; a usage without any of the words has zeros."""
        return infer_proportions(self.words.counts(passages), self.topics, self.prior)


def infer_proportions(counts: sp.csr_array[Any], topics: Floats, prior: Floats, rounds: int = FOLDING_ROUNDS) -> Floats:
    """Infer the likeliest proportions of topics in each row, given the topics.

    >>> import scipy.sparse as sp
    >>> topics = np.array([[0.9, 0.1], [0.1, 0.9]])
    >>> infer_proportions(sp.csr_array([[5, 0], [0, 0]]), topics, np.array([0.1, 0.1])).round(2).tolist()
    [[0.98, 0.02], [0.0, 0.0]]
    """
    import scipy.sparse as sp

    entries = np.arange(len(counts.indices))
    sum_rows = sp.csr_array((np.ones(len(entries)), entries, counts.indptr), shape=(counts.shape[0], len(entries)))
    rows = np.repeat(np.arange(counts.shape[0]), np.diff(counts.indptr))
    likelihoods = topics.T[counts.indices]
    proportions = np.full((counts.shape[0], len(prior)), 1 / len(prior))
    for _ in range(rounds):
        shares = proportions[rows] * likelihoods
        shares *= (counts.data / shares.sum(axis=1))[:, None]
        proportions = sum_rows @ shares + prior
        proportions /= proportions.sum(axis=1, keepdims=True)
    proportions[np.diff(counts.indptr) == 0] = 0
    return proportions


def _import_tomotopy() -> Any:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # its compiled classes cause them on newer Pythons
            import tomotopy
    except ImportError:
        raise MissingExtra("topics", "tomotopy") from None
    return tomotopy


def _list_tokens(counts: sp.csr_array[Any]) -> tuple[Ints, Ints]:
    """The words of all passages that have any, as often as they occur, and the number of the passage of each."""
    sizes = np.diff(counts.indptr)
    rows = np.repeat(np.cumsum(sizes > 0) - 1, sizes)
    if not len(rows) or rows[-1] < 1:
        raise TooLittleData("fewer than two passages have words from which topics could be learnt")
    return np.repeat(counts.indices, counts.data).astype(np.intp), np.repeat(rows, counts.data)
