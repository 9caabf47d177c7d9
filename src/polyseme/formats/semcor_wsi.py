"""SemCor-WSI as CSV: the columns ``sentence, lemma, lexsn, wnsn, pos, position``, one usage a row.

``position`` is the first character of the target and the one behind its last, as ``(57, 67)``; ``pos`` is NN, VB or JJ;
``lexsn`` is the end of a WordNet sense key, behind ``%``. A usage is named after its lemma and its row among the
lemma's. ``_`` joins the words of a name or phrase: it becomes a space in the text, which stays as long as it is.
(Mosolova, Candito & Ramisch 2025, In the LLM era, Word Sense Induction remains unsolved)
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from polyseme.errors import InputError, shown
from polyseme.formats.files import Source
from polyseme.formats.format import Format
from polyseme.formats.tables import Row, has_columns, quoted_rows
from polyseme.labelling import Labelling
from polyseme.usage import Usage

COLUMNS = ("sentence", "lemma", "lexsn", "pos", "position")
PARTS = {"NN": "n", "VB": "v", "JJ": "a"}
_POSITION = re.compile(r"\((\d{1,9}), ?(\d{1,9})\)")


def read_semcor_wsi(source: Source) -> Iterator[Usage]:
    r"""Read the usages.

    >>> from polyseme.formats.files import Blob
    >>> text = b'sentence,lemma,lexsn,pos,position\nWe won .,win,2:33:00::,VB,"(3, 6)"\n'
    >>> [(usage.id, usage.target) for usage in read_semcor_wsi(Blob("dev.csv", text))]
    [('win.v.1', 'won')]
    """
    return (usage for usage, _ in _rows(source))


def read_semcor_wsi_gold(source: Source) -> Labelling:
    """Read the WordNet sense of each usage."""
    return Labelling((usage.lemma, usage.id, {sense: 1.0}) for usage, sense in _rows(source))


def _rows(source: Source) -> Iterator[tuple[Usage, str]]:
    """Each usage with its sense key."""
    counts: Counter[str] = Counter()
    for row in quoted_rows(source, COLUMNS):
        cells = row.cells
        if cells["pos"] not in PARTS:
            problem = f"pos {shown(cells['pos'])} is none of {', '.join(PARTS)}"
            raise InputError(f"{problem}; write one of these", path=source, line=row.line)
        pos = PARTS[cells["pos"]]
        lemma = f"{cells['lemma']}.{pos}"
        counts[lemma] += 1
        start, end = _span(row, source)
        text = cells["sentence"].replace("_", " ")
        yield Usage(f"{lemma}.{counts[lemma]}", lemma, text, start, end, pos), f"{cells['lemma']}%{cells['lexsn']}"


def _span(row: Row, source: object) -> tuple[int, int]:
    """Where the target stands."""
    text, size = row.cells["position"], len(row.cells["sentence"])
    match = _POSITION.fullmatch(text)
    if match is None or not int(match[1]) <= int(match[2]) <= size:
        problem = f"position {shown(text)} is not a part of the sentence, which has {size} characters"
        raise InputError(f"{problem}; it reads (first, end), counted from 0", path=source, line=row.line)
    return int(match[1]), int(match[2])


FORMAT = Format(
    "semcor-wsi",
    "usages of SemCor-WSI as CSV",
    has_columns(*COLUMNS),
    readers={"usages": read_semcor_wsi, "labelling": read_semcor_wsi_gold},
)
