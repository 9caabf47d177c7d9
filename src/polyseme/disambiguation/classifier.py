"""A classifier for each lemma, whose probabilities are weights."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from math import inf
from typing import Any, ClassVar

import numpy as np

from polyseme.arrays import Floats
from polyseme.disambiguation.contexts import Context
from polyseme.disambiguation.encoding import encode_usages
from polyseme.disambiguation.model import Disambiguator, SenseWeigher, SenseWeights
from polyseme.disambiguation.plain_words import STOP_WORD_COUNT, usage_passages
from polyseme.disambiguation.sense_weights import EntrySenses, context_positions_by_lemma, read_dictionary_senses
from polyseme.disambiguation.sources import Sources
from polyseme.disambiguation.tagged_usages import TaggedExamples, sample_examples
from polyseme.errors import TooLittleData
from polyseme.parts import FolderName, Ranges
from polyseme.usage import Usage
from polyseme.vectors.bag_of_words import Bag, FittedBag
from polyseme.vectors.encoders import TokenEncoder

MAX_ITERATIONS = 50
"""The number of iterations in which a classifier nearly converges."""


@dataclass(frozen=True)
class LinearClassifier(Disambiguator):
    """Logistic regression for each lemma, learnt from SemCor; its probabilities are weights. (Erk & McCarthy 2009)

    The features of a usage are the words of its context, and the words at the nearest positions on either side (Zhong &
    Ng 2010). With an encoder, the vector of the target is added. A usage with several senses counts in part for each.
    A sense of the lemma's k senses without any of its n usages has the probability 1 / (n + k), as in add-one
    smoothing. A lemma with too few usages, or with one sense there, has the smoothed frequencies of WordNet,
    (count + 1) / Σ (count + 1).

    Args:
        encoder: A model of Hugging Face for the vector of the target.
        positions: How many positions on either side are features.
        minimum: In how many usages of the lemma a feature must occur.
        penalty: The strength of regularisation, 1/C.
        scale: The factor of the encoder's vector.
        least: The fewest usages of a lemma to learn from.
        most: The largest number of usages of a sense.
        layer: The layer of the encoder, from −1, the last, downwards.
        seed: The random seed for the sample of usages.
    """

    ranges: ClassVar[Ranges] = {
        "positions": (0, inf),
        "minimum": (1, inf),
        "penalty": (1e-9, inf),
        "scale": (0, inf),
        "least": (0, inf),
        "most": (1, inf),
        "layer": (-inf, -1),
        "seed": (0, inf),
    }
    encoder: FolderName = ""
    positions: int = 3
    minimum: int = 2
    penalty: float = 1.0
    scale: float = 3.0
    least: int = 5
    most: int = 100
    layer: int = -1
    seed: int = 0

    def prepare(self, sources: Sources, lemmas: Collection[str]) -> SenseWeigher:
        """Train a classifier for each of these lemmas."""
        senses = read_dictionary_senses(sources.wordnet, lemmas)
        samples = {lemma: sample_examples(sources, [entry], self.most, self.seed) for lemma, entry in senses.items()}
        samples = {lemma: examples for lemma, examples in samples.items() if self._is_enough(examples)}
        if self.encoder:  # all at once
            usages = [usage for examples in samples.values() for usage, _ in examples]
            encode_usages(sources, TokenEncoder(self.encoder, self.layer, False), usages)
        trained = {lemma: self._train(sources, examples, senses[lemma]) for lemma, examples in samples.items()}

        def weigh(contexts: Sequence[Context]) -> Sequence[SenseWeights]:
            weights: list[SenseWeights] = [{}] * len(contexts)
            for lemma, positions in context_positions_by_lemma(contexts).items():
                if lemma in senses:
                    classify, entry = trained.get(lemma), senses[lemma]
                    usages = [contexts[position].usage for position in positions]
                    rows = classify(usages) if classify else [entry.shares()] * len(positions)
                    for position, row in zip(positions, rows, strict=True):
                        weights[position] = dict(zip(entry.keys, row.tolist(), strict=True))
            return weights

        return weigh

    def _is_enough(self, examples: TaggedExamples) -> bool:
        return len({usage for usage, _ in examples}) >= self.least and len({sense for _, sense in examples}) > 1

    def _train(self, sources: Sources, examples: TaggedExamples, senses: EntrySenses) -> _LemmaClassifier | None:
        """Train a classifier of the usages of a lemma; none if they have no features in common."""
        from sklearn.linear_model import LogisticRegression

        usages = [usage for usage, _ in examples]
        features = self._fit_features(sources, usages)
        if features is None:
            return None
        counts = Counter(usages)
        weights = np.array([1 / counts[usage] for usage in usages])
        number = {key: row for row, key in enumerate(senses.keys)}
        regression = LogisticRegression(C=1 / self.penalty, solver="newton-cg", max_iter=MAX_ITERATIONS)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # it may stop before it converges, which makes no difference
            regression.fit(features.matrix(usages), [number[key] for _, key in examples], weights)
        return _LemmaClassifier(features, regression, len(counts), len(senses.keys))

    def _fit_features(self, sources: Sources, usages: Sequence[Usage]) -> _ClassifierFeatures | None:
        bag = Bag(self.minimum, positions=self.positions, weighting="binary", stop=STOP_WORD_COUNT)
        encoder = TokenEncoder(self.encoder, self.layer, False) if self.encoder else None
        try:
            fitted = bag.fit(usage_passages(usages, sources))
        except TooLittleData:
            fitted = None
        return _ClassifierFeatures(sources, fitted, encoder, self.scale) if fitted or encoder else None


@dataclass(frozen=True, eq=False)
class _ClassifierFeatures:
    """The features of usages: words of the context, the encoder's vectors, or both."""

    sources: Sources
    bag: FittedBag | None
    encoder: TokenEncoder | None
    scale: float

    def matrix(self, usages: Sequence[Usage]) -> Any:
        """Return usages × features."""
        import scipy.sparse as sp

        words = [self.bag(usage_passages(usages, self.sources))] if self.bag else []
        vectors = [sp.csr_array(self.scale * encode_usages(self.sources, self.encoder, usages))] if self.encoder else []
        return sp.hstack([*words, *vectors], format="csr")


@dataclass(frozen=True, eq=False)
class _LemmaClassifier:
    """A classifier of a lemma's senses, with the numbers of usages and of senses."""

    features: _ClassifierFeatures
    regression: Any
    usages: int
    senses: int

    def __call__(self, usages: Sequence[Usage]) -> Floats:
        """Return usages × senses: the probabilities."""
        classes = self.regression.classes_
        share = 1 / (self.usages + self.senses)
        rows = np.full((len(usages), self.senses), share)
        seen_share = 1 - share * (self.senses - len(classes))
        rows[:, classes] = self.regression.predict_proba(self.features.matrix(usages)) * seen_share
        return rows
