"""A plot of the shares of senses over time: one stacked bar a period."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise
from typing import Any

from polyseme.reports.plots import COLOURS, Plot, import_altair
from polyseme.words.periods import FEW_USAGES, Period, are_single_years
from polyseme.words.word_reports import WordReport

WIDTH, HEIGHT = 500, 305
"""The size of the whole picture; a map of usages beside it is as high."""
FADED = 0.4
"""The opacity of a bar of few usages."""
GAP = 0.08
"""The share of its width that separates a bar from the next."""
MOST_LABELS = 10


def time_plot(report: WordReport) -> Plot:
    """Stacked bars on an axis of years, most frequent sense at the bottom. The page has the legend."""
    alt = import_altair()
    periods, senses = report.periods, [str(number) for number in range(len(report.profile.senses))]
    scale = alt.Scale(domain=senses, range=[COLOURS[number % len(COLOURS)] for number in range(len(senses))])
    axis = {"labelFontSize": 12, "gridColor": "#888888", "gridOpacity": 0.3}
    if are_single_years(periods):  # side by side, whatever the distance between them
        labels = alt.Axis(labelAngle=0, labelFontSize=12)
        scaled = {"x": alt.X("from:O", title=None, scale=alt.Scale(paddingInner=GAP), axis=labels)}
    else:
        years = alt.Scale(domain=[periods[0].start, periods[-1].end + 1], nice=False, zero=False)
        labels = alt.Axis(values=choose_labels(periods), format="d", labelFlush=True, **{**axis, "grid": False})
        scaled = {"x": alt.X("from:Q", title=None, scale=years, axis=labels), "x2": alt.X2("to:Q")}
    chart = alt.Chart(alt.Data(values=list(_bar_parts(periods)))).mark_rect()
    chart = chart.encode(
        **scaled,
        y=alt.Y("low:Q", title=None, scale=alt.Scale(domain=[0, 1]), axis=alt.Axis(format="%", tickCount=4, **axis)),
        y2="high:Q",
        color=alt.Color("sense:N", scale=scale, legend=None),
        opacity=alt.condition("datum.few", alt.value(FADED), alt.value(1.0)),
    )
    fit = alt.AutoSizeParams(type="fit", contains="padding")
    chart = chart.properties(width=WIDTH, height=HEIGHT, background="transparent", padding=4, autosize=fit)
    chart = chart.configure(font="Arial, Helvetica, sans-serif")
    chart = chart.configure_view(stroke=None).configure_axis(domainColor="#888888", tickColor="#888888")
    return Plot("Shares over time", _describe(periods), chart)


def _bar_parts(periods: Sequence[Period]) -> Iterator[dict[str, Any]]:
    """The parts of the bars, from the bottom."""
    for period in periods:
        years = period.end + 1 - period.start
        ends = {"from": period.start, "to": period.start + years * (1 - GAP), "few": period.few}
        tops = list(accumulate(period.shares, initial=0.0))
        for sense, (low, high) in enumerate(pairwise(tops)):
            yield {**ends, "sense": str(sense), "low": low, "high": high}


def choose_labels(periods: Sequence[Period], most: int = MOST_LABELS) -> list[int]:
    """Choose the years that the axis names: the starts of all periods, or of every second, third, …

    >>> choose_labels([Period(start, start + 9, 20, ()) for start in range(1800, 1900, 10)], most=5)
    [1800, 1820, 1840, 1860, 1880]
    """
    step = -(-len(periods) // most)
    return [period.start for period in periods][::step]


def _describe(periods: Sequence[Period]) -> str:
    unit = "year" if are_single_years(periods) else "period"
    caption = f"Each bar shows how the usages of a {unit} divide among the senses."
    faded = f" Faded bars have fewer than {FEW_USAGES} usages." if any(period.few for period in periods) else ""
    return caption + faded
