"""``polyseme disambiguate``: the words of a text with the senses of a dictionary."""

from __future__ import annotations

import json
import re
import shutil
import sys
import warnings
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from polyseme.cli.label import (
    KeepOption,
    ProcessesOption,
    VersionOption,
    open_labelling_writer,
    open_usages,
    report_counts,
    wordnet_version_for,
)
from polyseme.cli.output import JsonOption, show_status
from polyseme.errors import InputError, InputWarning, count_noun, quote_value

if TYPE_CHECKING:
    from polyseme.corpus.documents import Document
    from polyseme.disambiguation.calibration import Calibration
    from polyseme.disambiguation.sources import Sources
    from polyseme.disambiguation.text_usages import TextUsages
    from polyseme.formats.files import Source
    from polyseme.formats.registry import FileFormat
    from polyseme.labelling import Labelling
    from polyseme.usage import Usage

EXAMPLE = 'polyseme disambiguate "He sat on the bank of the river"'
PATH = re.compile(r"\S*[/\\]\S*|\S+\.[A-Za-z]\w{1,7}")
"""What looks like the name of a file, and not like a text."""

SENSES = (".key", ".gold")
"""Files of senses, not of text, are called so; nothing else tells some of them from plain text."""


def disambiguate(
    inputs: Annotated[
        list[str],
        typer.Argument(
            metavar="TEXT | FILE …",
            help="A text, in quotes; or files and folders of texts or of usages, or names of data sets; - for what is"
            " piped in.",
        ),
    ],
    model: Annotated[
        str,
        typer.Option(metavar="MODEL", help="How; `polyseme parts disambiguator` and `… parts baseline` list it."),
    ] = "PPR",
    target: Annotated[str, typer.Option(metavar="WORD", help="Only this word, in any form: bank, or bank.n.")] = "",
    version: VersionOption = None,
    keep: KeepOption = None,
    scale: Annotated[
        str | None,
        typer.Option(metavar="1-5|FILE", help="Ratings instead of weights: in proportion, or as a file was learnt."),
    ] = None,
    top: Annotated[int | None, typer.Option(min=1, help="How many senses of a word; 5 are shown if not said.")] = None,
    out: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write a labelling; its suffix says how.")
    ] = None,
    processes: ProcessesOption = None,
    as_json: JsonOption = False,
) -> None:
    """Print the words of a text that WordNet has, with their senses, weights as bars, and glosses.

    With -o, the senses of all usages go to a file instead: .key, .jsonl or .parquet. With --json, the words are a list
    for programs: start, end, form, lemma, and senses with id, weight and gloss.
    """
    from polyseme.disambiguation.calibration import open_calibration
    from polyseme.disambiguation.disambiguated_text import (
        build_disambiguator,
        describe_usages,
        requires_dictionary_senses,
    )
    from polyseme.disambiguation.model import DictionaryModel
    from polyseme.disambiguation.sources import Sources

    write = open_labelling_writer(out, as_json) if out else None
    part, curve = build_disambiguator(model), open_calibration(scale) if scale else None
    _warn_of_another(curve, repr(part))
    with show_status() as say:
        say("Reading")
        sources = Sources(version or wordnet_version_for(inputs))
        found = _found(inputs, sources, target, processes)
        say(f"Disambiguating {count_noun(len(found.usages), 'word')}")
        labels = DictionaryModel(part, sources, keep or 0.0)
        names = {usage.id for usage in found.usages}
        labelled = labels.label(found.every, only=names, read=found.read, processes=processes)
    strongest = _strongest(labelled, top)
    if write:
        scaled = curve(strongest) if curve else strongest
        write(scaled)
        report_counts(len(found.usages), scaled, out, as_json)
        return
    answer = describe_usages(found.usages, strongest, sources.wordnet, curve, strict=requires_dictionary_senses(part))
    if as_json:
        typer.echo(json.dumps(answer.plain(), ensure_ascii=False, indent=2))
    else:
        typer.echo(answer.shown(_width(), top))


def _width() -> int:
    """As wide as the terminal; in a pipe a line is as long as need be."""
    from polyseme.reports.tables import PIPE_WIDTH

    return shutil.get_terminal_size().columns if sys.stdout.isatty() else PIPE_WIDTH


def _warn_of_another(scale: Calibration | None, model: str) -> None:
    """Say so if a scale was learnt for another model: its curve need not fit."""
    if scale and scale.model and scale.model != model:
        warnings.warn(f"the scale was learnt for {scale.model}, and the model is {model}", InputWarning, stacklevel=2)


