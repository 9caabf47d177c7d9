"""The layout of PhiTag and its relatives in the DURel family: tab-separated tables, a folder a lemma.

=================  =====================================================================================================
``uses.tsv``       the usages: ``dataID context indices_target_token indices_target_sentence lemma [group …]``
``senses.tsv``     the senses: ``senseID definition lemma``
``instances.tsv``  the items: ``instanceID dataIDs label_set non_label``
``judgments.tsv``  the ratings: ``instanceID label comment annotator [time round group role order milliseconds]``
=================  =====================================================================================================

An instance determines the task of its judgements. Two usages: Usim. A usage and a sense: WSbest if the labels are 0 and
1, otherwise WSsim. A usage alone: SYNbest, whose label is the substitute. ``instances.tsv`` must lie beside
``judgments.tsv``. ``uses.tsv`` lists the usages and their lemmas; without it the folder is named after the lemma. An
empty label, ``-`` and the ``non_label`` all mean that the annotator gave no answer. An empty comment is written ``-``.

PhiTag writes quotes around cells but accepts none on upload. So a cell is unquoted only if it begins and ends with a
quotation mark and those inside are doubled. A cell is written with quotes only if it would be misread without.
White space at the ends of a target is not part of it. The part of speech is the end of the lemma (``lead.n``), unless
a column ``pos`` has it. :func:`~polyseme.formats.phitag_folder.write_phitag_folder` writes all tables at once.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping

from polyseme.errors import InputError, quote_value
from polyseme.formats.files import Source, write_text
from polyseme.formats.tables import (
    CellSpans,
    TableRow,
    check_unique_rows,
    folder_table,
    format_tsv,
    parent_folder_name,
    parse_spans,
    read_tsv_rows,
)
from polyseme.formats.unique_names import UniqueNames
from polyseme.inventory import Inventory, Sense
from polyseme.lemma import split_lemma
from polyseme.usage import Usage

USE_COLUMNS = ("dataID", "context", "indices_target_token", "lemma")
SENTENCE_COLUMN = "indices_target_sentence"
SENSE_COLUMNS = ("senseID", "definition", "lemma")
_QUOTED = re.compile(r'"(?:[^"]|"")*"')
_LIST = re.compile(r"\[([0-9]{1,9}),([0-9]{1,9})\]")


# -- tables --------------------------------------------------------------------------------------------------------


def read_phitag_rows(source: Source, required: Iterable[str]) -> Iterator[TableRow]:
    """Yield the rows of a table, with quoted cells unquoted."""
    for row in read_tsv_rows(source, required):
        yield TableRow(row.line, {name: _unquote(cell) for name, cell in row.cells.items()})


def _unquote(cell: str) -> str:
    return cell[1:-1].replace('""', '"') if len(cell) > 1 and _QUOTED.fullmatch(cell) else cell


def _quote(cell: str) -> str:
    """Quote a cell if it would be misread without quotes."""
    return '"' + cell.replace('"', '""') + '"' if _unquote(cell) != cell else cell


def format_phitag_table(columns: Iterable[str], rows: Iterable[Mapping[str, str]]) -> str:
    """Format a table; a tab or a line end in a cell is an error."""
    quoted = ({name: _quote(cell) for name, cell in row.items()} for row in rows)
    return format_tsv(list(columns), quoted)


# -- usages --------------------------------------------------------------------------------------------------------


def read_phitag_uses(source: Source) -> Iterator[Usage]:
    """Yield the usages of a ``uses.tsv``; other columns go into their ``meta``."""
    rows = check_unique_rows(read_phitag_rows(source, USE_COLUMNS), "dataID", "usage", source)
    return (_parse_usage(row, source) for row in rows)


def _parse_usage(row: TableRow, source: object) -> Usage:
    cells = row.cells
    text, lemma = cells["context"], cells["lemma"]
    start, end, has_more = _parse_target(row, source)
    meta: dict[str, object] = {name: cell for name, cell in cells.items() if name not in (*USE_COLUMNS, "pos") and cell}
    if meta.get(SENTENCE_COLUMN) == f"0:{len(text)}":
        del meta[SENTENCE_COLUMN]
    if has_more:
        meta["indices_target_token"] = cells["indices_target_token"]
    return Usage(cells["dataID"], lemma, text, start, end, cells.get("pos", split_lemma(lemma).pos), meta)


def _parse_target(row: TableRow, source: object) -> CellSpans:
    """Return the first span of the target without the white space at its ends."""
    context, column = row.cells["context"], "indices_target_token"
    if match := _LIST.fullmatch(row.cells[column].replace(" ", "")):
        row = TableRow(row.line, {column: f"{match[1]}:{match[2]}"})
    spans = parse_spans(row, column, context, source)
    target = context[spans.start : spans.end]
    blank = len(target) - len(target.lstrip()) if target.strip() else 0
    start = spans.start + blank
    return CellSpans(start, start + len(target.strip() or target), spans.has_more)


def write_phitag_uses(usages: Iterable[Usage], path: str | os.PathLike[str]) -> None:
    """Write a ``uses.tsv``; a usage that would not be read back unchanged is an error."""
    usages = list(usages)
    needs_pos = any(usage.pos != split_lemma(usage.lemma).pos for usage in usages)
    columns, rows = dict.fromkeys((*USE_COLUMNS[:3], SENTENCE_COLUMN, USE_COLUMNS[3])), []
    ids = UniqueNames("usage", path)
    for number, usage in enumerate(usages, start=2):
        cells = _usage_cells(usage) | ({"pos": usage.pos} if needs_pos else {})
        ids.add(usage.id, number)
        parsed_usage = _parse_usage(TableRow(number, cells), path)
        if parsed_usage != usage or any(
            parsed_usage.meta.get(name) != value for name, value in _writable_meta(usage).items()
        ):
            problem = f"usage {quote_value(usage.id)} would be read back as another: its name, lemma or meta"
            raise InputError(f"{problem} cannot be written here; change it, or write JSON Lines", path=path)
        columns |= dict.fromkeys(cells)
        rows.append(cells)
    write_text(path, format_phitag_table(columns, rows))


def _writable_meta(usage: Usage) -> dict[str, object]:
    implied = {SENTENCE_COLUMN: f"0:{len(usage.text)}"}
    return {name: value for name, value in usage.meta.items() if value != "" and implied.get(name) != value}


def _usage_cells(usage: Usage) -> dict[str, str]:
    meta = {name: value for name, value in usage.meta.items() if isinstance(value, str) and value}
    spans = meta.get("indices_target_token", "")
    span = spans if "," in spans else f"{usage.start}:{usage.end}"
    fields = dict(zip(USE_COLUMNS, (usage.id, usage.text, span, usage.lemma), strict=True))
    return {SENTENCE_COLUMN: f"0:{len(usage.text)}"} | meta | fields


# -- senses --------------------------------------------------------------------------------------------------------


def read_phitag_senses(source: Source) -> Inventory:
    """Read the senses of a ``senses.tsv``."""
    rows = check_unique_rows(read_phitag_rows(source, SENSE_COLUMNS), "senseID", "sense", source)
    cells = ([row.cells[name] for name in SENSE_COLUMNS] for row in rows)
    return Inventory(Sense(sense, lemma or parent_folder_name(source), gloss=gloss) for sense, gloss, lemma in cells)


def write_phitag_senses(inventory: Inventory, path: str | os.PathLike[str]) -> None:
    """Write a ``senses.tsv`` with ids, glosses and lemmas; other fields of a sense are lost."""
    rows, ids = [], UniqueNames("sense", path)
    for number, sense in enumerate((sense for senses in inventory.values() for sense in senses), start=2):
        ids.add(sense.id, number)
        if not sense.lemma:
            raise InputError(f"the sense {quote_value(sense.id)} has no lemma; give it one", path=path)
        rows.append(dict(zip(SENSE_COLUMNS, (sense.id, sense.gloss, sense.lemma), strict=True)))
    write_text(path, format_phitag_table(SENSE_COLUMNS, rows))


FORMATS = (
    folder_table("phitag-uses", "the uses.tsv of PhiTag", USE_COLUMNS, "usages", read_phitag_uses, write_phitag_uses),
    folder_table(
        "phitag-senses", "the senses.tsv of PhiTag", SENSE_COLUMNS, "inventory", read_phitag_senses, write_phitag_senses
    ),
)
