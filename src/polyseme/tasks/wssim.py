"""Ratings of senses as a gold standard: does a labelling weigh the senses of a usage as people rate them?"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from itertools import permutations
from statistics import fmean

from polyseme.errors import InputError
from polyseme.gold import Gold
from polyseme.inventory import Inventory
from polyseme.labelling import Labelling
from polyseme.measures.perception import JensenShannonDivergence, WeightedOverlap
from polyseme.measures.ranking import Spearman
from polyseme.rating import WSSIM, Ratings
from polyseme.tasks import protocols
from polyseme.tasks.result import TaskResult

PAIRS = "annotators, mean of pairs"
LEMMA = "lemmas."
"""What stands before the lemma in the name of its figure."""


def applicability(ratings: Ratings, inventory: Inventory) -> Labelling:
    """How far each sense of a usage's lemma applies, from 0 to 1: (mean rating − 1) / 4.

    An annotator who judged a usage and is silent on one of its lemma's senses is taken to say 1, *completely
    different*, for that is what sources leave out. Judgements of "cannot decide" are left out of the mean.

    >>> from polyseme.inventory import Sense
    >>> from polyseme.rating import Rating
    >>> ratings = Ratings([Rating("ann", "WSsim", "x.n", "u", "a", 5), Rating("bob", "WSsim", "x.n", "u", "a", 4)])
    >>> applicability(ratings, Inventory([Sense("a", "x.n"), Sense("b", "x.n")]))["u"]
    {'a': 0.875, 'b': 0.0}
    """
    usages: dict[tuple[str, str], dict[str, float]] = {}
    for item, by_annotator in ratings.completed(inventory, WSSIM.lowest).by_item().items():
        decided = [value for value in by_annotator.values() if not math.isnan(value)]
        mean = fmean(decided) if decided else WSSIM.lowest
        usages.setdefault((item.lemma, item.usage), {})[item.target] = _share(mean)
    return Labelling((lemma, usage, senses) for (lemma, usage), senses in usages.items())


def _share(rating: float) -> float:
    return (rating - WSSIM.lowest) / (WSSIM.highest - WSSIM.lowest)


def wssim(ratings: Ratings, system: Labelling, inventory: Inventory, *, calibrated: bool = False) -> TaskResult:
    """Compare weights with graded ratings of senses (Erk & McCarthy 2009; Jurgens 2012).

    * ``pooled`` and ``spearman`` – Spearman's ρ of weight and mean rating over usages × senses, all together and as
      the mean of the lemmas' (``lemmas.win.v`` …). A sense without a weight has 0. Weights are taken as they are.
    * ``divergence`` – the mean Jensen–Shannon divergence of weights and :func:`applicability`, each divided by its sum:
      ratings less 1, so that a sense that does not apply at all has no share; from 0, which is best, to ln 2.
    * ``overlap`` – weighted precision, recall and F, Σ min(g, t) / Σ t and Σ min(g, t) / Σ g, where g is applicability
      from 0 to 1 and t the weight divided by the usage's largest: the strongest sense is taken to apply fully. With
      ``calibrated`` weights are on that scale already, and stay as they are.
    * ``detection``, ``ranking``, ``perception`` – of the usages that are labelled, as in :func:`tasks.jurgens_2012`,
      where gold is the mean ratings above 1, divided by their sum.

    >>> from polyseme.inventory import Sense
    >>> from polyseme.rating import Rating
    >>> senses = Inventory([Sense("a", "x.n"), Sense("b", "x.n")])
    >>> ratings = Ratings([Rating("ann", "WSsim", "x.n", "u", "a", 5), Rating("ann", "WSsim", "x.n", "u", "b", 3)])
    >>> found = wssim(ratings, Labelling.from_dict({"u": {"a": 1.0}}, lemma="x.n"), senses).figures()
    >>> found["pooled"], found["overlap.precision"], round(found["overlap.recall"], 3)
    (1.0, 1.0, 0.667)
    """
    full = ratings.completed(inventory, WSSIM.lowest)
    gold, listed = applicability(ratings, inventory), Gold("mean", "sum")(full)
    system = system.restrict(gold).heaviest_first()  # sums are the same to the last digit, whatever its order
    correlation = Spearman()(gold, system)
    graded = protocols.jurgens_2012(listed, system.restrict(listed), mapping="none", inventory=inventory)
    per_lemma = {f"{LEMMA}{lemma}": figures["score"] for lemma, figures in correlation.each().items()}
    return TaskResult(
        {
            "spearman": correlation,
            "divergence": JensenShannonDivergence()(gold, system),
            "overlap": WeightedOverlap()(gold, system if calibrated else system.normalise("max")),
            **{name: graded.scores[name] for name in ("detection", "ranking", "perception")},
        },
        extra={"pooled": Spearman().pooled(gold, system), **per_lemma},
    )


def score_annotators(ratings: Ratings, inventory: Inventory) -> dict[str, dict[str, float]]:
    """What annotators score themselves: each against the mean of the others; and the mean over pairs of them.

    A model that agrees with the mean rating as well as people do with each other has done what can be asked of it.
    (Erk, McCarthy & Gaylord 2013, §4.2)
    """
    who = ratings.annotators
    if len(who) < 2:
        raise InputError(f"the ratings are of {len(who)} annotator; agreement needs two or more")
    alone = {each: _against(ratings, each, [other for other in who if other != each], inventory) for each in who}
    pairs = [_against(ratings, one, [other], inventory) for one, other in permutations(who, 2)]
    named = {f"annotator {each}, against the others": figures for each, figures in alone.items() if figures}
    return named | {PAIRS: mean_figures([figures for figures in pairs if figures])}


def _against(ratings: Ratings, one: str, others: Collection[str], inventory: Inventory) -> dict[str, float]:
    """The figures of one annotator's ratings by those of others, on the usages that both judged; nothing, if none."""
    ours, theirs = ratings.where(lambda row: row.annotator == one), ratings.where(lambda row: row.annotator in others)
    both = {row.usage for row in ours} & {row.usage for row in theirs}
    ours, theirs = (some.where(lambda row: row.usage in both) for some in (ours, theirs))
    return wssim(theirs, applicability(ours, inventory), inventory, calibrated=True).figures() if both else {}


def mean_figures(given: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """The mean of each figure over those that have one.

    >>> mean_figures([{"a": 1.0, "b": float("nan")}, {"a": 2.0, "b": 3.0}])
    {'a': 1.5, 'b': 3.0}
    """
    names = dict.fromkeys(name for figures in given for name in figures)
    known = {name: [each[name] for each in given if not math.isnan(each.get(name, math.nan))] for name in names}
    return {name: fmean(values) if values else math.nan for name, values in known.items()}
