"""Indexing, part by part: a killed run loses one part at most, and every run gives the same bytes.

After each part the manifest is replaced; it lists the documents of each file that are in the index. Indexing again
continues where it ended, or adds new files. A part ends after the document with which it has :data:`PART_TOKENS`
tokens. So it depends on the documents alone, not on interruptions or the number of processes. If an error ends the
work, the unfinished part is written too, so that it can be used; it is dropped when the work continues.
"""

from __future__ import annotations

import json
import os
import warnings
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from itertools import groupby, islice
from pathlib import Path
from typing import Any, NamedTuple

from polyseme.corpus.analysers import Analyser
from polyseme.corpus.documents import CorpusFile, CorpusSource, Document, ErrorHandler, UsageFile, list_corpus_files
from polyseme.corpus.index import HAS_PARTS, LAYOUT, MANIFEST, TABLES, Index, damage_error
from polyseme.corpus.index_part import (
    LOCK_NAME,
    IndexPart,
    check_tables,
    is_temporary,
    lock_folder,
    remove_leftovers,
    write_part_table,
)
from polyseme.corpus.packed_documents import PackedDocument, pack_analysed, pack_documents, set_target
from polyseme.errors import InputError, InputWarning
from polyseme.formats.files import Blob, write_text
from polyseme.lemma import pos_of_lemma

PART_TOKENS = 1_000_000
"""The number of tokens in a part, or more if its last document is long."""


class IndexingProgress(NamedTuple):
    """The progress of indexing."""

    documents: int
    tokens: int
    document: str
    characters: int = 0
    """The number of characters that this run has read."""


ShowProgress = Callable[[IndexingProgress], object]


def build_index(
    sources: Iterable[CorpusSource],
    folder: str | os.PathLike[str],
    analyser: Analyser,
    *,
    processes: int | None = None,
    skip: ErrorHandler | None = None,
    show: ShowProgress | None = None,
    keep_lemmas: bool = False,
) -> Index:
    """Index files, folders, archives or usages; an existing index is extended by what is new.

    Args:
        sources: What is indexed.
        folder: The folder of the index.
        analyser: Splits texts into sentences and words.
        processes: How many processes work; by default as many as there are processors.
        skip: Receives the error of a file that cannot be read, which is then left out; by default it is raised.
        show: Receives the progress.
        keep_lemmas: Whether the target of a usage has the lemma that the usage names, *aim.v* or *aim*, even if only
            one of usage and analyser has parts of speech; by default it is then as elsewhere in the text.

    Raises:
        InputError: A source cannot be read, the folder holds something else, or it cannot be written.
    """
    sources, output = list(sources), Path(folder)
    files = list(_skip_indexes(list_corpus_files(*sources), output))
    if not files:
        raise InputError(
            "there are no files in it; name a folder with some", path=", ".join(map(str, sources)) or "sources"
        )
    _check_names(files)
    with lock_folder(output):
        builder = _IndexBuilder.open(output, analyser, keep_lemmas)
        try:
            builder.run(_DocumentReader(files, builder.sources, skip), processes, show or (lambda _: None))
        except _WriteError:
            raise
        except Exception:
            with suppress(_WriteError):  # the first error is the one to report
                builder.write_unfinished_part()
            raise
    _warn_of_incomplete(builder, {file.name for file in files})
    return Index.open(folder)


class _WriteError(InputError):
    """The folder cannot be written: the disk is full, for example."""


def _skip_indexes(files: Iterable[CorpusFile | UsageFile], output: Path) -> Iterator[CorpusFile | UsageFile]:
    """Yield the files that are not in the folder of this index or of another one, which may be beside the texts."""
    home = output.resolve() if (output / MANIFEST).is_file() else None  # otherwise it holds no index yet

    @cache
    def is_inside(path: Path) -> bool:
        return home is not None and path.resolve().is_relative_to(home)

    @cache
    def is_index(path: Path) -> bool:
        return (path / MANIFEST).is_file() and all((path / name).is_dir() for name in TABLES)

    for file in files:
        if not (isinstance(file, UsageFile) or isinstance(file.source, Blob)):
            parent = Path(file.source).parent
            levels = file.name.count("/") + 1  # folders above the source are not checked
            if is_inside(parent) or any(map(is_index, [parent, *parent.parents][:levels])):
                continue
        yield file


def _check_names(files: list[CorpusFile | UsageFile]) -> None:
    """Raise an error if two sources have a file of the same relative path, which identifies it."""
    files_by_name: dict[str, CorpusFile | UsageFile] = {}
    for file in files:
        if (other := files_by_name.setdefault(file.name, file)) is not file:
            problem = f"two files would be called {file.name}, this one and {other.source}; name the folder above both"
            raise InputError(problem, path=file.source)


