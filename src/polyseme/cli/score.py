"""``polyseme score``: systems against a gold key, under a paper's protocol."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from polyseme.cli.output import (
    Format,
    FormatOption,
    JsonOption,
    add_file_name,
    emit,
    short_file_names,
    track_progress,
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
    from polyseme.reports.tables import Table


class TaskGroup(TyperGroup):
    """The commands of ``polyseme score``; a task without options of its own needs no code here."""

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names of the commands, and of all other tasks that score answer keys."""
        from polyseme.tasks.registry import key_tasks_by_name

        names = super().list_commands(ctx)
        return [*names, *sorted(key_tasks_by_name().keys() - set(names))]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return the command of a task; a task without a command gets one without options."""
        command = super().get_command(ctx, cmd_name)
        if command is not None:
            return command
        from polyseme.tasks.registry import key_tasks_by_name

        task = key_tasks_by_name().get(cmd_name)
        if task is None:
            return None

        def score_task(
            keys: KeysArgument,
            gold: GoldOption,
            by: ByOption = None,
            baselines: BaselinesOption = True,
            form: FormatOption = Format.table,
            as_json: JsonOption = False,
        ) -> None:
            score_files(task(), keys, gold, by, baselines, form, as_json)

        score_task.__doc__ = (task.__doc__ or "").partition("\n")[0]
        single = typer.Typer(rich_markup_mode=None)
        single.command(cmd_name)(score_task)
        return typer.main.get_command(single)


score_commands = typer.Typer(
    cls=TaskGroup, no_args_is_help=True, rich_markup_mode=None, help="Score answer keys against a gold key."
)

KeysArgument = Annotated[
    list[str], typer.Argument(metavar="SYSTEM.key…", help="The answer keys of systems (or Parquet, or JSON Lines).")
]
GoldOption = Annotated[Path, typer.Option("--gold", metavar="GOLD.key", help="The gold answer key.")]
ByOption = Annotated[
    list[str] | None,
    typer.Option(
        "--by",
        metavar="lemma|pos|FILE",
        help="Break the scores down: by lemma, by part of speech, or by a file: an answer key names a group of usages,"
        " a .tsv the group of each usage or lemma. May be repeated.",
    ),
]
BaselinesOption = Annotated[
    bool, typer.Option("--baselines/--no-baselines", help="Show trivial baselines below the systems (tables only).")
]


@score_commands.command("semeval-2013")
def score_semeval_2013(
    keys: KeysArgument,
    gold: GoldOption,
    mapping: MappingOption = True,
    single_sense: SingleSenseOption = False,
    variant: VariantOption = Variant.official,
    outside: OutsideOption = True,
    by: ByOption = None,
    baselines: BaselinesOption = True,
    form: FormatOption = Format.table,
    as_json: JsonOption = False,
) -> None:
    """SemEval-2013 Task 13: Jaccard, Ksim, WNDCG after mapping; Fuzzy NMI and Fuzzy B-Cubed without it."""
    from polyseme.tasks.semeval_2013 import SemEval2013

    task = SemEval2013(mapping, single_sense, variant.value, outside)
    score_files(task, keys, gold, by, baselines, form, as_json)


@score_commands.command("semeval-2010")
def score_semeval_2010(
    keys: KeysArgument,
    gold: GoldOption,
    splits: SplitsOption = None,
    by: ByOption = None,
    baselines: BaselinesOption = True,
    form: FormatOption = Format.table,
    as_json: JsonOption = False,
) -> None:
    """SemEval-2010 Task 14: V-measure, paired F-score and, with --splits, supervised recall."""
    from polyseme.tasks.semeval_2010 import SemEval2010

    with_ranking_measures = not (as_json or form is Format.json)
    task = SemEval2010(read_splits_option(splits), with_ranking_measures)
    score_files(task, keys, gold, by, baselines, form, as_json)


@score_commands.command("senseval")
def score_senseval(
    keys: KeysArgument,
    gold: GoldOption,
    hierarchy: HierarchyOption = None,
    granularity: GranularityOption = Granularity.fine,
    single: SingleOption = False,
    by: ByOption = None,
    baselines: BaselinesOption = True,
    form: FormatOption = Format.table,
    as_json: JsonOption = False,
) -> None:
    """Senseval: precision and recall of weighted answers (Melamed & Resnik), with or without a hierarchy."""
    from polyseme.tasks.senseval import Senseval

    check_granularity(granularity, hierarchy)
    task = Senseval(granularity.value, single, read_hierarchy_option(hierarchy))
    score_files(task, keys, gold, by, baselines, form, as_json)


@score_commands.command("jurgens-2012")
def score_jurgens_2012(
    keys: KeysArgument,
    gold: GoldOption,
    mapping: Annotated[
        JurgensMapping, typer.Option(help="How induced senses become gold senses; none: compare by name.")
    ] = JurgensMapping.distribution,
    by: ByOption = None,
    baselines: BaselinesOption = True,
    form: FormatOption = Format.table,
    as_json: JsonOption = False,
) -> None:
    """Jurgens 2012: Detection, Ranking and Perception of graded senses, and Recall."""
    from polyseme.tasks.jurgens_2012 import Jurgens2012

    score_files(Jurgens2012(mapping.value), keys, gold, by, baselines, form, as_json)


@score_commands.command("lexsub")
def score_lexsub(
    systems: Annotated[
        list[str],
        typer.Argument(
            metavar="ANSWERS…",
            help="Files of substitutes: LexSub answers for best (::) or oot (:::), answer keys, Parquet or JSON Lines.",
        ),
    ],
    gold: Annotated[Path, typer.Option("--gold", metavar="GOLD", help="Substitutes with their counts.")],
    by: ByOption = None,
    baselines: BaselinesOption = True,
    form: FormatOption = Format.table,
    as_json: JsonOption = False,
) -> None:
    """Lexical substitution (SemEval-2007 Task 10): best and oot, both also by mode, GAP, P@1 and P@3.

    In an answer file for best, all substitutes of a line are guesses; in any other file, only the heaviest is.
    """
    from polyseme.tasks.lexsub import LexSub

    score_files(LexSub(), systems, gold, by, baselines, form, as_json)


@score_commands.command("usim")
def score_usim(
    systems: Annotated[
        list[str], typer.Argument(metavar="SYSTEM.key|PAIRS.tsv…", help="Answer keys, or tables of pairs (.tsv).")
    ],
    gold: Annotated[Path, typer.Option("--gold", metavar="USIM", help="Usim averages, or a table of rated pairs.")],
    baselines: BaselinesOption = True,
    form: FormatOption = Format.table,
    as_json: JsonOption = False,
) -> None:
    """Usage similarity: Spearman's ρ with ratings, and the mean rating within and across the system's senses."""
    from polyseme.tasks.usim import Usim

    score_files(Usim(), systems, gold, None, baselines, form, as_json)


def score_files(
    task: Any, paths: list[str], gold_path: Path, by: list[str] | None, baselines: bool, form: Format, as_json: bool
) -> None:
    """Score the files of systems against gold, and print the scores."""
    from polyseme.cli.score_groups import read_score_groups

    gold = task.read_gold(gold_path)
    groups = read_score_groups(gold, by) if by else []
    results: dict[str, Any] = {}
    for path in track_progress(_check_distinct(paths), len(paths), "Scoring"):
        with add_file_name(path):
            results[path] = task.score_file(gold, path)
    parts = {
        path: {name: part for group in groups for name, part in group.split(result).items()}
        for path, result in (results.items() if groups else ())
    }
    objects = {
        path: result.summary() | ({"by": {name: part.summary() for name, part in parts[path].items()}} if parts else {})
        for path, result in results.items()
    }
    value = objects if len(objects) > 1 else next(iter(objects.values()))
    emit(Format.json if as_json else form, value, lambda: _build_table(task, gold, results, parts, baselines))


def _build_table(
    task: Any, gold: Any, results: Mapping[str, Any], parts: Mapping[str, Mapping[str, Any]], baselines: bool
) -> Table:
    from polyseme.reports.score_tables import group_table, score_table

    below = task.score_baselines(gold) if baselines else {}
    names = dict(zip(results, short_file_names(list(results)), strict=True))
    systems = {names[path]: result.figures() for path, result in results.items()}
    if not parts:
        return score_table(task, systems, below)
    groups = {
        names[path]: {"all": result.figures()} | {name: part.figures() for name, part in parts[path].items()}
        for path, result in results.items()
    }
    return group_table(task, groups, below)


def _check_distinct(paths: list[str]) -> Iterator[str]:
    """Yield the paths, and raise an error if one comes twice."""
    earlier: set[Path] = set()
    for path in paths:
        if Path(path) in earlier:
            raise InputError("this key is named twice", path=path)
        earlier.add(Path(path))
        yield path
