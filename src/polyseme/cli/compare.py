"""``polyseme compare``: is one system better than another?"""

from __future__ import annotations

from collections.abc import Callable
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
    make_semeval_2010,
    make_senseval,
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

    options = TaskOptions(mapping, single_sense, variant, outside, splits, hierarchy, granularity, single, with_mapping)
    protocol = options.make_task(task)
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


class TaskOptions(NamedTuple):
    """The options of all tasks, as the command has them."""

    mapping: bool
    single_sense: bool
    variant: Variant
    outside: bool
    splits: Path | None
    hierarchy: Path | None
    granularity: Granularity
    single: bool
    with_mapping: JurgensMapping

    def make_task(self, name: str) -> LabellingTask:
        """Make a task with these options; an option that the task does not have is an error."""
        from polyseme.tasks import get_task
        from polyseme.tasks.task import LabellingTask

        part: Any = get_task(name)
        if not issubclass(part, LabellingTask):
            raise InputError(f"--task {name}: its results cannot be compared; name a task that scores labellings")
        for option, (is_set, tasks) in self._tasks_by_option().items():
            if is_set and name not in tasks:
                raise InputError(f"{option} goes with --task {' or '.join(tasks)}, not with {name}")
        if not self.mapping and self.with_mapping is not JurgensMapping.distribution:
            raise InputError("--no-mapping and --with-mapping exclude one another")
        makers: dict[str, Callable[[], Any]] = {
            "semeval-2013": lambda: part(self.mapping, self.single_sense, self.variant.value, self.outside),
            "semeval-2010": lambda: make_semeval_2010(self.splits, more=True),
            "senseval": lambda: make_senseval(self.hierarchy, self.granularity, self.single),
            "jurgens-2012": lambda: part(self.with_mapping.value if self.mapping else "none"),
        }
        task: LabellingTask = makers.get(name, part)()
        return task

    def _tasks_by_option(self) -> dict[str, tuple[bool, tuple[str, ...]]]:
        """Return whether each option is set, and the tasks that have it."""
        return {
            "--no-mapping": (not self.mapping, ("semeval-2013", "jurgens-2012")),
            "--single-sense": (self.single_sense, ("semeval-2013",)),
            "--variant": (self.variant is not Variant.official, ("semeval-2013",)),
            "--drop-outside": (not self.outside, ("semeval-2013",)),
            "--splits": (self.splits is not None, ("semeval-2010",)),
            "--hierarchy": (self.hierarchy is not None, ("senseval",)),
            "--granularity": (self.granularity is not Granularity.fine, ("senseval",)),
            "--single": (self.single, ("senseval",)),
            "--with-mapping": (self.with_mapping is not JurgensMapping.distribution, ("jurgens-2012",)),
        }
