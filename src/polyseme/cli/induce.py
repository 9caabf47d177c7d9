"""``polyseme induce``: senses from a corpus."""

from __future__ import annotations

import json
import sys
from math import isnan
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated, Any

import typer

from polyseme.cli.label import ProcessesOption, is_index, open_usages
from polyseme.cli.output import JsonOption, show_progress_bar
from polyseme.errors import InputError, count_noun

if TYPE_CHECKING:
    from collections.abc import Callable

    from polyseme.experiments.grid import GridSearch, Scorer
    from polyseme.induction.fitting import ShowFitting
    from polyseme.induction.lemma_checkpoint import LemmaCheckpoint
    from polyseme.induction.model import SenseModel
    from polyseme.induction.usage_sources import Corpus
    from polyseme.labelling import Labelling
    from polyseme.usage import Usage

BEST = 10
"""How many of the options that were tried are shown."""

ModelOption = Annotated[
    str, typer.Option("--model", metavar="PART", help="How senses are induced; `polyseme parts inducer` lists all.")
]
UsagesOption = Annotated[
    str | None,
    typer.Option(
        metavar="USAGES",
        help="The usages that will be labelled: a file, or a data set's name. Models that cluster usages cluster"
        " these. With --grid, options are chosen by them.",
    ),
]
GridOption = Annotated[
    str | None,
    typer.Option(
        metavar="TASK:FIGURE",
        help="Try the options of the paper's grid, and choose by a figure, as semeval-2013:fuzzy_bcubed.f1, or by the"
        " product of several, as jurgens-2012:perception*recall, of usages with gold.",
    ),
]


def induce(
    corpus: Annotated[
        Path, typer.Argument(metavar="INDEX", help="An index, as `polyseme index` makes it; or a file of usages.")
    ],
    folder: Annotated[Path, typer.Option("--output", "-o", metavar="FOLDER", help="Where the model goes.")],
    lemmas: Annotated[
        list[str] | None,
        typer.Argument(metavar="LEMMA …", help="Such as bank.n; by default all lemmas of the file, or of --usages."),
    ] = None,
    model: ModelOption = "Squares",
    grid: GridOption = None,
    usages: UsagesOption = None,
    gold: Annotated[
        Path | None,
        typer.Option(metavar="GOLD", help="For --grid: a labelling of these usages; a data set has its own."),
    ] = None,
    folds: Annotated[int, typer.Option(min=2, help="For --grid: how many folds of lemmas.")] = 5,
    analyser: Annotated[
        str, typer.Option(help="How usages are analysed; an index is already. As for `polyseme index`.")
    ] = "english",
    processes: ProcessesOption = None,
    as_json: JsonOption = False,
) -> None:
    """Induce the senses of words, and write them as a model, with which `polyseme label` labels usages.

    A lemma that is too rare is reported on stderr, and the others go on. Where senses are vectors, each lemma that is
    done is kept in FOLDER.part: stopped or killed, and begun again with the same model, corpus and output, it does the
    rest. Models of other kinds, and those that learn from all lemmas together, begin anew. With --grid, the options
    are chosen for the lemmas of each fold on those of the others, which says how well choosing works; the model that
    is written has the options that are best over all.
    """
    from polyseme.corpus.analysers import as_analyser as analyser_of
    from polyseme.formats.checkpoint import check_checkpoint_folder
    from polyseme.induction.inducer import clusters_labelled_usages
    from polyseme.induction.lemma_checkpoint import LemmaCheckpoint
    from polyseme.induction.storage import check_model_folder
    from polyseme.parts import build

    inducer = build(model, "inducer")
    check_model_folder(folder)
    if inducer.is_resumable:
        check_checkpoint_folder(folder)
    to_label = [] if usages is None else open_usages(usages)
    source, named = _corpus(corpus, lemmas or sorted({usage.lemma for usage in to_label}))
    inducer, read_by = choose_from_grid(inducer, corpus, grid, usages, gold, folds), analyser_of(analyser)
    clustered = {"usages": to_label} if to_label and not grid and clusters_labelled_usages(inducer) else {}
    kept = LemmaCheckpoint(folder, inducer, source, read_by, to_label) if inducer.is_resumable else None
    with show_progress_bar("Counting") as show:
        made = _made(
            lambda **options: inducer.fit(
                source, named, analyser=read_by, processes=processes, **clustered, **options
            ),
            kept,
            lambda done: show(f"Inducing {done.lemma}", done.done, done.lemmas),
        )
    made.save(folder)
    _leave(kept, made)
    _report(made, folder, as_json)


def _made(fit: Callable[..., SenseModel], kept: LemmaCheckpoint | None, show: ShowFitting) -> SenseModel:
    """What is induced, with what is kept from before, if this kind of model keeps anything."""
    from polyseme.induction.fitting import NothingInduced

    if kept is None:
        return fit(show=show)
    try:
        return fit(show=show, checkpoint=kept)
    except NothingInduced:
        kept.remove()  # all lemmas are done
        raise


def _leave(kept: LemmaCheckpoint | None, made: SenseModel) -> None:
    """Take away what was kept, if the model has all of it, or say what it is still good for."""
    from polyseme.induction.fitting import INTERRUPTED

    if kept is None:
        return
    if INTERRUPTED not in made.missed.values():
        kept.remove()
    else:
        print(f"stopped: the same command goes on from {kept.folder}, and makes the whole model", file=sys.stderr)


