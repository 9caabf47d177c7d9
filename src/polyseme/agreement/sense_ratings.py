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
    """The mean ratings of a lemma.

    Args:
        lemma: The lemma.
        usages: The usages, one for each row.
        senses: The senses, one for each column.
        means: The mean rating of each usage and sense; NaN where no annotator judged it.
    """

    lemma: str
    usages: tuple[str, ...]
    senses: tuple[str, ...]
    means: Floats

    @property
    def unrated(self) -> int:
        """The number of pairs of usage and sense without a rating."""
        return int(np.isnan(self.means).sum())


SenseRatingInput = Ratings | Judgements | Mapping[str, MeanSenseRatings]
"""Ratings of senses, or their means."""


def average_sense_ratings(ratings: SenseRatingInput) -> Mapping[str, MeanSenseRatings]:
    """Average the ratings of each lemma; usages and senses keep the order of their first judgements.

    Sources that list only senses rated above the lowest value must be completed first
    (:meth:`~polyseme.rating.Ratings.complete`): a sense that no annotator judged has no value.

    >>> from polyseme.rating import Rating
    >>> rows = [("ann", "a", 5), ("bob", "a", 4), ("ann", "b", 1)]
    >>> ratings = Ratings(Rating(who, "WSsim", "win.v", "u", sense, value) for who, sense, value in rows)
    >>> means = average_sense_ratings(ratings)
    >>> means["win.v"].senses, means["win.v"].means.tolist()
    (('a', 'b'), [[4.5, 1.0]])
    """
    if isinstance(ratings, Mapping):
        return ratings
    judgements = ratings if isinstance(ratings, Judgements) else collect_judgements(ratings)
    if judgements.items and (task := judgements.items[0].task) != "WSsim":
        raise InputError(f"the ratings are of {task}; ratings of senses (WSsim) are needed here")
    parts = judgements.broken_down(lambda item: item.lemma)
    return {lemma: _average_lemma_ratings(lemma, part) for lemma, part in parts.items()}


def _average_lemma_ratings(lemma: str, judgements: Judgements) -> MeanSenseRatings:
    usages = {usage: row for row, usage in enumerate(dict.fromkeys(item.usage for item in judgements.items))}
    senses = {sense: column for column, sense in enumerate(dict.fromkeys(item.target for item in judgements.items))}
    means = np.full((len(usages), len(senses)), math.nan)
    rows, columns = zip(*((usages[item.usage], senses[item.target]) for item in judgements.items), strict=True)
    means[rows, columns] = judgements.means
    return MeanSenseRatings(lemma, tuple(usages), tuple(senses), means)
