"""``polyseme compare``: is one system better than another?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from itertools import islice
from typing import Annotated, Any, NamedTuple

import typer

from polyseme.cli.help import input_option, score_option, statistics_option
from polyseme.cli.output import ConfidenceOption, Format, FormatOption, JsonOption, SeedOption, emit
from polyseme.cli.task_options import (
    GoldOption,
    Granularity,
    GranularityOption,
    HierarchyOption,
    JurgensMapping,
    MappingOption,
    ModelUsagesOption,
    OutsideOption,
    SingleOption,
    SingleSenseOption,
    SplitsOption,
    Variant,
    VariantOption,
    check_granularity,
)
from polyseme.errors import InputError


def compare_command(
    first: Annotated[
        str, typer.Argument(metavar="A.key", help="The system to compare with: a labelling, or the folder of a model.")
    ],
    second: Annotated[str, typer.Argument(metavar="B.key", help="The system that may be better.")],
    gold: GoldOption = None,
    task: Annotated[
        str, input_option(metavar="TASK", help="The task. Its options are those of `polyseme score TASK`.")
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
        JurgensMapping, score_option(help="The mapping of jurgens-2012.")
    ] = JurgensMapping.distribution,
    samples: Annotated[
        int, statistics_option(min=100, help="The number of bootstrap resamples and of swaps.")
    ] = 10_000,
    seed: SeedOption = 0,
    confidence: ConfidenceOption = 0.95,
    usages: ModelUsagesOption = None,
    form: FormatOption = Format.table,
    as_json: JsonOption = False,
) -> None:
    """Test whether one system is better than another.

    Examples:
        polyseme compare system.key other.key --gold gold.key
        polyseme compare system.key other.key --gold gold.key --task semeval-2010 --samples 1000

    For each figure, the table has the difference, its bootstrap interval and the p-value of a paired randomisation
    test. Lemmas are resampled and swapped whole.
    """
    from polyseme.interface.scoring import compare
    from polyseme.reports.score_tables import comparison_table

    if not mapping and with_mapping is not JurgensMapping.distribution:
        raise InputError("--no-mapping and --with-mapping exclude one another; drop one of them")
    options = _select_options(
        task,
        (
            TaskSetting("--no-mapping", "mapping", () if mapping else (False, "none")),
            TaskSetting("--with-mapping", "mapping", with_mapping.settings(JurgensMapping.distribution)),
            TaskSetting("--single-sense", "single_sense", (True,) if single_sense else ()),
            TaskSetting("--variant", "variant", variant.settings(Variant.official)),
            TaskSetting("--drop-outside", "outside", () if outside else (False,)),
            TaskSetting("--splits", "splits", () if splits is None else (splits,)),
            TaskSetting("--hierarchy", "hierarchy", () if hierarchy is None else (hierarchy,)),
            TaskSetting("--granularity", "granularity", granularity.settings(Granularity.fine)),
            TaskSetting("--single", "single", (True,) if single else ()),
        ),
    )
    check_granularity(granularity, hierarchy)
    comparison = compare(
        first, second, gold, task, usages=usages, samples=samples, seed=seed, confidence=confidence, **options
    )
    emit(
        Format.json if as_json else form,
        comparison.to_dict(),
        lambda: comparison_table(comparison.first, comparison.second, comparison.rows, confidence),
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


def _select_options(name: str, settings: Sequence[TaskSetting]) -> dict[str, Any]:
    """Return the options of a task by these settings; one that the task does not have is an error."""
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
    return options
