"""The page of ``polyseme agreement --report``, for readers who do not know the paper."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from polyseme.reports.agreement_sections import AgreementSection
from polyseme.reports.agreement_tables import WITH_INTERVAL
from polyseme.reports.page import Report, ReportSection
from polyseme.reports.tables import Table

TASKS: Mapping[str, str] = {
    "WSsim": "Annotators rated, for each usage of a word, how far each sense of a dictionary applies.",
    "Usim": "Annotators rated how similar two usages of a word are in meaning.",
    "WSbest": "Annotators chose the sense of a dictionary that fits a usage best, or several that fit equally well.",
    "SYNbest": "Annotators wrote substitutes of a word.",
}
"""The questions of the tasks."""
TASK_NAMES = {
    "WSsim": "word sense similarity (WSsim)",
    "Usim": "usage similarity (Usim)",
    "WSbest": "the best sense (WSbest)",
    "SYNbest": "the best substitute (SYNbest)",
}

INTRODUCTION = "How annotators judged the meanings of words, and how far their judgements agree."
READING = (
    "The analyses follow Erk, McCarthy & Gaylord (2013), “Measuring Word Meaning in Context”. Agreement is called high"
    " from an α of 0.8 and fair from 0.667, the limits of Krippendorff (2004). Notes below a table list the judgements"
    " that are left out. A dash marks an undefined figure."
)
LEVELS = ((0.8, "high"), (0.667, "fair"), (-1.0, "low"))
"""The level of agreement by Krippendorff's α, from this value upwards."""


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
            f"{'' if number else TASKS.get(task, '')} {section.text}".strip(),
            [*section.tables[:1], *section.plots()],
            section.tables[1:],
        )
        for task, sections in tasks.items()
        for number, section in enumerate(sections.values())
    ]
    if notes:
        table = Table("Notes", ("Note",), tuple((note,) for note in notes))
        sections.append(ReportSection("Notes", "Ratings that were added or left out, and skipped analyses.", [table]))
    measured = ((task, parts["agreement"]) for task, parts in tasks.items() if "agreement" in parts)
    findings = (state_agreement(task, section) for task, section in measured)
    finding = " ".join(filter(None, findings))
    return Report(f"Agreement: {name}", finding or INTRODUCTION, sections, reading=READING)


def state_agreement(task: str, section: AgreementSection) -> str:
    """State how far annotators agree on a task; empty if it is undefined.

    >>> figures = {"alpha.ordinal": {"value": 0.748, "low": 0.654, "high": 0.819}}
    >>> state_agreement("Usim", AgreementSection({"figures": figures}, []))
    "Agreement on usage similarity (Usim) is fair: Krippendorff's α is 0.75 (95% interval 0.65 to 0.82)."
    """
    figures = section.value["figures"]
    alpha = next((figures[name] for name in WITH_INTERVAL if name in figures), None)
    if alpha is None or math.isnan(alpha["value"]):
        return ""
    level = next(level for least, level in LEVELS if alpha["value"] >= least)
    interval = "" if math.isnan(alpha["low"]) else f" (95% interval {alpha['low']:.2f} to {alpha['high']:.2f})"
    return f"Agreement on {TASK_NAMES.get(task, task)} is {level}: Krippendorff's α is {alpha['value']:.2f}{interval}."
