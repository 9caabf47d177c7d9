"""Making an index: part by part, so that a kill loses one part at most, and every run gives the same bytes.

After each part the manifest is replaced; it says which documents of which files are in. Indexing again continues where
it ended, or adds what is new. A part ends after the document with which it has :data:`PART` tokens; so it depends on
the documents alone, not on when the work was interrupted or by how many processes it was done.
"""

from __future__ import annotations

import json
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from importlib.metadata import version
from itertools import groupby, islice
from pathlib import Path
from typing import Any, NamedTuple

from polyseme.corpus.analysers import Analyser
from polyseme.corpus.documents import Document, File, Given, Skip, Sources, files_of
from polyseme.corpus.index import LAYOUT, TABLES, Index
from polyseme.corpus.packing import Packed, aimed, joined, packings
from polyseme.corpus.part import LOCK, Part, locked, write_table
from polyseme.errors import InputError
from polyseme.formats.files import write_text

PART = 1_000_000
"""Tokens in a part, or more if its last document is long."""


class Progress(NamedTuple):
    """How far indexing has come; for those who show it."""

    documents: int
    tokens: int
    document: str


Show = Callable[[Progress], object]


def build_index(
    sources: Iterable[Sources],
    folder: str | os.PathLike[str],
    analyser: Analyser,
    *,
    processes: int | None = None,
    skip: Skip | None = None,
    show: Show | None = None,
) -> Index:
    """Index files, folders, archives or usages; what is there already is kept, and what is new is added.

    A file that cannot be read is an error, or is given to ``skip``. ``show`` is called as the work goes on.
    """
    given = list(sources)
    files = list(files_of(*given))
    if not files:
        raise InputError("there are no files in it", path=", ".join(map(str, given)) or "sources")
    _check_names(files)
    place = Path(folder)
    with locked(place):
        work = _Work.begun(place, analyser)
        try:
            work.run(_Reading(files, work.sources, skip), processes, show or (lambda _: None))
        except OSError as error:
            problem = f"cannot be written: {error.strerror or error}; what was indexed so far is kept"
            raise InputError(problem, path=folder) from None
    return Index.open(folder)


def _check_names(files: list[File | Given]) -> None:
    """Files are known by where they lie in their source, so two sources must not have the same file."""
    seen: dict[str, File | Given] = {}
    for file in files:
        if (other := seen.setdefault(file.name, file)) is not file:
            problem = f"two files would be called {file.name}, this one and {other.source}; name the folder above both"
            raise InputError(problem, path=file.source)


class _Reading:
    """The documents that are not in the index yet, of all files, and what became of the files."""

    def __init__(self, files: list[File | Given], sources: dict[str, dict[str, Any]], skip: Skip | None) -> None:
        self.files = files
        self.sources = sources
        self.skip = skip
        self.read: deque[tuple[str, Document | None]] = deque()

    def documents(self) -> Iterator[Document]:
        """One after the other; each is remembered until it is asked for by :meth:`next`."""
        for file in self.files:
            try:
                for document in self.waiting(file):
                    self.read.append((file.name, document))
                    yield document
                self.read.append((file.name, None))
            except InputError as error:
                if self.skip is None:
                    raise
                self.skip(error)

    def waiting(self, file: File | Given) -> Iterator[Document]:
        """The documents of a file that are not in yet."""
        digest = file.checksum()
        known = self.sources.setdefault(file.name, {"sha256": digest, "documents": 0, "complete": False})
        if known["sha256"] != digest:
            raise InputError("this file has changed since it was indexed; index into a new folder", path=file.source)
        return iter(()) if known["complete"] else islice(file.documents(), known["documents"], None)

    def next(self) -> Document:
        """The document that was read first of those that were not asked for; its file has one more."""
        self.close()
        name, document = self.read.popleft()
        assert document is not None
        self.sources[name]["documents"] += 1
        return document

    def close(self) -> None:
        """Note the files of which all documents were asked for."""
        while self.read and self.read[0][1] is None:
            self.sources[self.read.popleft()[0]]["complete"] = True


