"""WSsim: ratings of how far each sense of a usage applies (Erk, McCarthy & Gaylord 2013)."""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass
from itertools import permutations
from statistics import fmean
from typing import ClassVar

from polyseme.errors import InputError
from polyseme.gold.rule import Gold
from polyseme.inventory import Inventory
from polyseme.labelling import Labelling
from polyseme.measures.perception import JensenShannonDivergence, WeightedOverlap
from polyseme.measures.ranking import Spearman
from polyseme.rating import WSSIM, Ratings
from polyseme.tasks.columns import ANY_SUFFIX, ScoreColumn
from polyseme.tasks.data import EvaluationData
from polyseme.tasks.jurgens_2012 import NO_MAPPING, Jurgens2012
from polyseme.tasks.result import TaskResult, mean_figures
from polyseme.tasks.task import EvaluationSet, LabelKind, LabellingTask, SelectLemmas

LEMMA_PREFIX = "lemmas"
"""The beginning of the figures of lemmas: ``lemmas.win.v``."""


@dataclass(frozen=True)
class Wssim(LabellingTask):
    """Spearman's ρ, divergence and overlap of weights with graded ratings of senses.

    * ``pooled`` and ``spearman`` – Spearman's ρ of weight and mean rating over usages × senses, all together and as
      the mean over lemmas (``lemmas.win.v`` …). A sense without a weight has 0. Weights are not normalised.
    * ``divergence`` – the mean Jensen–Shannon divergence of weights and :func:`applicability`, each divided by its sum:
      a sense that does not apply at all has no share. It goes from 0, which is best, to ln 2.
    * ``overlap`` – weighted precision, recall and F: Σ min(g, t) / Σ t and Σ min(g, t) / Σ g. Here g is applicability
      from 0 to 1, and t the weight divided by the usage's largest: the strongest sense is taken to apply fully.
    * ``detection``, ``ranking``, ``perception`` – of the usages that are labelled, as in
      :class:`~polyseme.tasks.jurgens_2012.Jurgens2012`, where gold is the mean ratings above 1, divided by their sum.

    Args:
        calibrated: Weights are on the scale of applicability already, and are not divided for ``overlap``.

    (Erk & McCarthy 2009; Jurgens 2012)
    """

    calibrated: bool = False

    name: ClassVar[str] = "wssim"
    labels: ClassVar[tuple[LabelKind, ...]] = ("dictionary",)
    headline: ClassVar[str] = "spearman"
    notes: ClassVar[tuple[str, ...]] = (
        "ρ: Spearman's, of weights and mean ratings. JSD: of weights and of mean ratings less 1. Precision, recall, F1:"
        " weighted, of mean ratings brought to 0–1 and weights divided by the usage's largest. Columns of lemmas: ρ.",
    )
    columns: ClassVar[tuple[ScoreColumn, ...]] = (
        ScoreColumn("ρ pooled", "pooled"),
        ScoreColumn("ρ mean of lemmas", "spearman"),
        ScoreColumn("JSD", "divergence"),
        ScoreColumn("Precision", "overlap.precision"),
        ScoreColumn("Recall", "overlap.recall"),
        ScoreColumn("F1", "overlap.f1"),
        ScoreColumn("Detection", "detection"),
        ScoreColumn("Ranking", "ranking"),
        ScoreColumn("Perception", "perception"),
        ScoreColumn("", f"{LEMMA_PREFIX}{ANY_SUFFIX}"),
    )

    def score_ratings(self, ratings: Ratings, system: Labelling, inventory: Inventory) -> TaskResult:
        """Score a system's labelling against ratings of the senses of an inventory.

        >>> from polyseme.inventory import Sense
        >>> from polyseme.rating import Rating
        >>> senses = Inventory([Sense("a", "x.n"), Sense("b", "x.n")])
        >>> ratings = Ratings([Rating("ann", "WSsim", "x.n", "u", "a", 5), Rating("ann", "WSsim", "x.n", "u", "b", 3)])
        >>> system = Labelling.from_dict({"u": {"a": 1.0}}, lemma="x.n")
        >>> figures = Wssim().score_ratings(ratings, system, senses).figures()
        >>> figures["pooled"], figures["overlap.precision"], round(figures["overlap.recall"], 3)
        (1.0, 1.0, 0.667)
        """
        gold = applicability(ratings, inventory)
        applying = Gold("mean", "sum")(ratings.complete(inventory, WSSIM.lowest))
        system = system.restrict(gold).heaviest_first()  # sums are the same to the last digit, whatever its order
        correlation = Spearman()(gold, system)
        graded = Jurgens2012(NO_MAPPING).score(applying, system.restrict(applying), inventory)
        per_lemma = {f"{LEMMA_PREFIX}.{lemma}": figures["score"] for lemma, figures in correlation.per_unit().items()}
        return TaskResult(
            {
                "spearman": correlation,
                "divergence": JensenShannonDivergence()(gold, system),
                "overlap": WeightedOverlap()(gold, system if self.calibrated else system.normalise("max")),
                **{name: graded.scores[name] for name in ("detection", "ranking", "perception")},
            },
            extra={"pooled": Spearman().pooled(gold, system), **per_lemma},
        )

    def make_evaluation_set(
        self, data: EvaluationData, select: SelectLemmas, dictionary: Inventory | None = None
    ) -> EvaluationSet:
        """Return the evaluation set of the WSsim ratings of a data set, with the figures of annotators."""
        if dictionary is None:
            raise InputError(f"{self.name} needs the senses of a dictionary")
        rated = data.ratings.filter(lambda row: row.task.lower() == "wssim")
        lemmas = set(select(rated.lemmas))
        ratings = rated.filter(lambda row: row.lemma in lemmas)
        gold = applicability(ratings, dictionary)
        return EvaluationSet(
            self,
            gold,
            [usage for usage in data.usages if usage.id in gold],
            lambda system: self.score_ratings(ratings, system, dictionary),
            annotators=score_annotators(ratings, dictionary) if len(ratings.annotators) > 1 else {},
        )


