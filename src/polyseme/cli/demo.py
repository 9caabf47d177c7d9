"""``polyseme demo``: something to look at."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def demo(
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="Where to write the page.")] = Path(
        "polyseme-demo.html"
    ),
) -> None:
    """Score the worked examples of the papers and write a page with the tables."""
    from polyseme.formats.files import write_text
    from polyseme.report.demo import demo_page

    write_text(output, demo_page())
    typer.echo(f"The page is at {output}")
