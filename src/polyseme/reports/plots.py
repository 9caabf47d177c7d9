"""Plots as SVG, drawn by Altair: they stand in a page without a script, print well and take its colours.

Each function gives a :class:`Plot` of plain values; what the values mean is decided by who calls it.
"""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from polyseme.errors import InputError

WIDTH = 640
NARROW = 440
"""For plots with long names beside them, so that both can be seen at once on a phone."""
COLOURS = ("#3b6fb6", "#d9822b", "#4f9d69", "#b8484e", "#7d64ae", "#8a6d5b", "#c26fa5", "#6f7d8c")
"""Told apart by most people who do not see all colours, and seen on white and on black."""
SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down", "triangle-right", "triangle-left")
"""One for each colour, for those who see none."""

SIZES = {"labelFontSize": 12, "titleFontSize": 12}
"""Of the text beside axes and in legends, large enough for a page on which it is a little smaller."""


@dataclass(frozen=True)
class Plot:
    """A picture, what it is called, and in words what it shows."""

    title: str
    words: str
    chart: Any
    own_text: bool = False
    """Whether text stands on colours of the picture, and so must not take the colour of the page."""

    def svg(self) -> str:
        """The picture as SVG."""
        import vl_convert

        drawn: str = vl_convert.vegalite_to_svg(self.chart.to_dict())
        return drawn

    def png(self, scale: float = 2.0, background: str = "transparent") -> bytes:
        """The picture as PNG, for a slide or a paper."""
        import vl_convert

        chart = {**self.chart.to_dict(), "background": background}
        drawn: bytes = vl_convert.vegalite_to_png(chart, scale=scale)
        return drawn


def as_figure(plot: Plot) -> str:
    """For a page: the picture, and its words for those who do not see it."""
    label = html.escape(f"{plot.title}. {plot.words}", quote=True)
    picture = f'<div role="img" tabindex="0" aria-label="{label}">{plot.svg()}</div>'
    title, words = html.escape(plot.title), html.escape(plot.words)
    kind = ' class="own-text"' if plot.own_text else ""
    return f"<figure{kind}>{picture}<figcaption><strong>{title}.</strong> {words}</figcaption></figure>"


class PlotBar(NamedTuple):
    """One bar, or one part of it: the row it is in, what the part is called, and how long it is."""

    row: str
    part: str
    value: float


class PlotDot(NamedTuple):
    """One value in a row, perhaps with its interval."""

    row: str
    value: float
    low: float | None = None
    high: float | None = None


def plot_bars(
    title: str, words: str, given: Sequence[PlotBar], axis: str, parts: str = "", *, share: bool = False
) -> Plot:
    """Bars, one a row; their parts, if there are several, stand one after the other in their order."""
    alt = import_altair()
    rows, names = (list(dict.fromkeys(each[place] for each in given)) for place in (0, 1))
    data = [{"row": each.row, "part": each.part, "value": each.value, "at": names.index(each.part)} for each in given]
    colour = alt.Color(
        "part:N", sort=names, title=parts or None, scale=alt.Scale(domain=names, range=_ordered_colours(len(names)))
    )
    several = len(names) > 1
    chart = alt.Chart(alt.Data(values=data)).mark_bar()
    chart = chart.encode(
        x=alt.X("value:Q", title=axis, axis=alt.Axis(format="%") if share else alt.Axis()),
        y=alt.Y("row:N", sort=rows, title=None),
        order=alt.Order("at:Q"),
        color=colour if several else alt.value(COLOURS[0]),
    )
    return Plot(title, words, _apply_theme(chart, height=26 * max(1, len(rows))))


def plot_heatmap(title: str, words: str, names: Sequence[str], values: Sequence[Sequence[float]]) -> Plot:
    """A square of numbers from −1 to 1, as correlations are; what is not a number stays empty."""
    alt = import_altair()
    data = [
        {"row": row, "column": column, "value": value, "shown": f"{value:.2f}"}
        for row, given in zip(names, values, strict=True)
        for column, value in zip(names, given, strict=True)
        if value == value and row != column
    ]
    place = {
        "x": alt.X("column:N", sort=list(names), title=None, axis=alt.Axis(labelAngle=_label_angle(names))),
        "y": alt.Y("row:N", sort=list(names), title=None),
    }
    base = alt.Chart(alt.Data(values=data)).encode(**place)
    colour = alt.Color(
        "value:Q", scale=alt.Scale(domain=[-1, 0, 1], range=["#b8484e", "#dddddd", "#3b6fb6"]), title="ρ"
    )
    chart = base.mark_rect().encode(color=colour)
    side = min(WIDTH, 60 * len(names))
    if len(names) <= 12:
        chart = chart + base.mark_text(color="#000000", aria=False).encode(text="shown:N")
    return Plot(title, words, _apply_theme(chart, width=side, height=min(side, 34 * len(names))), own_text=True)


