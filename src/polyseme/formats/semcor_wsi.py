"""SemCor-WSI as CSV: the columns ``sentence, lemma, lexsn, wnsn, pos, position``, one usage a row.

``position`` is the offset of the target's first character and the one after its last, as ``(57, 67)``. ``pos`` is NN,
VB or JJ. ``lexsn`` is the end of a WordNet sense key, after ``%``. A usage is called after its lemma and its number
among the rows of the lemma. ``_`` joins the words of a name or phrase; it becomes a space in the text.
(Mosolova, Candito & Ramisch 2025, In the LLM era, Word Sense Induction remains unsolved)
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from polyseme.errors import InputError, quote_value
from polyseme.formats.files import Source
from polyseme.formats.registry import FileFormat
from polyseme.formats.tables import TableRow, has_columns, read_csv_rows
from polyseme.labelling import Labelling
from polyseme.lemma import pos_from_tag
from polyseme.usage import Usage

COLUMNS = ("sentence", "lemma", "lexsn", "pos", "position")
TAGS = ("NN", "VB", "JJ")
_POSITION = re.compile(r"\((\d{1,9}), ?(\d{1,9})\)")


def read_semcor_wsi_usages(source: Source) -> Iterator[Usage]:
    r"""Yield the usages of a file.

    >>> from polyseme.formats.files import Blob
    >>> text = b'sentence,lemma,lexsn,pos,position\nWe won .,win,2:33:00::,VB,"(3, 6)"\n'
    >>> [(usage.id, usage.target) for usage in read_semcor_wsi_usages(Blob("dev.csv", text))]
    [('win.v.1', 'won')]
    """
    return (usage for usage, _ in _read_usages_with_senses(source))


def read_semcor_wsi_gold(source: Source) -> Labelling:
    """Read the WordNet sense of each usage."""
    return Labelling((usage.lemma, usage.id, {sense: 1.0}) for usage, sense in _read_usages_with_senses(source))


def _read_usages_with_senses(source: Source) -> Iterator[tuple[Usage, str]]:
    """Yield each usage with its sense key."""
    counts: Counter[str] = Counter()
    for row in read_csv_rows(source, COLUMNS):
        cells = row.cells
        if cells["pos"] not in TAGS:
            problem = f"pos {quote_value(cells['pos'])} is none of {', '.join(TAGS)}"
            raise InputError(f"{problem}; write one of these", path=source, line=row.line)
        pos = pos_from_tag(cells["pos"])
        lemma = f"{cells['lemma']}.{pos}"
        counts[lemma] += 1
        start, end = _parse_span(row, source)
        text = cells["sentence"].replace("_", " ")
        yield Usage(f"{lemma}.{counts[lemma]}", lemma, text, start, end, pos), f"{cells['lemma']}%{cells['lexsn']}"


def _parse_span(row: TableRow, source: object) -> tuple[int, int]:
    """Parse the offsets of the target."""
    text, size = row.cells["position"], len(row.cells["sentence"])
    match = _POSITION.fullmatch(text)
    if match is None or not int(match[1]) <= int(match[2]) <= size:
        problem = f"position {quote_value(text)} is not a part of the sentence, which has {size} characters"
        raise InputError(f"{problem}; it reads (first, end), counted from 0", path=source, line=row.line)
    return int(match[1]), int(match[2])


FORMAT = FileFormat(
    "semcor-wsi",
    "usages of SemCor-WSI as CSV",
    has_columns(*COLUMNS),
    readers={"usages": read_semcor_wsi_usages, "labelling": read_semcor_wsi_gold},
)
