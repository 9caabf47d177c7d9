"""Runs of plans for the made data set."""

from pathlib import Path

from experiment.made import plan
from polyseme.experiment.corpora import Load
from polyseme.experiment.plan import read_plan
from polyseme.experiment.run import Results, run

LEARNT = '"banks:training"'
"""Only lemmas that there is text of; the model is right about all of these."""


def ran(folder: Path, load: Load, **changes: str) -> Results:
    """A run with results in a folder, beside which the plan is; it has other lines where changes are given."""
    path = folder.parent / "plan.toml"
    path.write_text(plan(**changes))
    return run(read_plan(path), folder, load)


def unable(*_: object, **__: object) -> None:
    raise AssertionError("this was done before")
