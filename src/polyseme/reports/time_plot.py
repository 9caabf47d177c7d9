"""A plot of the shares of senses over time: one stacked bar a period."""

from __future__ import annotations

from polyseme.reports.plots import COLOURS, Plot, import_altair
from polyseme.words.word_reports import WordReport

WIDTH, HEIGHT = 420, 280
FAINT = 0.35
"""The opacity of a bar of few usages."""


def time_plot(report: WordReport) -> Plot:
    """Stacked bars, most frequent sense at the bottom; bars of few usages are faint. The page has the legend."""
    alt = import_altair()
    senses = [str(number) for number in range(len(report.profile.senses))]
    data = [
        {"period": str(period.start), "sense": sense, "order": int(sense), "share": share, "few": period.few}
        for period in report.periods
        for sense, share in zip(senses, period.shares, strict=True)
    ]
    scale = alt.Scale(domain=senses, range=[COLOURS[number % len(COLOURS)] for number in range(len(senses))])
    step = 1 + (len(report.periods) - 1) // 8
    labels = [str(period.start) for period in report.periods][::step]
    axis = {"labelFontSize": 13, "titleFontSize": 13, "gridColor": "#888888", "gridOpacity": 0.3}
    chart = alt.Chart(alt.Data(values=data)).mark_bar(size=max(4, int(WIDTH / len(report.periods) * 0.8)))
    chart = chart.encode(
        x=alt.X("period:O", title=None, axis=alt.Axis(values=labels, labelAngle=0, labelOverlap=False, **axis)),
        y=alt.Y("share:Q", title=None, scale=alt.Scale(domain=[0, 1]), axis=alt.Axis(format="%", tickCount=4, **axis)),
        order=alt.Order("order:Q"),
        color=alt.Color("sense:N", scale=scale, legend=None),
        opacity=alt.condition("datum.few", alt.value(FAINT), alt.value(1.0)),
    )
    chart = chart.properties(width=WIDTH, height=HEIGHT, background="transparent", padding=5)
    chart = chart.configure(font="Arial, Helvetica, sans-serif")
    chart = chart.configure_view(stroke=None).configure_axis(domainColor="#888888", tickColor="#888888")
    caption = "Each bar is a period, and its parts are the senses' shares of the weight."
    if any(period.few for period in report.periods):
        caption += " Faint bars stand for fewer than ten usages."
    return Plot("Shares over time", caption, chart)
