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

from polyseme.cli.agreement import (
    SECTION_NAMES,
    AgreementOptions,
    CompleteOption,
    InventoryOption,
    SectionInputs,
    TaskOption,
    UsagesOption,
    assemble_sections,
    open_inventory,
    read_agreement_ratings,
)
from polyseme.cli.output import show_status
from polyseme.errors import InputError, MissingExtra, count_noun

if TYPE_CHECKING:
    from polyseme.experiments.records import RunRecord
    from polyseme.inventory import Inventory
    from polyseme.rating import Ratings
    from polyseme.reports.page import Report
    from polyseme.reports.plots import Plot
    from polyseme.reports.tables import Table

report = typer.Typer(no_args_is_help=True, help="Pages to look at, self-contained: of results, annotation and senses.")

STORES = (".db", ".sqlite", ".sqlite3")
"""How the names of a study's stores end; those of a server have ://."""

OutOption = Annotated[Path, typer.Option("--output", "-o", metavar="FILE.html", help="The page to write.")]
TablesOption = Annotated[
    Path | None, typer.Option(metavar="FOLDER", help="Write each table too, as CSV and LaTeX, called after its title.")
]
PlotsOption = Annotated[
    Path | None, typer.Option(metavar="FOLDER", help="Write each plot too, as SVG and PNG, called after its title.")
]


@report.command()
def results(
    given: Annotated[
        Path, typer.Argument(metavar="PLAN.toml|FOLDER", help="The plan of a run, or the folder of its results.")
    ],
    out: OutOption,
    folder: Annotated[
        Path, typer.Option("--results", metavar="FOLDER", help="Where a plan was run: what -o was in `polyseme run`.")
    ] = Path("results"),
    against: Annotated[
        str, typer.Option(metavar="NAME", help="The row that all are compared with; the best baseline if not said.")
    ] = "",
    measure: Annotated[
        str,
        typer.Option(
            metavar="FIGURE", help="By what to rank and to break down, as fuzzy_nmi; the task's own if not said."
        ),
    ] = "",
    samples: Annotated[int, typer.Option(min=100, help="How many resamples and swaps.")] = 2000,
    seed: Annotated[int, typer.Option(min=0, help="The seed of the random numbers.")] = 0,
    confidence: Annotated[float, typer.Option(min=0.5, max=0.999, help="How sure the intervals are.")] = 0.95,
    examples: Annotated[int, typer.Option(min=0, help="How many usages that went wrong are shown.")] = 12,
    tables: TablesOption = None,
    plots: PlotsOption = None,
    data: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="The folder of data sets, if not where `polyseme data path` finds them."),
    ] = None,
) -> None:
    """Make a page of an experiment: tables, intervals, tests, word by word, part by part, and what goes wrong.

    No model is run: the page is made of what `polyseme run` kept.
    """
    from polyseme.datasets import load
    from polyseme.experiments.analysis import AnalysisOptions, analyse_run
    from polyseme.experiments.rescoring import rescore_run
    from polyseme.reports.results_page import results_report

    kept = _kept(given, folder)
    with show_status() as show:
        rescored = rescore_run(kept, cache(partial(load, data=data)), show)
        wanted = AnalysisOptions(measure, against, samples, seed, confidence, examples)
        made = results_report(analyse_run(rescored, wanted, show))
    _write_report(made, out, tables, plots)


def _kept(given: Path, folder: Path) -> RunRecord:
    """What a run kept, by its plan, by its folder, or by the file itself."""
    from polyseme.experiments.plan import read_plan
    from polyseme.experiments.records import find_only_record, find_record_of_plan, read_record

    if given.is_dir():
        return find_only_record(given)
    if given.suffix == ".json":
        return read_record(given)
    return find_record_of_plan(given, read_plan(given), folder)


@report.command()
def annotation(
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
    resamples: Annotated[int, typer.Option(min=0, help="How many resamples give the intervals; 0 for none.")] = 1000,
    seed: Annotated[int, typer.Option(min=0, help="The seed of the random numbers.")] = 0,
    tables: TablesOption = None,
    plots: PlotsOption = None,
) -> None:
    """Make a page of what people said: how they agree, use the scale, and what that tells of senses.

    It has all sections of `polyseme agreement` that apply. Ratings of several files are taken together.
    """
    from polyseme.reports.agreement_page import agreement_report

    with show_status() as say:
        say("Reading ratings")
        everything, senses = _together(ratings, inventory)
        beside = SectionInputs(ratings[0] if len(ratings) == 1 else "the ratings", None, [], None, usages, None, None)
        asked = AgreementOptions(task, None, complete, resamples, seed)
        found, notes = assemble_sections(everything, senses, beside, asked, SECTION_NAMES, say)
        made = agreement_report(", ".join(Path(without_passwords(each)).name for each in ratings), found, notes)
    _write_report(made, out, tables, plots)


def _together(names: Sequence[str], inventory: str | None) -> tuple[Ratings, Inventory | None]:
    """The ratings of several sources as one; a judgement that is in two of them is an error."""
    from polyseme.rating import Ratings

    read_of = {name: _ratings(name, inventory) for name in names}
    seen: dict[tuple[object, ...], str] = {}
    for name, (rows, _) in read_of.items():
        own = {(row.annotator, row.task, row.item) for row in rows}
        if twice := next((seen[each] for each in own if each in seen), None):
            raise InputError(f"it has judgements that {twice} has too; give each once", path=name)
        seen |= dict.fromkeys(own, name)
    senses = next((each for _, each in read_of.values() if each is not None), None)
    return Ratings(row for rows, _ in read_of.values() for row in rows), senses


