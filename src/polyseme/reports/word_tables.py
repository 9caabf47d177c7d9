"""The tables and plots of a page about words, to be written as files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from polyseme.reports.plots import Plot
from polyseme.reports.tables import Table
from polyseme.reports.time_plot import time_plot
from polyseme.words.word_report import WordReport

FEATURES = 12
"""How many of the words that tell a sense are listed."""


def word_tables(words: Sequence[WordReport]) -> list[Table]:
    """The senses of all words; and of each word its periods, its changes and what a dictionary has beside it."""
    return [senses_table(words), *(table for story in words for table in _of(story))]


def word_plots(words: Sequence[WordReport]) -> list[Plot]:
    """The shares over time, of the words that have them."""
    there = [story for story in words if len(story.periods) > 1]
    return [replace(time_plot(story), title=f"{story.portrait.lemma}: shares over time") for story in there]


def senses_table(words: Sequence[WordReport]) -> Table:
    """Every sense of every word, the most common first."""
    rows = [
        (story.portrait.lemma, sense.id, name, float(share), ", ".join(word for word, _ in sense.features[:FEATURES]))
        for story in words
        for sense, name, share in zip(story.portrait.senses, story.names, story.portrait.shares, strict=True)
    ]
    return Table("Senses", ("Lemma", "Sense", "Name", "Share", "Words"), tuple(rows))


def _of(story: WordReport) -> Iterator[Table]:
    lemma, senses = story.portrait.lemma, tuple(sense.id for sense in story.portrait.senses)
    if story.periods:
        rows = tuple((each.start, each.end, each.usages, *each.shares) for each in story.periods)
        yield Table(f"{lemma}: shares over time", ("From", "To", "Usages", *senses), rows)
    if story.changes:
        changes = tuple((each.sense, each.before, each.after, each.correlation, each.p) for each in story.changes)
        yield Table(f"{lemma}: changes", ("Sense", "Before", "After", "Correlation", "p"), changes)
    if story.beside:
        matches = tuple(
            (sense, match.sense.id, match.sense.gloss, match.share)
            for sense in senses
            for match in story.beside.matches(sense)
        )
        yield Table(f"{lemma}: beside {story.dictionary}", ("Sense", story.dictionary, "Gloss", "Share"), matches)
