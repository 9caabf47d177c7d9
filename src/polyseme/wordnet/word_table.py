"""A text file as a table of words: whole columns are read at once, and an error still names its line."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from polyseme.errors import InputError, quote_value
from polyseme.formats.files import decode_utf8, read_bytes
from polyseme.wordnet.columns import Array

_SPACE, _NEWLINE = 32, 10


class WordTable(NamedTuple):
    """The words of the lines of a file, and the text after the mark of each line.

    Args:
        numbers: The number of each line in the file.
        words: The words of all lines, an Arrow array of strings.
        starts: The position of the first word of each line.
        sizes: The number of words of each line.
        rest: The text after the mark of each line, an Arrow array of strings; ``None`` if there is no mark.
    """

    path: Path
    numbers: Array
    words: Any
    starts: Array
    sizes: Array
    rest: Any = None

    def fail(self, row: int, problem: str) -> NoReturn:
        """Raise an error about a line."""
        raise InputError(problem, path=self.path, line=int(self.numbers[row]))

    def check(self, good: Array, problem: str) -> None:
        """Raise an error for the first line that is not good."""
        if not good.all():
            self.fail(int(np.argmin(good)), problem)

    def parse_codes(self, positions: Array, parse: Callable[[str], int | None], expected: str) -> Array:
        """Parse the words at these positions as codes; equal words are parsed once.

        Args:
            positions: The positions of the words.
            parse: A function from a word to its code; ``None`` marks a wrong word.
            expected: What a word must be, for messages.
        """
        encoded = self.words.take(positions).dictionary_encode()
        values = [parse(word) for word in encoded.dictionary.to_pylist()]
        codes = np.array([-1 if value is None else value for value in values], np.int32)
        parsed: Array = codes[encoded.indices.to_numpy()] if len(codes) else np.zeros(0, np.int32)
        self._check_words(parsed >= 0, positions, expected)
        return parsed

    def parse_integers(self, positions: Array, expected: str) -> Array:
        """Parse the words at these positions as decimal numbers."""
        words = self.words.take(positions)
        try:
            numbers: Array = pc.cast(words, pa.int32()).to_numpy(zero_copy_only=False)
        except pa.ArrowInvalid:
            is_number = pc.match_substring_regex(words, r"^\d{1,9}$").to_numpy(zero_copy_only=False)
            self._check_words(is_number, positions, expected)
            raise
        self._check_words(numbers >= 0, positions, expected)
        return numbers

    def _check_words(self, good: Array, positions: Array, expected: str) -> None:
        if not good.all():
            position = int(positions[np.argmin(good)])
            row = int(np.searchsorted(self.starts, position, "right")) - 1
            self.fail(row, f"{quote_value(self.words[position].as_py())} is not {expected}")


def read_word_table(path: Path, mark: str | None = None) -> WordTable:
    """Read the lines of a file, without empty ones and those that start with a space (the licence of WordNet).

    Args:
        path: The file.
        mark: A mark that every line must have; only the text before it is split into words.
    """
    data = read_bytes(path)
    if not data.isascii() or b"\0" in data:
        data = decode_utf8(data, path).encode()
    if not data.endswith(b"\n"):
        data += b"\n"
    values = np.frombuffer(data, np.uint8)
    offsets = np.concatenate([[0], np.flatnonzero(values == _NEWLINE) + 1]).astype(np.int32)
    texts: Any = pa.StringArray.from_buffers(len(offsets) - 1, pa.py_buffer(offsets.tobytes()), pa.py_buffer(data))
    numbers = np.flatnonzero(~np.isin(values[offsets[:-1]], [_SPACE, _NEWLINE])) + 1
    lines, rest = texts.take(numbers - 1), None
    if mark is not None:
        lines, rest = _split_at_mark(lines, mark, path, numbers)
    split = pc.ascii_split_whitespace(pc.ascii_trim_whitespace(lines))
    ends = split.offsets.to_numpy()
    return WordTable(path, numbers, split.values, ends[:-1], np.diff(ends), rest)


def _split_at_mark(lines: Any, mark: str, path: Path, numbers: Array) -> tuple[Any, Any]:
    """Split each line at its first mark."""
    parts = pc.split_pattern(lines, mark, max_splits=1)
    starts = parts.offsets.to_numpy()
    is_marked = np.diff(starts) == 2
    if not is_marked.all():
        problem = f"there is no {mark.strip()!r} with a gloss behind it; the line may be cut short"
        raise InputError(problem, path=path, line=int(numbers[np.argmin(is_marked)]))
    before, after = (parts.values.take(starts[:-1] + part) for part in (0, 1))
    return before, pc.ascii_trim_whitespace(after)
