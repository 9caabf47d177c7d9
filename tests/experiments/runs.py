"""Runs of plans for the data set of banks and cranes."""

from pathlib import Path

from experiments.banks import plan
from polyseme.experiments.plan import read_plan
from polyseme.experiments.results import RunResults
from polyseme.experiments.run import run_plan
from polyseme.tasks.result import RunRow
from polyseme.tasks.task import Load

LEARNT = '"banks:training"'
"""Only lemmas that the corpus has; the model labels all of them right."""


def run_banks(folder: Path, load: Load, **changes: str) -> RunResults:
    """Run a plan beside the folder of results; changes replace lines of the plan."""
    path = folder.parent / "plan.toml"
    path.write_text(plan(**changes))
    return run_plan(read_plan(path), folder, load)


def get_row(results: RunResults, name: str, kind: str = "") -> RunRow:
    (row,) = (row for row in results.rows if row.name == name and kind in ("", row.kind))
    return row


def fail_if_called(*_: object, **__: object) -> None:
    raise AssertionError("this was done before")
