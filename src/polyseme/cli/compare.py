"""``polyseme compare``: is one system better than another?"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from polyseme.cli import protocols
from polyseme.cli.output import Format, FormatOption, JsonOption, add_file_name, emit
from polyseme.cli.protocols import (
    Granularity,
    GranularityOption,
    HierarchyOption,
    JurgensMapping,
    MappingOption,
    OutsideOption,
    Protocol,
    SingleOption,
    SingleSenseOption,
    SplitsOption,
    Variant,
    VariantOption,
)
from polyseme.errors import InputError


class Task(StrEnum):
    """The protocols under which two systems can be compared."""

    semeval_2013 = "semeval-2013"
    semeval_2010 = "semeval-2010"
    senseval = "senseval"
    jurgens_2012 = "jurgens-2012"
    lexsub = "lexsub"


def compare(
    first: Annotated[Path, typer.Argument(metavar="A.key", help="The system to compare with.")],
    second: Annotated[Path, typer.Argument(metavar="B.key", help="The system that may be better.")],
    gold: Annotated[Path, typer.Option("--gold", metavar="GOLD.key", help="The gold answer key.")],
    task: Annotated[Task, typer.Option(help="The protocol; the options below fill it in as in 'score'.")] = (
        Task.semeval_2013
    ),
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
    seed: Annotated[int, typer.Option(min=0, help="The seed of the random numbers.")] = 0,
    confidence: Annotated[float, typer.Option(min=0.5, max=0.999, help="How sure the intervals are.")] = 0.95,
    form: FormatOption = Format.table,
    as_json: JsonOption = False,
) -> None:
    """Compare two systems: bootstrap intervals and a paired randomisation test, both over lemmas."""
    from polyseme.formats import load_labelling, read_labelling
    from polyseme.reports.score_tables import comparison_table
    from polyseme.tasks.comparison import compare_results as compared

    options = Options(mapping, single_sense, variant, outside, splits, hierarchy, granularity, single, with_mapping)
    protocol = options.protocol(task)
    reference = read_labelling(gold, protocol.rule)
    results = []
    for path in (first, second):
        with add_file_name(path):
            results.append(protocol.score(reference, load_labelling(path, protocol.rule)))
    rows = compared(results[0], results[1], samples=samples, seed=seed, confidence=confidence)
    emit(
        Format.json if as_json else form,
        {row.figure: {name: value for name, value in row._asdict().items() if name != "figure"} for row in rows},
        lambda: comparison_table(first.name, second.name, rows, confidence),
    )


class Options(NamedTuple):
    """What fills a protocol in, each field an option of the command."""

    mapping: bool
    single_sense: bool
    variant: Variant
    outside: bool
    splits: Path | None
    hierarchy: Path | None
    granularity: Granularity
    single: bool
    with_mapping: JurgensMapping

    def protocol(self, task: Task) -> Protocol:
        """The task with these options; one that the task does not have is an error, not a silence."""
        for option, (used, allowed) in self._uses().items():
            if used and task not in allowed:
                raise InputError(f"{option} goes with --task {' or '.join(allowed)}, not with {task}")
        if not self.mapping and self.with_mapping is not JurgensMapping.distribution:
            raise InputError("--no-mapping and --with-mapping exclude one another")
        made: dict[Task, Callable[[], Protocol]] = {
            Task.semeval_2013: lambda: protocols.semeval_2013(
                mapping=self.mapping, single_sense=self.single_sense, variant=self.variant, outside=self.outside
            ),
            Task.semeval_2010: lambda: protocols.semeval_2010(splits=self.splits, more=True),
            Task.senseval: lambda: protocols.senseval(
                hierarchy=self.hierarchy, granularity=self.granularity, single=self.single
            ),
            Task.jurgens_2012: lambda: protocols.jurgens_2012(
                mapping=self.with_mapping if self.mapping else JurgensMapping.none
            ),
            Task.lexsub: protocols.lexsub,
        }
        return made[task]()

    def _uses(self) -> dict[str, tuple[bool, tuple[Task, ...]]]:
        """Whether each option was used, and which tasks have it."""
        return {
            "--no-mapping": (not self.mapping, (Task.semeval_2013, Task.jurgens_2012)),
            "--single-sense": (self.single_sense, (Task.semeval_2013,)),
            "--variant": (self.variant is not Variant.official, (Task.semeval_2013,)),
            "--drop-outside": (not self.outside, (Task.semeval_2013,)),
            "--splits": (self.splits is not None, (Task.semeval_2010,)),
            "--hierarchy": (self.hierarchy is not None, (Task.senseval,)),
            "--granularity": (self.granularity is not Granularity.fine, (Task.senseval,)),
            "--single": (self.single, (Task.senseval,)),
            "--with-mapping": (self.with_mapping is not JurgensMapping.distribution, (Task.jurgens_2012,)),
        }
