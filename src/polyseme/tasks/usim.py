"""Usage similarity as a gold standard: does a labelling, or a model's similarities, agree with Usim ratings?"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from polyseme.arrays import Floats, positions_by_value
from polyseme.baselines import CLUSTER_BASELINES
from polyseme.errors import InputError
from polyseme.labelling import Labelling
from polyseme.measures.ranking import rank_correlation
from polyseme.usage import UsagePair


class UsimScores(NamedTuple):
    """Spearman's ρ with people's similarity ratings, and their mean rating within and across the system's senses."""

    pooled: float
    lemmas: dict[str, float]
    within: float
    across: float
    pairs: int
    left_out: int
    senses: float
    """The mean number of senses that a usage of the system has."""

    @property
    def mean(self) -> float:
        """The mean of the lemmas' ρ, where they have one."""
        values = [value for value in self.lemmas.values() if math.isfinite(value)]
        return sum(values) / len(values) if values else math.nan

    def summary(self) -> dict[str, object]:
        """The figures as the command line prints them."""
        return {
            "spearman": {"pooled": self.pooled, "mean": self.mean, "lemmas": self.lemmas},
            "within": self.within,
            "across": self.across,
            "clusters": self.senses,
            "pairs": self.pairs,
            "left_out": self.left_out,
        }


def usim(gold: Sequence[UsagePair], system: Labelling | Iterable[UsagePair]) -> UsimScores:
    """Compare with Usim ratings (Erk, McCarthy & Gaylord 2013).

    A labelling's similarity of two usages is the cosine of their weights; a pair is *within* a sense if both usages
    have the same heaviest sense. Pairs with a usage that the system leaves out have no similarity: they are counted and
    left out. ``within`` and ``across`` are undefined for a system that gives similarities only.

    >>> pairs = [UsagePair("x", "x.1", "x.2", 5.0), UsagePair("x", "x.1", "x.3", 1.0)]
    >>> scores = usim(pairs, Labelling.hard(["x.1", "x.2", "x.3"], list("aab"), lemma="x"))
    >>> scores.pooled, scores.within, scores.across
    (1.0, 5.0, 1.0)
    """
    labelling = system if isinstance(system, Labelling) else None
    found = _cosines(gold, system) if isinstance(system, Labelling) else _looked_up(gold, system)
    known = [pair for pair, value in zip(gold, found, strict=True) if value is not None]
    if not known:
        example = f"; gold has e.g. {gold[0].first!r} with {gold[0].second!r}" if gold else "; gold is empty"
        raise InputError(f"gold and system have no pair of usages in common{example}")
    ratings = np.array([pair.similarity for pair in known])
    ours = np.array([value for value in found if value is not None])
    within, across = _by_sense(known, ratings, labelling)
    return UsimScores(
        rank_correlation(ratings, ours),
        _per_lemma(known, ratings, ours),
        within,
        across,
        len(known),
        len(gold) - len(known),
        math.nan if labelling is None else len(labelling.weights) / len(labelling),
    )


def score_usim_baselines(gold: Sequence[UsagePair]) -> dict[str, UsimScores]:
    """The trivial clusterings of the rated usages; of several runs the first."""
    lemma_of = {usage: pair.lemma for pair in gold for usage in (pair.first, pair.second)}
    usages = Labelling((lemma, usage, {"": 1.0}) for usage, lemma in lemma_of.items())
    return {name: usim(gold, runs[0](usages)) for name, runs in CLUSTER_BASELINES.items()}


def _per_lemma(pairs: Sequence[UsagePair], ratings: Floats, ours: Floats) -> dict[str, float]:
    number = {lemma: row for row, lemma in enumerate(dict.fromkeys(pair.lemma for pair in pairs))}
    parts = positions_by_value(np.array([number[pair.lemma] for pair in pairs], np.intp), len(number))
    return {lemma: rank_correlation(ratings[at], ours[at]) for lemma, at in zip(number, parts, strict=True)}


def _cosines(gold: Sequence[UsagePair], labelling: Labelling) -> list[float | None]:
    labelling = labelling.normalise("max")  # the cosine does not depend on it, and nothing can overflow
    usages = dict.fromkeys(usage for pair in gold for usage in (pair.first, pair.second))
    senses = {usage: _named(labelling, usage) for usage in usages}
    return [_cosine(senses[pair.first], senses[pair.second]) for pair in gold]


def _named(labelling: Labelling, usage: str) -> dict[tuple[str, str], float] | None:
    """A usage's senses by lemma and name, since names belong to a lemma."""
    if usage not in labelling:
        return None
    return {(labelling.lemma(usage), sense): weight for sense, weight in labelling[usage].items()}


def _cosine(first: dict[tuple[str, str], float] | None, second: dict[tuple[str, str], float] | None) -> float | None:
    if first is None or second is None:
        return None
    lengths = math.hypot(*first.values()) * math.hypot(*second.values())
    return sum(weight * second.get(sense, 0.0) for sense, weight in first.items()) / lengths if lengths else 0.0


def _looked_up(gold: Sequence[UsagePair], system: Iterable[UsagePair]) -> list[float | None]:
    given = {frozenset((pair.first, pair.second)): pair.similarity for pair in system}
    return [given.get(frozenset((pair.first, pair.second))) for pair in gold]


def _by_sense(pairs: Sequence[UsagePair], ratings: Floats, labelling: Labelling | None) -> tuple[float, float]:
    if labelling is None:
        return math.nan, math.nan
    top = labelling.top()
    top = top.with_weights(np.ones(len(top.weights)))
    same = np.array([_named(top, pair.first) == _named(top, pair.second) for pair in pairs], np.bool_)
    within, across = (float(ratings[which].mean()) if which.any() else math.nan for which in (same, ~same))
    return within, across
