"""The options of tasks, which ``score`` and ``compare`` share."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

from polyseme.cli.help import input_option, score_option
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
    input_option(
        "--gold",
        metavar="GOLD.key",
        help="The gold standard: a file, or the name of a data set. Default: that of the task's own data set.",
    ),
]
ModelUsagesOption = Annotated[
    str | None,
    input_option(
        "--usages",
        metavar="USAGES",
        help="The usages that a model labels: a file or a data set. Default: those of the task's own data set.",
    ),
]
MappingOption = Annotated[
    bool, score_option("--mapping/--no-mapping", help="Map induced senses to gold senses, or compare senses by name.")
]
SingleSenseOption = Annotated[
    bool, score_option("--single-sense", help="Keep only the heaviest sense after the mapping.")
]
VariantOption = Annotated[Variant, score_option(help="The definitions of the scorer, or of the paper.")]
OutsideOption = Annotated[
    bool,
    score_option(
        "--keep-outside/--drop-outside",
        help="Whether usages outside the gold key count in the cluster measures, as in the published figures.",
    ),
]
SplitsOption = Annotated[
    Path | None,
    input_option(metavar="FOLDER", help="The splits for supervised recall: FOLDER/80_20/all/mapping.1.key …"),
]
HierarchyOption = Annotated[
    Path | None, input_option(metavar="FILE", help="The hierarchy of senses: one 'child parent' pair per line.")
]
GranularityOption = Annotated[Granularity, score_option(help="How senses of a hierarchy are compared.")]
SingleOption = Annotated[bool, score_option("--single", help="Score only usages with a single gold sense.")]


def check_granularity(granularity: Granularity, hierarchy: Path | None) -> None:
    """Raise an error if the granularity needs a hierarchy, and there is none."""
    if granularity is not Granularity.fine and hierarchy is None:
        raise InputError(f"--granularity {granularity} needs the hierarchy of senses: add --hierarchy FILE")