class _DocumentReader:
    """Reads the documents that are not in the index yet, and records the progress of each file."""

    def __init__(
        self, files: list[CorpusFile | UsageFile], sources: dict[str, dict[str, Any]], skip: ErrorHandler | None
    ) -> None:
        self.files = files
        self.sources = sources
        self.skip = skip
        self.read: deque[tuple[str, str, Document | None]] = deque()
        self.before = 0
        self.failed: InputError | None = None

    def documents(self) -> Iterator[Document]:
        """Yield the documents one by one; each is stored until :meth:`next` takes it.

        An error ends them; it is stored until the documents before it are indexed.
        """
        for file in self.files:
            self.before = 0
            try:
                digest = file.checksum()
                for document in self._new_documents(file, digest):
                    self.read.append((file.name, digest, document))
                    self.before += 1
                    yield document
                self.read.append((file.name, digest, None))
            except InputError as error:
                if self.skip is None:
                    self.failed = error
                    return
                self.skip(self._add_progress(error))

    def _new_documents(self, file: CorpusFile | UsageFile, digest: str) -> Iterator[Document]:
        """The documents of a file that are not in the index yet."""
        record = self.sources.get(file.name)
        if record is None:
            return file.documents()
        if record["sha256"] != digest:
            problem = "this file has changed since it was indexed: index into a new folder"
            other = "or it is another file of the same name: index a folder above both"
            raise InputError(f"{problem}; {other}", path=file.source)
        if record["complete"]:
            return iter(())
        self.before = record["documents"]
        return islice(file.documents(), self.before, None)

    def _add_progress(self, error: InputError) -> InputError:
        """An error, with the number of documents of its file that are indexed."""
        if not self.before:
            return error
        documents = "1 document before it is" if self.before == 1 else f"{self.before} documents before it are"
        return InputError(f"{error}; {documents} in")

    def next(self) -> Document:
        """Take the oldest stored document, and record it as one more of its file."""
        self.close()
        name, digest, document = self.read.popleft()
        assert document is not None
        self._record(name, digest)["documents"] += 1
        return document

    def close(self) -> None:
        """Record the files whose documents are all taken."""
        while self.read and self.read[0][2] is None:
            name, digest, _ = self.read.popleft()
            self._record(name, digest)["complete"] = True

    def _record(self, name: str, digest: str) -> dict[str, Any]:
        """The record of a file; a file without documents has none, so that it may be corrected."""
        return self.sources.setdefault(name, {"sha256": digest, "documents": 0, "complete": False})


class _IndexBuilder:
    """Builds an index: the manifest, the words so far, and the growing part."""

    def __init__(
        self, folder: Path, analyser: Analyser, manifest: dict[str, Any], words: dict[str, int], keep_lemmas: bool
    ) -> None:
        self.folder = folder
        self.analyser = analyser
        self.manifest = manifest
        self.words = words
        self.keep_lemmas = keep_lemmas
        self.saved = _manifest_text(manifest)
        self.part = IndexPart()

    @classmethod
    def open(cls, folder: Path, analyser: Analyser, keep_lemmas: bool) -> _IndexBuilder:
        """Continue an index, or start a new one."""
        maker = {"analyser": repr(analyser), "versions": library_versions(analyser)}
        manifest, words = _read_checkpoint(folder, maker)
        if not manifest:
            counts = dict.fromkeys(("documents", "sentences", "tokens", "words"), 0)
            manifest = {"layout": LAYOUT, **maker, "finished": False, **counts, "sources": {}, "parts": []}
        builder = cls(folder, analyser, manifest, words, keep_lemmas)
        builder.save()
        remove_leftovers(folder, len(manifest["parts"]))
        return builder

    @property
    def sources(self) -> dict[str, dict[str, Any]]:
        """The record of each file."""
        sources: dict[str, dict[str, Any]] = self.manifest["sources"]
        return sources

    def run(self, reader: _DocumentReader, processes: int | None, show: ShowProgress) -> None:
        """Index all new documents."""
        characters = 0
        for packed in _pack_documents(reader.documents(), self.analyser, processes):
            document = reader.next()
            self.add(document, packed)
            documents, tokens = (self.manifest[name] + self.part.sizes[name] for name in ("documents", "tokens"))
            characters += packed.characters
            show(IndexingProgress(documents, tokens, document.name, characters))
            if self.part.sizes["tokens"] >= PART_TOKENS:
                self.write(finished=False)
        reader.close()
        if reader.failed is not None:
            raise reader.failed
        self.write(finished=True)

    def add(self, document: Document, packed: PackedDocument) -> None:
        """Add a document to the growing part."""
        if self.keep_lemmas:
            self.manifest[HAS_PARTS] = self.manifest.get(HAS_PARTS, False) or packed.has_pos
        target = document.target
        if target is not None and (self.keep_lemmas or (packed.has_pos and pos_of_lemma(target.word))):
            packed = set_target(packed, target)
        numbers = [self.words[word] if word in self.words else self._add_word(word) for word in packed.words]
        start = {name: self.manifest[name] + self.part.sizes[name] for name in ("documents", "sentences")}
        self.part.add(document.name, _json(dict(document.meta)), packed, numbers, **start)

    def _add_word(self, word: str) -> int:
        """Number a word that occurs for the first time."""
        self.words[word] = number = len(self.words)
        self.part.new_words[number] = word
        return number

    def write(self, *, finished: bool) -> None:
        """Write the part, if it has documents, and then the manifest, which makes it valid."""
        advice = "; what was indexed so far is kept" if self.manifest["parts"] else ""
        try:
            if self.part.sizes["documents"]:
                self.write_part()
            self.manifest["finished"] = finished
            self.save()
        except InputError as error:
            raise _WriteError(f"{error}{advice}") from None
        except OSError as error:
            raise _WriteError(f"cannot be written: {error.strerror or error}{advice}", path=self.folder) from None

    def write_unfinished_part(self) -> None:
        """Write the growing part, with the manifest before it, from which the work continues."""
        if self.part.sizes["documents"]:
            self.manifest["before"] = json.loads(self.saved)
            self.write(finished=False)

    def write_part(self) -> None:
        """Write the tables of the part, and start a new one."""
        number = len(self.manifest["parts"])
        sums = {name: write_part_table(self.folder, name, number, table) for name, table in self.part.tables().items()}
        for name, size in self.part.sizes.items():
            self.manifest[name] += size
        self.manifest["words"] = len(self.words)
        self.manifest["parts"].append({"number": number, "tokens": self.part.sizes["tokens"], "sha256": sums})
        self.part = IndexPart()

    def save(self) -> None:
        """Write the manifest."""
        text = _manifest_text(self.manifest)
        write_text(self.folder / MANIFEST, text)
        self.saved = text


