"""``polyseme run``: an experiment that a plan describes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from polyseme.cli.help import output_option
from polyseme.cli.output import (
    DataFolderOption,
    Format,
    FormatOption,
    JsonOption,
    check_output_folder,
    echo_json,
    explain_interruption,
    replace_non_finite,
)
from polyseme.errors import InputError

if TYPE_CHECKING:
    from polyseme.reports.tables import Table


def run_command(
    plans: Annotated[
        list[Path], typer.Argument(metavar="PLAN …", help="Plans: TOML files, such as those in examples/.")
    ],
    folder: Annotated[
        Path, output_option("--output", "-o", metavar="FOLDER", help="The folder of tables and of cached results.")
    ] = Path("results"),
    data: DataFolderOption = None,
    form: FormatOption = Format.table,
    as_json: JsonOption = False,
) -> None:
    """Run an experiment that a plan describes: models, a task and their scores.

    Examples:
        polyseme run plan.toml -o results

    For each plan, FOLDER has its table as .md, .csv, .tex and .json. `polyseme report results` makes a page. Steps
    that are complete are cached, so the same command resumes interrupted work.
    """
    from polyseme.experiments.plan import read_plan
    from polyseme.experiments.records import write_record
    from polyseme.interface.experiments import run
    from polyseme.reports.experiment_tables import experiment_table
    from polyseme.reports.tables import WRITERS

    _check_names(plans)
    check_output_folder(folder)
    is_json = as_json or form is Format.json
    values: dict[str, Any] = {}
    for path, plan in [(path, read_plan(path)) for path in plans]:
        with explain_interruption(folder, "the same command resumes; complete steps are in {}"):
            results = run(plan, folder, data=data)
        table = experiment_table(plan.title, plan.protocol, results.rows, plan.measures)
        values[path.stem] = replace_non_finite(results.to_dict())
        _write_tables(folder, path.stem, values[path.stem], table)
        write_record(results, folder, path.stem)
        if not is_json:
            typer.echo(WRITERS[form](table))
    if is_json:
        echo_json(values if len(values) > 1 else values[plans[0].stem])


def _check_names(plans: list[Path]) -> None:
    """Raise an error if two plans have the same name, because tables are named after plans."""
    earlier: dict[str, Path] = {}
    for path in plans:
        if (other := earlier.setdefault(path.stem, path)) is not path:
            raise InputError(f"its tables would have the names of those of {other}; rename one", path=path)


def _write_tables(folder: Path, name: str, value: Any, table: Table) -> None:
    from polyseme.formats.files import write_text
    from polyseme.reports.tables import WRITERS

    for form, suffix in (("markdown", "md"), ("csv", "csv"), ("latex", "tex")):
        write_text(folder / f"{name}.{suffix}", WRITERS[form](table) + "\n")
    write_text(folder / f"{name}.json", json.dumps(value, indent=1, ensure_ascii=False) + "\n")
