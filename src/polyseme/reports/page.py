"""Reports: self-contained HTML pages of tables and plots, without network access, printable, light and dark."""

from __future__ import annotations

import os
import re
import unicodedata
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape
from typing import TYPE_CHECKING, NamedTuple

from polyseme.errors import MissingExtra
from polyseme.formats.files import write_text
from polyseme.reports.plots import Plot
from polyseme.reports.rendering import render_html
from polyseme.reports.tables import Table

if TYPE_CHECKING:
    from markupsafe import Markup


FRAME_HEIGHT = 640
"""The height of a page in a notebook, in pixels."""


class ReportSection(NamedTuple):
    """A section of a report: a heading, a paragraph, tables, plots or other HTML, and more tables that are folded."""

    heading: str
    text: str
    blocks: Sequence[Table | Plot | Markup]
    folded: Sequence[Table] = ()


class HtmlReport(ABC):
    """A page of tables and plots, which a notebook shows as it is."""

    @abstractmethod
    def page(self, command: str = "") -> str:
        """Render the page as HTML.

        Args:
            command: The command that made the page, for its footer.
        """

    @abstractmethod
    def tables(self) -> list[Table]:
        """Return all tables, in their order."""

    @abstractmethod
    def plots(self) -> list[Plot]:
        """Return all plots, in their order."""

    def save(self, path: str | os.PathLike[str], command: str = "") -> None:
        """Write the page to a file.

        Args:
            path: The file.
            command: The command that made the page, for its footer.
        """
        write_text(path, self.page(command))

    def _repr_html_(self) -> str:
        """Show the page in a frame, so that its style does not change the notebook's; without plots, the tables."""
        try:
            page = self.page()
        except MissingExtra as problem:
            from polyseme.display.rendering import render_tables

            return render_tables(repr(self), self.tables(), str(problem))
        return f'<iframe srcdoc="{escape(page)}" style="width:100%;height:{FRAME_HEIGHT}px;border:0"></iframe>'


@dataclass(frozen=True)
class Report(HtmlReport):
    """The contents of a page, so that its tables and plots can also be written as files.

    Args:
        title: The title.
        introduction: The main finding, as the first paragraph.
        sections: The sections; a list of contents leads to them if there are several.
        style: The template of a style sheet that is added to the common one.
        long_tables: Tables that are too long for a page and are written as files only.
        reading: How to read the page, for a note at its end.
    """

    title: str
    introduction: str
    sections: Sequence[ReportSection]
    style: str = ""
    long_tables: Sequence[Table] = field(default=())
    reading: str = ""

    def __repr__(self) -> str:
        return f"<Report {self.title!r}: {', '.join(section.heading for section in self.sections)}>"

    def page(self, command: str = "") -> str:
        """Render the page as HTML.

        Args:
            command: The command that made the page, for its footer.
        """
        anchors = make_anchors(["contents", *(section.heading for section in self.sections)])[1:]
        sections = list(zip(anchors, self.sections, strict=True))
        return render_html("report.html", report=self, sections=sections, command=command)

    def tables(self) -> list[Table]:
        """All tables, in their order, and those that are too long for the page."""
        return [*(block for block in self._blocks() if isinstance(block, Table)), *self.long_tables]

    def plots(self) -> list[Plot]:
        """All plots, in their order."""
        return [block for block in self._blocks() if isinstance(block, Plot)]

    def _blocks(self) -> list[Table | Plot | Markup]:
        return [block for section in self.sections for block in (*section.blocks, *section.folded)]


def make_anchors(headings: Sequence[str]) -> list[str]:
    """Make a unique anchor for each heading.

    >>> make_anchors(["Usim: Agreement", "Notes", "Notes", "§"])
    ['usim-agreement', 'notes', 'notes-2', 'section']
    """
    anchors: list[str] = []
    for heading in headings:
        slug = make_slug(heading) or "section"
        number, anchor = 2, slug
        while anchor in anchors:
            anchor, number = f"{slug}-{number}", number + 1
        anchors.append(anchor)
    return anchors


def make_slug(text: str, limit: int = 80) -> str:
    """Reduce a text to plain letters and digits with hyphens between words, for anchors and file names.

    >>> make_slug("Fuzzy B-Cubed, naïve: σ=0.5")
    'fuzzy-b-cubed-naive-0-5'
    """
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return "-".join(re.findall(r"[a-z0-9]+", plain))[:limit].strip("-")
