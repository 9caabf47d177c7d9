"""Tables of reports."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from polyseme.display.rendering import ROWS, count_more, render_value

if TYPE_CHECKING:
    from polyseme.reports.tables import Table


def render_table(table: Table) -> str:
    """Render the first rows of a table.

    >>> from polyseme.reports.tables import Table
    >>> "0.250" in render_table(Table("Scores", ("System", "F1"), (("a.key", 0.25),)))
    True
    """
    rows = replace(table, title="", rows=table.rows[:ROWS])
    return render_value(table.title or "Table", rows, notes=count_more(len(table.rows)))
