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
from polyseme.disambiguation.model import SenseWeigher, SenseWeights
from polyseme.disambiguation.plain_words import STOP_WORD_COUNT, usage_passages
from polyseme.disambiguation.sense_weights import DictionarySenses, context_positions_by_lemma, read_dictionary_senses
from polyseme.disambiguation.sources import Sources
from polyseme.disambiguation.tagged_usages import TaggedExamples, sample_examples
from polyseme.induction.fitting import TooLittleData
from polyseme.parts import FolderName, check_options, check_ranges
from polyseme.usage import Usage
from polyseme.vectors.bag_of_words import Bag, FittedBag
from polyseme.vectors.encoders import TokenEncoder

MAX_ITERATIONS = 50
"""In so many rounds the weights of a classifier are found, or nearly so."""


@dataclass(frozen=True)
class LinearClassifier:
    """Logistic regression for each lemma, learnt from SemCor, and credited for all senses it proposes.

    A traditional supervised classifier whose confidences are taken as weights (Erk & McCarthy 2009). Features of a
    usage are the words around it and those at the nearest ``positions`` on either side, as Zhong & Ng (2010) have them,
    each that is in ``minimum`` usages of the lemma or more; and the vector of the target, times ``scale``, if an
    ``encoder`` of Hugging Face is named. ``penalty`` is the inverse of how freely weights may grow, 1/C. At most
    ``most`` usages of a sense are learnt from, drawn by ``seed``; one with several senses counts for each in part.

    P(sense) is what the classifier says, but for 1 / (n + k) for each of the lemma's k senses that is not among the n
    usages: this is what add-one smoothing leaves to it. A lemma with fewer than ``least`` usages, or of one sense
    there, has the smoothed frequencies of WordNet, (count + 1) / Σ (count + 1).
    """

    kind: ClassVar[str] = "disambiguator"
    encoder: FolderName = ""
    positions: int = 3
    minimum: int = 2
    penalty: float = 1.0
    scale: float = 3.0
    least: int = 5
    most: int = 100
    layer: int = -1
    seed: int = 0

    def __post_init__(self) -> None:
        check_options(self)
        check_ranges(self, positions=(0, inf), minimum=(1, inf), penalty=(1e-9, inf), scale=(0, inf))
        check_ranges(self, least=(0, inf), most=(1, inf), layer=(-inf, -1), seed=(0, inf))

    def ready(self, sources: Sources, lemmas: Collection[str]) -> SenseWeigher:
        """What weighs the senses of these lemmas, once it has learnt to tell them apart."""
        senses = read_dictionary_senses(sources.wordnet, lemmas)
        given = {lemma: sample_examples(sources, [each], self.most, self.seed) for lemma, each in senses.items()}
        given = {lemma: each for lemma, each in given.items() if self._is_enough(each)}
        if self.encoder:  # all at once
            every = [usage for each in given.values() for usage, _ in each]
            encode_usages(sources, TokenEncoder(self.encoder, self.layer, False), every)
        made = {lemma: self._learnt(sources, each, senses[lemma]) for lemma, each in given.items()}
        learnt = {lemma: each for lemma, each in made.items() if each}

        def weigh(contexts: Sequence[Context]) -> Sequence[SenseWeights]:
            found: list[SenseWeights] = [{}] * len(contexts)
            for lemma, places in context_positions_by_lemma(contexts).items():
                if lemma in senses:
                    usages = [contexts[place].usage for place in places]
                    rows = learnt[lemma](usages) if lemma in learnt else [senses[lemma].shares] * len(places)
                    for place, row in zip(places, rows, strict=True):
                        found[place] = dict(zip(senses[lemma].keys, row.tolist(), strict=True))
            return found

        return weigh

    def _is_enough(self, given: TaggedExamples) -> bool:
        return len({usage for usage, _ in given}) >= self.least and len({sense for _, sense in given}) > 1

    def _learnt(self, sources: Sources, given: TaggedExamples, senses: DictionarySenses) -> _LemmaClassifier | None:
        """A classifier of the usages of a lemma; none, if they have no features in common."""
        from sklearn.linear_model import LogisticRegression

        features = self._features(sources, [usage for usage, _ in given])
        if features is None:
            return None
        shared = Counter(usage for usage, _ in given)
        parts = np.array([1 / shared[usage] for usage, _ in given])
        place = {key: number for number, key in enumerate(senses.keys)}
        regression = LogisticRegression(C=1 / self.penalty, solver="newton-cg", max_iter=MAX_ITERATIONS)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # it may stop before its weights are exact, which nobody would notice
            regression.fit(features.of([usage for usage, _ in given]), [place[key] for _, key in given], parts)
        return _LemmaClassifier(features, regression, len(shared), len(senses.keys))

    def _features(self, sources: Sources, usages: Sequence[Usage]) -> _ClassifierFeatures | None:
        bag = Bag(self.minimum, positions=self.positions, weighting="binary", stop=STOP_WORD_COUNT)
        encoder = TokenEncoder(self.encoder, self.layer, False) if self.encoder else None
        try:
            fitted = bag.fit(usage_passages(usages, sources))
        except TooLittleData:
            fitted = None
        return _ClassifierFeatures(sources, fitted, encoder, self.scale) if fitted or encoder else None


@dataclass(frozen=True, eq=False)
class _ClassifierFeatures:
    """What a classifier sees of usages: the words around them, the encoder's vectors, or both."""

    sources: Sources
    bag: FittedBag | None
    encoder: TokenEncoder | None
    scale: float

    def of(self, usages: Sequence[Usage]) -> Any:
        """Usages × features."""
        import scipy.sparse as sp

        words = [self.bag(usage_passages(usages, self.sources))] if self.bag else []
        vectors = [sp.csr_array(self.scale * encode_usages(self.sources, self.encoder, usages))] if self.encoder else []
        return sp.hstack([*words, *vectors], format="csr")


@dataclass(frozen=True, eq=False)
class _LemmaClassifier:
    """A classifier of a lemma's ``senses``, learnt from so many ``usages``."""

    features: _ClassifierFeatures
    regression: Any
    usages: int
    senses: int

    def __call__(self, usages: Sequence[Usage]) -> Floats:
        """Usages × senses: the probabilities."""
        seen = self.regression.classes_
        share = 1 / (self.usages + self.senses)
        found = np.full((len(usages), self.senses), share)
        found[:, seen] = self.regression.predict_proba(self.features.of(usages)) * (
            1 - share * (self.senses - len(seen))
        )
        return found
