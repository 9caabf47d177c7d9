"""Plots of ratings and their agreement."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from polyseme.agreement.overview import TaskAgreement
from polyseme.agreement.related_senses import SenseGraph, SensePair, build_sense_graph
from polyseme.agreement.scale_use import RatingSpread, ScaleUse
from polyseme.agreement.sense_conflicts import CutOffCount
from polyseme.agreement.sense_groups import SenseGrouping
from polyseme.inventory import Inventory
from polyseme.reports.plots import (
    WIDTH,
    Plot,
    PlotBar,
    SeriesPoint,
    plot_bars,
    plot_curves,
    plot_heatmap,
    plot_histogram,
    plot_network,
    plot_series,
)

MAX_ANNOTATORS = 30
"""The number of annotators that are plotted one by one, at most."""
GLOSS_LENGTH = 40
"""The number of characters of a gloss beside a sense."""
MAX_LEMMAS = 60
"""The number of lemmas in the plot of α, at most."""
MAX_GRAPHS = 12
"""The number of lemmas with a graph of senses, at most."""


def plot_agreement(agreement: TaskAgreement) -> list[Plot]:
    """Plot every pair of annotators, and α of each lemma."""
    plots, pairs = [], agreement.pairs
    if 2 < len(pairs.annotators) <= MAX_ANNOTATORS:
        caption = (
            "Each square is a pair of annotators: the bluer, the more similar their judgements. Undefined pairs are"
            " empty."
        )
        plots.append(plot_heatmap("Every pair of annotators", caption, pairs.annotators, pairs.value.tolist()))
    name = "alpha.masi" if "alpha.masi" in agreement.whole.figures else "alpha.ordinal"
    estimates = {lemma: part.figures[name] for lemma, part in agreement.parts.get("lemma", {}).items()}
    defined = sorted(((estimate, lemma) for lemma, estimate in estimates.items() if estimate.defined), reverse=True)
    if defined:
        caption = "1: annotators agree perfectly, 0: by chance. The line is the 95% interval, if there is one."
        if len(defined) > MAX_LEMMAS:
            caption += f" Of {len(defined):,} lemmas, the {MAX_LEMMAS} with the least agreement; the table has all."
        points = [SeriesPoint(lemma, "α", *estimate[:3]) for estimate, lemma in defined[-MAX_LEMMAS:]]
        plots.append(plot_series("α by lemma", caption, points, "Krippendorff's α", width=WIDTH))
    return plots


def plot_scale_use(scale_use: ScaleUse, overall: RatingSpread) -> list[Plot]:
    """Plot the values of each annotator, and how far apart the judgements of an item are."""
    bars = [
        PlotBar(row.name, f"{value:g}", share)
        for row in (scale_use.overall, *scale_use.annotators[:MAX_ANNOTATORS])
        for value, share in zip(row.values, row.shares, strict=True)
    ]
    caption = "Each bar shows how often an annotator uses each value of the scale."
    if len(scale_use.annotators) > MAX_ANNOTATORS:
        caption += f" Shown are the first {MAX_ANNOTATORS} of {len(scale_use.annotators)}; the table has all."
    ranges = [PlotBar(f"{width:g}", "items", count) for width, count in overall.ranges]
    range_caption = "The highest minus the lowest value of an item. 0: all annotators gave the same value."
    return [
        plot_bars("Use of the scale", caption, bars, "share of judgements", "value", share=True),
        plot_bars("Range of the values of an item", range_caption, ranges, "items"),
    ]


def plot_cut_offs(curve: Sequence[CutOffCount]) -> Plot:
    """Plot how many usages have two senses that apply, by the highest correlation of the senses."""
    caption = "Left of 0: usages with two senses that otherwise exclude each other."
    lines = {
        f"both ≥ {least:g}": [(point.cut_off, float(point.usages)) for point in curve if point.least == least]
        for least in dict.fromkeys(point.least for point in curve)
    }
    axes = ("Spearman's ρ of the two senses, at most", "usages")
    return plot_curves("Senses that apply together", caption, lines, axes)


def plot_related_senses(
    related: Sequence[SensePair], grouping: SenseGrouping | None = None, inventory: Inventory | None = None
) -> list[Plot]:
    """Plot the correlations of senses, and for each lemma the graph of related senses."""
    correlations = [pair.correlation.rho for pair in related if pair.correlation.rho == pair.correlation.rho]
    plots = []
    if correlations:
        caption = "Near 1: annotators rate the two senses alike. Near −1: where one sense applies, the other does not."
        title, axis = "Correlations between senses", "Spearman's ρ of two senses"
        plots.append(plot_histogram(title, caption, correlations, axis, 0.1))
    for lemma in list(dict.fromkeys(pair.lemma for pair in related))[:MAX_GRAPHS]:
        graph = build_sense_graph(related, lemma)
        if graph.edges:
            plots.append(_plot_sense_graph(graph, grouping, inventory))
    return plots


def _plot_sense_graph(graph: SenseGraph, grouping: SenseGrouping | None, inventory: Inventory | None) -> Plot:
    senses = enumerate(inventory.get(graph.lemma, ()) if inventory else (), start=1)
    labels = {sense.id: f"{n}: {textwrap.shorten(sense.gloss, GLOSS_LENGTH, placeholder='…')}" for n, sense in senses}
    names = {sense: labels.get(sense, sense) for sense in graph.positions}
    alone = f"; {len(graph.alone)} of its senses are connected to none" if graph.alone else ""
    return plot_network(
        f"Related senses of {graph.lemma}",
        f"Senses whose ratings correlate with ρ ≥ {graph.cut_off:g} are connected; wider is more{alone}.",
        {names[sense]: position for sense, position in graph.positions.items()},
        {(names[edge.first], names[edge.second]): edge.correlation.rho for edge in graph.edges},
        {names[sense]: grouping.group(graph.lemma, sense) or "no group" for sense in names} if grouping else {},
    )
