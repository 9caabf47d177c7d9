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

from polyseme.cli.output import JsonOption, show_progress_bar
from polyseme.errors import InputError, InputWarning, count_noun, quote_value

if TYPE_CHECKING:
    from polyseme.disambiguation.model import DictionaryModel
    from polyseme.induction.model import SenseModel
    from polyseme.induction.resumable_labelling import UsageStream
    from polyseme.labelling import Labelling
    from polyseme.usage import Usage

PART_SPECIFICATION = re.compile(r"[A-Za-z_]\w*\s*(\(.*\))?", re.DOTALL)
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
    from polyseme.disambiguation.model import DictionaryModel
    from polyseme.formats.answer_key import check_key_names
    from polyseme.formats.files import format_suffix
    from polyseme.induction.resumable_labelling import IndexedUsages

    write = open_labelling_writer(out, as_json)
    loaded = _model(model, usages, version, keep)
    if isinstance(loaded, DictionaryModel):  # usages of one document tell each other's senses; it says what it lacks
        every = open_usages(usages)
        found, count = loaded.label(every, processes=processes), len(every)
        write(found)
    else:
        given = _in_index(loaded, Path(usages)) if is_index(Path(usages)) else _listed(loaded, usages)
        if isinstance(given, IndexedUsages) and (not as_json if out is None else format_suffix(out) == ".key"):
            check_key_names(given.documents())  # of which usages have their names; not after hours
        found, count = _written(loaded, given, model, out, processes, write), len(given)
    report_counts(count, found, out, as_json)


def _written(
    loaded: SenseModel,
    given: UsageStream,
    model: str,
    out: Path | None,
    processes: int | None,
    write: Callable[[Labelling], None],
) -> Labelling:
    """What was found and written; by whoever begins again, if this is stopped before."""
    from polyseme.induction import resumable_labelling
    from polyseme.lm.language_model import list_language_models

    done = 0

    def more(count: int) -> None:
        nonlocal done
        done += count
        show("Labelling", done, len(given))

    few = len(given) <= resumable_labelling.CHECKPOINT_BATCH
    labels = partial(loaded.label, processes=processes if few else 1)  # who labels a part also analyses it
    weights, count = list_language_models(repr(loaded.inducer)), 1 if _is_alone(loaded) else processes
    with (
        show_progress_bar("Labelling") as show,
        resumable_labelling.label_resumably(
            labels, given, out, model, weights=weights, processes=count, show=more
        ) as found,
    ):
        write(found)
    return found


def _is_alone(loaded: SenseModel) -> bool:
    """Whether one process labels all, as where a language model is loaded, which has threads of its own."""
    from polyseme.induction.inducer import VectorInducer
    from polyseme.vectors.representation import needs_one_process

    return isinstance(loaded.inducer, VectorInducer) and needs_one_process(loaded.inducer.steps().represent)


def _listed(loaded: SenseModel, usages: str) -> UsageStream:
    """The usages of a file, a folder or a data set."""
    from polyseme.induction.resumable_labelling import UsageList

    given = open_usages(usages)
    _warn_of_lemmas({usage.lemma for usage in given}, set(loaded.inventory))
    return UsageList(given)


def is_index(path: Path) -> bool:
    """Whether this is the folder of an index."""
    from polyseme.corpus.index import MANIFEST

    return (path / MANIFEST).is_file()


def _in_index(loaded: SenseModel, path: Path) -> UsageStream:
    """All usages in an index of the model's lemmas; those that it has not are said."""
    from polyseme.corpus.index import Index
    from polyseme.induction.fitting import summarise_reasons
    from polyseme.induction.resumable_labelling import IndexedUsages
    from polyseme.induction.usage_sources import match_lemmas

    index = Index.open(path)
    called, missed = match_lemmas(index, list(loaded.inventory))
    lemmas: dict[str, str] = {}
    for lemma, word in called.items():
        if lemmas.setdefault(word, lemma) != lemma:  # a usage has the senses of one lemma
            missed[lemma] = f"it is one word with {lemmas[word]} in this index, as which its usages are labelled"
    if not lemmas:
        problem = f"none of the model's lemmas can be labelled: {summarise_reasons(missed) or 'it has none'}"
        raise InputError(f"{problem}. Type: polyseme induce {path} LEMMA … -o FOLDER", path=path)
    for lemma, why in missed.items():
        print(f"warning: {lemma} is not labelled: {why}", file=sys.stderr)
    return IndexedUsages(index, {lemma: word for word, lemma in lemmas.items()})


