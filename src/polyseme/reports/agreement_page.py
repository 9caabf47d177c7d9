"""The page of ``polyseme agreement --report``: what ratings tell, for someone who never saw the paper."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from polyseme.reports.agreement_sections import AgreementSection
from polyseme.reports.page import Block, Report
from polyseme.reports.plots import Plot
from polyseme.reports.tables import Table

TASKS: Mapping[str, str] = {
    "WSsim": "People rated, for each usage of a word, how far each sense of a dictionary applies.",
    "Usim": "People rated how similar two usages of a word are in meaning.",
    "WSbest": "People chose the sense of a dictionary that fits a usage best, or several that fit equally well.",
    "SYNbest": "People wrote what one could say instead of a word.",
}
"""What people were asked."""

INTRODUCTION = (
    "What people said of the meanings of words, and how far it can be relied upon. Each table says below it what was"
    " left out; a dash is a figure that is not defined. The analyses are those of Erk, McCarthy & Gaylord (2013),"
    " “Measuring Word Meaning in Context”."
)


def agreement_page(name: str, found: Mapping[str, Mapping[str, AgreementSection]], notes: Sequence[str] = ()) -> str:
    """The page as HTML."""
    return agreement_report(name, found, notes).page()


def agreement_report(
    name: str, found: Mapping[str, Mapping[str, AgreementSection]], notes: Sequence[str] = ()
) -> Report:
    """For each task its sections, each with what it asks, its plots and its tables."""
    sections = [_section(task, section) for task, sections in found.items() for section in sections.values()]
    said = (
        [("Notes", "What was added to the ratings, left out, or could not be said.", [_notes(notes)])] if notes else []
    )
    return Report(f"Agreement: {name}", INTRODUCTION, [*sections, *said])


def _section(task: str, section: AgreementSection) -> tuple[str, str, list[Block]]:
    return f"{task}: {section.title}", f"{TASKS.get(task, '')} {section.words}".strip(), list(_blocks(section))


def _blocks(section: AgreementSection) -> Iterator[Block]:
    """The first table, which has the figures, then the plots, then what they are made of."""
    drawn: list[Plot] = section.plots()
    yield from section.tables[:1]
    yield from drawn
    yield from section.tables[1:]


def _notes(notes: Sequence[str]) -> Table:
    return Table("Notes", ("Note",), tuple((note,) for note in notes))
