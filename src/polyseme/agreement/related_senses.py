"""Which senses do people treat alike? Correlations between senses, and the graph of those that are related."""

from __future__ import annotations

import math
from collections.abc import Iterable
from itertools import combinations
from typing import NamedTuple

import numpy as np

from polyseme.agreement.correlation import Correlation
from polyseme.agreement.rank_correlation import correlate_ranks
from polyseme.agreement.sense_ratings import SenseRatingInput, average_sense_ratings
from polyseme.arrays import Floats
from polyseme.errors import InputError

RELATED_CORRELATION = 0.5
"""From which ρ on two senses are joined in Figure 5 of the paper."""


class SensePair(NamedTuple):
    """Two senses of a lemma, and how their mean ratings go together over its usages."""

    lemma: str
    first: str
    second: str
    correlation: Correlation


def correlate_senses(ratings: SenseRatingInput) -> tuple[SensePair, ...]:
    """Spearman's ρ of the mean ratings of every two senses of a lemma, over its usages.

    Senses that people find alike are rated high for the same usages and low for the same ones. Two senses of which one
    is rated the same throughout have no correlation. (Erk, McCarthy & Gaylord 2013, §5.3)

    >>> from polyseme.rating import Rating, Ratings
    >>> values = {"a": (5, 4, 1), "b": (4, 3, 2), "c": (1, 1, 1)}
    >>> rows = [("win.v", str(usage), sense, value) for sense, of in values.items() for usage, value in enumerate(of)]
    >>> pairs = correlate_senses(Ratings(Rating("ann", "WSsim", *row) for row in rows))
    >>> [(pair.first, pair.second, pair.correlation.rho) for pair in pairs]
    [('a', 'b', 1.0), ('a', 'c', nan), ('b', 'c', nan)]
    """
    return tuple(
        SensePair(lemma, first, second, correlate_ranks(one, other, (first, second)))
        for lemma, found in average_sense_ratings(ratings).items()
        for (first, one), (second, other) in combinations(zip(found.senses, found.means.T, strict=True), 2)
    )


class HistogramBar(NamedTuple):
    """A bar of a histogram: how many pairs of senses have a ρ from ``low`` up to, but without, ``high``."""

    low: float
    high: float
    pairs: int


class CorrelationHistogram(NamedTuple):
    """How correlations spread from −1 to 1; and of how many pairs there is none."""

    bars: tuple[HistogramBar, ...]
    negative: int
    positive: int
    undefined: int


def correlation_histogram(pairs: Iterable[SensePair], bars: int = 20) -> CorrelationHistogram:
    """How many pairs of senses have which correlation (Figure 4 of the paper); the last bar has ρ = 1 in it too."""
    given = [pair.correlation.rho for pair in pairs]
    values = np.array([rho for rho in given if not math.isnan(rho)])
    edges = np.linspace(-1, 1, bars + 1).round(12)
    counts, _ = np.histogram(np.clip(values, -1, 1), edges)
    found = zip(edges[:-1].tolist(), edges[1:].tolist(), counts.tolist(), strict=True)
    negative, positive = int((values < 0).sum()), int((values > 0).sum())
    return CorrelationHistogram(
        tuple(HistogramBar(*bar) for bar in found), negative, positive, len(given) - len(values)
    )


class SenseGraphNode(NamedTuple):
    """A sense, and where it is drawn, between −1 and 1."""

    sense: str
    x: float
    y: float


class SenseGraphEdge(NamedTuple):
    """Two related senses; the line is drawn the thicker, the higher ρ is."""

    first: str
    second: str
    rho: float


class SenseGraph(NamedTuple):
    """The related senses of a lemma: those that are joined to another, as in Figure 5 of the paper."""

    lemma: str
    cut_off: float
    nodes: tuple[SenseGraphNode, ...]
    edges: tuple[SenseGraphEdge, ...]
    alone: tuple[str, ...]
    """The senses that are related to no other one at this cut-off, which are not drawn."""


def build_sense_graph(pairs: Iterable[SensePair], lemma: str, cut_off: float = RELATED_CORRELATION) -> SenseGraph:
    """The senses of a lemma that are related at the cut-off (ρ ≥ .5 in the paper), with places to draw them at.

    It gives no groups of senses: other cut-offs give other graphs, and what is joined to a sense need not be joined to
    each other. (Erk, McCarthy & Gaylord 2013, §5.3 and Figure 5)
    """
    given = list(pairs)
    mine = [pair for pair in given if pair.lemma == lemma]
    if not mine:
        there = ", ".join(dict.fromkeys(pair.lemma for pair in given)) or "none"
        raise InputError(f"no two senses of {lemma!r} were rated; there are pairs of senses of: {there}")
    edges = tuple(
        SenseGraphEdge(pair.first, pair.second, rho) for pair in mine if (rho := pair.correlation.rho) >= cut_off
    )
    joined = {sense for edge in edges for sense in edge[:2]}
    senses = dict.fromkeys(sense for pair in mine for sense in (pair.first, pair.second))
    drawn = tuple(sense for sense in senses if sense in joined)
    places = lay_out_senses(drawn, edges).tolist()
    nodes = tuple(SenseGraphNode(sense, x, y) for sense, (x, y) in zip(drawn, places, strict=True))
    return SenseGraph(lemma, cut_off, nodes, edges, tuple(sense for sense in senses if sense not in joined))


LAYOUT_STEPS = 300


def lay_out_senses(senses: tuple[str, ...], edges: Iterable[SenseGraphEdge]) -> Floats:
    """A place for each sense, so that related ones are near: x and y from −1 to 1, always the same for the same graph.

    All senses push one another away, edges pull theirs together, and each step moves them less than the one before
    (Fruchterman & Reingold 1991); they start on a circle, not at random.
    """
    if len(senses) < 2:
        return np.zeros((len(senses), 2))
    number = {sense: row for row, sense in enumerate(senses)}
    pull = np.zeros((len(senses), len(senses)))
    for edge in edges:
        one, other = number[edge.first], number[edge.second]
        pull[one, other] = pull[other, one] = max(edge.rho, 0.1)  # whoever cuts off below 0 still wants a connection
    angle = 2 * np.pi * np.arange(len(senses)) / len(senses)
    place = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    for step in range(LAYOUT_STEPS):
        place = _move_nodes(place, pull, 0.1 * (1 - step / LAYOUT_STEPS))
    place -= (place.max(axis=0) + place.min(axis=0)) / 2
    made: Floats = np.round(place / np.abs(place).max(), 4) + 0.0  # no −0
    return made


LAYOUT_DISTANCE = 0.5
"""How far apart two senses lie that are joined by ρ = 1 and have no others."""


def _move_nodes(place: Floats, pull: Floats, most: float) -> Floats:
    """Each place after one step, of at most this length; what is not joined is held together by a weak pull inwards."""
    apart = place[:, None] - place
    distance = np.maximum(np.linalg.norm(apart, axis=2), 0.01)
    force = LAYOUT_DISTANCE**2 / distance**2 - pull * distance / LAYOUT_DISTANCE
    np.fill_diagonal(force, 0)
    move = (force[..., None] * apart).sum(axis=1) - 0.3 * place
    length = np.maximum(np.linalg.norm(move, axis=1, keepdims=True), 1e-9)
    moved: Floats = place + move / length * np.minimum(length, most)
    return moved
