"""``polyseme label``: usages with the senses of a model."""

from __future__ import annotations

import json
import re
import sys
import warnings
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated

import typer

from polyseme.cli.output import JsonOption, bar
from polyseme.errors import InputError, InputWarning, counted, shown

if TYPE_CHECKING:
    from polyseme.cli.resumed import Given
    from polyseme.disambiguate.model import DictionaryModel
    from polyseme.induce.loading import Model
    from polyseme.labelling import Labelling
    from polyseme.usage import Usage

PART = re.compile(r"[A-Za-z_]\w*\s*(\(.*\))?", re.DOTALL)
"""How the specification of a part looks."""

VersionOption = Annotated[
    str | None,
    typer.Option(
        "--wordnet", metavar="3.0|3.1", help="Whose senses a dictionary's model gives; a data set's own, or 3.1."
    ),
]
KeepOption = Annotated[
    float | None,
    typer.Option(min=0, max=1, help="Leave out senses with less than this share of a usage's greatest weight."),
]
ProcessesOption = Annotated[
    int | None, typer.Option(min=1, help="How many processes work; as many as there are processors if not said.")
]


def label(
    model: Annotated[
        str,
        typer.Argument(
            metavar="MODEL",
            help="The folder of a model, as `polyseme induce` makes it, or a dictionary's model, such as PPR;"
            " `polyseme parts disambiguator` lists these, and baselines can be named, too.",
        ),
    ],
    usages: Annotated[
        str,
        typer.Argument(
            metavar="USAGES",
            help="A file or folder of usages, or a data set's name; or an index, as `polyseme index` makes it: then"
            " all usages in it of the lemmas that the model has.",
        ),
    ],
    out: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Where the labelling goes; else it is printed."),
    ] = None,
    version: VersionOption = None,
    keep: KeepOption = None,
    processes: ProcessesOption = None,
    as_json: JsonOption = False,
) -> None:
    """Label usages with all senses that match them, weighted; a usage that matches none is left out.

    The suffix of the file says in which format: .key, .jsonl or .parquet. Without one an answer key is printed, or,
    with --json, JSON Lines. How many usages were labelled is said on stderr, or, with --json and a file, on stdout.
    A folder's model labels many usages in parts: stopped or killed, and begun again with the same output, it goes on
    where it was, from what it keeps in FILE.part. Of an index, little is in memory at a time, and a usage is called as
    `polyseme kwic --json` calls it.
    """
    from polyseme.cli.resumed import Indexed
    from polyseme.disambiguate.model import DictionaryModel
    from polyseme.formats.answer_key import check_names
    from polyseme.formats.files import suffix_of

    write = writing(out, as_json)
    loaded = _model(model, usages, version, keep)
    if isinstance(loaded, DictionaryModel):  # usages of one document tell each other's senses; it says what it lacks
        every = read(usages)
        found, count = loaded.label(every, processes=processes), len(every)
        write(found)
    else:
        given = _in_index(loaded, Path(usages)) if is_index(Path(usages)) else _listed(loaded, usages)
        if isinstance(given, Indexed) and (not as_json if out is None else suffix_of(out) == ".key"):
            check_names(given.documents())  # of which usages have their names; not after hours
        found, count = _written(loaded, given, model, out, processes, write), len(given)
    say_counts(count, found, out, as_json)


def _written(
    loaded: Model, given: Given, model: str, out: Path | None, processes: int | None, write: Callable[[Labelling], None]
) -> Labelling:
    """What was found and written; by whoever begins again, if this is stopped before."""
    from polyseme.cli import resumed
    from polyseme.induce.keeping import asked_models

    done = 0

    def more(count: int) -> None:
        nonlocal done
        done += count
        show("Labelling", done, len(given))

    few = len(given) <= resumed.AT_ONCE
    labels = partial(loaded.label, processes=processes if few else 1)  # who labels a part also analyses it
    weights, count = asked_models(repr(loaded.inducer)), 1 if _is_alone(loaded) else processes
    with (
        bar("Labelling") as show,
        resumed.resumed(labels, given, out, model, weights=weights, processes=count, show=more) as found,
    ):
        write(found)
    return found


