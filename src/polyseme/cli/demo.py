"""``polyseme demo``: a page about words in the State of the Union addresses."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from polyseme.cli.help import input_option, output_option
from polyseme.cli.output import check_output_file, check_output_folder, explain_interruption, show_status


def demo_command(
    lemmas: Annotated[
        list[str] | None, typer.Argument(metavar="LEMMA …", help="Words, such as power.n. Default: eight words.")
    ] = None,
    output: Annotated[Path, output_option("--output", "-o", metavar="FILE", help="The page to write.")] = Path(
        "polyseme-demo.html"
    ),
    folder: Annotated[
        Path | None, input_option(metavar="FOLDER", help="The folder of the index. Default: the user's cache.")
    ] = None,
) -> None:
    """Make a page about words whose meaning changed in US presidents' speeches.

    Examples:
        polyseme demo -o demo.html
        polyseme demo power.n -o power.html

    The first run indexes the State of the Union addresses, which takes about a minute. Nothing leaves this
    machine.
    """
    from polyseme.formats.files import write_text
    from polyseme.home import user_cache_folder
    from polyseme.reports.demo import WORDS, demo_page

    check_output_file(output)
    check_output_folder(cache := folder or user_cache_folder() / "demo")
    with explain_interruption(cache / "sotu.index"), show_status() as show:
        page = demo_page(cache, tuple(lemmas or WORDS), show=show)
    write_text(output, page)
    typer.echo(f"The page is at {output}")
