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
from polyseme.errors import InputError, quote_value
from polyseme.formats.archives import iterate_files
from polyseme.formats.conllu import new_document_name
from polyseme.formats.files import (
    BOM,
    Source,
    decode_utf8,
    format_suffix,
    read_blocks,
    read_head,
    read_lines,
    read_text,
)
from polyseme.formats.json_records import (
    LONE_SURROGATE,
    RecordError,
    check_surrogates,
    first_object_fields,
    list_field_names,
    parse_object,
    require_fields,
)
from polyseme.formats.registry import all_formats
from polyseme.formats.tables import format_number, has_columns, header_columns, read_csv_rows
from polyseme.formats.tokens_parquet import read_parquet_columns, read_parquet_rows
from polyseme.formats.vrt import read_vrt_texts
from polyseme.lemma import normalise_lemma, pos_of_lemma
from polyseme.sentence import Sentence
from polyseme.usage import Usage

ErrorHandler = Callable[[InputError], object]
"""What is done about a file that cannot be read; without one, it is an error."""

CELL_LIMIT = 1 << 28
"""Characters in a cell of a CSV file: a cell is a text here, and may be a book."""

TABLE_SUFFIXES = {".csv": "column", ".tsv": "column", ".jsonl": "field", ".ndjson": "field", ".json": "field"}
"""Files that are not plain text, whatever is in them, by their suffix; and what they must have that is called text."""


class DocumentTarget(NamedTuple):
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
    target: DocumentTarget | None = None


@dataclass(frozen=True)
class CorpusFile:
    """A file of a source: how it is called in the index, and where it lies."""

    name: str
    source: Source

    def checksum(self) -> str:
        """The SHA-256 of its decompressed content."""
        return _digest(read_blocks(self.source))

    def documents(self) -> Iterator[Document]:
        """Its documents, one after the other; that there is nothing in it is an error too."""
        start = _read_start(self.source)
        if not start.removeprefix(BOM).strip():
            raise InputError("the file is empty", path=self.source)
        for recognises, read in READERS:
            if recognises(start):
                return _require_documents(read(self), self.source)
        if format_suffix(self.source) in TABLE_SUFFIXES:
            raise _missing_text_error(self.source, start)
        return iter([Document(self.name, _read_plain_text(self.source))])


def _read_start(source: Source) -> bytes:
    """The first bytes, and of JSON the first line, however long it is."""
    start = read_head(source)
    if b"\n" not in start and start.removeprefix(BOM).lstrip().startswith(b"{"):
        return next(read_lines(source))[1].encode()
    return start


def _require_documents(documents: Iterator[Document], source: Source) -> Iterator[Document]:
    """The documents; that there are none is an error."""
    first = next(documents, None)
    if first is None:
        raise InputError("the file is empty", path=source)
    yield first
    yield from documents


def _missing_text_error(source: Source, start: bytes) -> InputError:
    """What is wrong with a table that has no text, or none that can be found."""
    decode_utf8(start[: start.rfind(b"\n") + 1] or start, source)
    kind = TABLE_SUFFIXES[format_suffix(source)]
    names = header_columns(start) if kind == "column" else list_field_names(start)
    there = f"the {kind}s {', '.join(map(quote_value, names))[:400]}" if names else f"no {kind}s"
    wanted = "one must be called text" if "text" not in names else "its objects must be on lines of their own"
    form = '. A line reads: {"text": "…", "id": "a1", "date": 1900}' if kind == "field" else ""
    return InputError(f"a file of this name is a table, and this one has {there}; {wanted}{form}", path=source)


@dataclass(frozen=True)
class UsageFile:
    """Usages that are in memory, as a file of them."""

    usages: tuple[Usage, ...]
    name: ClassVar[str] = "usages"
    source: ClassVar[str] = "usages"

    def checksum(self) -> str:
        """The SHA-256 of what is indexed of them."""
        return _digest(json.dumps(_usage_fields(usage)).encode() + b"\n" for usage in self.usages)

    def documents(self) -> Iterator[Document]:
        """A document for each."""
        return usages_to_documents(self.usages)


def _usage_fields(usage: Usage) -> list[object]:
    return [usage.id, usage.text, usage.start, usage.end, usage.lemma, usage.pos, _meta_as_text(usage.meta)]


def _digest(blocks: Iterable[bytes]) -> str:
    digest = hashlib.sha256()
    for block in blocks:
        digest.update(block)
    return digest.hexdigest()