def _is_alone(loaded: Model) -> bool:
    """Whether one process labels all, as where a language model is loaded, which has threads of its own."""
    from polyseme.induce.vector_model import VectorModel
    from polyseme.induce.vectors.representation import alone

    return isinstance(loaded, VectorModel) and alone(loaded.inducer.steps().represent)


def _listed(loaded: Model, usages: str) -> Given:
    """The usages of a file, a folder or a data set."""
    from polyseme.cli.resumed import Listed

    given = read(usages)
    _warn_of_lemmas({usage.lemma for usage in given}, set(loaded.inventory))
    return Listed(given)


def is_index(path: Path) -> bool:
    """Whether this is the folder of an index."""
    from polyseme.corpus.index import MANIFEST

    return (path / MANIFEST).is_file()


def _in_index(loaded: Model, path: Path) -> Given:
    """All usages in an index of the model's lemmas; those that it has not are said."""
    from polyseme.cli.resumed import Indexed
    from polyseme.corpus.index import Index
    from polyseme.induce.fitting import reasons, words_of

    index = Index.open(path)
    called, missed = words_of(index, list(loaded.inventory))
    lemmas: dict[str, str] = {}
    for lemma, word in called.items():
        if lemmas.setdefault(word, lemma) != lemma:  # a usage has the senses of one lemma
            missed[lemma] = f"it is one word with {lemmas[word]} in this index, as which its usages are labelled"
    if not lemmas:
        problem = f"none of the model's lemmas can be labelled: {reasons(missed) or 'it has none'}"
        raise InputError(f"{problem}. Type: polyseme induce {path} LEMMA … -o FOLDER", path=path)
    for lemma, why in missed.items():
        print(f"warning: {lemma} is not labelled: {why}", file=sys.stderr)
    return Indexed(index, {lemma: word for word, lemma in lemmas.items()})


def _model(name: str, usages: str, version: str | None, keep: float | None) -> Model | DictionaryModel:
    """The model in a folder, or that of a dictionary by the specification of its part."""
    from polyseme.disambiguate.model import DictionaryModel
    from polyseme.disambiguate.sensed import disambiguator
    from polyseme.disambiguate.sources import Sources
    from polyseme.induce.loading import load_model

    if Path(name).exists() or not PART.fullmatch(name):
        if version is not None or keep is not None:
            raise InputError("--wordnet and --keep are for a dictionary's model, and this is a folder", path=name)
        return load_model(Path(name))
    try:
        part = disambiguator(name)
    except InputError as error:
        raise InputError(f"there is no folder {name}, and {error}") from None
    if is_index(Path(usages)):
        command = f"polyseme kwic {quote(usages)} LEMMA --json > usages.jsonl"
        problem = "this is an index, and a dictionary's model labels a file of usages"
        raise InputError(f"{problem}. Make one of a lemma first: {command}", path=usages)
    return DictionaryModel(part, Sources(version or version_for([usages])), keep or 0.0)


def version_for(inputs: Iterable[str]) -> str:
    """The version of WordNet whose senses a data set has; the latest if none is named, or it says nothing."""
    from polyseme.datasets.index import index

    known = index()
    named = [known[name].inventory for name in inputs if name in known and not Path(name).exists()]
    return next((name.removeprefix("wordnet-") for name in named if name.startswith("wordnet-")), "3.1")


def say_counts(given: int, found: Labelling, out: Path | None, as_json: bool) -> None:
    """Say how many usages were labelled: on stderr, or on stdout if a program wants it and a file has the rest."""
    senses = len(found.weights) / len(found) if len(found) else 0.0
    if as_json and out is not None:
        counts = {"usages": given, "labelled": len(found), "senses per labelled usage": round(senses, 3)}
        typer.echo(json.dumps({"path": str(out), **counts}))
    else:
        given_usages = counted(given, "usage")
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
    if out.is_dir():
        raise InputError("this is a folder; name a file in it", path=out)
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