def applicability(ratings: Ratings, inventory: Inventory) -> Labelling:
    """How far each sense of a usage's lemma applies, from 0 to 1: (mean rating − 1) / 4.

    Sources leave out the value 1, *completely different*. So if an annotator judged a usage, each unrated sense of its
    lemma counts as 1. Judgements of "cannot decide" are left out of the mean.

    >>> from polyseme.inventory import Sense
    >>> from polyseme.rating import Rating
    >>> ratings = Ratings([Rating("ann", "WSsim", "x.n", "u", "a", 5), Rating("bob", "WSsim", "x.n", "u", "a", 4)])
    >>> applicability(ratings, Inventory([Sense("a", "x.n"), Sense("b", "x.n")]))["u"]
    {'a': 0.875, 'b': 0.0}
    """
    usages: dict[tuple[str, str], dict[str, float]] = {}
    for item, by_annotator in ratings.complete(inventory, WSSIM.lowest).group_by_item().items():
        decided = [value for value in by_annotator.values() if not math.isnan(value)]
        mean = fmean(decided) if decided else WSSIM.lowest
        usages.setdefault((item.lemma, item.usage), {})[item.target] = _share(mean)
    return Labelling((lemma, usage, senses) for (lemma, usage), senses in usages.items())


def _share(rating: float) -> float:
    return (rating - WSSIM.lowest) / (WSSIM.highest - WSSIM.lowest)


def score_annotators(ratings: Ratings, inventory: Inventory) -> dict[str, dict[str, float]]:
    """Score each annotator against the mean of the others, and add the mean over pairs of annotators.

    These figures show what a model can be expected to reach. (Erk, McCarthy & Gaylord 2013, §4.2)
    """
    annotators = ratings.annotators
    if len(annotators) < 2:
        raise InputError(f"the ratings are of {len(annotators)} annotator; agreement needs two or more")
    against_others = {
        name: _score_annotator(ratings, name, [other for other in annotators if other != name], inventory)
        for name in annotators
    }
    pairs = [_score_annotator(ratings, one, [other], inventory) for one, other in permutations(annotators, 2)]
    scored = {f"annotator {name}, against the others": figures for name, figures in against_others.items() if figures}
    return scored | {"annotators, mean of pairs": mean_figures([figures for figures in pairs if figures])}


def _score_annotator(ratings: Ratings, one: str, others: Collection[str], inventory: Inventory) -> dict[str, float]:
    """Score one annotator by the ratings of others on the usages that both judged; nothing if there are none."""
    own, gold = ratings.filter(lambda row: row.annotator == one), ratings.filter(lambda row: row.annotator in others)
    common = {row.usage for row in own} & {row.usage for row in gold}
    own, gold = (side.filter(lambda row: row.usage in common) for side in (own, gold))
    system = applicability(own, inventory)
    return Wssim(calibrated=True).score_ratings(gold, system, inventory).figures() if common else {}
