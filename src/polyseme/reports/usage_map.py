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
