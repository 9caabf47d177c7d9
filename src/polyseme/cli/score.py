"""``polyseme score``: systems against a gold key, under a paper's protocol."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from polyseme.cli import protocols
from polyseme.cli.output import Format, FormatOption, JsonOption, add_file_name, emit, short_file_names, track_progress
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

if TYPE_CHECKING:
    from polyseme.labelling import Labelling
    from polyseme.reports.tables import Table
    from polyseme.tasks.result import TaskResult

score = typer.Typer(no_args_is_help=True, rich_markup_mode=None, help="Score answer keys against a gold key.")

Keys = Annotated[
    list[str], typer.Argument(metavar="SYSTEM.key…", help="The systems' answer keys (or Parquet, or JSON Lines).")
]
Gold = Annotated[Path, typer.Option("--gold", metavar="GOLD.key", help="The gold answer key.")]
By = Annotated[
    list[str] | None,
    typer.Option(
        "--by",
        metavar="lemma|pos|FILE",
        help="Break the scores down: by lemma, by part of speech, or by a file: an answer key names a group of usages,"
        " a .tsv gives the group of each usage or lemma. May be repeated.",
    ),
]
BaselinesOption = Annotated[
    bool, typer.Option("--baselines/--no-baselines", help="Show trivial baselines below the systems (tables only).")
]


@score.command("semeval-2013")
def semeval_2013(
    keys: Keys,
    gold: Gold,
    mapping: MappingOption = True,
    single_sense: SingleSenseOption = False,
    variant: VariantOption = Variant.official,
    outside: OutsideOption = True,
    by: By = None,
    baselines: BaselinesOption = True,
    form: FormatOption = Format.table,
    as_json: JsonOption = False,
) -> None:
    """SemEval-2013 Task 13: Jaccard, Ksim, WNDCG after mapping; Fuzzy NMI and Fuzzy B-Cubed without it."""
    protocol = protocols.semeval_2013(mapping=mapping, single_sense=single_sense, variant=variant, outside=outside)
    _run(protocol, keys, gold, by or [], baselines, Format.json if as_json else form)


@score.command("semeval-2010")
def semeval_2010(
    keys: Keys,
    gold: Gold,
    splits: SplitsOption = None,
    by: By = None,
    baselines: BaselinesOption = True,
    form: FormatOption = Format.table,
    as_json: JsonOption = False,
) -> None:
    """SemEval-2010 Task 14: V-measure, paired F-score and, with --splits, supervised recall."""
    form = Format.json if as_json else form
    protocol = protocols.semeval_2010(splits=splits, more=form is not Format.json)
    _run(protocol, keys, gold, by or [], baselines, form)


@score.command()
def senseval(
    keys: Keys,
    gold: Gold,
    hierarchy: HierarchyOption = None,
    granularity: GranularityOption = Granularity.fine,
    single: SingleOption = False,
    by: By = None,
    baselines: BaselinesOption = True,
    form: FormatOption = Format.table,
    as_json: JsonOption = False,
) -> None:
    """Senseval: precision and recall of weighted answers (Melamed & Resnik), with or without a hierarchy."""
    protocol = protocols.senseval(hierarchy=hierarchy, granularity=granularity, single=single)
    _run(protocol, keys, gold, by or [], baselines, Format.json if as_json else form)


@score.command("jurgens-2012")
def jurgens_2012(
    keys: Keys,
    gold: Gold,
    mapping: Annotated[
        JurgensMapping, typer.Option(help="How induced senses become gold senses; none: compare by name.")
    ] = JurgensMapping.distribution,
    by: By = None,
    baselines: BaselinesOption = True,
    form: FormatOption = Format.table,
    as_json: JsonOption = False,
) -> None:
    """Jurgens 2012: Detection, Ranking and Perception of graded senses, and Recall."""
    _run(protocols.jurgens_2012(mapping=mapping), keys, gold, by or [], baselines, Format.json if as_json else form)


@score.command()
def lexsub(
    systems: Annotated[
        list[str],
        typer.Argument(
            metavar="ANSWERS…",
            help="Files of substitutes: LexSub answers for best (::) or oot (:::), answer keys, Parquet or JSON Lines.",
        ),
    ],
    gold: Annotated[Path, typer.Option("--gold", metavar="GOLD", help="Substitutes with their counts.")],
    by: By = None,
    baselines: BaselinesOption = True,
    form: FormatOption = Format.table,
    as_json: JsonOption = False,
) -> None:
    """Lexical substitution (SemEval-2007 Task 10): best and oot, both also by mode, GAP, P@1 and P@3.

    Of an answer file for best, all substitutes of a line are guesses; of any other file, the heaviest is.
    """
    _run(protocols.lexsub(), systems, gold, by or [], baselines, Format.json if as_json else form)


@score.command()
def usim(
    systems: Annotated[
        list[str], typer.Argument(metavar="SYSTEM.key|PAIRS.tsv…", help="Answer keys, or tables of pairs (.tsv).")
    ],
    gold: Annotated[Path, typer.Option("--gold", metavar="USIM", help="Usim averages, or a table of rated pairs.")],
    baselines: BaselinesOption = True,
    form: FormatOption = Format.table,
    as_json: JsonOption = False,
) -> None:
    """Usage similarity: Spearman's ρ with people's ratings, and their mean within and across the system's senses."""
    from polyseme.formats import read_labelling
    from polyseme.formats.files import format_suffix
    from polyseme.formats.usage_pairs import read_pairs
    from polyseme.reports.score_tables import usim_table
    from polyseme.tasks.usim import score_usim_baselines
    from polyseme.tasks.usim import usim as compared

    rated = read_pairs(gold)
    found = {}
    for path in _distinct(systems):
        with add_file_name(path):
            found[path] = compared(rated, read_pairs(path) if format_suffix(path) == ".tsv" else read_labelling(path))

    def table() -> Table:
        names = dict(zip(short_file_names(systems), found.values(), strict=True))
        return usim_table(names, score_usim_baselines(rated) if baselines else {})

    emit(Format.json if as_json else form, _by_name({path: each.summary() for path, each in found.items()}), table)


