"""Similarities of pairs of usages: a table of pairs, or the Usim averages file.

* A table has one pair a line, tab-separated: ``usage usage similarity [lemma]``; a first line of headings is passed
  over. Without a lemma, the usage's name up to its last dot is taken.
* The Usim averages file (Erk, McCarthy & Gaylord 2013) has two lines a pair, each ``sentence index mean lemma-number``,
  tab-separated; usage ``1`` of ``bright.a`` is called ``bright.a.1``. The index is the target's place among the
  words of the sentence, between which there are blanks, counted from 0; so the file holds the usages as well.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterable, Iterator

from polyseme.errors import InputError, count_noun, quote_value
from polyseme.formats.files import BOM, Source, read_lines, write_text
from polyseme.formats.registry import FileFormat
from polyseme.formats.tables import format_number, format_tsv
from polyseme.usage import Usage, UsagePair

TABLE_LINE_SYNTAX = "A line reads, with tabs between: usage usage similarity [lemma]"
AVERAGES_LINE_SYNTAX = "A line of the Usim averages reads, with tabs between: sentence index mean lemma-and-number"
COLUMNS = ("first", "second", "similarity", "lemma")

NumberedCells = tuple[int, list[str]]


def read_pairs(path: Source) -> tuple[UsagePair, ...]:
    """Read pairs of usages with their similarities; which of the two forms it is shows in the first line."""
    rows = list(_read_cells(path))
    if not rows:
        raise InputError(f"no pairs in it. {TABLE_LINE_SYNTAX}", path=path)
    numbered = _parse_averages(rows, path) if _is_averages_line(rows[0][1]) else _parse_table(rows, path)
    seen: dict[frozenset[str], tuple[int, UsagePair]] = {}
    for number, pair in numbered:
        line, before = seen.setdefault(frozenset((pair.first, pair.second)), (number, pair))
        if line != number:
            problem = f"{quote_value(before.first)} and {quote_value(before.second)} are a pair in line {line} already"
            raise InputError(f"{problem}; give each pair once, e.g. its mean", path=path, line=number)
    return tuple(pair for _, pair in numbered)


def _read_cells(path: Source) -> Iterator[NumberedCells]:
    return ((number, text.split("\t")) for number, text in read_lines(path) if text.strip())


def _is_averages_line(words: list[str]) -> bool:
    return len(words) == 4 and " " in words[0] and words[3].rpartition(" ")[2].isdigit()


def _is_heading(text: str) -> bool:
    """A word with no digit in it that is not a number either, as ``nan`` is."""
    return bool(text) and not _is_number(text) and not any(map(str.isdigit, text))


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _parse_similarity(text: str, path: object, line: int, form: str) -> float:
    value = float(text) if _is_number(text) else math.nan
    if not math.isfinite(value):
        raise InputError(f"similarity {text[:80]!r} is not a number. {form}", path=path, line=line)
    return value


def _parse_table(rows: list[NumberedCells], path: object) -> list[tuple[int, UsagePair]]:
    pairs = []
    for place, (number, words) in enumerate(rows):
        if len(words) not in (3, 4):
            raise InputError(f"{count_noun(len(words), 'column')}. {TABLE_LINE_SYNTAX}", path=path, line=number)
        if place == 0 and _is_heading(words[2].strip()):
            continue
        first, second = words[0].strip(), words[1].strip()
        lemma = words[3].strip() if len(words) == 4 else first.rpartition(".")[0] or first
        pairs.append(
            (number, UsagePair(lemma, first, second, _parse_similarity(words[2], path, number, TABLE_LINE_SYNTAX)))
        )
    return pairs


def _parse_averages(rows: list[NumberedCells], path: object) -> list[tuple[int, UsagePair]]:
    if len(rows) % 2:
        raise InputError(
            f"an odd number of lines, but a pair has two. {AVERAGES_LINE_SYNTAX}", path=path, line=rows[-1][0]
        )
    pairs = []
    for (number, first), (_, second) in zip(rows[::2], rows[1::2], strict=True):
        if len(first) != 4 or len(second) != 4 or first[2] != second[2]:
            raise InputError(f"this line and the next are not one pair. {AVERAGES_LINE_SYNTAX}", path=path, line=number)
        lemma = first[3].rpartition(" ")[0]
        names = [words[3].strip().replace(" ", ".") for words in (first, second)]
        pairs.append(
            (
                number,
                UsagePair(lemma, names[0], names[1], _parse_similarity(first[2], path, number, AVERAGES_LINE_SYNTAX)),
            )
        )
    return pairs


# -- the usages of the averages file -------------------------------------------------------------------------------


def read_usim_usages(source: Source) -> Iterator[Usage]:
    r"""The usages of a Usim averages file, each once, in the order of their first lines.

    >>> from polyseme.formats.files import Blob
    >>> file = Blob("usim.txt", b"a bright day\t1\t2.5\tbright.a 1\nthe bright boy\t1\t2.5\tbright.a 7\n")
    >>> [(usage.id, usage.start, usage.target) for usage in read_usim_usages(file)]
    [('bright.a.1', 2, 'bright'), ('bright.a.7', 4, 'bright')]
    """
    seen: dict[str, tuple[int, Usage]] = {}
    for number, cells in _read_cells(source):
        usage = _parse_usage(cells, source, number)
        line, before = seen.setdefault(usage.id, (number, usage))
        if before != usage:
            problem = (
                f"usage {quote_value(usage.id)} has another sentence or target than in line {line}; give both alike"
            )
            raise InputError(problem, path=source, line=number)
        if line == number:
            yield usage


def _parse_usage(cells: list[str], source: object, line: int) -> Usage:
    named = re.fullmatch(r"\s*(\S+) ([0-9]+)\s*", cells[3]) if len(cells) == 4 else None
    if named is None or not re.fullmatch("[0-9]{1,9}", cells[1]):
        raise InputError(
            f"{quote_value(cells[-1])} ends no line of averages. {AVERAGES_LINE_SYNTAX}", path=source, line=line
        )
    words = list(re.finditer("[^ ]+", cells[0]))
    if int(cells[1]) >= len(words):
        problem = f"index {cells[1]}, counted from 0, is beyond the {count_noun(len(words), 'word')} of the sentence"
        raise InputError(f"{problem}. {AVERAGES_LINE_SYNTAX}", path=source, line=line)
    word, pos = words[int(cells[1])], named[1].rpartition(".")[2]
    part = pos if pos in ("n", "v", "a", "r") else ""
    return Usage(f"{named[1]}.{named[2]}", named[1], cells[0], word.start(), word.end(), part)


# -- writing -------------------------------------------------------------------------------------------------------


def write_pairs(pairs: Iterable[UsagePair], path: str | os.PathLike[str]) -> None:
    """Write a table of pairs, with headings and lemmas."""
    given = list(pairs)
    _check_pairs(given, path)
    rows = [
        dict(zip(COLUMNS, (first, second, format_number(value), lemma), strict=True))
        for lemma, first, second, value in given
    ]
    write_text(path, format_tsv(COLUMNS, rows))


def _check_pairs(pairs: list[UsagePair], path: object) -> None:
    seen: set[frozenset[str]] = set()
    for pair in pairs:
        names = frozenset((pair.first, pair.second))
        problems = {
            "is given twice; give it once": names in seen,
            "has an empty name, or one with white space around it; rename it": any(
                name != name.strip() or not (name or name is pair.lemma) for name in pair[:3]
            ),
            f"has the similarity {pair.similarity}, which is not a finite number": not math.isfinite(pair.similarity),
        }
        for problem, holds in problems.items():
            if holds:
                raise InputError(f"the pair {quote_value(pair.first)}, {quote_value(pair.second)} {problem}", path=path)
        seen.add(names)


def write_usim_averages(pairs: Iterable[UsagePair], usages: Iterable[Usage], path: str | os.PathLike[str]) -> None:
    """Write a Usim averages file: pairs with the sentences of their usages, in each of which the target is one word."""
    given, known = list(pairs), {}
    for usage in usages:
        if usage.id in known:
            raise InputError(f"two usages are called {quote_value(usage.id)}; rename one", path=path)
        known[usage.id] = usage
    _check_pairs(given, path)
    written = []
    for pair in given:
        for name in (pair.first, pair.second):
            if name not in known:
                raise InputError(f"the usage {quote_value(name)} of a pair is not among the usages given", path=path)
            written.append(_format_average_line(known[name], pair, path))
    write_text(path, "".join(written))


def _format_average_line(usage: Usage, pair: UsagePair, path: object) -> str:
    number = usage.id.removeprefix(f"{pair.lemma}.")
    index = sum(word.start() < usage.start for word in re.finditer("[^ ]+", usage.text))
    cells = [usage.text, str(index), format_number(pair.similarity), f"{pair.lemma} {number}"]
    line = "\t".join(cells)
    same = not re.search("[\n\r\0]|^\ufeff", line) and line.count("\t") == 3 and _is_averages_line(cells)
    try:
        same = same and _parse_usage(cells, path, 1) == usage
    except InputError:
        same = False
    if not same:
        problem = f"usage {quote_value(usage.id)} cannot stand in a file of averages"
        raise InputError(
            f"{problem}: it must be called as 'bright.a.1' of 'bright.a' is, have a text of several words with blanks"
            " between, without tabs and line ends, and the target be one of the words",
            path=path,
        )
    return f"{line}\n"


# -- recognising ---------------------------------------------------------------------------------------------------


def _split_first_lines(start: bytes) -> list[list[str]]:
    found = start.removeprefix(BOM).decode(errors="replace").split("\n")
    return [line.rstrip("\r").split("\t") for line in found if line.strip()][:2]


def _recognise_table(start: bytes) -> bool:
    rows = [row for row in _split_first_lines(start) if len(row) in (3, 4)]
    if not rows or _is_averages_line(rows[0]):
        return False
    heading = _is_heading(rows[0][2].strip())
    return _is_number(rows[-1][2]) if len(rows) > heading else rows[0][2] == "similarity"


FORMATS = (
    FileFormat(
        "usage-pairs",
        "a table of pairs of usages",
        _recognise_table,
        readers={"pairs": read_pairs},
        writers={"pairs": write_pairs},
        suffixes=(".tsv",),
    ),
    FileFormat(
        "usim-averages",
        "the Usim averages file",
        lambda start: any(_is_averages_line(row) for row in _split_first_lines(start)[:1]),
        readers={"pairs": read_pairs, "usages": read_usim_usages},
    ),
)
