"""Regression on graded data: from the features of a usage and a sense to the rating that annotators give."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Protocol

import numpy as np

from polyseme import wordnet
from polyseme.arrays import Floats
from polyseme.datasets import load
from polyseme.disambiguation.contexts import Context, build_contexts
from polyseme.disambiguation.model import Disambiguator, SenseWeigher, SenseWeights
from polyseme.disambiguation.sense_similarity import SenseSimilarity
from polyseme.disambiguation.sources import Sources
from polyseme.errors import InputError
from polyseme.parts import Ranges, build
from polyseme.rating import WSSIM
from polyseme.usage import Usage
from polyseme.wordnet.lexicon import WordNet

RATINGS_DATA_SET = "semeval-2013-task-13-trial"
"""The available ratings of WSsim: 400 usages of eight lemmas. (Erk, McCarthy & Gaylord 2009)"""

DEFAULT_MODELS = ("PPR", "Lesk(extended=True)", "Prototypes(order=2)", "LinearClassifier")
"""One model of each kind that needs no encoder: from the graph, from glosses, and two from SemCor."""

ModelSpecifications = Any
"""A tuple of the specifications of models; the part itself checks it."""


class Regressor(Protocol):
    """Predicts ratings from features."""

    def predict(self, features: Floats) -> Floats:
        """Predict a rating for each row."""
        ...


@dataclass(frozen=True)
class GradedRegression(Disambiguator):
    """Ratings of senses, predicted by a regression that is trained on ratings of other lemmas.

    Erk, McCarthy & Gaylord (2013, §7) propose to train on graded data. A row is a usage and a sense; its features are
    those of :func:`sense_features`. A weight is also spread over senses in proportion to their similarity
    (:class:`~polyseme.disambiguation.sense_similarity.SenseSimilarity`), because annotators find a sense to apply where
    a similar one does. The target is (mean rating − 1) / 4, and predictions below 0 count as 0.

    A lemma's own ratings never train its model: each lemma has a regression that is learnt from all others. So the
    regression can be scored on the data that it learns from, leaving one lemma out. While it learns, the other models
    do not know the rated sentences either; half of these sentences are from SemCor.

    Args:
        of: The models whose weights are features, by their specifications.
        learner: Gradient boosting over shallow trees (Friedman 2001), or ridge regression (Hoerl & Kennard 1970), which
            is somewhat worse.
        data: The data set of ratings.
        seed: The random seed.
    """

    ranges: ClassVar[Ranges] = {"seed": (0, 2**32 - 1)}
    of: ModelSpecifications = DEFAULT_MODELS
    learner: Literal["boosting", "ridge"] = "boosting"
    data: str = RATINGS_DATA_SET
    seed: int = 0

    def __post_init__(self) -> None:
        if not isinstance(self.of, tuple) or not all(isinstance(model, str) for model in self.of):
            problem = f"GradedRegression: of is {self.of!r}"
            raise InputError(f"{problem}; it must be models in quotes, such as ('PPR', 'Lesk')")
        super().__post_init__()
        self.models()  # an error now, not after all data is read

    def models(self) -> list[Any]:
        """Return the models whose weights are features."""
        return [build(specification, "disambiguator") for specification in self.of]

    def prepare(self, sources: Sources, lemmas: Collection[str]) -> SenseWeigher:
        """Learn from the ratings of other lemmas: one regression for each rated lemma, and one for the rest."""
        rated = _read_rated_usages(self.data, sources)
        unseen = sources.without([usage.text for usage in rated.usages])
        similarity = SenseSimilarity(sources)
        contexts = [context for context in build_contexts(rated.usages, unseen) if context.lemma]
        rated_lemmas = {context.lemma for context in contexts}
        rows = self._compute_features(unseen, contexts, similarity)
        ratings = [rated.ratings(context, sources.wordnet) for context in contexts]
        regressors: dict[str, Regressor] = {}
        for lemma in dict.fromkeys(name if name in rated_lemmas else "" for name in lemmas):
            others = [number for number, context in enumerate(contexts) if context.lemma != lemma]
            if not others:
                raise InputError(f"{self.data} has ratings of {lemma} only; a lemma's own ratings do not train it")
            table = np.vstack([rows[number] for number in others])
            target = np.concatenate([ratings[number] for number in others])
            regressors[lemma] = LEARNERS[self.learner](self.seed).fit(table, target)

        def weigh(contexts: Sequence[Context]) -> Sequence[SenseWeights]:
            features = self._compute_features(sources, contexts, similarity)
            return [
                _predict_weights(regressors.get(context.lemma, regressors.get("")), context, row, sources.wordnet)
                for context, row in zip(contexts, features, strict=True)
            ]

        return weigh

    def _compute_features(
        self, sources: Sources, contexts: Sequence[Context], similarity: SenseSimilarity
    ) -> list[Floats]:
        """Compute the features of the senses of each context's lemma."""
        lemmas = dict.fromkeys(context.lemma for context in contexts)
        columns = [model.prepare(sources, lemmas)(contexts) for model in self.models()]
        return [
            sense_features(sources.wordnet, context, [column[number] for column in columns], similarity)
            for number, context in enumerate(contexts)
        ]


