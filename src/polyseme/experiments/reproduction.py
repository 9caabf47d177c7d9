"""Published tables that need a run of models."""

from __future__ import annotations

from pathlib import Path

from polyseme.errors import InputError
from polyseme.experiments.plan import Plan
from polyseme.experiments.results import RunResults
from polyseme.experiments.run import run_plan
from polyseme.experiments.setting import Show
from polyseme.tasks.published import ReproducedFigure
from polyseme.tasks.reproduction import is_from_table
from polyseme.tasks.task import Load, Task


def needs_models(task: Task, table: str | None = None) -> bool:
    """Whether a published table, or any of the task, needs a run of models."""
    return any(is_from_table(source, table) for source in task.model_tables)


def reproduce_models(
    task: Task, load: Load, folder: Path, plan: Plan | None = None, show: Show = lambda _: None
) -> tuple[list[ReproducedFigure], list[str], RunResults]:
    """Run models and compare their figures with the published ones.

    Args:
        task: The task.
        load: Gives a data set by its name.
        folder: The folder of results.
        plan: Other models and another corpus than those of the task's own plan.
        show: Receives the current step.

    Returns:
        The figures, notes about the models, and the results of the run.
    """
    if plan is not None and plan.task != task.name:
        tables = ", ".join(task.model_tables)
        raise InputError(f'the plan is for {plan.task}; {tables} needs one for {task.name}: write task = "{task.name}"')
    results = run_plan(plan or Plan(**task.model_plan), folder, load, show)
    return list(task.compare_models(results.rows)), task.describe_models(results.rows), results
