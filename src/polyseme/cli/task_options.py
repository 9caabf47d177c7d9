"""The options of tasks, which ``score`` and ``compare`` share."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from polyseme.cli.help import INPUT, SCORES
from polyseme.errors import InputError


class TaskChoice(StrEnum):
    """The choices of an option of tasks."""

    def settings(self, default: TaskChoice) -> tuple[str, ...]:
        """Return the value if it is not the default."""
        return () if self is default else (self.value,)


class Variant(TaskChoice):
    """Whose definition of a measure is used where the paper and its scorer differ."""

    official = "official"
    paper = "paper"


class Granularity(TaskChoice):
    """How senses of a hierarchy are compared."""

    fine = "fine"
    mixed = "mixed"
    coarse = "coarse"


class JurgensMapping(TaskChoice):
    """How induced senses become gold senses."""

    agirre = "agirre"
    graded = "graded"
    distribution = "distribution"
    none = "none"


GoldOption = Annotated[
    str | None,
    typer.Option(
        "--gold",
        metavar="GOLD.key",
        help="The gold standard: a file, or the name of a data set. Default: that of the task's own data set.",
        rich_help_panel=INPUT,
    ),
]
ModelUsagesOption = Annotated[
    str | None,
    typer.Option(
        "--usages",
        metavar="USAGES",
        help="The usages that a model labels: a file or a data set. Default: those of the task's own data set.",
        rich_help_panel=INPUT,
    ),
]
MappingOption = Annotated[
    bool,
    typer.Option(
        "--mapping/--no-mapping",
        help="Map induced senses to those of gold, or compare by name.",
        rich_help_panel=SCORES,
    ),
]
SingleSenseOption = Annotated[
    bool, typer.Option("--single-sense", help="Keep only the heaviest sense after the mapping.", rich_help_panel=SCORES)
]
VariantOption = Annotated[
    Variant, typer.Option(help="The definitions of the scorer, or of the paper.", rich_help_panel=SCORES)
]
OutsideOption = Annotated[
    bool,
    typer.Option(
        "--keep-outside/--drop-outside",
        help="Whether usages outside the gold key count in the cluster measures, as in the published figures.",
        rich_help_panel=SCORES,
    ),
]
SplitsOption = Annotated[
    Path | None,
    typer.Option(
        metavar="FOLDER",
        help="The splits for supervised recall: FOLDER/80_20/all/mapping.1.key …",
        rich_help_panel=INPUT,
    ),
]
HierarchyOption = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE", help="The hierarchy of senses: one 'child parent' pair a line.", rich_help_panel=INPUT
    ),
]
GranularityOption = Annotated[
    Granularity, typer.Option(help="How senses of a hierarchy are compared.", rich_help_panel=SCORES)
]
SingleOption = Annotated[
    bool, typer.Option("--single", help="Score only usages with a single gold sense.", rich_help_panel=SCORES)
]


def check_granularity(granularity: Granularity, hierarchy: Path | None) -> None:
    """Raise an error if the granularity needs a hierarchy, and there is none."""
    if granularity is not Granularity.fine and hierarchy is None:
        raise InputError(f"--granularity {granularity} needs the hierarchy of senses: add --hierarchy FILE")
