"""``polyseme induce``: senses from a corpus."""

from __future__ import annotations

import json
import sys
from math import isnan
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated, Any

import typer

from polyseme.cli.label import ProcessesOption
from polyseme.cli.output import JsonOption, show_progress_bar
from polyseme.errors import InputError, count_noun

if TYPE_CHECKING:
    from polyseme.experiments.grid import GridSearch
    from polyseme.induction.lemma_checkpoint import LemmaCheckpoint
    from polyseme.induction.model import SenseModel
    from polyseme.induction.usage_sources import Corpus

PRINTED_TRIALS = 10
"""How many variants of a grid are printed."""

ModelOption = Annotated[
    str, typer.Option("--model", metavar="PART", help="The inducer; `polyseme parts inducer` lists all.")
]
UsagesOption = Annotated[
    str | None,
    typer.Option(
        metavar="USAGES",
        help="The usages that will be labelled: a file, or the name of a data set. Models that cluster usages cluster"
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


CorpusArgument = Annotated[
    Path, typer.Argument(metavar="INDEX", help="An index, as `polyseme index` makes it; or a file of usages.")
]


def induce_command(
    corpus: CorpusArgument,
    folder: Annotated[Path, typer.Option("--output", "-o", metavar="FOLDER", help="The folder of the model.")],
    lemmas: Annotated[
        list[str] | None,
        typer.Argument(metavar="LEMMA …", help="Such as bank.n. Default: all lemmas of the file, or of --usages."),
    ] = None,
    model: ModelOption = "Squares",
    grid: GridOption = None,
    usages: UsagesOption = None,
    gold: Annotated[
        Path | None,
        typer.Option(metavar="GOLD", help="For --grid: a labelling of these usages; a data set has its own."),
    ] = None,
    folds: Annotated[int, typer.Option(min=2, help="For --grid: the number of folds of lemmas.")] = 5,
    analyser: Annotated[
        str, typer.Option(help="The analyser of usages, as for `polyseme index`; an index is analysed already.")
    ] = "english",
    processes: ProcessesOption = None,
    as_json: JsonOption = False,
) -> None:
    """Induce the senses of words, and write them as a model, with which `polyseme label` labels usages.

    Lemmas that are too rare are reported on stderr; the rest are processed. If senses are vectors, finished lemmas are
    stored in FOLDER.part. Interrupted, the same command with the same model, corpus and output resumes. Other models,
    and those that learn from all lemmas together, start anew. With --grid, the options for the lemmas of each fold are
    chosen on the other folds, which shows how well the choice works; the model has the options that are best over all.
    """
    from polyseme.corpus.analysers import as_analyser
    from polyseme.datasets.opening import open_usages
    from polyseme.formats.checkpoint import check_checkpoint_folder
    from polyseme.induction.fitting import NothingInduced
    from polyseme.induction.inducer import clusters_labelled_usages
    from polyseme.induction.lemma_checkpoint import LemmaCheckpoint
    from polyseme.induction.storage import check_model_folder
    from polyseme.parts import build

    check_model_folder(folder)
    if (inducer := build(model, "inducer")).is_resumable:
        check_checkpoint_folder(folder)
    to_label = [] if usages is None else open_usages(usages)
    source, names = _open_corpus(corpus, lemmas or sorted({usage.lemma for usage in to_label}))
    inducer, reader = _choose_from_grid(inducer, corpus, grid, usages, gold, folds), as_analyser(analyser)
    options: dict[str, Any] = {"analyser": reader, "processes": processes}
    if to_label and not grid and clusters_labelled_usages(inducer):
        options["usages"] = to_label
    checkpoint = LemmaCheckpoint(folder, inducer, source, reader, to_label) if inducer.is_resumable else None
    options |= {"checkpoint": checkpoint} if checkpoint is not None else {}
    with show_progress_bar("Counting") as show:
        try:
            fitted = inducer.fit(
                source, names, show=lambda step: show(f"Inducing {step.lemma}", step.done, step.lemmas), **options
            )
        except NothingInduced:
            if checkpoint is not None:
                checkpoint.remove()  # all lemmas are finished
            raise
    fitted.save(folder)
    _finish_checkpoint(checkpoint, fitted)
    _report_model(fitted, folder, as_json)


def _finish_checkpoint(checkpoint: LemmaCheckpoint | None, model: SenseModel) -> None:
    """Remove the checkpoint if the model is complete; otherwise say how to resume."""
    from polyseme.induction.fitting import INTERRUPTED

    if checkpoint is None:
        return
    if INTERRUPTED not in model.missed.values():
        checkpoint.remove()
    else:
        print(f"stopped: the same command resumes from {checkpoint.folder}, and completes the model", file=sys.stderr)


def _report_model(model: SenseModel, folder: Path, as_json: bool) -> None:
    """Print how many senses each lemma has, and warn of lemmas without senses."""
    for lemma, reason in model.missed.items():
        print(f"warning: {lemma} has no senses: {reason}", file=sys.stderr)
    senses = {lemma: len(model.inventory[lemma]) for lemma in model.inventory}
    part = repr(model.inducer)
    if as_json:
        typer.echo(json.dumps({"path": str(folder), "model": part, "senses": senses, "missed": model.missed}))
        return
    typer.echo(f"{folder}: {count_noun(sum(senses.values()), 'sense')} of {count_noun(len(senses), 'lemma')} by {part}")


def _choose_from_grid(
    inducer: Any, corpus: Path, grid: str | None, usages: str | None, gold: Path | None, folds: int
) -> Any:
    """Return the best inducer of the grid, and print the trials on stderr; without a grid, return the inducer."""
    from polyseme.corpus.index import Index
    from polyseme.experiments.grid import open_grid_benchmark, search_grid

    if grid is None:
        if gold is not None:
            raise InputError("--gold is for --grid; add --grid TASK:FIGURE, or drop it")
        return inducer
    if usages is None or (gold is None and Path(usages).exists()):
        raise InputError("--grid needs usages with gold: add --usages and a data set's name, or a file and --gold GOLD")
    task, colon, figure = grid.partition(":")
    if not colon:
        raise InputError(f"--grid is {grid!r}; it names a task and a figure, as semeval-2013:fuzzy_bcubed.f1")
    evaluation_set = open_grid_benchmark(task, usages, gold)
    with show_progress_bar("Counting") as show:
        search = search_grid(
            inducer,
            Index.open(corpus),
            *evaluation_set,
            figure,
            folds=folds,
            show=lambda done, total: show(f"Trying options of {type(inducer).__name__}", done, total),
        )
    if isnan(search.best.overall):
        trials = count_noun(len(search.trials), "variant")
        raise InputError(f"{figure} is undefined for {trials} of {inducer!r}: none labels enough usages that have gold")
    _report_grid(search, figure)
    return search.best.inducer


def _report_grid(search: GridSearch, figure: str) -> None:
    """Print the best variants, and how well the choice works."""
    from polyseme.reports.tables import Table, table_to_text

    ranked = sorted(search.trials, key=lambda trial: (isnan(trial.overall), -trial.overall))[:PRINTED_TRIALS]
    rows = tuple((repr(trial.inducer), trial.overall, trial.facts["labelled"]) for trial in ranked)
    folds = count_noun(len(search.folds), "fold")
    note = f"{figure} {search.held_out:.3f} on lemmas on which the options were not chosen, in {folds}"
    table = Table(f"The best of {len(search.trials)}", ("Options", figure, "Labelled"), rows, (note,))
    print(table_to_text(table), file=sys.stderr)


def _open_corpus(path: Path, lemmas: list[str]) -> tuple[Corpus, list[str]]:
    """Open an index or a file of usages, and return it with the lemmas."""
    from polyseme.corpus.index import Index
    from polyseme.formats import read_usages
    from polyseme.labelling_run import is_index

    if is_index(path):
        if not lemmas:
            raise InputError("name the lemmas, such as bank.n")
        return Index.open(path), lemmas
    if _is_plain_text(path):
        command = f"polyseme index {quote(str(path))} -o my.index"
        raise InputError(f"this is not an index, and holds no usages. Make an index of it first: {command}", path=path)
    usages = list(read_usages(path))
    return usages, lemmas or list(dict.fromkeys(usage.lemma for usage in usages))


def _is_plain_text(path: Path) -> bool:
    """Whether a folder holds no usages, or a file is text, plain or with sentences, and no table."""
    from polyseme.corpus.documents import TABLE_SUFFIXES
    from polyseme.formats.archives import iterate_files
    from polyseme.formats.files import format_suffix, read_head
    from polyseme.formats.registry import all_formats

    heads = (head for file in iterate_files(path) if (head := read_head(file)).strip())
    readers = [[form.readers for form in all_formats().values() if form.recognises(head)] for head in heads]
    if any("usages" in names for forms in readers for names in forms):
        return False
    is_text = any(all("sentences" in names for names in forms) for forms in readers)
    return path.is_dir() or (is_text and format_suffix(path) not in TABLE_SUFFIXES)
