"""The options of tasks, which ``score`` and ``compare`` share."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from polyseme.cli.output import add_file_name
from polyseme.errors import InputError

if TYPE_CHECKING:
    from polyseme.tasks.semeval_2010 import SemEval2010
    from polyseme.tasks.senseval import Senseval


class Variant(StrEnum):
    """Whose definition of a measure is used where the paper and its scorer differ."""

    official = "official"
    paper = "paper"


class Granularity(StrEnum):
    """How senses of a hierarchy are compared."""

    fine = "fine"
    mixed = "mixed"
    coarse = "coarse"


class JurgensMapping(StrEnum):
    """How induced senses become gold senses."""

    agirre = "agirre"
    graded = "graded"
    distribution = "distribution"
    none = "none"


MappingOption = Annotated[
    bool, typer.Option("--mapping/--no-mapping", help="Map induced senses to those of gold, or compare by name.")
]
SingleSenseOption = Annotated[
    bool, typer.Option("--single-sense", help="Keep only the heaviest sense after the mapping.")
]
VariantOption = Annotated[Variant, typer.Option(help="The definitions of the scorer, or of the paper.")]
OutsideOption = Annotated[
    bool,
    typer.Option(
        "--keep-outside/--drop-outside",
        help="Whether usages outside the gold key count in the cluster measures, as in the published figures.",
    ),
]
SplitsOption = Annotated[
    Path | None,
    typer.Option(metavar="FOLDER", help="The splits for supervised recall: FOLDER/80_20/all/mapping.1.key …"),
]
HierarchyOption = Annotated[
    Path | None, typer.Option(metavar="FILE", help="The hierarchy of senses: one 'child parent' pair a line.")
]
GranularityOption = Annotated[Granularity, typer.Option(help="How senses of a hierarchy are compared.")]
SingleOption = Annotated[bool, typer.Option("--single", help="Score only usages with a single gold sense.")]


def make_semeval_2010(splits: Path | None, *, more: bool) -> SemEval2010:
    """Make the task SemEval-2010 Task 14; ``more`` adds the measures that only its ranking page had."""
    from polyseme.formats.splits import read_splits
    from polyseme.tasks.semeval_2010 import SemEval2010

    return SemEval2010(None if splits is None else read_splits(splits), more)


def make_senseval(hierarchy: Path | None, granularity: Granularity, single: bool) -> Senseval:
    """Make the task Senseval with the hierarchy of a file."""
    from polyseme.formats.hierarchy import read_hierarchy
    from polyseme.measures.melamed_resnik import SenseHierarchy
    from polyseme.tasks.senseval import Senseval

    if granularity is not Granularity.fine and hierarchy is None:
        raise InputError(f"--granularity {granularity} needs the hierarchy of senses: add --hierarchy FILE")
    if hierarchy is None:
        return Senseval(granularity.value, single)
    with add_file_name(hierarchy):
        tree = SenseHierarchy(read_hierarchy(hierarchy))
    return Senseval(granularity.value, single, tree)
