"""The growing part of an index, and its files: the same bytes every time, written completely or not at all."""

from __future__ import annotations

import hashlib
import importlib
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from polyseme.corpus.index import TABLES, damage_error, table_path
from polyseme.corpus.packed_documents import PackedDocument, table_schema
from polyseme.errors import InputError
from polyseme.formats.files import write_bytes

if TYPE_CHECKING:
    import pyarrow as pa

LOCK_NAME = ".lock"


class IndexPart:
    """The tables of the documents of a part, and its new words."""

    def __init__(self) -> None:
        self.sizes = dict.fromkeys(("documents", "sentences", "tokens"), 0)
        self._tables: dict[str, list[pa.Table]] = {name: [] for name in self.sizes}
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
        import pyarrow as pa

        tokens, sentence_rows = (
            _offset_rows(rows, {"document": np.full(rows.num_rows, documents, np.int32)}, "sentence", sentences)
            for rows in (packed.tokens, packed.sentences)
        )
        column = tokens.schema.get_field_index("word")
        numbers = np.array(words, np.int32)[packed.tokens.column("word").to_numpy()]
        new = {
            "documents": pa.table({"document": pa.array([documents], pa.int32()), "name": [name], "meta": [meta]}),
            "sentences": sentence_rows,
            "tokens": tokens.set_column(column, "word", pa.array(numbers)),
        }
        for table, rows in new.items():
            self._tables[table].append(rows.select([column for column, _ in table_schema(table)]))
            self.sizes[table] += rows.num_rows

    def tables(self) -> dict[str, pa.Table]:
        """All four tables."""
        import pyarrow as pa

        tables = {name: pa.concat_tables(rows).combine_chunks() for name, rows in self._tables.items()}
        counts = np.bincount(tables["tokens"].column("word").to_numpy())
        numbers = np.flatnonzero(counts)
        texts = pa.array([self.new_words.get(number) for number in numbers.tolist()], pa.string())
        columns: list[Any] = [pa.array(numbers.astype(np.int32)), texts, pa.array(counts[numbers])]
        tables["words"] = pa.table(columns, schema=pa.schema(table_schema("words")))
        return tables


def _offset_rows(rows: pa.RecordBatch, new: dict[str, NDArray[np.int32]], column: str, start: int) -> pa.Table:
    """Rows with new columns, and with ``start`` added to the numbers of one column."""
    import pyarrow as pa

    columns = {name: rows.column(name) for name in rows.schema.names}
    return pa.table({**columns, **new, column: (rows.column(column).to_numpy() + np.int32(start)).astype(np.int32)})


def write_part_table(folder: Path, name: str, number: int, table: pa.Table) -> str:
    """Write one table of a part, and return its SHA-256."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    sink = pa.BufferOutputStream()
    pq.write_table(table, sink, compression="zstd", row_group_size=1 << 18)
    data = sink.getvalue().to_pybytes()
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