def _strongest(labelling: Labelling, top: int | None) -> Labelling:
    """The labelling with the strongest senses of each usage; their weights stay as they are."""
    from polyseme.labelling import Labelling

    if top is None:
        return labelling
    return Labelling((lemma, usage, _heaviest(senses, top)) for lemma, usage, senses in labelling.rows())


def _heaviest(senses: dict[str, float], top: int) -> dict[str, float]:
    return dict(sorted(senses.items(), key=lambda pair: -pair[1])[:top])


# -- what is given -------------------------------------------------------------------------------------------------


def _found(inputs: Sequence[str], sources: Sources, target: str, processes: int | None) -> TextUsages:
    """The usages to label; an error if there is none, and a warning of the words that the dictionary has not got."""
    from polyseme.disambiguation.contexts import find_usage_entry
    from polyseme.disambiguation.text_usages import (
        TargetWord,
        describe_unknown_words,
        find_text_usages,
        no_usages_error,
    )

    given, documents = _read(inputs)
    wanted = TargetWord(target, sources).usages(given) if target else given
    found = find_text_usages(documents, sources, target=target, processes=processes)
    known = dict.fromkeys([*found.known, *(usage.target or usage.lemma for usage in given)])
    every = (*given, *found.every)
    found = replace(found, usages=(*wanted, *found.usages), every=every, known=tuple(known))
    if not found.usages:
        raise no_usages_error(found, target, sources)
    _check_names(every)
    if not any(find_usage_entry(usage, sources) for usage in found.usages):
        strange = dict.fromkeys(usage.lemma.partition(".")[0] for usage in found.usages)
        raise no_usages_error(replace(found, known=(), unknown=tuple(strange)), "", sources)
    if found.unknown and not target:
        warnings.warn(describe_unknown_words(found, sources.wordnet), InputWarning, stacklevel=3)
    return found


def _check_names(usages: Sequence[Usage]) -> None:
    """An error if two usages are called the same."""
    seen: set[str] = set()
    for usage in usages:
        if usage.id in seen:
            raise InputError(
                f"two usages are called {quote_value(usage.id)}; name a folder that holds all of their files"
            )
        seen.add(usage.id)


def _read(inputs: Sequence[str]) -> tuple[list[Usage], list[Document]]:
    """The usages and the documents that arguments stand for."""
    from polyseme.corpus.documents import CorpusFile, Document, list_corpus_files
    from polyseme.datasets.index import read_index

    usages: list[Usage] = []
    documents: list[Document] = []
    for given in inputs:
        if given != "-" and _exists(given):
            for file in list_corpus_files(given):
                assert isinstance(file, CorpusFile), "a path stands for files"
                if format := _format_of_usages(file.source):
                    usages += format.readers["usages"](file.source)
                else:
                    documents += file.documents()
        elif given in read_index():
            usages += open_usages(given)
        else:
            documents.append(Document("", _text(given, len(inputs))))
    return usages, documents


def _exists(name: str) -> bool:
    """Whether there is a file of this name; a long text is none, and no error."""
    try:
        return bool(name) and Path(name).exists()
    except (OSError, ValueError):
        return False


def _format_of_usages(source: Source) -> FileFormat | None:
    """The format of a file that has usages, and not only text; an error if it has neither."""
    from polyseme.formats.files import format_suffix, read_head
    from polyseme.formats.json_records import first_object_fields
    from polyseme.formats.registry import all_formats, recognise_format

    start = read_head(source)
    able = [each for each in all_formats().values() if each.recognises(start)]
    if "text" in first_object_fields(start) and "lemma" not in first_object_fields(start):
        return None
    if format_suffix(source) in SENSES and not any({"usages", "sentences"} & each.readers.keys() for each in able):
        return recognise_format(source, "usages")
    return next((each for each in able if "usages" in each.readers), None)


def _text(given: str, inputs: int) -> str:
    """A text that is given as an argument or piped in; an error if it looks like something else."""
    text = sys.stdin.read() if given == "-" else given
    if not text.strip():
        raise InputError(f"the text is empty; give a sentence, as in: {EXAMPLE}")
    if given != "-" and inputs > 1:
        problem = f"there is no file, folder or data set {quote_value(given)}"
        raise InputError(f"{problem}; a text is one argument, in quotes, as in: {EXAMPLE}")
    if PATH.fullmatch(given.strip()):
        raise InputError(f"there is no file or folder {quote_value(given)}; a text is a sentence, as in: {EXAMPLE}")
    return text
