"""``polyseme induce``: senses from a corpus."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from polyseme.cli.output import JsonOption
from polyseme.errors import InputError

if TYPE_CHECKING:
    from polyseme.induce.fitting import Corpus, Progress

BEST = 10
"""How many of the options that were tried are shown."""

ModelOption = Annotated[
    str, typer.Option("--model", metavar="PART", help="How senses are induced; `polyseme parts inducer` lists all.")
]


def induce(
    corpus: Annotated[
        Path, typer.Argument(metavar="INDEX", help="An index, as `polyseme index` makes it; or a file of usages.")
    ],
    folder: Annotated[Path, typer.Option("--output", "-o", metavar="FOLDER", help="Where the model goes.")],
    lemmas: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="LEMMA …", help="Such as bank.n; from a file of usages, all of theirs if none is named."
        ),
    ] = None,
    model: ModelOption = "Squares",
    grid: Annotated[
        str | None,
        typer.Option(
            metavar="TASK:FIGURE",
            help="Try the options of the paper's grid, and choose by a figure, as jurgens-2012:perception, of usages"
            " with gold.",
        ),
    ] = None,
    usages: Annotated[
        str | None, typer.Option(metavar="USAGES", help="For --grid: a file of usages, or a data set's name.")
    ] = None,
    gold: Annotated[
        Path | None,
        typer.Option(metavar="GOLD", help="For --grid: a labelling of these usages; a data set has its own."),
    ] = None,
    folds: Annotated[int, typer.Option(min=2, help="For --grid: how many folds of lemmas.")] = 5,
    analyser: Annotated[
        str, typer.Option(help="How usages are analysed; an index is already. As for `polyseme index`.")
    ] = "english",
    processes: Annotated[
        int | None, typer.Option(min=1, help="How many processes work; as many as there are processors if not said.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Induce the senses of words, and write them as a model, with which `polyseme label` labels usages.

    A lemma that is too rare is reported on stderr, and the others go on. With --grid, the options are chosen for the
    lemmas of each fold on those of the others, which says how well choosing works; the model that is written has the
    options that are best over all.
    """
    from polyseme.corpus.analysers import analyser as analyser_of
    from polyseme.parts import build

    inducer = build(model, "inducer")
    if grid is not None:
        inducer = chosen(inducer, corpus, grid, usages, gold, folds)
    source, named = _corpus(corpus, lemmas or [])
    with _shown() as show:
        made = inducer.fit(source, named, analysed_by=analyser_of(analyser), processes=processes, show=show)
    made.save(folder)
    for lemma, why in made.missed.items():
        print(f"warning: {lemma} has no senses: {why}", file=sys.stderr)
    senses = {lemma: len(made.inventory[lemma]) for lemma in made.inventory}
    if as_json:
        typer.echo(json.dumps({"path": str(folder), "model": repr(inducer), "senses": senses, "missed": made.missed}))
    else:
        typer.echo(f"{folder}: {sum(senses.values())} senses of {len(senses)} lemmas by {inducer!r}")


def chosen(inducer: Any, corpus: Path, grid: str, usages: str | None, gold: Path | None, folds: int) -> Any:
    """The best of the inducer's grid; what was tried is said on stderr."""
    from polyseme.cli.label import read
    from polyseme.corpus.index import Index
    from polyseme.datasets import load
    from polyseme.experiment.grid import try_grid
    from polyseme.experiment.scoring import scorer
    from polyseme.formats import read_labelling
    from polyseme.report.tables import Table, as_text

    if usages is None:
        raise InputError("--grid needs usages with gold: add --usages and a data set's name, or a file and --gold GOLD")
    task, colon, figure = grid.partition(":")
    if not colon:
        raise InputError(f"--grid is {grid!r}; it names a task and a figure, as jurgens-2012:perception")
    answer = read_labelling(gold) if gold is not None else load(usages).gold
    wanted = [usage for usage in read(usages) if usage.id in answer]
    found = try_grid(inducer, Index.open(corpus), wanted, answer, scorer(task), figure, folds=folds)
    best = sorted(found.tried, key=lambda each: (each.overall != each.overall, -each.overall))[:BEST]
    rows = tuple((repr(each.inducer), each.overall, each.facts["labelled"]) for each in best)
    notes = (
        f"{figure} {found.held_out:.3f} on lemmas on which the options were not chosen, in {len(found.folds)} folds",
    )
    print(
        as_text(Table(f"The best of {len(found.tried)}", ("Options", figure, "Labelled"), rows, notes)), file=sys.stderr
    )
    return found.best.inducer


def _corpus(path: Path, lemmas: list[str]) -> tuple[Corpus, list[str]]:
    """What to learn from, and the lemmas."""
    from polyseme.corpus.index import Index
    from polyseme.formats import read_usages

    if (path / "manifest.json").is_file():
        if not lemmas:
            raise InputError("name the lemmas whose senses are wanted, such as bank.n")
        return Index.open(path), lemmas
    usages = list(read_usages(path))
    return usages, lemmas or list(dict.fromkeys(usage.lemma for usage in usages))


@contextmanager
def _shown() -> Iterator[Callable[[Progress], object] | None]:
    """A progress bar on a terminal; nothing in a pipe."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress as Bar

    with Bar(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("Counting", total=None)

        def show(done: Any) -> None:
            bar.update(task, description=f"Inducing {done.lemma}", completed=done.done, total=done.lemmas)

        yield show
