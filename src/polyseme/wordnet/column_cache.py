"""The cache of the columns of a WordNet: one file in the user's cache, which is mapped into memory.

The file has a header with a checksum, a table of contents, and the arrays as they are in memory. The checksum is
compared before anything else is read, and nothing is read beyond the end of the file.
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
"""The version of the columns; a cache of another version is not read."""

_HEADER = struct.Struct("<8sII")  # a mark, the checksum of all that follows, the length of the table of contents
_CHECKSUM_END = 12  # the checksum begins behind itself
_MAGIC = b"polyseme"
_ALIGNMENT = 64


def cache_path(folder: Path) -> Path:
    """Return the cache file of a folder."""
    name = hashlib.sha256(str(folder.resolve()).encode("utf-8", "surrogateescape")).hexdigest()[:16]
    return user_cache_folder() / "wordnet" / f"{name}.columns"


def file_stamp(files: Sequence[Path]) -> str:
    """Return the names, sizes and times of change of files, by which a changed file is noticed."""
    states = [(file.name, file.stat()) for file in files]
    return json.dumps([LAYOUT_VERSION, *([name, state.st_size, state.st_mtime_ns] for name, state in states)])


def read(path: Path, stamp: str) -> WordNetColumns | None:
    """Read the cached columns; ``None`` if there are none, the stamp differs, or the file is damaged."""
    try:
        with path.open("rb") as file:
            data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except (OSError, ValueError):  # the latter says that the file is empty
        return None
    contents = _read_contents(data)
    if contents is None or contents["stamp"] != stamp:
        return None
    arrays = {name: np.frombuffer(data, kind, size, int(start)) for name, kind, size, start in contents["arrays"]}
    return WordNetColumns.from_arrays(arrays)


def _read_contents(data: mmap.mmap) -> dict[str, Any] | None:
    """Return the table of contents; ``None`` if the file is damaged or not a cache."""
    if len(data) < _HEADER.size:
        return None
    mark, checksum, length = _HEADER.unpack_from(data)
    with memoryview(data) as view:
        if mark != _MAGIC or zlib.crc32(view[_CHECKSUM_END:]) != checksum:
            return None
    contents: dict[str, Any] = json.loads(data[_HEADER.size : _HEADER.size + length])
    return contents


def write(path: Path, stamp: str, columns: WordNetColumns) -> bool:
    """Write the columns to a file whole or not at all; return whether that was possible."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_bytes(path, _pack(stamp, columns.arrays()))
    except (OSError, InputError):
        return False
    return True


def _pack(stamp: str, arrays: dict[str, Array]) -> bytes:
    """Return the content of the file."""
    length = len(_format_contents(stamp, arrays, [0] * len(arrays)))
    starts, blocks = [], []
    end = _HEADER.size + length
    for array in arrays.values():
        blocks += [bytes(-end % _ALIGNMENT), array.tobytes()]
        starts.append(end + len(blocks[-2]))
        end = starts[-1] + len(blocks[-1])
    rest = b"".join([struct.pack("<I", length), _format_contents(stamp, arrays, starts), *blocks])
    return struct.pack("<8sI", _MAGIC, zlib.crc32(rest)) + rest


def _format_contents(stamp: str, arrays: dict[str, Array], starts: list[int]) -> bytes:
    """Format name, type, length and offset of each array; the length does not depend on the offsets."""
    items = zip(arrays.items(), starts, strict=True)
    entries = [[name, array.dtype.str, len(array), f"{start:12}"] for (name, array), start in items]
    return json.dumps({"stamp": stamp, "arrays": entries}).encode()
