"""The agreement of annotators as a value: sections of each task, with figures for programs and tables for people."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from polyseme.agreement.overview import FIGURE_DESCRIPTIONS
from polyseme.errors import InputError
from polyseme.reports.agreement_page import agreement_report
from polyseme.reports.agreement_sections import AgreementSection
from polyseme.reports.page import Report
from polyseme.reports.tables import Table
from polyseme.tabular import frame_of_records

if TYPE_CHECKING:
    import pandas as pd

FIGURES = "agreement"
"""The section that has the figures of agreement."""
HEADLINES = ("rho", "agreement", "alpha.ordinal", "alpha.masi")
"""The figures that a short description has."""


@dataclass(frozen=True, eq=False)
class AgreementResult:
    """How annotators agree.

    Args:
        source: The name of the ratings.
        sections: Task → name of a section → section.
        notes: What was added to the ratings, left out, or not computed.
    """

    source: str
    sections: Mapping[str, Mapping[str, AgreementSection]]
    notes: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"<AgreementResult of {self.source}: {'; '.join(map(self._describe, self.sections))}>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, AgreementResult):
            return NotImplemented
        return json.dumps(self.to_dict()) == json.dumps(other.to_dict())  # NaN equals NaN

    __hash__ = None  # type: ignore[assignment]

    def _repr_html_(self) -> str:
        from polyseme.display.ratings import render_agreement_result

        return render_agreement_result(self)

    def _describe(self, task: str) -> str:
        """Describe a task by its headline figures, or by the names of its sections."""
        sections = self.sections[task]
        figures = sections[FIGURES].value["figures"] if FIGURES in sections else {}
        values = [f"{name} {figures[name]['value']:.3f}" for name in HEADLINES if name in figures]
        return f"{task} {', '.join(values or sections)}"

    def tables(self) -> list[Table]:
        """Return all tables, task by task and section by section."""
        return [
            table for sections in self.sections.values() for section in sections.values() for table in section.tables
        ]

    def report(self) -> Report:
        """Make the page of all sections, with plots."""
        return agreement_report(self.source, self.sections, self.notes)

    def to_dict(self) -> dict[str, Any]:
        """Return task → section → figures, and the notes, as ``polyseme agreement --json`` prints them."""
        tasks = {
            task: {name: section.value for name, section in sections.items()}
            for task, sections in self.sections.items()
        }
        return {**tasks, "notes": list(self.notes)}

    def to_records(self) -> list[dict[str, Any]]:
        """Return a row for each figure of each task: of all judgements, and of each part of a breakdown.

        Raises:
            InputError: The section ``agreement``, which has the figures, was not measured.
        """
        if not any(FIGURES in sections for sections in self.sections.values()):
            raise InputError(
                f"the figures are in the section {FIGURES}, which was not measured; add it to the sections"
            )
        values = ((task, part[FIGURES].value) for task, part in self.sections.items() if FIGURES in part)
        return [row for task, value in values for row in _list_figures(task, value)]

    def to_frame(self) -> pd.DataFrame:
        """Return the rows of :meth:`to_records` as a data frame of pandas."""
        return frame_of_records(self.to_records(), ("task", "by", "part", "figure", "value", "low", "high", "meaning"))


def _list_figures(task: str, value: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    parts = {("", "all"): value} | {
        (by, name): part for by, parts in value["by"].items() for name, part in parts.items()
    }
    for (by, name), part in parts.items():
        for figure, estimate in part["figures"].items():
            bounds = {bound: estimate.get(bound, math.nan) for bound in ("value", "low", "high")}
            row = {"task": task, "by": by, "part": name, "figure": figure, **bounds}
            yield row | {"meaning": FIGURE_DESCRIPTIONS.get(figure, "")}
