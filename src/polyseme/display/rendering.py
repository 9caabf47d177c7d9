"""The HTML of a value: a heading, and tables, plots or other blocks below it, from the templates of this package."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from polyseme.web.environment import create_environment

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

    from polyseme.reports.plots import Plot
    from polyseme.reports.tables import Table

    Block: TypeAlias = Markup | Plot | Table

Item = TypeVar("Item")

ROWS = 20
"""The number of rows of a table."""
TABLES = 6
"""The number of tables of a report."""
NAME_LENGTH = 80
"""The number of characters of a name."""
TEXT_LENGTH = 240
"""The number of characters of a gloss, an example or a sentence."""
PALEST, DARKEST = 0.06, 0.5
"""The opacity of the colour behind the least and the greatest weight: the text on it stays readable, dark or light."""


@cache
def _environment() -> Environment:
    environment = create_environment(Path(__file__).parent / "templates", shade=shade)
    environment.filters["cut_text"] = cut_text
    return environment


def render_block(template: str, **context: Any) -> Markup:
    """Render a template; all values in it are escaped, except those that are HTML already."""
    from markupsafe import Markup

    return Markup(_environment().get_template(template).render(context))


def render_value(title: str, *blocks: Block, facts: str = "", notes: Sequence[str] = ()) -> str:
    """Render a value.

    Args:
        title: The kind of the value, or its name.
        blocks: What is below the heading.
        facts: The size of the value, in the heading.
        notes: Sentences below the blocks.
    """
    return str(render_block("value.html", title=title, facts=facts, blocks=blocks, notes=notes))


def render_tables(title: str, tables: Sequence[Table], problem: str) -> str:
    """Render the first tables of a report whose page cannot be rendered.

    Args:
        title: The ``repr`` of the report.
        tables: Its tables.
        problem: Why the page cannot be rendered, and what to do.
    """
    first = [replace(table, rows=table.rows[:ROWS]) for table in tables[:TABLES]]
    return render_value(strip_brackets(title), *first, notes=[problem])


def shade(weight: float, highest: float = 1.0) -> str:
    """Return the opacity of the colour behind a weight, as a share of the highest weight.

    >>> shade(0.0), shade(2.5, 5.0), shade(1.0)
    ('0.06', '0.28', '0.50')
    """
    share = weight / highest if highest > 0 else 0.0
    return f"{PALEST + (DARKEST - PALEST) * min(max(share, 0.0), 1.0):.2f}"


def cut_text(text: object, limit: int = NAME_LENGTH) -> str:
    """Cut a text after a number of characters; its spaces are single.

    >>> cut_text("a long  name", 6)
    'a lon…'
    """
    line = " ".join(str(text)[: 4 * limit].split())
    return line if len(line) <= limit else f"{line[: limit - 1]}…"


def count_more(total: int, limit: int = ROWS) -> tuple[str, ...]:
    """Return a note about the rows beyond a limit, if any.

    >>> count_more(1030, 20), count_more(3, 20)
    (('… and 1,010 more',), ())
    """
    return (f"… and {total - limit:,} more",) if total > limit else ()


def take_first(items: Iterable[Item], limit: int = ROWS) -> list[Item]:
    """Return the first items."""
    return list(islice(items, limit))


def strip_brackets(text: str) -> str:
    """Return the ``repr`` of a value without angle brackets."""
    return text.removeprefix("<").removesuffix(">")
