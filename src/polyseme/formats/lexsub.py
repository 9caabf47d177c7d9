"""Lexical substitution (McCarthy & Navigli 2007): the gold file of counted substitutes, and the candidates file.

:mod:`polyseme.formats.lexsub_answers` has the answers of systems.

* A gold line reads ``bright.a 1 :: clever 3;quick on the uptake 1;``: the lemma, the number of the sentence, and each
  substitute with the number of annotators who gave it. The usage is called ``bright.a.1``. A line without a substitute
  leaves its usage unlabelled.
* A candidates line reads ``bright.a::clever;quick on the uptake``: a lemma and all its substitutes.

White space around a substitute and repeated blanks inside are ignored. The counts of substitutes that differ only in
white space are added.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator

from polyseme.errors import InputError, quote_value
from polyseme.formats.files import BOM, Source, first_text_line, read_content_lines, write_text
from polyseme.formats.registry import FileFormat
from polyseme.formats.unique_names import UniqueNames
from polyseme.inventory import Inventory, Sense
from polyseme.labelling import Labelling

GOLD_SYNTAX = "A gold line reads: lemma number :: substitute count;substitute count;"
CANDIDATES_SYNTAX = "A line of candidates reads: lemma::substitute;substitute"

_GOLD_LINE = re.compile(r"([^ \t]+)[ \t]+([0-9]+)[ \t]+::(?!:)(.*)", re.DOTALL)
_COUNTED = re.compile("(.+) ([0-9]{1,15})", re.DOTALL)
_CANDIDATES_LINE = re.compile(r"([^\s:]+)::(.*)", re.DOTALL)
_LEMMA = re.compile(r"(?!\ufeff)[^\s:\0]+")
_SUBSTITUTE = re.compile(r"(?! )(?!.* $)(?!.*  )[^;\t\n\r\0]+")


def read_lexsub_gold(source: Source) -> Labelling:
    """Read a gold file: usages with their substitutes, weighted by the number of annotators who gave them."""
    return Labelling(_read_gold_rows(source))


def _read_gold_rows(source: Source) -> Iterator[tuple[str, str, dict[str, float]]]:
    usages = UniqueNames("usage", source)
    for number, text in read_content_lines(source):
        match = _GOLD_LINE.fullmatch(text)
        if match is None:
            problem = f"{quote_value(text)} is not a line of substitutes"
            raise InputError(f"{problem}. {GOLD_SYNTAX}", path=source, line=number)
        usage = f"{match[1]}.{match[2]}"
        usages.add(usage, number)
        counts: dict[str, float] = {}
        for item in split_substitutes(match[3]):
            counted = _COUNTED.fullmatch(item)
            if counted is None:
                problem = f"{quote_value(item)} is not a substitute with its count"
                raise InputError(f"{problem}. {GOLD_SYNTAX}", path=source, line=number)
            counts[counted[1]] = counts.get(counted[1], 0) + int(counted[2])
        yield match[1], usage, counts


def split_substitutes(text: str) -> list[str]:
    """Split at semicolons, the last of which is optional, and collapse white space."""
    items = text.strip(" \t").removesuffix(";").split(";") if text.strip(" \t") else []
    return [re.sub("[ \t]+", " ", item).strip(" ") for item in items]


def write_lexsub_gold(labelling: Labelling, path: str | os.PathLike[str]) -> None:
    """Write a gold file; usages must be called after their lemmas and numbers, and weights must be counts."""
    write_text(path, "".join(_format_gold_line(*row, path) for row in labelling.rows()))


def _format_gold_line(lemma: str, usage: str, counts: dict[str, float], path: object) -> str:
    number = usage_number(lemma, usage, path)
    if wrong := [count for count in counts.values() if not (float(count).is_integer() and count < 1e15)]:
        problem = (
            f"usage {quote_value(usage)} has a substitute with the weight {wrong[0]}; gold files hold whole counts"
        )
        raise InputError(f"{problem}; write JSON Lines", path=path)
    check_substitutes(lemma, counts, path)
    return f"{lemma} {number} :: " + "".join(f"{word} {int(count)};" for word, count in counts.items()) + "\n"


def usage_number(lemma: str, usage: str, path: object) -> str:
    """Return the number of a usage that is called after its lemma and a number, as ``bright.a.1``."""
    number = usage.removeprefix(f"{lemma}.")
    if not re.fullmatch("[0-9]+", number) or usage == number:
        problem = f"the usage {quote_value(usage)} of {quote_value(lemma)} is not called after its lemma and a number"
        raise InputError(f"{problem}, as 'bright.a.1' is; rename it, or write JSON Lines", path=path)
    return number


def check_substitutes(lemma: str, substitutes: Iterable[str], path: object) -> None:
    """Raise an error if a lemma or a substitute has characters with a meaning in the files."""
    wrong = [name for name in substitutes if not _SUBSTITUTE.fullmatch(name)]
    if wrong or not _LEMMA.fullmatch(lemma):
        name = f"the substitute {quote_value(wrong[0])}" if wrong else f"the lemma {quote_value(lemma)}"
        problem = f"{name} cannot stand in a file of substitutes, where white space, ';' and ':' have a meaning"
        raise InputError(f"{problem}; rename it, or write JSON Lines", path=path)


def read_lexsub_candidates(source: Source) -> Inventory:
    """Read a candidates file: the substitutes of each lemma as its senses."""
    return Inventory(_read_candidate_senses(source))


def _read_candidate_senses(source: Source) -> Iterator[Sense]:
    lemmas = UniqueNames("lemma", source)
    for number, text in read_content_lines(source):
        match = _CANDIDATES_LINE.fullmatch(text)
        if match is None or "" in split_substitutes(match[2]):
            problem = f"{quote_value(text)} is not a line of candidates"
            raise InputError(f"{problem}. {CANDIDATES_SYNTAX}", path=source, line=number)
        lemmas.add(match[1], number)
        yield from (Sense(substitute, match[1]) for substitute in dict.fromkeys(split_substitutes(match[2])))


def write_lexsub_candidates(inventory: Inventory, path: str | os.PathLike[str]) -> None:
    """Write the ids of the senses of each lemma as its candidates; other fields of a sense are lost."""
    rows = []
    for lemma, senses in inventory.items():
        names = dict.fromkeys(sense.id for sense in senses)
        check_substitutes(lemma, names, path)
        rows.append(f"{lemma}::{';'.join(names)}\n")
    write_text(path, "".join(rows))


def has_counts(start: bytes) -> bool:
    """Whether a file begins as a gold file: all substitutes on the first line that has any have counts."""
    text = start.removeprefix(BOM).decode(errors="replace")
    rows = [_GOLD_LINE.fullmatch(line) for line in text.splitlines() if line.strip()]
    if not rows or rows[0] is None:
        return False
    items = (split_substitutes(row[3]) for row in rows if row)
    return all(map(_COUNTED.fullmatch, next(filter(None, items), [])))


FORMATS = (
    FileFormat.for_content(
        "labelling", "lexsub-gold", "a LexSub gold file", has_counts, read_lexsub_gold, write_lexsub_gold, ".gold"
    ),
    FileFormat.for_content(
        "inventory",
        "lexsub-candidates",
        "a LexSub candidates file",
        lambda start: bool(_CANDIDATES_LINE.fullmatch(first_text_line(start))),
        read_lexsub_candidates,
        write_lexsub_candidates,
        ".candidates",
    ),
)
