"""Senseval answer keys: ``lemma.pos usage-id sense/weight sense/weight …``, ``!!`` starts a comment.

The scorers of the field read the same line in different ways, so a key is read under a *loading rule*:

======================  ================================================================================
``as-written``          weights as they stand; an unweighted sense weighs 1
``semeval-2013``        weights divided by the usage's largest; all 1 where a weight is missing or a sense repeated
``senseval``            probabilities: divided by their sum where that is above 1; uniform where one is missing
======================  ================================================================================

SemEval-2010 Task 14 reads ``as-written``; its unsupervised measures then look at the first sense only.

Words are separated by ASCII white space only, so a name may hold any other character. A label is cut at its last
slash, so the name of a sense may hold slashes if a weight follows.
"""

from __future__ import annotations

import math
import os
import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from itertools import accumulate, pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from polyseme.errors import InputError, quote_value
from polyseme.formats.files import BOM, Source, decode_utf8, read_bytes, warn_about_lines, write_text
from polyseme.formats.registry import FileFormat
from polyseme.labelling import Labelling

LINE_SYNTAX = "A key line reads: lemma usage sense/weight sense/weight …"
_INFINITY = math.inf
_WEIGHTED = re.compile(rb".+/[0-9.]+(e-?[0-9]+)?")
_UNWRITABLE = re.compile(r"[ \t\n\r\v\f\0\ud800-\udfff]|!!|^\ufeff|^$")

Flags = NDArray[np.bool_]


class KeyLine(NamedTuple):
    """One line of a key: the senses as listed, repetitions included; a weight is ``None`` where none is given."""

    number: int
    lemma: str
    usage: str
    senses: tuple[str, ...]
    weights: tuple[float | None, ...]


# -- loading rules -------------------------------------------------------------------------------------------------

LoadingRule = Callable[[Labelling, Flags, Flags], Labelling]
"""From the key as written, and for each usage whether a weight was missing and whether a sense was repeated."""


def keep_weights(written: Labelling, _unweighted: Flags, _repeated: Flags) -> Labelling:
    """Weights as they stand, 1 where none is given; a repeated sense has its weights added.

    >>> parse_key(b"win.v win.v.1 a/2 b a/3", "as-written")["win.v.1"]
    {'a': 5.0, 'b': 1.0}
    """
    return written


def divide_by_maximum(written: Labelling, unweighted: Flags, repeated: Flags) -> Labelling:
    """SemEval-2013 Task 13: divided by the largest; all 1 if a weight is missing or a sense repeated.

    >>> parse_key(b"win.v win.v.1 a/2 b/4", "semeval-2013")["win.v.1"]
    {'a': 0.5, 'b': 1.0}
    >>> parse_key(b"win.v win.v.1 a b/4", "semeval-2013")["win.v.1"]
    {'a': 1.0, 'b': 1.0}
    """
    all_one = (unweighted | repeated)[written.entry_rows]
    return written.with_weights(np.where(all_one, 1.0, written.normalise("max").weights))


def convert_to_probabilities(written: Labelling, unweighted: Flags, _repeated: Flags) -> Labelling:
    """Senseval (Melamed & Resnik): kept if they sum to at most 1, else divided by the sum; uniform if one is missing.

    >>> parse_key(b"win.v win.v.1 a/0.3 b/0.5", "senseval")["win.v.1"]
    {'a': 0.3, 'b': 0.5}
    >>> parse_key(b"win.v win.v.1 a b/0.5", "senseval")["win.v.1"]
    {'a': 0.5, 'b': 0.5}
    """
    level = written.with_weights(np.where(unweighted[written.entry_rows], 1.0, written.weights))
    weights = np.minimum(level.weights, 2.0).tolist()  # enough to see whether a sum exceeds 1, and cannot overflow
    above = [math.fsum(weights[start:end]) > 1 for start, end in pairwise(level.indptr.tolist())]
    divided = np.repeat(np.array(above, np.bool_), level.sizes)
    return level.with_weights(np.where(divided, level.normalise("sum").weights, level.weights))


