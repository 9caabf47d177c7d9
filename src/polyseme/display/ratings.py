"""Ratings and the agreement of annotators, as tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING

from polyseme.display.rendering import ROWS, count_more, render_value, take_first
from polyseme.errors import MissingExtra, count_noun
from polyseme.reports.agreement_tables import annotator_agreement_table, figures_table
from polyseme.reports.tables import Table

if TYPE_CHECKING:
    from polyseme.agreement.overview import TaskAgreement
    from polyseme.rating import Ratings
    from polyseme.reports.agreement_result import AgreementResult
    from polyseme.reports.agreement_sections import AgreementSection


def render_ratings(ratings: Ratings) -> str:
    """Render ratings: how many there are by task and by annotator.

    >>> from polyseme.rating import Rating, Ratings
    >>> "1 judgement" in render_ratings(Ratings([Rating("ann", "WSsim", "win.v", "win.v.1", "a", 5)]))
    True
    """
    judgements = Counter(row.task for row in ratings)
    annotators = Counter(row.annotator for row in ratings)
    pairs = {(row.task, row.annotator) for row in ratings}
    items = Counter(item[0] for item in {row[1:5] for row in ratings})
    lemmas = Counter(task for task, _ in {row[1:3] for row in ratings})
    undecided = Counter(row.task for row in ratings if row.value != row.value)
    tasks = tuple(
        (task, count, items[task], lemmas[task], sum(pair[0] == task for pair in pairs), undecided[task])
        for task, count in take_first(judgements.items())
    )
    headings = ("Task", "Judgements", "Items", "Lemmas", "Annotators", "Undecided")
    blocks = [Table("", headings, tasks), Table("", ("Annotator", "Judgements"), tuple(take_first(annotators.items())))]
    facts = f"{count_noun(len(ratings), 'judgement')} by {count_noun(len(annotators), 'annotator')}"
    return render_value("Ratings", *blocks, facts=facts, notes=count_more(len(annotators)))


def render_agreement(agreement: Mapping[str, TaskAgreement]) -> str:
    """Render the agreement on each task."""
    tables = [table for part in agreement.values() for table in _list_tables(part)]
    return render_value("Agreement of annotators", *tables, facts=", ".join(agreement))


def render_agreement_result(result: AgreementResult) -> str:
    """Render the first tables of each section, and the notes."""
    sections = [section for sections in result.sections.values() for section in sections.values()]
    tables = [table for section in sections for table in section.tables]
    few = [table for table in tables if len(table.rows) <= ROWS]
    facts = f"{result.source}: {', '.join(result.sections)}"
    return render_value("Agreement of annotators", *take_first(few), facts=facts, notes=result.notes)


def render_task_agreement(agreement: TaskAgreement) -> str:
    """Render the agreement on one task."""
    return render_value("Agreement of annotators", *_list_tables(agreement), facts=agreement.task)


def _list_tables(agreement: TaskAgreement) -> list[Table]:
    """The figures, and the agreement of each annotator where they are few."""
    annotators = len(agreement.annotators)
    return [figures_table(agreement), *([annotator_agreement_table(agreement)] if 1 < annotators <= ROWS else [])]


def render_section(section: AgreementSection) -> str:
    """Render a section of an agreement report: its tables, and its plots where plots can be drawn."""
    notes = [section.text] if section.text else []
    try:
        plots = section.plots()
    except MissingExtra as problem:
        plots, notes = [], [*notes, f"Without plots: {problem}"]
    return render_value(section.title or "Agreement", *section.tables[:1], *plots, *section.tables[1:3], notes=notes)
