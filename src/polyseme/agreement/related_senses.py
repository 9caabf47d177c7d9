"""Correlations between senses, and the graph of related senses."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import combinations
from typing import NamedTuple

import numpy as np

from polyseme.agreement.correlation import Correlation, correlate_ranks
from polyseme.agreement.sense_ratings import SenseRatingInput, average_sense_ratings
from polyseme.arrays import Floats
from polyseme.errors import InputError


class SensePair(NamedTuple):
    """The correlation of two senses.

    Args:
        lemma: The lemma.
        first: The first sense.
        second: The second sense.
        correlation: The correlation of their mean ratings over the lemma's usages.
    """

    lemma: str
    first: str
    second: str
    correlation: Correlation


def correlate_senses(ratings: SenseRatingInput) -> tuple[SensePair, ...]:
    """Compute Spearman's ρ of the mean ratings of every two senses of a lemma, over its usages.

    Similar senses are rated high for the same usages and low for the same usages. The correlation is undefined if one
    of two senses always has the same rating. (Erk, McCarthy & Gaylord 2013, §5.3)

    >>> from polyseme.rating import Rating, Ratings
    >>> values = {"a": (5, 4, 1), "b": (4, 3, 2), "c": (1, 1, 1)}
    >>> rows = [("win.v", str(n), sense, value) for sense, column in values.items() for n, value in enumerate(column)]
    >>> pairs = correlate_senses(Ratings(Rating("ann", "WSsim", *row) for row in rows))
    >>> [(pair.first, pair.second, pair.correlation.rho) for pair in pairs]
    [('a', 'b', 1.0), ('a', 'c', nan), ('b', 'c', nan)]
    """
    return tuple(
        SensePair(lemma, first, second, correlate_ranks(one, other, (first, second)))
        for lemma, senses in average_sense_ratings(ratings).items()
        for (first, one), (second, other) in combinations(zip(senses.senses, senses.means.T, strict=True), 2)
    )


class HistogramBar(NamedTuple):
    """A bar of a histogram.

    Args:
        low: The lowest ρ of the bar.
        high: The upper end of the bar, which is exclusive except in the last one.
        pairs: The number of pairs of senses.
    """

    low: float
    high: float
    pairs: int


class CorrelationHistogram(NamedTuple):
    """The distribution of correlations from −1 to 1.

    Args:
        bars: The bars.
        negative: The number of pairs with a negative ρ.
        positive: The number of pairs with a positive ρ.
        undefined: The number of pairs without a correlation.
    """

    bars: tuple[HistogramBar, ...]
    negative: int
    positive: int
    undefined: int


def correlation_histogram(pairs: Iterable[SensePair], bars: int = 20) -> CorrelationHistogram:
    """Count how many pairs of senses have which correlation (Figure 4 of the paper)."""
    rhos = np.array([pair.correlation.rho for pair in pairs], float)
    values = rhos[~np.isnan(rhos)]
    edges = np.linspace(-1, 1, bars + 1).round(12)
    counts, _ = np.histogram(np.clip(values, -1, 1), edges)
    columns = zip(edges[:-1].tolist(), edges[1:].tolist(), counts.tolist(), strict=True)
    negative, positive = int((values < 0).sum()), int((values > 0).sum())
    return CorrelationHistogram(tuple(map(HistogramBar._make, columns)), negative, positive, len(rhos) - len(values))


class SenseGraph(NamedTuple):
    """The related senses of a lemma, as in Figure 5 of the paper.

    Args:
        lemma: The lemma.
        cut_off: The smallest correlation of related senses.
        positions: The senses that are related to another, with their positions in the drawing, from −1 to 1.
        edges: The pairs of related senses; the higher their correlation, the thicker the line.
        alone: The senses that are related to no other and are not drawn.
    """

    lemma: str
    cut_off: float
    positions: Mapping[str, tuple[float, float]]
    edges: tuple[SensePair, ...]
    alone: tuple[str, ...]


def build_sense_graph(pairs: Iterable[SensePair], lemma: str, cut_off: float = 0.5) -> SenseGraph:
    """Build the graph of a lemma's related senses (ρ ≥ .5 in the paper), with positions for a drawing.

    The graph does not group senses: other cut-offs give other graphs, and the neighbours of a sense need not be
    neighbours of each other. (Erk, McCarthy & Gaylord 2013, §5.3 and Figure 5)
    """
    all_pairs = list(pairs)
    own = [pair for pair in all_pairs if pair.lemma == lemma]
    if not own:
        lemmas = ", ".join(dict.fromkeys(pair.lemma for pair in all_pairs)) or "none"
        raise InputError(f"no two senses of {lemma!r} were rated; there are pairs of senses of: {lemmas}")
    edges = tuple(pair for pair in own if pair.correlation.rho >= cut_off)
    related = {sense for edge in edges for sense in (edge.first, edge.second)}
    senses = dict.fromkeys(sense for pair in own for sense in (pair.first, pair.second))
    nodes = tuple(sense for sense in senses if sense in related)
    positions = dict(zip(nodes, map(tuple, lay_out_senses(nodes, edges).tolist()), strict=True))
    return SenseGraph(lemma, cut_off, positions, edges, tuple(sense for sense in senses if sense not in related))


def lay_out_senses(senses: tuple[str, ...], edges: Iterable[SensePair]) -> Floats:
    """Compute a position from −1 to 1 for each sense, so that related senses are near; the result is deterministic.

    All senses repel one another, edges attract their ends, and each step moves them less than the one before
    (Fruchterman & Reingold 1991). The senses start on a circle, not at random. An edge with ρ below 0.1 attracts as one
    with 0.1.
    """
    if len(senses) < 2:
        return np.zeros((len(senses), 2))
    number = {sense: row for row, sense in enumerate(senses)}
    attraction = np.zeros((len(senses), len(senses)))
    for edge in edges:
        first, second = number[edge.first], number[edge.second]
        attraction[first, second] = attraction[second, first] = max(
            edge.correlation.rho, 0.1
        )  # a cut-off can be below 0
    angles = 2 * np.pi * np.arange(len(senses)) / len(senses)
    positions = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    for step in range(300):
        positions = _move_nodes(positions, attraction, 0.1 * (1 - step / 300))
    positions -= (positions.max(axis=0) + positions.min(axis=0)) / 2
    return np.asarray(np.round(positions / np.abs(positions).max(), 4) + 0.0)  # no −0


def _move_nodes(positions: Floats, attraction: Floats, longest: float) -> Floats:
    """Move each position by one step of at most this length; a weak pull inwards holds separate parts together.

    Two senses that ρ = 1 joins and that have no other neighbours come to lie 0.5 apart.
    """
    offsets = positions[:, None] - positions
    distance = np.maximum(np.linalg.norm(offsets, axis=2), 0.01)
    force = 0.5**2 / distance**2 - attraction * distance / 0.5
    np.fill_diagonal(force, 0)
    move = (force[..., None] * offsets).sum(axis=1) - 0.3 * positions
    length = np.maximum(np.linalg.norm(move, axis=1, keepdims=True), 1e-9)
    return np.asarray(positions + move / length * np.minimum(length, longest))