LOADING_RULES: dict[str, LoadingRule] = {
    "as-written": keep_weights,
    "semeval-2013": divide_by_maximum,
    "senseval": convert_to_probabilities,
}

# -- reading -------------------------------------------------------------------------------------------------------


def read_key(path: Source, rule: str = "as-written") -> Labelling:
    """Read an answer key, plain or compressed (gzip, bzip2, xz, zstandard), under one of the loading rules.

    Tolerated: line ends of any system, byte order marks, tabs and runs of spaces, blank lines and comments. Tolerated
    with an :class:`~polyseme.errors.InputWarning`: a line without a sense (the usage is unlabelled) and a usage given
    twice (the last line wins). Anything else is an :class:`~polyseme.errors.InputError` with file and line.
    """
    return load_key(path, rule).labelling


def parse_key(data: bytes, rule: str = "as-written", path: object = "key") -> Labelling:
    """The same for a key already in memory.

    >>> parse_key(b"win.v win.v.1 a/3 b/4 !! two senses", "semeval-2013")["win.v.1"]
    {'a': 0.75, 'b': 1.0}
    """
    return parse_loaded_key(data, rule, path).labelling


class LoadedLabelling(NamedTuple):
    """A labelling as it was read, and the lemma and usage of each line that names no sense."""

    labelling: Labelling
    unlabelled: tuple[tuple[str, str], ...] = ()


def load_key(path: Source, rule: str = "as-written") -> LoadedLabelling:
    """As :func:`read_key`, and also the lines without a sense, which some figures count."""
    return parse_loaded_key(read_bytes(path), rule, path)


def parse_loaded_key(data: bytes, rule: str = "as-written", path: object = "key") -> LoadedLabelling:
    """The same for a key already in memory."""
    if rule not in LOADING_RULES:
        raise InputError(f"there is no loading rule {quote_value(rule)}; allowed are {', '.join(LOADING_RULES)}")
    lines = _KeyColumns.of(data, path)
    senses, weights = _parse_labels(lines, path)
    lines = _drop_repeated_usages(lines, path)
    empty = [row for row, size in enumerate(lines.sizes) if not size]
    unlabelled = tuple((lines.lemmas[row].decode(), lines.usages[row].decode()) for row in empty)
    warn_about_lines(
        path,
        [lines.numbers[row] for row in empty],
        "names no sense; its usage counts as unlabelled",
        "name no sense; their usages count as unlabelled",
    )
    given = np.fromiter(map(weights.__getitem__, lines.labels), np.float64, len(lines.labels))
    labelling = _apply_rule(lines, [senses[label] for label in lines.labels], given, LOADING_RULES[rule], path)
    return LoadedLabelling(labelling, unlabelled)


def iterate_key_lines(data: bytes, path: object = "key") -> Iterator[KeyLine]:
    """The lines of a key one by one, checked; blank lines and comments are passed over.

    >>> next(iterate_key_lines(b"win.v win.v.1 a/3 b"))
    KeyLine(number=1, lemma='win.v', usage='win.v.1', senses=('a', 'b'), weights=(3.0, None))
    """
    for number, (lemma, usage, *labels) in _split_lines(data, path):
        try:
            pairs = [_parse_label(label) for label in labels]
        except ValueError as error:
            raise InputError(f"{error}. {LINE_SYNTAX}", path=path, line=number) from None
        senses = tuple(sense for sense, _ in pairs)
        weights = tuple(None if math.isnan(weight) else weight for _, weight in pairs)
        yield KeyLine(number, lemma.decode(), usage.decode(), senses, weights)


