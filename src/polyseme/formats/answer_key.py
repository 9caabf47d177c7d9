"""Senseval answer keys: ``lemma.pos usage-id sense/weight sense/weight …``, ``!!`` starts a comment.

Scorers read the same line in different ways, so a key is read under a *loading rule*:

======================  ================================================================================
``as-written``          weights as written; an unweighted sense weighs 1
``semeval-2013``        weights divided by the usage's largest; all 1 where a weight is missing or a sense repeated
``senseval``            probabilities: divided by their sum where that is above 1; uniform where one is missing
======================  ================================================================================

SemEval-2010 Task 14 reads ``as-written``; its unsupervised measures then use the first sense only.

ASCII white space separates words, so a name may hold any other character. A label is split at its last slash, so the
name of a sense may hold slashes if a weight follows.
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

from polyseme.arrays import Bools, Floats
from polyseme.errors import InputError, quote_value
from polyseme.formats.files import BOM, Source, decode_utf8, read_bytes, warn_about_lines, write_text
from polyseme.formats.registry import FileFormat
from polyseme.formats.tables import format_number
from polyseme.labelling import Labelling

LINE_SYNTAX = "A key line reads: lemma usage sense/weight sense/weight …"
_WEIGHTED = re.compile(rb".+/[0-9.]+(e-?[0-9]+)?")
_UNWRITABLE = re.compile(r"[ \t\n\r\v\f\0\ud800-\udfff]|!!|^\ufeff|^$")

# -- loading rules -------------------------------------------------------------------------------------------------

LoadingRule = Callable[[Labelling, Bools, Bools], Labelling]
"""A function of the key as written and, for each usage, whether a weight is missing and whether a sense is repeated."""


def keep_weights(written: Labelling, _unweighted: Bools, _repeated: Bools) -> Labelling:
    """Keep the weights as written, 1 where none is given; the weights of a repeated sense are added.

    >>> parse_key(b"win.v win.v.1 a/2 b a/3", "as-written")["win.v.1"]
    {'a': 5.0, 'b': 1.0}
    """
    return written


def divide_by_maximum(written: Labelling, unweighted: Bools, repeated: Bools) -> Labelling:
    """Divide by the largest weight, or set all to 1 if a weight is missing or a sense repeated (SemEval-2013 Task 13).

    >>> parse_key(b"win.v win.v.1 a/2 b/4", "semeval-2013")["win.v.1"]
    {'a': 0.5, 'b': 1.0}
    >>> parse_key(b"win.v win.v.1 a b/4", "semeval-2013")["win.v.1"]
    {'a': 1.0, 'b': 1.0}
    """
    all_one = (unweighted | repeated)[written.entry_rows]
    return written.with_weights(np.where(all_one, 1.0, written.normalise("max").weights))


def convert_to_probabilities(written: Labelling, unweighted: Bools, _repeated: Bools) -> Labelling:
    """Divide weights that sum to more than 1 by their sum; uniform if one is missing (Senseval, Melamed & Resnik).

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
    """Read an answer key, plain or compressed (gzip, bzip2, xz, zstandard), under a loading rule.

    Line ends of any system, byte order marks, tabs, repeated spaces, blank lines and comments are accepted. A line
    without a sense (the usage is unlabelled) and a repeated usage (the last line counts) give an
    :class:`~polyseme.errors.InputWarning`. Any other fault is an :class:`~polyseme.errors.InputError` with its line.

    Args:
        path: The key.
        rule: ``as-written``, ``semeval-2013`` or ``senseval``.
    """
    return load_key(path, rule).labelling


def parse_key(data: bytes, rule: str = "as-written", path: object = "key") -> Labelling:
    """Parse a key from the content of a file.

    >>> parse_key(b"win.v win.v.1 a/3 b/4 !! two senses", "semeval-2013")["win.v.1"]
    {'a': 0.75, 'b': 1.0}
    """
    return parse_loaded_key(data, rule, path).labelling