def plot_dots(title: str, words: str, given: Sequence[PlotDot], axis: str, low: float | None = None) -> Plot:
    """One value a row, with its interval if it has one."""
    alt = import_altair()
    data = [each._asdict() for each in given]
    rows = [each.row for each in given]
    scale = alt.Scale(zero=low is not None) if low is None else alt.Scale(domainMin=low)
    y = alt.Y("row:N", sort=rows, title=None)
    base = alt.Chart(alt.Data(values=data)).encode(y=y)
    chart = base.mark_rule(color=COLOURS[0]).encode(x=alt.X("low:Q", title=axis, scale=scale), x2="high:Q")
    chart = chart + base.mark_circle(color=COLOURS[0], size=60, opacity=1).encode(x=alt.X("value:Q", title=axis))
    return Plot(title, words, _apply_theme(chart, height=22 * max(1, len(rows))))


class SeriesPoint(NamedTuple):
    """One value in a row, of one of several series; perhaps with its interval."""

    row: str
    series: str
    value: float
    low: float | None = None
    high: float | None = None


def plot_series(
    title: str,
    words: str,
    given: Sequence[SeriesPoint],
    axis: str,
    *,
    series: Sequence[str] = (),
    at: float | None = None,
    joined: bool = False,
) -> Plot:
    """Values of several series in rows, each series with its own colour and shape, in an order that can be said.

    ``at`` draws a line at one value, as that of what all are compared with; ``joined`` joins the values of a row.
    """
    alt = import_altair()
    rows, there = (list(dict.fromkeys(each[place] for each in given)) for place in (0, 1))
    names = [name for name in dict.fromkeys([*series, *there]) if name in there]
    data = [each._asdict() for each in reversed(given)]  # the first series is drawn last, above the others
    base = alt.Chart(alt.Data(values=data)).encode(y=alt.Y("row:N", sort=rows, title=None))
    x = alt.X("value:Q", title=axis, scale=alt.Scale(zero=False))
    colours = alt.Scale(domain=names, range=[COLOURS[place % len(COLOURS)] for place in range(len(names))])
    shapes = alt.Scale(domain=names, range=[SHAPES[place % len(SHAPES)] for place in range(len(names))])
    legend = alt.Legend(title=None) if len(names) > 1 else None
    colour = alt.Color("series:N", scale=colours, legend=legend)
    layers = []
    if at is not None:
        line = alt.Chart(alt.Data(values=[{"value": at}])).mark_rule(color="#888888", strokeDash=[4, 3])
        layers.append(line.encode(x=x))
    if joined:
        layers.append(base.mark_line(color="#888888", opacity=0.6).encode(x=x, detail="row:N"))
    if any(each.low is not None for each in given):
        layers.append(base.mark_rule().encode(x=alt.X("low:Q", title=axis), x2="high:Q", color=colour))
    marks = base.mark_point(filled=True, size=70, opacity=1)
    layers.append(marks.encode(x=x, color=colour, shape=alt.Shape("series:N", scale=shapes, legend=legend)))
    return Plot(title, words, _apply_theme(alt.layer(*layers), height=22 * max(1, len(rows)), width=NARROW))


def plot_curves(
    title: str, words: str, given: Mapping[str, Sequence[tuple[float, float]]], axes: tuple[str, str]
) -> Plot:
    """Lines through points, one for each series."""
    alt = import_altair()
    data = [{"series": name, "x": x, "y": y} for name, points in given.items() for x, y in points]
    colours = alt.Scale(domain=list(given), range=[COLOURS[place % len(COLOURS)] for place in range(len(given))])
    chart = alt.Chart(alt.Data(values=data)).mark_line(point=True)
    chart = chart.encode(
        x=alt.X("x:Q", title=axes[0]),
        y=alt.Y("y:Q", title=axes[1]),
        color=alt.Color("series:N", sort=list(given), scale=colours, legend=alt.Legend(title=None)),
    )
    return Plot(title, words, _apply_theme(chart, height=220))


