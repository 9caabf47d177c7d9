"""Lexical substitution (McCarthy & Navigli 2007): the gold file of counted substitutes, and the candidates file.

Systems' answers are in :mod:`polyseme.formats.lexsub_answers`.

* A gold line reads ``bright.a 1 :: clever 3;quick on the uptake 1;``: the lemma, the number of the sentence, and each
  substitute with how many annotators gave it. The usage is called ``bright.a.1``. A line without a substitute leaves
  its usage unlabelled.
* A candidates line reads ``bright.a::clever;quick on the uptake``: a lemma and all that anybody gave for it.

White space around a substitute, and more than one blank inside, says nothing; the counts of substitutes that differ in
it alone are added.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator

from polyseme.errors import InputError, quote_value
from polyseme.formats.files import BOM, Source, read_lines, write_text
from polyseme.formats.registry import FileFormat
from polyseme.formats.unique_names import UniqueNames
from polyseme.inventory import Inventory, Sense
from polyseme.labelling import Labelling

GOLD_LINE_SYNTAX = "A gold line reads: lemma number :: substitute count;substitute count;"
CANDIDATES_LINE_SYNTAX = "A line of candidates reads: lemma::substitute;substitute"

_GOLD_LINE = re.compile(r"([^ \t]+)[ \t]+([0-9]+)[ \t]+::(?!:)(.*)", re.DOTALL)
_COUNT = re.compile("[0-9]{1,15}")
_CANDIDATES_LINE = re.compile(r"([^\s:]+)::(.*)", re.DOTALL)
_LEMMA = re.compile(r"(?!\ufeff)[^\s:\0]+")
_SUBSTITUTE = re.compile(r"(?! )(?!.* $)(?!.*  )[^;\t\n\r\0]+")


def read_lexsub_gold(source: Source) -> Labelling:
    """Read a gold file: each usage with its substitutes, weighted by how many annotators gave them."""
    return Labelling(_read_gold_rows(source))


def _read_gold_rows(source: Source) -> Iterator[tuple[str, str, dict[str, float]]]:
    seen = UniqueNames("usage", source)
    for number, text in read_lines(source):
        if not text.strip():
            continue
        found = _GOLD_LINE.fullmatch(text)
        if found is None:
            raise InputError(
                f"{quote_value(text)} is no line of substitutes. {GOLD_LINE_SYNTAX}", path=source, line=number
            )
        lemma, usage = found[1], f"{found[1]}.{found[2]}"
        seen.add(usage, number)
        yield lemma, usage, _parse_counts(found[3], source, number)


def _parse_counts(text: str, source: Source, line: int) -> dict[str, float]:
    counts: dict[str, float] = {}
    for item in split_substitutes(text):
        substitute, _, count = item.rpartition(" ")
        if not _has_count(item):
            raise InputError(
                f"{quote_value(item)} is not a substitute with its count. {GOLD_LINE_SYNTAX}", path=source, line=line
            )
        counts[_collapse_spaces(substitute)] = counts.get(_collapse_spaces(substitute), 0) + int(count)
    return counts


def _has_count(item: str) -> bool:
    substitute, _, count = item.rpartition(" ")
    return bool(substitute and _COUNT.fullmatch(count))


def split_substitutes(text: str) -> list[str]:
    """What stands between semicolons; the last of them may be missing."""
    return (
        [_collapse_spaces(item) for item in text.strip(" \t").removesuffix(";").split(";")] if text.strip(" \t") else []
    )


def _collapse_spaces(text: str) -> str:
    return re.sub("[ \t]+", " ", text).strip(" ")


def write_lexsub_gold(labelling: Labelling, path: str | os.PathLike[str]) -> None:
    """Write a gold file; the usages must be called after their lemmas and numbers, and the weights be counts."""
    write_text(
        path, "".join(_format_gold_line(lemma, usage, counts, path) for lemma, usage, counts in labelling.rows())
    )


def _format_gold_line(lemma: str, usage: str, counts: dict[str, float], path: object) -> str:
    number = usage_number(lemma, usage, path)
    if wrong := [count for count in counts.values() if not (float(count).is_integer() and count < 1e15)]:
        problem = (
            f"usage {quote_value(usage)} has a substitute with the weight {wrong[0]}; gold files hold whole counts"
        )
        raise InputError(f"{problem}; write JSON Lines", path=path)
    check_substitutes(lemma, counts, path)
    return f"{lemma} {number} :: " + "".join(f"{each} {int(count)};" for each, count in counts.items()) + "\n"


def usage_number(lemma: str, usage: str, path: object) -> str:
    """The number of a usage that is called after its lemma and a number, as ``bright.a.1`` is; else an error."""
    number = usage.removeprefix(f"{lemma}.")
    if not re.fullmatch("[0-9]+", number) or usage == number:
        problem = f"the usage {quote_value(usage)} of {quote_value(lemma)} is not called after its lemma and a number"
        raise InputError(f"{problem}, as 'bright.a.1' is; rename it, or write JSON Lines", path=path)
    return number


def check_substitutes(lemma: str, substitutes: Iterable[str], path: object) -> None:
    """An error if a lemma or a substitute has characters that mean something else in the files."""
    wrong = [name for name in substitutes if not _SUBSTITUTE.fullmatch(name)]
    if wrong or not _LEMMA.fullmatch(lemma):
        what = f"the substitute {quote_value(wrong[0])}" if wrong else f"the lemma {quote_value(lemma)}"
        problem = f"{what} cannot stand in a file of substitutes, where white space, ';' and ':' have a meaning"
        raise InputError(f"{problem}; rename it, or write JSON Lines", path=path)


def read_lexsub_candidates(source: Source) -> Inventory:
    """Read a candidates file: the substitutes of each lemma as its senses."""
    return Inventory(_read_candidate_senses(source))


def _read_candidate_senses(source: Source) -> Iterator[Sense]:
    seen = UniqueNames("lemma", source)
    for number, text in read_lines(source):
        if not text.strip():
            continue
        found = _CANDIDATES_LINE.fullmatch(text)
        if found is None or "" in split_substitutes(found[2]):
            raise InputError(
                f"{quote_value(text)} is no line of candidates. {CANDIDATES_LINE_SYNTAX}", path=source, line=number
            )
        seen.add(found[1], number)
        yield from (Sense(substitute, found[1]) for substitute in dict.fromkeys(split_substitutes(found[2])))


def write_lexsub_candidates(inventory: Inventory, path: str | os.PathLike[str]) -> None:
    """Write the ids of the senses of each lemma as its candidates; nothing else of a sense is written."""
    rows = []
    for lemma, senses in inventory.items():
        names = dict.fromkeys(sense.id for sense in senses)
        check_substitutes(lemma, names, path)
        rows.append(f"{lemma}::{';'.join(names)}\n")
    write_text(path, "".join(rows))


def first_text_line(start: bytes) -> str:
    """The first line of a file that is not blank."""
    return start.removeprefix(BOM).lstrip().split(b"\n", 1)[0].decode(errors="replace").removesuffix("\r")


def has_counts(start: bytes) -> bool:
    """Whether a file begins as a gold file: on its first line with substitutes, if there is one, all have counts."""
    text = start.removeprefix(BOM).decode(errors="replace")
    rows = [_GOLD_LINE.fullmatch(line) for line in text.splitlines() if line.strip()]
    if not rows or rows[0] is None:
        return False
    return next(
        (all(map(_has_count, split_substitutes(row[3]))) for row in rows if row and split_substitutes(row[3])), True
    )


FORMATS = (
    FileFormat(
        "lexsub-gold",
        "a LexSub gold file",
        has_counts,
        readers={"labelling": read_lexsub_gold},
        writers={"labelling": write_lexsub_gold},
        suffixes=(".gold",),
    ),
    FileFormat(
        "lexsub-candidates",
        "a LexSub candidates file",
        lambda start: bool(_CANDIDATES_LINE.fullmatch(first_text_line(start))),
        readers={"inventory": read_lexsub_candidates},
        writers={"inventory": write_lexsub_candidates},
        suffixes=(".candidates",),
    ),
)