class LoadedLabelling(NamedTuple):
    """A labelling, and the lemma and usage of each line of its key that names no sense."""

    labelling: Labelling
    unlabelled: tuple[tuple[str, str], ...] = ()


def load_key(path: Source, rule: str = "as-written") -> LoadedLabelling:
    """Read a key as :func:`read_key` does, and the lines without a sense, which some figures count."""
    return parse_loaded_key(read_bytes(path), rule, path)


def parse_loaded_key(data: bytes, rule: str = "as-written", path: object = "key") -> LoadedLabelling:
    """Parse a key as :func:`parse_key` does, and the lines without a sense."""
    if rule not in LOADING_RULES:
        raise InputError(f"there is no loading rule {quote_value(rule)}; allowed are {', '.join(LOADING_RULES)}")
    lines = _split_columns(data, path)
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
    label_weights = np.fromiter(map(weights.__getitem__, lines.labels), np.float64, len(lines.labels))
    label_senses = [senses[label] for label in lines.labels]
    return LoadedLabelling(_apply_rule(lines, label_senses, label_weights, LOADING_RULES[rule], path), unlabelled)


class _KeyColumns(NamedTuple):
    """The lines of a key as columns, for speed: the labels of all lines are in one list."""

    numbers: list[int]
    lemmas: list[bytes]
    usages: list[bytes]
    sizes: list[int]
    labels: list[bytes]


def _split_columns(data: bytes, path: object) -> _KeyColumns:
    columns = numbers, lemmas, usages, sizes, labels = _KeyColumns([], [], [], [], [])
    for number, words in _split_lines(data, path):
        numbers.append(number)
        lemmas.append(words[0])
        usages.append(words[1])
        sizes.append(len(words) - 2)
        labels += words[2:]
    return columns


def _select_rows(columns: _KeyColumns, rows: list[int]) -> _KeyColumns:
    ends = list(accumulate(columns.sizes, initial=0))
    return _KeyColumns(
        [columns.numbers[row] for row in rows],
        [columns.lemmas[row] for row in rows],
        [columns.usages[row] for row in rows],
        [columns.sizes[row] for row in rows],
        [label for row in rows for label in columns.labels[ends[row] : ends[row + 1]]],
    )


def _split_lines(data: bytes, path: object) -> Iterator[tuple[int, list[bytes]]]:
    """Yield the number and the words of each line that is not blank; it has at least two words."""
    decode_utf8(data, path, expected=f"an answer key ({LINE_SYNTAX[0].lower()}{LINE_SYNTAX[1:]})")
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
    """Return the sense and the weight of each distinct label."""
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
    """Return the sense and its weight, NaN if there is none."""
    sense, slash, text = label.rpartition(b"/")
    if not slash:
        return label.decode(), math.nan
    try:
        weight = float(text)
    except ValueError:
        weight = math.nan
    if sense and 0 <= weight < math.inf and b"_" not in text:
        return sense.decode(), weight + 0.0  # turns -0 into 0
    raise ValueError(_describe_label_problem(sense, text, weight))


def _describe_label_problem(sense: bytes, text: bytes, weight: float) -> str:
    if not sense:
        return f"{quote_value(f'/{text.decode()}')} has a weight but no sense"
    problem = "is not a number" if math.isnan(weight) or b"_" in text else "is negative or infinite"
    return f"weight {quote_value(text.decode())} of sense {quote_value(sense.decode())} {problem}"