CorpusSource = str | os.PathLike[str] | CorpusFile | Usage
"""What can be indexed: paths of files, folders and archives, single files of these, and usages."""


def list_corpus_files(*sources: CorpusSource) -> Iterator[CorpusFile | UsageFile]:
    """The files of sources, without the hidden ones of folders; usages are one file."""
    usages = tuple(source for source in sources if isinstance(source, Usage))
    if usages:
        yield UsageFile(usages)
    for source in sources:
        if isinstance(source, CorpusFile):
            yield source
        elif not isinstance(source, Usage):
            yield from _files_in(source)


def _files_in(source: str | os.PathLike[str]) -> Iterator[CorpusFile]:
    top = Path(source)
    if not top.exists():
        raise InputError("there is no such file or folder", path=source)
    for found in iterate_files(top):
        if str(found) == str(top):
            yield CorpusFile(top.name, found)
            continue
        within = os.path.relpath(str(found), top)
        if not any(part.startswith(".") for part in Path(within).parts):
            yield CorpusFile(within.replace(os.sep, "/"), found)


class _DocumentNames:
    """What the documents of a file are called, and the line or the like where each stands.

    A document that is called after its number, as all may be, takes a byte, another some 40: see :class:`_Hashes`.
    """

    def __init__(self, source: Source, where: str) -> None:
        self.source = source
        self.where = where
        self._given = _NameHashes()
        self._numbered = bytearray()

    def add(self, id: object, number: int) -> str:
        """The id, or the number if there is none; one that was given before is an error."""
        said = "" if id is None else format_number(id) if isinstance(id, float) else str(id)
        name = said if said.strip() else str(number)
        before = self._given.number(name) or self._numbered_so(name)
        if before:
            problem = f"two documents are called {quote_value(name)}, {self.where} {before} and {self.where} {number}"
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


class _NameHashes:
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


def usages_to_documents(usages: Iterable[Usage], source: Source = UsageFile.source) -> Iterator[Document]:
    """Usages as documents: the context of each, under its id."""
    names = _DocumentNames(source, "as number")
    for number, usage in enumerate(usages, start=1):
        known = _meta_as_text(usage.meta) | {"lemma": usage.lemma}
        if half := LONE_SURROGATE.search("\n".join([usage.id, usage.text, *known, *known.values()])):
            problem = f"usage {quote_value(usage.id)} holds {half[0]!r}, half a character, which cannot stand alone"
            raise InputError(f"{problem}; leave it out", path=source)
        word = normalise_lemma(usage.lemma, usage.pos)
        target = DocumentTarget(usage.start, usage.end, word) if pos_of_lemma(word) else None
        yield Document(names.add(usage.id, number), usage.text, known, target=target)


def _meta_as_text(known: Mapping[str, object]) -> dict[str, str]:
    return {name: str(value) for name, value in known.items()}


def _read_plain_text(source: Source) -> str:
    text = read_text(source)
    if not text.strip():
        raise InputError("the file holds nothing but white space", path=source)
    return text


def _read_json_lines(file: CorpusFile) -> Iterator[Document]:
    """JSON Lines: an object with a ``text``, perhaps an ``id``; the rest is metadata."""
    names = _DocumentNames(file.source, "in line")
    for number, line in read_lines(file.source):
        if line.strip():
            try:
                given: dict[str, Any] = parse_object(line)
                require_fields(given, "text")
                check_surrogates(given, line)
            except RecordError as error:
                problem = f'{error}. A line reads: {{"text": "…", "id": "a1", "date": 1900}}'
                raise InputError(problem, path=file.source, line=number) from None
            if not isinstance(given["text"], str):
                raise InputError(
                    f"text {quote_value(given['text'])} must be text in quotes", path=file.source, line=number
                )
            yield _build_document(file, names.add(given.pop("id", None), number), given.pop("text"), given)


def _read_csv(file: CorpusFile) -> Iterator[Document]:
    """CSV: a column ``text``, perhaps one ``id``; the others are metadata."""
    names = _DocumentNames(file.source, "in line")
    for row in read_csv_rows(file.source, ["text"], CELL_LIMIT):
        cells = dict(row.cells)
        yield _build_document(file, names.add(cells.pop("id", None), row.line), cells.pop("text"), cells)


