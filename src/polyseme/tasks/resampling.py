"""How far figures can be relied upon: each over lemmas, drawn with replacement or swapped, for all rows at once.

A figure is named as in tables: ``jaccard.f1``, ``fuzzy_nmi``, and ``a*b`` for the geometric mean of two. A row that was
run with several seeds has several results; its figures are their means.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from polyseme.arrays import Floats
from polyseme.scores import Scores
from polyseme.tasks.result import TaskResult

CHUNK = 250
"""How many draws are held at a time."""

Sums = list[tuple[Scores, str, Floats]]
"""For each part of a figure: the scores, the name among their figures, and the statistics of each lemma."""


def split_figure(figure: str) -> list[str]:
    """The figures that one is made of.

    >>> split_figure("fuzzy_nmi*fuzzy_bcubed.f1"), split_figure("paired_f")
    (['fuzzy_nmi', 'fuzzy_bcubed.f1'], ['paired_f'])
    """
    return figure.split("*")


def find_scores(result: TaskResult, part: str) -> tuple[Scores, str] | None:
    """The scores that have a figure, and what it is called there; nothing, if it is not a sum over units."""
    if part in result.scores:
        totals = list(result.scores[part].total())
        return (result.scores[part], totals[0]) if len(totals) == 1 else None
    name, _, figure = part.rpartition(".")
    return (result.scores[name], figure) if name in result.scores else None


def is_additive(results: Sequence[TaskResult], figure: str) -> bool:
    """Whether a figure of these results is a sum over units, so that it can be had for any lemmas."""
    return bool(results) and all(
        find_scores(each, part) is not None for each in results for part in split_figure(figure)
    )


def figure_by_lemma(results: Sequence[TaskResult], figure: str, lemmas: Sequence[str]) -> Floats:
    """The figure of each lemma."""
    return _figure([_sums(each, figure, lemmas) for each in results], np.eye(len(lemmas)))


def resample_figure(
    results: Sequence[TaskResult], figure: str, lemmas: Sequence[str], *, samples: int = 2000, seed: int = 0
) -> Floats:
    """The figure on resamples of the lemmas, drawn with replacement; the same lemmas for the same seed.

    (Efron & Tibshirani 1993)
    """
    rng = np.random.default_rng(seed)
    share = np.full(len(lemmas), 1 / len(lemmas))
    sums = [_sums(each, figure, lemmas) for each in results]
    parts = [
        _figure(sums, rng.multinomial(len(lemmas), share, size=size).astype(np.float64)) for size in _sizes(samples)
    ]
    return np.concatenate(parts)


def randomisation_test(
    first: Sequence[TaskResult],
    second: Sequence[TaskResult],
    figure: str,
    lemmas: Sequence[str],
    *,
    samples: int = 2000,
    seed: int = 0,
) -> float:
    """Two-sided p of a difference when the lemmas of two rows are swapped at random. (Noreen 1989)

    Of rows with several results these are paired one by one, those of the shorter row again from the start.
    p = (1 + number of swaps with a difference at least as large) / (1 + number of swaps).
    """
    rng = np.random.default_rng(seed)
    ours, theirs = [], []
    for place in range(max(len(first), len(second))):
        mine = _sums(first[place % len(first)], figure, lemmas)
        other = _sums(second[place % len(second)], figure, lemmas)
        ours.append(_with_swaps(mine, other))
        theirs.append(_with_swaps(other, mine))
    observed = abs(float((_figure(ours, _kept(len(lemmas))) - _figure(theirs, _kept(len(lemmas))))[0]))
    at_least = 0
    for size in _sizes(samples):
        draw = np.column_stack([rng.integers(2, size=(size, len(lemmas))), np.ones(size)]).astype(np.float64)
        swapped = np.abs(_figure(ours, draw) - _figure(theirs, draw))
        at_least += int(np.sum(~(swapped < observed - 1e-12)))  # an undefined difference is as large as any
    return (1 + at_least) / (1 + samples)


def holm_correction(p: Sequence[float]) -> list[float]:
    """The p of several comparisons, corrected for their number: p(i) · (m − i + 1), never falling. (Holm 1979)

    >>> holm_correction([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    order = sorted(range(len(p)), key=lambda place: p[place])
    corrected, least = [1.0] * len(p), 0.0
    for rank, place in enumerate(order):
        least = min(1.0, max(least, p[place] * (len(p) - rank)))
        corrected[place] = least
    return corrected


def _sums(result: TaskResult, figure: str, lemmas: Sequence[str]) -> Sums:
    found = [each for part in split_figure(figure) if (each := find_scores(result, part)) is not None]
    return [(scores, name, scores.lemma_sums(lemmas)) for scores, name in found]


def _with_swaps(own: Sums, other: Sums) -> Sums:
    """Statistics for draws of 0, which keeps a lemma, and 1, which swaps it; a last 1 adds what is always there."""
    return [
        (scores, name, np.vstack([theirs - mine, mine.sum(axis=0)]))
        for (scores, name, mine), (_, _, theirs) in zip(own, other, strict=True)
    ]


def _kept(lemmas: int) -> Floats:
    return np.array([[0.0] * lemmas + [1.0]])


def _sizes(samples: int) -> Iterator[int]:
    for start in range(0, samples, CHUNK):
        yield min(CHUNK, samples - start)


def _figure(given: Sequence[Sums], draw: Floats) -> Floats:
    """The figure on each draw: each part as the mean over seeds, then their geometric mean, if it has several."""
    parts: list[Floats] = [
        np.mean([scores.summary(draw @ sums)[name] for scores, name, sums in same], axis=0)
        for same in zip(*given, strict=True)
    ]
    if len(parts) == 1:
        return parts[0]
    first, second = (np.maximum(part, 0.0) for part in parts)
    mean: Floats = np.sqrt(first * second)
    return mean
