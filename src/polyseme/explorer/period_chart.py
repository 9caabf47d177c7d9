"""The shares of senses in periods, as columns of a picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from polyseme.explorer.views import BarSegment, bar_segments, colour_class
from polyseme.words.periods import Period

WIDTH, HEIGHT = 720.0, 260.0
"""The size of the picture; the page makes it as wide as there is room."""


@dataclass(frozen=True)
class ChartColumn:
    """A period: where its column is, its pieces from below, in hundredths of its height, and what is said of it."""

    x: float
    width: float
    pieces: tuple[BarSegment, ...]
    label: str
    said: str
    usages: int
    few: bool


def chart_columns(periods: Sequence[Period], labels: int = 12) -> list[ChartColumn]:
    """A column for each period, with a gap where years are without usages; about so many of them have a label."""
    if not periods:
        return []
    size = periods[0].end - periods[0].start + 1
    first, last = periods[0].start, periods[-1].start
    count = (last - first) // size + 1
    wide, every = WIDTH / count, max(1, -(-count // labels))
    found = []
    for period in periods:
        at = (period.start - first) // size
        pieces = bar_segments((colour_class(number), share) for number, share in enumerate(period.shares))
        name = f"{period.start}–{period.end}" if size > 1 else str(period.start)
        told = ", ".join(f"sense {number} {share:.0%}" for number, share in _largest_shares(period.shares))
        label = str(period.start) if at % every == 0 else ""
        found.append(
            ChartColumn(
                round(at * wide, 2), round(wide, 2), pieces, label, f"{name}: {told}", period.usages, period.few
            )
        )
    return found


def _largest_shares(shares: Sequence[float], most: int = 4) -> list[tuple[int, float]]:
    order = sorted(range(len(shares)), key=lambda at: -shares[at])[:most]
    return [(at + 1, shares[at]) for at in order if shares[at] >= 0.005]
