"""``polyseme data``: data sets by name, their folders, and their installation."""

from __future__ import annotations

import json
import sys
from typing import Annotated

import typer

from polyseme.cli.help import CommandGroup, input_option
from polyseme.cli.output import Format, FormatOption, JsonOption, emit

data_commands = CommandGroup("List, install and locate data sets.", no_args_is_help=True)

NameArgument = Annotated[str, typer.Argument(metavar="NAME", help="The name of a data set; see `polyseme data list`.")]


@data_commands.command("list")
def list_data_sets(form: FormatOption = Format.table, as_json: JsonOption = False) -> None:
    """List the data sets that polyseme knows, and which are installed.

    Examples:
        polyseme data list
        polyseme data list --json

    With --json, each data set has its licence, citation and address.
    """
    from polyseme.reports.dataset_tables import dataset_records, dataset_table

    records = dataset_records()
    by_name = {record["name"]: {key: record[key] for key in record if key != "name"} for record in records}
    emit(Format.json if as_json else form, by_name, lambda: dataset_table(records))


@data_commands.command("install")
def install_data_set(
    name: NameArgument,
    source: Annotated[
        str | None,
        input_option("--from", metavar="PATH|URL", help="A folder, an archive (tar, zip) or a URL. Default: download."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Install a data set by its name.

    Examples:
        polyseme data install wordnet-3.1
        polyseme data install semeval-2013-task-13 --from downloads/task-13.zip

    Data sets whose licence allows it are downloaded. Others are installed from your own copy.
    """
    from polyseme.datasets.installation import install

    _print_path(name, str(install(name, source, progress=_show_step)), as_json)


def _show_step(line: str) -> None:
    """Show the current step on a terminal; silent in a pipe."""
    if sys.stderr.isatty():
        typer.echo(line, err=True)


@data_commands.command("path")
def print_data_set_path(name: NameArgument, as_json: JsonOption = False) -> None:
    """Print the folder of a data set.

    Examples:
        polyseme data path wordnet-3.1
    """
    from polyseme.datasets import locate, missing_error
    from polyseme.datasets.index import find_data_set_entry

    entry = find_data_set_entry(name)
    path = locate(entry)
    if path is None:
        raise missing_error(entry)
    _print_path(name, str(path), as_json)


def _print_path(name: str, path: str, as_json: bool) -> None:
    typer.echo(json.dumps({"name": name, "path": path}, ensure_ascii=False) if as_json else path)
