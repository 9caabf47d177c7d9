"""The page of word reports: senses, change over time, a map of usages, dictionary senses and certainty."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from polyseme.lemma import POS_NAMES, pos_of_lemma, replace_underscores, strip_pos
from polyseme.reports.page import HtmlReport
from polyseme.reports.plots import COLOURS, Plot
from polyseme.reports.rendering import render_html
from polyseme.reports.tables import Table
from polyseme.reports.time_plot import time_plot
from polyseme.reports.usage_map import MAP_SIZE, map_points
from polyseme.reports.word_tables import word_plots, word_tables
from polyseme.words.examples import SECOND_SENSE, ambiguous_examples
from polyseme.words.findings import format_percent, state_matches
from polyseme.words.recurrence import UNSURE
from polyseme.words.runs import ON_HALVES, ONE_RUN
from polyseme.words.summary import (
    NOTABLE_CHANGE,
    describe_procedure,
    headline,
    summarise_word,
    summarise_words,
)
from polyseme.words.views import view_row, view_senses
from polyseme.words.word_reports import WordReport


@dataclass(frozen=True)
class WordsReport(HtmlReport):
    """The contents of a page about words.

    Args:
        title: The title.
        introduction: The first paragraph.
        words: The words.
    """

    title: str
    introduction: str
    words: tuple[WordReport, ...]

    def __repr__(self) -> str:
        return f"<WordsReport {self.title!r}: {', '.join(report.profile.lemma for report in self.words)}>"

    def page(self, command: str = "") -> str:
        """Render the page as HTML."""
        return words_page(self.title, self.introduction, self.words, command)

    def tables(self) -> list[Table]:
        """Return the senses of all words, and the periods and changes of each."""
        return word_tables(self.words)

    def plots(self) -> list[Plot]:
        """Return the shares over time of the words that have periods."""
        return word_plots(self.words)


AMBIGUOUS_EXAMPLES = 4
"""The number of examples of usages with several senses."""


def words_page(
    title: str, introduction: str, reports: Sequence[WordReport], command: str = "", *, method: str = ""
) -> str:
    """Render one self-contained page: the findings, a list of the words, then a section for each word.

    Args:
        title: The title.
        introduction: A paragraph below the finding on all words.
        reports: The words.
        command: The command that made the page, for its footer.
        method: How the page was made, for a note at its end.
    """
    return render_html(
        "words.html",
        title=title,
        finding=summarise_words(reports),
        introduction=introduction,
        words=[_word_section(report) for report in reports],
        method=method,
        command=command,
        colours=COLOURS,
        map_size=MAP_SIZE,
        one_run=ONE_RUN,
        percent=format_percent,
        second_sense=SECOND_SENSE,
        notable_change=NOTABLE_CHANGE,
        halved=any(sense.recurrence is not None for report in reports for sense in report.profile.senses),
        unsure=UNSURE,
        plain_word=lambda word: replace_underscores(strip_pos(word)),
    )


def _word_section(report: WordReport) -> dict[str, Any]:
    """The values of one word's section."""
    profile = report.profile
    finding, *sentences = summarise_word(report)
    ambiguous = ambiguous_examples(profile, AMBIGUOUS_EXAMPLES)
    return {
        "report": report,
        "anchor": _make_anchor(profile.lemma),
        "pos": POS_NAMES.get(pos_of_lemma(profile.lemma), ""),
        "headline": headline(report),
        "finding": finding,
        "sentences": sentences,
        "matches": _state_matches(report),
        "procedure": describe_procedure(report),
        "senses": view_senses(profile, collocates=report.collocates),
        "time_plot": time_plot(report) if len(report.periods) > 1 and profile.senses else None,
        "map": map_points(report),
        "ambiguous": [view_row(profile, profile.rows[usage.id]) for usage, _ in ambiguous],
        "certainty_table": certainty_table(report),
    }


def _state_matches(report: WordReport) -> str:
    if report.comparison is None:
        return ""
    return state_matches(report.dictionary, len(report.comparison.senses), len(report.comparison.unmatched))


def _make_anchor(lemma: str) -> str:
    """The anchor of a word; characters other than letters and digits become their numbers."""
    letters = (letter if letter.isascii() and letter.isalnum() else f"-{ord(letter):x}" for letter in lemma)
    return f"word-{''.join(letters)}"


def certainty_table(report: WordReport) -> Table | None:
    """The agreement of runs beside baselines."""
    certainty = report.certainty
    if certainty is None:
        return None
    difference = "on different usages" if report.run_note == ON_HALVES else "with different seeds"
    return Table(
        f"{report.word}: agreement of {certainty.runs} runs {difference}",
        ("Compared with", "Main sense (adjusted mutual information)", "All weights (fuzzy B-cubed F1)"),
        (
            ("another run", certainty.agreement, certainty.graded),
            ("a run with shuffled labels", 0.0, certainty.shuffled),
            ("one sense for all usages", 0.0, certainty.one),
        ),
        notes=("1: the runs give the same senses. 0 (mutual information): they agree as by chance.",),
        digits=2,
    )
