"""``polyseme report``: pages of results, of annotation and of senses, with their tables and plots as files."""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Sequence
from contextlib import closing
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from polyseme.cli.agreement import SECTION_NAMES, CompleteOption, InventoryOption, TaskOption, UsagesOption
from polyseme.cli.output import (
    ConfidenceOption,
    DataFolderOption,
    ResamplesOption,
    SeedOption,
    check_output_file,
    check_output_folder,
    report_lemmas,
    require_extra,
    show_status,
)
from polyseme.errors import InputError, count_noun

if TYPE_CHECKING:
    from polyseme.experiments.records import RunRecord
    from polyseme.inventory import Inventory
    from polyseme.rating import Ratings
    from polyseme.reports.page import Report
    from polyseme.reports.plots import Plot
    from polyseme.reports.tables import Table

report_commands = typer.Typer(
    no_args_is_help=True, help="Self-contained pages: of results, of annotation and of senses."
)

STORE_SUFFIXES = (".db", ".sqlite", ".sqlite3")
"""The suffixes of a study's stores; those on a server have ://."""

OutOption = Annotated[Path, typer.Option("--output", "-o", metavar="FILE.html", help="The page to write.")]
TablesOption = Annotated[
    Path | None, typer.Option(metavar="FOLDER", help="Write each table too, as CSV and LaTeX, named after its title.")
]
PlotsOption = Annotated[
    Path | None, typer.Option(metavar="FOLDER", help="Write each plot too, as SVG and PNG, named after its title.")
]


@report_commands.command("results")
def report_results(
    source: Annotated[
        Path, typer.Argument(metavar="PLAN.toml|FOLDER", help="The plan of a run, or the folder of its results.")
    ],
    out: OutOption,
    folder: Annotated[
        Path, typer.Option("--results", metavar="FOLDER", help="The folder of results: the -o of `polyseme run`.")
    ] = Path("results"),
    against: Annotated[
        str, typer.Option(metavar="NAME", help="The row that all are compared with. Default: the best baseline.")
    ] = "",
    measure: Annotated[
        str,
        typer.Option(
            metavar="FIGURE", help="The figure to rank and break down by, as fuzzy_nmi. Default: that of the task."
        ),
    ] = "",
    samples: Annotated[int, typer.Option(min=100, help="How many resamples and swaps.")] = 2000,
    seed: SeedOption = 0,
    confidence: ConfidenceOption = 0.95,
    examples: Annotated[int, typer.Option(min=0, help="How many wrongly labelled usages are listed.")] = 12,
    tables: TablesOption = None,
    plots: PlotsOption = None,
    data: DataFolderOption = None,
) -> None:
    """Make a page of an experiment: tables, intervals, tests, results by word and by part, and errors.

    No model is run: the page is made from the results that `polyseme run` stored.
    """
    from polyseme.datasets import load
    from polyseme.experiments.analysis import AnalysisOptions, analyse_run
    from polyseme.experiments.rescoring import rescore_run
    from polyseme.reports.results_page import results_report

    _check_outputs(out, tables, plots)
    record = _find_record(source, folder)
    with show_status() as show:
        run = rescore_run(record, cache(partial(load, data=data)), show)
        options = AnalysisOptions(measure, against, samples, seed, confidence, examples)
        report = results_report(analyse_run(run, options, show))
    _write_report(report, out, tables, plots)


def _find_record(source: Path, folder: Path) -> RunRecord:
    """Find the record of a run by its plan, by its folder, or by its file."""
    from polyseme.experiments.plan import read_plan
    from polyseme.experiments.records import find_only_record, find_record_of_plan, read_record

    if source.is_dir():
        return find_only_record(source)
    if source.suffix == ".json":
        return read_record(source)
    return find_record_of_plan(source, read_plan(source), folder)


@report_commands.command("annotation")
def report_annotation(
    ratings: Annotated[
        list[str],
        typer.Argument(
            metavar="RATINGS …|STUDY.db", help="Ratings: files in any format, data sets, stores of studies."
        ),
    ],
    out: OutOption,
    task: TaskOption = None,
    inventory: InventoryOption = None,
    complete: CompleteOption = None,
    usages: UsagesOption = None,
    resamples: ResamplesOption = 1000,
    seed: SeedOption = 0,
    tables: TablesOption = None,
    plots: PlotsOption = None,
) -> None:
    """Make a page of annotation: agreement, the use of the scale, and what ratings say about senses.

    It has all sections of `polyseme agreement` that apply. Ratings of several files are combined.
    """
    from polyseme.reports.agreement_assembly import AgreementOptions, SectionFiles, assemble_sections
    from polyseme.reports.agreement_page import agreement_report

    _check_outputs(out, tables, plots)
    with show_status() as show:
        show("Reading ratings")
        rows, senses = _combine_ratings(ratings, inventory)
        files = SectionFiles(ratings[0] if len(ratings) == 1 else "the ratings", usages=usages)
        options = AgreementOptions(task, None, complete, resamples, seed)
        sections, notes = assemble_sections(rows, senses, files, options, SECTION_NAMES, show)
        title = ", ".join(Path(hide_passwords(name)).name for name in ratings)
        report = agreement_report(title, sections, notes)
    _write_report(report, out, tables, plots)


def _combine_ratings(names: Sequence[str], inventory: str | None) -> tuple[Ratings, Inventory | None]:
    """Combine the ratings of several sources; a judgement in two of them is an error."""
    from polyseme.datasets.opening import open_inventory, open_rated_inventory
    from polyseme.rating import Ratings

    sources = {name: _open_ratings(name) for name in names}
    origins: dict[tuple[object, ...], str] = {}
    for name, rows in sources.items():
        keys = {(row.annotator, row.task, row.item) for row in rows}
        if other := next((origins[key] for key in keys if key in origins), None):
            raise InputError(f"it has judgements that {other} has too; name each source once", path=name)
        origins |= dict.fromkeys(keys, name)
    inventories = [open_inventory(inventory)] if inventory else map(open_rated_inventory, names)
    senses = next((senses for senses in inventories if senses is not None), None)
    return Ratings(row for rows in sources.values() for row in rows), senses


