"""The input of ``polyseme disambiguate``: texts and usages by name."""

from __future__ import annotations

import re
import sys
import warnings
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from polyseme.corpus.documents import CorpusFile, Document, list_corpus_files
from polyseme.datasets.index import read_index
from polyseme.datasets.opening import open_usages
from polyseme.disambiguation.contexts import find_usage_entry
from polyseme.disambiguation.sources import Sources
from polyseme.disambiguation.text_usages import (
    TargetWord,
    TextUsages,
    abbreviate_list,
    describe_unknown_words,
    find_text_usages,
    no_usages_error,
)
from polyseme.errors import InputError, InputWarning, count_noun, quote_value
from polyseme.formats.files import Source, format_suffix, missing_file_error, read_head
from polyseme.formats.json_records import first_object_fields
from polyseme.formats.registry import FileFormat, all_formats, recognise_format
from polyseme.usage import Usage

EXAMPLE_COMMAND = 'polyseme disambiguate "He sat on the bank of the river"'
PATH_PATTERN = re.compile(r"\S*[/\\]\S*|\S+\.[A-Za-z]\w{1,7}")
"""What looks like the name of a file, and not like a text."""

SENSE_SUFFIXES = (".key", ".gold")
"""The suffixes of files of senses; nothing else distinguishes some of them from plain text."""


def read_text_inputs(
    inputs: Sequence[str], sources: Sources, target: str = "", processes: int | None = None
) -> TextUsages:
    """Read the usages of texts, files, folders and data sets.

    A warning lists the words that the dictionary lacks, or the texts without the target.

    Args:
        inputs: A text; or names of files, folders and data sets; ``-`` reads from stdin.
        sources: The dictionary.
        target: Only usages of this word.
        processes: The number of processes that analyse text.

    Raises:
        InputError: There is no usage, or two usages have the same id.
    """
    listed, documents = _read_inputs(inputs)
    selected = TargetWord(target, sources).select_usages(listed) if target else listed
    text = find_text_usages(documents, sources, target=target, processes=processes)
    forms = dict.fromkeys([*text.listed, *(usage.target or usage.lemma for usage in listed)])
    every = (*listed, *text.every)
    text = replace(text, usages=(*selected, *text.usages), every=every, listed=tuple(forms))
    if not text.usages:
        raise no_usages_error(text, target, sources)
    _check_ids(every)
    if not any(find_usage_entry(usage, sources) for usage in text.usages):
        words = dict.fromkeys(usage.lemma.partition(".")[0] for usage in text.usages)
        raise no_usages_error(replace(text, listed=(), unknown=tuple(words)), "", sources)
    if target:
        _warn_of_texts_without(target, documents, text.usages)
    elif text.unknown:
        warnings.warn(describe_unknown_words(text, sources.wordnet), InputWarning, stacklevel=3)
    return text


def _warn_of_texts_without(target: str, documents: Sequence[Document], usages: Sequence[Usage]) -> None:
    """Warn if some texts have no usage of the target."""
    matched = {usage.meta.get("document") for usage in usages}
    if missing := [document.name for document in documents if document.name not in matched]:
        problem = f"{quote_value(target)} does not occur in {len(missing):,} of {count_noun(len(documents), 'text')}"
        warnings.warn(f"{problem}: {abbreviate_list(missing)}", InputWarning, stacklevel=4)


def _check_ids(usages: Sequence[Usage]) -> None:
    ids: set[str] = set()
    for usage in usages:
        if usage.id in ids:
            raise InputError(f"two usages have the id {quote_value(usage.id)}; name a folder that holds all files")
        ids.add(usage.id)


def _read_inputs(inputs: Sequence[str]) -> tuple[list[Usage], list[Document]]:
    """Read the usages and the documents of the inputs."""
    usages: list[Usage] = []
    documents: list[Document] = []
    for name in inputs:
        if name != "-" and _exists(name):
            for file in list_corpus_files(name):
                assert isinstance(file, CorpusFile), "a path stands for files"
                if form := _find_usage_format(file.source):
                    usages += form.readers["usages"](file.source)
                else:
                    documents += file.documents()
        elif name in read_index():
            usages += open_usages(name)
        else:
            documents.append(Document("", _read_text(name, len(inputs))))
    return usages, documents


def _exists(name: str) -> bool:
    """Whether there is a file of this name; a long text is no name, and no error."""
    try:
        return bool(name) and Path(name).exists()
    except (OSError, ValueError):
        return False


def _find_usage_format(source: Source) -> FileFormat | None:
    """Return the format of a file with usages; none if it has only text, an error if it has neither."""
    head = read_head(source)
    formats = [form for form in all_formats().values() if form.recognises(head)]
    fields = first_object_fields(head)
    if "text" in fields and "lemma" not in fields:
        return None
    has_text = any({"usages", "sentences"} & form.readers.keys() for form in formats)
    if format_suffix(source) in SENSE_SUFFIXES and not has_text:
        return recognise_format(source, "usages")
    return next((form for form in formats if "usages" in form.readers), None)


def _read_text(name: str, count: int) -> str:
    """Return a text from the command line or from stdin; raise an error if it looks like a file name."""
    text = sys.stdin.read() if name == "-" else name
    if not text.strip():
        raise InputError(f"the text is empty; write a sentence, as in: {EXAMPLE_COMMAND}")
    if name != "-" and (count > 1 or PATH_PATTERN.fullmatch(name.strip())):
        problem = missing_file_error(name, "file, folder or data set")
        raise InputError(f"{problem} A text is one argument, in quotes: {EXAMPLE_COMMAND}")
    return text
