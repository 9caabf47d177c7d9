"""The documents of a corpus: text files and folders, JSON Lines, CSV, usages, and text that is analysed already."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from polyseme.errors import InputError, shown
from polyseme.formats.archives import files_in
from polyseme.formats.files import Source, blocks, head, lines, read_text
from polyseme.formats.format import formats
from polyseme.formats.json_text import NotAsAgreed, check_fields, first_fields, given_object
from polyseme.formats.parquet_tokens import parquet_columns, parquet_rows
from polyseme.formats.tables import has_columns, quoted_rows
from polyseme.sentence import Sentence
from polyseme.usage import Usage

Skip = Callable[[InputError], object]
"""What is done about a file that cannot be read; without one, it is an error."""


class Target(NamedTuple):
    """A place in a text, and the word that is known to stand there, whatever an analyser makes of it."""

    start: int
    end: int
    word: str


@dataclass(frozen=True)
class Document:
    """A text with a name; or, where ``sentences`` are given, one that is analysed already."""

    name: str
    text: str
    meta: Mapping[str, str] = field(default_factory=dict)
    sentences: tuple[Sentence, ...] | None = None
    target: Target | None = None


@dataclass(frozen=True)
class File:
    """A file of a source: how it is called in the index, and where it lies."""

    name: str
    source: Source

    def checksum(self) -> str:
        """The SHA-256 of its decompressed content."""
        return _digest(blocks(self.source))

    def documents(self) -> Iterator[Document]:
        """Its documents, one after the other; that there is nothing in it is an error too."""
        start = head(self.source)
        if not start.strip():
            raise InputError("the file is empty", path=self.source)
        for recognises, read in READERS:
            if recognises(start):
                return read(self)
        return iter([Document(self.name, _text(self.source))])


@dataclass(frozen=True)
class Given:
    """Usages that are in memory, as a file of them."""

    usages: tuple[Usage, ...]
    name: ClassVar[str] = "usages"
    source: ClassVar[str] = "usages"

    def checksum(self) -> str:
        """The SHA-256 of what is indexed of them."""
        return _digest(
            json.dumps([each.name, each.text, dict(each.meta)]).encode() + b"\n" for each in self.documents()
        )

    def documents(self) -> Iterator[Document]:
        """A document for each."""
        return of_usages(self.usages)


def _digest(blocks: Iterable[bytes]) -> str:
    digest = hashlib.sha256()
    for block in blocks:
        digest.update(block)
    return digest.hexdigest()


Sources = str | os.PathLike[str] | File | Usage
"""What can be indexed: paths of files, folders and archives, single files of these, and usages."""


def files_of(*sources: Sources) -> Iterator[File | Given]:
    """The files of sources, without the hidden ones of folders; usages are one file."""
    usages = tuple(source for source in sources if isinstance(source, Usage))
    if usages:
        yield Given(usages)
    for source in sources:
        if isinstance(source, File):
            yield source
        elif not isinstance(source, Usage):
            yield from _files_in(source)


def _files_in(source: str | os.PathLike[str]) -> Iterator[File]:
    top = Path(source)
    if not top.exists():
        raise InputError("there is no such file or folder", path=source)
    for found in files_in(top):
        within = os.path.relpath(str(found), top) if str(found) != str(top) else top.name
        if not any(part.startswith(".") for part in Path(within).parts):
            yield File(within.replace(os.sep, "/"), found)


def of_usages(usages: Iterable[Usage]) -> Iterator[Document]:
    """Usages as documents: the context of each, under its id."""
    for usage in usages:
        known = {name: str(value) for name, value in usage.meta.items()}
        target = Target(usage.start, usage.end, usage.lemma) if usage.lemma[-2:-1] == "." else None
        yield Document(usage.id, usage.text, known | {"lemma": usage.lemma}, target=target)


def _text(source: Source) -> str:
    text = read_text(source)
    if not text.strip():
        raise InputError("the file holds nothing but white space", path=source)
    return text


def _of_lines(file: File) -> Iterator[Document]:
    """JSON Lines: an object with a ``text``, perhaps an ``id``; the rest is metadata."""
    for number, line in lines(file.source):
        if line.strip():
            try:
                given: dict[str, Any] = given_object(line)
                check_fields(given, "text")
            except NotAsAgreed as error:
                problem = f'{error}. A line reads: {{"text": "…", "id": "a1", "date": 1900}}'
                raise InputError(problem, path=file.source, line=number) from None
            if not isinstance(given["text"], str):
                raise InputError(f"text {shown(given['text'])} must be text in quotes", path=file.source, line=number)
            yield _named(file, given.pop("id", number), given.pop("text"), given)


def _of_rows(file: File) -> Iterator[Document]:
    """CSV: a column ``text``, perhaps one ``id``; the others are metadata."""
    for row in quoted_rows(file.source, ["text"]):
        cells = dict(row.cells)
        yield _named(file, cells.pop("id", row.line), cells.pop("text"), cells)


def _of_parquet(file: File) -> Iterator[Document]:
    """Parquet: a table of tokens, or of documents as in CSV."""
    names = parquet_columns(file.source)
    if "form" in names:
        yield from _of_sentences(file)
    elif "text" in names:
        for number, row in enumerate(parquet_rows(file.source, ["text"]), start=1):
            if not isinstance(row["text"], str):
                raise InputError(f"text {shown(row['text'])} in row {number} is no text", path=file.source)
            yield _named(file, row.pop("id", number), row.pop("text"), row)
    else:
        there = ", ".join(map(shown, names)) or "none"
        problem = "needed are form and sentence, for a table of tokens, or text, for one of documents"
        raise InputError(f"the table has the columns {there[:400]}; {problem}", path=file.source)


def _named(file: File, id: object, text: str, known: Mapping[str, Any]) -> Document:
    nested = known.get("meta")
    flat = {**known, **nested} if isinstance(nested, dict) else dict(known)
    meta = {name: str(value) for name, value in flat.items() if value is not None and name != "meta"}
    return Document(f"{file.name}#{id}", text, meta)


def _of_usages(file: File) -> Iterator[Document]:
    return of_usages(formats()[_usage_format(head(file.source))].readers["usages"](file.source))


def _usage_format(start: bytes) -> str:
    return _format(start, "usages")


def _analysed_format(start: bytes) -> str:
    return _format(start, "sentences")


def _format(start: bytes, content: str) -> str:
    able = (each for each in formats().values() if content in each.readers)
    return next((each.name for each in able if each.recognises(start)), "")


def _of_sentences(file: File) -> Iterator[Document]:
    """Sentences that are analysed already, those of one document after another."""
    read = formats()[_analysed_format(head(file.source))].readers["sentences"]
    for name, group in groupby(_by_document(read(file.source)), key=lambda pair: pair[0]):
        sentences = tuple(sentence for _, sentence in group)
        known = dict(sentences[0].meta)
        shared = {key: value for key, value in known.items() if all(each.meta.get(key) == value for each in sentences)}
        yield Document(f"{file.name}#{name}" if name else file.name, "", shared, sentences)


def _by_document(sentences: Iterable[Sentence]) -> Iterator[tuple[str, Sentence]]:
    """Each with its document's name: CoNLL-U says where one begins, the other formats in which one a sentence is."""
    name = ""
    for sentence in sentences:
        said = (sentence.meta[key] for key in ("newdoc id", "text_id", "document") if key in sentence.meta)
        name = next(said, name)
        yield name, sentence


READERS: tuple[tuple[Callable[[bytes], bool], Callable[[File], Iterator[Document]]], ...] = (
    (formats()["parquet"].recognises, _of_parquet),
    (lambda start: bool(_analysed_format(start)), _of_sentences),
    (lambda start: "text" in first_fields(start) and "lemma" not in first_fields(start), _of_lines),
    (lambda start: bool(_usage_format(start)), _of_usages),
    (has_columns("text"), _of_rows),
)
"""How a file is read that is not plain text, by what its first bytes say."""
