"""A text file as a table of words: whole columns are read at once, and an error still names its line."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

import numpy as np

from polyseme.errors import InputError, quote_value
from polyseme.formats.files import decode_utf8, read_bytes
from polyseme.wordnet.columns import Array

_SPACE, _NEWLINE = 32, 10


class WordTable(NamedTuple):
    """The words of a file's lines, one after the other, and what stands behind the mark of each line."""

    path: Path
    numbers: Array
    """The number of each line in the file."""
    words: Any
    """The words of all lines, an Arrow array of strings."""
    starts: Array
    """The place of each line's first word."""
    sizes: Array
    """How many words each line has."""
    rest: Any = None
    """What follows the mark in each line, an Arrow array of strings; ``None`` if no mark was given."""

    def wrong(self, row: int, problem: str) -> NoReturn:
        """Say what is wrong with a line."""
        raise InputError(problem, path=self.path, line=int(self.numbers[row]))

    def check(self, good: Array, problem: str) -> None:
        """Raise an error for the first line that is not good."""
        if not good.all():
            self.wrong(int(np.argmin(good)), problem)

    def take(self, places: Array) -> Any:
        """The words at the given places."""
        import pyarrow as pa

        return self.words.take(pa.array(places))

    def coded(self, places: Array, read: Callable[[str], int | None], what: str) -> Array:
        """The numbers that words stand for; equal words are looked at once, ``None`` says that one is wrong."""
        encoded = self.take(places).dictionary_encode()
        values = [read(word) for word in encoded.dictionary.to_pylist()]
        codes = np.array([-1 if value is None else value for value in values], np.int32)
        found: Array = codes[encoded.indices.to_numpy()] if len(codes) else np.zeros(0, np.int32)
        self._check_places(found >= 0, places, what)
        return found

    def integers(self, places: Array, what: str) -> Array:
        """The decimal numbers written at the given places."""
        import pyarrow as pa
        import pyarrow.compute as pc

        words = self.take(places)
        try:
            numbers: Array = pc.cast(words, pa.int32()).to_numpy(zero_copy_only=False)
        except pa.ArrowInvalid:
            is_number = pc.match_substring_regex(words, r"^\d{1,9}$").to_numpy(zero_copy_only=False)
            self._check_places(is_number, places, what)
            raise
        self._check_places(numbers >= 0, places, what)
        return numbers

    def _check_places(self, good: Array, places: Array, what: str) -> None:
        if not good.all():
            place = int(places[np.argmin(good)])
            row = int(np.searchsorted(self.starts, place, "right")) - 1
            self.wrong(row, f"{quote_value(self.words[place].as_py())} is not {what}")


def read_word_table(path: Path, mark: str | None = None) -> WordTable:
    """Read a file's lines, without those that start with a space (WordNet's licence) and empty ones.

    With a ``mark``, words are only looked for before it, and every line must have it.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    data = read_bytes(path)
    if not data.isascii() or b"\0" in data:
        data = decode_utf8(data, path).encode()
    if not data.endswith(b"\n"):
        data += b"\n"
    bytes_ = np.frombuffer(data, np.uint8)
    offsets = np.concatenate([[0], np.flatnonzero(bytes_ == _NEWLINE) + 1]).astype(np.int32)
    every: Any = pa.StringArray.from_buffers(len(offsets) - 1, pa.py_buffer(offsets.tobytes()), pa.py_buffer(data))
    numbers = np.flatnonzero(~np.isin(bytes_[offsets[:-1]], [_SPACE, _NEWLINE])) + 1
    lines = every.take(pa.array(numbers - 1))
    rest = None
    if mark is not None:
        lines, rest = _split_at_mark(lines, mark, path, numbers)
    split = pc.ascii_split_whitespace(pc.ascii_trim_whitespace(lines))
    ends = split.offsets.to_numpy()
    return WordTable(path, numbers, split.values, ends[:-1], np.diff(ends), rest)


def _split_at_mark(lines: Any, mark: str, path: Path, numbers: Array) -> tuple[Any, Any]:
    """What stands before and behind the first mark of each line."""
    import pyarrow as pa
    import pyarrow.compute as pc

    parts = pc.split_pattern(lines, mark, max_splits=1)
    starts = parts.offsets.to_numpy()
    marked = np.diff(starts) == 2
    if not marked.all():
        problem = f"there is no {mark.strip()!r} with a gloss behind it; the line may be cut short"
        raise InputError(problem, path=path, line=int(numbers[np.argmin(marked)]))
    before, behind = (parts.values.take(pa.array(starts[:-1] + place)) for place in (0, 1))
    return before, pc.ascii_trim_whitespace(behind)