def sense_features(
    dictionary: WordNet, context: Context, weights: Sequence[SenseWeights], similarity: SenseSimilarity
) -> Floats:
    """Compute the features of each sense of the target, one row each.

    A sense has the tag count f, and the lemma n senses. The features are:

    * the share (f + 1) / Σ(f + 1), its logarithm, 1 / number of the sense, 1 / n
    * the mean similarity to other senses, and the share spread over similar senses
    * the overlap of context and gloss, as it is and spread
    * for each model, the weight w as a share of the usage's sum, as a share of its maximum, and spread

    To spread w is to compute Σ similarity · w.
    """
    senses, similar = dictionary[context.lemma], similarity[context.lemma]
    count = len(senses)
    frequencies = np.array([sense.frequency + 1 for sense in senses])
    share, overlap = frequencies / frequencies.sum(), similarity.overlap(context.lemma, context.others)
    others = (similar.sum(axis=1) - np.diag(similar)) / max(count - 1, 1)
    number = 1 / np.arange(1, count + 1)
    columns = [share, np.log(share), number, np.full(count, 1 / count), others, similar @ share]
    columns += [overlap, similar @ overlap]
    for by_sense in weights:
        weight = np.array([by_sense.get(sense.id, 0.0) for sense in senses])
        weight = weight if weight.any() else np.ones(count)  # the model has no weights
        columns += [weight / weight.sum(), weight / weight.max(), similar @ weight / weight.sum()]
    return np.column_stack(columns)


def _predict_weights(
    regressor: Regressor | None, context: Context, features: Floats, dictionary: WordNet
) -> SenseWeights:
    if regressor is None:
        raise InputError(f"{context.lemma} is not among the lemmas that the model was prepared for")
    senses = [sense.id for sense in dictionary[context.lemma]]
    return dict(zip(senses, np.maximum(regressor.predict(features), 0.0).tolist(), strict=True))


# -- ratings -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class RatedUsages:
    """Usages with ratings.

    Args:
        usages: The usages.
        means: (usage, sense key) → how far the sense applies, from 0 to 1.
    """

    usages: tuple[Usage, ...]
    means: Mapping[tuple[str, str], float]

    def ratings(self, context: Context, dictionary: WordNet) -> Floats:
        """Return how far each sense of the target applies; senses without a rating do not."""
        senses = dictionary[context.lemma]
        return np.array([self.means.get((context.usage.id, sense.id), 0.0) for sense in senses])


def _read_rated_usages(name: str, sources: Sources) -> RatedUsages:
    """Read the ratings of a data set; sense keys of another WordNet are mapped to that of the sources."""
    data = load(name)
    version = load(data.entry.inventory).entry.wordnet if data.entry.inventory else ""
    data_wordnet = sources.wordnet if version in ("", sources.wordnet.version) else wordnet.load(version)
    mapping = None if data_wordnet is sources.wordnet else wordnet.map_sense_keys(data_wordnet, sources.wordnet)
    span = WSSIM.highest - WSSIM.lowest
    means: dict[tuple[str, str], float] = {}
    for item, by_annotator in data.ratings.group_by_item().items():
        key = item.target if mapping is None else mapping.key(item.target)
        values = [value for value in by_annotator.values() if not np.isnan(value)]
        if key and values:
            means[item.usage, key] = (float(np.mean(values)) - WSSIM.lowest) / span
    rated = {usage for usage, _ in means}
    return RatedUsages(tuple(usage for usage in data.usages if usage.id in rated), means)


# -- learners ------------------------------------------------------------------------------------------------------


def _boosting(seed: int) -> Any:
    """Return few, shallow, slow trees with many rows in each leaf: the rows are of a handful of lemmas."""
    from sklearn.ensemble import GradientBoostingRegressor

    return GradientBoostingRegressor(
        n_estimators=100, max_depth=2, learning_rate=0.05, subsample=0.5, min_samples_leaf=50, random_state=seed
    )


def _ridge(_: int) -> Any:
    from sklearn.linear_model import Ridge
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    return make_pipeline(StandardScaler(), Ridge(alpha=300.0))


LEARNERS = {"boosting": _boosting, "ridge": _ridge}
