"""The columns of a WordNet kept in one Arrow file of the user's cache, which is mapped into memory."""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from polyseme.errors import InputError
from polyseme.formats.files import write_bytes
from polyseme.home import cache
from polyseme.wordnet.columns import Array, Columns

LAYOUT = 1
"""Changed whenever the columns are, so that a cache of another version of polyseme is not read."""


def place(folder: Path) -> Path:
    """The file that holds what was read of a folder."""
    name = hashlib.sha256(str(folder.resolve()).encode("utf-8", "surrogateescape")).hexdigest()[:16]
    return cache() / "wordnet" / f"{name}.arrow"


def stamp(files: Sequence[Path]) -> str:
    """What tells whether the files are still those that were read: their names, sizes and times of change."""
    states = [(file.name, file.stat()) for file in files]
    return json.dumps([LAYOUT, *([name, state.st_size, state.st_mtime_ns] for name, state in states)])


def read(path: Path, stamped: str) -> Columns | None:
    """The columns kept in a file; ``None`` if there are none, or of other files, or they are damaged."""
    import pyarrow as pa

    try:
        with pa.memory_map(str(path)) as source:
            batch = pa.ipc.open_file(source).get_batch(0)
        said = batch.schema.metadata or {}
        if said.get(b"stamp") != stamped.encode():
            return None
        lists = {name: batch.column(number) for number, name in enumerate(batch.schema.names)}
        arrays: dict[str, Array] = {
            name: column.values.to_numpy(zero_copy_only=True)  # type: ignore[attr-defined]
            for name, column in lists.items()
        }
        return Columns.from_arrays(arrays) if said.get(b"crc32") == _checksum(arrays) else None
    except (OSError, ValueError, KeyError):  # pyarrow's own errors are one of the first two
        return None


def write(path: Path, stamped: str, columns: Columns) -> bool:
    """Keep the columns in a file, whole or not at all; ``False`` where that is not possible."""
    import pyarrow as pa

    arrays = columns.arrays()
    whole = {name: (pa.array([0, len(array)], pa.int64()), pa.array(array)) for name, array in arrays.items()}
    lists: list[Any] = [pa.LargeListArray.from_arrays(*parts) for parts in whole.values()]
    batch = pa.record_batch(lists, names=list(arrays))
    batch = batch.replace_schema_metadata({b"stamp": stamped.encode(), b"crc32": _checksum(arrays)})
    sink = pa.BufferOutputStream()
    with pa.ipc.new_file(sink, batch.schema) as writer:
        writer.write_batch(batch)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_bytes(path, sink.getvalue().to_pybytes())
    except (OSError, InputError):
        return False
    return True


def _checksum(arrays: dict[str, Array]) -> bytes:
    total = 0
    for array in arrays.values():
        total = zlib.crc32(array.data.cast("B") if len(array) else b"", total)
    return b"%08x" % total
