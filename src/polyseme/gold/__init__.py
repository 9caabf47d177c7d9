"""From what people say to a gold standard: ratings become weights here and nowhere else, for that is a decision."""

from __future__ import annotations

import math
import statistics
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from polyseme.errors import InputError, shown
from polyseme.labelling import Labelling
from polyseme.rating import WSSIM, Ratings, most_frequent

COMBINATIONS: dict[str, Callable[[Sequence[float]], float]] = {
    "mean": lambda values: math.fsum(values) / len(values),
    "median": statistics.median,
    "mode": most_frequent,
}
"""How the ratings of several annotators become one."""

WEIGHTS: dict[str, Callable[[dict[str, float]], float]] = {
    "rating": lambda _: 1.0,
    "sum": lambda rated: math.fsum(rated.values()),
    "max": lambda rated: max(rated.values()),
}
"""What the ratings of a usage are divided by."""


@dataclass(frozen=True)
class Gold:
    """A labelling from ratings of senses.

    The annotators' ratings of a usage and a sense are combined; a sense whose combined rating is the lowest of the
    scale does not apply and is not listed; what remains is the weight, as it is (``"rating"``), or divided by the
    usage's sum or maximum. Judgements of "cannot decide" are left out. The ratings must be of one task, and one whose
    targets are senses; of WSbest the lowest value is 0.

    * Jurgens (2012): ``Gold("mean", "sum")``;
    * SemEval-2013 Task 13, the two gold keys of the trial data: ``Gold("mean")`` and ``Gold("median")``; crowd
      ratings: ``Gold("mode")`` (Jurgens & Klapaftis 2013, §2.2). The task's scorer divides by the maximum: ``"max"``.

    >>> from polyseme.rating import Rating
    >>> rows = [("ann", "a", 5), ("ann", "b", 1), ("bob", "a", 4), ("bob", "b", 2), ("ann", "c", 1), ("bob", "c", 1)]
    >>> ratings = Ratings(Rating(who, "WSsim", "win.v", "win.v.1", sense, value) for who, sense, value in rows)
    >>> Gold("mean", "sum")(ratings)["win.v.1"]
    {'a': 0.75, 'b': 0.25}
    """

    combine: str = "mean"
    weights: str = "rating"
    lowest: float = float(WSSIM.lowest)
    kind: ClassVar[str] = "gold"

    def __post_init__(self) -> None:
        for name, given, allowed in (("combine", self.combine, COMBINATIONS), ("weights", self.weights, WEIGHTS)):
            if given not in allowed:
                raise InputError(f"{name} {given!r} is not known; allowed are {', '.join(allowed)}")

    def __call__(self, ratings: Ratings) -> Labelling:
        """Label the usages that were rated; one with no applicable sense is left unlabelled."""
        self._check(ratings)
        usages: dict[tuple[str, str], dict[str, float]] = {}
        for item, by_annotator in ratings.by_item().items():
            rated = usages.setdefault((item.lemma, item.usage), {})
            values = [value for value in by_annotator.values() if not math.isnan(value)]
            if values and (combined := COMBINATIONS[self.combine](values)) > self.lowest:
                rated[item.target] = combined
        return Labelling((lemma, usage, self._weighed(rated)) for (lemma, usage), rated in usages.items() if rated)

    def _check(self, ratings: Ratings) -> None:
        tasks = sorted({row.task for row in ratings})
        if len(tasks) > 1:
            problem = f"the ratings are of several tasks ({', '.join(tasks)}), whose values do not mean the same"
            raise InputError(f"{problem}; take one with ratings.where(lambda row: row.task == {tasks[0]!r})")
        lowest = min((row.value for row in ratings if not math.isnan(row.value)), default=self.lowest)
        if lowest < self.lowest:
            raise InputError(f"a rating is {lowest:g}, lower than the scale's {self.lowest:g}; give lowest={lowest:g}")
        lemmas = {(row.usage, row.lemma) for row in ratings}
        if twice := [usage for usage, count in Counter(usage for usage, _ in lemmas).items() if count > 1]:
            raise InputError(f"usage {shown(twice[0])} is rated under two lemmas; give it two names")

    def _weighed(self, rated: dict[str, float]) -> dict[str, float]:
        whole = WEIGHTS[self.weights](rated)
        return {sense: rating / whole for sense, rating in rated.items()}
