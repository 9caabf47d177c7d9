"""Word reports: a summary, sense cards, plots and tables of one word."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from polyseme.display.inventories import QUOTATION_WIDTH, SenseCard
from polyseme.display.rendering import TEXT_LENGTH, cut_text, render_block, render_value
from polyseme.errors import MissingExtra
from polyseme.reports.plots import COLOURS
from polyseme.reports.time_plot import time_plot
from polyseme.reports.usage_map import MAP_SIZE, map_points
from polyseme.reports.word_tables import word_tables
from polyseme.words.findings import format_percent
from polyseme.words.profile import WordProfile, make_profile
from polyseme.words.recurrence import explain_unsure, state_recurrence
from polyseme.words.summary import describe_procedure, summarise_word
from polyseme.words.views import view_senses

if TYPE_CHECKING:
    from polyseme.reports.plots import Plot
    from polyseme.words.word_reports import WordReport

SENSES = 12
"""The number of senses that are shown."""
EXAMPLE_USAGES = 2000
"""The number of usages that examples are chosen from."""
MAP_POINTS = 400
"""The number of usages on the map."""
TABLE_ROWS = 12
"""The number of rows of a table."""


def render_word_report(report: WordReport) -> str:
    """Render a word report; without the library for plots, it says what to type."""
    summary = render_block("sentences.html", sentences=summarise_word(report))
    cards = render_block("sense_cards.html", senses=_make_cards(report), colours=COLOURS)
    plots, notes = _draw_plots(report)
    usage_map = render_block("map.html", points=map_points(report)[:MAP_POINTS], size=MAP_SIZE, colours=COLOURS)
    tables = [replace(table, rows=table.rows[:TABLE_ROWS]) for table in word_tables([report])[1:]]
    details = render_block("tables.html", tables=tables)
    notes += [" ".join([*describe_procedure(report), report.run_note]), report.profile.model]
    return render_value(report.profile.lemma, summary, cards, *plots, usage_map, details, notes=notes)


def _draw_plots(report: WordReport) -> tuple[list[Plot], list[str]]:
    """The plot of shares over time, if there are periods, or what to type to have it."""
    if len(report.periods) < 2:
        return [], []
    try:
        return [time_plot(report)], []
    except MissingExtra as problem:
        return [], [f"The plot of shares over time is missing: {problem}"]


def _make_cards(report: WordReport) -> list[SenseCard]:
    """The cards of the senses; of very many usages, the first ones are searched for examples."""
    views = view_senses(_sample_profile(report.profile), SENSES, examples=2, width=QUOTATION_WIDTH, candidates=100)
    examples = {view.id: [usage.quotation for usage in view.examples] for view in views}
    rows = zip(report.profile.senses[:SENSES], report.names, report.profile.shares.tolist(), strict=False)
    words = {view.id: ", ".join(view.words) for view in views}
    return [
        SenseCard(
            cut_text(name),
            cut_text(sense.id) if sense.id != name else "",
            format_percent(share),
            cut_text(words.get(sense.id, ""), TEXT_LENGTH),
            examples.get(sense.id, []),
            state_recurrence(sense),
            explain_unsure(sense),
        )
        for sense, name, share in rows
    ]


def _sample_profile(profile: WordProfile) -> WordProfile:
    if len(profile.usages) <= EXAMPLE_USAGES:
        return profile
    usages = profile.usages[:EXAMPLE_USAGES]
    return make_profile(profile.lemma, usages, profile.labelling, profile.senses, profile.model)
