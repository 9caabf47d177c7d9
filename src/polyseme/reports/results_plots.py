"""The plots of a page of results."""

from __future__ import annotations

from polyseme.reports.plots import Plot, SeriesPoint, plot_histogram, plot_series
from polyseme.reports.results import Breakdown, FigureWithSignificance, Findings, Mistakes
from polyseme.reports.results_tables import ON_PAGE, frequent_lemmas, ranked_lemmas

KINDS = {"model": "models", "system": "published systems", "annotator": "people", "baseline": "baselines"}
STEP = 0.1


def scores_plot(found: Findings) -> Plot:
    """Every row with its interval, the best first; a line at the one that all are compared with."""
    figure, heading = found.measure.figure, found.measure.heading
    there = [line for line in found.lines if line.value(figure) == line.value(figure)]
    ranked = sorted(there, key=lambda line: (-line.value(figure), line.name))
    points = [_point(line.name, KINDS.get(line.kind, line.kind), line.figures[figure]) for line in ranked]
    share = f" Bars are {100 * found.confidence:g}% bootstrap intervals over lemmas." if found.samples else ""
    words = f"The best first.{share} The dashed line is {found.reference}, with which all are compared."
    at = found.line(found.reference).value(figure)
    line = at if at == at else None
    return plot_series(f"{heading} of all systems", words, points, heading, series=list(KINDS.values()), at=line)


def _point(row: str, series: str, judged: FigureWithSignificance) -> SeriesPoint:
    known = judged.low == judged.low
    return SeriesPoint(row, series, judged.value, judged.low if known else None, judged.high if known else None)


def lemma_plot(found: Findings) -> Plot:
    """The measure of each lemma, by the best model and by what it is compared with."""
    lemmas = ranked_lemmas(found)
    shown = frequent_lemmas(found)
    points = [
        SeriesPoint(lemma, line.name, line.lemmas[lemma])
        for lemma in shown
        for line in found.focus
        if lemma in line.lemmas
    ]
    less = (
        f" Of {len(lemmas):,} lemmas the {ON_PAGE} with the most usages are shown." if len(shown) < len(lemmas) else ""
    )
    words = f"Each row is a lemma, the best for {found.best} first.{less}"
    return plot_series(f"{found.measure.heading} lemma by lemma", words, points, found.measure.heading, joined=True)


def breakdown_plot(found: Findings, part: Breakdown) -> Plot:
    """The measure on each part of the usages, by the best model and by what it is compared with."""
    points = [
        SeriesPoint(f"{group} ({size:,})", line.name, part.values[line.name][group])
        for group, size in part.sizes.items()
        for line in found.focus
        if line.name in part.values and part.values[line.name][group] == part.values[line.name][group]
    ]
    words = f"Parts of the usages by {part.field}; in brackets the number of usages."
    title = f"{found.measure.heading} by {part.field}, plotted"
    return plot_series(title, words, points, found.measure.heading, joined=True)


def mistakes_plot(found: Findings, mistakes: Mistakes) -> Plot:
    """How many usages are how far wrong."""
    words = "From 0, where the weights are those of gold, to 1, where all of the weight is on other senses."
    return plot_histogram(f"How wrong {found.best} is", words, list(mistakes.wrong), "wrong", STEP, (0.0, 1.0))
