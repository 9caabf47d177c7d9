"""A table is a value; how it is written is chosen last."""

from __future__ import annotations

import csv
import html
import io
import math
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

Cell = str | float | int | None
PIPE_WIDTH = 1000
BETWEEN = 3
"""How many characters stand between two columns."""
PROSE = 12
"""To how few characters a column of prose may be wrapped."""


@dataclass(frozen=True)
class Table:
    """Headings and rows; numbers are rounded only where people read them.

    ``rules`` are the rows before which a line is drawn.

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

    def shown(self, cell: Cell) -> str:
        """A cell as people read it."""
        if cell is None or (isinstance(cell, float) and math.isnan(cell)):
            return "–"
        return f"{cell:.{self.digits}f}" if isinstance(cell, float) else str(cell)

    def numeric(self, column: int) -> bool:
        """Whether a column holds numbers, and so stands to the right."""
        return any(isinstance(row[column], float | int) for row in self.rows)


def table_to_text(table: Table) -> str:
    """For the terminal, no wider than that if it can be helped; in a pipe as wide as need be."""
    from rich import box
    from rich.console import Console
    from rich.table import Table as Grid
    from rich.text import Text

    out = io.StringIO()
    console = Console(file=out, width=None if sys.stdout.isatty() else PIPE_WIDTH, color_system=None)
    widths = _column_widths(table, console.width)
    console.width = max(console.width, sum(widths) + BETWEEN * len(widths))
    grid = Grid(title=Text(table.title), title_justify="left", box=box.SIMPLE_HEAD, show_edge=False)
    for number, (column, width) in enumerate(zip(table.columns, widths, strict=True)):
        justify: Literal["left", "right"] = "right" if table.numeric(number) else "left"
        grid.add_column(Text(column), justify=justify, width=width, overflow="fold")
    for number, row in enumerate(table.rows):
        grid.add_row(*(Text(table.shown(cell)) for cell in row), end_section=number + 1 in table.rules)
    console.print(grid)
    for note in table.notes:
        console.print(Text(note))
    return "\n".join(line.rstrip() for line in out.getvalue().rstrip("\n").split("\n"))


def _column_widths(table: Table, room: int) -> list[int]:
    """The columns' widths: as wide as their cells if there is room, else headings wrap, and then the last prose.

    Names, numbers and the words of headings always stay whole: a table that is cut tells less than it seems to.
    """
    cells = [max((len(table.shown(row[n])) for row in table.rows), default=0) for n in range(len(table.columns))]
    natural = [max(cell, len(heading)) for cell, heading in zip(cells, table.columns, strict=True)]
    least = [
        max(cell if n == 0 or table.numeric(n) else min(cell, PROSE), *map(len, heading.split()), 0)
        for n, (cell, heading) in enumerate(zip(cells, table.columns, strict=True))
    ]
    missing = sum(natural) + BETWEEN * len(natural) - room
    widths = natural
    for number in sorted(range(len(natural)), key=lambda n: (not table.numeric(n), least[n] - natural[n])):
        if missing > 0:
            narrower = max(least[number], widths[number] - missing)
            missing -= widths[number] - narrower
            widths[number] = narrower
    return widths


def table_to_csv(table: Table) -> str:
    """For a spreadsheet: every digit, empty where there is no value."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(table.columns)
    writer.writerows(["" if table.shown(cell) == "–" else cell for cell in row] for row in table.rows)
    return out.getvalue().rstrip("\n")


def table_to_markdown(table: Table) -> str:
    """For a README or a notebook."""
    lines = [
        "| " + " | ".join(_escape_markdown(column) for column in table.columns) + " |",
        "|" + "|".join("---:" if table.numeric(number) else "---" for number in range(len(table.columns))) + "|",
        *("| " + " | ".join(_escape_markdown(table.shown(cell)) for cell in row) + " |" for row in table.rows),
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
    """For a paper: a tabular with the rules of booktabs."""
    layout = "".join("r" if table.numeric(number) else "l" for number in range(len(table.columns)))
    lines = [r"\begin{tabular}{" + layout + "}", r"\toprule", _latex_row(table.columns), r"\midrule"]
    for number, row in enumerate(table.rows):
        if number in table.rules:
            lines.append(r"\midrule")
        lines.append(_latex_row([table.shown(cell) for cell in row]))
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}", *(f"% {note}" for note in table.notes)])


def _latex_row(cells: Sequence[str]) -> str:
    return " & ".join(map(_escape_latex, cells)) + r" \\"


def table_to_html(table: Table) -> str:
    """For a page: a table element with its caption."""
    head = "".join(
        f'<th scope="col"{" class=number" if number and table.numeric(number) else ""}>{html.escape(column)}</th>'
        for number, column in enumerate(table.columns)
    )
    body = "".join(_html_row(table, number, row) for number, row in enumerate(table.rows))
    notes = "".join(f"<p class=note>{html.escape(note)}</p>" for note in table.notes)
    caption = html.escape(table.title)
    return f"<table><caption>{caption}</caption><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{notes}"


def _html_row(table: Table, number: int, row: Sequence[Cell]) -> str:
    first, *rest = (html.escape(table.shown(cell)) for cell in row)
    cells = f'<th scope="row">{first}</th>' + "".join(
        f"<td{' class=number' if table.numeric(column) else ''}>{cell}</td>" for column, cell in enumerate(rest, 1)
    )
    return f"<tr{' class=rule' if number in table.rules else ''}>{cells}</tr>"


WRITERS: dict[str, Callable[[Table], str]] = {
    "table": table_to_text,
    "csv": table_to_csv,
    "markdown": table_to_markdown,
    "latex": table_to_latex,
}
"""How a table can be written on the command line, by the name of the format."""
