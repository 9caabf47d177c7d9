"""The rule by which ratings of senses become weights."""

from __future__ import annotations

import math
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from polyseme.agreement.chosen_sets import CREDIT_BY_TASK
from polyseme.agreement.judgements import Judgements, collect_judgements
from polyseme.arrays import Bools, sum_at
from polyseme.errors import InputError, InputWarning, count_noun, quote_value
from polyseme.gold.adjudication import apply_adjudications
from polyseme.gold.choices import add_unchosen_senses, are_choices
from polyseme.gold.combination import AnnotatorModel, check_combination, combine_ratings
from polyseme.gold.estimates import ItemEstimates
from polyseme.labelling import Labelling
from polyseme.parts import check_ranges
from polyseme.rating import CHOICE, WSSIM, Item, Ratings

WEIGHT_RULES: dict[str, Callable[[Iterable[float]], float]] = {"rating": lambda _: 1.0, "sum": math.fsum, "max": max}
"""The divisors of a usage's ratings."""
COMBINATION_WORDS = {
    "mean": "its mean rating (of choices: the share of annotators who chose it)",
    "median": "its median rating",
    "mode": "its most frequent rating, the highest of several (of choices: 1 for the most frequent)",
}
WEIGHT_WORDS = {"rating": "", "sum": ", divided by the sum of the usage", "max": ", divided by the usage's highest"}

MAX_VALUE = 1e9
"""The ends of scales are nearer to 0."""
ROUNDING_MARGIN = 0.5
"""A model's value that is nearer to the lowest of the scale than to the next counts as the lowest."""


def check_usage_lemmas(usages: Iterable[tuple[str, str]]) -> None:
    """Check that every usage has one lemma.

    Raises:
        InputError: A usage is rated under two lemmas.
    """
    counts = Counter(usage for usage, _ in set(usages))
    if twice := [usage for usage, count in counts.items() if count > 1]:
        raise InputError(f"usage {quote_value(twice[0])} is rated under two lemmas; give it two names")


