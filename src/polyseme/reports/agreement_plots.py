"""Plots of what ratings tell."""

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
    Plot,
    PlotBar,
    PlotDot,
    plot_bars,
    plot_curves,
    plot_dots,
    plot_heatmap,
    plot_histogram,
    plot_network,
)

SQUARE = 30
"""Of up to so many annotators every pair is drawn."""
GLOSS = 40
"""So many characters of a gloss stand beside a sense."""
LEMMAS = 60
"""Of so many lemmas α is drawn."""
GRAPHS = 12
"""Of up to so many lemmas the graph of senses is drawn."""


def plot_agreement(found: TaskAgreement) -> list[Plot]:
    """Every pair of annotators, and α of each lemma."""
    made = []
    if 2 < len(found.pairs.annotators) <= SQUARE:
        words = "Each square is a pair of annotators: the bluer, the more alike their judgements; empty if undefined."
        made.append(plot_heatmap("Every pair of annotators", words, found.pairs.annotators, found.pairs.value.tolist()))
    name = "alpha.masi" if "alpha.masi" in found.whole.figures else "alpha.ordinal"
    parts = {lemma: part.figures[name] for lemma, part in found.parts.get("lemma", {}).items()}
    known = sorted(((each, lemma) for lemma, each in parts.items() if each.defined), reverse=True)
    if known:
        words = "1: people agree perfectly, 0: as by chance. The line is the 95% interval, if there is one."
        if len(known) > LEMMAS:
            words += f" Of {len(known):,} lemmas, the {LEMMAS} on which people agree least; the table has all."
        drawn = [PlotDot(lemma, *each[:3]) for each, lemma in known[-LEMMAS:]]
        made.append(plot_dots("α by lemma", words, drawn, "Krippendorff's α"))
    return made


def plot_scale_use(used: ScaleUse, overall: RatingSpread) -> list[Plot]:
    """The values that each annotator gives, and how far apart the judgements of an item are."""
    given = [
        PlotBar(each.name, f"{value:g}", share)
        for each in (used.overall, *used.annotators[:SQUARE])
        for value, share in zip(each.values, each.shares, strict=True)
    ]
    words = "Each bar is what one annotator gives: an annotator who uses few of the values stands out."
    if len(used.annotators) > SQUARE:
        words += f" Drawn are the first {SQUARE} of {len(used.annotators)}; the table has all."
    ranges = [PlotBar(f"{width:g}", "items", count) for width, count in overall.ranges]
    apart = "0: all gave the same value; the longer the lower bars, the more people differ."
    return [
        plot_bars("Use of the scale", words, given, "share of judgements", "value", share=True),
        plot_bars("Range of the values of an item", apart, ranges, "items"),
    ]


def plot_cut_offs(curve: Sequence[CutOffCount]) -> Plot:
    """How many usages have two senses that apply, by how related these are at most."""
    words = "The higher a line is left of 0, the more often senses apply together that otherwise exclude each other."
    lines = {
        f"both ≥ {least:g}": [(point.cut_off, float(point.usages)) for point in curve if point.least == least]
        for least in dict.fromkeys(point.least for point in curve)
    }
    return plot_curves(
        "Senses that apply together", words, lines, ("Spearman's ρ of the two senses, at most", "usages")
    )


def plot_related_senses(
    related: Sequence[SensePair], grouping: SenseGrouping | None = None, inventory: Inventory | None = None
) -> list[Plot]:
    """How related senses are, and for each lemma the graph of those that are."""
    known = [pair.correlation.rho for pair in related if pair.correlation.rho == pair.correlation.rho]
    made = []
    if known:
        words = "Right: people rate the two senses alike; left: where the one applies, the other does not."
        made.append(plot_histogram("Correlations between senses", words, known, "Spearman's ρ of two senses", 0.1))
    for lemma in list(dict.fromkeys(pair.lemma for pair in related))[:GRAPHS]:
        graph = build_sense_graph(related, lemma)
        if graph.edges:
            made.append(_plot_sense_graph(graph, grouping, inventory))
    return made


def _plot_sense_graph(graph: SenseGraph, grouping: SenseGrouping | None, inventory: Inventory | None) -> Plot:
    senses = inventory.get(graph.lemma, ()) if inventory else ()
    short = {sense.id: f"{number}: {_shorten_gloss(sense.gloss)}" for number, sense in enumerate(senses, start=1)}
    names = {node.sense: short.get(node.sense, node.sense) for node in graph.nodes}
    left = f"; {len(graph.alone)} of its senses are joined to none" if graph.alone else ""
    return plot_network(
        f"Related senses of {graph.lemma}",
        f"Joined are senses whose ratings correlate with ρ ≥ {graph.cut_off:g}; thicker is more{left}.",
        {names[node.sense]: (node.x, node.y) for node in graph.nodes},
        {(names[edge.first], names[edge.second]): edge.rho for edge in graph.edges},
        {names[n.sense]: grouping.group(graph.lemma, n.sense) or "no group" for n in graph.nodes} if grouping else {},
    )


def _shorten_gloss(gloss: str) -> str:
    return textwrap.shorten(gloss, GLOSS, placeholder="…")
