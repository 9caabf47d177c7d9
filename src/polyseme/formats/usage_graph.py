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

from polyseme.errors import InputError, shown
from polyseme.formats.files import Blob, Source, write_text
from polyseme.formats.format import Format
from polyseme.formats.tables import Row, digits, format_plain, has_columns, number_in, plain_rows
from polyseme.formats.unique import Unique
from polyseme.inventory import Inventory, Sense
from polyseme.labelling import Labelling
from polyseme.rating import UNDECIDED, WSSIM, Rating, Ratings
from polyseme.sentence import part_of_speech
from polyseme.usage import Usage

USES = ("identifier", "lemma", "context", "indexes_target_token")
JUDGMENTS = ("identifier1", "identifier2", "annotator", "judgment", "lemma")
SENSES = ("identifier_sense", "description_sense")
CLUSTERS = ("identifier", "cluster")
COLUMNS = ("lemma", "pos", "date", "grouping", "identifier", "description", "context", "indexes_target_token")

SCALE = WSSIM
"""Judgements are 1 to 4 on the scale of DURel, and 5 as well on that of Usim."""

NOISE = "-1"
"""The cluster of a usage that is in none."""

_CLUSTER = re.compile(r"0|-?[1-9][0-9]{0,8}")
_SPANS = re.compile(r"([0-9]{1,9}):([0-9]{1,9})(,[0-9]{1,9}:[0-9]{1,9})*")


def _said(cell: str) -> str:
    return "" if cell.isspace() else cell


# -- usages --------------------------------------------------------------------------------------------------------


def read_uses(source: Source) -> Iterator[Usage]:
    """Read the usages of a ``uses.csv``."""
    seen = Unique("usage", source)
    for row in plain_rows(source, USES):
        seen.add(row.cells["identifier"], row.line)
        yield _usage(row, source)


def _usage(row: Row, source: object) -> Usage:
    cells = row.cells
    text, spans, tag = cells["context"], cells["indexes_target_token"], _said(cells.get("pos", ""))
    found = _SPANS.fullmatch(spans.replace(" ", ""))
    if found is None or not int(found[1]) <= int(found[2]) <= len(text):
        problem = f"the target {shown(spans)} is not a part of the context, which has {len(text)} characters"
        raise InputError(f"{problem}. It reads first:last, counted from 0, as 26:34", path=source, line=row.line)
    pos = _part(tag)
    meta = {name: cell for name, cell in cells.items() if name not in (*USES, "pos") and _said(cell)}
    meta |= {"pos": tag} if tag != pos else {}
    meta |= {"indexes_target_token": spans} if found[3] else {}
    return Usage(cells["identifier"], cells["lemma"], text, int(found[1]), int(found[2]), pos, meta)


def _part(tag: str) -> str:
    return tag if tag in ("n", "v", "a", "r") else part_of_speech(tag)


def write_uses(usages: Iterable[Usage], path: str | os.PathLike[str]) -> None:
    """Write a ``uses.csv``; a usage that would not be read back as it is, is an error."""
    rows, columns, seen = [], dict.fromkeys(COLUMNS, " "), Unique("usage", path)
    for number, usage in enumerate(usages, start=2):
        rows.append(_cells(usage))
        columns |= dict.fromkeys(rows[-1], " ")
        seen.add(usage.id, number)
        again = _usage(Row(number, rows[-1]), path)
        kept = {name: value for name, value in usage.meta.items() if value != ""}
        if again != usage or again.meta != kept:
            wrong = next((name for name in kept if again.meta.get(name) != kept[name]), "pos")
            problem = f"usage {shown(usage.id)}: its {shown(wrong)} would be read back as something else"
            raise InputError(f"{problem}; rename or replace it, or write JSON Lines", path=path)
    write_text(path, format_plain(list(columns), (columns | row for row in rows)))


def _cells(usage: Usage) -> dict[str, str]:
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


def read_judgments(source: Source, senses: Container[str] | None = None) -> Iterator[Rating]:
    """Read the ratings of a ``judgments.csv``; ``senses`` are those of the ``senses.csv`` beside it unless given.

    Beside a file in an archive nothing is found. Columns without a place in a rating are not looked at.
    """
    known = _senses_beside(source) if senses is None else senses
    return (_rating(row, known, source) for row in plain_rows(source, JUDGMENTS))


