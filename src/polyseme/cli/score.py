"""``polyseme score``: systems against a gold key, under a paper's protocol."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from polyseme.cli.help import CommandGroup, HelpGroup, input_option, output_option, score_option
from polyseme.cli.output import Format, FormatOption, JsonOption, emit, short_file_names, track_progress
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

if TYPE_CHECKING:
    from polyseme.reports.tables import Table


class TaskGroup(HelpGroup):
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
            gold: GoldOption = None,
            usages: ModelUsagesOption = None,
            by: ByOption = None,
            baselines: BaselinesOption = True,
            form: FormatOption = Format.table,
            as_json: JsonOption = False,
        ) -> None:
            score_files(cmd_name, keys, gold, usages, by, baselines, form, as_json)

        summary, *details = inspect.cleandoc(task.__doc__ or cmd_name).partition("\n\n>>>")[0].split("\n\n")
        example = f"Examples:\n    polyseme score {cmd_name} system.key --gold gold.key"
        score_task.__doc__ = "\n\n".join([summary, example, *details])
        single = CommandGroup(add_completion=False)
        single.command(cmd_name)(score_task)
        return typer.main.get_command(single)


score_commands = CommandGroup(
    "Score systems against a gold standard, as a shared task does.", TaskGroup, no_args_is_help=True
)

KeysArgument = Annotated[
    list[str],
    typer.Argument(
        metavar="SYSTEM.key…",
        help="Systems: answer keys, Parquet, JSON Lines, folders of models, or labellings of a data set, such as"
        " semeval-2013-task-13:AI-KU.",
    ),
]
ByOption = Annotated[
    list[str] | None,
    output_option(
        "--by",
        metavar="lemma|pos|FILE",
        help="Break the scores down by lemma, by part of speech, or by the groups of a file. An answer key, such as"
        " semeval-2013-task-13:spoken of a data set, is one group of usages. A .tsv file has the group of each usage or"
        " lemma. May be repeated.",
    ),
]
BaselinesOption = Annotated[
    bool, output_option("--baselines/--no-baselines", help="Show trivial baselines below the systems (tables only).")
]


@score_commands.command("semeval-2013")
def score_semeval_2013(
    keys: KeysArgument,
    gold: GoldOption = None,
    usages: ModelUsagesOption = None,
    mapping: MappingOption = True,
    single_sense: SingleSenseOption = False,
    variant: VariantOption = Variant.official,
    outside: OutsideOption = True,
    by: ByOption = None,
    baselines: BaselinesOption = True,
    form: FormatOption = Format.table,
    as_json: JsonOption = False,
) -> None:
    """Score graded senses as SemEval-2013 Task 13 does.

    Examples:
        polyseme score semeval-2013 system.key --gold gold.key
        polyseme score semeval-2013 system.key other.key --gold gold.key --by pos
        polyseme score semeval-2013 system.key --gold gold.key --json

    Jaccard, Ksim and WNDCG compare senses after a mapping. Fuzzy NMI and fuzzy B-Cubed compare clusters without
    one.
    """
    options = {"mapping": mapping, "single_sense": single_sense, "variant": variant.value, "outside": outside}
    score_files("semeval-2013", keys, gold, usages, by, baselines, form, as_json, **options)


@score_commands.command("semeval-2010")
def score_semeval_2010(
    keys: KeysArgument,
    gold: GoldOption = None,
    usages: ModelUsagesOption = None,
    splits: SplitsOption = None,
    by: ByOption = None,
    baselines: BaselinesOption = True,
    form: FormatOption = Format.table,
    as_json: JsonOption = False,
) -> None:
    """Score clusters of usages as SemEval-2010 Task 14 does.

    Examples:
        polyseme score semeval-2010 system.key --gold gold.key

    The figures are V-measure and paired F-score and, with --splits, supervised recall. Of each line
    of a key, the first sense counts; in other labellings, the heaviest.
    """
    options = {"splits": splits, "more": not (as_json or form is Format.json)}
    score_files("semeval-2010", keys, gold, usages, by, baselines, form, as_json, **options)


@score_commands.command("senseval")
def score_senseval(
    keys: KeysArgument,
    gold: GoldOption = None,
    usages: ModelUsagesOption = None,
    hierarchy: HierarchyOption = None,
    granularity: GranularityOption = Granularity.fine,
    single: SingleOption = False,
    by: ByOption = None,
    baselines: BaselinesOption = True,
    form: FormatOption = Format.table,
    as_json: JsonOption = False,
) -> None:
    """Score weighted answers as Senseval does, with or without a hierarchy of senses.

    Examples:
        polyseme score senseval tagger.key --gold gold.key

    The figures are the precision and recall of Melamed and Resnik (2000).
    """
    check_granularity(granularity, hierarchy)
    options = {"granularity": granularity.value, "single": single, "hierarchy": hierarchy}
    score_files("senseval", keys, gold, usages, by, baselines, form, as_json, **options)


@score_commands.command("jurgens-2012")
def score_jurgens_2012(
    keys: KeysArgument,
    gold: GoldOption = None,
    usages: ModelUsagesOption = None,
    mapping: Annotated[
        JurgensMapping,
        score_option(case_sensitive=False, help="How induced senses become gold senses; none: compare by name."),
    ] = JurgensMapping.distribution,
    by: ByOption = None,
    baselines: BaselinesOption = True,
    form: FormatOption = Format.table,
    as_json: JsonOption = False,
) -> None:
    """Score graded senses as Jurgens (2012) does.

    Examples:
        polyseme score jurgens-2012 system.key --gold gold.key --mapping graded

    The figures are Detection, Ranking, Perception and Recall.
    """
    score_files("jurgens-2012", keys, gold, usages, by, baselines, form, as_json, mapping=mapping.value)


@score_commands.command("lexsub")
def score_lexsub(
    systems: Annotated[
        list[str],
        typer.Argument(
            metavar="ANSWERS…",
            help="Files of substitutes: LexSub answers for best (::) or oot (:::), answer keys, Parquet or JSON Lines.",
        ),
    ],
    gold: Annotated[str, input_option("--gold", metavar="GOLD", help="Substitutes with their counts.")],
    by: ByOption = None,
    baselines: BaselinesOption = True,
    form: FormatOption = Format.table,
    as_json: JsonOption = False,
) -> None:
    """Score substitutes as SemEval-2007 Task 10 does.

    Examples:
        polyseme score lexsub answers.jsonl --gold substitutes.gold

    The figures are *best* and *oot* with their modes, GAP, P@1 and P@3. In a file of best answers, all substitutes
    of a line are guesses; in any other file, only the heaviest one is.
    """
    score_files("lexsub", systems, gold, None, by, baselines, form, as_json)


@score_commands.command("usim")
def score_usim(
    systems: Annotated[
        list[str], typer.Argument(metavar="SYSTEM.key|PAIRS.tsv…", help="Answer keys, or tables of pairs (.tsv).")
    ],
    gold: Annotated[
        str, input_option("--gold", metavar="USIM", help="Usim averages, a table of rated pairs, or a data set.")
    ],
    baselines: BaselinesOption = True,
    form: FormatOption = Format.table,
    as_json: JsonOption = False,
) -> None:
    """Score similarities of usages against annotators' ratings.

    Examples:
        polyseme score usim pairs.tsv --gold rated-pairs.tsv

    The figures are Spearman's ρ with the ratings, and the mean rating within and across the system's senses.
    """
    score_files("usim", systems, gold, None, None, baselines, form, as_json)


def score_files(
    task: str,
    systems: list[str],
    gold: str | None,
    usages: str | None,
    by: list[str] | None,
    baselines: bool,
    form: Format,
    as_json: bool,
    **options: Any,
) -> None:
    """Score systems against gold, and print the scores; an option that is ``None`` has its default."""
    from polyseme.cli.score_groups import read_score_groups
    from polyseme.interface.scoring import open_task, score_system

    protocol, reference = open_task(task, gold, **{name: value for name, value in options.items() if value is not None})
    groups = read_score_groups(reference, by) if by else []
    results: dict[str, Any] = {
        path: score_system(protocol, reference, path, usages)
        for path in track_progress(_check_distinct(systems), len(systems), "Scoring")
    }
    parts = {
        path: {name: part for group in groups for name, part in group.split(result).items()}
        for path, result in (results.items() if groups else ())
    }
    objects = {
        path: result.summary() | ({"by": {name: part.summary() for name, part in parts[path].items()}} if parts else {})
        for path, result in results.items()
    }
    value = objects if len(objects) > 1 else next(iter(objects.values()))
    emit(Format.json if as_json else form, value, lambda: _build_table(protocol, reference, results, parts, baselines))


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
            raise InputError("this key is named twice; name it once", path=path)
        earlier.add(Path(path))
        yield path