class _KeyColumns(NamedTuple):
    """The lines of a key column by column, as fast as Python can: the labels of all lines stand in one list."""

    numbers: list[int]
    lemmas: list[bytes]
    usages: list[bytes]
    sizes: list[int]
    labels: list[bytes]

    @classmethod
    def of(cls, data: bytes, path: object) -> _KeyColumns:
        lines = numbers, lemmas, usages, sizes, labels = cls([], [], [], [], [])
        for number, words in _split_lines(data, path):
            numbers.append(number)
            lemmas.append(words[0])
            usages.append(words[1])
            sizes.append(len(words) - 2)
            labels += words[2:]
        return lines

    def take(self, rows: list[int]) -> _KeyColumns:
        ends = list(accumulate(self.sizes, initial=0))
        return _KeyColumns(
            [self.numbers[row] for row in rows],
            [self.lemmas[row] for row in rows],
            [self.usages[row] for row in rows],
            [self.sizes[row] for row in rows],
            [label for row in rows for label in self.labels[ends[row] : ends[row + 1]]],
        )


def _split_lines(data: bytes, path: object) -> Iterator[tuple[int, list[bytes]]]:
    """The words of each line that has any, at least two, with the line's number."""
    decode_utf8(data, path)
    if b"\r" in data:
        data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    data = data.removeprefix(BOM).replace(b"\n" + BOM, b"\n")
    comments = b"!!" in data
    for number, line in enumerate(data.split(b"\n"), start=1):
        words = (line.partition(b"!!")[0] if comments else line).split()
        if len(words) > 1:
            yield number, words
        elif words:
            raise InputError(f"only one word, {quote_value(words[0].decode())}. {LINE_SYNTAX}", path=path, line=number)


def _parse_labels(lines: _KeyColumns, path: object) -> tuple[dict[bytes, str], dict[bytes, float]]:
    """The sense and the weight that each label stands for; equal labels are looked at once."""
    senses: dict[bytes, str] = {}
    weights: dict[bytes, float] = {}
    for label in dict.fromkeys(lines.labels):
        try:
            senses[label], weights[label] = _parse_label(label)
        except ValueError as error:
            row = bisect_right(list(accumulate(lines.sizes)), lines.labels.index(label))
            raise InputError(f"{error}. {LINE_SYNTAX}", path=path, line=lines.numbers[row]) from None
    return senses, weights


def _parse_label(label: bytes) -> tuple[str, float]:
    """The sense and its weight, NaN where none is given."""
    sense, slash, text = label.rpartition(b"/")
    if not slash:
        return label.decode(), math.nan
    try:
        weight = float(text)
    except ValueError:
        weight = math.nan
    if sense and 0 <= weight < _INFINITY and b"_" not in text:
        return sense.decode(), weight + 0.0  # makes 0 of -0
    raise ValueError(_describe_label_problem(sense, text, weight))


def _describe_label_problem(sense: bytes, text: bytes, weight: float) -> str:
    if not sense:
        return f"{quote_value(f'/{text.decode()}')} has a weight but no sense"
    problem = "is not a number" if math.isnan(weight) or b"_" in text else "is negative or infinite"
    return f"weight {quote_value(text.decode())} of sense {quote_value(sense.decode())} {problem}"


def _drop_repeated_usages(lines: _KeyColumns, path: object) -> _KeyColumns:
    """One line a usage, the last, in the place of the first; a warning names the lines that were replaced."""
    last = dict(zip(lines.usages, range(len(lines.usages)), strict=True))
    if len(last) == len(lines.usages):
        return lines
    first: dict[bytes, int] = {}
    for row, usage in enumerate(lines.usages):
        before = first.setdefault(usage, row)
        if lines.lemmas[row] != lines.lemmas[before]:
            here, there = quote_value(lines.lemmas[row].decode()), quote_value(lines.lemmas[before].decode())
            problem = f"usage {quote_value(usage.decode())} belongs to {here} here and to {there} in line"
            raise InputError(
                f"{problem} {lines.numbers[before]}; a usage has one lemma", path=path, line=lines.numbers[row]
            )
    warn_about_lines(
        path,
        [number for row, number in enumerate(lines.numbers) if last[lines.usages[row]] != row],
        "was replaced by a later line for the same usage",
        "were replaced by a later line for the same usage",
    )
    return lines.take(list(last.values()))


