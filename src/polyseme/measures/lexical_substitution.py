"""Measures of *lexical substitution* (McCarthy & Navigli 2007).

Gold and system are labellings whose senses are substitutes. In gold, the weight of a substitute is the number of
annotators who gave it; in the system, a greater weight means a better substitute. The substitutes of a usage are
ranked by weight. Where weights are equal, every order is equally likely, and a score is its expected value over all of
them (McSherry & Najork 2008).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Literal, NamedTuple

import numpy as np

from polyseme.arrays import Bools, Floats, Ints, sum_at
from polyseme.errors import InputError
from polyseme.formats.lexsub_answers import OOT_ANSWERS
from polyseme.labelling import Labelling
from polyseme.measures.alignment import Alignment
from polyseme.measures.protocol import MeasurePart, MeasureProperties
from polyseme.scores import Scores

TASK_10 = "McCarthy & Navigli 2007, SemEval-2007 Task 10"


@dataclass(frozen=True)
class BestGuess(MeasurePart):
    """*best*: the share of the annotators' responses that a system guesses, divided by the number of its guesses.

    A usage has h responses, and f(s) of them are the substitute s. With the guesses a_1 … a_n of the system,

        best = Σ_i f(a_i) / (n · h).

    The mode is the one substitute that more annotators gave than any other.

    Args:
        guesses: How many of the heaviest substitutes are guesses. ``None``: all that the system lists, as in answer
            files of the task, where a system decides how many guesses it makes.
        mode: Score 1 if the first guess is the mode; usages without a mode are not scored.

    The best possible score is the mean share of the most frequent response, far below 1: .459 on the test data.
    (McCarthy & Navigli 2007, §3)

    >>> gold = Labelling.from_dict({"u": {"clever": 3, "smart": 1}}, lemma="bright.a")
    >>> system = Labelling.from_dict({"u": {"smart": 0.6, "clever": 0.4}}, lemma="bright.a")
    >>> BestGuess()(gold, system).total()["recall"], BestGuess(guesses=None)(gold, system).total()["recall"]
    (0.25, 0.5)
    """

    guesses: int | None = 1
    mode: bool = False
    properties: ClassVar[MeasureProperties] = MeasureProperties(citation=f"{TASK_10}, §3", self_is_best=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.guesses is not None and self.guesses < 1:
            raise InputError(f"{self!r}: guesses must be 1 or more, or None for all that the system lists")

    def __call__(self, gold: Labelling, system: Labelling) -> Scores:
        """Score each gold usage, or each that has a mode."""
        table = Alignment.from_labellings(gold.normalise("sum"), system)
        if self.mode:
            return _score_modes(self, gold, table, _inclusion_probability(table, 1))
        listed = table.per_usage(table.in_system)
        guesses = listed if self.guesses is None else np.minimum(listed, self.guesses)
        hits = table.per_usage(_inclusion_probability(table, self.guesses) * table.gold)
        return table.scores(self, hits / np.maximum(guesses, 1))


@dataclass(frozen=True)
class OutOfTen(MeasurePart):
    """*oot*, out of ten: the share of the annotators' responses that are among a system's ten heaviest substitutes.

    With f, h and a_1 … a_10 as in :class:`BestGuess`, oot = Σ_i f(a_i) / h. It is not divided by the number of guesses,
    so that fewer than ten gain nothing. A substitute counts once, however often a system lists it.

    Args:
        mode: Score 1 if the mode is among the ten.

    (McCarthy & Navigli 2007, §3)

    >>> gold = Labelling.from_dict({"u": {"clever": 3, "smart": 1}}, lemma="bright.a")
    >>> system = Labelling.from_dict({"u": {"shiny": 0.6, "clever": 0.4}}, lemma="bright.a")
    >>> OutOfTen()(gold, system).total()["recall"], OutOfTen(mode=True)(gold, system).total()["recall"]
    (0.75, 1.0)
    """

    mode: bool = False
    properties: ClassVar[MeasureProperties] = MeasureProperties(citation=f"{TASK_10}, §3")

    def __call__(self, gold: Labelling, system: Labelling) -> Scores:
        """Score each gold usage, or each that has a mode."""
        table = Alignment.from_labellings(gold.normalise("sum"), system)
        probability = _inclusion_probability(table, OOT_ANSWERS)
        if self.mode:
            return _score_modes(self, gold, table, probability)
        return table.scores(self, table.per_usage(probability * table.gold))


@dataclass(frozen=True)
class PrecisionAt(MeasurePart):
    """P@k: the share of the k heaviest substitutes that at least one annotator gave.

    If a system lists fewer than k, the missing ones count as wrong. Gold scored against itself is below 1 where it has
    fewer than k substitutes.

    Args:
        rank: k, how many substitutes are scored.

    (as reported for lexical substitution by Roller & Erk 2016 and Arefyev et al. 2020)

    >>> gold = Labelling.from_dict({"u": {"clever": 3, "smart": 1}}, lemma="bright.a")
    >>> system = Labelling.from_dict({"u": {"smart": 0.5, "shiny": 0.3, "clever": 0.2}}, lemma="bright.a")
    >>> [round(PrecisionAt(rank)(gold, system).total()["recall"], 3) for rank in (1, 2, 3)]
    [1.0, 0.5, 0.667]
    """

    rank: int = 1
    properties: ClassVar[MeasureProperties] = MeasureProperties(
        citation="Roller & Erk 2016, PIC a different word; Arefyev et al. 2020"
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.rank < 1:
            raise InputError(f"{self!r}: rank must be 1 or more")

    def __call__(self, gold: Labelling, system: Labelling) -> Scores:
        """Score each gold usage."""
        table = Alignment.from_labellings(gold, system)
        return table.scores(
            self, table.per_usage(_inclusion_probability(table, self.rank) * (table.gold > 0)) / self.rank
        )


@dataclass(frozen=True)
class GeneralisedAveragePrecision(MeasurePart):
    """GAP: how well substitutes are ranked, with those that many annotators gave first.

    With x_i the gold weight of the i-th in the system's ranking, x̄_i the mean of x_1 … x_i, y_i and ȳ_i the same for
    the ideal ranking, and I(x) = 1 if x > 0, else 0,

        GAP = Σ_i I(x_i) x̄_i / Σ_i I(y_i) ȳ_i.

    Args:
        ranked: The substitutes to rank. ``"candidates"``, the default: all that gold lists for any usage of the
            lemma; one that the system does not list weighs 0, and its other substitutes are ignored. ``"answers"``:
            all that the system lists; substitutes that it lacks lower the score.

    (Kishida 2005; for lexical substitution Thater, Fürstenau & Pinkal 2010)

    >>> gold = Labelling.from_dict({"u": {"clever": 3, "smart": 1}, "v": {"shiny": 2}}, lemma="bright.a")
    >>> system = Labelling.from_dict({"u": {"smart": 3, "clever": 2, "sunny": 1}, "v": {"shiny": 1}}, lemma="bright.a")
    >>> round(GeneralisedAveragePrecision()(gold, system).per_unit()["u"]["recall"], 3)
    0.6
    """

    ranked: Literal["candidates", "answers"] = "candidates"
    properties: ClassVar[MeasureProperties] = MeasureProperties(
        citation="Kishida 2005, Property of average precision and its generalization; Thater, Fürstenau & Pinkal 2010"
    )

    def __call__(self, gold: Labelling, system: Labelling) -> Scores:
        """Score each gold usage."""
        pooled = self.ranked == "candidates"
        gold = gold.normalise("max")
        table = Alignment.from_labellings(Labelling(_with_candidates(gold)) if pooled else gold, system)
        reached = _average_precision(table, table.system, table.in_gold if pooled else table.in_system)
        ideal = _average_precision(table, table.gold, table.in_gold)
        return table.scores(self, np.where(ideal > 0, reached / np.where(ideal > 0, ideal, 1.0), 0.0))


def _with_candidates(gold: Labelling) -> Iterator[tuple[str, str, dict[str, float]]]:
    """Yield gold with all substitutes of a lemma for each of its usages; those of other usages have weight 0."""
    candidates: dict[str, dict[str, float]] = {}
    for lemma, substitute in gold.columns:
        candidates.setdefault(lemma, {})[substitute] = 0.0
    return ((lemma, usage, candidates[lemma] | weights) for lemma, usage, weights in gold.rows())


class _Ties(NamedTuple):
    """The groups of entries of a usage with equal weights.

    Args:
        group: The group of each entry.
        usage: The usage of each group.
        heavier: How many entries of the usage have a greater weight than those of the group.
        size: How many entries the group has.
    """

    group: Ints
    usage: Ints
    heavier: Ints
    size: Ints


def _group_ties(table: Alignment, weights: Floats, ranked: Bools) -> _Ties:
    """Group equal weights among the entries that are ranked; the others of a usage come after them."""
    order = np.lexsort((-weights, ~ranked, table.usage))
    columns = (table.usage[order], ranked[order], weights[order])
    starts = np.ones(len(order), np.bool_)
    starts[1:] = np.logical_or.reduce([column[1:] != column[:-1] for column in columns])
    first = np.flatnonzero(starts)
    group = np.empty(len(order), np.intp)
    group[order] = np.cumsum(starts) - 1
    usage = columns[0][first]
    return _Ties(group, usage, first - table.starts[usage], np.diff(np.append(first, len(order))))


def _inclusion_probability(table: Alignment, limit: int | None) -> Floats:
    """Return the probability that an entry is among the ``limit`` heaviest of its usage; all are for ``None``."""
    if limit is None:
        return table.in_system.astype(np.float64)
    ties = _group_ties(table, table.system, table.in_system)
    return np.clip((limit - ties.heavier) / ties.size, 0.0, 1.0)[ties.group] * table.in_system


def _score_modes(measure: object, gold: Labelling, table: Alignment, probability: Floats) -> Scores:
    """Return the probability of each usage's mode; usages without a mode are left out."""
    highest = np.zeros(len(gold))
    np.maximum.at(highest, table.usage, table.gold)
    is_mode = (table.gold == highest[table.usage]) & (table.gold > 0)
    return table.scores(measure, table.per_usage(probability * is_mode)).select(table.per_usage(is_mode) == 1)


