"""``polyseme report``: pages of results, of annotation and of senses, with their tables and plots as files."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from polyseme.cli.agreement import CompleteOption, InventoryOption, StudyOption, TaskOption, UsagesOption
from polyseme.cli.help import CommandGroup, input_option, model_option, output_option, score_option, statistics_option
from polyseme.cli.output import (
    ConfidenceOption,
    DataFolderOption,
    ResamplesOption,
    SeedOption,
    check_output_file,
    check_output_folder,
    report_lemmas,
)
from polyseme.cli.task_options import GoldOption
from polyseme.errors import count_noun

if TYPE_CHECKING:
    from polyseme.reports.page import HtmlReport

report_commands = CommandGroup("Make a page to share, about results, annotation or words.", no_args_is_help=True)

OutOption = Annotated[Path, output_option("--output", "-o", metavar="FILE.html", help="The page to write.")]
TablesOption = Annotated[
    Path | None, output_option(metavar="FOLDER", help="Also write each table as CSV and LaTeX, named after its title.")
]
PlotsOption = Annotated[
    Path | None, output_option(metavar="FOLDER", help="Also write each plot as SVG and PNG, named after its title.")
]


SourcesArgument = Annotated[
    list[str],
    typer.Argument(
        metavar="PLAN.toml|FOLDER|SYSTEM.key…",
        help="The plan of a run, or the folder of its results; with --task, the keys of systems, or models.",
    ),
]
KeyTaskOption = Annotated[
    str | None,
    input_option(
        metavar="TASK", help="The task of the keys: semeval-2013, or with options 'SemEval2013(mapping=False)'."
    ),
]
SystemsOption = Annotated[
    list[str] | None,
    input_option(
        metavar="all|none|NAME",
        help="The published systems to show beside the keys, if the data set has any. Default: all. May be repeated.",
    ),
]
KeyUsagesOption = Annotated[
    str | None,
    input_option(
        metavar="FILE|DATA SET", help="The usages of the keys, to quote them. Default: those of the data set."
    ),
]
MeasureOption = Annotated[
    str,
    score_option(
        metavar="FIGURE", help="The figure that ranks the rows, such as fuzzy_nmi. Default: that of the task."
    ),
]


@report_commands.command("results")
def report_results(
    sources: SourcesArgument,
    out: OutOption,
    task: KeyTaskOption = None,
    gold: GoldOption = None,
    systems: SystemsOption = None,
    usages: KeyUsagesOption = None,
    title: Annotated[str, output_option(help="The title of a page of keys.")] = "",
    folder: Annotated[
        Path, input_option("--results", metavar="FOLDER", help="The folder that `polyseme run` wrote.")
    ] = Path("results"),
    against: Annotated[
        str, score_option(metavar="NAME", help="The row to compare all others with. Default: the best baseline.")
    ] = "",
    measure: MeasureOption = "",
    samples: Annotated[int, statistics_option(min=100, help="The number of bootstrap resamples and of swaps.")] = 2000,
    seed: SeedOption = 0,
    confidence: ConfidenceOption = 0.95,
    examples: Annotated[int, output_option(min=0, help="The number of wrongly labelled usages to list.")] = 12,
    tables: TablesOption = None,
    plots: PlotsOption = None,
    data: DataFolderOption = None,
) -> None:
    """Make a page of results: scores, tests, lemmas and mistakes.

    Examples:
        polyseme report results system.key other.key --gold gold.key --task semeval-2013 -o results.html
        polyseme report results plan.toml --results results -o plan.html

    With --task, your keys are scored beside published systems and baselines. Without it, the page shows what
    `polyseme run` stored.
    """
    from polyseme.interface import reporting

    _check_outputs(out, tables, plots)
    report = reporting.report_results(
        *dict.fromkeys(sources),
        task=task,
        gold=gold,
        systems=systems or reporting.ALL,
        usages=usages,
        title=title,
        results=folder,
        against=against,
        measure=measure,
        samples=samples,
        seed=seed,
        confidence=confidence,
        examples=examples,
        data=data,
    )
    _write_report(report, out, tables, plots)


@report_commands.command("annotation")
def report_annotation(
    ratings: Annotated[
        list[str],
        typer.Argument(
            metavar="RATINGS …|STUDY.db", help="Ratings: files in any format, data sets, databases of studies."
        ),
    ],
    out: OutOption,
    task: TaskOption = None,
    inventory: InventoryOption = None,
    complete: CompleteOption = None,
    usages: UsagesOption = None,
    study: StudyOption = None,
    resamples: ResamplesOption = 1000,
    seed: SeedOption = 0,
    tables: TablesOption = None,
    plots: PlotsOption = None,
) -> None:
    """Make a page of annotation: agreement, the use of the scale, senses.

    Examples:
        polyseme report annotation ratings.csv -o annotation.html

    The page has all sections of `polyseme agreement` that apply. Ratings of several files are combined.
    """
    from polyseme.interface import reporting

    _check_outputs(out, tables, plots)
    report = reporting.report_annotation(
        *ratings,
        task=task,
        inventory=inventory,
        complete=complete,
        usages=usages,
        study=study,
        resamples=resamples,
        seed=seed,
    )
    _write_report(report, out, tables, plots)


@report_commands.command("senses")
def report_senses(
    index: Annotated[Path, typer.Argument(metavar="INDEX", help="An index made by `polyseme index`.")],
    lemmas: Annotated[
        list[str], typer.Argument(metavar="LEMMA …", help="Words, such as bank, or lemmas, such as bank.n.")
    ],
    out: OutOption,
    model: Annotated[
        str,
        model_option(
            metavar="PART|FOLDER",
            help="An inducer, such as UoS; or the folder of a model made by `polyseme induce`. Default: the small model"
            " if it is installed and the text is English; otherwise context clustering.",
        ),
    ] = "",
    most: Annotated[
        int | None,
        model_option(
            min=1,
            help="The number of usages of a word to sample and label; a language model clusters only these."
            " Default: 300 for a language model, all for others.",
        ),
    ] = None,
    title: Annotated[str, output_option(help="The title of the page.")] = "",
    seeds: Annotated[
        int,
        model_option(
            min=1,
            help="The number of runs that show how certain a model is. A model that clusters the usages it labels is"
            " run on random halves of them, another stochastic model with other seeds.",
        ),
    ] = 3,
    tables: TablesOption = None,
    plots: PlotsOption = None,
) -> None:
    """Make a page about words: their senses, change over time, and WordNet.

    Examples:
        polyseme report senses texts.index bank -o bank.html
        polyseme report senses texts.index bank --model bank.model -o bank.html
    """
    from polyseme.corpus.index import Index
    from polyseme.corpus.lemma_search import count_typed_words
    from polyseme.interface import reporting
    from polyseme.reports.plots import import_altair

    _check_outputs(out, tables, plots)
    import_altair()  # an error comes before long work
    opened = Index.open(index)
    report_lemmas(count_typed_words(opened, lemmas))
    report = reporting.report_senses(opened, *lemmas, model=model, most=most, title=title, seeds=seeds)
    _write_report(report, out, tables, plots)


# -- writing -------------------------------------------------------------------------------------------------------


def _check_outputs(out: Path, *folders: Path | None) -> None:
    """Check that the page, and the folders of tables and plots, can be written."""
    check_output_file(out)
    for folder in folders:
        if folder is not None:
            check_output_folder(folder)


def _typed_command() -> str:
    """Return the typed command without passwords, because pages are passed on."""
    from polyseme.interface.rating_sources import hide_passwords

    return shlex.join(["polyseme", *map(hide_passwords, sys.argv[1:])])


def _write_report(report: HtmlReport, out: Path, tables: Path | None, plots: Path | None) -> None:
    """Write a page, and its tables and plots to folders; print where they are."""
    from polyseme.reports.export import plot_files, table_files, write_files

    report.save(out, _typed_command())
    typer.echo(f"The page is at {out}")
    if tables:
        typer.echo(f"Tables: {count_noun(write_files(tables, table_files(report.tables())), 'file')} in {tables}")
    if plots:
        typer.echo(f"Plots: {count_noun(write_files(plots, plot_files(report.plots())), 'file')} in {plots}")