def _apply_rule(
    lines: _KeyColumns, senses: list[str], weights: NDArray[np.float64], rule: LoadingRule, path: object
) -> Labelling:
    listed = np.array(lines.sizes, np.intp)
    lemmas = {lemma: lemma.decode() for lemma in dict.fromkeys(lines.lemmas)}
    try:
        written = Labelling.from_arrays(
            [usage.decode() for usage in lines.usages],
            [lemmas[lemma] for lemma in lines.lemmas],
            listed,
            senses,
            np.where(np.isnan(weights), 1.0, weights),
            ordered=True,
        )
    except ValueError as error:  # too large for a number: everything else has been checked
        raise InputError(f"{error}: the weights of a sense listed twice are added", path=path) from None
    listed = listed[listed > 0]
    unweighted = np.zeros(len(listed), np.bool_)
    unweighted[np.repeat(np.arange(len(listed)), listed)[np.isnan(weights)]] = True
    return rule(written, unweighted, written.sizes < listed)


# -- writing -------------------------------------------------------------------------------------------------------


def format_key(labelling: Labelling) -> str:
    r"""A labelling as the text of an answer key, heaviest sense first; every digit of the weights is kept.

    Senses of equal weight keep their order. A labelling that was read from a key keeps that key's order.

    A name with ASCII white space, a zero byte or ``!!`` in it, half a surrogate pair, a byte order mark in front, or
    nothing in it cannot be written to a key; all others can.

    >>> format_key(Labelling.from_dict({"win.v.1": {"a": 0.1, "b": 1}}, lemma="win.v"))
    'win.v win.v.1 b/1 a/0.1\n'
    """
    for names in (labelling.lemmas, labelling.usages, {sense for _, sense in labelling.columns}):
        check_key_names(names)
    lines = []
    for lemma, usage, senses in labelling.heaviest_first().rows():
        labels = " ".join([f"{sense}/{_format_weight(weight)}" for sense, weight in senses.items()])
        lines.append(f"{lemma} {usage} {labels}\n")
    return "".join(lines)


def check_key_names(names: Iterable[str]) -> None:
    """An error if a name cannot be written to an answer key; see :func:`format_key`."""
    for name in names:
        if _UNWRITABLE.search(name):
            raise InputError(
                f"the name {quote_value(name)} cannot stand in an answer key, where white space and '!!' have a meaning;"
                " rename it, or write JSON Lines or Parquet"
            )


def _format_weight(weight: float) -> str:
    return str(int(weight)) if weight.is_integer() and weight < 1e15 else repr(weight)


def write_key(labelling: Labelling, path: str | os.PathLike[str]) -> None:
    """Write an answer key, compressed as the suffix says (``.gz``, ``.bz2``, ``.xz``, ``.zst``)."""
    write_text(path, format_key(labelling))


# -- recognising ---------------------------------------------------------------------------------------------------


def _recognise(start: bytes) -> bool:
    """Whether the first line with a sense is clearly one of a key; other files may be read as one all the same."""
    for line in start.removeprefix(BOM).splitlines():
        words = line.partition(b"!!")[0].split()
        if len(words) > 1 and (b"%" in words[1] or b"::" in words[0]):
            return False
        if len(words) > 2:
            return not words[2].startswith(b"::") and _is_key_line(line, words)
    return False


def _is_key_line(line: bytes, words: list[bytes]) -> bool:
    """Whether the usage is called after the lemma or has a number, or a sense is weighted; and it is no table."""
    if (b"\t" in line and b" " in line) or words[0][:1] in b'<{[#"' or words[0].isdigit():
        return False
    cells = line.split(b"\t")
    if len(cells) in (3, 4) and re.fullmatch(rb"\s*[-+]?[0-9.]+\s*", cells[2]):
        return False
    called = words[1].startswith(words[0].rpartition(b".")[0] or words[0])
    return (
        called
        or any(map(_WEIGHTED.fullmatch, words[2:]))
        or (b"\t" not in line and any(48 <= byte < 58 for byte in words[1]))
    )


FORMAT = FileFormat(
    "answer-key",
    "an answer key",
    _recognise,
    readers={"labelling": read_key},
    writers={"labelling": write_key},
    suffixes=(".key", ".txt", ""),
)
