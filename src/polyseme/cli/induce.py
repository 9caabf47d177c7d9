"""``polyseme induce``: senses from a corpus."""

from __future__ import annotations

import json
import sys
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from polyseme.cli.help import input_option, model_option, output_option
from polyseme.cli.label import ProcessesOption
from polyseme.cli.output import JsonOption, explain_interruption, report_lemmas
from polyseme.errors import InputError, count_noun

if TYPE_CHECKING:
    from polyseme.experiments.grid import GridSearch
    from polyseme.induction.model import SenseModel

PRINTED_TRIALS = 10
"""How many variants of a grid are printed."""

ModelOption = Annotated[
    str | None,
    model_option(
        "--model",
        metavar="PART",
        help="The inducer; `polyseme parts inducer` lists all. Default: the small model if it is installed and the text"
        " is English; otherwise context clustering. With --grid: Squares.",
    ),
]
UsagesOption = Annotated[
    str | None,
    input_option(
        metavar="USAGES",
        help="The usages to label: a file, or the name of a data set. Models that cluster usages cluster these. With"
        " --grid, options are chosen on them.",
    ),
]
GridOption = Annotated[
    str | None,
    model_option(
        metavar="TASK:FIGURE",
        help="Try the options of the paper's grid, and choose those with the best figure on usages with gold, such as"
        " semeval-2013:fuzzy_bcubed.f1. A product is possible: jurgens-2012:perception*recall.",
    ),
]


CorpusArgument = Annotated[
    str,
    typer.Argument(
        metavar="INDEX|USAGES",
        help="An index made by `polyseme index`; or usages: a file, a folder or the name of a data set.",
    ),
]


def induce_command(
    corpus: CorpusArgument,
    folder: Annotated[Path, output_option("--output", "-o", metavar="FOLDER", help="The folder of the model.")],
    lemmas: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="WORD …",
            help="Words, such as bank, with every part of speech that occurs; or lemmas, such as bank.n. Default: all"
            " lemmas of the usages, or of --usages.",
        ),
    ] = None,
    model: ModelOption = None,
    grid: GridOption = None,
    usages: UsagesOption = None,
    gold: Annotated[
        Path | None,
        input_option(metavar="GOLD", help="For --grid: a labelling of these usages; a data set has its own."),
    ] = None,
    folds: Annotated[int, model_option(min=2, help="For --grid: the number of folds of lemmas.")] = 5,
    analyser: Annotated[
        str, input_option(help="The analyser of usages, as for `polyseme index`; an index is analysed already.")
    ] = "english",
    processes: ProcessesOption = None,
    as_json: JsonOption = False,
) -> None:
    """Find the senses of words in texts and save them as a model.

    Examples:
        polyseme induce texts.index bank -o bank.model
        polyseme induce usages.jsonl -o my.model
        polyseme induce texts.index bank.n --model "Substitution(number=3)" -o three.model

    Words that are too rare are reported on stderr; the rest are processed. The same command resumes interrupted
    work. With --grid, the options for each fold of lemmas are chosen on the other folds; the model has the options
    that are best over all.
    """
    from polyseme.induction.storage import check_model_folder
    from polyseme.interface.senses import induce

    check_model_folder(folder)
    if grid and not (lemmas or usages):
        raise InputError("name the lemmas, such as bank.n")
    inducer = _choose_from_grid(model, corpus, grid, usages, gold, folds)
    with explain_interruption(None):
        result = induce(
            corpus,
            inducer,
            lemmas or None,
            usages=usages,
            analyser=analyser,
            processes=processes,
            output=folder,
            report=report_lemmas,
        )
    _report_model(result, folder, as_json)


def _report_model(model: SenseModel, folder: Path, as_json: bool) -> None:
    """Print how many senses each lemma has, and warn of lemmas without senses; exit with 130 after Ctrl-C."""
    from polyseme.induction.fitting import INTERRUPTED

    missed = {lemma: reason for lemma, reason in model.missed.items() if reason != INTERRUPTED}
    for lemma, reason in missed.items():
        print(f"warning: {lemma} has no senses: {reason}", file=sys.stderr)
    senses = {lemma: len(model.inventory[lemma]) for lemma in model.inventory}
    if as_json:
        part = repr(model.inducer)
        typer.echo(json.dumps({"path": str(folder), "model": part, "senses": senses, "missed": model.missed}))
    else:
        from polyseme.parts import short_specification

        counts = f"{count_noun(sum(senses.values()), 'sense')} of {count_noun(len(senses), 'lemma')}"
        typer.echo(f"{folder}: {counts} by {short_specification(model.inducer)}")
    if missed != model.missed:
        raise typer.Exit(130)


def _choose_from_grid(
    model: str | None, corpus: str, grid: str | None, usages: str | None, gold: Path | None, folds: int
) -> Any:
    """Return the best inducer of the grid, and print the trials on stderr; without a grid, return the model."""
    from polyseme.interface.senses import choose_from_grid

    if grid is None:
        if gold is not None:
            raise InputError("--gold is for --grid; add --grid TASK:FIGURE, or drop it")
        return model
    search, figure = choose_from_grid(corpus, model, grid, usages, gold, folds=folds), grid.partition(":")[2]
    _report_grid(search, figure)
    return search.best.inducer


def _report_grid(search: GridSearch, figure: str) -> None:
    """Print the best variants, and how well the choice works."""
    from polyseme.reports.tables import Table, table_to_text

    ranked = sorted(search.trials, key=lambda trial: (isnan(trial.overall), -trial.overall))[:PRINTED_TRIALS]
    rows = tuple((repr(trial.inducer), trial.overall, trial.facts["labelled"]) for trial in ranked)
    folds = count_noun(len(search.folds), "fold")
    note = f"{figure} {search.held_out:.3f} on held-out lemmas, in {folds}"
    table = Table(f"The best of {len(search.trials)}", ("Options", figure, "Labelled"), rows, (note,))
    print(table_to_text(table), file=sys.stderr)
