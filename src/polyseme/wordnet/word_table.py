"""A text file as a table of words: whole columns are read at once, and an error still names its line."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, NoReturn

import numpy as np

from polyseme.arrays import Ints, run_starts
from polyseme.errors import InputError, quote_value
from polyseme.formats.files import decode_utf8, read_bytes
from polyseme.wordnet.columns import Array

_BLANKS = " \t\r\f\v\n"
_NEWLINE = 10
_SEPARATORS = "\x1c\x1d\x1e\x1f"
"""Characters of ASCII at which texts are split, and bytes are not."""
_NUMBER = re.compile(r"\d{1,9}", re.ASCII).fullmatch


class WordTable(NamedTuple):
    """The words of the lines of a file, and the text after the mark of each line.

    Args:
        numbers: The number of each line in the file.
        words: The words of all lines, an array of objects.
        starts: The position of the first word of each line.
        sizes: The number of words of each line.
        rest: The text after the mark of each line, ``None`` if there is no mark.
    """

    path: Path
    numbers: Array
    words: Array
    starts: Array
    sizes: Array
    rest: list[str] | None = None

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
        words = self.words[positions].tolist()
        codes = {word: parse(word) for word in set(words)}
        values = {word: -1 if code is None else code for word, code in codes.items()}
        parsed = np.fromiter(map(values.__getitem__, words), np.int32, len(words))
        self._check_words(parsed >= 0, positions, expected)
        return parsed

    def parse_integers(self, positions: Array, expected: str) -> Array:
        """Parse the words at these positions as decimal numbers."""
        words = self.words[positions].tolist()
        digits = "".join(words)
        if not (digits.isascii() and digits.isdecimal() and max(map(len, words)) < 10):  # at once: it takes a quarter
            self._check_words(np.array([bool(_NUMBER(word)) for word in words], np.bool_), positions, expected)
        return np.fromstring(" ".join(words), np.int32, sep=" ")

    def _check_words(self, good: Array, positions: Array, expected: str) -> None:
        if not good.all():
            position = int(positions[np.argmin(good)])
            row = int(np.searchsorted(self.starts, position, "right")) - 1
            self.fail(row, f"{quote_value(self.words[position])} is not {expected}")


def read_word_table(path: Path, mark: str | None = None) -> WordTable:
    """Read the lines of a file, without empty ones and those that start with a space (the licence of WordNet).

    Args:
        path: The file.
        mark: A mark that every line must have; only the text before it is split into words.
    """
    lines = decode_utf8(read_bytes(path), path).split("\n")
    numbers = [number for number, line in enumerate(lines, start=1) if line and line[0] != " "]
    texts, rest = [lines[number - 1] for number in numbers], None
    if mark is not None:
        texts, rest = _split_at_mark(texts, mark, path, numbers)
    text = "\n".join(["", *texts])
    sizes = _count_words(text.encode())
    words = np.array([*_split_words(text), "-"], object)[:-1]
    return WordTable(path, np.array(numbers, np.int64), words, run_starts(sizes), sizes, rest)


def _split_words(text: str) -> list[str]:
    """Split a text at the blanks of ASCII alone."""
    if text.isascii() and not any(mark in text for mark in _SEPARATORS):
        return text.split()  # a third faster
    return b" ".join(text.encode().split()).decode().split(" ")


def _count_words(data: bytes) -> Ints:
    """Count the words of the lines, each of which follows a line end."""
    is_blank = np.zeros(256, np.bool_)
    is_blank[list(_BLANKS.encode())] = True
    characters = np.frombuffer(data, np.uint8)
    blanks = is_blank[characters]
    starts = np.flatnonzero(~blanks[1:] & blanks[:-1])
    return np.diff(np.searchsorted(starts, np.append(np.flatnonzero(characters == _NEWLINE), len(data))))


def _split_at_mark(lines: list[str], mark: str, path: Path, numbers: list[int]) -> tuple[list[str], list[str]]:
    """Split each line at its first mark."""
    marks = [line.find(mark) for line in lines]
    if -1 in marks:
        problem = f"there is no {mark.strip()!r} with a gloss behind it; the line may be cut short"
        raise InputError(problem, path=path, line=numbers[marks.index(-1)])
    before = [line[:start] for line, start in zip(lines, marks, strict=True)]
    return before, [line[start + len(mark) :].strip(_BLANKS) for line, start in zip(lines, marks, strict=True)]
