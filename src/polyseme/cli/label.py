"""``polyseme label``: usages with the senses of a model."""

from __future__ import annotations

import json
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from polyseme.cli.output import JsonOption
from polyseme.errors import InputError, InputWarning, counted, shown

if TYPE_CHECKING:
    from polyseme.labelling import Labelling
    from polyseme.usage import Usage


def label(
    folder: Annotated[Path, typer.Argument(metavar="MODEL", help="A model, as `polyseme induce` makes it.")],
    usages: Annotated[str, typer.Argument(metavar="USAGES", help="A file or folder of usages, or a data set's name.")],
    out: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Where the labelling goes; else it is printed."),
    ] = None,
    processes: Annotated[
        int | None, typer.Option(min=1, help="How many processes analyse; as many as there are processors if not said.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Label usages with all senses that match them, weighted; a usage that matches none is left out.

    The suffix of the file says in which format: .key, .jsonl or .parquet. Without one an answer key is printed, or,
    with --json, JSON Lines. How many usages were labelled is said on stderr, or, with --json and a file, on stdout.
    """
    from polyseme.induce.loading import load_model

    write = writing(out, as_json)
    model = load_model(folder)
    given = read(usages)
    _warn_of_lemmas({usage.lemma for usage in given}, set(model.inventory))
    found = model.label(given, processes=processes)
    write(found)
    senses = len(found.weights) / len(found) if len(found) else 0.0
    counts = {"usages": len(given), "labelled": len(found), "senses per labelled usage": round(senses, 3)}
    if as_json and out is not None:
        typer.echo(json.dumps({"path": str(out), **counts}))
    else:
        given_usages = counted(len(given), "usage")
        print(f"{len(found):,} of {given_usages} labelled, {senses:.2f} senses each", file=sys.stderr)


def _warn_of_lemmas(asked: set[str], known: set[str]) -> None:
    """Say so if the model has none of the lemmas; they may only be written in another way."""
    if not asked or asked & known:
        return
    stems = {lemma.rpartition(".")[0] or lemma: lemma for lemma in sorted(known)}
    alike = {lemma: stems[stem] for lemma in sorted(asked) if (stem := lemma.rpartition(".")[0] or lemma) in stems}
    hint = "".join(f"; is {lemma} meant by {other}?" for lemma, other in list(alike.items())[:1])
    problem = f"the model has senses of {_some(known)}, and the usages are of {_some(asked)}"
    warnings.warn(f"{problem}: none can be labelled{hint}", InputWarning, stacklevel=3)


def _some(lemmas: set[str]) -> str:
    """The first few lemmas.

    >>> _some({"b", "a"})
    'a, b'
    """
    return ", ".join([*sorted(lemmas)[:5], *(["…"] if len(lemmas) > 5 else [])])


def writing(out: Path | None, as_json: bool) -> Callable[[Labelling], None]:
    """What writes a labelling to a file, or prints it; that it cannot is said before there is one."""
    from polyseme.formats.answer_key import format_key
    from polyseme.formats.format import writer
    from polyseme.formats.json_lines import format_json_lines

    if out is None:
        text = format_json_lines if as_json else format_key
        return lambda labelling: typer.echo(text(labelling), nl=False)
    write = writer("labelling", out)
    if not out.parent.is_dir():
        raise InputError(f"there is no folder {out.parent}; make it first", path=out)
    return write


def read(name: str) -> list[Usage]:
    """The usages of a file, a folder or a data set."""
    from polyseme.datasets import load
    from polyseme.datasets.index import index
    from polyseme.formats import read_usages

    if not Path(name).exists() and name in index():
        return list(load(name).usages)
    found = list(read_usages(name))
    seen: set[str] = set()
    for usage in found:
        if usage.id in seen:
            raise InputError(f"usage {shown(usage.id)} is given twice in its files; rename one", path=name)
        seen.add(usage.id)
    return found