def _open_ratings(name: str) -> Ratings:
    """Read the ratings of a file, a data set, or the store of a study."""
    from polyseme.datasets.opening import open_ratings

    if "://" not in name and not name.endswith(STORE_SUFFIXES):
        return open_ratings(name)
    with require_extra("annotate"):
        from polyseme.studio.store.store import Store
    with closing(Store.open(name)) as store:
        return store.ratings()


@report_commands.command("senses")
def report_senses(
    index: Annotated[
        Path, typer.Argument(metavar="INDEX", help="The index of a corpus, as `polyseme index` makes it.")
    ],
    lemmas: Annotated[list[str], typer.Argument(metavar="LEMMA …", help="The words, as bank or bank.n.")],
    out: OutOption,
    model: Annotated[
        str,
        typer.Option(
            metavar="PART|FOLDER",
            help="An inducer, as UoS; or a model that `polyseme induce` made. Default: the small model if it is"
            " installed and the text is English; otherwise context clustering.",
        ),
    ] = "",
    most: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="How many usages of a word are sampled and labelled; a language model clusters only these."
            " Default: 200 for a language model, all for others.",
        ),
    ] = None,
    title: Annotated[str, typer.Option(help="The title of the page.")] = "",
    seeds: Annotated[
        int,
        typer.Option(
            min=1,
            help="How many times a model is run, to show how certain it is: on other halves of the usages if it"
            " clusters the usages it labels; with other random seeds if it is stochastic. 1 runs it once.",
        ),
    ] = 3,
    tables: TablesOption = None,
    plots: PlotsOption = None,
) -> None:
    """Make a page about words in a corpus: their senses, with examples, over time, on a map, beside WordNet.

    It is the page of `polyseme demo` for any index, model and words.
    """
    from polyseme.corpus.index import Index
    from polyseme.corpus.lemma_search import count_typed_words
    from polyseme.induction.defaults import default_inducer, default_usage_limit, get_inducer
    from polyseme.reports.word_tables import word_plots, word_tables
    from polyseme.reports.words_page import words_page
    from polyseme.words.word_reports import make_word_reports

    _check_outputs(out, tables, plots)
    opened = Index.open(index)
    counts = count_typed_words(opened, lemmas)
    report_lemmas(counts)
    lemmas = [lemma for count in counts for lemma in count.lemmas or [count.word]]
    with show_status() as show:
        part = _open_inducer(model or default_inducer(opened))
        limit = most or default_usage_limit(get_inducer(part))
        words = make_word_reports(opened, lemmas, part, seeds=seeds, limit=limit, show=show)
    introduction = f"The senses that a model gives {count_noun(len(words), 'word')} in {index.name}."
    page = words_page(title or f"Senses in {index.name}", introduction, words, _typed_command())
    _write_page(page, word_tables(words), word_plots(words), out, tables, plots)


def _open_inducer(name: str) -> Any:
    """Load the model of a folder, or build the inducer of a specification."""
    from polyseme.induction.model import SenseModel
    from polyseme.parts import build

    return SenseModel.load(name) if Path(name).is_dir() else build(name, "inducer")


# -- writing -------------------------------------------------------------------------------------------------------


URL_PASSWORD = re.compile(r"(?<=://)([^/:]*):.*@", re.DOTALL)
"""The user and the password in the address of a server; a password may hold almost anything."""
QUERY_PASSWORD = re.compile(r"(?<=[?&])(password|passwd|pwd)=[^&]*", re.IGNORECASE)
"""A password among the options of an address."""


def hide_passwords(address: str) -> str:
    """Replace the passwords in an address by stars.

    >>> hide_passwords("postgresql://user:secret@host/db")
    'postgresql://user:***@host/db'
    >>> hide_passwords("postgresql://host/db?user=ann&password=secret"), hide_passwords("ratings.csv")
    ('postgresql://host/db?user=ann&password=***', 'ratings.csv')
    """
    return QUERY_PASSWORD.sub(r"\1=***", URL_PASSWORD.sub(r"\1:***@", address))


def _check_outputs(out: Path, *folders: Path | None) -> None:
    """Check that the page, and the folders of tables and plots, can be written."""
    check_output_file(out)
    for folder in folders:
        if folder is not None:
            check_output_folder(folder)


def _typed_command() -> str:
    """Return the typed command without passwords, because pages are passed on."""
    return shlex.join(["polyseme", *map(hide_passwords, sys.argv[1:])])


def _write_report(report: Report, out: Path, tables: Path | None, plots: Path | None) -> None:
    _write_page(report.page(_typed_command()), report.tables(), report.plots(), out, tables, plots)


def _write_page(
    page: str,
    page_tables: Sequence[Table],
    page_plots: Sequence[Plot],
    out: Path,
    tables: Path | None,
    plots: Path | None,
) -> None:
    """Write a page, and its tables and plots to folders; print where they are."""
    from polyseme.formats.files import write_text
    from polyseme.reports.export import plot_files, table_files, write_files

    write_text(out, page)
    typer.echo(f"The page is at {out}")
    if tables:
        typer.echo(f"Tables: {count_noun(write_files(tables, table_files(page_tables)), 'file')} in {tables}")
    if plots:
        typer.echo(f"Plots: {count_noun(write_files(plots, plot_files(page_plots)), 'file')} in {plots}")
