"""Bars and columns that show the weights of senses."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from polyseme.words.findings import format_percent
from polyseme.words.periods import Period, are_single_years

WIDTH, HEIGHT = 720.0, 260.0
"""The size of the chart of periods; the page scales it."""


class BarSegment(NamedTuple):
    """A segment of a bar: the number of its sense, its start and its width, in hundredths of the bar."""

    sense: int
    start: float
    width: float


def bar_segments(weights: Iterable[tuple[int, float]]) -> tuple[BarSegment, ...]:
    """Divide a bar by the weights of senses, in the order of their numbers.

    >>> bar_segments([(2, 0.25), (1, 0.75)])
    (BarSegment(sense=1, start=0.0, width=75.0), BarSegment(sense=2, start=75.0, width=25.0))
    """
    segments, start = [], 0.0
    for sense, weight in sorted(weights):
        if weight > 0:
            segments.append(BarSegment(sense, round(start, 2), round(100 * weight, 2)))
            start += 100 * weight
    return tuple(segments)


@dataclass(frozen=True)
class ChartColumn:
    """The column of a period.

    Args:
        x: Its position.
        width: Its width.
        segments: The shares of the senses, from the bottom.
        label: The label below it; empty for most columns.
        title: The period and its largest shares.
        usages: The number of usages.
        few: Whether there are few usages.
    """

    x: float
    width: float
    segments: tuple[BarSegment, ...]
    label: str
    title: str
    usages: int
    few: bool


def chart_columns(periods: Sequence[Period], labels: int = 12) -> list[ChartColumn]:
    """A column for each period on an axis of years; about this many columns have labels.

    Single years stand side by side, whatever the distance between them.
    """
    if not periods:
        return []
    starts, ends = [period.start for period in periods], [period.end + 1 for period in periods]
    if are_single_years(periods):
        starts, ends = list(range(len(periods))), list(range(1, len(periods) + 1))
    span, step = ends[-1] - starts[0], -(-len(periods) // labels)
    return [
        ChartColumn(
            round((starts[number] - starts[0]) / span * WIDTH, 2),
            round((ends[number] - starts[number]) / span * WIDTH, 2),
            bar_segments(enumerate(period.shares, start=1)),
            "" if number % step else str(period.start),
            f"{_name_period(period)}: {_name_shares(period.shares)}",
            period.usages,
            period.few,
        )
        for number, period in enumerate(periods)
    ]


def _name_period(period: Period) -> str:
    return f"{period.start}–{period.end}" if period.end > period.start else str(period.start)


def _name_shares(shares: Sequence[float]) -> str:
    return ", ".join(f"sense {sense} {format_percent(share)}" for sense, share in _largest_shares(shares))


def _largest_shares(shares: Sequence[float], limit: int = 4) -> list[tuple[int, float]]:
    ranked = sorted(enumerate(shares, start=1), key=lambda pair: -pair[1])[:limit]
    return [(sense, share) for sense, share in ranked if share >= 0.005]
