"""The page of ``polyseme report results``: the scores of an experiment, their significance, and mistakes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from polyseme.errors import count_noun
from polyseme.reports.page import Report, ReportSection
from polyseme.reports.rendering import render_html
from polyseme.reports.results import FigureWithSignificance, Findings, Mistakes
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

READING = (
    "The page shows every model beside published systems and baselines. Intervals and tests treat the lemmas as a"
    " sample of all lemmas. A dash marks an undefined figure."
)
LEAST_P = 0.0001
"""Smaller p-values are not written out."""
CONTEXT_WIDTH = 480
"""The number of characters of context of an example."""
SHOWN_SENSES = 5
"""The number of senses of an example, heaviest first."""


def results_report(findings: Findings) -> Report:
    """Make the sections of the page, and the tables that are too long for it."""
    sentences = list(_summarise(findings))
    summary = [render_html("list.html", sentences=sentences)] if sentences else []
    about = Table("What was run", ("Setting", "Value"), tuple(findings.about))
    sections = [
        ReportSection("In short", "", [*summary, about]),
        ReportSection("Scores", _describe_ranking(findings), [scores_plot(findings), scores_table(findings)]),
        *_lemma_section(findings),
        *_group_section(findings),
        *([_mistakes_section(findings, findings.mistakes)] if findings.mistakes else []),
        *_test_section(findings),
    ]
    title, long_tables = f"Results: {findings.title}", list(_long_tables(findings))
    finding = _state_best(findings)
    return Report(title, finding, sections, style="results.css", long_tables=long_tables, reading=READING)


def _describe_ranking(findings: Findings) -> str:
    sentence = f"Rows are ranked by {findings.measure.heading}"
    if "*" in findings.measure.figure:
        headings = {column.figure: column.heading for column in findings.columns}
        factors = (headings.get(figure, figure) for figure in findings.measure.figure.split("*"))
        sentence += f", the geometric mean of {' and '.join(factors)}"
    return f"{sentence}."


def _state_best(findings: Findings) -> str:
    """State which model is best, and how it compares with the reference."""
    best, heading = findings.line(findings.best), findings.measure.heading
    score = best.figures.get(findings.measure.figure)
    if score is None:
        return f"{findings.best} has no {heading}."
    interval = f" ({100 * findings.confidence:g}% interval {score.low:.3f} to {score.high:.3f})"
    value = f"{score.value:.3f}{interval if score.low == score.low else ''}"
    models = sum(line.kind == best.kind for line in findings.lines)
    several = f"{findings.best} has the highest {heading} of {models} models:"
    start = several if models > 1 else f"The {heading} of {findings.best} is"
    return f"{start} {value}{_compare_with_reference(findings, score)}."


def _compare_with_reference(findings: Findings, score: FigureWithSignificance) -> str:
    """The difference of the best model from the reference, as the end of a sentence."""
    if findings.reference == findings.best:
        return ""
    reference = f"{findings.reference} ({findings.line(findings.reference).value(findings.measure.figure):.3f})"
    if score.corrected != score.corrected:
        return f", compared with {reference}"
    direction = "above" if score.difference > 0 else "below"
    p = f"corrected p = {score.corrected:.4f}" if score.corrected >= LEAST_P else f"corrected p < {LEAST_P:.4f}"
    return f", {'' if score.significant else 'not '}significantly {direction} {reference}; {p}"


def _summarise(findings: Findings) -> Iterator[str]:
    """The other findings in a few sentences."""
    best = findings.line(findings.best)
    if findings.best_system and findings.best_system != findings.best:
        value = findings.line(findings.best_system).value(findings.measure.figure)
        heading = findings.measure.heading
        yield f"Of the published systems in the table, {findings.best_system} has the highest {heading}: {value:.3f}."
    if len(best.lemmas) > 1:
        easy, *_, hard = findings.ranked_lemmas(LEMMAS_ON_PAGE)
        ends = f"best on {easy} ({best.lemmas[easy]:.3f}) and worst on {hard} ({best.lemmas[hard]:.3f})"
        yield f"{findings.best} scores {ends}."
    yield from findings.notes


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
        "The same measure on groups of usages: by metadata such as genre or source, by part of speech, and by the"
        " number of gold senses. Mappings of senses are learnt from all usages."
    )
    return [ReportSection("Group by group", text, blocks)]


def _mistakes_section(findings: Findings, mistakes: Mistakes) -> ReportSection:
    total = len(mistakes.errors)
    mostly = sum(error > 0.5 for error in mistakes.errors)
    mapping = (
        " Induced senses are first mapped to gold senses, by a mapping learnt from the other four fifths of the usages."
    )
    text = (
        f"The error of {findings.best} on a usage is the share of its weight on senses other than those of gold."
        f" The weights of gold and of the answer sum to 1 each.{mapping if mistakes.mapped else ''}"
    )
    if total:
        text += f" Error above 0.5: {mostly:,} of {count_noun(total, 'usage')}."
    if mistakes.unanswered:
        text += f" Without an answer: {count_noun(mistakes.unanswered, 'usage')}."
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
        "Usages of one lemma are not independent. The intervals therefore resample lemmas, and the tests swap the"
        f" lemmas of two systems. A marked figure {describe_mark(findings)}"
    )
    blocks = [reliability_table(findings, column.heading, column.figure) for column in findings.columns]
    return [ReportSection("Intervals and tests", text, blocks)]


def _long_tables(findings: Findings) -> Iterator[Table]:
    if len(findings.line(findings.best).lemmas) > LEMMAS_ON_PAGE:
        yield lemma_table(findings)
    if findings.mistakes and findings.mistakes.examples:
        yield failures_table(findings.mistakes)
