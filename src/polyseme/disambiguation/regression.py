"""Learning from graded data: a regression from what is known of a usage and a sense to the rating that people give."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Protocol

import numpy as np

from polyseme import wordnet
from polyseme.arrays import Floats
from polyseme.datasets import load
from polyseme.disambiguation.contexts import Context, build_contexts
from polyseme.disambiguation.model import SenseWeigher, SenseWeights
from polyseme.disambiguation.sense_similarity import SenseSimilarity
from polyseme.disambiguation.sources import Sources
from polyseme.errors import InputError
from polyseme.parts import build, check_options, check_ranges
from polyseme.rating import WSSIM
from polyseme.usage import Usage
from polyseme.wordnet.lexicon import WordNet

RATINGS_DATA_SET = "semeval-2013-task-13-trial"
"""The ratings of WSsim that there are: 400 usages of eight lemmas. (Erk, McCarthy & Gaylord 2009)"""


DEFAULT_MODELS = ("PPR", "Lesk(extended=True)", "Prototypes(order=2)", "LinearClassifier")
"""One model of each kind that needs no encoder: from the graph, from glosses, and two from SemCor."""

ModelSpecifications = Any
"""A tuple of models' specifications; that it is one, the part checks itself."""


class Regressor(Protocol):
    """What is learnt: from features of a usage and a sense to a rating."""

    def predict(self, features: Floats) -> Floats:
        """A rating for each row."""
        ...


@dataclass(frozen=True)
class GradedRegression:
    """Ratings of senses, predicted by a regression that is learnt from ratings of other lemmas.

    Erk, McCarthy & Gaylord (2013, §7) propose to train on graded data. A row is a usage and a sense. Its features are
    those of :func:`features`: how frequent the sense is, how like the lemma's other senses, what its gloss has in
    common with the context, and the weights that other models give it, which ``of`` names by their specifications. A
    weight is also given to senses in proportion to how like they are to the one that has it
    (:class:`~polyseme.disambiguation.sense_similarity.SenseSimilarity`), for people find a sense to apply where one like it does.

    The learner is gradient boosting over shallow trees (Friedman 2001) or ridge regression (Hoerl & Kennard 1970), of
    which the first is somewhat better when one lemma is left out. The target is (mean rating − 1) / 4, and what is
    predicted below 0 counts as 0.

    A lemma's own ratings never train what is asked of it: each lemma has a regression that is learnt from all others.
    So it can be scored on the data that it learns from, and what is measured is leaving one lemma out. Nor do the other
    models, when it learns what they are worth, know the sentences that were rated, half of which are of SemCor.
    """

    of: ModelSpecifications = DEFAULT_MODELS
    learner: Literal["boosting", "ridge"] = "boosting"
    data: str = RATINGS_DATA_SET
    seed: int = 0
    kind: ClassVar[str] = "disambiguator"

    def __post_init__(self) -> None:
        if not isinstance(self.of, tuple) or not all(isinstance(each, str) for each in self.of):
            raise InputError(f"GradedRegression: of is {self.of!r}; it must be models in quotes, as ('PPR', 'Lesk')")
        check_options(self)
        check_ranges(self, seed=(0, 2**32 - 1))
        self.models()  # an error now, not after all has been read

    def models(self) -> list[Any]:
        """The models whose weights are features."""
        return [build(each, "disambiguator") for each in self.of]

    def ready(self, sources: Sources, lemmas: Collection[str]) -> SenseWeigher:
        """Learn from the ratings of other lemmas: one regression for each of these that was rated, one for the rest."""
        rated = _read_rated_usages(self.data, sources)
        unseen = sources.without([each.text for each in rated.usages])
        alike = SenseSimilarity(sources)
        known = [context for context in build_contexts(rated.usages, unseen) if context.lemma]
        there = {context.lemma for context in known}
        rows = self._rows(unseen, known, alike)
        ratings = [rated.of(context, sources.wordnet) for context in known]
        learnt: dict[str, Regressor] = {}
        for lemma in dict.fromkeys(each if each in there else "" for each in lemmas):
            used = [number for number, context in enumerate(known) if context.lemma != lemma]
            if not used:
                raise InputError(f"{self.data} has ratings of no lemma but {lemma}, and its own are not learnt from")
            learnt[lemma] = self._learnt([rows[number] for number in used], [ratings[number] for number in used])

        def weigh(contexts: Sequence[Context]) -> Sequence[SenseWeights]:
            found = self._rows(sources, contexts, alike)
            return [
                _predict_weights(learnt.get(context.lemma, learnt.get("")), context, row, sources.wordnet)
                for context, row in zip(contexts, found, strict=True)
            ]

        return weigh

    def _rows(self, sources: Sources, known: Sequence[Context], alike: SenseSimilarity) -> list[Floats]:
        """For each context the features of the senses of its lemma."""
        lemmas = dict.fromkeys(context.lemma for context in known)
        weighed = [model.ready(sources, lemmas)(known) for model in self.models()]
        return [
            sense_features(sources.wordnet, context, [each[number] for each in weighed], alike)
            for number, context in enumerate(known)
        ]

    def _learnt(self, rows: Sequence[Floats], ratings: Sequence[Floats]) -> Regressor:
        learnt: Regressor = LEARNERS[self.learner](self.seed).fit(np.vstack(rows), np.concatenate(ratings))
        return learnt


