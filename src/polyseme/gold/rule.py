"""The rule by which ratings of senses become weights."""

from __future__ import annotations

import math
import warnings
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from polyseme.agreement.judgements import Judgements, collect_judgements
from polyseme.arrays import Bools, Floats, sum_at
from polyseme.errors import InputError, InputWarning, quote_value
from polyseme.gold.choices import add_unchosen_senses, are_choices
from polyseme.gold.combination import AnnotatorModel, check_combination, combine_ratings, select_annotator_model
from polyseme.gold.estimates import ItemEstimates
from polyseme.labelling import Labelling
from polyseme.parts import check_ranges
from polyseme.rating import CHOICE, WSSIM, Ratings

WEIGHT_RULES: dict[str, Callable[[dict[str, float]], float]] = {
    "rating": lambda _: 1.0,
    "sum": lambda rated: math.fsum(rated.values()),
    "max": lambda rated: max(rated.values()),
}
"""What the ratings of a usage are divided by."""

ROUNDING_MARGIN = 0.5
"""A model's value that is nearer to the lowest of the scale than to the next is taken for the lowest."""


def check_usage_lemmas(usages: Iterable[tuple[str, str]]) -> None:
    """An error if a usage is one of two lemmas."""
    if twice := [usage for usage, count in Counter(usage for usage, _ in set(usages)).items() if count > 1]:
        raise InputError(f"usage {quote_value(twice[0])} is rated under two lemmas; give it two names")


@dataclass(frozen=True)
class Gold:
    """A labelling from ratings of senses.

    The annotators' ratings of a usage and a sense are combined; a sense whose combined rating is the lowest of the
    scale does not apply and is not listed; what remains is the weight, as it is (``"rating"``), or divided by the
    usage's sum or maximum. Judgements of "cannot decide" are left out, and so are repeats, control items and training.
    The ratings must be of one task, and one whose targets are senses.

    * Jurgens (2012): ``Gold("mean", "sum")``;
    * SemEval-2013 Task 13, the two gold keys of the trial data: ``Gold("mean")`` and ``Gold("median")``; crowd
      ratings: ``Gold("mode")`` (Jurgens & Klapaftis 2013, §2.2). The task's scorer divides by the maximum: ``"max"``;
    * WSbest (Erk, McCarthy & Gaylord 2013): ``Gold("mode")`` has the sense that most annotators chose, ``Gold()`` the
      share of annotators who chose each. Of choices the lowest value is 0, and a sense that an annotator does not list
      was not chosen;
    * annotators who differ: ``Gold("model")`` is ``Gold(GradedResponse())``, or ``Gold(DawidSkene())`` for choices. A
      value that rounds to the lowest counts as the lowest.

    With a ``threshold``, a sense is listed if its combined rating is as high or higher; with ``support``, if at least
    so many annotators rated it above the lowest.

    >>> from polyseme.rating import Rating
    >>> rows = [("ann", "a", 5), ("ann", "b", 1), ("bob", "a", 4), ("bob", "b", 2), ("ann", "c", 1), ("bob", "c", 1)]
    >>> ratings = Ratings(Rating(who, "WSsim", "win.v", "win.v.1", sense, value) for who, sense, value in rows)
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
        check_ranges(self, threshold=(0, math.inf), support=(0, math.inf))

    def __call__(self, ratings: Ratings) -> Labelling:
        """Label the usages that were rated; one with no applicable sense is left unlabelled."""
        given = self.prepared(ratings)
        found = self.estimated(given)
        for note in found.notes:
            warnings.warn(note, InputWarning, stacklevel=2)
        return self.labelling(given, found.value)

    def prepared(self, ratings: Ratings) -> Judgements:
        """The judgements that are combined; an error if they do not go together."""
        given = collect_judgements(ratings)
        self._check(given)
        return add_unchosen_senses(given) if are_choices(given) else given

    def estimated(self, given: Judgements) -> ItemEstimates:
        """The combined rating of each item, and, of a model, what was learnt of the annotators."""
        if model := select_annotator_model(self.combine, given):
            return model.fit(given)
        assert isinstance(self.combine, str), "what is no model is a rule, which has a name"
        value = combine_ratings(self.combine, given)
        return ItemEstimates(value, np.full(len(value), math.nan), ())

    def labelling(self, given: Judgements, value: Floats) -> Labelling:
        """The usages with those senses that apply, weighted."""
        usages: dict[tuple[str, str], dict[str, float]] = {}
        for number in np.flatnonzero(self._applies(given, value)).tolist():
            item = given.items[number]
            usages.setdefault((item.lemma, item.usage), {})[item.target] = float(value[number])
        order = dict.fromkeys((item.lemma, item.usage) for item in given.items)
        return Labelling((*usage, self._weighed(usages[usage])) for usage in order if usage in usages)

    def _applies(self, given: Judgements, value: Floats) -> Bools:
        """Whether the sense of each item is one of its usage; undecided ones are not."""
        lowest = self._lowest(given)
        applies: Bools = value > lowest
        if self.threshold:
            applies &= value >= self.threshold
        elif select_annotator_model(self.combine, given):
            applies &= value >= lowest + ROUNDING_MARGIN
        if self.support:
            applies &= sum_at(given.item, given.value > lowest, len(given.items)) >= self.support
        return applies

    def _lowest(self, given: Judgements) -> float:
        return float(CHOICE.lowest) if are_choices(given) else self.lowest

    def _check(self, given: Judgements) -> None:
        if given.items and given.items[0].task == "Usim":
            problem = "the ratings are of Usim, of pairs of usages, and name no senses"
            raise InputError(
                f"{problem}; make clusters of the usages with UsageClusters, or on the command line --clusters"
            )
        lowest, least = self._lowest(given), float(given.value.min(initial=math.inf))
        if least < lowest:
            raise InputError(f"a rating is {least:g}, lower than the scale's {lowest:g}; give lowest={least:g}")
        check_usage_lemmas((item.usage, item.lemma) for item in given.items)

    def _weighed(self, rated: dict[str, float]) -> dict[str, float]:
        whole = WEIGHT_RULES[self.weights](rated)
        return {sense: rating / whole for sense, rating in rated.items()}
