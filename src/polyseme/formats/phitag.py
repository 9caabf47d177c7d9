"""The layout of PhiTag and its relatives in the DURel family: tab-separated tables, a folder a lemma.

=================  =====================================================================================================
``uses.tsv``       the usages: ``dataID context indices_target_token indices_target_sentence lemma [group …]``
``senses.tsv``     the senses: ``senseID definition lemma``
``instances.tsv``  what is judged: ``instanceID dataIDs label_set non_label``
``judgments.tsv``  the ratings: ``instanceID label comment annotator [time round group role order milliseconds]``
=================  =====================================================================================================

An instance says which task a judgement is of. Two usages: Usim. A usage and a sense: WSbest if its labels are 0 and 1,
else WSsim. A usage alone: SYNbest, whose label is the substitute. ``instances.tsv`` must lie beside ``judgments.tsv``;
``uses.tsv`` says which identifiers are usages and of which lemma, which is the folder's name where there is none. An
empty label, ``-`` and the ``non_label`` all mean that the annotator gave no answer; an empty comment is written ``-``.

PhiTag writes quotes around cells but takes none on upload. So a cell is unquoted only if it begins and ends with a
quotation mark and those inside are doubled, and a cell is written with quotes only if it would be misread without.
White space at the ends of a target is not part of it. The part of speech is the end of the lemma (``lead.n``), unless
a column ``pos`` gives it. :func:`~polyseme.formats.phitag_folder.write_phitag` writes all tables at once.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from polyseme.errors import InputError, shown
from polyseme.formats.files import Source, write_text
from polyseme.formats.format import Format
from polyseme.formats.tables import Row, format_plain, has_columns, plain_rows
from polyseme.formats.unique import Unique
from polyseme.inventory import Inventory, Sense
from polyseme.usage import Usage

USES = ("dataID", "context", "indices_target_token", "lemma")
SENTENCE = "indices_target_sentence"
SENSES = ("senseID", "definition", "lemma")
_QUOTED = re.compile(r'"(?:[^"]|"")*"')
_SPANS = re.compile(r"([0-9]{1,9}):([0-9]{1,9})(,[0-9]{1,9}:[0-9]{1,9})*")
_LIST = re.compile(r"\[([0-9]{1,9}),([0-9]{1,9})\]")


# -- tables --------------------------------------------------------------------------------------------------------


def table_rows(source: Source, needed: Iterable[str]) -> Iterator[Row]:
    """The rows of a table, with quoted cells unquoted."""
    for row in plain_rows(source, needed):
        yield Row(row.line, {name: _unquote(cell) for name, cell in row.cells.items()})


def _unquote(cell: str) -> str:
    return cell[1:-1].replace('""', '"') if len(cell) > 1 and _QUOTED.fullmatch(cell) else cell


def _quote(cell: str) -> str:
    """The cell, in quotes if it would be read as another without."""
    return '"' + cell.replace('"', '""') + '"' if _unquote(cell) != cell else cell


def write_table(path: str | os.PathLike[str], columns: Iterable[str], rows: Iterable[Mapping[str, str]]) -> None:
    """Write rows with tabs between their cells; a tab or a line end in a cell is an error."""
    write_text(path, format_table(columns, rows))


def format_table(columns: Iterable[str], rows: Iterable[Mapping[str, str]]) -> str:
    """The text of a table, as :func:`write_table` writes it."""
    quoted = ({name: _quote(cell) for name, cell in row.items()} for row in rows)
    return format_plain(list(columns), quoted)


def folder_name(source: object) -> str:
    """The name of the folder in which a table lies."""
    return Path(str(source)).absolute().parent.name


# -- usages --------------------------------------------------------------------------------------------------------


def read_uses(source: Source) -> Iterator[Usage]:
    """Read the usages of a ``uses.tsv``; columns without a place in a usage go into its ``meta``."""
    seen = Unique("usage", source)
    for row in table_rows(source, USES):
        seen.add(row.cells["dataID"], row.line)
        yield _usage(row, source)


def _usage(row: Row, source: object) -> Usage:
    cells = row.cells
    text, lemma, spans = cells["context"], cells["lemma"], cells["indices_target_token"]
    start, end, several = _span(spans, text, row, source)
    meta: dict[str, object] = {name: cell for name, cell in cells.items() if name not in (*USES, "pos") and cell}
    if meta.get(SENTENCE) == f"0:{len(text)}":
        del meta[SENTENCE]
    if several:
        meta["indices_target_token"] = spans
    return Usage(cells["dataID"], lemma, text, start, end, cells.get("pos", part_of_lemma(lemma)), meta)


def _span(text: str, context: str, row: Row, source: object) -> tuple[int, int, bool]:
    """Where the target stands, and whether there are several places, of which this is the first."""
    written = text.replace(" ", "")
    match = _SPANS.fullmatch(written) or _LIST.fullmatch(written)
    if match is None or not int(match[1]) <= int(match[2]) <= len(context):
        problem = f"the target {shown(text)} is not a part of the context, which has {len(context)} characters"
        raise InputError(f"{problem}. It reads first:last, counted from 0, as 26:34", path=source, line=row.line)
    target = context[int(match[1]) : int(match[2])]
    blank = len(target) - len(target.lstrip()) if target.strip() else 0
    start = int(match[1]) + blank
    return start, start + len(target.strip() or target), match[0].count(":") > 1


def part_of_lemma(lemma: str) -> str:
    """The part of speech with which a lemma ends, if it does.

    >>> part_of_lemma("lead.n"), part_of_lemma("lead")
    ('n', '')
    """
    part = lemma.rpartition(".")[2]
    return part if "." in lemma and part in ("n", "v", "a", "r") else ""


def write_uses(usages: Iterable[Usage], path: str | os.PathLike[str]) -> None:
    """Write a ``uses.tsv``; a usage that would not be read back as it is, is an error."""
    texts = list(usages)
    own_part = any(usage.pos != part_of_lemma(usage.lemma) for usage in texts)
    columns, rows, seen = dict.fromkeys((*USES[:3], SENTENCE, USES[3])), [], Unique("usage", path)
    for number, usage in enumerate(texts, start=2):
        cells = _cells(usage) | ({"pos": usage.pos} if own_part else {})
        seen.add(usage.id, number)
        again = _usage(Row(number, cells), path)
        if again != usage or any(again.meta.get(name) != value for name, value in _writable_meta(usage).items()):
            problem = (
                f"usage {shown(usage.id)} would be read back as another: its name, lemma or meta cannot stand here"
            )
            raise InputError(f"{problem}; change it, or write JSON Lines", path=path)
        columns |= dict.fromkeys(cells)
        rows.append(cells)
    write_table(path, columns, rows)


def _writable_meta(usage: Usage) -> dict[str, object]:
    whole = {SENTENCE: f"0:{len(usage.text)}"}
    return {name: value for name, value in usage.meta.items() if value != "" and whole.get(name) != value}


def _cells(usage: Usage) -> dict[str, str]:
    meta = {name: value for name, value in usage.meta.items() if isinstance(value, str) and value}
    spans = meta.get("indices_target_token", "")
    own = {
        "dataID": usage.id,
        "context": usage.text,
        "indices_target_token": spans if "," in spans else f"{usage.start}:{usage.end}",
        "lemma": usage.lemma,
    }
    return {SENTENCE: f"0:{len(usage.text)}"} | meta | own


# -- senses --------------------------------------------------------------------------------------------------------


def read_senses(source: Source) -> Inventory:
    """Read the senses of a ``senses.tsv``."""
    return Inventory(_senses(source))


def _senses(source: Source) -> Iterator[Sense]:
    seen = Unique("sense", source)
    for row in table_rows(source, SENSES):
        sense, gloss, lemma = (row.cells[name] for name in SENSES)
        seen.add(sense, row.line)
        yield Sense(sense, lemma or folder_name(source), gloss=gloss)


def write_senses(inventory: Inventory, path: str | os.PathLike[str]) -> None:
    """Write a ``senses.tsv``: ids, glosses and lemmas; nothing else of a sense has a place in it."""
    rows, seen = [], Unique("sense", path)
    for number, sense in enumerate((sense for senses in inventory.values() for sense in senses), start=2):
        seen.add(sense.id, number)
        cells = dict(zip(SENSES, (sense.id, sense.gloss, sense.lemma), strict=True))
        if not sense.lemma:
            raise InputError(f"the sense {shown(sense.id)} has no lemma; give it one", path=path)
        rows.append(cells)
    write_table(path, SENSES, rows)


FORMATS = (
    Format(
        "phitag-uses",
        "the uses.tsv of PhiTag",
        has_columns(*USES, delimiters="\t"),
        readers={"usages": read_uses},
        writers={"usages": write_uses},
        folder=True,
    ),
    Format(
        "phitag-senses",
        "the senses.tsv of PhiTag",
        has_columns(*SENSES, delimiters="\t"),
        readers={"inventory": read_senses},
        writers={"inventory": write_senses},
        folder=True,
    ),
)
