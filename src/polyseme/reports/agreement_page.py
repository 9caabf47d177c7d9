"""The page of ``polyseme agreement --report``, for readers who do not know the paper."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from polyseme.reports.agreement_sections import AgreementSection
from polyseme.reports.page import Report, ReportSection
from polyseme.reports.tables import Table

TASKS: Mapping[str, str] = {
    "WSsim": "Annotators rated, for each usage of a word, how far each sense of a dictionary applies.",
    "Usim": "Annotators rated how similar two usages of a word are in meaning.",
    "WSbest": "Annotators chose the sense of a dictionary that fits a usage best, or several that fit equally well.",
    "SYNbest": "Annotators wrote substitutes of a word.",
}
"""The questions of the tasks."""

INTRODUCTION = (
    "How annotators judged the meanings of words, and how reliable their judgements are. Notes below each table say"
    " what is left out; a dash marks an undefined figure. The analyses are those of Erk, McCarthy & Gaylord (2013),"
    " “Measuring Word Meaning in Context”."
)


def agreement_report(
    name: str, tasks: Mapping[str, Mapping[str, AgreementSection]], notes: Sequence[str] = ()
) -> Report:
    """Make the report of ratings.

    Args:
        name: The name of the ratings.
        tasks: The sections of each task.
        notes: Notes for the last section.
    """
    sections = [
        ReportSection(
            f"{task}: {section.title}",
            f"{TASKS.get(task, '')} {section.text}".strip(),
            [*section.tables[:1], *section.plots(), *section.tables[1:]],
        )
        for task, sections in tasks.items()
        for section in sections.values()
    ]
    if notes:
        table = Table("Notes", ("Note",), tuple((note,) for note in notes))
        sections.append(ReportSection("Notes", "What was added to the ratings, left out, or not computed.", [table]))
    return Report(f"Agreement: {name}", INTRODUCTION, sections)
