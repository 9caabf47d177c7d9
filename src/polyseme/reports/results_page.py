"""The page of ``polyseme report results``: what an experiment found, how sure that is, and where models go wrong."""

from __future__ import annotations

from collections.abc import Iterator

from polyseme.errors import count_noun
from polyseme.reports.page import Block, HtmlBlock, Report, ReportSection
from polyseme.reports.results import Findings, Mistakes
from polyseme.reports.results_examples import STYLE, examples_markup, listed
from polyseme.reports.results_plots import breakdown_plot, lemma_plot, mistakes_plot, scores_plot
from polyseme.reports.results_tables import (
    ON_PAGE,
    about_table,
    breakdown_table,
    confusions_table,
    describe_mark,
    failures_table,
    frequent_lemmas,
    lemma_table,
    reliability_table,
    scores_table,
)
from polyseme.reports.tables import Table

INTRODUCTION = (
    "What an experiment found: every model beside published systems and baselines, how far the figures can be relied"
    " upon, for which words and which part of the data they hold, and what goes wrong. A dash is a figure that is not"
    " defined."
)


def results_report(found: Findings) -> Report:
    """The sections of the page, and the tables that are too long for it."""
    sections: list[ReportSection] = [
        ("In short", "", [HtmlBlock(listed(list(_short(found)))), about_table(found.about)]),
        ("Scores", _ranked(found), [scores_plot(found), scores_table(found)]),
        *_by_lemma(found),
        *_by_part(found),
        *([_mistakes(found, found.mistakes)] if found.mistakes else []),
        *_tests(found),
    ]
    return Report(f"Results: {found.title}", INTRODUCTION, sections, style=STYLE, more=list(_more(found)))


def _ranked(found: Findings) -> str:
    words = f"Rows are ranked by {found.measure.heading}"
    if "*" in found.measure.figure:
        words += f", the geometric mean of {' and '.join(found.measure.figure.split('*'))}"
    return f"{words}."


def _short(found: Findings) -> Iterator[str]:
    """The findings in a few sentences, each true by the figures below it."""
    figure, best = found.measure.figure, found.line(found.best)
    judged = best.figures.get(figure)
    if judged is not None:
        sure = (
            f" ({100 * found.confidence:g}% interval {judged.low:.3f} to {judged.high:.3f})"
            if judged.low == judged.low
            else ""
        )
        yield f"The best model by {found.measure.heading} is {found.best}: {judged.value:.3f}{sure}."
        yield from _against(found)
    if found.beside and found.beside != found.best:
        yield f"The best published system is {found.beside}: {found.line(found.beside).value(figure):.3f}."
    if len(best.lemmas) > 1:
        ranked = frequent_lemmas(found)
        easy, hard = ranked[0], ranked[-1]
        ends = f"best on {easy} ({best.lemmas[easy]:.3f}) and worst on {hard} ({best.lemmas[hard]:.3f})"
        yield f"{found.best} does {ends}."
    yield from found.notes


def _against(found: Findings) -> Iterator[str]:
    """How the best model stands to the row that all are compared with."""
    if found.reference == found.best:
        return
    judged = found.line(found.best).figures[found.measure.figure]
    other = found.line(found.reference).value(found.measure.figure)
    if judged.corrected != judged.corrected:
        yield f"All are compared with {found.reference}: {other:.3f}."
        return
    way = "above" if judged.difference > 0 else "below"
    certain = "more than chance" if judged.marked else "no more than chance may give"
    yield (
        f"That is {abs(judged.difference):.3f} {way} {found.reference} ({other:.3f}), {certain}:"
        f" corrected p = {judged.corrected:.4f}."
    )


def _by_lemma(found: Findings) -> list[ReportSection]:
    if len(found.line(found.best).lemmas) < 2:
        return []
    words = f"{found.measure.heading} of each lemma, as if there were no other."
    return [("Word by word", words, [lemma_plot(found), lemma_table(found, ON_PAGE)])]


def _by_part(found: Findings) -> list[ReportSection]:
    if not found.breakdowns:
        return []
    blocks: list[Block] = [
        block for part in found.breakdowns for block in (breakdown_plot(found, part), breakdown_table(found, part))
    ]
    words = (
        "The same measure on parts of the usages: by what their metadata say, as a genre or a source, by part of"
        " speech, and by whether gold has one sense or several. Senses that were mapped were mapped from all usages."
    )
    return [("Part by part", words, blocks)]


def _mistakes(found: Findings, mistakes: Mistakes) -> ReportSection:
    total = len(mistakes.wrong)
    mostly = sum(value > 0.5 for value in mistakes.wrong)
    mapped = (
        " Induced senses are mapped to gold's first, as learnt from the other four fifths of the usages."
        if mistakes.mapped
        else ""
    )
    silent = f" {count_noun(mistakes.unanswered, 'usage')} had no answer." if mistakes.unanswered else ""
    share = f" {mostly:,} of {count_noun(total, 'usage')} are more wrong than right." if total else ""
    words = (
        f"What {found.best} gets wrong: of each usage the share of the weight that is on other senses than gold's,"
        f" where gold and answer both sum to 1.{mapped}{share}{silent}"
    )
    blocks: list[Block] = [mistakes_plot(found, mistakes)] if total else []
    blocks += [confusions_table(mistakes)] if mistakes.confusions else []
    blocks += [HtmlBlock(examples_markup(mistakes))] if mistakes.examples else []
    return "Where it goes wrong", words, blocks


def _tests(found: Findings) -> list[ReportSection]:
    if not found.samples:
        return []
    blocks = [reliability_table(found, column.heading, column.figure) for column in found.columns]
    words = (
        "Usages of one lemma are not independent, so lemmas are drawn with replacement (intervals) and swapped between"
        f" two systems (tests). {MARKED}{describe_mark(found)}"
    )
    return [("Intervals and tests", words, blocks)]


MARKED = "A marked figure "


def _more(found: Findings) -> Iterator[Table]:
    if len(found.line(found.best).lemmas) > ON_PAGE:
        yield lemma_table(found)
    if found.mistakes and found.mistakes.examples:
        yield failures_table(found.mistakes)
