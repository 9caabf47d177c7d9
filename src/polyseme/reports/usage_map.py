"""The marks of a map of usages, whose shape and colour show the sense."""

from __future__ import annotations

from typing import NamedTuple

from polyseme.usage import Usage
from polyseme.words.descriptions import cite_source, quote_usage
from polyseme.words.word_reports import WordReport

MAP_SIZE = 420
"""The width and height of the map, in its own units."""
MARGIN = 12
"""The distance of marks from the edge."""
CONTEXT_WIDTH = 90
"""The number of characters of context in the title of a mark."""

SHAPES = (
    "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0Z",
    "M-3.6-3.6h7.2v7.2h-7.2Z",
    "M0-4.8L4.6 3.6H-4.6Z",
    "M0-5.2L5.2 0L0 5.2L-5.2 0Z",
    "M-1.6-5h3.2v3.4h3.4v3.2h-3.4v3.4h-3.2v-3.4h-3.4v-3.2h3.4Z",
    "M0 4.8L4.6-3.6H-4.6Z",
    "M-5-2h10v4h-10Z",
    "M-2-5h4v10h-4Z",
)
"""The outlines of marks: circle, square, triangle, diamond, cross, inverted triangle, horizontal and vertical bar."""


class MapPoint(NamedTuple):
    """A usage on the map: the number of its heaviest sense, from 0, its position, opacity and title."""

    sense: int
    x: str
    y: str
    opacity: float
    title: str


def map_points(report: WordReport) -> list[MapPoint]:
    """The usages on the map; the less clear the sense, the paler the mark."""
    profile, points = report.profile, []
    for row, position in zip(report.map_rows.tolist(), report.map_positions.tolist(), strict=True):
        sense = int(profile.main[row])
        opacity = 0.25 + 0.7 * float(profile.weights[row, sense])
        x, y = (f"{MARGIN + (value + 1) / 2 * (MAP_SIZE - 2 * MARGIN):.0f}" for value in position)
        points.append(MapPoint(sense, x, y, opacity, _title(profile.usages[row])))
    return points


def _title(usage: Usage) -> str:
    source = cite_source(usage)
    text = "".join(quote_usage(usage, CONTEXT_WIDTH + len(usage.target)))
    return f"{text} ({source})" if source else text
