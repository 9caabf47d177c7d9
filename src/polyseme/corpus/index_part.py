"""The growing part of an index, and its files: the same bytes every time, written completely or not at all."""

from __future__ import annotations

import hashlib
import importlib
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from polyseme.column_table import ColumnTable, NumberColumn, TextColumn
from polyseme.corpus.index import TABLES, damage_error, table_path
from polyseme.corpus.packed_documents import TABLE_COLUMNS, PackedDocument
from polyseme.errors import InputError
from polyseme.formats.files import write_bytes
from polyseme.formats.parquet_columns import format_columns

LOCK_NAME = ".lock"


class IndexPart:
    """The tables of the documents of a part, and its new words."""

    def __init__(self) -> None:
        self.sizes = dict.fromkeys(("documents", "sentences", "tokens"), 0)
        self._tables: dict[str, list[ColumnTable]] = {name: [] for name in self.sizes}
        self.new_words: dict[int, str] = {}

    def add(
        self, name: str, meta: str, packed: PackedDocument, words: list[int], *, documents: int, sentences: int
    ) -> None:
        """Add a document.

        Args:
            name: The name of the document.
            meta: Its metadata, as JSON.
            packed: Its columns.
            words: The numbers of its words in the index.
            documents: Its number.
            sentences: The number of its first sentence.
        """
        number = NumberColumn(np.array([documents], np.int32))
        numbers = np.array(words, np.int32)[packed.tokens.numbers("word")]
        new = {
            "documents": ColumnTable(
                {"document": number, "name": TextColumn.from_list([name]), "meta": TextColumn.from_list([meta])}
            ),
            "sentences": _place_rows(packed.sentences, documents, sentences),
            "tokens": _place_rows(packed.tokens, documents, sentences).replace(word=NumberColumn(numbers)),
        }
        for table, rows in new.items():
            self._tables[table].append(ColumnTable({column: rows.columns[column] for column in TABLE_COLUMNS[table]}))
            self.sizes[table] += rows.num_rows

    def tables(self) -> dict[str, ColumnTable]:
        """All four tables."""
        tables = {name: ColumnTable.concatenate(rows) for name, rows in self._tables.items()}
        counts = np.bincount(tables["tokens"].numbers("word"))
        numbers = np.flatnonzero(counts)
        tables["words"] = ColumnTable(
            {
                "word": NumberColumn(numbers.astype(np.int32)),
                "text": TextColumn.from_list(self.new_words.get(number) for number in numbers.tolist()),
                "count": NumberColumn(counts[numbers].astype(np.int64)),
            }
        )
        return tables


def _place_rows(rows: ColumnTable, document: int, first_sentence: int) -> ColumnTable:
    """The rows of a document with its number, and with sentences numbered through the index."""
    documents = NumberColumn(np.full(rows.num_rows, document, np.int32))
    return rows.replace(document=documents, sentence=NumberColumn(rows.numbers("sentence") + np.int32(first_sentence)))


def write_part_table(folder: Path, name: str, number: int, table: ColumnTable) -> str:
    """Write one table of a part, and return its SHA-256."""
    data = format_columns(table)
    write_bytes(table_path(folder, name, number), data)
    return hashlib.sha256(data).hexdigest()


def check_tables(folder: Path, parts: list[dict[str, Any]]) -> None:
    """Check that the files of all parts are as they were written.

    This reads the whole index. It takes a hundredth of the time of indexing, and about as much as the check whether the
    indexed files have changed.

    Raises:
        InputError: A file is missing or differs.
    """
    for name in TABLES:
        for part in parts:
            path = table_path(folder, name, part["number"])
            try:
                with path.open("rb") as file:
                    digest = hashlib.file_digest(file, "sha256").hexdigest()
            except OSError as error:
                raise damage_error(path, error.strerror or str(error)) from None
            if digest != part["sha256"][name]:
                raise damage_error(path, "its content has changed")


def remove_leftovers(folder: Path, parts: int) -> None:
    """Create the folders of the tables, and delete the files beyond these parts, which a killed run left."""
    for name in TABLES:
        (folder / name).mkdir(exist_ok=True)
    folders = (folder, *(folder / name for name in TABLES))
    for path in (path for subfolder in folders for path in subfolder.iterdir()):
        number = re.fullmatch(r"(\d{5,})\.parquet", path.name)
        if is_temporary(path) or (number and path.parent != folder and int(number[1]) >= parts):
            path.unlink()


def is_temporary(path: Path) -> bool:
    """Whether :func:`~polyseme.formats.files.write_bytes` was killed while it wrote this file."""
    return re.fullmatch(r"\.polyseme-[0-9a-f]{16}\.tmp", path.name) is not None


@contextmanager
def lock_folder(folder: Path) -> Iterator[None]:
    """Lock the folder against other writers; the system lifts the lock even if this process is killed."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with (folder / LOCK_NAME).open("w") as file:
            _lock(file.fileno(), folder)
            yield
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror or error}", path=folder) from None


def _lock(number: int, folder: Path) -> None:
    try:
        _lock_file(number)
    except (BlockingIOError, PermissionError):
        raise InputError("another process is writing this index; wait for it", path=folder) from None


def _lock_file(number: int) -> None:
    """Lock an open file; an error if another process has the lock."""
    try:
        import fcntl
    except ImportError:
        windows: Any = importlib.import_module("msvcrt")
        windows.locking(number, windows.LK_NBLCK, 1)
    else:
        fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
