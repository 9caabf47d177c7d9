"""The plots of a page of results."""

from __future__ import annotations

from polyseme.reports.plots import Plot, SeriesPoint, plot_histogram, plot_series
from polyseme.reports.results import Breakdown, FigureWithSignificance, Findings, Mistakes
from polyseme.reports.results_tables import LEMMAS_ON_PAGE

KINDS = {"model": "models", "system": "published systems", "annotator": "annotators", "baseline": "baselines"}
STEP = 0.1


def scores_plot(findings: Findings) -> Plot:
    """Every line with its interval, best first, and a rule at the reference."""
    figure, heading = findings.measure.figure, findings.measure.heading
    defined = [line for line in findings.lines if line.value(figure) == line.value(figure)]
    ranked = sorted(defined, key=lambda line: (-line.value(figure), line.name))
    points = [_point(line.name, KINDS.get(line.kind, line.kind), line.figures[figure]) for line in ranked]
    intervals = f" Bars are {100 * findings.confidence:g}% bootstrap intervals over lemmas." if findings.samples else ""
    caption = f"Best first.{intervals} The dashed line is the reference, {findings.reference}."
    value = findings.line(findings.reference).value(figure)
    reference = value if value == value else None
    title = f"{heading} of all systems"
    return plot_series(title, caption, points, heading, series=list(KINDS.values()), reference=reference)


def _point(row: str, series: str, figure: FigureWithSignificance) -> SeriesPoint:
    defined = figure.low == figure.low
    return SeriesPoint(row, series, figure.value, *(figure[1:3] if defined else ()))


def lemma_plot(findings: Findings) -> Plot:
    """The headline figure of each lemma, for the best model and those it is compared with."""
    lemmas = findings.ranked_lemmas(LEMMAS_ON_PAGE)
    points = [
        SeriesPoint(lemma, line.name, line.lemmas[lemma])
        for lemma in lemmas
        for line in findings.focus
        if lemma in line.lemmas
    ]
    heading, count = findings.measure.heading, len(findings.line(findings.best).lemmas)
    limit_note = f" Of {count:,} lemmas, the {LEMMAS_ON_PAGE} most frequent are shown." if len(lemmas) < count else ""
    caption = f"Each row is a lemma, ranked by {findings.best}.{limit_note}"
    return plot_series(f"{heading} lemma by lemma", caption, points, heading, connect=True)


def breakdown_plot(findings: Findings, breakdown: Breakdown) -> Plot:
    """The headline figure on each group of usages, for the best model and those it is compared with."""
    points = [
        SeriesPoint(f"{group} ({size:,})", line.name, breakdown.values[line.name][group])
        for group, size in breakdown.sizes.items()
        for line in findings.focus
        if line.name in breakdown.values and breakdown.values[line.name][group] == breakdown.values[line.name][group]
    ]
    caption = f"Groups of usages by {breakdown.field}; in brackets, the number of usages."
    title = f"{findings.measure.heading} for each {breakdown.field}"
    return plot_series(title, caption, points, findings.measure.heading, connect=True)


def mistakes_plot(findings: Findings, mistakes: Mistakes) -> Plot:
    """How many usages have which error."""
    caption = "0: the weights are those of gold. 1: all weight is on other senses."
    return plot_histogram(f"Errors of {findings.best}", caption, list(mistakes.errors), "error", STEP, (0.0, 1.0))
