"""What systems answer in lexical substitution (McCarthy & Navigli 2007): substitutes, the best first.

* In a file for *best*, a line reads ``bright.a 1 :: clever;smart``: as many guesses as the system likes.
* In a file for *oot*, out of ten, it reads ``bright.a 1 ::: clever;smart;intelligent``: up to ten.

The usage is called ``bright.a.1``. Answers have no weights, only an order. The guesses of *best* share the credit and
weigh the same; the labelling is ``ordered``, as the first one is compared with the mode. Of *oot*, the i-th weighs 1/i.
A substitute that is listed twice counts where it is first. A line without one leaves its usage unlabelled.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from functools import partial

from polyseme.errors import InputError, quote_value
from polyseme.formats.files import Source, read_lines, write_text
from polyseme.formats.lexsub import check_substitutes, first_text_line, has_counts, split_substitutes, usage_number
from polyseme.formats.registry import FileFormat
from polyseme.formats.unique_names import UniqueNames
from polyseme.labelling import Labelling

BEST, OOT = "::", ":::"
"""What stands between a usage and its answers."""

OOT_ANSWERS = 10
"""How many substitutes count in *oot*, out of ten."""

_LINE = re.compile(r"([^ \t]+)[ \t]+([0-9]+)[ \t]+(:::?)(?!:)(.*)", re.DOTALL)


def read_lexsub_answers(mark: str, source: Source) -> Labelling:
    """Read the answers of a system, whose lines have this mark, :data:`BEST` or :data:`OOT`."""
    return Labelling(_read_answer_rows(mark, source), ordered=mark == BEST)


def _read_answer_rows(mark: str, source: Source) -> Iterator[tuple[str, str, dict[str, float]]]:
    seen = UniqueNames("usage", source)
    for number, text in read_lines(source):
        if not text.strip():
            continue
        row = _LINE.fullmatch(text)
        if row is None or row[3] != mark or "" in split_substitutes(row[4]):
            allowed = f"A line of answers reads: lemma number {mark} substitute;substitute"
            raise InputError(f"{quote_value(text)} is no line of answers. {allowed}", path=source, line=number)
        usage = f"{row[1]}.{row[2]}"
        seen.add(usage, number)
        substitutes = dict.fromkeys(split_substitutes(row[4]))
        yield (
            row[1],
            usage,
            {name: 1.0 if mark == BEST else 1 / place for place, name in enumerate(substitutes, start=1)},
        )


def write_lexsub_answers(mark: str, labelling: Labelling, path: str | os.PathLike[str]) -> None:
    """Write substitutes, the heaviest first: all of them for *best*, the first ten for *oot*. Weights are lost."""
    most = OOT_ANSWERS if mark == OOT else None
    write_text(path, "".join(_format_line(mark, *row, most, path) for row in labelling.heaviest_first().rows()))


def _format_line(mark: str, lemma: str, usage: str, weights: dict[str, float], most: int | None, path: object) -> str:
    number = usage_number(lemma, usage, path)
    check_substitutes(lemma, weights, path)
    heaviest = list(weights)[:most]
    return f"{lemma} {number} {mark} {';'.join(heaviest)}\n"


def _recognise(mark: str, start: bytes) -> bool:
    row = _LINE.fullmatch(first_text_line(start))
    return row is not None and row[3] == mark and not has_counts(start)


FORMATS = tuple(
    FileFormat(
        f"lexsub-{name}",
        f"LexSub answers for {name}",
        partial(_recognise, mark),
        readers={"labelling": partial(read_lexsub_answers, mark)},
        writers={"labelling": partial(write_lexsub_answers, mark)},
        suffixes=(f".{name}",),
    )
    for name, mark in (("best", BEST), ("oot", OOT))
)