def _senses_beside(source: Source) -> Container[str]:
    beside = None if isinstance(source, Blob) else Path(source).with_name("senses.csv")
    return {row.cells[SENSES[0]] for row in plain_rows(beside, SENSES)} if beside and beside.is_file() else ()


def _rating(row: Row, senses: Container[str], source: object) -> Rating:
    cells = {name: _said(cell) for name, cell in row.cells.items()}
    value = number_in(row, "judgment", source)
    if not SCALE.allows(value) and value != 0:
        problem = f"judgment {shown(cells['judgment'])} is off the scale from {SCALE.lowest} to {SCALE.highest}"
        raise InputError(f"{problem}; 0 is for those who cannot decide", path=source, line=row.line)
    if missing := [name for name in JUDGMENTS[:3] if not cells[name]]:
        raise InputError(f"the column {missing[0]} is empty", path=source, line=row.line)
    usage, target = cells["identifier1"], cells["identifier2"]
    task = "WSsim" if target in senses else "Usim"
    comment, time, round_ = (cells.get(name, "") for name in ("comment", "time", "round"))
    return Rating(cells["annotator"], task, cells["lemma"], usage, target, value or UNDECIDED, comment, time, round_)


def write_judgments(ratings: Iterable[Rating], path: str | os.PathLike[str]) -> None:
    """Write a ``judgments.csv``; the senses that are judged must be in a ``senses.csv`` beside it already."""
    senses, rows = _senses_beside(path), []
    for number, rating in enumerate(ratings, start=2):
        rows.append(_judgment(rating))
        again = _rating(Row(number, rows[-1]), senses, path)
        if again.task != rating.task:
            problem = (
                f"{shown(rating.target)} is judged for {shown(rating.task)}, but would be read as one of {again.task}"
            )
            raise InputError(f"{problem}: a senses.csv beside it says what is a sense; write that first", path=path)
        if Ratings([again]) != Ratings([rating]):
            problem = (
                f"the judgement of {shown(rating.usage)} by {shown(rating.annotator)} would be read back differently"
            )
            raise InputError(f"{problem}: give no blank names or comments, or write ratings-csv", path=path)
    optional = [name for name in ("round", "time") if any(row[name] for row in rows)]
    columns = ["identifier1", "identifier2", "annotator", "judgment", "comment", "lemma", *optional]
    write_text(path, format_plain(columns, rows, empty=" "))


def _judgment(rating: Rating) -> dict[str, str]:
    return {
        "identifier1": rating.usage,
        "identifier2": rating.target,
        "annotator": rating.annotator,
        "judgment": "0" if math.isnan(rating.value) else digits(rating.value),
        "comment": rating.comment,
        "lemma": rating.lemma,
        "round": rating.round,
        "time": rating.time,
    }


# -- senses --------------------------------------------------------------------------------------------------------


def read_senses(source: Source) -> Inventory:
    """Read the senses of a ``senses.csv``: its column ``lemma`` names their lemma, or else the folder does."""
    return Inventory(_senses(source))


def _folder(path: object) -> str:
    return Path(str(path)).absolute().parent.name


def _senses(source: Source) -> Iterator[Sense]:
    seen = Unique("sense", source)
    for row in plain_rows(source, SENSES):
        lemma = _said(row.cells.get("lemma", "")) or _folder(source)
        seen.add(row.cells[SENSES[0]], row.line)
        yield Sense(row.cells[SENSES[0]], lemma, gloss=_said(row.cells[SENSES[1]]))


def write_senses(inventory: Inventory, path: str | os.PathLike[str]) -> None:
    """Write a ``senses.csv``: ids and glosses, and lemmas unless the folder is called after the only one."""
    senses, seen = [sense for lemma in inventory for sense in inventory[lemma]], Unique("sense", path)
    for number, sense in enumerate(senses, start=2):
        seen.add(sense.id, number)
        if not sense.lemma or sense.lemma.isspace() or sense.id.isspace():
            raise InputError(f"the sense {shown(sense.id)} of {shown(sense.lemma)} has no name or no lemma", path=path)
    rows = [{SENSES[0]: sense.id, SENSES[1]: _said(sense.gloss), "lemma": sense.lemma} for sense in senses]
    columns = SENSES if set(inventory) <= {_folder(path)} else (*SENSES, "lemma")
    write_text(path, format_plain(columns, rows, empty=" "))


