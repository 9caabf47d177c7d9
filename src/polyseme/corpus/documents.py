"""The documents of a corpus: text files and folders, JSON Lines, CSV, usages, and text that is analysed already.

A document is called after its file and its id, or its number where it has none; two of one file are not called the
same, as the usages in them are called after it.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import numpy as np

from polyseme.arrays import Ints
from polyseme.corpus.vocabulary import part_of, word_of
from polyseme.errors import InputError, shown
from polyseme.formats.archives import files_in
from polyseme.formats.conllu import begun_document
from polyseme.formats.files import BOM, Source, blocks, decode, head, lines, read_text, suffix_of
from polyseme.formats.format import formats
from polyseme.formats.json_text import (
    HALF,
    NotAsAgreed,
    check_characters,
    check_fields,
    first_fields,
    given_object,
    named_fields,
)
from polyseme.formats.parquet_tokens import parquet_columns, parquet_rows
from polyseme.formats.tables import digits, first_columns, has_columns, quoted_rows
from polyseme.formats.vrt import read_vrt_texts
from polyseme.sentence import Sentence
from polyseme.usage import Usage

Skip = Callable[[InputError], object]
"""What is done about a file that cannot be read; without one, it is an error."""

LONGEST = 1 << 28
"""Characters in a cell of a CSV file: a cell is a text here, and may be a book."""

TABLES = {".csv": "column", ".tsv": "column", ".jsonl": "field", ".ndjson": "field", ".json": "field"}
"""Files that are not plain text, whatever is in them, by their suffix; and what they must have that is called text."""


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
        start = _start(self.source)
        if not start.removeprefix(BOM).strip():
            raise InputError("the file is empty", path=self.source)
        for recognises, read in READERS:
            if recognises(start):
                return _some(read(self), self.source)
        if suffix_of(self.source) in TABLES:
            raise _without_text(self.source, start)
        return iter([Document(self.name, _text(self.source))])


def _start(source: Source) -> bytes:
    """The first bytes, and of JSON the first line, however long it is."""
    start = head(source)
    if b"\n" not in start and start.removeprefix(BOM).lstrip().startswith(b"{"):
        return next(lines(source))[1].encode()
    return start


def _some(documents: Iterator[Document], source: Source) -> Iterator[Document]:
    """The documents; that there are none is an error."""
    first = next(documents, None)
    if first is None:
        raise InputError("the file is empty", path=source)
    yield first
    yield from documents


def _without_text(source: Source, start: bytes) -> InputError:
    """What is wrong with a table that has no text, or none that can be found."""
    decode(start[: start.rfind(b"\n") + 1] or start, source)
    kind = TABLES[suffix_of(source)]
    names = first_columns(start) if kind == "column" else named_fields(start)
    there = f"the {kind}s {', '.join(map(shown, names))[:400]}" if names else f"no {kind}s"
    wanted = "one must be called text" if "text" not in names else "its objects must be on lines of their own"
    form = '. A line reads: {"text": "…", "id": "a1", "date": 1900}' if kind == "field" else ""
    return InputError(f"a file of this name is a table, and this one has {there}; {wanted}{form}", path=source)


@dataclass(frozen=True)
class Given:
    """Usages that are in memory, as a file of them."""

    usages: tuple[Usage, ...]
    name: ClassVar[str] = "usages"
    source: ClassVar[str] = "usages"

    def checksum(self) -> str:
        """The SHA-256 of what is indexed of them."""
        return _digest(json.dumps(_indexed(usage)).encode() + b"\n" for usage in self.usages)

    def documents(self) -> Iterator[Document]:
        """A document for each."""
        return of_usages(self.usages)


def _indexed(usage: Usage) -> list[object]:
    return [usage.id, usage.text, usage.start, usage.end, usage.lemma, usage.pos, _meta(usage.meta)]


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
        if str(found) == str(top):
            yield File(top.name, found)
            continue
        within = os.path.relpath(str(found), top)
        if not any(part.startswith(".") for part in Path(within).parts):
            yield File(within.replace(os.sep, "/"), found)


class _Names:
    """What the documents of a file are called, and the line or the like where each stands.

    A document that is called after its number, as all may be, takes a byte, another some 40: see :class:`_Hashes`.
    """

    def __init__(self, source: Source, where: str) -> None:
        self.source = source
        self.where = where
        self._given = _Hashes()
        self._numbered = bytearray()

    def add(self, id: object, number: int) -> str:
        """The id, or the number if there is none; one that was given before is an error."""
        said = "" if id is None else digits(id) if isinstance(id, float) else str(id)
        name = said if said.strip() else str(number)
        before = self._given.number(name) or self._numbered_so(name)
        if before:
            problem = f"two documents are called {shown(name)}, {self.where} {before} and {self.where} {number}"
            line = number if self.where == "in line" else None
            raise InputError(f"{problem}; give each an id of its own", path=self.source, line=line)
        if said.strip():
            self._given.add(name, number)
        else:
            self._numbered.extend(bytes(number + 1 - len(self._numbered)))
            self._numbered[number] = 1
        return name

    def _numbered_so(self, name: str) -> int:
        """The number of the document that is called so because it has no id; 0 if none is."""
        number = int(name) if name.isascii() and name.isdigit() and len(name) < 12 and name[0] != "0" else 0
        return number if number < len(self._numbered) and self._numbered[number] else 0


class _Hashes:
    """Names with a number each, of which only a hash is kept: the latest in a dictionary, the others sorted."""

    def __init__(self) -> None:
        self._latest: dict[int, int] = {}
        self._sorted: Ints = np.zeros((2, 0), np.int64)

    def number(self, name: str) -> int:
        """The number of a name, 0 if it was not given."""
        key, (keys, numbers) = hash(name), self._sorted
        at = int(np.searchsorted(keys, key))
        return int(numbers[at]) if at < len(keys) and keys[at] == key else self._latest.get(key, 0)

    def add(self, name: str, number: int) -> None:
        """Keep a name that was not given."""
        self._latest[hash(name)] = number
        if len(self._latest) > max(1 << 16, self._sorted.shape[1] // 8):
            latest = np.array([[*self._latest], [*self._latest.values()]], np.int64)
            every = np.concatenate([self._sorted, latest], axis=1)
            self._sorted, self._latest = every[:, np.argsort(every[0], kind="stable")], {}


def of_usages(usages: Iterable[Usage], source: Source = Given.source) -> Iterator[Document]:
    """Usages as documents: the context of each, under its id."""
    names = _Names(source, "as number")
    for number, usage in enumerate(usages, start=1):
        known = _meta(usage.meta) | {"lemma": usage.lemma}
        if half := HALF.search("\n".join([usage.id, usage.text, *known, *known.values()])):
            problem = f"usage {shown(usage.id)} holds {half[0]!r}, half a character, which cannot stand alone"
            raise InputError(f"{problem}; leave it out", path=source)
        word = word_of(usage.lemma, usage.pos)
        target = Target(usage.start, usage.end, word) if part_of(word) else None
        yield Document(names.add(usage.id, number), usage.text, known, target=target)


def _meta(known: Mapping[str, object]) -> dict[str, str]:
    return {name: str(value) for name, value in known.items()}


def _text(source: Source) -> str:
    text = read_text(source)
    if not text.strip():
        raise InputError("the file holds nothing but white space", path=source)
    return text


def _of_lines(file: File) -> Iterator[Document]:
    """JSON Lines: an object with a ``text``, perhaps an ``id``; the rest is metadata."""
    names = _Names(file.source, "in line")
    for number, line in lines(file.source):
        if line.strip():
            try:
                given: dict[str, Any] = given_object(line)
                check_fields(given, "text")
                check_characters(given, line)
            except NotAsAgreed as error:
                problem = f'{error}. A line reads: {{"text": "…", "id": "a1", "date": 1900}}'
                raise InputError(problem, path=file.source, line=number) from None
            if not isinstance(given["text"], str):
                raise InputError(f"text {shown(given['text'])} must be text in quotes", path=file.source, line=number)
            yield _named(file, names.add(given.pop("id", None), number), given.pop("text"), given)


def _of_rows(file: File) -> Iterator[Document]:
    """CSV: a column ``text``, perhaps one ``id``; the others are metadata."""
    names = _Names(file.source, "in line")
    for row in quoted_rows(file.source, ["text"], LONGEST):
        cells = dict(row.cells)
        yield _named(file, names.add(cells.pop("id", None), row.line), cells.pop("text"), cells)


def _of_parquet(file: File) -> Iterator[Document]:
    """Parquet: a table of tokens, or of documents as in CSV."""
    columns = parquet_columns(file.source)
    if "form" in columns and ("sentence" in columns or "text" not in columns):
        yield from _of_sentences(file)
    elif "text" in columns:
        names = _Names(file.source, "in row")
        for number, row in enumerate(parquet_rows(file.source, ["text"]), start=1):
            if not isinstance(row["text"], str):
                raise InputError(f"text {shown(row['text'])} in row {number} is no text", path=file.source)
            yield _named(file, names.add(row.pop("id", None), number), row.pop("text"), row)
    else:
        there = ", ".join(map(shown, columns)) or "none"
        problem = "needed are form and sentence, for a table of tokens, or text, for one of documents"
        raise InputError(f"the table has the columns {there[:400]}; {problem}", path=file.source)


def _named(file: File, id: str, text: str, known: Mapping[str, Any]) -> Document:
    nested = known.get("meta")
    flat = {**known, **nested} if isinstance(nested, dict) else dict(known)
    meta = {name: str(value) for name, value in flat.items() if value is not None and name != "meta"}
    return Document(f"{file.name}#{id}", text, meta)


def _of_usages(file: File) -> Iterator[Document]:
    return of_usages(formats()[_usage_format(head(file.source))].readers["usages"](file.source), file.source)


def _usage_format(start: bytes) -> str:
    return _format(start, "usages")


def _analysed_format(start: bytes) -> str:
    return _format(start, "sentences")


def _format(start: bytes, content: str) -> str:
    able = (each for each in formats().values() if content in each.readers)
    return next((each.name for each in able if each.recognises(start)), "")


def _of_sentences(file: File) -> Iterator[Document]:
    """Sentences that are analysed already, those of one document after another."""
    names = _Names(file.source, "as number")
    for number, (mark, group) in enumerate(groupby(_by_document(file), key=lambda pair: pair[0]), start=1):
        sentences = tuple(sentence for _, sentence in group)
        name = f"{file.name}#{names.add(mark.name, number)}" if mark.begins or number > 1 else file.name
        yield Document(name, "", _shared(sentences), sentences)


class _Mark(NamedTuple):
    """Where a document begins, in whatever is counted, with its name, if it has one; 0 if the file does not say."""

    begins: int
    name: str


def _by_document(file: File) -> Iterator[tuple[_Mark, Sentence]]:
    """Each sentence with its document: CoNLL-U and VRT say where one begins, the other formats what it is called."""
    format = _analysed_format(head(file.source))
    sentences: Iterator[Sentence] = formats()[format].readers["sentences"](file.source)
    if format == "vrt":
        yield from ((_Mark(*text), sentence) for text, sentence in read_vrt_texts(file.source))
    elif format == "conll-u":
        mark = _Mark(0, "")
        for sentence in sentences:
            begun = begun_document(sentence, mark.name)
            mark = mark if begun is None else _Mark(mark.begins + 1, begun)
            yield mark, sentence
    else:
        for sentence in sentences:
            name = sentence.meta.get("document") or sentence.meta.get("text_id", "")
            yield _Mark(int(bool(name)), name), sentence


def _shared(sentences: tuple[Sentence, ...]) -> dict[str, str]:
    """What is known of a document: what its first sentence says, unless another says something else."""
    known = dict(sentences[0].meta)
    for sentence in sentences[1:]:
        known = {name: value for name, value in known.items() if sentence.meta.get(name, value) == value}
    marks = ("newdoc", "newdoc id", "newpar", "newpar id")
    return {name.removeprefix("newdoc "): value for name, value in known.items() if name not in marks}


READERS: tuple[tuple[Callable[[bytes], bool], Callable[[File], Iterator[Document]]], ...] = (
    (formats()["parquet"].recognises, _of_parquet),
    (lambda start: bool(_analysed_format(start)), _of_sentences),
    (lambda start: "text" in first_fields(start) and "lemma" not in first_fields(start), _of_lines),
    (lambda start: bool(_usage_format(start)), _of_usages),
    (has_columns("text"), _of_rows),
)
"""How a file is read that is not plain text, by what its first bytes say."""