def _ratings(name: str, inventory: str | None) -> tuple[Ratings, Inventory | None]:
    """The ratings of a file or a data set, or those that are in the store of a study."""
    if "://" not in name and not name.endswith(STORES):
        return read_agreement_ratings(name, inventory)
    try:
        from polyseme.studio.store.store import Store
    except ModuleNotFoundError as error:
        raise MissingExtra("annotate", error.name or "sqlalchemy") from None
    with closing(Store.open(name)) as store:
        return store.ratings(), open_inventory(inventory) if inventory else None


@report.command()
def senses(
    index: Annotated[
        Path, typer.Argument(metavar="INDEX", help="The index of a corpus, as `polyseme index` makes it.")
    ],
    lemmas: Annotated[list[str], typer.Argument(metavar="LEMMA …", help="The words to tell of, as bank or bank.n.")],
    out: OutOption,
    model: Annotated[
        str,
        typer.Option(
            metavar="PART|FOLDER",
            help="What finds senses, as UoS; or a model that `polyseme induce` made. If not said, our small language"
            " model, where the text is English and it is installed; else contexts.",
        ),
    ] = "",
    most: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="How many usages of a word are drawn at random and labelled; our language model clusters these, and"
            " reads no others. If not said, 200 by a language model, all by others.",
        ),
    ] = None,
    title: Annotated[str, typer.Option(help="The page's title.")] = "",
    seeds: Annotated[
        int,
        typer.Option(
            min=1,
            help="How many times a model is run, to say how sure it is: on other halves of the usages if it clusters"
            " what it labels; with other seeds if another one draws lots. 1 switches that off.",
        ),
    ] = 3,
    tables: TablesOption = None,
    plots: PlotsOption = None,
) -> None:
    """Make a page about words in a corpus: their senses, with examples, over time, on a map, beside WordNet.

    It is the page of `polyseme demo` for any index, model and words.
    """
    from polyseme.corpus.index import Index
    from polyseme.induction.defaults import default_inducer, default_usage_limit, get_inducer
    from polyseme.reports.word_tables import word_plots, word_tables
    from polyseme.reports.words_page import words_page
    from polyseme.words.word_reports import make_word_reports

    opened = Index.open(index)
    with show_status() as show:
        finding = _model(model or default_inducer(opened))
        read = most or default_usage_limit(get_inducer(finding))
        words = make_word_reports(opened, lemmas, finding, seeds=seeds, limit=read, show=show)
    heading = title or f"Senses in {index.name}"
    introduction = f"The senses that a model gives {count_noun(len(words), 'word')} in {index.name}."
    page = words_page(heading, introduction, words, _command())
    _write(page, word_tables(words), word_plots(words), out, tables, plots)


def _model(name: str) -> Any:
    """The model in a folder, or the inducer of a specification."""
    from polyseme.induction.model import SenseModel
    from polyseme.parts import build

    return SenseModel.load(name) if Path(name).is_dir() else build(name, "inducer")


# -- writing -------------------------------------------------------------------------------------------------------


SECRET = re.compile(r"(?<=://)([^/:]*):.*@", re.DOTALL)
"""The user and the password in the address of a server; a password may hold almost anything."""
ASKED = re.compile(r"(?<=[?&])(password|passwd|pwd)=[^&]*", re.IGNORECASE)
"""A password among the options of an address."""


def without_passwords(address: str) -> str:
    """An address in which passwords are stars; what is none stays as it is.

    >>> without_passwords("postgresql://user:secret@host/db")
    'postgresql://user:***@host/db'
    >>> without_passwords("postgresql://host/db?user=ann&password=secret"), without_passwords("ratings.csv")
    ('postgresql://host/db?user=ann&password=***', 'ratings.csv')
    """
    return ASKED.sub(r"\1=***", SECRET.sub(r"\1:***@", address))


def _command() -> str:
    """What was typed, without passwords: pages are passed on."""
    return shlex.join(["polyseme", *map(without_passwords, sys.argv[1:])])


def _write_report(made: Report, out: Path, tables: Path | None, plots: Path | None) -> None:
    _write(made.page(_command()), made.tables(), made.plots(), out, tables, plots)


def _write(
    page: str,
    of_tables: Sequence[Table],
    of_plots: Sequence[Plot],
    out: Path,
    tables: Path | None,
    plots: Path | None,
) -> None:
    """Write a page, and its tables and plots where they are wanted; say where they are."""
    from polyseme.formats.files import write_text
    from polyseme.reports.export import plot_files, table_files, write_files

    write_text(out, page)
    typer.echo(f"The page is at {out}")
    if tables:
        count = write_files(tables, table_files(of_tables))
        typer.echo(f"Tables: {count_noun(count, 'file')} in {tables}")
    if plots:
        count = write_files(plots, plot_files(of_plots))
        typer.echo(f"Plots: {count_noun(count, 'file')} in {plots}")