def _read_parquet(file: CorpusFile) -> Iterator[Document]:
    """Parquet: a table of tokens, or of documents as in CSV."""
    columns = read_parquet_columns(file.source)
    if "form" in columns and ("sentence" in columns or "text" not in columns):
        yield from _read_sentences(file)
    elif "text" in columns:
        names = _DocumentNames(file.source, "in row")
        for number, row in enumerate(read_parquet_rows(file.source, ["text"]), start=1):
            if not isinstance(row["text"], str):
                raise InputError(f"text {quote_value(row['text'])} in row {number} is no text", path=file.source)
            yield _build_document(file, names.add(row.pop("id", None), number), row.pop("text"), row)
    else:
        there = ", ".join(map(quote_value, columns)) or "none"
        problem = "needed are form and sentence, for a table of tokens, or text, for one of documents"
        raise InputError(f"the table has the columns {there[:400]}; {problem}", path=file.source)


def _build_document(file: CorpusFile, id: str, text: str, known: Mapping[str, Any]) -> Document:
    nested = known.get("meta")
    flat = {**known, **nested} if isinstance(nested, dict) else dict(known)
    meta = {name: str(value) for name, value in flat.items() if value is not None and name != "meta"}
    return Document(f"{file.name}#{id}", text, meta)


def _read_usages(file: CorpusFile) -> Iterator[Document]:
    return usages_to_documents(
        all_formats()[_usage_format(read_head(file.source))].readers["usages"](file.source), file.source
    )


def _usage_format(start: bytes) -> str:
    return _format(start, "usages")


def _analysed_format(start: bytes) -> str:
    return _format(start, "sentences")


def _format(start: bytes, content: str) -> str:
    able = (each for each in all_formats().values() if content in each.readers)
    return next((each.name for each in able if each.recognises(start)), "")


def _read_sentences(file: CorpusFile) -> Iterator[Document]:
    """Sentences that are analysed already, those of one document after another."""
    names = _DocumentNames(file.source, "as number")
    for number, (mark, group) in enumerate(groupby(_mark_sentences(file), key=lambda pair: pair[0]), start=1):
        sentences = tuple(sentence for _, sentence in group)
        name = f"{file.name}#{names.add(mark.name, number)}" if mark.begins or number > 1 else file.name
        yield Document(name, "", _shared_meta(sentences), sentences)


class _DocumentMark(NamedTuple):
    """Where a document begins, in whatever is counted, with its name, if it has one; 0 if the file does not say."""

    begins: int
    name: str


def _mark_sentences(file: CorpusFile) -> Iterator[tuple[_DocumentMark, Sentence]]:
    """Each sentence with its document: CoNLL-U and VRT say where one begins, the other formats what it is called."""
    format = _analysed_format(read_head(file.source))
    sentences: Iterator[Sentence] = all_formats()[format].readers["sentences"](file.source)
    if format == "vrt":
        yield from ((_DocumentMark(*text), sentence) for text, sentence in read_vrt_texts(file.source))
    elif format == "conll-u":
        mark = _DocumentMark(0, "")
        for sentence in sentences:
            begun = new_document_name(sentence, mark.name)
            mark = mark if begun is None else _DocumentMark(mark.begins + 1, begun)
            yield mark, sentence
    else:
        for sentence in sentences:
            name = sentence.meta.get("document") or sentence.meta.get("text_id", "")
            yield _DocumentMark(int(bool(name)), name), sentence


def _shared_meta(sentences: tuple[Sentence, ...]) -> dict[str, str]:
    """What is known of a document: what its first sentence says, unless another says something else."""
    known = dict(sentences[0].meta)
    for sentence in sentences[1:]:
        known = {name: value for name, value in known.items() if sentence.meta.get(name, value) == value}
    marks = ("newdoc", "newdoc id", "newpar", "newpar id")
    return {name.removeprefix("newdoc "): value for name, value in known.items() if name not in marks}


READERS: tuple[tuple[Callable[[bytes], bool], Callable[[CorpusFile], Iterator[Document]]], ...] = (
    (all_formats()["parquet"].recognises, _read_parquet),
    (lambda start: bool(_analysed_format(start)), _read_sentences),
    (
        lambda start: "text" in first_object_fields(start) and "lemma" not in first_object_fields(start),
        _read_json_lines,
    ),
    (lambda start: bool(_usage_format(start)), _read_usages),
    (has_columns("text"), _read_csv),
)
"""How a file is read that is not plain text, by what its first bytes say."""
