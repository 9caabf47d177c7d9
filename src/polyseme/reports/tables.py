"""Tables as values, and how they are written: as text, CSV, Markdown, LaTeX or HTML."""

from __future__ import annotations

import csv
import io
import math
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

Cell = str | float | int | None
PIPE_WIDTH = 1000
"""The width of a table that is not printed on a terminal."""
COLUMN_GAP = 3
"""The number of characters between two columns."""
MIN_PROSE_WIDTH = 12
"""The number of characters that a column of prose keeps when it is wrapped."""
MIN_NAME_WIDTH = 40
"""The number of characters that the first column keeps when its names have spaces."""


@dataclass(frozen=True)
class Table:
    """Headings and rows; numbers are rounded only where people read them.

    Args:
        title: The title.
        columns: The headings.
        rows: The cells of each row.
        notes: Sentences below the table.
        digits: The number of decimals.
        rules: The numbers of the rows above which a line is drawn.

    >>> print(table_to_markdown(Table("Scores", ("System", "F1"), (("a.key", 0.25), ("b.key", None)))))
    | System | F1 |
    |---|---:|
    | a.key | 0.250 |
    | b.key | – |
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    notes: tuple[str, ...] = ()
    digits: int = 3
    rules: tuple[int, ...] = ()

    def format(self, cell: Cell) -> str:
        """Format a cell for people."""
        if cell is None or (isinstance(cell, float) and math.isnan(cell)):
            return "–"
        return f"{cell:.{self.digits}f}" if isinstance(cell, float) else str(cell)

    def numeric(self, column: int) -> bool:
        """Whether a column holds numbers, and so is aligned to the right."""
        return any(isinstance(row[column], float | int) for row in self.rows)

    def __html__(self) -> str:
        """Render the table in a page."""
        from polyseme.reports.rendering import render_html

        return render_html("table.html", table=self)

    def _repr_html_(self) -> str:
        from polyseme.display.tables import render_table

        return render_table(self)


def format_p(p: float) -> str | None:
    """Format a p-value, which is never 0; ``None`` if it is undefined.

    >>> format_p(0.0123), format_p(1e-9), format_p(math.nan)
    ('0.012', '<0.001', None)
    """
    return None if math.isnan(p) else "<0.001" if p < 0.001 else f"{p:.3f}"


def table_to_text(table: Table) -> str:
    """Write a table for the terminal, no wider than that if possible; in a pipe, as wide as necessary."""
    from rich import box
    from rich.console import Console
    from rich.table import Table as Grid
    from rich.text import Text

    out = io.StringIO()
    console = Console(file=out, width=None if sys.stdout.isatty() else PIPE_WIDTH, color_system=None)
    widths = _column_widths(table, console.width)
    console.width = max(console.width, sum(widths) + COLUMN_GAP * len(widths))
    grid = Grid(title=Text(table.title), title_justify="left", box=box.SIMPLE_HEAD, show_edge=False)
    for number, (column, width) in enumerate(zip(table.columns, widths, strict=True)):
        justify: Literal["left", "right"] = "right" if table.numeric(number) else "left"
        grid.add_column(Text(column), justify=justify, width=width, overflow="fold")
    for number, row in enumerate(table.rows):
        grid.add_row(*(Text(table.format(cell)) for cell in row), end_section=number + 1 in table.rules)
    console.print(grid)
    for note in table.notes:
        console.print(Text(note))
    return "\n".join(line.rstrip() for line in out.getvalue().rstrip("\n").split("\n"))


def _column_widths(table: Table, room: int) -> list[int]:
    """The widths of the columns: those of their cells if there is room; otherwise headings wrap, and then prose.

    Numbers, the words of names and the words of headings are never cut.
    """
    words = (len(word) for row in table.rows for word in table.format(row[0]).split())
    name = max(MIN_NAME_WIDTH, *words, 0)
    cells = [max((len(table.format(row[n])) for row in table.rows), default=0) for n in range(len(table.columns))]
    natural = [max(cell, len(heading)) for cell, heading in zip(cells, table.columns, strict=True)]
    least = [
        max(cell if table.numeric(n) else min(cell, MIN_PROSE_WIDTH if n else name), *map(len, heading.split()), 0)
        for n, (cell, heading) in enumerate(zip(cells, table.columns, strict=True))
    ]
    missing = sum(natural) + COLUMN_GAP * len(natural) - room
    widths = natural
    for number in sorted(range(len(natural)), key=lambda n: (not table.numeric(n), least[n] - natural[n])):
        if missing > 0:
            narrower = max(least[number], widths[number] - missing)
            missing -= widths[number] - narrower
            widths[number] = narrower
    return widths


def table_to_csv(table: Table) -> str:
    """Write a table for a spreadsheet, with all digits and empty cells for missing values."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(table.columns)
    writer.writerows(["" if table.format(cell) == "–" else cell for cell in row] for row in table.rows)
    return out.getvalue().rstrip("\n")


def table_to_markdown(table: Table) -> str:
    """Write a table for a README or a notebook."""
    lines = [
        "| " + " | ".join(_escape_markdown(column) for column in table.columns) + " |",
        "|" + "|".join("---:" if table.numeric(number) else "---" for number in range(len(table.columns))) + "|",
        *("| " + " | ".join(_escape_markdown(table.format(cell)) for cell in row) + " |" for row in table.rows),
        *(f"\n{_escape_markdown(note)}" for note in table.notes),
    ]
    return "\n".join(lines)


def _escape_markdown(text: str) -> str:
    return text.replace("\\", "\\\\").replace("|", "\\|")


_LATEX = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    **{character: f"\\{character}" for character in "&%$#_{}"},
    "–": "--",
    "√": r"$\sqrt{}$",
    "α": r"$\alpha$",
    "ρ": r"$\rho$",
}


def _escape_latex(text: str) -> str:
    return "".join(_LATEX.get(character, character) for character in text)


def table_to_latex(table: Table) -> str:
    """Write a table for a paper: a tabular with the rules of booktabs."""
    layout = "".join("r" if table.numeric(number) else "l" for number in range(len(table.columns)))
    lines = [r"\begin{tabular}{" + layout + "}", r"\toprule", _latex_row(table.columns), r"\midrule"]
    for number, row in enumerate(table.rows):
        if number in table.rules:
            lines.append(r"\midrule")
        lines.append(_latex_row([table.format(cell) for cell in row]))
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}", *(f"% {note}" for note in table.notes)])


def _latex_row(cells: Sequence[str]) -> str:
    return " & ".join(map(_escape_latex, cells)) + r" \\"


WRITERS: dict[str, Callable[[Table], str]] = {
    "table": table_to_text,
    "csv": table_to_csv,
    "markdown": table_to_markdown,
    "latex": table_to_latex,
}
"""The formats of tables on the command line, by name."""
