"""The page of ``polyseme report results``: the scores of an experiment, their significance, and mistakes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from polyseme.errors import count_noun
from polyseme.reports.page import Report, ReportSection
from polyseme.reports.rendering import render_html
from polyseme.reports.results import Findings, Mistakes
from polyseme.reports.results_plots import breakdown_plot, lemma_plot, mistakes_plot, scores_plot
from polyseme.reports.results_tables import (
    LEMMAS_ON_PAGE,
    breakdown_table,
    confusions_table,
    describe_mark,
    failures_table,
    lemma_table,
    reliability_table,
    scores_table,
)
from polyseme.reports.tables import Table
from polyseme.words.descriptions import quote_usage

if TYPE_CHECKING:
    from markupsafe import Markup

    from polyseme.reports.plots import Plot

INTRODUCTION = (
    "The results of an experiment: every model beside published systems and baselines, the significance of the"
    " figures, the results for each lemma and group of usages, and mistakes. A dash marks an undefined figure."
)
CONTEXT_WIDTH = 480
"""The number of characters of context of an example."""
SHOWN_SENSES = 5
"""The number of senses of an example, heaviest first."""


def results_report(findings: Findings) -> Report:
    """Make the sections of the page, and the tables that are too long for it."""
    summary = render_html("list.html", sentences=list(_summarise(findings)))
    about = Table("What was run", ("Setting", "Value"), tuple(findings.about))
    sections = [
        ReportSection("In short", "", [summary, about]),
        ReportSection("Scores", _describe_ranking(findings), [scores_plot(findings), scores_table(findings)]),
        *_lemma_section(findings),
        *_group_section(findings),
        *([_mistakes_section(findings, findings.mistakes)] if findings.mistakes else []),
        *_test_section(findings),
    ]
    title, long_tables = f"Results: {findings.title}", list(_long_tables(findings))
    return Report(title, INTRODUCTION, sections, style="results.css", long_tables=long_tables)


def _describe_ranking(findings: Findings) -> str:
    sentence = f"Rows are ranked by {findings.measure.heading}"
    if "*" in findings.measure.figure:
        sentence += f", the geometric mean of {' and '.join(findings.measure.figure.split('*'))}"
    return f"{sentence}."


def _summarise(findings: Findings) -> Iterator[str]:
    """The findings in a few sentences."""
    figure, best = findings.measure.figure, findings.line(findings.best)
    score = best.figures.get(figure)
    if score is not None:
        interval = f" ({100 * findings.confidence:g}% interval {score.low:.3f} to {score.high:.3f})"
        certainty = interval if score.low == score.low else ""
        yield f"The best model by {findings.measure.heading} is {findings.best}: {score.value:.3f}{certainty}."
        yield from _compare_with_reference(findings)
    if findings.best_system and findings.best_system != findings.best:
        value = findings.line(findings.best_system).value(figure)
        yield f"The best published system is {findings.best_system}: {value:.3f}."
    if len(best.lemmas) > 1:
        easy, *_, hard = findings.ranked_lemmas(LEMMAS_ON_PAGE)
        ends = f"best on {easy} ({best.lemmas[easy]:.3f}) and worst on {hard} ({best.lemmas[hard]:.3f})"
        yield f"{findings.best} does {ends}."
    yield from findings.notes


def _compare_with_reference(findings: Findings) -> Iterator[str]:
    """Compare the best model with the reference."""
    if findings.reference == findings.best:
        return
    score = findings.line(findings.best).figures[findings.measure.figure]
    value = findings.line(findings.reference).value(findings.measure.figure)
    if score.corrected != score.corrected:
        yield f"All are compared with {findings.reference}: {value:.3f}."
        return
    direction = "above" if score.difference > 0 else "below"
    significance = "a significant difference" if score.significant else "not a significant difference"
    yield (
        f"That is {abs(score.difference):.3f} {direction} {findings.reference} ({value:.3f}), {significance}:"
        f" corrected p = {score.corrected:.4f}."
    )


def _lemma_section(findings: Findings) -> list[ReportSection]:
    if len(findings.line(findings.best).lemmas) < 2:
        return []
    text = f"{findings.measure.heading} of each lemma alone."
    return [ReportSection("Lemma by lemma", text, [lemma_plot(findings), lemma_table(findings, LEMMAS_ON_PAGE)])]


def _group_section(findings: Findings) -> list[ReportSection]:
    if not findings.breakdowns:
        return []
    blocks = [
        block
        for breakdown in findings.breakdowns
        for block in (breakdown_plot(findings, breakdown), breakdown_table(findings, breakdown))
    ]
    text = (
        "The same measure on groups of usages: by metadata, such as genre or source, by part of speech, and by whether"
        " gold has one sense or several. Mappings of senses were learnt from all usages."
    )
    return [ReportSection("Group by group", text, blocks)]


def _mistakes_section(findings: Findings, mistakes: Mistakes) -> ReportSection:
    total = len(mistakes.errors)
    mostly = sum(error > 0.5 for error in mistakes.errors)
    mapping = " Induced senses are first mapped to gold senses, by a mapping learnt from the other four fifths."
    text = (
        f"The error of {findings.best} on a usage is the share of the weight that is on other senses than in gold;"
        f" gold and answer both sum to 1.{mapping if mistakes.mapped else ''}"
    )
    if total:
        text += f" {mostly:,} of {count_noun(total, 'usage')} are more wrong than right."
    if mistakes.unanswered:
        text += f" {count_noun(mistakes.unanswered, 'usage')} had no answer."
    blocks: list[Table | Plot | Markup] = [mistakes_plot(findings, mistakes)] if total else []
    blocks += [confusions_table(mistakes)] if mistakes.confusions else []
    if mistakes.examples:
        examples = [(example, quote_usage(example.usage, CONTEXT_WIDTH)) for example in mistakes.examples]
        blocks.append(render_html("examples.html", mistakes=mistakes, examples=examples, limit=SHOWN_SENSES))
    return ReportSection("Mistakes", text, blocks)


def _test_section(findings: Findings) -> list[ReportSection]:
    if not findings.samples:
        return []
    text = (
        "Usages of one lemma are not independent. So lemmas are drawn with replacement for the intervals, and swapped"
        f" between two systems for the tests. A marked figure {describe_mark(findings)}"
    )
    blocks = [reliability_table(findings, column.heading, column.figure) for column in findings.columns]
    return [ReportSection("Intervals and tests", text, blocks)]


def _long_tables(findings: Findings) -> Iterator[Table]:
    if len(findings.line(findings.best).lemmas) > LEMMAS_ON_PAGE:
        yield lemma_table(findings)
    if findings.mistakes and findings.mistakes.examples:
        yield failures_table(findings.mistakes)
