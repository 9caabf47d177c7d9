"""Similarities of pairs of usages: a table of pairs, or the Usim averages file.

* A table has one pair a line, tab-separated: ``usage usage similarity [lemma]``; a first line of headings is passed
  over. Without a lemma, the usage's name up to its last dot is taken.
* The Usim averages file (Erk, McCarthy & Gaylord 2013) has two lines a pair, each ``sentence index mean lemma-number``,
  tab-separated; usage ``1`` of ``bright.a`` is called ``bright.a.1``.
"""

from __future__ import annotations

import math
import os

from polyseme.errors import InputError, shown
from polyseme.formats.files import read_text
from polyseme.usage import UsagePair

TABLE = "A line reads, with tabs between: usage usage similarity [lemma]"
AVERAGES = "A line of the Usim averages reads, with tabs between: sentence index mean lemma-and-number"

Line = tuple[int, list[str]]


def read_pairs(path: str | os.PathLike[str]) -> tuple[UsagePair, ...]:
    """Read pairs of usages with their similarities; which of the two forms it is shows in the first line."""
    lines = [
        (number, line.rstrip("\r").split("\t"))
        for number, line in enumerate(read_text(path).split("\n"), start=1)
        if line.strip()
    ]
    if not lines:
        raise InputError(f"no pairs in it. {TABLE}", path=path)
    numbered = _averages(lines, path) if _is_averages(lines[0][1]) else _table(lines, path)
    seen: dict[frozenset[str], tuple[int, UsagePair]] = {}
    for number, pair in numbered:
        line, before = seen.setdefault(frozenset((pair.first, pair.second)), (number, pair))
        if line != number:
            problem = f"{shown(before.first)} and {shown(before.second)} are a pair in line {line} already"
            raise InputError(f"{problem}; give each pair once, e.g. its mean", path=path, line=number)
    return tuple(pair for _, pair in numbered)


def _is_averages(words: list[str]) -> bool:
    return len(words) == 4 and " " in words[0] and words[3].rpartition(" ")[2].isdigit()


def _is_heading(text: str) -> bool:
    """A word with no digit in it that is not a number either, as ``nan`` is."""
    try:
        float(text)
    except ValueError:
        return bool(text) and not any(map(str.isdigit, text))
    return False


def _number(text: str, path: object, line: int, form: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise InputError(f"similarity {text[:80]!r} is not a number. {form}", path=path, line=line)
    return value


def _table(lines: list[Line], path: object) -> list[tuple[int, UsagePair]]:
    pairs = []
    for place, (number, words) in enumerate(lines):
        if len(words) not in (3, 4):
            raise InputError(f"{len(words)} columns. {TABLE}", path=path, line=number)
        if place == 0 and _is_heading(words[2].strip()):
            continue
        first, second = words[0].strip(), words[1].strip()
        lemma = words[3].strip() if len(words) == 4 else first.rpartition(".")[0] or first
        pairs.append((number, UsagePair(lemma, first, second, _number(words[2], path, number, TABLE))))
    return pairs


def _averages(lines: list[Line], path: object) -> list[tuple[int, UsagePair]]:
    if len(lines) % 2:
        raise InputError(f"an odd number of lines, but a pair has two. {AVERAGES}", path=path, line=lines[-1][0])
    pairs = []
    for (number, first), (_, second) in zip(lines[::2], lines[1::2], strict=True):
        if len(first) != 4 or len(second) != 4 or first[2] != second[2]:
            raise InputError(f"this line and the next are not one pair. {AVERAGES}", path=path, line=number)
        lemma = first[3].rpartition(" ")[0]
        names = [words[3].strip().replace(" ", ".") for words in (first, second)]
        pairs.append((number, UsagePair(lemma, names[0], names[1], _number(first[2], path, number, AVERAGES))))
    return pairs
