"""``polyseme label``: usages with the senses of a model."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from polyseme.cli.output import JsonOption
from polyseme.errors import InputError, shown

if TYPE_CHECKING:
    from polyseme.usage import Usage


def label(
    folder: Annotated[Path, typer.Argument(metavar="MODEL", help="A model, as `polyseme induce` makes it.")],
    usages: Annotated[str, typer.Argument(metavar="USAGES", help="A file or folder of usages, or a data set's name.")],
    out: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Where the labelling goes; else it is printed."),
    ] = None,
    processes: Annotated[
        int | None, typer.Option(min=1, help="How many processes analyse; as many as there are processors if not said.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Label usages with all senses that match them, weighted; a usage that matches none is left out.

    The suffix of the file says in which format: .key, .jsonl or .parquet. How many usages were labelled is said on
    stderr, or, with --json and a file, on stdout.
    """
    from polyseme.formats import write_labelling
    from polyseme.formats.answer_key import format_key
    from polyseme.induce.model import SenseModel

    model = SenseModel.load(folder)
    given = read(usages)
    found = model.label(given, processes=processes)
    if out is None:
        typer.echo(format_key(found), nl=False)
    else:
        write_labelling(found, out)
    senses = len(found.weights) / len(found) if len(found) else 0.0
    counts = {"usages": len(given), "labelled": len(found), "senses per labelled usage": round(senses, 3)}
    if as_json and out is not None:
        typer.echo(json.dumps({"path": str(out), **counts}))
    else:
        print(f"{counts['labelled']} of {counts['usages']} usages labelled, {senses:.2f} senses each", file=sys.stderr)


def read(name: str) -> list[Usage]:
    """The usages of a file, a folder or a data set."""
    from polyseme.datasets import load
    from polyseme.datasets.index import index
    from polyseme.formats import read_usages

    if not Path(name).exists() and name in index():
        return list(load(name).usages)
    found = list(read_usages(name))
    seen: set[str] = set()
    for usage in found:
        if usage.id in seen:
            raise InputError(f"usage {shown(usage.id)} is given twice in its files; rename one", path=name)
        seen.add(usage.id)
    return found
