"""WSsim ratings as vectors: for each lemma, usages × senses, the mean of all annotators."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from polyseme.agreement.judgements import Judgements, collect_judgements
from polyseme.arrays import Floats
from polyseme.errors import InputError
from polyseme.rating import Ratings


@dataclass(frozen=True, eq=False)
class MeanSenseRatings:
    """The mean ratings of a lemma: a row for each usage, a column for each sense.

    Not a number where nobody judged a sense of a usage. A row is the usage as a point among senses; a column says how
    a sense fares over all usages.
    """

    lemma: str
    usages: tuple[str, ...]
    senses: tuple[str, ...]
    means: Floats

    @property
    def unrated(self) -> int:
        """For how many pairs of usage and sense there is no rating."""
        return int(np.isnan(self.means).sum())


SenseRatingInput = Ratings | Judgements | Mapping[str, MeanSenseRatings]
"""Ratings of senses, as they come or as vectors already."""


def average_sense_ratings(ratings: SenseRatingInput) -> Mapping[str, MeanSenseRatings]:
    """The mean ratings of each lemma, usages and senses in the order of their first judgements.

    Sources that list only senses rated above the lowest value must be completed first
    (:meth:`~polyseme.rating.Ratings.completed`): here a sense that nobody judged has no value.

    >>> from polyseme.rating import Rating
    >>> rows = [("ann", "a", 5), ("bob", "a", 4), ("ann", "b", 1)]
    >>> found = average_sense_ratings(Ratings(Rating(who, "WSsim", "win.v", "u", sense, value) for who, sense, value in rows))
    >>> found["win.v"].senses, found["win.v"].means.tolist()
    (('a', 'b'), [[4.5, 1.0]])
    """
    if isinstance(ratings, Mapping):
        return ratings
    given = ratings if isinstance(ratings, Judgements) else collect_judgements(ratings)
    if given.items and (task := given.items[0].task) != "WSsim":
        raise InputError(f"the ratings are of {task}; those of senses (WSsim) are needed here")
    return {
        lemma: _average_lemma_ratings(lemma, part) for lemma, part in given.broken_down(lambda item: item.lemma).items()
    }


def _average_lemma_ratings(lemma: str, given: Judgements) -> MeanSenseRatings:
    usages = {usage: row for row, usage in enumerate(dict.fromkeys(item.usage for item in given.items))}
    senses = {sense: column for column, sense in enumerate(dict.fromkeys(item.target for item in given.items))}
    means = np.full((len(usages), len(senses)), math.nan)
    rows, columns = [usages[item.usage] for item in given.items], [senses[item.target] for item in given.items]
    means[rows, columns] = given.means
    return MeanSenseRatings(lemma, tuple(usages), tuple(senses), means)
