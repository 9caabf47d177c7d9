"""Readers and writers, one file format a module; and labellings in whatever format they come."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from polyseme.formats.answer_key import Loaded
    from polyseme.labelling import Labelling


def read_labelling(path: str | os.PathLike[str], rule: str = "as-written") -> Labelling:
    """Read a labelling, plain or compressed; what the file holds says whether it is Parquet, JSON Lines or a key.

    A file that begins with ``{`` is JSON Lines. The loading rule is for answer keys; the other formats say what they
    mean. See :func:`~polyseme.formats.answer_key.read_key`, :func:`~polyseme.formats.json_lines.read_json_lines` and
    :func:`~polyseme.formats.parquet.read_parquet`.
    """
    return load_labelling(path, rule).labelling


def load_labelling(path: str | os.PathLike[str], rule: str = "as-written") -> Loaded:
    """As :func:`read_labelling`, and also the lines of a key that name no sense."""
    from polyseme.formats import answer_key, json_lines, parquet
    from polyseme.formats.files import BOM, read_bytes

    data = read_bytes(path)
    if data.startswith(b"PAR1") and b"\0" in data:
        return answer_key.Loaded(parquet.parse_parquet(data, path))
    if data.removeprefix(BOM).lstrip().startswith(b"{"):
        return answer_key.Loaded(json_lines.parse_json_lines(data, path))
    return answer_key.loaded_key(data, rule, path)


def write_labelling(labelling: Labelling, path: str | os.PathLike[str]) -> None:
    """Write a labelling in the format that the suffix names, compressed if a suffix such as ``.gz`` follows.

    ``.key``, ``.txt`` or no suffix: an answer key; ``.jsonl`` or ``.ndjson``: JSON Lines; ``.parquet``: Parquet.
    """
    from polyseme.errors import InputError, shown
    from polyseme.formats import answer_key, json_lines, parquet
    from polyseme.formats.files import suffix_of

    writers = {
        ".key": answer_key.write_key,
        ".txt": answer_key.write_key,
        "": answer_key.write_key,
        ".jsonl": json_lines.write_json_lines,
        ".ndjson": json_lines.write_json_lines,
        ".parquet": parquet.write_parquet,
    }
    suffix = suffix_of(path)
    if suffix not in writers:
        allowed = ", ".join(filter(None, writers))
        raise InputError(f"{shown(suffix)} names no format; allowed are {allowed}, or no suffix for a key", path=path)
    writers[suffix](labelling, path)
