"""Resampling over lemmas: bootstrap intervals and randomisation tests of the figures of tasks.

Lemmas are resampled because usages of one lemma are not independent. A figure has the name of a column: ``jaccard.f1``,
``fuzzy_nmi``, and ``a*b`` for the geometric mean of two. A system that was run with several seeds has several results;
its figures are their means.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from polyseme.arrays import Floats
from polyseme.scores import Scores
from polyseme.tasks.columns import split_figure
from polyseme.tasks.result import TaskResult

CHUNK = 500
"""How many draws are evaluated at a time."""


class FigureSums(NamedTuple):
    """Scores, the name of a figure among theirs, and the statistics of each lemma."""

    scores: Scores
    name: str
    sums: Floats


@dataclass(frozen=True)
class AdditiveFigure:
    """A figure whose statistics are sums over lemmas, so that it can be evaluated on any draw of lemmas.

    Args:
        factors: For each result, the statistics of the factors of the figure; it has one factor, or two if it is a
            geometric mean.
    """

    factors: tuple[tuple[FigureSums, ...], ...]

    @classmethod
    def from_results(cls, results: Sequence[TaskResult], figure: str, lemmas: Sequence[str]) -> AdditiveFigure | None:
        """Return a figure of results; nothing if it is not additive, or if there are no results."""
        located = [[_locate_figure(result, name) for name in split_figure(figure)] for result in results]
        factors = tuple(
            tuple(FigureSums(scores, name, scores.lemma_sums(lemmas)) for scores, name in filter(None, row))
            for row in located
        )
        return cls(factors) if results and all(all(row) for row in located) else None

    def evaluate(self, draws: Floats) -> Floats:
        """Return the figure on each draw, a row with the number of times that each lemma is drawn.

        Each factor is a mean over results.
        """
        means: list[Floats] = [
            np.mean([scores.summary(draws @ sums)[name] for scores, name, sums in column], axis=0)
            for column in zip(*self.factors, strict=True)
        ]
        if len(means) == 1:
            return means[0]
        first, second = (np.maximum(mean, 0.0) for mean in means)
        product: Floats = np.sqrt(first * second)
        return product

    def swap_with(self, other: AdditiveFigure) -> AdditiveFigure:
        """Return the figure on draws of swaps: 0 keeps a lemma, 1 swaps it with the other system's; the last is 1.

        Results are paired in order; the shorter side starts again when it ends.
        """
        count = max(len(self.factors), len(other.factors))
        pairs = [
            zip(self.factors[run % len(self.factors)], other.factors[run % len(other.factors)], strict=True)
            for run in range(count)
        ]
        return AdditiveFigure(
            tuple(
                tuple(
                    FigureSums(own.scores, own.name, np.vstack([swapped.sums - own.sums, own.sums.sum(axis=0)]))
                    for own, swapped in pair
                )
                for pair in pairs
            )
        )


def _locate_figure(result: TaskResult, figure: str) -> tuple[Scores, str] | None:
    """Return the scores with a figure and its name there; nothing if it is not a sum over units."""
    if figure in result.scores:
        totals = list(result.scores[figure].total())
        return (result.scores[figure], totals[0]) if len(totals) == 1 else None
    name, _, part = figure.rpartition(".")
    return (result.scores[name], part) if name in result.scores else None


def bootstrap(figures: Sequence[AdditiveFigure], lemmas: int, *, samples: int, seed: int = 0) -> list[Floats]:
    """Return each figure on the same resamples of the lemmas, drawn with replacement. (Efron & Tibshirani 1993)"""
    rng = np.random.default_rng(seed)
    share = np.full(lemmas, 1 / lemmas)
    chunks: list[list[Floats]] = [[] for _ in figures]
    for size in _chunk_sizes(samples):
        draws = rng.multinomial(lemmas, share, size=size).astype(np.float64)
        for figure, values in zip(figures, chunks, strict=True):
            values.append(figure.evaluate(draws))
    return [np.concatenate(values) for values in chunks]


def randomisation_test(
    pairs: Sequence[tuple[AdditiveFigure, AdditiveFigure]], lemmas: int, *, samples: int, seed: int = 0
) -> list[float]:
    """Return the two-sided p of each difference when the systems' lemmas are swapped at random. (Noreen 1989)

    p = (1 + number of swaps with a difference at least as large) / (1 + number of swaps). An undefined difference is
    as large as any.
    """
    rng = np.random.default_rng(seed)
    sides = [(first.swap_with(second), second.swap_with(first)) for first, second in pairs]

    def compute_differences(draws: Floats) -> list[Floats]:
        return [np.abs(first.evaluate(draws) - second.evaluate(draws)) for first, second in sides]

    observed = compute_differences(np.array([[0.0] * lemmas + [1.0]]))
    counts = np.zeros(len(pairs))
    for size in _chunk_sizes(samples):
        draws = np.column_stack([rng.integers(2, size=(size, lemmas)), np.ones(size)]).astype(np.float64)
        differences = compute_differences(draws)
        counts += [np.sum(~(values < limit - 1e-12)) for values, limit in zip(differences, observed, strict=True)]
    return [float(p) for p in (1 + counts) / (1 + samples)]


def _chunk_sizes(samples: int) -> Iterator[int]:
    for start in range(0, samples, CHUNK):
        yield min(CHUNK, samples - start)


def percentile_interval(values: Floats, confidence: float = 0.95) -> tuple[float, float]:
    """Return the ends of the middle ``confidence`` of the values that are defined."""
    defined = values[np.isfinite(values)]
    if not len(defined):
        return float("nan"), float("nan")
    low, high = np.quantile(defined, [(1 - confidence) / 2, (1 + confidence) / 2])
    return float(low), float(high)


def holm_correction(p: Sequence[float]) -> list[float]:
    """Correct the p of several comparisons for their number: p(i) · (m − i + 1), never falling. (Holm 1979)

    >>> holm_correction([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    order = sorted(range(len(p)), key=lambda position: p[position])
    corrected, least = [1.0] * len(p), 0.0
    for rank, position in enumerate(order):
        least = min(1.0, max(least, p[position] * (len(p) - rank)))
        corrected[position] = least
    return corrected
