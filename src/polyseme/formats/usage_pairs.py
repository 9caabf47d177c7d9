"""Similarities of pairs of usages: a table of pairs, or the Usim averages file.

* A table has one pair a line, separated by tabs: ``usage usage similarity [lemma]``. A first line of headings is
  skipped. By default the lemma is the name of the usage up to its last dot.
* The Usim averages file (Erk, McCarthy & Gaylord 2013) has two lines a pair, each ``sentence index mean lemma-number``,
  separated by tabs. Usage ``1`` of ``bright.a`` is called ``bright.a.1``. The index is the position of the target among
  the words of the sentence, which are separated by blanks, counted from 0. So the file also holds the usages.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterable, Iterator

from polyseme.errors import InputError, count_noun, quote_value
from polyseme.formats.files import BOM, Source, read_content_lines, write_text
from polyseme.formats.json_records import format_record
from polyseme.formats.registry import FileFormat
from polyseme.formats.tables import format_number, format_tsv
from polyseme.lemma import split_lemma
from polyseme.usage import Usage, UsagePair

TABLE_SYNTAX = "A line reads, with tabs between: usage usage similarity [lemma]"
AVERAGES_SYNTAX = "A line of the Usim averages reads, with tabs between: sentence index mean lemma-and-number"
COLUMNS = ("first", "second", "similarity", "lemma")

NumberedCells = tuple[int, list[str]]


def read_pairs(path: Source) -> tuple[UsagePair, ...]:
    """Read pairs of usages with their similarities; the first line shows which of the two forms the file has."""
    rows = list(_read_cells(path))
    if not rows:
        raise InputError(f"no pairs in it. {TABLE_SYNTAX}", path=path)
    numbered = _parse_averages(rows, path) if _is_averages_line(rows[0][1]) else _parse_table(rows, path)
    lines: dict[frozenset[str], tuple[int, UsagePair]] = {}
    for number, pair in numbered:
        line, earlier = lines.setdefault(frozenset((pair.first, pair.second)), (number, pair))
        if line != number:
            problem = (
                f"{quote_value(earlier.first)} and {quote_value(earlier.second)} are a pair in line {line} already"
            )
            raise InputError(f"{problem}; give each pair once, e.g. its mean", path=path, line=number)
    return tuple(pair for _, pair in numbered)


def _read_cells(path: Source) -> Iterator[NumberedCells]:
    return ((number, text.split("\t")) for number, text in read_content_lines(path))


def _is_averages_line(cells: list[str]) -> bool:
    return len(cells) == 4 and " " in cells[0] and cells[3].rpartition(" ")[2].isdigit()


def _is_heading(text: str) -> bool:
    """Whether a cell is a word without digits that is not a number, as ``nan`` is."""
    return bool(text) and not _is_number(text) and not any(map(str.isdigit, text))


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _parse_similarity(text: str, path: object, line: int, syntax: str) -> float:
    value = float(text) if _is_number(text) else math.nan
    if not math.isfinite(value):
        raise InputError(f"similarity {text[:80]!r} is not a number. {syntax}", path=path, line=line)
    return value


def _parse_table(rows: list[NumberedCells], path: object) -> list[tuple[int, UsagePair]]:
    pairs = []
    for index, (number, cells) in enumerate(rows):
        if len(cells) not in (3, 4):
            raise InputError(f"{count_noun(len(cells), 'column')}. {TABLE_SYNTAX}", path=path, line=number)
        if index == 0 and _is_heading(cells[2].strip()):
            continue
        first, second = cells[0].strip(), cells[1].strip()
        lemma = cells[3].strip() if len(cells) == 4 else first.rpartition(".")[0] or first
        pairs.append((number, UsagePair(lemma, first, second, _parse_similarity(cells[2], path, number, TABLE_SYNTAX))))
    return pairs


def _parse_averages(rows: list[NumberedCells], path: object) -> list[tuple[int, UsagePair]]:
    if len(rows) % 2:
        raise InputError(f"an odd number of lines, but a pair has two. {AVERAGES_SYNTAX}", path=path, line=rows[-1][0])
    pairs = []
    for (number, first), (_, second) in zip(rows[::2], rows[1::2], strict=True):
        if len(first) != 4 or len(second) != 4 or first[2] != second[2]:
            raise InputError(f"this line and the next are not one pair. {AVERAGES_SYNTAX}", path=path, line=number)
        one, other = (cells[3].strip().replace(" ", ".") for cells in (first, second))
        similarity = _parse_similarity(first[2], path, number, AVERAGES_SYNTAX)
        pairs.append((number, UsagePair(first[3].rpartition(" ")[0], one, other, similarity)))
    return pairs


# -- the usages of the averages file -------------------------------------------------------------------------------


def read_usim_usages(source: Source) -> Iterator[Usage]:
    r"""Yield the usages of a Usim averages file, each once, in the order of their first lines.

    >>> from polyseme.formats.files import Blob
    >>> file = Blob("usim.txt", b"a bright day\t1\t2.5\tbright.a 1\nthe bright boy\t1\t2.5\tbright.a 7\n")
    >>> [(usage.id, usage.start, usage.target) for usage in read_usim_usages(file)]
    [('bright.a.1', 2, 'bright'), ('bright.a.7', 4, 'bright')]
    """
    lines: dict[str, tuple[int, Usage]] = {}
    for number, cells in _read_cells(source):
        usage = _parse_usage(cells, source, number)
        line, earlier = lines.setdefault(usage.id, (number, usage))
        if earlier != usage:
            problem = f"usage {quote_value(usage.id)} has another sentence or target than in line {line}"
            raise InputError(f"{problem}; make them the same", path=source, line=number)
        if line == number:
            yield usage


def _parse_usage(cells: list[str], source: object, line: int) -> Usage:
    name = re.fullmatch(r"\s*(\S+) ([0-9]+)\s*", cells[3]) if len(cells) == 4 else None
    if name is None or not re.fullmatch("[0-9]{1,9}", cells[1]):
        problem = f"{quote_value(cells[-1])} does not end a line of averages"
        raise InputError(f"{problem}. {AVERAGES_SYNTAX}", path=source, line=line)
    words = list(re.finditer("[^ ]+", cells[0]))
    if int(cells[1]) >= len(words):
        problem = f"index {cells[1]}, counted from 0, is beyond the {count_noun(len(words), 'word')} of the sentence"
        raise InputError(f"{problem}. {AVERAGES_SYNTAX}", path=source, line=line)
    word, lemma = words[int(cells[1])], name[1]
    return Usage(f"{lemma}.{name[2]}", lemma, cells[0], word.start(), word.end(), split_lemma(lemma).pos)


# -- writing -------------------------------------------------------------------------------------------------------


def write_pairs(pairs: Iterable[UsagePair], path: str | os.PathLike[str]) -> None:
    """Write a table of pairs, with headings and lemmas."""
    write_text(path, format_pairs(pairs, path))


def format_pairs(pairs: Iterable[UsagePair], path: object = None) -> str:
    """Format a table of pairs, with headings and lemmas; ``path`` is for messages."""
    pairs = list(pairs)
    _check_pairs(pairs, path)
    cells = ((first, second, format_number(value), lemma) for lemma, first, second, value in pairs)
    return format_tsv(COLUMNS, [dict(zip(COLUMNS, row, strict=True)) for row in cells])


def format_pairs_jsonl(pairs: Iterable[UsagePair]) -> str:
    r"""Format pairs as JSON Lines.

    >>> format_pairs_jsonl([UsagePair("bank", "b.1", "b.2", 0.5)])
    '{"first": "b.1", "second": "b.2", "similarity": 0.5, "lemma": "bank"}\n'
    """
    records = ({name: getattr(pair, name) for name in COLUMNS} for pair in pairs)
    return "".join(map(format_record, records))


def _check_pairs(pairs: list[UsagePair], path: object) -> None:
    checked: set[frozenset[str]] = set()
    for pair in pairs:
        names = frozenset((pair.first, pair.second))
        has_bad_name = any(name != name.strip() or not (name or name is pair.lemma) for name in pair[:3])
        problems = {
            "is given twice; give it once": names in checked,
            "has an empty name, or one with white space around it; rename it": has_bad_name,
            f"has the similarity {pair.similarity}, which is not a finite number": not math.isfinite(pair.similarity),
        }
        for problem, holds in problems.items():
            if holds:
                name = f"the pair {quote_value(pair.first)}, {quote_value(pair.second)}"
                raise InputError(f"{name} {problem}", path=path)
        checked.add(names)


def write_usim_averages(pairs: Iterable[UsagePair], usages: Iterable[Usage], path: str | os.PathLike[str]) -> None:
    """Write a Usim averages file: pairs with the sentences of their usages, in which the target is one word."""
    pairs, usages_by_id = list(pairs), {}
    for usage in usages:
        if usage.id in usages_by_id:
            raise InputError(f"two usages are called {quote_value(usage.id)}; rename one", path=path)
        usages_by_id[usage.id] = usage
    _check_pairs(pairs, path)
    lines = []
    for pair in pairs:
        for name in (pair.first, pair.second):
            if name not in usages_by_id:
                raise InputError(f"the usage {quote_value(name)} of a pair is not among the usages given", path=path)
            lines.append(_format_average_line(usages_by_id[name], pair, path))
    write_text(path, "".join(lines))


def _format_average_line(usage: Usage, pair: UsagePair, path: object) -> str:
    number = usage.id.removeprefix(f"{pair.lemma}.")
    index = sum(word.start() < usage.start for word in re.finditer("[^ ]+", usage.text))
    cells = [usage.text, str(index), format_number(pair.similarity), f"{pair.lemma} {number}"]
    line = "\t".join(cells)
    is_same = not re.search("[\n\r\0]|^\ufeff", line) and line.count("\t") == 3 and _is_averages_line(cells)
    try:
        is_same = is_same and _parse_usage(cells, path, 1) == usage
    except InputError:
        is_same = False
    if not is_same:
        raise InputError(
            f"usage {quote_value(usage.id)} cannot be written to a file of averages. Its name must be its lemma and a"
            " number, as 'bright.a.1'. Its text must be several words with single blanks between, without tabs and line"
            " ends. Its target must be one of the words",
            path=path,
        )
    return f"{line}\n"


# -- recognising ---------------------------------------------------------------------------------------------------


def _split_first_lines(start: bytes) -> list[list[str]]:
    lines = start.removeprefix(BOM).decode(errors="replace").split("\n")
    return [line.rstrip("\r").split("\t") for line in lines if line.strip()][:2]


def _recognise_table(start: bytes) -> bool:
    rows = [row for row in _split_first_lines(start) if len(row) in (3, 4)]
    if not rows or _is_averages_line(rows[0]):
        return False
    has_heading = _is_heading(rows[0][2].strip())
    return _is_number(rows[-1][2]) if len(rows) > has_heading else rows[0][2] == "similarity"


FORMATS = (
    FileFormat.for_content(
        "pairs", "usage-pairs", "a table of pairs of usages", _recognise_table, read_pairs, write_pairs, ".tsv"
    ),
    FileFormat(
        "usim-averages",
        "the Usim averages file",
        lambda start: any(_is_averages_line(row) for row in _split_first_lines(start)[:1]),
        readers={"pairs": read_pairs, "usages": read_usim_usages},
    ),
)
