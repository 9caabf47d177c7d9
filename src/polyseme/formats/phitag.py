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
a column ``pos`` gives it. :func:`~polyseme.formats.phitag_folder.write_phitag_folder` writes all tables at once.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from polyseme.errors import InputError, quote_value
from polyseme.formats.files import Source, write_text
from polyseme.formats.registry import FileFormat
from polyseme.formats.tables import TableRow, format_tsv, has_columns, read_tsv_rows
from polyseme.formats.unique_names import UniqueNames
from polyseme.inventory import Inventory, Sense
from polyseme.usage import Usage

USE_COLUMNS = ("dataID", "context", "indices_target_token", "lemma")
SENTENCE_COLUMN = "indices_target_sentence"
SENSE_COLUMNS = ("senseID", "definition", "lemma")
_QUOTED = re.compile(r'"(?:[^"]|"")*"')
_SPANS = re.compile(r"([0-9]{1,9}):([0-9]{1,9})(,[0-9]{1,9}:[0-9]{1,9})*")
_LIST = re.compile(r"\[([0-9]{1,9}),([0-9]{1,9})\]")


# -- tables --------------------------------------------------------------------------------------------------------


def read_phitag_rows(source: Source, needed: Iterable[str]) -> Iterator[TableRow]:
    """The rows of a table, with quoted cells unquoted."""
    for row in read_tsv_rows(source, needed):
        yield TableRow(row.line, {name: _unquote(cell) for name, cell in row.cells.items()})


def _unquote(cell: str) -> str:
    return cell[1:-1].replace('""', '"') if len(cell) > 1 and _QUOTED.fullmatch(cell) else cell


def _quote(cell: str) -> str:
    """The cell, in quotes if it would be read as another without."""
    return '"' + cell.replace('"', '""') + '"' if _unquote(cell) != cell else cell


def write_phitag_table(path: str | os.PathLike[str], columns: Iterable[str], rows: Iterable[Mapping[str, str]]) -> None:
    """Write rows with tabs between their cells; a tab or a line end in a cell is an error."""
    write_text(path, format_phitag_table(columns, rows))


def format_phitag_table(columns: Iterable[str], rows: Iterable[Mapping[str, str]]) -> str:
    """The text of a table, as :func:`write_table` writes it."""
    quoted = ({name: _quote(cell) for name, cell in row.items()} for row in rows)
    return format_tsv(list(columns), quoted)


def parent_folder_name(source: object) -> str:
    """The name of the folder in which a table lies."""
    return Path(str(source)).absolute().parent.name


# -- usages --------------------------------------------------------------------------------------------------------


def read_phitag_uses(source: Source) -> Iterator[Usage]:
    """Read the usages of a ``uses.tsv``; columns without a place in a usage go into its ``meta``."""
    seen = UniqueNames("usage", source)
    for row in read_phitag_rows(source, USE_COLUMNS):
        seen.add(row.cells["dataID"], row.line)
        yield _parse_usage(row, source)


def _parse_usage(row: TableRow, source: object) -> Usage:
    cells = row.cells
    text, lemma, spans = cells["context"], cells["lemma"], cells["indices_target_token"]
    start, end, several = _parse_span(spans, text, row, source)
    meta: dict[str, object] = {name: cell for name, cell in cells.items() if name not in (*USE_COLUMNS, "pos") and cell}
    if meta.get(SENTENCE_COLUMN) == f"0:{len(text)}":
        del meta[SENTENCE_COLUMN]
    if several:
        meta["indices_target_token"] = spans
    return Usage(cells["dataID"], lemma, text, start, end, cells.get("pos", part_of_lemma(lemma)), meta)


def _parse_span(text: str, context: str, row: TableRow, source: object) -> tuple[int, int, bool]:
    """Where the target stands, and whether there are several places, of which this is the first."""
    written = text.replace(" ", "")
    match = _SPANS.fullmatch(written) or _LIST.fullmatch(written)
    if match is None or not int(match[1]) <= int(match[2]) <= len(context):
        problem = f"the target {quote_value(text)} is not a part of the context, which has {len(context)} characters"
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


