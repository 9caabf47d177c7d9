"""Plots as SVG, drawn by Altair: they need no script in a page, print well and take the colours of the page.

Each function makes a :class:`Plot` of plain values.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import floor
from typing import Any, NamedTuple

from polyseme.errors import MissingExtra

WIDTH = 640
NARROW = 440
"""The width of plots with long names beside them, so that both fit on a phone."""
COLOURS = ("#3b6fb6", "#d9822b", "#4f9d69", "#b8484e", "#7d64ae", "#8a6d5b", "#c26fa5", "#6f7d8c")
"""Colours that most colour-blind people can distinguish, on white and on black."""
SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down", "triangle-right", "triangle-left")
"""A shape for each colour, for people who see no colours."""
ORDERED_COLOURS = ("#dfe8f3", "#a9c4e2", "#6f9acb", "#3b6fb6", "#1f4276")
"""Colours for the values of a scale, from weak to strong."""

SIZES = {"labelFontSize": 12, "titleFontSize": 12}
"""The sizes of text at axes and in legends; it is a little smaller on the page."""


@dataclass(frozen=True)
class Plot:
    """A picture.

    Args:
        title: Its title.
        caption: What it shows.
        chart: The Altair chart.
        own_text: Whether text stands on colours of the picture, so that it must not take the colour of the page.
    """

    title: str
    caption: str
    chart: Any
    own_text: bool = False

    def svg(self) -> str:
        """Draw the picture as SVG."""
        import vl_convert

        svg: str = vl_convert.vegalite_to_svg(self.chart.to_dict())
        return svg

    def png(self, scale: float = 2.0, background: str = "transparent") -> bytes:
        """Draw the picture as PNG, for a slide or a paper."""
        import vl_convert

        png: bytes = vl_convert.vegalite_to_png({**self.chart.to_dict(), "background": background}, scale=scale)
        return png

    def __html__(self) -> str:
        """Render the picture in a page, with its caption for people who do not see it."""
        from polyseme.reports.rendering import render_html

        return render_html("figure.html", plot=self)


class PlotBar(NamedTuple):
    """A bar, or a part of one: its row, the name of the part, and its length."""

    row: str
    part: str
    value: float


class SeriesPoint(NamedTuple):
    """A value of a series in a row, with an optional interval."""

    row: str
    series: str
    value: float
    low: float | None = None
    high: float | None = None


def plot_bars(
    title: str, caption: str, bars: Sequence[PlotBar], axis: str, parts: str = "", *, share: bool = False
) -> Plot:
    """Plot one bar a row.

    Args:
        title: The title.
        caption: What the plot shows.
        bars: The bars; several parts of a row are stacked in their order.
        axis: The title of the axis.
        parts: The title of the legend.
        share: Whether values are shown as percentages.
    """
    alt = import_altair()
    rows, names = list(dict.fromkeys(bar.row for bar in bars)), list(dict.fromkeys(bar.part for bar in bars))
    data = [{**bar._asdict(), "order": names.index(bar.part)} for bar in bars]
    ordered = 1 < len(names) <= len(ORDERED_COLOURS)
    colours = list(ORDERED_COLOURS[-len(names) :]) if ordered else _cycle(COLOURS, len(names))
    colour = alt.Color("part:N", sort=names, title=parts or None, scale=alt.Scale(domain=names, range=colours))
    chart = _chart(data).mark_bar()
    chart = chart.encode(
        x=alt.X("value:Q", title=axis, axis=alt.Axis(format="%") if share else _count_axis(_sum_rows(bars), 16)),
        y=alt.Y("row:N", sort=rows, title=None),
        order=alt.Order("order:Q"),
        color=colour if len(names) > 1 else alt.value(COLOURS[0]),
    )
    return Plot(title, caption, _apply_theme(chart, height=26 * max(1, len(rows))))


def plot_heatmap(title: str, caption: str, names: Sequence[str], values: Sequence[Sequence[float]]) -> Plot:
    """Plot a square matrix of numbers from −1 to 1, such as correlations; NaN stays empty."""
    alt = import_altair()
    data = [
        {"row": row, "column": column, "value": value, "label": f"{value:.2f}"}
        for row, cells in zip(names, values, strict=True)
        for column, value in zip(names, cells, strict=True)
        if value == value and row != column
    ]
    angle = 0 if len(names) < 12 and all(len(name) <= 9 for name in names) else -45
    axes = {
        "x": alt.X("column:N", sort=list(names), title=None, axis=alt.Axis(labelAngle=angle)),
        "y": alt.Y("row:N", sort=list(names), title=None),
    }
    base = _chart(data).encode(**axes)
    scale = alt.Scale(domain=[-1, 0, 1], range=["#b8484e", "#dddddd", "#3b6fb6"])
    chart = base.mark_rect().encode(color=alt.Color("value:Q", scale=scale, title="ρ"))
    side = min(WIDTH, 60 * len(names))
    if len(names) <= 12:
        chart = chart + base.mark_text(color="#000000", aria=False).encode(text="label:N")
    return Plot(title, caption, _apply_theme(chart, width=side, height=min(side, 34 * len(names))), own_text=True)


def plot_series(
    title: str,
    caption: str,
    points: Sequence[SeriesPoint],
    axis: str,
    *,
    series: Sequence[str] = (),
    reference: float | None = None,
    connect: bool = False,
    width: float = NARROW,
) -> Plot:
    """Plot the values of several series in rows, each series with its own colour and shape.

    Args:
        title: The title.
        caption: What the plot shows.
        points: The values.
        axis: The title of the axis.
        series: The order of the series; by default, that of the values.
        reference: A value that a line is drawn at, with which the others are compared.
        connect: Whether the values of a row are connected by a line.
        width: The width of the plot.
    """
    alt = import_altair()
    rows = list(dict.fromkeys(point.row for point in points))
    plotted = dict.fromkeys(point.series for point in points)
    names = [name for name in dict.fromkeys([*series, *plotted]) if name in plotted]
    data = [point._asdict() for point in reversed(points)]  # the first series is drawn last, above the others
    base = _chart(data).encode(y=alt.Y("row:N", sort=rows, title=None))
    x = alt.X("value:Q", title=axis, scale=alt.Scale(zero=False))
    legend = alt.Legend(title=None) if len(names) > 1 else None
    colour = alt.Color("series:N", scale=_colour_scale(names), legend=legend)
    shape = alt.Shape("series:N", scale=alt.Scale(domain=names, range=_cycle(SHAPES, len(names))), legend=legend)
    layers = []
    if reference is not None:
        line = _chart([{"value": reference}]).mark_rule(color="#888888", strokeDash=[4, 3])
        layers.append(line.encode(x=x))
    if connect:
        layers.append(base.mark_line(color="#888888", opacity=0.6).encode(x=x, detail="row:N"))
    if any(point.low is not None for point in points):
        layers.append(base.mark_rule().encode(x=alt.X("low:Q", title=axis), x2="high:Q", color=colour))
    layers.append(base.mark_point(filled=True, size=70, opacity=1).encode(x=x, color=colour, shape=shape))
    return Plot(title, caption, _apply_theme(alt.layer(*layers), height=22 * max(1, len(rows)), width=width))


def plot_curves(
    title: str, caption: str, curves: Mapping[str, Sequence[tuple[float, float]]], axes: tuple[str, str]
) -> Plot:
    """Plot lines through points, one line a series."""
    alt = import_altair()
    data = [{"series": name, "x": x, "y": y} for name, points in curves.items() for x, y in points]
    names = list(curves)
    chart = _chart(data).mark_line(point=True)
    chart = chart.encode(
        x=alt.X("x:Q", title=axes[0]),
        y=alt.Y("y:Q", title=axes[1], axis=_count_axis([y for points in curves.values() for _, y in points], 5)),
        color=alt.Color("series:N", sort=names, scale=_colour_scale(names), legend=alt.Legend(title=None)),
    )
    return Plot(title, caption, _apply_theme(chart, height=220))


def plot_histogram(
    title: str, caption: str, values: Sequence[float], axis: str, step: float, ends: tuple[float, float] | None = None
) -> Plot:
    """Plot how many values lie in each interval of a width, optionally from one end to the other."""
    alt = import_altair()
    chart = _chart([{"value": value} for value in values]).mark_bar(color=COLOURS[0])
    bins = alt.Bin(step=step, extent=list(ends)) if ends else alt.Bin(step=step)
    x = alt.X("value:Q", bin=bins, title=axis, scale=alt.Scale(domain=list(ends)) if ends else alt.Scale())
    counts = Counter(floor(value / step + 1e-9) for value in values)
    chart = chart.encode(x=x, y=alt.Y("count()", title="count", axis=_count_axis(counts.values(), 5)))
    return Plot(title, caption, _apply_theme(chart, height=220))


def plot_network(
    title: str,
    caption: str,
    nodes: Mapping[str, tuple[float, float]],
    edges: Mapping[tuple[str, str], float],
    groups: Mapping[str, str],
) -> Plot:
    """Plot a graph.

    Args:
        title: The title.
        caption: What the plot shows.
        nodes: The positions of the nodes.
        edges: The weights of the edges, which their width shows.
        groups: The groups of the nodes, which their colours show.
    """
    alt = import_altair()
    points = [{"name": name, "x": x, "y": y, "group": groups.get(name, "")} for name, (x, y) in nodes.items()]
    lines = [
        {"x": nodes[a][0], "y": nodes[a][1], "x2": nodes[b][0], "y2": nodes[b][1], "weight": weight}
        | {"mx": (nodes[a][0] + nodes[b][0]) / 2, "my": (nodes[a][1] + nodes[b][1]) / 2, "label": f"{weight:.2f}"}
        for (a, b), weight in edges.items()
    ]
    axis: dict[str, Any] = {"axis": None, "scale": alt.Scale(zero=False, padding=30)}
    width = alt.Size("weight:Q", scale=alt.Scale(domain=[0, 1], range=[0.5, 7]), legend=None)
    rules = _chart(lines).mark_rule(color="#8a8a8a")
    rules = rules.encode(x=alt.X("x:Q", **axis), y=alt.Y("y:Q", **axis), x2="x2:Q", y2="y2:Q", size=width)
    labels = _chart(lines).mark_text(fontSize=10, dy=-6)
    labels = labels.encode(x=alt.X("mx:Q", **axis), y=alt.Y("my:Q", **axis), text="label:N")
    base = _chart(points).encode(x=alt.X("x:Q", **axis), y=alt.Y("y:Q", **axis))
    names = list(dict.fromkeys(point["group"] for point in points))
    legend = alt.Legend() if len(names) > 1 else None
    colour = alt.Color("group:N", title=None, scale=_colour_scale(names), legend=legend)
    chart = rules + labels + base.mark_circle(size=160, opacity=1).encode(color=colour)
    chart = chart + base.mark_text(dy=16, fontSize=11).encode(text="name:N")
    return Plot(title, caption, _apply_theme(chart, height=360))


def _chart(data: Sequence[Mapping[str, Any]]) -> Any:
    alt = import_altair()
    return alt.Chart(alt.Data(values=list(data)))


def _sum_rows(bars: Sequence[PlotBar]) -> Iterable[float]:
    """The length of each row's bar, all parts together."""
    sums = dict.fromkeys((bar.row for bar in bars), 0.0)
    for bar in bars:
        sums[bar.row] += bar.value
    return sums.values()


