"""Word usage graphs (Schlechtweg et al. 2021): tab-separated tables without quotes, a folder a lemma.

=================  =====================================================================================================
``uses.csv``       the usages: ``lemma pos date grouping identifier description context indexes_target_token …``
``judgments.csv``  the ratings: ``identifier1 identifier2 annotator judgment comment lemma [round]``, 0 = cannot decide
``senses.csv``     the senses: ``identifier_sense description_sense [lemma]``; by default the folder names the lemma
``clusters.csv``   a labelling: ``identifier cluster [lemma]``, one whole number a usage, −1 for noise
=================  =====================================================================================================

A quotation mark is an ordinary character, and a cell with a blank only is empty. The first of several spans, as in
``3:5,9:12``, is the target; all spans go into the ``meta`` of the usage, and so do all other columns. ``pos`` does too
if it is not n, v, a or r. A judgement is one of Usim, or of WSsim if a ``senses.csv`` beside it has the second
identifier. Cluster 1 of ``plane_nn`` is the sense ``plane_nn.1``. A usage that is noise has no sense and is not in the
labelling.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Container, Iterable, Iterator, Mapping
from typing import Any

from polyseme.errors import InputError, quote_value
from polyseme.formats.files import Source, write_text
from polyseme.formats.registry import FileFormat
from polyseme.formats.tables import (
    TableRow,
    check_unique_rows,
    find_table_beside,
    folder_table,
    format_number,
    format_tsv,
    parent_folder_name,
    parse_number,
    parse_spans,
    read_tsv_rows,
)
from polyseme.formats.unique_names import UniqueNames
from polyseme.inventory import Inventory, Sense
from polyseme.labelling import Labelling
from polyseme.lemma import POS_LETTERS, pos_from_tag
from polyseme.rating import UNDECIDED, WSSIM, Rating, Ratings
from polyseme.usage import Usage

USE_COLUMNS = ("identifier", "lemma", "context", "indexes_target_token")
JUDGMENT_COLUMNS = ("identifier1", "identifier2", "annotator", "judgment", "lemma")
SENSE_COLUMNS = ("identifier_sense", "description_sense")
CLUSTER_COLUMNS = ("identifier", "cluster")
WRITTEN_COLUMNS = ("lemma", "pos", "date", "grouping", "identifier", "description", "context", "indexes_target_token")

JUDGMENT_SCALE = WSSIM
"""Judgements range from 1 to 4 on the scale of DURel, and to 5 on that of Usim."""

NOISE_CLUSTER = "-1"
"""The cluster of a usage that belongs to none."""

_CLUSTER = re.compile(r"0|-?[1-9][0-9]{0,8}")


def _blank_to_empty(cell: str) -> str:
    return "" if cell.isspace() else cell


def _row_lemma(row: TableRow, source: object) -> str:
    """Return the lemma that a row names, or else the folder."""
    return _blank_to_empty(row.cells.get("lemma", "")) or parent_folder_name(source)


# -- usages --------------------------------------------------------------------------------------------------------


def read_wug_uses(source: Source) -> Iterator[Usage]:
    """Yield the usages of a ``uses.csv``."""
    rows = check_unique_rows(read_tsv_rows(source, USE_COLUMNS), "identifier", "usage", source)
    return (_parse_usage(row, source) for row in rows)


def _parse_usage(row: TableRow, source: object) -> Usage:
    cells = row.cells
    text, tag = cells["context"], _blank_to_empty(cells.get("pos", ""))
    start, end, has_more = parse_spans(row, "indexes_target_token", text, source)
    pos = tag if tag in POS_LETTERS else pos_from_tag(tag)
    meta = {name: cell for name, cell in cells.items() if name not in (*USE_COLUMNS, "pos") and _blank_to_empty(cell)}
    meta |= {"pos": tag} if tag != pos else {}
    meta |= {"indexes_target_token": cells["indexes_target_token"]} if has_more else {}
    return Usage(cells["identifier"], cells["lemma"], text, start, end, pos, meta)


def write_wug_uses(usages: Iterable[Usage], path: str | os.PathLike[str]) -> None:
    """Write a ``uses.csv``; a usage that would not be read back unchanged is an error."""
    rows, columns, ids = [], dict.fromkeys(WRITTEN_COLUMNS, " "), UniqueNames("usage", path)
    for number, usage in enumerate(usages, start=2):
        rows.append(_usage_cells(usage))
        columns |= dict.fromkeys(rows[-1], " ")
        ids.add(usage.id, number)
        parsed_usage = _parse_usage(TableRow(number, rows[-1]), path)
        meta = {name: value for name, value in usage.meta.items() if value != ""}
        if parsed_usage != usage or parsed_usage.meta != meta:
            wrong = next((name for name in meta if parsed_usage.meta.get(name) != meta[name]), "pos")
            problem = f"usage {quote_value(usage.id)}: its {quote_value(wrong)} would be read back as something else"
            raise InputError(f"{problem}; rename or replace it, or write JSON Lines", path=path)
    write_text(path, format_tsv(list(columns), (columns | row for row in rows)))


def _usage_cells(usage: Usage) -> dict[str, str]:
    meta: dict[str, str] = {name: value for name, value in usage.meta.items() if isinstance(value, str) and value}
    spans = meta.get("indexes_target_token", "")
    span = spans if "," in spans else f"{usage.start}:{usage.end}"
    fields = dict(zip(USE_COLUMNS, (usage.id, usage.lemma, usage.text, span), strict=True))
    return meta | fields | {"pos": meta.get("pos", usage.pos or " ")}


# -- ratings -------------------------------------------------------------------------------------------------------


def read_wug_judgments(source: Source, senses: Container[str] | None = None) -> Iterator[Rating]:
    """Yield the ratings of a ``judgments.csv``; other columns are ignored.

    Args:
        source: The table.
        senses: The ids that are senses; by default those of the ``senses.csv`` beside it, none in an archive.
    """
    sense_ids = _senses_beside(source) if senses is None else senses
    return (_parse_rating(row, sense_ids, source) for row in read_tsv_rows(source, JUDGMENT_COLUMNS))


def _senses_beside(source: Source) -> Container[str]:
    table = find_table_beside(source, "senses.csv")
    return {row.cells[SENSE_COLUMNS[0]] for row in read_tsv_rows(table, SENSE_COLUMNS)} if table else ()


def _parse_rating(row: TableRow, senses: Container[str], source: object) -> Rating:
    cells = {name: _blank_to_empty(cell) for name, cell in row.cells.items()}
    value = parse_number(row, "judgment", source)
    if not JUDGMENT_SCALE.allows(value) and value != 0:
        scale = f"the scale from {JUDGMENT_SCALE.lowest} to {JUDGMENT_SCALE.highest}"
        problem = f"judgment {quote_value(cells['judgment'])} is off {scale}"
        raise InputError(f"{problem}; 0 is for those who cannot decide", path=source, line=row.line)
    if missing := [name for name in JUDGMENT_COLUMNS[:3] if not cells[name]]:
        raise InputError(f"the column {missing[0]} is empty", path=source, line=row.line)
    usage, target = cells["identifier1"], cells["identifier2"]
    task = "WSsim" if target in senses else "Usim"
    comment, time, round_ = (cells.get(name, "") for name in ("comment", "time", "round"))
    return Rating(cells["annotator"], task, cells["lemma"], usage, target, value or UNDECIDED, comment, time, round_)


def write_wug_judgments(ratings: Iterable[Rating], path: str | os.PathLike[str]) -> None:
    """Write a ``judgments.csv``; a ``senses.csv`` beside it must list the judged senses already."""
    senses, rows = _senses_beside(path), []
    for number, rating in enumerate(ratings, start=2):
        rows.append(_judgment_cells(rating))
        parsed_rating = _parse_rating(TableRow(number, rows[-1]), senses, path)
        if parsed_rating.task != rating.task:
            judgement = f"{quote_value(rating.target)} is judged for {quote_value(rating.task)}"
            problem = f"{judgement}, but would be read as one of {parsed_rating.task}"
            raise InputError(f"{problem}: a senses.csv beside it says what is a sense; write that first", path=path)
        if Ratings([parsed_rating]) != Ratings([rating]):
            judgement = f"the judgement of {quote_value(rating.usage)} by {quote_value(rating.annotator)}"
            problem = f"{judgement} would be read back differently"
            raise InputError(f"{problem}: give no blank names or comments, or write ratings-csv", path=path)
    optional = [name for name in ("round", "time") if any(row[name] for row in rows)]
    columns = ["identifier1", "identifier2", "annotator", "judgment", "comment", "lemma", *optional]
    write_text(path, format_tsv(columns, rows, empty=" "))


def _judgment_cells(rating: Rating) -> dict[str, str]:
    return {
        "identifier1": rating.usage,
        "identifier2": rating.target,
        "judgment": "0" if math.isnan(rating.value) else format_number(rating.value),
        **{name: getattr(rating, name) for name in ("annotator", "comment", "lemma", "round", "time")},
    }


# -- senses --------------------------------------------------------------------------------------------------------


def read_wug_senses(source: Source) -> Inventory:
    """Read the senses of a ``senses.csv``; its column ``lemma`` names their lemma, or else the folder."""
    id, gloss = SENSE_COLUMNS
    rows = check_unique_rows(read_tsv_rows(source, SENSE_COLUMNS), id, "sense", source)
    return Inventory(
        Sense(row.cells[id], _row_lemma(row, source), gloss=_blank_to_empty(row.cells[gloss])) for row in rows
    )


def write_wug_senses(inventory: Inventory, path: str | os.PathLike[str]) -> None:
    """Write a ``senses.csv`` with ids and glosses, and with lemmas unless the folder is called after the only one."""
    senses, ids = [sense for lemma in inventory for sense in inventory[lemma]], UniqueNames("sense", path)
    for number, sense in enumerate(senses, start=2):
        ids.add(sense.id, number)
        if not sense.lemma or sense.lemma.isspace() or sense.id.isspace():
            name = f"the sense {quote_value(sense.id)} of {quote_value(sense.lemma)}"
            raise InputError(f"{name} has no name or no lemma", path=path)
    cells = ((sense.id, _blank_to_empty(sense.gloss), sense.lemma) for sense in senses)
    rows = [dict(zip((*SENSE_COLUMNS, "lemma"), row, strict=True)) for row in cells]
    columns = SENSE_COLUMNS if set(inventory) <= {parent_folder_name(path)} else (*SENSE_COLUMNS, "lemma")
    write_text(path, format_tsv(columns, rows, empty=" "))


# -- clusters ------------------------------------------------------------------------------------------------------


def read_wug_clusters(source: Source) -> Labelling:
    """Read the labelling of a ``clusters.csv``; its column ``lemma`` names the lemmas, or else the folder."""
    return Labelling(_read_cluster_rows(source))


def _read_cluster_rows(source: Source) -> Iterator[tuple[str, str, dict[str, float]]]:
    for row in check_unique_rows(read_tsv_rows(source, CLUSTER_COLUMNS), "identifier", "usage", source):
        usage, cluster = (row.cells[name] for name in CLUSTER_COLUMNS)
        lemma = _row_lemma(row, source)
        if not _blank_to_empty(usage) or not _CLUSTER.fullmatch(cluster):
            problem = f"cluster {quote_value(cluster)} of usage {quote_value(usage)} is not a whole number"
            raise InputError(f"{problem}; {NOISE_CLUSTER} is for a usage in no cluster", path=source, line=row.line)
        yield lemma, usage, {} if cluster == NOISE_CLUSTER else {f"{lemma}.{cluster}": 1.0}


def write_wug_clusters(
    labelling: Labelling, path: str | os.PathLike[str], noise: Mapping[str, str] | None = None
) -> None:
    """Write a ``clusters.csv``.

    Args:
        labelling: A labelling in which each usage has one sense, of weight 1, that is called after the lemma and a
            whole number, as ``plane_nn.1``.
        path: The table.
        noise: The usages in no cluster, with their lemmas.
    """
    rows = [(lemma, usage, _cluster_number(lemma, usage, senses, path)) for lemma, usage, senses in labelling.rows()]
    rows += [(lemma, usage, NOISE_CLUSTER) for usage, lemma in (noise or {}).items()]
    needs_lemma = not {lemma for lemma, _, _ in rows} <= {parent_folder_name(path)}
    cells = [{"identifier": usage, "cluster": cluster, "lemma": lemma} for lemma, usage, cluster in rows]
    write_text(path, format_tsv((*CLUSTER_COLUMNS, "lemma") if needs_lemma else CLUSTER_COLUMNS, cells))


def _cluster_number(lemma: str, usage: str, senses: Mapping[str, float], path: object) -> str:
    """Return the number of the cluster of a usage."""
    name, weight = next(iter(senses.items()))
    number = name.removeprefix(f"{lemma}.")
    if not usage.strip() or not lemma.strip():
        problem = f"usage {quote_value(usage)} of {quote_value(lemma)} has no name or no lemma"
    elif len(senses) > 1 or weight != 1:
        problem = f"usage {quote_value(usage)} has {len(senses)} senses, the first of weight {weight:g}"
        problem += "; here it can have one cluster, without a weight: write a key instead"
    elif number in (name, NOISE_CLUSTER) or not _CLUSTER.fullmatch(number):
        problem = f"usage {quote_value(usage)} has the sense {quote_value(name)}"
        problem += f", and a cluster is called by its lemma and a number: {lemma}.1"
    else:
        return number
    raise InputError(problem, path=path)


def _table(file: str, columns: Iterable[str], content: str, reader: Any, writer: Any) -> FileFormat:
    name, title = f"usage-graph-{file.removesuffix('.csv')}", f"the {file} of a word usage graph"
    return folder_table(name, title, columns, content, reader, writer)


FORMATS = (
    _table("uses.csv", USE_COLUMNS, "usages", read_wug_uses, write_wug_uses),
    _table("judgments.csv", JUDGMENT_COLUMNS, "ratings", read_wug_judgments, write_wug_judgments),
    _table("senses.csv", SENSE_COLUMNS, "inventory", read_wug_senses, write_wug_senses),
    _table("clusters.csv", CLUSTER_COLUMNS, "labelling", read_wug_clusters, write_wug_clusters),
)