def _run(protocol: Protocol, keys: list[str], gold_path: Path, by: list[str], baselines: bool, form: Format) -> None:
    """Score all keys against the gold key, and print what was asked for."""
    from polyseme.cli.score_groups import read_score_groups
    from polyseme.formats import load_labelling, read_labelling

    gold = read_labelling(gold_path, protocol.rule)
    groups = read_score_groups(gold, by)
    results: dict[str, TaskResult] = {}
    for path in track_progress(_distinct(keys), len(keys), "Scoring"):
        with add_file_name(path):
            results[path] = protocol.score(gold, load_labelling(path, protocol.rule))
    apart = {
        path: {name: part for each in groups for name, part in each.of(result).items()}
        for path, result in (results.items() if groups else ())
    }
    objects = {
        path: result.summary() | ({"by": {name: each.summary() for name, each in apart[path].items()}} if apart else {})
        for path, result in results.items()
    }
    emit(form, _by_name(objects), lambda: _table(protocol, gold, results, apart, baselines))


def _table(
    protocol: Protocol,
    gold: Labelling,
    results: Mapping[str, TaskResult],
    apart: Mapping[str, Mapping[str, TaskResult]],
    baselines: bool,
) -> Table:
    from polyseme.baselines import score_baselines
    from polyseme.reports.score_tables import group_table, score_table

    below: dict[str, dict[str, float]] = {}
    for some, scored in protocol.beside() if baselines else ():
        below |= score_baselines(gold, some, scored)
    names = dict(zip(results, short_file_names(list(results)), strict=True))
    if not apart:
        systems = {names[path]: result.figures() for path, result in results.items()}
        return score_table(protocol.task, systems, below)
    groups = {
        names[path]: {"all": result.figures()} | {name: each.figures() for name, each in apart[path].items()}
        for path, result in results.items()
    }
    return group_table(protocol.task, groups, below)


def _distinct(paths: list[str]) -> Iterator[str]:
    """The paths, none of which may come twice."""
    seen: set[Path] = set()
    for path in paths:
        if Path(path) in seen:
            raise InputError("this key is given twice", path=path)
        seen.add(Path(path))
        yield path


def _by_name(objects: Mapping[str, Any]) -> Any:
    """With one key its figures, with several an object by file name, as it was given."""
    return objects if len(objects) > 1 else next(iter(objects.values()))
