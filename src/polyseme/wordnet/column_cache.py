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
from polyseme.home import user_cache_folder
from polyseme.wordnet.columns import Array, WordNetColumns

LAYOUT_VERSION = 2
"""Changed whenever the columns are, so that a cache of another version of polyseme is not read."""

_HEADER = struct.Struct("<8sII")  # a mark, the checksum of all that follows, the length of the table of contents
_CHECKSUM_END = 12  # the checksum begins behind itself
_MAGIC = b"polyseme"
_ALIGNMENT = 64


def cache_path(folder: Path) -> Path:
    """The file that holds what was read of a folder."""
    name = hashlib.sha256(str(folder.resolve()).encode("utf-8", "surrogateescape")).hexdigest()[:16]
    return user_cache_folder() / "wordnet" / f"{name}.columns"


def file_stamp(files: Sequence[Path]) -> str:
    """What tells whether the files are still those that were read: their names, sizes and times of change."""
    states = [(file.name, file.stat()) for file in files]
    return json.dumps([LAYOUT_VERSION, *([name, state.st_size, state.st_mtime_ns] for name, state in states)])


def read(path: Path, stamped: str) -> WordNetColumns | None:
    """The columns kept in a file; ``None`` if there are none, or of other files, or they are damaged."""
    try:
        with path.open("rb") as file:
            data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except (OSError, ValueError):  # the latter says that the file is empty
        return None
    contents = _read_contents(data)
    if contents is None or contents["stamp"] != stamped:
        return None
    arrays = {name: np.frombuffer(data, kind, size, int(start)) for name, kind, size, start in contents["arrays"]}
    return WordNetColumns.from_arrays(arrays)


def _read_contents(data: mmap.mmap) -> dict[str, Any] | None:
    """The table of contents, if the file is one of ours and whole."""
    if len(data) < _HEADER.size:
        return None
    mark, checksum, length = _HEADER.unpack_from(data)
    with memoryview(data) as view:
        if mark != _MAGIC or zlib.crc32(view[_CHECKSUM_END:]) != checksum:
            return None
    contents: dict[str, Any] = json.loads(data[_HEADER.size : _HEADER.size + length])
    return contents


def write(path: Path, stamped: str, columns: WordNetColumns) -> bool:
    """Keep the columns in a file, whole or not at all; ``False`` where that is not possible."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_bytes(path, _pack(stamped, columns.arrays()))
    except (OSError, InputError):
        return False
    return True


def _pack(stamped: str, arrays: dict[str, Array]) -> bytes:
    """The content of the file."""
    length = len(_format_contents(stamped, arrays, [0] * len(arrays)))
    starts, blocks = [], []
    end = _HEADER.size + length
    for array in arrays.values():
        blocks += [bytes(-end % _ALIGNMENT), array.tobytes()]
        starts.append(end + len(blocks[-2]))
        end = starts[-1] + len(blocks[-1])
    rest = b"".join([struct.pack("<I", length), _format_contents(stamped, arrays, starts), *blocks])
    return struct.pack("<8sI", _MAGIC, zlib.crc32(rest)) + rest


def _format_contents(stamped: str, arrays: dict[str, Array], starts: list[int]) -> bytes:
    """The table of contents: name, type, length and place of each array; it is as long whatever the places are."""
    entries = zip(arrays.items(), starts, strict=True)
    found = [[name, array.dtype.str, len(array), f"{start:12}"] for (name, array), start in entries]
    return json.dumps({"stamp": stamped, "arrays": found}).encode()
