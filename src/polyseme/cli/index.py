"""``polyseme index``: a corpus as a folder of tables."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from polyseme.cli.output import JsonOption
from polyseme.errors import InputError

if TYPE_CHECKING:
    from polyseme.corpus.indexing import Progress


def index(
    sources: Annotated[list[Path], typer.Argument(metavar="SOURCE …", help="Files, folders or tar archives.")],
    folder: Annotated[Path, typer.Option("--output", "-o", metavar="FOLDER", help="Where the index goes.")],
    analyser: Annotated[
        str, typer.Option(help="How text is analysed: english, simple, simple:de, spacy:MODEL, or a part.")
    ] = "english",
    processes: Annotated[
        int | None, typer.Option(min=1, help="How many processes analyse; as many as there are processors if not said.")
    ] = None,
    skip_broken: Annotated[
        bool, typer.Option("--skip-broken", help="Leave out files that cannot be read, with a warning for each.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Index a corpus: tokens, sentences, documents and words as Parquet files, and a manifest.

    Text may be plain, JSON Lines or CSV with a field text, or analysed already (CoNLL-U, VRT, SemCor). Interrupted, the
    same command goes on where it was; later, it adds files that are new.
    """
    from polyseme.corpus.analysers import analyser as named
    from polyseme.corpus.indexing import build_index

    with _shown() as show:
        made = build_index(
            sources, folder, named(analyser), processes=processes, skip=_warn if skip_broken else None, show=show
        )
    counts = {name: made.manifest[name] for name in ("documents", "sentences", "tokens", "words")}
    if as_json:
        typer.echo(json.dumps({"path": str(folder), "analyser": made.manifest["analyser"], **counts}))
    else:
        typer.echo(f"{folder}: " + ", ".join(f"{count:,} {name}" for name, count in counts.items()))


def _warn(error: InputError) -> None:
    print(f"warning: left out: {error}", file=sys.stderr)


@contextmanager
def _shown() -> Iterator[Callable[[Progress], object] | None]:
    """A line on a terminal that says how far it is; nothing in a pipe."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console

    with Console(stderr=True).status("Indexing") as status:
        yield lambda done: status.update(f"{done.documents:,} documents, {done.tokens:,} tokens: {done.document}")