class _Work:
    """The state of making one index: the manifest, the words so far, and the part that is growing."""

    def __init__(self, folder: Path, analyser: Analyser, manifest: dict[str, Any], words: dict[str, int]) -> None:
        self.folder = folder
        self.analyser = analyser
        self.manifest = manifest
        self.words = words
        self.part = Part()

    @classmethod
    def begun(cls, folder: Path, analyser: Analyser) -> _Work:
        """The work as it was left, or new."""
        made_by = {"analyser": repr(analyser), "versions": versions(analyser)}
        if (folder / "manifest.json").is_file():
            index = Index.open(folder, unfinished=True)
            before = {name: index.manifest[name] for name in made_by}
            if before != made_by:
                problem = f"this index was made by {_said(before)}, not by {_said(made_by)}"
                raise InputError(f"{problem}; name another folder", path=folder)
            return cls(folder, analyser, index.manifest, {word: number for number, word in enumerate(index.vocabulary)})
        if any(path.name not in (*TABLES, LOCK) for path in folder.iterdir()):
            raise InputError("the folder is not empty, and is no index; name a new one", path=folder)
        counts = dict.fromkeys(("documents", "sentences", "tokens", "words"), 0)
        manifest = {"layout": LAYOUT, **made_by, "finished": False, **counts, "sources": {}, "parts": []}
        return cls(folder, analyser, manifest, {})

    @property
    def sources(self) -> dict[str, dict[str, Any]]:
        """What is in of each file."""
        found: dict[str, dict[str, Any]] = self.manifest["sources"]
        return found

    def run(self, reading: _Reading, processes: int | None, show: Show) -> None:
        """Index all that waits."""
        for packed in _packed(reading.documents(), self.analyser, processes):
            document = reading.next()
            self.add(document, packed)
            documents, tokens = (self.manifest[name] + self.part.sizes[name] for name in ("documents", "tokens"))
            show(Progress(documents, tokens, document.name))
            if self.part.sizes["tokens"] >= PART:
                self.write(finished=False)
        reading.close()
        self.write(finished=True)

    def add(self, document: Document, packed: Packed) -> None:
        """A document at the end of the growing part."""
        packed = packed if document.target is None else aimed(packed, document.target)
        numbers = [self.words[word] if word in self.words else self.fresh(word) for word in packed.words]
        start = {name: self.manifest[name] + self.part.sizes[name] for name in ("documents", "sentences")}
        self.part.add(document.name, _json(dict(document.meta)), packed, numbers, **start)

    def fresh(self, word: str) -> int:
        """The number of a word that occurs for the first time."""
        self.words[word] = number = len(self.words)
        self.part.fresh[number] = word
        return number

    def write(self, *, finished: bool) -> None:
        """Write the part, if there is anything in it, and then the manifest, which makes it count."""
        if self.part.sizes["documents"]:
            number = len(self.manifest["parts"])
            sums = {name: write_table(self.folder, name, number, table) for name, table in self.part.tables().items()}
            for name, size in self.part.sizes.items():
                self.manifest[name] += size
            self.manifest["words"] = len(self.words)
            self.manifest["parts"].append({"number": number, "tokens": self.part.sizes["tokens"], "sha256": sums})
            self.part = Part()
        self.manifest["finished"] = finished
        write_text(self.folder / "manifest.json", json.dumps(self.manifest, indent=1, ensure_ascii=False) + "\n")


def _packed(documents: Iterable[Document], analyser: Analyser, processes: int | None) -> Iterator[Packed]:
    """The sentences of each document: analysed, several at a time, or as they come."""
    for is_analysed, group in groupby(documents, key=lambda document: document.sentences is not None):
        if is_analysed:
            yield from (joined(document.sentences or ()) for document in group)
        else:
            texts = ((document.name, document.text) for document in group)
            yield from packings(analyser, texts, processes)


def versions(analyser: Analyser) -> dict[str, str]:
    """The versions of what an analysis depends on: polyseme, and the libraries that the analyser names."""
    libraries = getattr(analyser, "libraries", ())
    return {name: version(name) for name in ("polyseme", "pyarrow", *libraries)}


def _said(made_by: dict[str, Any]) -> str:
    return f"{made_by['analyser']} ({', '.join(f'{name} {number}' for name, number in made_by['versions'].items())})"


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)
