"""The documents of a corpus: text files and folders, JSON Lines, CSV, usages, and text that is analysed already.

A document is named after its file and its id, or its number if it has none. The names in a file must be unique, as the
names of usages depend on them.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from polyseme.corpus.document_names import DocumentNames
from polyseme.errors import InputError, quote_value
from polyseme.formats.archives import iterate_files
from polyseme.formats.conllu import new_document_name
from polyseme.formats.files import (
    BOM,
    Source,
    check_utf8,
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
from polyseme.formats.parquet_files import read_parquet_columns, read_parquet_rows
from polyseme.formats.registry import all_formats
from polyseme.formats.tables import has_columns, header_columns, read_csv_rows
from polyseme.formats.vrt import read_vrt_texts
from polyseme.formats.xml import read_elements
from polyseme.lemma import normalise_lemma
from polyseme.sentence import Sentence
from polyseme.usage import Usage

ErrorHandler = Callable[[InputError], object]
"""Receives the error of a file that cannot be read."""

CELL_LIMIT = 1 << 28
"""The greatest number of characters in a cell of a CSV file: a cell may be a whole book."""

TABLE_SUFFIXES = {".csv": "column", ".tsv": "column", ".jsonl": "field", ".ndjson": "field", ".json": "field"}
"""The suffixes of files that are never plain text, and what in them must be called text."""


class DocumentTarget(NamedTuple):
    """The offsets of a target, and its word, which overrides that of the analyser."""

    start: int
    end: int
    word: str


@dataclass(frozen=True)
class Document:
    """A text with a name.

    Args:
        name: The name.
        text: The text.
        meta: The metadata.
        sentences: The sentences, if the document is analysed already; the text is then empty.
        target: The target, if the document is the context of a usage.
    """

    name: str
    text: str
    meta: Mapping[str, str] = field(default_factory=dict)
    sentences: tuple[Sentence, ...] | None = None
    target: DocumentTarget | None = None


DocumentReader = Callable[["CorpusFile"], Iterator[Document]]


@dataclass(frozen=True)
class CorpusFile:
    """A file of a corpus: its name in the index, and its path."""

    name: str
    source: Source

    def checksum(self) -> str:
        """The SHA-256 of its decompressed content."""
        return _digest(read_blocks(self.source))

    def documents(self) -> Iterator[Document]:
        """Read its documents one by one; an empty file is an error."""
        read = self._choose_reader(_read_start(self.source))
        if read is not None:
            return _require_documents(read(self), self.source)
        return iter([Document(self.name, _read_plain_text(self.source))])

    def check(self) -> None:
        """Check that the file holds text, and that all of it can be decoded; tables are read to the end.

        Raises:
            InputError: The file is empty, or damaged, or not UTF-8 text; the message names the line.
        """
        start = _read_start(self.source)
        read = self._choose_reader(start)
        if read in (_read_json_lines, _read_usages, _read_csv):
            deque(read(self), maxlen=0)
        elif not (all_formats()["parquet"].recognises(start) or start.removeprefix(BOM).lstrip().startswith(b"<?xml")):
            check_utf8(self.source)

    def _choose_reader(self, start: bytes) -> DocumentReader | None:
        """The reader for a file that starts like this; none for plain text."""
        if not start.removeprefix(BOM).strip():
            raise InputError("the file is empty; name one with text", path=self.source)
        reader = next((read for recognises, read in READERS if recognises(start)), None)
        if reader is None and format_suffix(self.source) == ".conllu":
            next(iter(all_formats()["conll-u"].readers["sentences"](self.source)), None)  # its error names the line
        if reader is None and format_suffix(self.source) in TABLE_SUFFIXES:
            raise _missing_text_error(self.source, start)
        return reader


def _read_start(source: Source) -> bytes:
    """The first bytes of a file, or the whole first line of JSON."""
    start = read_head(source)
    if b"\n" not in start and start.removeprefix(BOM).lstrip().startswith(b"{"):
        return next(read_lines(source))[1].encode()
    return start


def _require_documents(documents: Iterator[Document], source: Source) -> Iterator[Document]:
    """Yield the documents; if there are none, it is an error."""
    first = next(documents, None)
    if first is None:
        raise InputError("the file is empty", path=source)
    yield first
    yield from documents


def _missing_text_error(source: Source, start: bytes) -> InputError:
    """The error about a table without a text column, or with unreadable lines."""
    decode_utf8(start[: start.rfind(b"\n") + 1] or start, source)
    kind = TABLE_SUFFIXES[format_suffix(source)]
    names = header_columns(start) if kind == "column" else list_field_names(start)
    columns = f"the {kind}s {', '.join(map(quote_value, names))[:400]}" if names else f"no {kind}s"
    rule = "one must be called text" if "text" not in names else "its objects must be on lines of their own"
    form = '. A line reads: {"text": "…", "id": "a1", "date": 1900}' if kind == "field" else ""
    return InputError(f"a file of this name is a table, and this one has {columns}; {rule}{form}", path=source)


@dataclass(frozen=True)
class UsageFile:
    """Usages in memory, as a file of a corpus."""

    usages: tuple[Usage, ...]
    name: ClassVar[str] = "usages"
    source: ClassVar[str] = "usages"

    def checksum(self) -> str:
        """The SHA-256 of the fields that are indexed."""
        return _digest(json.dumps(_usage_fields(usage)).encode() + b"\n" for usage in self.usages)

    def documents(self) -> Iterator[Document]:
        """A document for each usage."""
        return usages_to_documents(self.usages)


def _usage_fields(usage: Usage) -> list[object]:
    return [usage.id, usage.text, usage.start, usage.end, usage.lemma, usage.pos, _meta_as_text(usage.meta)]


def _digest(blocks: Iterable[bytes]) -> str:
    digest = hashlib.sha256()
    for block in blocks:
        digest.update(block)
    return digest.hexdigest()


CorpusSource = str | os.PathLike[str] | CorpusFile | Usage
"""What can be indexed: paths of files, folders and archives, single files, and usages."""


def list_corpus_files(*sources: CorpusSource) -> Iterator[CorpusFile | UsageFile]:
    """List the files of sources, without the hidden ones of folders; all usages are one file."""
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
    for path in iterate_files(top):
        if str(path) == str(top):
            yield CorpusFile(top.name, path)
            continue
        within = os.path.relpath(str(path), top)
        if not any(part.startswith(".") for part in Path(within).parts):
            yield CorpusFile(within.replace(os.sep, "/"), path)


def usages_to_documents(usages: Iterable[Usage], source: Source = UsageFile.source) -> Iterator[Document]:
    """Convert usages to documents: the context of each, under its id."""
    names = DocumentNames(source, "as number")
    for number, usage in enumerate(usages, start=1):
        meta = _meta_as_text(usage.meta) | {"lemma": usage.lemma}
        if half := LONE_SURROGATE.search("\n".join([usage.id, usage.text, *meta, *meta.values()])):
            problem = f"usage {quote_value(usage.id)} holds {half[0]!r}, half a character, which is not valid alone"
            raise InputError(f"{problem}; remove it", path=source)
        word = normalise_lemma(usage.lemma, usage.pos)
        target = DocumentTarget(usage.start, usage.end, word) if word else None
        yield Document(names.add(usage.id, number), usage.text, meta, target=target)


def _meta_as_text(meta: Mapping[str, object]) -> dict[str, str]:
    return {name: str(value) for name, value in meta.items()}


def _read_plain_text(source: Source) -> str:
    text = read_text(source)
    if text.lstrip().startswith("<?xml"):
        next(read_elements(source, 1), None)
        raise InputError("polyseme does not read this kind of XML; save its text as plain text", path=source)
    if not text.strip():
        raise InputError("the file holds only white space", path=source)
    return text


def _read_json_lines(file: CorpusFile) -> Iterator[Document]:
    """JSON Lines: objects with a ``text`` and perhaps an ``id``; the other fields are metadata."""
    names = DocumentNames(file.source, "in line")
    for number, line in read_lines(file.source):
        if line.strip():
            try:
                record: dict[str, Any] = parse_object(line)
                require_fields(record, "text")
                check_surrogates(record, line)
            except RecordError as error:
                problem = f'{error}. A line reads: {{"text": "…", "id": "a1", "date": 1900}}'
                raise InputError(problem, path=file.source, line=number) from None
            if not isinstance(record["text"], str):
                raise InputError(
                    f"text {quote_value(record['text'])} must be text in quotes", path=file.source, line=number
                )
            yield _build_document(file, names.add(record.pop("id", None), number), record.pop("text"), record)


def _read_csv(file: CorpusFile) -> Iterator[Document]:
    """CSV: a column ``text`` and perhaps ``id``; the other columns are metadata."""
    names = DocumentNames(file.source, "in line")
    for row in read_csv_rows(file.source, ["text"], CELL_LIMIT):
        cells = dict(row.cells)
        yield _build_document(file, names.add(cells.pop("id", None), row.line), cells.pop("text"), cells)


def _read_parquet(file: CorpusFile) -> Iterator[Document]:
    """Parquet: a table of tokens, or one of documents as in CSV."""
    columns = read_parquet_columns(file.source)
    if "form" in columns and ("sentence" in columns or "text" not in columns):
        yield from _read_sentences(file)
    elif "text" in columns:
        names = DocumentNames(file.source, "in row")
        for number, row in enumerate(read_parquet_rows(file.source, ["text"]), start=1):
            if not isinstance(row["text"], str):
                raise InputError(f"text {quote_value(row['text'])} in row {number} is not text", path=file.source)
            yield _build_document(file, names.add(row.pop("id", None), number), row.pop("text"), row)
    else:
        names_of_columns = ", ".join(map(quote_value, columns)) or "none"
        rule = "a table of tokens needs form and sentence, one of documents needs text"
        raise InputError(f"the table has the columns {names_of_columns[:400]}; {rule}", path=file.source)


def _build_document(file: CorpusFile, id: str, text: str, fields: Mapping[str, Any]) -> Document:
    nested = fields.get("meta")
    flat = {**fields, **nested} if isinstance(nested, dict) else dict(fields)
    meta = {name: str(value) for name, value in flat.items() if value is not None and name != "meta"}
    return Document(f"{file.name}#{id}", text, meta)


def _read_usages(file: CorpusFile) -> Iterator[Document]:
    """Usages, in any format of them."""
    format = all_formats()[_recognise_format(read_head(file.source), "usages")]
    return usages_to_documents(format.readers["usages"](file.source), file.source)


def _recognise_format(start: bytes, content: str) -> str:
    """The name of the format of usages or sentences, or nothing."""
    formats = (format for format in all_formats().values() if content in format.readers)
    return next((format.name for format in formats if format.recognises(start)), "")


def _read_sentences(file: CorpusFile) -> Iterator[Document]:
    """Read sentences that are analysed already, document by document."""
    names = DocumentNames(file.source, "as number")
    for number, (mark, group) in enumerate(groupby(_mark_sentences(file), key=lambda pair: pair[0]), start=1):
        sentences = tuple(sentence for _, sentence in group)
        name = f"{file.name}#{names.add(mark.name, number)}" if mark.number or number > 1 else file.name
        yield Document(name, "", _shared_meta(sentences), sentences)


class _DocumentMark(NamedTuple):
    """The number of a document, 0 if the file does not separate documents, and its name, if it has one."""

    number: int
    name: str


def _mark_sentences(file: CorpusFile) -> Iterator[tuple[_DocumentMark, Sentence]]:
    """Yield each sentence with its document: CoNLL-U and VRT mark where one begins, other formats name it."""
    format = _recognise_format(read_head(file.source), "sentences")
    sentences: Iterator[Sentence] = all_formats()[format].readers["sentences"](file.source)
    if format == "vrt":
        yield from ((_DocumentMark(*text), sentence) for text, sentence in read_vrt_texts(file.source))
    elif format == "conll-u":
        mark = _DocumentMark(0, "")
        for sentence in sentences:
            name = new_document_name(sentence, mark.name)
            mark = mark if name is None else _DocumentMark(mark.number + 1, name)
            yield mark, sentence
    else:
        for sentence in sentences:
            name = sentence.meta.get("document") or sentence.meta.get("text_id", "")
            yield _DocumentMark(int(bool(name)), name), sentence


def _shared_meta(sentences: tuple[Sentence, ...]) -> dict[str, str]:
    """The metadata of a document: those of its first sentence that no other sentence contradicts."""
    meta = dict(sentences[0].meta)
    for sentence in sentences[1:]:
        meta = {name: value for name, value in meta.items() if sentence.meta.get(name, value) == value}
    marks = ("newdoc", "newdoc id", "newpar", "newpar id")
    return {name.removeprefix("newdoc "): value for name, value in meta.items() if name not in marks}


READERS: tuple[tuple[Callable[[bytes], bool], DocumentReader], ...] = (
    (all_formats()["parquet"].recognises, _read_parquet),
    (lambda start: bool(_recognise_format(start, "sentences")), _read_sentences),
    (
        lambda start: "text" in first_object_fields(start) and "lemma" not in first_object_fields(start),
        _read_json_lines,
    ),
    (lambda start: bool(_recognise_format(start, "usages")), _read_usages),
    (has_columns("text"), _read_csv),
)
"""The readers of files that are not plain text, chosen by the first bytes of the file."""
