"""A part of an index while it grows, and how it is written: the same bytes every time, whole or not at all."""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from polyseme.errors import InputError
from polyseme.formats.files import write_bytes

if TYPE_CHECKING:
    import pyarrow as pa

LOCK = ".lock"
Rows = dict[str, list[Any]]


class Part:
    """The columns of three tables, and the words that are new."""

    def __init__(self) -> None:
        self.rows: dict[str, Rows] = {name: defaultdict(list) for name in ("tokens", "sentences", "documents")}
        self.fresh: dict[int, str] = {}

    def tables(self) -> dict[str, pa.Table]:
        """All four tables."""
        import pyarrow as pa

        counts = Counter(self.rows["tokens"]["word"])
        numbers = sorted(counts)
        words: Rows = {
            "word": numbers,
            "text": [self.fresh.get(number) for number in numbers],
            "count": [counts[number] for number in numbers],
        }
        every = {**self.rows, "words": words}
        return {
            name: pa.table(
                {column: pa.array(rows[column], kind) for column, kind in schema(name)}, schema=pa.schema(schema(name))
            )
            for name, rows in every.items()
        }


def schema(table: str) -> list[tuple[str, pa.DataType]]:
    """The columns of a table and their types."""
    import pyarrow as pa

    number, text = pa.int32(), pa.string()
    columns: dict[str, list[tuple[str, pa.DataType]]] = {
        "tokens": [
            *((name, number) for name in ("document", "sentence", "position", "word")),
            *((name, text) for name in ("form", "tag")),
            *((name, number) for name in ("start", "end", "head")),
            ("relation", text),
        ],
        "sentences": [*((name, number) for name in ("sentence", "document", "number", "start")), ("text", text)],
        "documents": [("document", number), ("name", text), ("meta", text)],
        "words": [("word", number), ("text", text), ("count", pa.int64())],
    }
    return columns[table]


def add(rows: Rows, **columns: Iterable[Any]) -> None:
    """Rows at the end of a table."""
    for name, values in columns.items():
        rows[name].extend(values)


def write_table(folder: Path, name: str, number: int, table: pa.Table) -> str:
    """Write one table of a part; its SHA-256 is returned."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    sink = pa.BufferOutputStream()
    pq.write_table(table, sink, compression="zstd", row_group_size=1 << 18)
    data = sink.getvalue().to_pybytes()
    (folder / name).mkdir(parents=True, exist_ok=True)
    write_bytes(folder / name / f"{number:05}.parquet", data)
    return hashlib.sha256(data).hexdigest()


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """While this lasts, nobody else writes into the folder; the system lifts the lock even if we are killed."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with (folder / LOCK).open("w") as file:
            _lock(file.fileno(), folder)
            yield
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror or error}", path=folder) from None


def _lock(number: int, folder: Path) -> None:
    try:
        import fcntl
    except ImportError:  # Windows: there, two at a time are not noticed
        return
    try:
        fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise InputError("another process is writing this index; wait for it", path=folder) from None
