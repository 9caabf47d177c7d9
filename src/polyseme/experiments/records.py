"""The record of a run: its plan, its rows, and the files of what each row labelled.

``polyseme report`` makes pages from it without running a model. It is in ``experiments`` in the folder of results,
under the name of the plan.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from polyseme.errors import InputError, count_noun
from polyseme.experiments.corpora import PACKAGE_PREFIX
from polyseme.experiments.plan import Plan
from polyseme.experiments.results import RunResults
from polyseme.formats.files import make_folder, read_text, write_text
from polyseme.parts import build, resolve_folders, short_specification
from polyseme.tasks.result import RunRow

RECORDS_FOLDER = "experiments"


@dataclass(frozen=True)
class RunRecord:
    """The record of a run.

    Args:
        results: The results of the run.
        folder: The folder of results.
        name: The name of the plan.
        version: The version of polyseme that wrote it.
    """

    results: RunResults
    folder: Path
    name: str
    version: str

    @property
    def rerun_command(self) -> str:
        """The command that runs the plan again."""
        return rerun_command(f"{self.name}.toml", self.folder)


def rerun_command(plan: object, folder: Path) -> str:
    """Return the command that runs a plan again.

    >>> rerun_command("small.toml", Path("results"))
    'polyseme run small.toml -o results'
    """
    return f"polyseme run {plan} -o {folder}"


# -- writing -------------------------------------------------------------------------------------------------------


def write_record(results: RunResults, folder: Path, name: str) -> None:
    """Write the record of a run, for :func:`read_record`."""
    make_folder(folder / RECORDS_FOLDER)
    record = {
        "polyseme": version("polyseme"),
        "plan": resolve_plan(results.plan).model_dump(),
        "rows": [{**row._asdict(), "figures": _replace_nan(row.figures)} for row in results.rows],
        "missed": {model: dict(lemmas) for model, lemmas in results.missed.items()},
        "empty": results.empty,
    }
    write_text(folder / RECORDS_FOLDER / f"{name}.json", json.dumps(record, indent=1, ensure_ascii=False) + "\n")


def _replace_nan(figures: Mapping[str, float]) -> dict[str, float | None]:
    return {name: value if math.isfinite(value) else None for name, value in figures.items()}


def resolve_plan(plan: Plan) -> Plan:
    """Return a plan with absolute paths."""

    def resolve(path: str) -> str:
        is_path = path and not path.startswith(PACKAGE_PREFIX) and Path(path).exists()
        return str(Path(path).resolve()) if is_path else path

    return plan.model_copy(
        update={
            "usages": resolve(plan.usages),
            "gold": resolve(plan.gold),
            "sources": tuple(map(resolve, plan.sources)),
            "models": tuple(short_specification(resolve_folders(build(model))) for model in plan.models),
        }
    )


# -- reading -------------------------------------------------------------------------------------------------------


def find_record_of_plan(path: Path, plan: Plan, folder: Path) -> RunRecord:
    """Return the record of a plan.

    Raises:
        polyseme.errors.InputError: If the plan has not been run in the folder, or has been changed since.
    """
    file = folder / RECORDS_FOLDER / f"{path.stem}.json"
    if not file.is_file():
        raise InputError(f"this plan has not been run in {folder}. Type: {rerun_command(path, folder)}", path=path)
    record = read_record(file)
    if record.results.plan != resolve_plan(plan):
        problem = f"the plan is not the one that was run in {folder}: it was changed, or another has its name"
        raise InputError(f"{problem}. Type: {rerun_command(path, folder)}", path=path)
    return record


def find_only_record(folder: Path) -> RunRecord:
    """Return the record in a folder of results that has one."""
    files = sorted((folder / RECORDS_FOLDER).glob("*.json"))
    if not files:
        raise InputError(f"there is no experiment in it. Type: {rerun_command('PLAN.toml', folder)}", path=folder)
    if len(files) > 1:
        names = ", ".join(map(str, files))
        raise InputError(f"there are {count_noun(len(files), 'experiment')} in it; name one: {names}", path=folder)
    return read_record(files[0])


def read_record(path: Path) -> RunRecord:
    """Read the record of a run from its file."""
    try:
        record = json.loads(read_text(path))
        rows = tuple(map(_parse_row, record["rows"]))
        results = RunResults(Plan(**record["plan"]), rows, record["missed"], tuple(record["empty"]))
        return RunRecord(results, path.parent.parent, path.stem, record["polyseme"])
    except (InputError, ValueError, KeyError, TypeError):
        command = rerun_command(f"{path.stem}.toml", path.parent.parent)
        raise InputError(f"this is not a record of a run of this version. Type: {command}", path=path) from None


def _parse_row(row: Mapping[str, Any]) -> RunRow:
    figures = {name: math.nan if value is None else value for name, value in row["figures"].items()}
    return RunRow(**{**row, "figures": figures, "keys": tuple(row["keys"])})
