"""Making an index: part by part, so that a kill loses one part at most, and every run gives the same bytes.

After each part the manifest is replaced; it says which documents of which files are in. Indexing again continues where
it ended, or adds what is new. A part ends after the document with which it has :data:`PART` tokens; so it depends on
the documents alone, not on when the work was interrupted or by how many processes it was done.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from importlib.metadata import version
from itertools import groupby, islice
from pathlib import Path
from typing import Any, NamedTuple

from polyseme.corpus.analysers import Analyser
from polyseme.corpus.documents import Document, File, Skip, files_of
from polyseme.corpus.index import LAYOUT, TABLES, Index
from polyseme.corpus.part import LOCK, Part, add, locked, write_table
from polyseme.corpus.processes import Placed, mapped
from polyseme.errors import InputError
from polyseme.formats.files import blocks, write_text
from polyseme.sentence import Sentence

PART = 1_000_000
"""Tokens in a part, or more if its last document is long."""

Words = tuple[list[str], list[int], list[int], list[str], list[str], list[int | None], list[str]]
"""Forms, starts, ends, words, tags, heads and relations of a sentence's tokens."""

Packed = list[tuple[int, str, Words]]
"""The sentences of a document: where each starts, its text and its tokens, as plain values that are cheap to send."""


class Progress(NamedTuple):
    """How far indexing has come; for those who show it."""

    documents: int
    tokens: int
    document: str


Show = Callable[[Progress], object]


def build_index(
    sources: Iterable[str | os.PathLike[str]],
    folder: str | os.PathLike[str],
    analyser: Analyser,
    *,
    processes: int | None = None,
    skip: Skip | None = None,
    show: Show | None = None,
) -> Index:
    """Index files, folders or archives; what is there already is kept, and what is new is added.

    A file that cannot be read is an error, or is given to ``skip``. ``show`` is called as the work goes on.
    """
    given = list(sources)
    files = list(files_of(*given))
    if not files:
        raise InputError("there are no files in it", path=", ".join(map(str, given)))
    place = Path(folder)
    with locked(place):
        work = _Work.begun(place, analyser)
        try:
            work.run(_Reading(files, work.sources, skip), processes, show or (lambda _: None))
        except OSError as error:
            problem = f"cannot be written: {error.strerror or error}; what was indexed so far is kept"
            raise InputError(problem, path=folder) from None
    return Index.open(folder)


def pack(name: str, sentences: Iterator[Placed]) -> tuple[str, Packed]:
    """A document's sentences as plain values."""
    return name, [(start, sentence.text, _columns(sentence)) for start, sentence in sentences]


def _columns(sentence: Sentence) -> Words:
    tokens = sentence.tokens
    return (
        [token.form for token in tokens],
        [token.start for token in tokens],
        [token.end for token in tokens],
        [word_of(token.lemma or token.form.lower(), token.pos) for token in tokens],
        [token.tag for token in tokens],
        [token.head for token in tokens],
        [token.relation for token in tokens],
    )


def word_of(lemma: str, pos: str) -> str:
    """What a word is called in the vocabulary.

    >>> word_of("bank", "n"), word_of(",", "")
    ('bank.n', ',')
    """
    return f"{lemma}.{pos}" if pos else lemma


class _Reading:
    """The documents that are not in the index yet, of all files, and what became of the files."""

    def __init__(self, files: list[File], sources: dict[str, dict[str, Any]], skip: Skip | None) -> None:
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

    def waiting(self, file: File) -> Iterator[Document]:
        """The documents of a file that are not in yet."""
        digest = checksum(file)
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
            tokens, documents = (len(self.part.rows[name]["document"]) for name in ("tokens", "documents"))
            show(Progress(self.manifest["documents"] + documents, self.manifest["tokens"] + tokens, document.name))
            if tokens >= PART:
                self.write(finished=False)
        reading.close()
        self.write(finished=True)

    def add(self, document: Document, sentences: Packed) -> None:
        """A document at the end of the growing part."""
        rows, words = self.part.rows, self.words
        number = self.manifest["documents"] + len(rows["documents"]["document"])
        add(rows["documents"], document=[number], name=[document.name], meta=[_json(dict(document.meta))])
        for place, (start, text, (forms, starts, ends, called, tags, heads, relations)) in enumerate(sentences):
            sentence = self.manifest["sentences"] + len(rows["sentences"]["sentence"])
            add(
                rows["sentences"],
                sentence=[sentence],
                document=[number],
                number=[place + 1],
                start=[start],
                text=[text],
            )
            numbers = [words[word] if word in words else self.fresh(word) for word in called]
            size = len(forms)
            add(
                rows["tokens"],
                document=[number] * size,
                sentence=[sentence] * size,
                position=range(size),
                word=numbers,
                form=forms,
                tag=tags,
                start=starts,
                end=ends,
                head=heads,
                relation=relations,
            )

    def fresh(self, word: str) -> int:
        """The number of a word that occurs for the first time."""
        self.words[word] = number = len(self.words)
        self.part.fresh[number] = word
        return number

    def write(self, *, finished: bool) -> None:
        """Write the part, if there is anything in it, and then the manifest, which makes it count."""
        tokens = self.part.rows["tokens"]["document"]
        if self.part.rows["documents"]["document"]:
            number = len(self.manifest["parts"])
            sums = {name: write_table(self.folder, name, number, table) for name, table in self.part.tables().items()}
            for name, column in (("documents", "document"), ("sentences", "sentence"), ("tokens", "document")):
                self.manifest[name] += len(self.part.rows[name][column])
            self.manifest["words"] = len(self.words)
            self.manifest["parts"].append({"number": number, "tokens": len(tokens), "sha256": sums})
            self.part = Part()
        self.manifest["finished"] = finished
        write_text(self.folder / "manifest.json", json.dumps(self.manifest, indent=1, ensure_ascii=False) + "\n")


def _packed(documents: Iterable[Document], analyser: Analyser, processes: int | None) -> Iterator[Packed]:
    """The sentences of each document: analysed, several at a time, or as they come."""
    for is_analysed, group in groupby(documents, key=lambda document: document.sentences is not None):
        if is_analysed:
            yield from (_joined(document.sentences or ()) for document in group)
        else:
            texts = ((document.name, document.text) for document in group)
            yield from (packed for _, packed in mapped(pack, analyser, texts, processes=processes))


def _joined(sentences: Iterable[Sentence]) -> Packed:
    """Sentences that are analysed already, one after the other with a blank between each two."""
    found, at = [], 0
    for sentence in sentences:
        found.append((at, sentence.text, _columns(sentence)))
        at += len(sentence.text) + 1
    return found


def checksum(file: File) -> str:
    """The SHA-256 of a file's decompressed content."""
    digest = hashlib.sha256()
    for block in blocks(file.source):
        digest.update(block)
    return digest.hexdigest()


def versions(analyser: Analyser) -> dict[str, str]:
    """The versions of what an analysis depends on: polyseme, and the libraries that the analyser names."""
    libraries = getattr(analyser, "libraries", ())
    return {name: version(name) for name in ("polyseme", "pyarrow", *libraries)}


def _said(made_by: dict[str, Any]) -> str:
    return f"{made_by['analyser']} ({', '.join(f'{name} {number}' for name, number in made_by['versions'].items())})"


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)