def write_phitag_uses(usages: Iterable[Usage], path: str | os.PathLike[str]) -> None:
    """Write a ``uses.tsv``; a usage that would not be read back as it is, is an error."""
    texts = list(usages)
    own_part = any(usage.pos != part_of_lemma(usage.lemma) for usage in texts)
    columns, rows, seen = (
        dict.fromkeys((*USE_COLUMNS[:3], SENTENCE_COLUMN, USE_COLUMNS[3])),
        [],
        UniqueNames("usage", path),
    )
    for number, usage in enumerate(texts, start=2):
        cells = _usage_cells(usage) | ({"pos": usage.pos} if own_part else {})
        seen.add(usage.id, number)
        again = _parse_usage(TableRow(number, cells), path)
        if again != usage or any(again.meta.get(name) != value for name, value in _writable_meta(usage).items()):
            problem = f"usage {quote_value(usage.id)} would be read back as another: its name, lemma or meta cannot stand here"
            raise InputError(f"{problem}; change it, or write JSON Lines", path=path)
        columns |= dict.fromkeys(cells)
        rows.append(cells)
    write_phitag_table(path, columns, rows)


def _writable_meta(usage: Usage) -> dict[str, object]:
    whole = {SENTENCE_COLUMN: f"0:{len(usage.text)}"}
    return {name: value for name, value in usage.meta.items() if value != "" and whole.get(name) != value}


def _usage_cells(usage: Usage) -> dict[str, str]:
    meta = {name: value for name, value in usage.meta.items() if isinstance(value, str) and value}
    spans = meta.get("indices_target_token", "")
    own = {
        "dataID": usage.id,
        "context": usage.text,
        "indices_target_token": spans if "," in spans else f"{usage.start}:{usage.end}",
        "lemma": usage.lemma,
    }
    return {SENTENCE_COLUMN: f"0:{len(usage.text)}"} | meta | own


# -- senses --------------------------------------------------------------------------------------------------------


def read_phitag_senses(source: Source) -> Inventory:
    """Read the senses of a ``senses.tsv``."""
    return Inventory(_parse_senses(source))


def _parse_senses(source: Source) -> Iterator[Sense]:
    seen = UniqueNames("sense", source)
    for row in read_phitag_rows(source, SENSE_COLUMNS):
        sense, gloss, lemma = (row.cells[name] for name in SENSE_COLUMNS)
        seen.add(sense, row.line)
        yield Sense(sense, lemma or parent_folder_name(source), gloss=gloss)


def write_phitag_senses(inventory: Inventory, path: str | os.PathLike[str]) -> None:
    """Write a ``senses.tsv``: ids, glosses and lemmas; nothing else of a sense has a place in it."""
    rows, seen = [], UniqueNames("sense", path)
    for number, sense in enumerate((sense for senses in inventory.values() for sense in senses), start=2):
        seen.add(sense.id, number)
        cells = dict(zip(SENSE_COLUMNS, (sense.id, sense.gloss, sense.lemma), strict=True))
        if not sense.lemma:
            raise InputError(f"the sense {quote_value(sense.id)} has no lemma; give it one", path=path)
        rows.append(cells)
    write_phitag_table(path, SENSE_COLUMNS, rows)


FORMATS = (
    FileFormat(
        "phitag-uses",
        "the uses.tsv of PhiTag",
        has_columns(*USE_COLUMNS, delimiters="\t"),
        readers={"usages": read_phitag_uses},
        writers={"usages": write_phitag_uses},
        folder=True,
    ),
    FileFormat(
        "phitag-senses",
        "the senses.tsv of PhiTag",
        has_columns(*SENSE_COLUMNS, delimiters="\t"),
        readers={"inventory": read_phitag_senses},
        writers={"inventory": write_phitag_senses},
        folder=True,
    ),
)
