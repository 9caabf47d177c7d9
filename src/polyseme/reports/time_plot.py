"""The shares of senses over time: a bar a period, stacked of the senses."""

from __future__ import annotations

from typing import Any

from polyseme.reports.plots import Plot, import_altair
from polyseme.reports.usage_map import sense_colour
from polyseme.words.word_report import WordReport

WIDTH, HEIGHT = 420, 280
FAINT = 0.35
"""How strong the colours of a bar are that stands for few usages."""


def time_plot(story: WordReport) -> Plot:
    """Stacked bars, the most common sense at the bottom; bars of few usages are faint. The page has the legend."""
    words = "Each bar is a period, and its parts are the senses' shares of the weight."
    if any(period.few for period in story.periods):
        words += " Faint bars stand for fewer than ten usages."
    return Plot("Shares over time", words, _chart(story))


def _chart(story: WordReport) -> Any:
    alt = import_altair()
    names = [str(number) for number in range(len(story.portrait.senses))]
    data = [
        {"period": str(period.start), "sense": name, "at": int(name), "share": share, "few": period.few}
        for period in story.periods
        for name, share in zip(names, period.shares, strict=True)
    ]
    scale = alt.Scale(domain=names, range=[sense_colour(number) for number in range(len(names))])
    step = 1 + (len(story.periods) - 1) // 8
    shown = [str(period.start) for period in story.periods][::step]
    axis = {"labelFontSize": 13, "titleFontSize": 13, "gridColor": "#888888", "gridOpacity": 0.3}
    chart = alt.Chart(alt.Data(values=data)).mark_bar(size=max(4, int(WIDTH / len(story.periods) * 0.8)))
    chart = chart.encode(
        x=alt.X("period:O", title=None, axis=alt.Axis(values=shown, labelAngle=0, labelOverlap=False, **axis)),
        y=alt.Y("share:Q", title=None, scale=alt.Scale(domain=[0, 1]), axis=alt.Axis(format="%", tickCount=4, **axis)),
        order=alt.Order("at:Q"),
        color=alt.Color("sense:N", scale=scale, legend=None),
        opacity=alt.condition("datum.few", alt.value(FAINT), alt.value(1.0)),
    )
    made = chart.properties(width=WIDTH, height=HEIGHT, background="transparent", padding=5)
    made = made.configure(font="Arial, Helvetica, sans-serif")
    return made.configure_view(stroke=None).configure_axis(domainColor="#888888", tickColor="#888888")
