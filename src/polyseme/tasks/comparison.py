"""Is a difference real? Intervals and tests over lemmas, because usages of one lemma are not independent."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from polyseme.arrays import Floats
from polyseme.errors import InputError
from polyseme.scores import Scores
from polyseme.tasks.result import TaskResult


class Comparison(NamedTuple):
    """One figure of two systems: values, intervals, and how likely such a difference is if they are alike."""

    figure: str
    first: float
    first_interval: tuple[float, float]
    second: float
    second_interval: tuple[float, float]
    difference: float
    interval: tuple[float, float]
    p: float


CHUNK = 500
"""How many resamples are held at a time."""


def bootstrap_scores(
    scores: Scores, lemmas: Sequence[str], *, samples: int = 10_000, seed: int = 0
) -> dict[str, Floats]:
    """Each figure on ``samples`` resamples of the lemmas, drawn with replacement. (Efron & Tibshirani 1993)

    >>> scores = Scores.of_lemmas("V()", ["a", "b"], [0.2, 0.4])
    >>> sorted(set(bootstrap_scores(scores, ["a", "b"], samples=50)["score"].round(2).tolist()))
    [0.2, 0.3, 0.4]
    """
    return _resampled([scores], lemmas, samples, seed)[0]


def _resampled(all_scores: Sequence[Scores], lemmas: Sequence[str], samples: int, seed: int) -> list[dict[str, Floats]]:
    """The figures of several scores on the same resamples: the sums are additive, so lemmas need only be counted."""
    rng = np.random.default_rng(seed)
    share = np.full(len(lemmas), 1 / len(lemmas))
    return _by_chunks(
        [(scores, scores.lemma_sums(lemmas)) for scores in all_scores],
        samples,
        lambda size: rng.multinomial(len(lemmas), share, size=size).astype(np.float64),
    )


def _by_chunks(
    sums: Sequence[tuple[Scores, Floats]], samples: int, draw: Callable[[int], Floats]
) -> list[dict[str, Floats]]:
    found: list[dict[str, list[Floats]]] = [{} for _ in sums]
    for start in range(0, samples, CHUNK):
        drawn = draw(min(CHUNK, samples - start))
        for (scores, of_lemma), figures in zip(sums, found, strict=True):
            for name, values in scores.summary(drawn @ of_lemma).items():
                figures.setdefault(name, []).append(values)
    return [{name: np.concatenate(parts) for name, parts in figures.items()} for figures in found]


def percentile_interval(values: Floats, confidence: float = 0.95) -> tuple[float, float]:
    """The middle ``confidence`` of the values, undefined ones left out."""
    defined = values[np.isfinite(values)]
    if not len(defined):
        return float("nan"), float("nan")
    low, high = np.quantile(defined, [(1 - confidence) / 2, (1 + confidence) / 2])
    return float(low), float(high)


def randomise_scores(
    first: Scores, second: Scores, lemmas: Sequence[str], *, samples: int = 10_000, seed: int = 0
) -> dict[str, float]:
    """Two-sided p of each figure's difference when the systems' lemmas are swapped at random. (Noreen 1989)

    p = (1 + number of swaps with a difference at least as large) / (1 + number of swaps). An undefined difference is
    as large as any.
    """
    return _swapped([(first, second)], lemmas, samples, seed)[0]


def _swapped(
    pairs: Sequence[tuple[Scores, Scores]], lemmas: Sequence[str], samples: int, seed: int
) -> list[dict[str, float]]:
    """The p of several pairs of scores on the same swaps."""
    # A draw of 0 keeps a lemma, 1 swaps it; a last 1 adds what does not depend on the draw.
    sums = [(first, first.lemma_sums(lemmas), second.lemma_sums(lemmas)) for first, second in pairs]
    sides = [
        [(scores, np.vstack([other - own, own.sum(axis=0)])) for scores, own, other in given]
        for given in (sums, [(scores, b, a) for scores, a, b in sums])
    ]
    ours, theirs = (_by_chunks(side, samples, _coins(len(lemmas), seed)) for side in sides)
    return [
        {
            name: _share_at_least(value - second.total()[name], mine[name] - other[name])
            for name, value in first.total().items()
        }
        for (first, second), mine, other in zip(pairs, ours, theirs, strict=True)
    ]


def _coins(lemmas: int, seed: int) -> Callable[[int], Floats]:
    rng = np.random.default_rng(seed)

    def throw(size: int) -> Floats:
        return np.column_stack([rng.integers(2, size=(size, lemmas)), np.ones(size)]).astype(np.float64)

    return throw


def _share_at_least(observed: float, swapped: Floats) -> float:
    return float((1 + np.sum(~(np.abs(swapped) < abs(observed) - 1e-12))) / (1 + len(swapped)))


def compare_results(
    first: TaskResult, second: TaskResult, *, samples: int = 10_000, seed: int = 0, confidence: float = 0.95
) -> list[Comparison]:
    """Every figure of two systems scored on the same gold key: bootstrap intervals and a paired randomisation test."""
    # The first figure has all of gold's lemmas; the number of clusters may know others, from outside the gold key.
    lemmas = tuple(dict.fromkeys(next(iter(first.scores.values())).lemmas))
    pairs = {name: (_of(scores, lemmas), _of(second.scores[name], lemmas)) for name, scores in first.scores.items()}
    if len(lemmas) < 2:
        raise InputError(f"only {len(lemmas)} lemma: intervals over lemmas need at least two")
    resampled = _resampled([scores for pair in pairs.values() for scores in pair], lemmas, samples, seed)
    swapped = _swapped(list(pairs.values()), lemmas, samples, seed)
    return [
        _compared(
            name, figure, a.total()[figure], b.total()[figure], ours[figure], theirs[figure], p[figure], confidence
        )
        for (name, (a, b)), ours, theirs, p in zip(pairs.items(), resampled[::2], resampled[1::2], swapped, strict=True)
        for figure in p
    ]


def _of(scores: Scores, lemmas: Sequence[str]) -> Scores:
    wanted = frozenset(lemmas)
    return scores.select(np.array([lemma in wanted for lemma in scores.lemmas], np.bool_))


def _compared(
    name: str, figure: str, a: float, b: float, ours: Floats, theirs: Floats, p: float, confidence: float
) -> Comparison:
    return Comparison(
        name if figure == "score" else f"{name}.{figure}",
        a,
        percentile_interval(ours, confidence),
        b,
        percentile_interval(theirs, confidence),
        b - a,
        percentile_interval(theirs - ours, confidence),
        p,
    )
