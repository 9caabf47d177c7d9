"""The registry of tasks: every module of this package may hold some."""

from __future__ import annotations

import importlib
import pkgutil
from typing import TYPE_CHECKING, Any

from polyseme.errors import InputError, quote_value
from polyseme.parts import declared_parts_by_name

if TYPE_CHECKING:
    from polyseme.tasks.task import LabellingTask, Task


def tasks_by_name() -> dict[str, type[Task]]:
    """All tasks by name: those of this package, and those that other packages declare as parts.

    >>> "semeval-2013" in tasks_by_name()
    True
    """
    classes = (part for module in _list_modules() for part in _tasks_of_module(module))
    declared = (part for part in declared_parts_by_name().values() if _is_task(part, part.__module__))
    return {part.name: part for part in (*declared, *classes)}


def _list_modules() -> list[str]:
    return [module.name for module in pkgutil.iter_modules(importlib.import_module(__package__).__path__)]


def _tasks_of_module(name: str) -> list[type[Task]]:
    module = importlib.import_module(f"{__package__}.{name}")
    return [part for part in vars(module).values() if _is_task(part, module.__name__)]


def _is_task(part: Any, module: str) -> bool:
    return getattr(part, "kind", "") == "task" and hasattr(part, "name") and part.__module__ == module


def key_tasks_by_name() -> dict[str, type[LabellingTask]]:
    """The tasks that score answer keys, by name: WSsim, for example, scores against ratings instead.

    >>> "all-words" in key_tasks_by_name(), "wssim" in key_tasks_by_name()
    (True, False)
    """
    from polyseme.tasks.task import LabellingTask

    tasks = tasks_by_name().items()
    return {
        name: task for name, task in tasks if issubclass(task, LabellingTask) and task.score is not LabellingTask.score
    }


def get_task(name: str) -> type[Task]:
    """Return the class of a task.

    Args:
        name: The name of the task, as the command line has it.

    Raises:
        polyseme.errors.InputError: If there is no such task; the error lists all.

    >>> get_task("senseval").__name__
    'Senseval'
    """
    module = name.replace("-", "_")
    for task in _tasks_of_module(module) if module in _list_modules() else ():  # without loading the other tasks
        if task.name == name:
            return task
    tasks = tasks_by_name()
    if name not in tasks:
        raise InputError(f"task is {quote_value(name)}; allowed are {', '.join(tasks)}")
    return tasks[name]
