"""The protocols as the command line offers them: how a key is read, scored, and which baselines stand beside it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from polyseme.cli.output import add_file_name
from polyseme.errors import InputError

if TYPE_CHECKING:
    from polyseme.baselines import Baseline
    from polyseme.formats.answer_key import LoadedLabelling
    from polyseme.labelling import Labelling
    from polyseme.tasks.result import TaskResult

    Scored = Callable[[Labelling, Labelling], TaskResult]
    Trivial = Sequence[tuple[Mapping[str, Sequence[Baseline]], Scored]]


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
    bool, typer.Option("--mapping/--no-mapping", help="Map induced senses to gold's, or compare by name.")
]
SingleSenseOption = Annotated[
    bool, typer.Option("--single-sense", help="Keep only the heaviest sense after the mapping.")
]
VariantOption = Annotated[Variant, typer.Option(help="The scorer's definitions, or the paper's.")]
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


@dataclass(frozen=True)
class Protocol:
    """A task with its options filled in."""

    task: str
    rule: str
    """The loading rule of its keys."""
    score: Callable[[Labelling, LoadedLabelling], TaskResult]
    beside: Callable[[], Trivial]
    """The baselines to show, and how each kind of them is scored."""


def semeval_2013(*, mapping: bool, single_sense: bool, variant: Variant, outside: bool) -> Protocol:
    """SemEval-2013 Task 13."""
    from polyseme.tasks import protocols

    scored = partial(
        protocols.semeval_2013, mapping=mapping, single_sense=single_sense, variant=variant.value, outside=outside
    )

    def beside() -> Trivial:
        from polyseme.baselines import CLUSTER_BASELINES, MOST_FREQUENT_BASELINE, SENSE_BASELINES

        by_name = partial(scored, mapping=False)
        return (
            [(CLUSTER_BASELINES, scored), (MOST_FREQUENT_BASELINE, by_name)]
            if mapping
            else [(SENSE_BASELINES, by_name)]
        )

    return Protocol(
        "semeval-2013",
        "semeval-2013",
        lambda gold, key: scored(gold, key.labelling, unlabelled=key.unlabelled),
        beside,
    )


def semeval_2010(*, splits: Path | None, more: bool) -> Protocol:
    """SemEval-2010 Task 14; ``more`` adds the measures that its ranking page gave too."""
    from polyseme.formats.splits import read_splits
    from polyseme.tasks import protocols

    scored = partial(protocols.semeval_2010, splits=None if splits is None else read_splits(splits), more=more)

    def beside() -> Trivial:
        from polyseme.baselines import CLUSTER_BASELINES

        return [(CLUSTER_BASELINES, scored)]

    return Protocol("semeval-2010", "as-written", lambda gold, key: scored(gold, key.labelling), beside)


def senseval(*, hierarchy: Path | None, granularity: Granularity, single: bool) -> Protocol:
    """Senseval, as Melamed and Resnik score it."""
    from polyseme.formats.hierarchy import read_hierarchy
    from polyseme.measures.melamed_resnik import SenseHierarchy
    from polyseme.tasks import protocols

    if granularity is not Granularity.fine and hierarchy is None:
        raise InputError(f"--granularity {granularity} needs the hierarchy of senses: add --hierarchy FILE")
    tree = None
    if hierarchy is not None:
        with add_file_name(hierarchy):
            tree = SenseHierarchy(read_hierarchy(hierarchy))
    scored = partial(protocols.senseval, hierarchy=tree, granularity=granularity.value, single=single)

    def beside() -> Trivial:
        from polyseme.baselines import SENSE_BASELINES

        return [(SENSE_BASELINES, scored)]

    return Protocol("senseval", "senseval", lambda gold, key: scored(gold, key.labelling), beside)


def jurgens_2012(*, mapping: JurgensMapping) -> Protocol:
    """Jurgens 2012."""
    from polyseme.tasks import protocols

    def beside() -> Trivial:
        from polyseme.baselines import SENSE_BASELINES

        return [(SENSE_BASELINES, partial(protocols.jurgens_2012, mapping="none"))]

    return Protocol(
        "jurgens-2012",
        "as-written",
        lambda gold, key: protocols.jurgens_2012(gold, key.labelling, mapping=mapping.value),
        beside,
    )


def lexsub() -> Protocol:
    """Lexical substitution, SemEval-2007 Task 10; see :func:`polyseme.tasks.lexsub.lexsub`."""
    from polyseme.tasks.lexsub import SUBSTITUTE_BASELINES
    from polyseme.tasks.lexsub import lexsub as scored

    return Protocol(
        "lexsub",
        "as-written",
        lambda gold, key: scored(gold, key.labelling),
        lambda: [(SUBSTITUTE_BASELINES, scored)],
    )
