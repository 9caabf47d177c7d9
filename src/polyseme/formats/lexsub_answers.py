"""Answers of systems in lexical substitution (McCarthy & Navigli 2007): substitutes, the best first.

* In a file for *best*, a line reads ``bright.a 1 :: clever;smart``: as many guesses as the system likes.
* In a file for *oot*, out of ten, it reads ``bright.a 1 ::: clever;smart;intelligent``: up to ten.

The usage is called ``bright.a.1``. Answers have no weights, only an order. The guesses of *best* share the credit and
weigh the same; the labelling is ``ordered``, because the first guess is compared with the mode. In *oot*, guess i
weighs 1/i. A substitute that is listed twice counts at its first position. A line without one leaves its usage
unlabelled.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from functools import partial

from polyseme.errors import InputError, quote_value
from polyseme.formats.files import Source, first_text_line, read_content_lines, write_text
from polyseme.formats.lexsub import check_substitutes, has_counts, split_substitutes, usage_number
from polyseme.formats.registry import FileFormat
from polyseme.formats.unique_names import UniqueNames
from polyseme.labelling import Labelling

BEST, OOT = "::", ":::"
"""The marks between a usage and its answers."""

OOT_ANSWERS = 10
"""The number of substitutes that count in *oot*, out of ten."""

_LINE = re.compile(r"([^ \t]+)[ \t]+([0-9]+)[ \t]+(:::?)(?!:)(.*)", re.DOTALL)


def read_lexsub_answers(mark: str, source: Source) -> Labelling:
    """Read the answers of a system, whose lines have the mark :data:`BEST` or :data:`OOT`."""
    return Labelling(_read_answer_rows(mark, source), ordered=mark == BEST)


def _read_answer_rows(mark: str, source: Source) -> Iterator[tuple[str, str, dict[str, float]]]:
    usages = UniqueNames("usage", source)
    for number, text in read_content_lines(source):
        row = _LINE.fullmatch(text)
        if row is None or row[3] != mark or "" in split_substitutes(row[4]):
            syntax = f"A line of answers reads: lemma number {mark} substitute;substitute"
            problem = f"{quote_value(text)} is not a line of answers"
            raise InputError(f"{problem}. {syntax}", path=source, line=number)
        usage = f"{row[1]}.{row[2]}"
        usages.add(usage, number)
        ranks = {word: rank for rank, word in enumerate(dict.fromkeys(split_substitutes(row[4])), start=1)}
        yield row[1], usage, {word: 1.0 if mark == BEST else 1 / rank for word, rank in ranks.items()}


def write_lexsub_answers(mark: str, labelling: Labelling, path: str | os.PathLike[str]) -> None:
    """Write substitutes, the heaviest first: all for *best*, the first ten for *oot*. Weights are lost."""
    limit = OOT_ANSWERS if mark == OOT else None
    lines = []
    for lemma, usage, weights in labelling.heaviest_first().rows():
        number = usage_number(lemma, usage, path)
        check_substitutes(lemma, weights, path)
        lines.append(f"{lemma} {number} {mark} {';'.join(list(weights)[:limit])}\n")
    write_text(path, "".join(lines))


def _recognise(mark: str, start: bytes) -> bool:
    row = _LINE.fullmatch(first_text_line(start))
    return row is not None and row[3] == mark and not has_counts(start)


FORMATS = tuple(
    FileFormat.for_content(
        "labelling",
        f"lexsub-{name}",
        f"LexSub answers for {name}",
        partial(_recognise, mark),
        partial(read_lexsub_answers, mark),
        partial(write_lexsub_answers, mark),
        f".{name}",
    )
    for name, mark in (("best", BEST), ("oot", OOT))
)