# -- clusters ------------------------------------------------------------------------------------------------------


def read_clusters(source: Source) -> Labelling:
    """Read the labelling of a ``clusters.csv``: its column ``lemma`` names the lemmas, or else the folder does."""
    return Labelling(_clusters(source))


def _clusters(source: Source) -> Iterator[tuple[str, str, dict[str, float]]]:
    seen = Unique("usage", source)
    for row in plain_rows(source, CLUSTERS):
        usage, cluster = (row.cells[name] for name in CLUSTERS)
        lemma = _said(row.cells.get("lemma", "")) or _folder(source)
        seen.add(usage, row.line)
        if not _said(usage) or not _CLUSTER.fullmatch(cluster):
            problem = f"cluster {shown(cluster)} of usage {shown(usage)} is not a whole number"
            raise InputError(f"{problem}; {NOISE} is for a usage in no cluster", path=source, line=row.line)
        yield lemma, usage, {} if cluster == NOISE else {f"{lemma}.{cluster}": 1.0}


def write_clusters(labelling: Labelling, path: str | os.PathLike[str], noise: Mapping[str, str] | None = None) -> None:
    """Write a ``clusters.csv``; ``noise`` are usages in no cluster, with their lemmas.

    A usage must have one sense, of weight 1, which is called after the lemma and a whole number, as ``plane_nn.1``.
    """
    rows = [(lemma, usage, _cluster(lemma, usage, senses, path)) for lemma, usage, senses in labelling.rows()]
    rows += [(lemma, usage, NOISE) for usage, lemma in (noise or {}).items()]
    columns = CLUSTERS if {lemma for lemma, _, _ in rows} <= {_folder(path)} else (*CLUSTERS, "lemma")
    cells = [{"identifier": usage, "cluster": cluster, "lemma": lemma} for lemma, usage, cluster in rows]
    write_text(path, format_plain(columns, cells))


def _cluster(lemma: str, usage: str, senses: Mapping[str, float], path: object) -> str:
    """The number of the cluster of a usage."""
    name, weight = next(iter(senses.items()))
    number = name.removeprefix(f"{lemma}.")
    if not usage.strip() or not lemma.strip():
        raise InputError(f"usage {shown(usage)} of {shown(lemma)} has no name or no lemma", path=path)
    if len(senses) > 1 or weight != 1:
        problem = f"usage {shown(usage)} has {len(senses)} senses, the first of weight {weight:g}"
        raise InputError(f"{problem}; here it can have one cluster, without a weight: write a key instead", path=path)
    if number in (name, NOISE) or not _CLUSTER.fullmatch(number):
        problem = f"usage {shown(usage)} has the sense {shown(name)}"
        raise InputError(f"{problem}, and a cluster is called by its lemma and a number: {lemma}.1", path=path)
    return number


FORMATS = (
    Format(
        "usage-graph-uses",
        "the uses.csv of a word usage graph",
        has_columns(*USES, delimiters="\t"),
        readers={"usages": read_uses},
        writers={"usages": write_uses},
        folder=True,
    ),
    Format(
        "usage-graph-judgments",
        "the judgments.csv of a word usage graph",
        has_columns(*JUDGMENTS, delimiters="\t"),
        readers={"ratings": read_judgments},
        writers={"ratings": write_judgments},
        folder=True,
    ),
    Format(
        "usage-graph-senses",
        "the senses.csv of a word usage graph",
        has_columns(*SENSES, delimiters="\t"),
        readers={"inventory": read_senses},
        writers={"inventory": write_senses},
        folder=True,
    ),
    Format(
        "usage-graph-clusters",
        "the clusters.csv of a word usage graph",
        has_columns(*CLUSTERS, delimiters="\t"),
        readers={"labelling": read_clusters},
        writers={"labelling": write_clusters},
        folder=True,
    ),
)