def sense_features(
    dictionary: WordNet, context: Context, weights: Sequence[SenseWeights], alike: SenseSimilarity
) -> Floats:
    """What is known of each sense of the target, a row each, before its rating is.

    With f the tag count of a sense and n senses: the share (f + 1) / Σ(f + 1), its logarithm, 1 / number of the sense,
    1 / n; the mean likeness to other senses; the share spread over like senses; the overlap of context and gloss, as it
    is and spread; and for each model the weight w as a share of the usage's sum, as one of its largest, and spread.
    What is spread is Σ likeness · w.
    """
    senses, like = dictionary[context.lemma], alike[context.lemma]
    count = len(senses)
    frequent = np.array([sense.frequency + 1 for sense in senses])
    share, overlap = frequent / frequent.sum(), alike.overlap(context.lemma, context.others)
    others = (like.sum(axis=1) - np.diag(like)) / max(count - 1, 1)
    number = 1 / np.arange(1, count + 1)
    columns = [share, np.log(share), number, np.full(count, 1 / count), others, like @ share, overlap, like @ overlap]
    for given in weights:
        weight = np.array([given.get(sense.id, 0.0) for sense in senses])
        weight = weight if weight.any() else np.ones(count)  # the model cannot say
        columns += [weight / weight.sum(), weight / weight.max(), like @ weight / weight.sum()]
    return np.column_stack(columns)


def _predict_weights(regressor: Regressor | None, context: Context, row: Floats, dictionary: WordNet) -> SenseWeights:
    senses = [sense.id for sense in dictionary[context.lemma]]
    if regressor is None:
        raise InputError(f"{context.lemma} was not among the lemmas that this was made ready for")
    return dict(zip(senses, np.maximum(regressor.predict(row), 0.0).tolist(), strict=True))


# -- ratings -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class RatedUsages:
    """Usages that people rated, and how far senses apply to each, from 0 to 1, by the keys of a WordNet."""

    usages: tuple[Usage, ...]
    means: Mapping[tuple[str, str], float]

    def of(self, context: Context, dictionary: WordNet) -> Floats:
        """For each sense of the target how far it applies; what nobody rated does not."""
        senses = dictionary[context.lemma]
        return np.array([self.means.get((context.usage.id, sense.id), 0.0) for sense in senses])


def _read_rated_usages(name: str, sources: Sources) -> RatedUsages:
    """The ratings of a data set, by the keys of the WordNet of the sources; carried to it, if they are of another."""
    data = load(name)
    version = load(data.entry.inventory).entry.wordnet if data.entry.inventory else ""
    own = sources.wordnet if version in ("", sources.wordnet.version) else wordnet.load(version)
    carried = None if own is sources.wordnet else wordnet.map_sense_keys(own, sources.wordnet)
    said: dict[tuple[str, str], list[float]] = {}
    for item, by_annotator in data.ratings.by_item().items():
        key = item.target if carried is None else carried.key(item.target)
        values = [value for value in by_annotator.values() if not np.isnan(value)]
        if key and values:
            said[item.usage, key] = values
    span = WSSIM.highest - WSSIM.lowest
    means = {item: (float(np.mean(values)) - WSSIM.lowest) / span for item, values in said.items()}
    there = {usage for usage, _ in means}
    return RatedUsages(tuple(usage for usage in data.usages if usage.id in there), means)


# -- learners ------------------------------------------------------------------------------------------------------


def _boosting(seed: int) -> Any:
    """Few, shallow, slow trees with many rows in each leaf: the rows are of a handful of lemmas."""
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
