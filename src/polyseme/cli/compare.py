"""``polyseme compare``: is one system better than another?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from polyseme.cli.output import (
    ConfidenceOption,
    Format,
    FormatOption,
    JsonOption,
    SeedOption,
    add_file_name,
    emit,
)
from polyseme.cli.task_options import (
    Granularity,
    GranularityOption,
    HierarchyOption,
    JurgensMapping,
    MappingOption,
    OutsideOption,
    SingleOption,
    SingleSenseOption,
    SplitsOption,
    Variant,
    VariantOption,
    check_granularity,
    read_hierarchy_option,
    read_splits_option,
)
from polyseme.errors import InputError

if TYPE_CHECKING:
    from polyseme.tasks.task import LabellingTask


def compare_command(
    first: Annotated[Path, typer.Argument(metavar="A.key", help="The system to compare with.")],
    second: Annotated[Path, typer.Argument(metavar="B.key", help="The system that may be better.")],
    gold: Annotated[Path, typer.Option("--gold", metavar="GOLD.key", help="The gold answer key.")],
    task: Annotated[
        str, typer.Option(metavar="TASK", help="The task; the options below belong to tasks, as in 'score'.")
    ] = "semeval-2013",
    mapping: MappingOption = True,
    single_sense: SingleSenseOption = False,
    variant: VariantOption = Variant.official,
    outside: OutsideOption = True,
    splits: SplitsOption = None,
    hierarchy: HierarchyOption = None,
    granularity: GranularityOption = Granularity.fine,
    single: SingleOption = False,
    with_mapping: Annotated[
        JurgensMapping, typer.Option(help="The mapping of jurgens-2012.")
    ] = JurgensMapping.distribution,
    samples: Annotated[int, typer.Option(min=100, help="How many resamples and swaps.")] = 10_000,
    seed: SeedOption = 0,
    confidence: ConfidenceOption = 0.95,
    form: FormatOption = Format.table,
    as_json: JsonOption = False,
) -> None:
    """Compare two systems: bootstrap intervals and a paired randomisation test, both over lemmas."""
    from polyseme.reports.score_tables import comparison_table
    from polyseme.tasks.comparison import compare_results

    if not mapping and with_mapping is not JurgensMapping.distribution:
        raise InputError("--no-mapping and --with-mapping exclude one another")
    protocol = _make_task(
        task,
        (
            TaskSetting("--no-mapping", "mapping", () if mapping else (False, "none")),
            TaskSetting("--with-mapping", "mapping", with_mapping.settings(JurgensMapping.distribution)),
            TaskSetting("--single-sense", "single_sense", (True,) if single_sense else ()),
            TaskSetting("--variant", "variant", variant.settings(Variant.official)),
            TaskSetting("--drop-outside", "outside", () if outside else (False,)),
            TaskSetting("--splits", "splits", () if splits is None else (read_splits_option(splits),)),
            TaskSetting("--hierarchy", "hierarchy", () if hierarchy is None else (read_hierarchy_option(hierarchy),)),
            TaskSetting("--granularity", "granularity", granularity.settings(Granularity.fine)),
            TaskSetting("--single", "single", (True,) if single else ()),
        ),
    )
    check_granularity(granularity, hierarchy)
    reference = protocol.read_gold(gold)
    results = []
    for path in (first, second):
        with add_file_name(path):
            results.append(protocol.score_file(reference, path))
    rows = compare_results(results[0], results[1], samples=samples, seed=seed, confidence=confidence)
    emit(
        Format.json if as_json else form,
        {row.figure: {name: value for name, value in row._asdict().items() if name != "figure"} for row in rows},
        lambda: comparison_table(first.name, second.name, rows, confidence),
    )


class TaskSetting(NamedTuple):
    """An option of the command line for tasks.

    Args:
        option: The option.
        field: The field of tasks that it sets.
        values: The value; several if tasks have different types for it, none if the option is not set.
    """

    option: str
    field: str
    values: tuple[Any, ...]

    def find_value(self, task: type[Any]) -> tuple[Any, ...]:
        """Return the value for a task; none if the task does not have the field."""
        defaults = {field.name: field.default for field in fields(task)}
        default = defaults.get(self.field)
        matches = (value for value in self.values if default is None or isinstance(value, type(default)))
        return tuple(islice(matches, 1)) if self.field in defaults else ()


def _make_task(name: str, settings: Sequence[TaskSetting]) -> LabellingTask:
    """Make a task with these settings; an option that the task does not have is an error."""
    from polyseme.tasks.registry import get_task, key_tasks_by_name, tasks_by_name

    part: Any = get_task(name)
    if name not in key_tasks_by_name():
        allowed = ", ".join(key_tasks_by_name())
        raise InputError(
            f"--task {name}: its results cannot be compared; name a task that scores answer keys: {allowed}"
        )
    options: dict[str, Any] = {"more": True} if any(field.name == "more" for field in fields(part)) else {}
    for setting in settings:
        value = setting.find_value(part)
        if setting.values and not value:
            tasks = [other for other, task in tasks_by_name().items() if setting.find_value(task)]
            raise InputError(f"{setting.option} goes with --task {' or '.join(tasks)}, not with {name}")
        options |= {setting.field: value[0]} if value else {}
    task: LabellingTask = part(**options)
    return task