def _report(made: SenseModel, folder: Path, as_json: bool) -> None:
    """What was induced, and what was not."""
    for lemma, why in made.missed.items():
        print(f"warning: {lemma} has no senses: {why}", file=sys.stderr)
    senses = {lemma: len(made.inventory[lemma]) for lemma in made.inventory}
    model = repr(made.inducer)
    if as_json:
        typer.echo(json.dumps({"path": str(folder), "model": model, "senses": senses, "missed": made.missed}))
    else:
        typer.echo(
            f"{folder}: {count_noun(sum(senses.values()), 'sense')} of {count_noun(len(senses), 'lemma')} by {model}"
        )


def choose_from_grid(
    inducer: Any, corpus: Path, grid: str | None, usages: str | None, gold: Path | None, folds: int
) -> Any:
    """The best of the inducer's grid, and what was tried is said on stderr; the inducer, if no grid is asked for."""
    from polyseme.corpus.index import Index
    from polyseme.experiments.grid import search_grid

    if grid is None:
        if gold is not None:
            raise InputError("--gold is for --grid; add --grid TASK:FIGURE, or leave it out")
        return inducer
    if usages is None or (gold is None and Path(usages).exists()):
        raise InputError("--grid needs usages with gold: add --usages and a data set's name, or a file and --gold GOLD")
    task, colon, figure = grid.partition(":")
    if not colon:
        raise InputError(f"--grid is {grid!r}; it names a task and a figure, as semeval-2013:fuzzy_bcubed.f1")
    wanted, answer, score = _scored(task, usages, gold)
    with show_progress_bar("Counting") as show:
        found = search_grid(
            inducer,
            Index.open(corpus),
            wanted,
            answer,
            score,
            figure,
            folds=folds,
            show=lambda done, of: show(f"Trying options of {type(inducer).__name__}", done, of),
        )
    if isnan(found.best.overall):
        tried = count_noun(len(found.trials), "variant")
        raise InputError(f"{figure} is undefined for {tried} of {inducer!r}: none labels enough usages that have gold")
    _report_grid(found, figure)
    return found.best.inducer


def _scored(task: str, usages: str, gold: Path | None) -> tuple[list[Usage], Labelling, Scorer]:
    """The usages that options are chosen by, their gold, and how they are scored; as in `polyseme run`."""
    from polyseme.datasets import load
    from polyseme.experiments.grid import get_grid_task
    from polyseme.formats import read_labelling

    protocol = get_grid_task(task)
    if gold is None:
        benchmark = protocol.make_benchmark(load(usages), lambda lemmas: lemmas)
        answer, score = benchmark.gold, benchmark.task.score_mapped
    else:
        answer, score = read_labelling(gold), protocol.score_mapped
    wanted = [usage for usage in open_usages(usages) if usage.id in answer]
    if not wanted:
        raise InputError(f"none of its usages is in {gold}; the options are chosen by usages with gold", path=usages)
    return wanted, answer, score


def _report_grid(found: GridSearch, figure: str) -> None:
    """The best of what was tried, and how good choosing is."""
    from polyseme.reports.tables import Table, table_to_text

    best = sorted(found.trials, key=lambda each: (each.overall != each.overall, -each.overall))[:BEST]
    rows = tuple((repr(each.inducer), each.overall, each.facts["labelled"]) for each in best)
    folds = count_noun(len(found.folds), "fold")
    note = f"{figure} {found.held_out:.3f} on lemmas on which the options were not chosen, in {folds}"
    table = Table(f"The best of {len(found.trials)}", ("Options", figure, "Labelled"), rows, (note,))
    print(table_to_text(table), file=sys.stderr)


def _corpus(path: Path, lemmas: list[str]) -> tuple[Corpus, list[str]]:
    """What to learn from, and the lemmas."""
    from polyseme.corpus.index import Index
    from polyseme.formats import read_usages

    if is_index(path):
        if not lemmas:
            raise InputError("name the lemmas whose senses are wanted, such as bank.n")
        return Index.open(path), lemmas
    if _is_text(path):
        command = f"polyseme index {quote(str(path))} -o my.index"
        raise InputError(f"this is not an index, and holds no usages. Make an index of it first: {command}", path=path)
    usages = list(read_usages(path))
    return usages, lemmas or list(dict.fromkeys(usage.lemma for usage in usages))


def _is_text(path: Path) -> bool:
    """Whether a folder has no usages in it; or a file is text, plain or with sentences, and no table."""
    from polyseme.corpus.documents import TABLE_SUFFIXES
    from polyseme.formats.archives import iterate_files
    from polyseme.formats.files import format_suffix, read_head
    from polyseme.formats.registry import all_formats

    starts = (start for file in iterate_files(path) if (start := read_head(file)).strip())
    known = [[each.readers for each in all_formats().values() if each.recognises(start)] for start in starts]
    if any("usages" in readers for each in known for readers in each):
        return False
    is_text = any(all("sentences" in readers for readers in each) for each in known)
    return path.is_dir() or (is_text and format_suffix(path) not in TABLE_SUFFIXES)
