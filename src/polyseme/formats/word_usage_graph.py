"""Word usage graphs (Schlechtweg et al. 2021): tab-separated tables without quotes, a folder a lemma.

=================  =====================================================================================================
``uses.csv``       the usages: ``lemma pos date grouping identifier description context indexes_target_token …``
``judgments.csv``  the ratings: ``identifier1 identifier2 annotator judgment comment lemma [round]``, 0 = cannot decide
``senses.csv``     the senses: ``identifier_sense description_sense [lemma]``, the folder's name being the lemma
``clusters.csv``   a labelling: ``identifier cluster [lemma]``, one whole number a usage, −1 for one that is noise
=================  =====================================================================================================

A quotation mark is a character as any other, and a cell with nothing but a blank is empty. Of several spans, as in
``3:5,9:12``, the first is the usage's and all are in its ``meta``, with every column that has no other place; ``pos``
is there as well where it is not n, v, a or r. A judgement is one of Usim, or of WSsim if a ``senses.csv`` beside it has
the second identifier. Cluster 1 of ``plane_nn`` is the sense ``plane_nn.1``; a usage that is noise has no sense, and is
not in the labelling.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Container, Iterable, Iterator, Mapping
from pathlib import Path

from polyseme.errors import InputError, quote_value
from polyseme.formats.files import Blob, Source, write_text
from polyseme.formats.registry import FileFormat
from polyseme.formats.tables import TableRow, format_number, format_tsv, has_columns, parse_number, read_tsv_rows
from polyseme.formats.unique_names import UniqueNames
from polyseme.inventory import Inventory, Sense
from polyseme.labelling import Labelling
from polyseme.rating import UNDECIDED, WSSIM, Rating, Ratings
from polyseme.sentence import part_of_speech
from polyseme.usage import Usage

USE_COLUMNS = ("identifier", "lemma", "context", "indexes_target_token")
JUDGMENT_COLUMNS = ("identifier1", "identifier2", "annotator", "judgment", "lemma")
SENSE_COLUMNS = ("identifier_sense", "description_sense")
CLUSTER_COLUMNS = ("identifier", "cluster")
WRITTEN_COLUMNS = ("lemma", "pos", "date", "grouping", "identifier", "description", "context", "indexes_target_token")

JUDGMENT_SCALE = WSSIM
"""Judgements are 1 to 4 on the scale of DURel, and 5 as well on that of Usim."""

NOISE_CLUSTER = "-1"
"""The cluster of a usage that is in none."""

_CLUSTER = re.compile(r"0|-?[1-9][0-9]{0,8}")
_SPANS = re.compile(r"([0-9]{1,9}):([0-9]{1,9})(,[0-9]{1,9}:[0-9]{1,9})*")


def _blank_to_empty(cell: str) -> str:
    return "" if cell.isspace() else cell


# -- usages --------------------------------------------------------------------------------------------------------


def read_wug_uses(source: Source) -> Iterator[Usage]:
    """Read the usages of a ``uses.csv``."""
    seen = UniqueNames("usage", source)
    for row in read_tsv_rows(source, USE_COLUMNS):
        seen.add(row.cells["identifier"], row.line)
        yield _parse_usage(row, source)


def _parse_usage(row: TableRow, source: object) -> Usage:
    cells = row.cells
    text, spans, tag = cells["context"], cells["indexes_target_token"], _blank_to_empty(cells.get("pos", ""))
    found = _SPANS.fullmatch(spans.replace(" ", ""))
    if found is None or not int(found[1]) <= int(found[2]) <= len(text):
        problem = f"the target {quote_value(spans)} is not a part of the context, which has {len(text)} characters"
        raise InputError(f"{problem}. It reads first:last, counted from 0, as 26:34", path=source, line=row.line)
    pos = _parse_pos(tag)
    meta = {name: cell for name, cell in cells.items() if name not in (*USE_COLUMNS, "pos") and _blank_to_empty(cell)}
    meta |= {"pos": tag} if tag != pos else {}
    meta |= {"indexes_target_token": spans} if found[3] else {}
    return Usage(cells["identifier"], cells["lemma"], text, int(found[1]), int(found[2]), pos, meta)


def _parse_pos(tag: str) -> str:
    return tag if tag in ("n", "v", "a", "r") else part_of_speech(tag)


def write_wug_uses(usages: Iterable[Usage], path: str | os.PathLike[str]) -> None:
    """Write a ``uses.csv``; a usage that would not be read back as it is, is an error."""
    rows, columns, seen = [], dict.fromkeys(WRITTEN_COLUMNS, " "), UniqueNames("usage", path)
    for number, usage in enumerate(usages, start=2):
        rows.append(_usage_cells(usage))
        columns |= dict.fromkeys(rows[-1], " ")
        seen.add(usage.id, number)
        again = _parse_usage(TableRow(number, rows[-1]), path)
        kept = {name: value for name, value in usage.meta.items() if value != ""}
        if again != usage or again.meta != kept:
            wrong = next((name for name in kept if again.meta.get(name) != kept[name]), "pos")
            problem = f"usage {quote_value(usage.id)}: its {quote_value(wrong)} would be read back as something else"
            raise InputError(f"{problem}; rename or replace it, or write JSON Lines", path=path)
    write_text(path, format_tsv(list(columns), (columns | row for row in rows)))


def _usage_cells(usage: Usage) -> dict[str, str]:
    meta: dict[str, str] = {name: value for name, value in usage.meta.items() if isinstance(value, str) and value}
    spans = meta.get("indexes_target_token", "")
    own = {
        "identifier": usage.id,
        "lemma": usage.lemma,
        "context": usage.text,
        "pos": meta.get("pos", usage.pos or " "),
        "indexes_target_token": spans if "," in spans else f"{usage.start}:{usage.end}",
    }
    return meta | own


# -- ratings -------------------------------------------------------------------------------------------------------


def read_wug_judgments(source: Source, senses: Container[str] | None = None) -> Iterator[Rating]:
    """Read the ratings of a ``judgments.csv``; ``senses`` are those of the ``senses.csv`` beside it unless given.

    Beside a file in an archive nothing is found. Columns without a place in a rating are not looked at.
    """
    known = _senses_beside(source) if senses is None else senses
    return (_parse_rating(row, known, source) for row in read_tsv_rows(source, JUDGMENT_COLUMNS))


def _senses_beside(source: Source) -> Container[str]:
    beside = None if isinstance(source, Blob) else Path(source).with_name("senses.csv")
    return (
        {row.cells[SENSE_COLUMNS[0]] for row in read_tsv_rows(beside, SENSE_COLUMNS)}
        if beside and beside.is_file()
        else ()
    )


def _parse_rating(row: TableRow, senses: Container[str], source: object) -> Rating:
    cells = {name: _blank_to_empty(cell) for name, cell in row.cells.items()}
    value = parse_number(row, "judgment", source)
    if not JUDGMENT_SCALE.allows(value) and value != 0:
        problem = f"judgment {quote_value(cells['judgment'])} is off the scale from {JUDGMENT_SCALE.lowest} to {JUDGMENT_SCALE.highest}"
        raise InputError(f"{problem}; 0 is for those who cannot decide", path=source, line=row.line)
    if missing := [name for name in JUDGMENT_COLUMNS[:3] if not cells[name]]:
        raise InputError(f"the column {missing[0]} is empty", path=source, line=row.line)
    usage, target = cells["identifier1"], cells["identifier2"]
    task = "WSsim" if target in senses else "Usim"
    comment, time, round_ = (cells.get(name, "") for name in ("comment", "time", "round"))
    return Rating(cells["annotator"], task, cells["lemma"], usage, target, value or UNDECIDED, comment, time, round_)


def write_wug_judgments(ratings: Iterable[Rating], path: str | os.PathLike[str]) -> None:
    """Write a ``judgments.csv``; the senses that are judged must be in a ``senses.csv`` beside it already."""
    senses, rows = _senses_beside(path), []
    for number, rating in enumerate(ratings, start=2):
        rows.append(_judgment_cells(rating))
        again = _parse_rating(TableRow(number, rows[-1]), senses, path)
        if again.task != rating.task:
            problem = f"{quote_value(rating.target)} is judged for {quote_value(rating.task)}, but would be read as one of {again.task}"
            raise InputError(f"{problem}: a senses.csv beside it says what is a sense; write that first", path=path)
        if Ratings([again]) != Ratings([rating]):
            problem = f"the judgement of {quote_value(rating.usage)} by {quote_value(rating.annotator)} would be read back differently"
            raise InputError(f"{problem}: give no blank names or comments, or write ratings-csv", path=path)
    optional = [name for name in ("round", "time") if any(row[name] for row in rows)]
    columns = ["identifier1", "identifier2", "annotator", "judgment", "comment", "lemma", *optional]
    write_text(path, format_tsv(columns, rows, empty=" "))


def _judgment_cells(rating: Rating) -> dict[str, str]:
    return {
        "identifier1": rating.usage,
        "identifier2": rating.target,
        "annotator": rating.annotator,
        "judgment": "0" if math.isnan(rating.value) else format_number(rating.value),
        "comment": rating.comment,
        "lemma": rating.lemma,
        "round": rating.round,
        "time": rating.time,
    }


# -- senses --------------------------------------------------------------------------------------------------------


def read_wug_senses(source: Source) -> Inventory:
    """Read the senses of a ``senses.csv``: its column ``lemma`` names their lemma, or else the folder does."""
    return Inventory(_read_sense_rows(source))


def _parent_folder_name(path: object) -> str:
    return Path(str(path)).absolute().parent.name


def _read_sense_rows(source: Source) -> Iterator[Sense]:
    seen = UniqueNames("sense", source)
    for row in read_tsv_rows(source, SENSE_COLUMNS):
        lemma = _blank_to_empty(row.cells.get("lemma", "")) or _parent_folder_name(source)
        seen.add(row.cells[SENSE_COLUMNS[0]], row.line)
        yield Sense(row.cells[SENSE_COLUMNS[0]], lemma, gloss=_blank_to_empty(row.cells[SENSE_COLUMNS[1]]))


def write_wug_senses(inventory: Inventory, path: str | os.PathLike[str]) -> None:
    """Write a ``senses.csv``: ids and glosses, and lemmas unless the folder is called after the only one."""
    senses, seen = [sense for lemma in inventory for sense in inventory[lemma]], UniqueNames("sense", path)
    for number, sense in enumerate(senses, start=2):
        seen.add(sense.id, number)
        if not sense.lemma or sense.lemma.isspace() or sense.id.isspace():
            raise InputError(
                f"the sense {quote_value(sense.id)} of {quote_value(sense.lemma)} has no name or no lemma", path=path
            )
    rows = [
        {SENSE_COLUMNS[0]: sense.id, SENSE_COLUMNS[1]: _blank_to_empty(sense.gloss), "lemma": sense.lemma}
        for sense in senses
    ]
    columns = SENSE_COLUMNS if set(inventory) <= {_parent_folder_name(path)} else (*SENSE_COLUMNS, "lemma")
    write_text(path, format_tsv(columns, rows, empty=" "))


# -- clusters ------------------------------------------------------------------------------------------------------


def read_wug_clusters(source: Source) -> Labelling:
    """Read the labelling of a ``clusters.csv``: its column ``lemma`` names the lemmas, or else the folder does."""
    return Labelling(_read_cluster_rows(source))


def _read_cluster_rows(source: Source) -> Iterator[tuple[str, str, dict[str, float]]]:
    seen = UniqueNames("usage", source)
    for row in read_tsv_rows(source, CLUSTER_COLUMNS):
        usage, cluster = (row.cells[name] for name in CLUSTER_COLUMNS)
        lemma = _blank_to_empty(row.cells.get("lemma", "")) or _parent_folder_name(source)
        seen.add(usage, row.line)
        if not _blank_to_empty(usage) or not _CLUSTER.fullmatch(cluster):
            problem = f"cluster {quote_value(cluster)} of usage {quote_value(usage)} is not a whole number"
            raise InputError(f"{problem}; {NOISE_CLUSTER} is for a usage in no cluster", path=source, line=row.line)
        yield lemma, usage, {} if cluster == NOISE_CLUSTER else {f"{lemma}.{cluster}": 1.0}


def write_wug_clusters(
    labelling: Labelling, path: str | os.PathLike[str], noise: Mapping[str, str] | None = None
) -> None:
    """Write a ``clusters.csv``; ``noise`` are usages in no cluster, with their lemmas.

    A usage must have one sense, of weight 1, which is called after the lemma and a whole number, as ``plane_nn.1``.
    """
    rows = [(lemma, usage, _cluster_number(lemma, usage, senses, path)) for lemma, usage, senses in labelling.rows()]
    rows += [(lemma, usage, NOISE_CLUSTER) for usage, lemma in (noise or {}).items()]
    columns = (
        CLUSTER_COLUMNS
        if {lemma for lemma, _, _ in rows} <= {_parent_folder_name(path)}
        else (*CLUSTER_COLUMNS, "lemma")
    )
    cells = [{"identifier": usage, "cluster": cluster, "lemma": lemma} for lemma, usage, cluster in rows]
    write_text(path, format_tsv(columns, cells))


def _cluster_number(lemma: str, usage: str, senses: Mapping[str, float], path: object) -> str:
    """The number of the cluster of a usage."""
    name, weight = next(iter(senses.items()))
    number = name.removeprefix(f"{lemma}.")
    if not usage.strip() or not lemma.strip():
        raise InputError(f"usage {quote_value(usage)} of {quote_value(lemma)} has no name or no lemma", path=path)
    if len(senses) > 1 or weight != 1:
        problem = f"usage {quote_value(usage)} has {len(senses)} senses, the first of weight {weight:g}"
        raise InputError(f"{problem}; here it can have one cluster, without a weight: write a key instead", path=path)
    if number in (name, NOISE_CLUSTER) or not _CLUSTER.fullmatch(number):
        problem = f"usage {quote_value(usage)} has the sense {quote_value(name)}"
        raise InputError(f"{problem}, and a cluster is called by its lemma and a number: {lemma}.1", path=path)
    return number


FORMATS = (
    FileFormat(
        "usage-graph-uses",
        "the uses.csv of a word usage graph",
        has_columns(*USE_COLUMNS, delimiters="\t"),
        readers={"usages": read_wug_uses},
        writers={"usages": write_wug_uses},
        folder=True,
    ),
    FileFormat(
        "usage-graph-judgments",
        "the judgments.csv of a word usage graph",
        has_columns(*JUDGMENT_COLUMNS, delimiters="\t"),
        readers={"ratings": read_wug_judgments},
        writers={"ratings": write_wug_judgments},
        folder=True,
    ),
    FileFormat(
        "usage-graph-senses",
        "the senses.csv of a word usage graph",
        has_columns(*SENSE_COLUMNS, delimiters="\t"),
        readers={"inventory": read_wug_senses},
        writers={"inventory": write_wug_senses},
        folder=True,
    ),
    FileFormat(
        "usage-graph-clusters",
        "the clusters.csv of a word usage graph",
        has_columns(*CLUSTER_COLUMNS, delimiters="\t"),
        readers={"labelling": read_wug_clusters},
        writers={"labelling": write_wug_clusters},
        folder=True,
    ),
)
