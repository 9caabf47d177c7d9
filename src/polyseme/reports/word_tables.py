"""The tables and plots of word reports, to be written as files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from polyseme.inventory import Sense
from polyseme.reports.plots import Plot
from polyseme.reports.tables import Table
from polyseme.reports.time_plot import time_plot
from polyseme.words.word_reports import WordReport

FEATURES = 12
"""The number of descriptive words of a sense."""


def word_tables(reports: Sequence[WordReport]) -> list[Table]:
    """The senses of all words, and for each word its periods, its changes and its dictionary senses."""
    return [senses_table(reports), *(table for report in reports for table in _tables_of_word(report))]


def word_plots(reports: Sequence[WordReport]) -> list[Plot]:
    """The shares over time of the words that have periods."""
    dated = [report for report in reports if len(report.periods) > 1]
    return [replace(time_plot(report), title=f"{report.profile.lemma}: shares over time") for report in dated]


def senses_table(reports: Sequence[WordReport]) -> Table:
    """Every sense of every word, most frequent first."""
    rows = [
        (report.profile.lemma, sense.id, name, float(share), sense.recurrence, _list_features(sense))
        for report in reports
        for sense, name, share in zip(report.profile.senses, report.names, report.profile.shares, strict=True)
    ]
    return Table("Senses", ("Lemma", "Sense", "Name", "Share", "Recurrence", "Words"), tuple(rows))


def _list_features(sense: Sense) -> str:
    return ", ".join(word for word, _ in sense.features[:FEATURES])


def _tables_of_word(report: WordReport) -> Iterator[Table]:
    lemma, senses = report.profile.lemma, tuple(sense.id for sense in report.profile.senses)
    if report.periods:
        periods = tuple((period.start, period.end, period.usages, *period.shares) for period in report.periods)
        yield Table(f"{lemma}: shares over time", ("From", "To", "Usages", *senses), periods)
    if report.changes:
        changes = tuple((row.sense, row.before, row.after, row.correlation, row.p) for row in report.changes)
        yield Table(f"{lemma}: changes", ("Sense", "Before", "After", "Correlation", "p"), changes)
    if report.comparison:
        matches = tuple(
            (sense, match.sense.id, match.sense.gloss, match.share)
            for sense in senses
            for match in report.comparison.matches(sense)
        )
        yield Table(f"{lemma}: {report.dictionary} senses", ("Sense", report.dictionary, "Gloss", "Share"), matches)
        definitions = tuple(
            (definition.sense, candidate.sense.id, candidate.sense.gloss, candidate.probability, definition.none)
            for definition in report.comparison.definitions
            for candidate in definition.candidates[:1]
        )
        if definitions:
            columns = ("Sense", report.dictionary, "Gloss", "Probability", "None fits")
            yield Table(f"{lemma}: {report.dictionary} definitions", columns, definitions)