def _drop_repeated_usages(lines: _KeyColumns, path: object) -> _KeyColumns:
    """Keep the last line of each usage at the position of the first; a warning names the replaced lines."""
    last = dict(zip(lines.usages, range(len(lines.usages)), strict=True))
    if len(last) == len(lines.usages):
        return lines
    first: dict[bytes, int] = {}
    for row, usage in enumerate(lines.usages):
        earlier = first.setdefault(usage, row)
        if lines.lemmas[row] != lines.lemmas[earlier]:
            lemma, other = (quote_value(lines.lemmas[index].decode()) for index in (row, earlier))
            problem = f"usage {quote_value(usage.decode())} belongs to {lemma} here and to {other} in line"
            advice = f"{lines.numbers[earlier]}; a usage has one lemma"
            raise InputError(f"{problem} {advice}", path=path, line=lines.numbers[row])
    warn_about_lines(
        path,
        [number for row, number in enumerate(lines.numbers) if last[lines.usages[row]] != row],
        "was replaced by a later line for the same usage",
        "were replaced by a later line for the same usage",
    )
    return _select_rows(lines, list(last.values()))


def _apply_rule(lines: _KeyColumns, senses: list[str], weights: Floats, rule: LoadingRule, path: object) -> Labelling:
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
    r"""Format a labelling as an answer key, heaviest sense first, with every digit of the weights.

    Senses of equal weight keep their order, and so do all senses of a labelling that was read from a key.

    Raises:
        polyseme.errors.InputError: A name is empty, contains ASCII white space, a zero byte, ``!!`` or half a surrogate
            pair, or begins with a byte order mark.

    >>> format_key(Labelling.from_dict({"win.v.1": {"a": 0.1, "b": 1}}, lemma="win.v"))
    'win.v win.v.1 b/1 a/0.1\n'
    """
    for names in (labelling.lemmas, labelling.usages, {sense for _, sense in labelling.columns}):
        check_key_names(names)
    lines = []
    for lemma, usage, senses in labelling.heaviest_first().rows():
        labels = " ".join([f"{sense}/{format_number(weight)}" for sense, weight in senses.items()])
        lines.append(f"{lemma} {usage} {labels}\n")
    return "".join(lines)


def check_key_names(names: Iterable[str]) -> None:
    """Raise an error if a name cannot be written to an answer key; see :func:`format_key`."""
    for name in names:
        if _UNWRITABLE.search(name):
            problem = f"the name {quote_value(name)} cannot stand in an answer key"
            reason = "where white space and '!!' have a meaning"
            raise InputError(f"{problem}, {reason}; rename it, or write JSON Lines or Parquet")


def write_key(labelling: Labelling, path: str | os.PathLike[str]) -> None:
    """Write an answer key, compressed as the suffix says (``.gz``, ``.bz2``, ``.xz``, ``.zst``)."""
    write_text(path, format_key(labelling))


# -- recognising ---------------------------------------------------------------------------------------------------


def _recognise(start: bytes) -> bool:
    """Whether the first line with a sense is clearly one of a key; other files may still be read as keys."""
    for line in start.removeprefix(BOM).splitlines():
        words = line.partition(b"!!")[0].split()
        if len(words) > 1 and (b"%" in words[1] or b"::" in words[0]):
            return False
        if len(words) > 2:
            return not words[2].startswith(b"::") and _is_key_line(line, words)
    return False


def _is_key_line(line: bytes, words: list[bytes]) -> bool:
    """Whether the usage is called after the lemma or has a number, or a sense is weighted; and it is not a table."""
    if (b"\t" in line and b" " in line) or words[0][:1] in b'<{[#"' or words[0].isdigit():
        return False
    cells = line.split(b"\t")
    if len(cells) in (3, 4) and re.fullmatch(rb"\s*[-+]?[0-9.]+\s*", cells[2]):
        return False
    has_lemma_name = words[1].startswith(words[0].rpartition(b".")[0] or words[0])
    has_number = b"\t" not in line and any(48 <= byte < 58 for byte in words[1])
    return has_lemma_name or has_number or any(map(_WEIGHTED.fullmatch, words[2:]))


FORMAT = FileFormat.for_content(
    "labelling", "answer-key", "an answer key", _recognise, read_key, write_key, ".key", ".txt", ""
)
