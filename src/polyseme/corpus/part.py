"""A part of an index while it grows, and how it is written: the same bytes every time, whole or not at all."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from polyseme.corpus.packing import Packed, schema
from polyseme.errors import InputError
from polyseme.formats.files import write_bytes

if TYPE_CHECKING:
    import pyarrow as pa

LOCK = ".lock"


class Part:
    """The documents that are in so far, as tables of each, and the words that are new."""

    def __init__(self) -> None:
        self.sizes = dict.fromkeys(("documents", "sentences", "tokens"), 0)
        self.found: dict[str, list[pa.Table]] = {name: [] for name in self.sizes}
        self.fresh: dict[int, str] = {}

    def add(self, name: str, meta: str, packed: Packed, words: list[int], *, documents: int, sentences: int) -> None:
        """A document, the numbers of its words, and that of itself and of its first sentence."""
        import pyarrow as pa

        document = np.full(packed.tokens.num_rows, documents, np.int32)
        of_tokens = _moved(packed.tokens, {"document": document}, "sentence", sentences)
        at = of_tokens.schema.get_field_index("word")
        numbers = np.array(words, np.int32)[packed.tokens.column("word").to_numpy()]
        new = {
            "documents": pa.table({"document": pa.array([documents], pa.int32()), "name": [name], "meta": [meta]}),
            "sentences": _moved(
                packed.sentences, {"document": document[: packed.sentences.num_rows]}, "sentence", sentences
            ),
            "tokens": of_tokens.set_column(at, "word", pa.array(numbers)),
        }
        for table, rows in new.items():
            self.found[table].append(rows.select([column for column, _ in schema(table)]))
            self.sizes[table] += rows.num_rows

    def tables(self) -> dict[str, pa.Table]:
        """All four tables."""
        import pyarrow as pa

        found = {name: pa.concat_tables(tables).combine_chunks() for name, tables in self.found.items()}
        counts = np.bincount(found["tokens"].column("word").to_numpy())
        numbers = np.flatnonzero(counts)
        texts = pa.array([self.fresh.get(number) for number in numbers.tolist()], pa.string())
        columns: list[Any] = [pa.array(numbers.astype(np.int32)), texts, pa.array(counts[numbers])]
        found["words"] = pa.table(columns, schema=pa.schema(schema("words")))
        return found


def _moved(rows: pa.RecordBatch, new: dict[str, NDArray[np.int32]], column: str, start: int) -> pa.Table:
    """Rows with new columns, and with the numbers of one column from ``start`` on."""
    import pyarrow as pa

    columns = {name: rows.column(name) for name in rows.schema.names}
    return pa.table({**columns, **new, column: (rows.column(column).to_numpy() + np.int32(start)).astype(np.int32)})


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