def plot_histogram(
    title: str, words: str, values: Sequence[float], axis: str, step: float, ends: tuple[float, float] | None = None
) -> Plot:
    """How many values lie in each interval of this width, from one end to the other where these are given."""
    alt = import_altair()
    chart = alt.Chart(alt.Data(values=[{"value": each} for each in values])).mark_bar(color=COLOURS[0])
    bins = alt.Bin(step=step, extent=list(ends)) if ends else alt.Bin(step=step)
    x = alt.X("value:Q", bin=bins, title=axis, scale=alt.Scale(domain=list(ends)) if ends else alt.Scale())
    chart = chart.encode(x=x, y=alt.Y("count()", title="how many", axis=alt.Axis(tickMinStep=1, format=",d")))
    return Plot(title, words, _apply_theme(chart, height=220))


def plot_network(
    title: str,
    words: str,
    nodes: Mapping[str, tuple[float, float]],
    edges: Mapping[tuple[str, str], float],
    groups: Mapping[str, str],
) -> Plot:
    """Nodes at their places, edges as thick as their weight, coloured by group."""
    alt = import_altair()
    points = [{"name": name, "x": x, "y": y, "group": groups.get(name, "")} for name, (x, y) in nodes.items()]
    lines = [
        {"x": nodes[a][0], "y": nodes[a][1], "x2": nodes[b][0], "y2": nodes[b][1], "weight": weight}
        | {"mx": (nodes[a][0] + nodes[b][0]) / 2, "my": (nodes[a][1] + nodes[b][1]) / 2, "shown": f"{weight:.2f}"}
        for (a, b), weight in edges.items()
    ]
    axis: dict[str, Any] = {"axis": None, "scale": alt.Scale(zero=False, padding=30)}
    joined = alt.Chart(alt.Data(values=lines)).mark_rule(color="#8a8a8a")
    width = alt.Size("weight:Q", scale=alt.Scale(domain=[0, 1], range=[0.5, 7]), legend=None)
    joined = joined.encode(x=alt.X("x:Q", **axis), y=alt.Y("y:Q", **axis), x2="x2:Q", y2="y2:Q", size=width)
    said = alt.Chart(alt.Data(values=lines)).mark_text(fontSize=10, dy=-6)
    said = said.encode(x=alt.X("mx:Q", **axis), y=alt.Y("my:Q", **axis), text="shown:N")
    base = alt.Chart(alt.Data(values=points)).encode(x=alt.X("x:Q", **axis), y=alt.Y("y:Q", **axis))
    named = list(dict.fromkeys(each["group"] for each in points))
    shades = alt.Scale(domain=named, range=[COLOURS[place % len(COLOURS)] for place in range(len(named))])
    colour = alt.Color("group:N", title=None, scale=shades, legend=alt.Legend() if len(named) > 1 else None)
    chart = joined + said + base.mark_circle(size=160, opacity=1).encode(color=colour)
    chart = chart + base.mark_text(dy=16, fontSize=11).encode(text="name:N")
    return Plot(title, words, _apply_theme(chart, height=360))


def _label_angle(names: Sequence[str]) -> int:
    """How far labels below a square are turned: as little as keeps them off one another."""
    return 0 if len(names) < 12 and all(len(name) <= 9 for name in names) else -45


def _ordered_colours(count: int) -> list[str]:
    """Colours of an order, from weak to strong, for the values of a scale."""
    known = ["#dfe8f3", "#a9c4e2", "#6f9acb", "#3b6fb6", "#1f4276"]
    return known[-count:] if 1 < count <= len(known) else [COLOURS[place % len(COLOURS)] for place in range(count)]


def _apply_theme(chart: Any, *, height: float, width: float = WIDTH) -> Any:
    """Without a background of its own, so that it stands on a light and on a dark page."""
    room = {"left": 24, "right": 24, "top": 5, "bottom": 5}
    made = chart.properties(width=width, height=height, background="transparent", padding=room)
    made = made.configure(font="Arial, Helvetica, sans-serif")  # first, as it forgets what was configured before
    grey = {"gridColor": "#888888", "gridOpacity": 0.3, "domainColor": "#888888", "tickColor": "#888888"}
    made = made.configure_view(stroke=None).configure_axis(**grey, **SIZES, labelLimit=260)
    return made.configure_legend(orient="bottom", **SIZES, labelLimit=260, columns=1)


def import_altair() -> Any:
    """The library that plots are made with; an error says what to type if it is not there."""
    try:
        import altair
        import vl_convert  # noqa: F401
    except ImportError:
        raise InputError('plots need altair and vl-convert; type: pip install "polyseme[plots]"') from None
    return altair