def _average_precision(table: Alignment, weights: Floats, ranked: Bools) -> Floats:
    """Return the numerator of GAP for each usage: the ranked entries by these weights, expected over orders of ties.

    Take a group of m equal weights. Before it are s entries with the gold weights S in sum; p entries of the group have
    a gold weight above 0, and their sum is G. The j-th position of the group adds, on average over its orders,
    (p·S + G + (j − 1)/(m − 1) · (p − 1)·G) / (m · (s + j)).
    """
    ties = _group_ties(table, weights, ranked)
    count = len(ties.size)
    gains = sum_at(ties.group, table.gold * ranked, count)
    hits = sum_at(ties.group, (table.gold > 0) & ranked, count)
    sums = np.concatenate([[0.0], np.cumsum(gains)])
    first = np.searchsorted(ties.usage, ties.usage)  # the first group of the same usage
    earlier_gains = sums[:-1] - sums[first]
    harmonic = np.concatenate([[0.0], np.cumsum(1 / np.arange(1, table.sizes.max(initial=0) + 1))])
    inverse = harmonic[ties.heavier + ties.size] - harmonic[ties.heavier]
    later = (ties.size - (ties.heavier + 1) * inverse) / np.maximum(ties.size - 1, 1)
    value = ((hits * earlier_gains + gains) * inverse + np.maximum(hits - 1, 0) * gains * later) / ties.size
    return sum_at(ties.usage, value, len(table.sizes))