def _count_axis(lengths: Iterable[float], most_ticks: int) -> Any:
    """An axis of whole numbers, if the lengths are: Vega puts ticks between the numbers of a short axis."""
    axis, numbers = import_altair().Axis, list(lengths)
    if any(number % 1 for number in numbers):
        return axis()
    longest = int(max(numbers, default=0))
    if longest <= most_ticks:
        return axis(values=list(range(longest + 1)), format=",d")
    return axis(tickMinStep=1, format=",d")


def _colour_scale(names: Sequence[Any]) -> Any:
    return import_altair().Scale(domain=list(names), range=_cycle(COLOURS, len(names)))


def _cycle(values: Sequence[str], count: int) -> list[str]:
    return [values[number % len(values)] for number in range(count)]


def _apply_theme(chart: Any, *, height: float, width: float = WIDTH) -> Any:
    """Make the background transparent, so that a plot stands on a light and on a dark page."""
    padding = {"left": 24, "right": 24, "top": 5, "bottom": 5}
    chart = chart.properties(width=width, height=height, background="transparent", padding=padding)
    chart = chart.configure(font="Arial, Helvetica, sans-serif")  # first, as it discards earlier configuration
    grey = {"gridColor": "#888888", "gridOpacity": 0.3, "domainColor": "#888888", "tickColor": "#888888"}
    chart = chart.configure_view(stroke=None).configure_axis(**grey, **SIZES, labelLimit=260, labelFlush=False)
    return chart.configure_legend(orient="bottom", **SIZES, labelLimit=260, columns=1)


def import_altair() -> Any:
    """Import the plotting library.

    Raises:
        MissingExtra: It is not installed.
    """
    try:
        import altair
        import vl_convert  # noqa: F401
    except ImportError as error:
        raise MissingExtra("plots", error.name or "altair") from None
    return altair
