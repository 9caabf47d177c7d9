"""What is kept of a run beside its tables: the plan, its rows, and which file has what a row labelled.

From it a page of results is made without running a model again. It is in ``experiments`` in the folder of results,
called after the plan.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

from polyseme.errors import InputError, count_noun
from polyseme.experiments.corpora import PACKAGE
from polyseme.experiments.induction import RunResults, RunRow
from polyseme.experiments.plan import Plan
from polyseme.formats.files import read_text, write_text
from polyseme.parts import build, resolve_folders, short_specification

RECORDS_FOLDER = "experiments"


@dataclass(frozen=True)
class RunRecord:
    """What a run left in a folder: its results, what it was called, and by which version it was made."""

    results: RunResults
    folder: Path
    name: str
    made_by: str

    @property
    def again(self) -> str:
        """What to type to run it once more."""
        return rerun_command(f"{self.name}.toml", self.folder)


def rerun_command(plan: object, folder: Path) -> str:
    """What to type to run a plan once more.

    >>> rerun_command("small.toml", Path("results"))
    'polyseme run small.toml -o results'
    """
    return f"polyseme run {plan} -o {folder}"


# -- writing -------------------------------------------------------------------------------------------------------


def write_record(results: RunResults, folder: Path, name: str) -> None:
    """Write what was found, for :func:`read_kept`."""
    (folder / RECORDS_FOLDER).mkdir(parents=True, exist_ok=True)
    write_text(
        folder / RECORDS_FOLDER / f"{name}.json", json.dumps(_plain(results), indent=1, ensure_ascii=False) + "\n"
    )


def _plain(results: RunResults) -> dict[str, Any]:
    rows = [{**row._asdict(), "figures": _without_nan(row.figures)} for row in results.rows]
    missed = {model: dict(each) for model, each in results.missed.items()}
    plan = asdict(resolve_plan(results.plan))
    return {"polyseme": version("polyseme"), "plan": plan, "rows": rows, "missed": missed, "empty": results.empty}


def _without_nan(figures: Mapping[str, float]) -> dict[str, float | None]:
    return {name: value if math.isfinite(value) else None for name, value in figures.items()}


def resolve_plan(plan: Plan) -> Plan:
    """A plan with paths as they are called from everywhere."""

    def absolute(path: str) -> str:
        return str(Path(path).resolve()) if path and not path.startswith(PACKAGE) and Path(path).exists() else path

    return replace(
        plan,
        usages=absolute(plan.usages),
        gold=absolute(plan.gold),
        sources=tuple(map(absolute, plan.sources)),
        models=tuple(short_specification(resolve_folders(build(model))) for model in plan.models),
    )


# -- reading -------------------------------------------------------------------------------------------------------


def find_record_of_plan(path: Path, plan: Plan, folder: Path) -> RunRecord:
    """What was kept of a plan; an error, if it has not been run, or has been changed since."""
    place = folder / RECORDS_FOLDER / f"{path.stem}.json"
    if not place.is_file():
        raise InputError(f"this plan has not been run in {folder}. Type: {rerun_command(path, folder)}", path=path)
    found = read_record(place)
    if found.results.plan != resolve_plan(plan):
        problem = f"the plan is not the one that was run in {folder}"
        raise InputError(
            f"{problem}: it was changed, or another has its name. Type: {rerun_command(path, folder)}", path=path
        )
    return found


def find_only_record(folder: Path) -> RunRecord:
    """What was kept in a folder of results, if that is of one plan."""
    there = sorted((folder / RECORDS_FOLDER).glob("*.json"))
    if not there:
        raise InputError(f"there is no experiment in it. Type: {rerun_command('PLAN.toml', folder)}", path=folder)
    if len(there) > 1:
        names = ", ".join(map(str, there))
        raise InputError(f"there are {count_noun(len(there), 'experiment')} in it; name one: {names}", path=folder)
    return read_record(there[0])


def read_record(path: Path) -> RunRecord:
    """What was kept of a run, from its file."""
    try:
        given = json.loads(read_text(path))
        rows = tuple(_row(each) for each in given["rows"])
        results = RunResults(_plan(given["plan"]), rows, given["missed"], tuple(given["empty"]))
        return RunRecord(results, path.parent.parent, path.stem, given["polyseme"])
    except (ValueError, KeyError, TypeError):
        problem = "this is not what a run of this version keeps"
        raise InputError(
            f"{problem}. Type: {rerun_command(f'{path.stem}.toml', path.parent.parent)}", path=path
        ) from None


def _plan(given: Mapping[str, Any]) -> Plan:
    options: dict[str, Any] = {name: tuple(each) if isinstance(each, list) else each for name, each in given.items()}
    return Plan(**options)


def _row(given: Mapping[str, Any]) -> RunRow:
    figures = {name: math.nan if value is None else value for name, value in given["figures"].items()}
    return RunRow(**{**given, "figures": figures, "keys": tuple(given["keys"])})