def _model(name: str, usages: str, version: str | None, keep: float | None) -> SenseModel | DictionaryModel:
    """The model in a folder, or that of a dictionary by the specification of its part."""
    from polyseme.disambiguation.disambiguated_text import build_disambiguator
    from polyseme.disambiguation.model import DictionaryModel
    from polyseme.disambiguation.sources import Sources
    from polyseme.models import load_model

    if Path(name).exists() or not PART_SPECIFICATION.fullmatch(name):
        if version is not None or keep is not None:
            raise InputError("--wordnet and --keep are for a dictionary's model, and this is a folder", path=name)
        return load_model(Path(name))
    try:
        part = build_disambiguator(name)
    except InputError as error:
        raise InputError(f"there is no folder {name}, and {error}") from None
    if is_index(Path(usages)):
        command = f"polyseme kwic {quote(usages)} LEMMA --json > usages.jsonl"
        problem = "this is an index, and a dictionary's model labels a file of usages"
        raise InputError(f"{problem}. Make one of a lemma first: {command}", path=usages)
    return DictionaryModel(part, Sources(version or wordnet_version_for([usages])), keep or 0.0)


def wordnet_version_for(inputs: Iterable[str]) -> str:
    """The version of WordNet whose senses a data set has; the latest if none is named, or it says nothing."""
    from polyseme.datasets.index import read_index

    known = read_index()
    named = [known[name].inventory for name in inputs if name in known and not Path(name).exists()]
    return next((name.removeprefix("wordnet-") for name in named if name.startswith("wordnet-")), "3.1")


def report_counts(given: int, found: Labelling, out: Path | None, as_json: bool) -> None:
    """Say how many usages were labelled: on stderr, or on stdout if a program wants it and a file has the rest."""
    senses = len(found.weights) / len(found) if len(found) else 0.0
    if as_json and out is not None:
        counts = {"usages": given, "labelled": len(found), "senses per labelled usage": round(senses, 3)}
        typer.echo(json.dumps({"path": str(out), **counts}))
    else:
        given_usages = count_noun(given, "usage")
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


def open_labelling_writer(out: Path | None, as_json: bool) -> Callable[[Labelling], None]:
    """What writes a labelling to a file, or prints it; that it cannot is said before there is one."""
    from polyseme.formats.answer_key import format_key
    from polyseme.formats.labelling_jsonl import format_labelling_jsonl
    from polyseme.formats.registry import get_writer

    if out is None:
        text = format_labelling_jsonl if as_json else format_key
        return lambda labelling: typer.echo(text(labelling), nl=False)
    write = get_writer("labelling", out)
    if out.is_dir():
        raise InputError("this is a folder; name a file in it", path=out)
    if not out.parent.is_dir():
        raise InputError(f"there is no folder {out.parent}; make it first", path=out)
    return write


def open_usages(name: str) -> list[Usage]:
    """The usages of a file, a folder or a data set."""
    from polyseme.datasets import load
    from polyseme.datasets.index import read_index
    from polyseme.formats import read_usages

    if not Path(name).exists() and name in read_index():
        return list(load(name).usages)
    found = list(read_usages(name))
    seen: set[str] = set()
    for usage in found:
        if usage.id in seen:
            raise InputError(f"usage {quote_value(usage.id)} is given twice in its files; rename one", path=name)
        seen.add(usage.id)
    return found
