"""The columns of a WordNet kept in one file of the user's cache, which is mapped into memory.

The file is a table of contents and then the arrays as they are in memory. In front stands a checksum of all of it,
which is compared before anything else is read; and whatever the bytes are, nothing is read beyond the end of the file.
"""

from __future__ import annotations

import hashlib
import json
import mmap
import struct
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from polyseme.errors import InputError
from polyseme.formats.files import write_bytes
from polyseme.home import cache
from polyseme.wordnet.columns import Array, Columns

LAYOUT = 2
"""Changed whenever the columns are, so that a cache of another version of polyseme is not read."""

_HEAD = struct.Struct("<8sII")  # a mark, the checksum of all that follows, the length of the table of contents
_CHECKED = 12  # the checksum begins behind itself
_MARK = b"polyseme"
_ALIGNED = 64


def place(folder: Path) -> Path:
    """The file that holds what was read of a folder."""
    name = hashlib.sha256(str(folder.resolve()).encode("utf-8", "surrogateescape")).hexdigest()[:16]
    return cache() / "wordnet" / f"{name}.columns"


def stamp(files: Sequence[Path]) -> str:
    """What tells whether the files are still those that were read: their names, sizes and times of change."""
    states = [(file.name, file.stat()) for file in files]
    return json.dumps([LAYOUT, *([name, state.st_size, state.st_mtime_ns] for name, state in states)])


def read(path: Path, stamped: str) -> Columns | None:
    """The columns kept in a file; ``None`` if there are none, or of other files, or they are damaged."""
    try:
        with path.open("rb") as file:
            data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except (OSError, ValueError):  # the latter says that the file is empty
        return None
    contents = _contents(data)
    if contents is None or contents["stamp"] != stamped:
        return None
    arrays = {name: np.frombuffer(data, kind, size, int(start)) for name, kind, size, start in contents["arrays"]}
    return Columns.from_arrays(arrays)


def _contents(data: mmap.mmap) -> dict[str, Any] | None:
    """The table of contents, if the file is one of ours and whole."""
    if len(data) < _HEAD.size:
        return None
    mark, checksum, length = _HEAD.unpack_from(data)
    with memoryview(data) as view:
        if mark != _MARK or zlib.crc32(view[_CHECKED:]) != checksum:
            return None
    contents: dict[str, Any] = json.loads(data[_HEAD.size : _HEAD.size + length])
    return contents


def write(path: Path, stamped: str, columns: Columns) -> bool:
    """Keep the columns in a file, whole or not at all; ``False`` where that is not possible."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_bytes(path, _packed(stamped, columns.arrays()))
    except (OSError, InputError):
        return False
    return True


def _packed(stamped: str, arrays: dict[str, Array]) -> bytes:
    """The content of the file."""
    length = len(_table(stamped, arrays, [0] * len(arrays)))
    starts, blocks = [], []
    end = _HEAD.size + length
    for array in arrays.values():
        blocks += [bytes(-end % _ALIGNED), array.tobytes()]
        starts.append(end + len(blocks[-2]))
        end = starts[-1] + len(blocks[-1])
    rest = b"".join([struct.pack("<I", length), _table(stamped, arrays, starts), *blocks])
    return struct.pack("<8sI", _MARK, zlib.crc32(rest)) + rest


def _table(stamped: str, arrays: dict[str, Array], starts: list[int]) -> bytes:
    """The table of contents: name, type, length and place of each array; it is as long whatever the places are."""
    entries = zip(arrays.items(), starts, strict=True)
    found = [[name, array.dtype.str, len(array), f"{start:12}"] for (name, array), start in entries]
    return json.dumps({"stamp": stamped, "arrays": found}).encode()
