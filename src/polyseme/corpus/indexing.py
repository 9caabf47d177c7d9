"""Making an index: part by part, so that a kill loses one part at most, and every run gives the same bytes.

After each part the manifest is replaced; it says which documents of which files are in. Indexing again continues where
it ended, or adds what is new. A part ends after the document with which it has :data:`PART` tokens; so it depends on
the documents alone, not on when the work was interrupted or by how many processes it was done. If an error ends the
work, the part that was growing is written too, so that it can be used, and forgotten as soon as the work goes on.
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

PART_TOKENS = 1_000_000
"""Tokens in a part, or more if its last document is long."""


class IndexingProgress(NamedTuple):
    """How far indexing has come; for those who show it."""

    documents: int
    tokens: int
    document: str
    characters: int = 0
    """How much text was read in this run."""


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
    """Index files, folders, archives or usages; what is there already is kept, and what is new is added.

    Args:
        sources: What is indexed.
        folder: Where the index goes.
        analyser: Cuts texts into sentences and words.
        processes: How many processes work; by default as many as there are processors.
        skip: Receives the error of a file that cannot be read, which is then left out; without it, that is an error.
        show: Receives the progress as the work goes on.
        keep_lemmas: The target of a usage has the lemma that the usage names, *aim.v*, even if the analyser gives no
            parts of speech; by default it is then *aim*, as elsewhere in the text.
    """
    given = list(sources)
    place = Path(folder)
    files = list(_skip_indexes(list_corpus_files(*given), place))
    if not files:
        raise InputError("there are no files in it", path=", ".join(map(str, given)) or "sources")
    _check_names(files)
    with lock_folder(place):
        work = _IndexBuilder.begun(place, analyser, keep_lemmas)
        try:
            work.run(_DocumentReader(files, work.sources, skip), processes, show or (lambda _: None))
        except _WriteError:
            raise
        except Exception:
            with suppress(_WriteError):  # what ended the work is the error to speak of
                work.keep()
            raise
    _warn_of_incomplete(work, {file.name for file in files})
    return Index.open(folder)


class _WriteError(InputError):
    """The disk is full, or the folder cannot be written for another reason."""


def _skip_indexes(files: Iterable[CorpusFile | UsageFile], output: Path) -> Iterator[CorpusFile | UsageFile]:
    """The files that lie neither where the index goes nor in another index: it may lie beside the texts."""
    home = output.resolve() if (output / MANIFEST).is_file() else None  # else there is nothing of ours in it yet

    @cache
    def is_inside(place: Path) -> bool:
        return home is not None and place.resolve().is_relative_to(home)

    @cache
    def is_index(place: Path) -> bool:
        return (place / MANIFEST).is_file() and all((place / name).is_dir() for name in TABLES)

    for file in files:
        if not (isinstance(file, UsageFile) or isinstance(file.source, Blob)):
            place = Path(file.source).parent
            levels = file.name.count("/") + 1  # folders above the source are not ours to judge
            if is_inside(place) or any(map(is_index, [place, *place.parents][:levels])):
                continue
        yield file


def _check_names(files: list[CorpusFile | UsageFile]) -> None:
    """Files are known by where they lie in their source, so two sources must not have the same file."""
    seen: dict[str, CorpusFile | UsageFile] = {}
    for file in files:
        if (other := seen.setdefault(file.name, file)) is not file:
            problem = f"two files would be called {file.name}, this one and {other.source}; name the folder above both"
            raise InputError(problem, path=file.source)


class _DocumentReader:
    """The documents that are not in the index yet, of all files, and what became of the files."""

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
        """One after the other; each is remembered until it is asked for by :meth:`next`.

        An error ends them, and is kept until what was read before it is in.
        """
        for file in self.files:
            self.before = 0
            try:
                digest = file.checksum()
                for document in self.waiting(file, digest):
                    self.read.append((file.name, digest, document))
                    self.before += 1
                    yield document
                self.read.append((file.name, digest, None))
            except InputError as error:
                if self.skip is None:
                    self.failed = error
                    return
                self.skip(self.said(error))

    def waiting(self, file: CorpusFile | UsageFile, digest: str) -> Iterator[Document]:
        """The documents of a file that are not in yet."""
        known = self.sources.get(file.name)
        if known is None:
            return file.documents()
        if known["sha256"] != digest:
            problem = "this file has changed since it was indexed: index into a new folder"
            other = "or it is another file of the same name: index a folder above both"
            raise InputError(f"{problem}; {other}", path=file.source)
        if known["complete"]:
            return iter(())
        self.before = known["documents"]
        return islice(file.documents(), self.before, None)

    def said(self, error: InputError) -> InputError:
        """An error, with how much of its file is in all the same."""
        if not self.before:
            return error
        said = "1 document before it is" if self.before == 1 else f"{self.before} documents before it are"
        return InputError(f"{error}; {said} in")

    def next(self) -> Document:
        """The document that was read first of those that were not asked for; its file has one more."""
        self.close()
        name, digest, document = self.read.popleft()
        assert document is not None
        self.known(name, digest)["documents"] += 1
        return document

    def close(self) -> None:
        """Note the files of which all documents were asked for."""
        while self.read and self.read[0][2] is None:
            name, digest, _ = self.read.popleft()
            self.known(name, digest)["complete"] = True

    def known(self, name: str, digest: str) -> dict[str, Any]:
        """What is noted of a file; of one that gave nothing, nothing is, so that it may be mended."""
        return self.sources.setdefault(name, {"sha256": digest, "documents": 0, "complete": False})


class _IndexBuilder:
    """The state of making one index: the manifest, the words so far, and the part that is growing."""

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
    def begun(cls, folder: Path, analyser: Analyser, keep_lemmas: bool) -> _IndexBuilder:
        """The work as it was left, or new."""
        made_by = {"analyser": repr(analyser), "versions": library_versions(analyser)}
        manifest, words = _read_checkpoint(folder, made_by)
        if not manifest:
            counts = dict.fromkeys(("documents", "sentences", "tokens", "words"), 0)
            manifest = {"layout": LAYOUT, **made_by, "finished": False, **counts, "sources": {}, "parts": []}
        work = cls(folder, analyser, manifest, words, keep_lemmas)
        work.save()
        remove_leftovers(folder, len(manifest["parts"]))
        return work

    @property
    def sources(self) -> dict[str, dict[str, Any]]:
        """What is in of each file."""
        found: dict[str, dict[str, Any]] = self.manifest["sources"]
        return found

    def run(self, reading: _DocumentReader, processes: int | None, show: ShowProgress) -> None:
        """Index all that waits."""
        characters = 0
        for packed in _pack_documents(reading.documents(), self.analyser, processes):
            document = reading.next()
            self.add(document, packed)
            documents, tokens = (self.manifest[name] + self.part.sizes[name] for name in ("documents", "tokens"))
            characters += packed.characters
            show(IndexingProgress(documents, tokens, document.name, characters))
            if self.part.sizes["tokens"] >= PART_TOKENS:
                self.write(finished=False)
        reading.close()
        if reading.failed is not None:
            raise reading.failed
        self.write(finished=True)

    def add(self, document: Document, packed: PackedDocument) -> None:
        """A document at the end of the growing part."""
        if self.keep_lemmas:
            self.manifest[HAS_PARTS] = self.manifest.get(HAS_PARTS, False) or packed.has_pos
        if document.target is not None and (self.keep_lemmas or packed.has_pos):
            packed = set_target(packed, document.target)
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
        kept = "; what was indexed so far is kept" if self.manifest["parts"] else ""
        try:
            if self.part.sizes["documents"]:
                self.write_part()
            self.manifest["finished"] = finished
            self.save()
        except InputError as error:
            raise _WriteError(f"{error}{kept}") from None
        except OSError as error:
            raise _WriteError(f"cannot be written: {error.strerror or error}{kept}", path=self.folder) from None

    def keep(self) -> None:
        """Write what there is of the growing part, with the manifest from which the work goes on: that before it."""
        if self.part.sizes["documents"]:
            self.manifest["before"] = json.loads(self.saved)
            self.write(finished=False)

    def write_part(self) -> None:
        """Write the tables of the part, and begin a new one."""
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


def _read_checkpoint(folder: Path, made_by: dict[str, Any]) -> tuple[dict[str, Any], dict[str, int]]:
    """The manifest from which the work goes on, and the words so far; nothing if there is nothing in yet."""
    if not (folder / MANIFEST).is_file():
        if any(path.name != LOCK_NAME and not is_temporary(path) for path in folder.iterdir()):
            raise InputError("the folder is not empty, and is no index; name a new one", path=folder)
        return {}, {}
    try:
        if not Index.open(folder, unfinished=True).manifest["parts"]:
            return {}, {}
        index = _drop_failed_part(folder, made_by)
        manifest = index.manifest
        check_tables(folder, manifest["parts"])
        files = {name: file for name, file in manifest["sources"].items() if file["documents"] or file["complete"]}
        words = {word: number for number, word in enumerate(index.vocabulary)}
    except (AttributeError, KeyError, TypeError) as error:
        raise damage_error(folder / MANIFEST, f"it is not as it was written ({error})") from None
    return {**manifest, "sources": files}, words


def _drop_failed_part(folder: Path, made_by: dict[str, Any]) -> Index:
    """The index without the part that an error ended, if there is one."""
    index = Index.open(folder, unfinished=True)
    _check_maker(index.manifest, made_by, folder)
    if "before" not in index.manifest:
        return index
    write_text(folder / MANIFEST, _manifest_text(index.manifest["before"]))
    return Index.open(folder, unfinished=True)


def _check_maker(manifest: dict[str, Any], made_by: dict[str, Any], folder: Path) -> None:
    """That what goes on is what began; of a library that one of the two does not name, nothing is known."""
    before = {name: manifest[name] for name in made_by}
    shared = before["versions"].keys() & made_by["versions"].keys()
    same = all(before["versions"][name] == made_by["versions"][name] for name in shared)
    if before["analyser"] != made_by["analyser"] or not same:
        problem = f"this index was made by {_describe_maker(before)}, not by {_describe_maker(made_by)}"
        raise InputError(f"{problem}; name another folder", path=folder)


def _warn_of_incomplete(work: _IndexBuilder, given: set[str]) -> None:
    """Say which files were begun and are not given any more: nobody would read the rest of them."""
    names = [name for name, file in work.sources.items() if not file["complete"] and name not in given]
    if names:
        some = ", ".join(names[:5]) + (", …" if len(names) > 5 else "")
        problem = "there are files that were not read to their end and are not given any more"
        warnings.warn(f"{work.folder}: {problem}: {some}; give them again", InputWarning, stacklevel=3)


def _pack_documents(
    documents: Iterable[Document], analyser: Analyser, processes: int | None
) -> Iterator[PackedDocument]:
    """The sentences of each document: analysed, several at a time, or as they come."""
    for is_analysed, group in groupby(documents, key=lambda document: document.sentences is not None):
        if is_analysed:
            yield from (pack_analysed(document.sentences or ()) for document in group)
        else:
            texts = ((document.name, document.text) for document in group)
            yield from pack_documents(analyser, texts, processes)


def library_versions(analyser: Analyser) -> dict[str, str]:
    """The versions of what an analysis depends on: polyseme, and the libraries that the analyser names."""
    found = {}
    for name in ("polyseme", "pyarrow", *getattr(analyser, "libraries", ())):
        with suppress(PackageNotFoundError):  # the analyser says so better, if it needs it
            found[name] = version(name)
    return found


def _describe_maker(made_by: dict[str, Any]) -> str:
    return f"{made_by['analyser']} ({', '.join(f'{name} {number}' for name, number in made_by['versions'].items())})"


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def _manifest_text(manifest: dict[str, Any]) -> str:
    return json.dumps(manifest, indent=1, ensure_ascii=False) + "\n"
