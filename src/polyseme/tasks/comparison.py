"""The comparison of two systems: intervals and tests over lemmas."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from polyseme.errors import InputError
from polyseme.tasks.resampling import AdditiveFigure, bootstrap, percentile_interval, randomisation_test
from polyseme.tasks.result import TaskResult


class Comparison(NamedTuple):
    """One figure of two systems.

    Args:
        figure: The name of the figure.
        first: The figure of the first system.
        first_interval: The bootstrap interval of that figure.
        second: The figure of the second system.
        second_interval: The bootstrap interval of that figure.
        difference: The second less the first.
        interval: The bootstrap interval of the difference.
        p: The probability of a difference at least as large if the systems do not differ.
    """

    figure: str
    first: float
    first_interval: tuple[float, float]
    second: float
    second_interval: tuple[float, float]
    difference: float
    interval: tuple[float, float]
    p: float


def compare_results(
    first: TaskResult, second: TaskResult, *, samples: int = 10_000, seed: int = 0, confidence: float = 0.95
) -> list[Comparison]:
    """Compare every figure of two systems that are scored on the same gold key.

    Args:
        first: The result of the first system.
        second: The result of the second system.
        samples: The number of resamples of the bootstrap, and of swaps of the paired randomisation test.
        seed: The random seed.
        confidence: The confidence of the intervals.
    """
    # The first figure has all of gold's lemmas; the number of clusters may have others, from outside the gold key.
    lemmas = tuple(dict.fromkeys(next(iter(first.scores.values())).lemmas))
    if len(lemmas) < 2:
        raise InputError(f"only {len(lemmas)} lemma: intervals over lemmas need at least two")
    totals = [_compute_totals(result, frozenset(lemmas)) for result in (first, second)]
    figures = [[_get_figure(result, name, lemmas) for name in totals[0]] for result in (first, second)]
    resamples = bootstrap([*figures[0], *figures[1]], len(lemmas), samples=samples, seed=seed)
    p_values = randomisation_test(list(zip(*figures, strict=True)), len(lemmas), samples=samples, seed=seed)
    return [
        Comparison(
            name,
            totals[0][name],
            percentile_interval(values, confidence),
            totals[1][name],
            percentile_interval(others, confidence),
            totals[1][name] - totals[0][name],
            percentile_interval(others - values, confidence),
            p,
        )
        for name, values, others, p in zip(
            totals[0], resamples[: len(totals[0])], resamples[len(totals[0]) :], p_values, strict=True
        )
    ]


def _get_figure(result: TaskResult, name: str, lemmas: tuple[str, ...]) -> AdditiveFigure:
    figure = AdditiveFigure.from_results([result], name, lemmas)
    if figure is None:
        raise InputError(f"{name} is not a sum over lemmas or usages, and cannot be compared")
    return figure


def _compute_totals(result: TaskResult, lemmas: frozenset[str]) -> dict[str, float]:
    """Return all figures over the units of some lemmas."""
    parts = {
        name: scores.select(np.array([lemma in lemmas for lemma in scores.lemmas], np.bool_))
        for name, scores in result.scores.items()
    }
    return {
        name if figure == "score" else f"{name}.{figure}": value
        for name, scores in parts.items()
        for figure, value in scores.total().items()
    }