def _read_checkpoint(folder: Path, maker: dict[str, Any]) -> tuple[dict[str, Any], dict[str, int]]:
    """The manifest from which the work continues, and the words so far; empty if nothing is indexed yet."""
    if not (folder / MANIFEST).is_file():
        if any(path.name != LOCK_NAME and not is_temporary(path) for path in folder.iterdir()):
            raise InputError("the folder is not empty and is not an index; name a new folder", path=folder)
        return {}, {}
    try:
        if not Index.open(folder, unfinished=True).manifest["parts"]:
            return {}, {}
        index = _drop_failed_part(folder, maker)
        manifest = index.manifest
        check_tables(folder, manifest["parts"])
        files = {name: file for name, file in manifest["sources"].items() if file["documents"] or file["complete"]}
        words = {word: number for number, word in enumerate(index.vocabulary)}
    except (AttributeError, KeyError, TypeError) as error:
        raise damage_error(folder / MANIFEST, f"its content has changed ({error})") from None
    return {**manifest, "sources": files}, words


def _drop_failed_part(folder: Path, maker: dict[str, Any]) -> Index:
    """The index without the part that an error ended, if any."""
    index = Index.open(folder, unfinished=True)
    _check_maker(index.manifest, maker, folder)
    if "before" not in index.manifest:
        return index
    write_text(folder / MANIFEST, _manifest_text(index.manifest["before"]))
    return Index.open(folder, unfinished=True)


def _check_maker(manifest: dict[str, Any], maker: dict[str, Any], folder: Path) -> None:
    """Raise an error if another analyser or version built the index; libraries named by one only may differ."""
    earlier_maker = {name: manifest[name] for name in maker}
    shared = earlier_maker["versions"].keys() & maker["versions"].keys()
    same_versions = all(earlier_maker["versions"][name] == maker["versions"][name] for name in shared)
    if earlier_maker["analyser"] != maker["analyser"] or not same_versions:
        problem = f"this index was built by {_describe_maker(earlier_maker)}, not by {_describe_maker(maker)}"
        raise InputError(f"{problem}; give another folder", path=folder)


def _warn_of_incomplete(builder: _IndexBuilder, sources: set[str]) -> None:
    """Warn of files that were not read to their end and are no longer among the sources."""
    names = [name for name, file in builder.sources.items() if not file["complete"] and name not in sources]
    if names:
        examples = ", ".join(names[:5]) + (", …" if len(names) > 5 else "")
        problem = "files that were not read to their end are no longer among the sources"
        warnings.warn(f"{builder.folder}: {problem}: {examples}; give them again", InputWarning, stacklevel=3)


def _pack_documents(
    documents: Iterable[Document], analyser: Analyser, processes: int | None
) -> Iterator[PackedDocument]:
    """Yield the packed documents: analysed by several processes, or as their file analyses them."""
    for is_analysed, group in groupby(documents, key=lambda document: document.sentences is not None):
        if is_analysed:
            yield from (pack_analysed(document.sentences or ()) for document in group)
        else:
            texts = ((document.name, document.text) for document in group)
            yield from pack_documents(analyser, texts, processes)


def library_versions(analyser: Analyser) -> dict[str, str]:
    """The versions that an analysis depends on: polyseme, and the libraries that the analyser names."""
    versions = {}
    for name in ("polyseme", *getattr(analyser, "libraries", ())):
        with suppress(PackageNotFoundError):  # if the analyser needs it, its own error is clearer
            versions[name] = version(name)
    return versions


def _describe_maker(maker: dict[str, Any]) -> str:
    return f"{maker['analyser']} ({', '.join(f'{name} {number}' for name, number in maker['versions'].items())})"


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def _manifest_text(manifest: dict[str, Any]) -> str:
    return json.dumps(manifest, indent=1, ensure_ascii=False) + "\n"