@dataclass(frozen=True)
class Gold:
    """A labelling from ratings of senses.

    The ratings of a usage and a sense are combined. A sense whose combined rating is the lowest of the scale does not
    apply and is not listed. The rest is the weight, as it is or normalised. Judgements of "cannot decide" are left out,
    as are repeats, control items and training. A manager's decision, with the role ``adjudication``, replaces the
    judgements of annotators. The ratings must be of one task, whose targets are senses.

    * Jurgens (2012): ``Gold("mean", "sum")``;
    * SemEval-2013 Task 13, the two gold keys of the trial data: ``Gold("mean")`` and ``Gold("median")``; crowd
      ratings: ``Gold("mode")`` (Jurgens & Klapaftis 2013, §2.2). The task's scorer divides by the maximum: ``"max"``;
    * WSbest (Erk, McCarthy & Gaylord 2013): ``Gold("mode")`` has the sense that most annotators chose, ``Gold()`` the
      share of annotators who chose each. The lowest value of choices is 0, and a sense that an annotator does not list
      was not chosen;
    * annotators who differ: ``Gold("model")`` is ``Gold(GradedResponse())``, or ``Gold(DawidSkene())`` for choices. A
      value that rounds to the lowest counts as the lowest.

    Args:
        combine: How ratings are combined: ``mean``, ``median``, ``mode``, ``model``, or a model of annotators.
        weights: The combined rating itself (``rating``), or divided by the usage's ``sum`` or ``max``.
        lowest: The lowest value of the scale.
        threshold: A sense is listed if its combined rating is as high or higher; 0 for no threshold.
        support: A sense is listed if at least this many annotators rated it above the lowest.

    >>> from polyseme.rating import Rating
    >>> rows = [("ann", "a", 5), ("ann", "b", 1), ("bob", "a", 4), ("bob", "b", 2), ("ann", "c", 1), ("bob", "c", 1)]
    >>> ratings = Ratings(Rating(name, "WSsim", "win.v", "win.v.1", sense, value) for name, sense, value in rows)
    >>> Gold("mean", "sum")(ratings)["win.v.1"]
    {'a': 0.75, 'b': 0.25}
    >>> Gold(threshold=3)(ratings)["win.v.1"]
    {'a': 4.5}
    """

    combine: str | AnnotatorModel = "mean"
    weights: str = "rating"
    lowest: float = float(WSSIM.lowest)
    threshold: float = 0.0
    support: int = 0
    kind: ClassVar[str] = "gold"

    def __post_init__(self) -> None:
        check_combination(self.combine)
        if self.weights not in WEIGHT_RULES:
            raise InputError(f"weights {self.weights!r} is not known; allowed are {', '.join(WEIGHT_RULES)}")
        check_ranges(self, lowest=(-MAX_VALUE, MAX_VALUE), threshold=(0, MAX_VALUE), support=(0, math.inf))

    def __str__(self) -> str:
        """Return the rule in words.

        >>> print(Gold("median", threshold=3, support=2))
        The weight of a sense is its median rating. Senses below 3 are not listed, nor are those that fewer than 2 \
annotators rated above the lowest value.
        >>> print(Gold("median", threshold=0.5, support=1))
        The weight of a sense is its median rating. Senses below 0.5 or at the lowest value of the scale are not \
listed, nor are those that fewer than 1 annotator rated above the lowest value.
        """
        model = "its rating by a model of annotators"
        value = COMBINATION_WORDS.get(self.combine, model) if isinstance(self.combine, str) else model
        lowest = "at the lowest value of the scale"
        either = f"below {self.threshold:g}{'' if self.threshold > self.lowest else f' or {lowest}'}"
        excluded, annotators = either if self.threshold else lowest, count_noun(self.support, "annotator")
        support = f", nor are those that fewer than {annotators} rated above the lowest value"
        sentence = f"The weight of a sense is {value}{WEIGHT_WORDS[self.weights]}. Senses {excluded} are not listed"
        return f"{sentence}{support if self.support else ''}."

    def __call__(self, ratings: Ratings) -> Labelling:
        """Label the usages that were rated; a usage without a sense that applies is left out."""
        adjudicated = apply_adjudications(ratings)
        judgements = self.prepare(adjudicated.judgements)
        estimates = combine_ratings(self.combine, judgements)
        for note in estimates.notes:
            warnings.warn(note, InputWarning, stacklevel=2)
        return self.label(judgements, estimates, adjudicated.values)

    def prepare(self, ratings: Ratings) -> Judgements:
        """Collect the judgements that are combined.

        Raises:
            InputError: They are of pairs of usages, below the scale, or of a usage with two lemmas.
        """
        judgements = collect_judgements(ratings)
        if judgements.items and judgements.items[0].task == "Usim":
            problem = "the ratings are of Usim, of pairs of usages, and name no senses"
            advice = "make clusters of the usages with UsageClusters, or on the command line --clusters"
            raise InputError(f"{problem}; {advice}")
        lowest, least = self._lowest(judgements), float(judgements.value.min(initial=math.inf))
        if least < lowest:
            raise InputError(f"a rating is {least:g}, lower than the scale's {lowest:g}; give lowest={least:g}")
        check_usage_lemmas((item.usage, item.lemma) for item in judgements.items)
        return add_unchosen_senses(judgements) if are_choices(judgements) else judgements

    def label(
        self, judgements: Judgements, estimates: ItemEstimates, decisions: Mapping[Item, float] | None = None
    ) -> Labelling:
        """Label usages with the senses that apply, weighted.

        Args:
            judgements: The judgements of annotators.
            estimates: The values of their items.
            decisions: The values that managers decided: they count as they are.
        """
        usages: dict[tuple[str, str], dict[str, float]] = {(item.lemma, item.usage): {} for item in judgements.items}
        for number in np.flatnonzero(self._applies(judgements, estimates)).tolist():
            item = judgements.items[number]
            usages[item.lemma, item.usage][item.target] = float(estimates.value[number])
        for item, value in (decisions or {}).items():
            senses = usages.setdefault((item.lemma, item.usage), {})
            if value > self._lowest_of(item.task) and value >= self.threshold:
                senses[item.target] = float(value)
        check_usage_lemmas((usage, lemma) for lemma, usage in usages)
        rows = []
        for (lemma, usage), ratings in usages.items():
            divisor = WEIGHT_RULES[self.weights](ratings.values()) if ratings else 1.0
            rows.append((lemma, usage, {sense: rating / divisor for sense, rating in ratings.items()}))
        return Labelling(row for row in rows if row[2])

    def _applies(self, judgements: Judgements, estimates: ItemEstimates) -> Bools:
        """Mark the items whose sense applies to their usage; an undecided one does not."""
        lowest = self._lowest(judgements)
        applies: Bools = estimates.value > lowest
        if self.threshold:
            applies &= estimates.value >= self.threshold
        elif estimates.model:
            applies &= estimates.value >= lowest + ROUNDING_MARGIN
        if self.support:
            applies &= sum_at(judgements.item, judgements.value > lowest, len(judgements.items)) >= self.support
        return applies

    def _lowest(self, judgements: Judgements) -> float:
        return self._lowest_of(judgements.items[0].task) if judgements.items else self.lowest

    def _lowest_of(self, task: str) -> float:
        return float(CHOICE.lowest) if task in CREDIT_BY_TASK else self.lowest
