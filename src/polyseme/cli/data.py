"""``polyseme data``: the data sets that polyseme knows, where they are, and how they get there."""

from __future__ import annotations

import sys
from typing import Annotated, Any

import typer

from polyseme.cli.output import Format, FormatOption, JsonOption, emit

data = typer.Typer(no_args_is_help=True, help="Data sets by name: list them, install one, say where one lies.")

Name = Annotated[str, typer.Argument(help="A data set's name, as `polyseme data list` shows it.")]


@data.command(name="list")
def list_(form: FormatOption = Format.table, as_json: JsonOption = False) -> None:
    """List the data sets: what each holds, and where it lies; with --json also licence, citation and address."""
    from polyseme.reports.dataset_tables import dataset_records, dataset_table

    rows = dataset_records()
    emit(
        Format.json if as_json else form,
        {row.pop("name"): row for row in dataset_records()},
        lambda: dataset_table(rows),
    )


@data.command()
def install(
    name: Name,
    source: Annotated[
        str | None, typer.Option("--from", metavar="PATH|URL", help="A folder or an archive (tar, zip), here or there.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Install a data set: from where the index says if its licence allows that, or from a copy of yours."""
    from polyseme.datasets.installation import install as installed

    _answer(name, str(installed(name, source, progress=_say)), as_json)


def _say(line: str) -> None:
    """On a terminal, what is going on; silent in a pipe."""
    if sys.stderr.isatty():
        typer.echo(line, err=True)


@data.command()
def path(name: Name, as_json: JsonOption = False) -> None:
    """Print where a data set lies."""
    from polyseme.datasets import locate, missing_error
    from polyseme.datasets.index import find_data_set_entry

    entry = find_data_set_entry(name)
    place = locate(entry)
    if place is None:
        raise missing_error(entry)
    _answer(name, str(place), as_json)


def _answer(name: str, place: str, as_json: bool) -> None:
    import json

    answer: dict[str, Any] = {"name": name, "path": place}
    typer.echo(json.dumps(answer, ensure_ascii=False) if as_json else place)
