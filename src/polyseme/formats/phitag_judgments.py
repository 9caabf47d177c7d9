"""What is judged, and the judgements, in the layout of PhiTag: see :mod:`polyseme.formats.phitag`."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from polyseme.errors import InputError, quote_value
from polyseme.formats.files import Blob, Source, encode_utf8, write_bytes
from polyseme.formats.phitag import USE_COLUMNS, format_phitag_table, parent_folder_name, read_phitag_rows
from polyseme.formats.registry import FileFormat
from polyseme.formats.tables import TableRow, format_number, has_columns
from polyseme.formats.unique_names import UniqueNames
from polyseme.rating import CHOICE, ROLES, UNDECIDED, WSSIM, Item, Rating, Ratings, Scale

INSTANCE_COLUMNS = ("instanceID", "dataIDs", "label_set")
JUDGMENT_COLUMNS = ("instanceID", "label", "annotator")
EXTRA_COLUMNS = ("time", "round", "group", "role", "order", "milliseconds")
"""Columns of our own, written only where a rating has something in them."""

NO_ANSWER = "-"
"""The label of an annotator who gave no answer; of SYNbest, the target too, as in the studio."""

_NUMBER = re.compile(r"-?[0-9]{1,9}(\.0+)?")
_WHOLE = re.compile(r"[0-9]{1,15}")


# -- instances -----------------------------------------------------------------------------------------------------


class PhitagInstance(NamedTuple):
    """What is judged: a usage, and a sense, another usage, or nothing, if a substitute is asked for."""

    task: str
    lemma: str
    usage: str
    target: str
    labels: tuple[str, ...]
    no_answer: str


def read_phitag_instances(source: Source) -> dict[str, PhitagInstance]:
    """Instance → what is judged, of an ``instances.tsv``, with the lemmas of the ``uses.tsv`` beside it."""
    return _parse_instances(source, _lemmas_beside(source))


def _lemmas_beside(source: Source) -> dict[str, str]:
    """Usage → lemma, of the ``uses.tsv`` beside a table; empty if there is none."""
    beside = _table_beside(source, "uses.tsv")
    return {row.cells["dataID"]: row.cells["lemma"] for row in read_phitag_rows(beside, USE_COLUMNS)} if beside else {}


def _parse_instances(source: Source, lemmas: Mapping[str, str]) -> dict[str, PhitagInstance]:
    instances, seen = {}, UniqueNames("instance", source)
    for row in read_phitag_rows(source, INSTANCE_COLUMNS):
        seen.add(row.cells["instanceID"], row.line)
        instances[row.cells["instanceID"]] = _parse_instance(row, lemmas, source)
    return instances


def _parse_instance(row: TableRow, lemmas: Mapping[str, str], source: object) -> PhitagInstance:
    names = [name.strip() for name in row.cells["dataIDs"].split(",")]
    if not 1 <= len(names) <= 2 or "" in names:
        problem = f"dataIDs {quote_value(row.cells['dataIDs'])} is not a usage, a usage and a sense, or two usages"
        raise InputError(f"{problem}, with a comma between", path=source, line=row.line)
    usage, target = names[0], names[1] if len(names) == 2 else ""
    listed = row.cells["label_set"].strip("()[] ")
    labels = tuple(label.strip() for label in listed.split(",")) if listed else ()
    task = _infer_task(target, set(labels), lemmas)
    lemma = lemmas.get(usage, "") or parent_folder_name(source)
    return PhitagInstance(task, lemma, usage, target, labels, row.cells.get("non_label", "").strip())


def _infer_task(target: str, labels: set[str], lemmas: Mapping[str, str]) -> str:
    if not target:
        return "SYNbest"
    if target in lemmas:
        return "Usim"
    return "WSbest" if labels == {"0", "1"} else "WSsim"


def _table_beside(source: Source, name: str) -> Path | None:
    """The table of this name in the same folder, if there is one; beside a file in an archive nothing is found."""
    path = None if isinstance(source, Blob) else Path(source).with_name(name)
    return path if path and path.is_file() else None


# -- judgements ----------------------------------------------------------------------------------------------------


def read_phitag_judgments(source: Source) -> Iterator[Rating]:
    """Read the ratings of a ``judgments.tsv``; the ``instances.tsv`` beside it says what was judged.

    White space at the ends of a label is not part of it; only a substitute is read as it is written.

    An annotator judges an instance once; a second judgement needs another ``round``, ``role`` or ``order``. For an
    instance of SYNbest, an annotator may give several substitutes, each once.

    Raises:
        polyseme.errors.InputError: A table is missing, a judgement does not fit its instance, or is given twice.
    """
    beside = _table_beside(source, "instances.tsv")
    if beside is None:
        problem = "there is no instances.tsv beside it, which says what was judged"
        raise InputError(f"{problem}; put both into one folder, and unpack archives", path=source)
    return _parse_judgments(source, read_phitag_instances(beside))


def _parse_judgments(source: Source, instances: Mapping[str, PhitagInstance]) -> Iterator[Rating]:
    seen = UniqueNames("judgement", source)
    for row in read_phitag_rows(source, JUDGMENT_COLUMNS):
        rating = _parse_rating(row, instances, source)
        seen.add(_judgement_name(row.cells["instanceID"], rating), row.line)
        yield rating


def _judgement_name(instance: str, rating: Rating) -> str:
    """What one annotator gives once: a judgement of an instance in a round, a role and a place in the order."""
    substitute = rating.target if rating.task == "SYNbest" else ""
    order = "" if rating.order is None else f"order {rating.order}"
    details = (substitute, rating.round and f"round {rating.round}", rating.role, order)
    return ", ".join((f"{instance} by {rating.annotator}", *filter(None, details)))


def _parse_rating(row: TableRow, instances: Mapping[str, PhitagInstance], source: object) -> Rating:
    cells = row.cells
    instance = instances.get(cells["instanceID"])
    if instance is None:
        problem = f"the judgement is of instance {quote_value(cells['instanceID'])}, which instances.tsv does not list"
        raise InputError(f"{problem}; add it there, or write one that it lists", path=source, line=row.line)
    if not cells["annotator"]:
        problem = f"the judgement of instance {quote_value(cells['instanceID'])} names no annotator"
        raise InputError(f"{problem}; write who judged into the column annotator", path=source, line=row.line)
    target, value = _parse_answer(instance, cells["label"], row, source)
    comment = cells.get("comment", "")
    comment = "" if comment.strip() in ("", NO_ANSWER) else comment
    fields = (instance.task, instance.lemma, instance.usage, target, value, comment)
    return Rating(cells["annotator"], *fields, *_parse_extra(row, source))


def _parse_answer(instance: PhitagInstance, label: str, row: TableRow, source: object) -> tuple[str, float]:
    """The target and its value: a substitute is chosen, everything else is rated by one of the labels."""
    plain = label.strip()
    silent = plain in ("", NO_ANSWER, instance.no_answer)
    if instance.task == "SYNbest":
        return (NO_ANSWER, UNDECIDED) if silent else (label, 1.0)
    if silent:
        return instance.target, UNDECIDED
    allowed = {float(number) for number in instance.labels if _NUMBER.fullmatch(number)}
    if not _NUMBER.fullmatch(plain) or (allowed and float(plain) not in allowed):
        problem = (
            f"label {quote_value(label)} of instance {quote_value(row.cells['instanceID'])} is not one of its label_set"
        )
        raise InputError(
            f"{problem}, {', '.join(instance.labels)}; {NO_ANSWER} is for no answer", path=source, line=row.line
        )
    return instance.target, float(plain)


def _parse_extra(row: TableRow, source: object) -> tuple[str, str, str, str, int | None, int | None]:
    time, round_, group, role = (row.cells.get(name, "") for name in EXTRA_COLUMNS[:4])
    if role not in ROLES:
        problem = f"role {quote_value(role)} is not known; allowed are nothing, {', '.join(ROLES[1:])}"
        raise InputError(problem, path=source, line=row.line)
    order, took = (_parse_integer(row, name, source) for name in EXTRA_COLUMNS[4:])
    return time, round_, group, role, order, took


def _parse_integer(row: TableRow, name: str, source: object) -> int | None:
    text = row.cells.get(name, "")
    if text and not _WHOLE.fullmatch(text):
        raise InputError(f"{name} {quote_value(text)} is not a whole number", path=source, line=row.line)
    return int(text) if text else None


def write_phitag_judgments(
    ratings: Iterable[Rating],
    path: str | os.PathLike[str],
    scale: Scale | None = None,
    items: Iterable[Item] = (),
) -> None:
    """Write a ``judgments.tsv``, and beside it the ``instances.tsv`` that it needs.

    Ratings of Usim need a ``uses.tsv`` there already, which says that their targets are usages. A rating that would not
    be read back as it is, is an error, and then neither table is written.

    Args:
        ratings: The judgements.
        path: The ``judgments.tsv``.
        scale: The labels of WSsim and Usim; by default from 1 to 5, or as far as the values go.
        items: What is to be judged besides what the ratings are of. They become instances without judgements, which
            :func:`read_instances` reads again, and :func:`read_judgments` does not.
    """
    rows = list(ratings)
    table = Path(path).with_name("instances.tsv")
    names = _name_instances([*items, *(rating.item for rating in rows)])
    rated = scale or _infer_scale(rows)
    instance_cells = [_instance_cells(key, name, rated) for key, name in names.items()]
    instance_data = encode_utf8(table, format_phitag_table((*INSTANCE_COLUMNS, "non_label"), instance_cells))
    instances = _parse_instances(Blob(str(table), instance_data), _lemmas_beside(table))
    cells = [_judgment_cells(rating, names[_instance_key(rating.item)]) for rating in rows]
    optional = [name for name in EXTRA_COLUMNS if any(row[name] for row in cells)]
    columns = ("instanceID", "label", "comment", "annotator", *optional)
    judgment_data = encode_utf8(path, format_phitag_table(columns, cells))
    for rating, again in zip(rows, _parse_judgments(Blob(str(path), judgment_data), instances), strict=True):
        if Ratings([again]) != Ratings([rating]):
            raise InputError(_describe_misread(rating, again), path=path)
    write_bytes(table, instance_data)
    write_bytes(path, judgment_data)


def _describe_misread(rating: Rating, again: Rating) -> str:
    unlike = (name for name in Rating._fields if name != "value" and getattr(rating, name) != getattr(again, name))
    wrong = next(unlike, "value")
    judgement = f"the judgement of {quote_value(rating.usage)} by {quote_value(rating.annotator)} ({rating.task})"
    problem = f"{judgement} would be read back with another {wrong}, {quote_value(str(getattr(again, wrong)))}"
    return f"{problem}: a uses.tsv beside it says what is a usage, and of which lemma; or write ratings-csv"


InstanceKey = tuple[str, str, str]
"""An instance by task, usage and target."""


def _instance_key(item: Item) -> InstanceKey:
    return item.task, item.usage, "" if item.task == "SYNbest" else item.target


def _name_instances(items: Iterable[Item]) -> dict[InstanceKey, str]:
    """A name for each instance, made of its usage and target; a second of that name is numbered."""
    names: dict[InstanceKey, str] = {}
    taken: set[str] = set()
    for key in dict.fromkeys(map(_instance_key, items)):
        name = plain = "-".join(filter(None, key[1:]))
        number = 2
        while name in taken:
            name, number = f"{plain}-{number}", number + 1
        taken.add(name)
        names[key] = name
    return names


def _infer_scale(ratings: Iterable[Rating]) -> Scale:
    """From 1 to 5, or as far as the values go beyond that."""
    values = [row.value for row in ratings if row.task not in ("WSbest", "SYNbest") and math.isfinite(row.value)]
    lowest, highest = min([*values, WSSIM.lowest]), max([*values, WSSIM.highest])
    if (lowest, highest) == (WSSIM.lowest, WSSIM.highest) or highest - lowest > 100:
        return WSSIM
    return Scale(math.floor(lowest), ("",) * (math.ceil(highest) - math.floor(lowest) + 1))


def _instance_cells(key: InstanceKey, name: str, scale: Scale) -> dict[str, str]:
    task, usage, target = key
    used = CHOICE if task == "WSbest" else scale
    labels = "" if task == "SYNbest" else ",".join(str(label) for label in range(used.lowest, used.highest + 1))
    data = ",".join(filter(None, (usage, target)))
    return dict(zip((*INSTANCE_COLUMNS, "non_label"), (name, data, labels, NO_ANSWER), strict=True))


def _judgment_cells(rating: Rating, instance: str) -> dict[str, str]:
    label = (
        rating.target
        if rating.task == "SYNbest"
        else format_number(rating.value)
        if rating.value == rating.value
        else "-"
    )
    numbers = {name: "" if (value := getattr(rating, name)) is None else str(value) for name in EXTRA_COLUMNS[4:]}
    return {
        "instanceID": instance,
        "label": label,
        "comment": rating.comment or NO_ANSWER,
        "annotator": rating.annotator,
        **{name: getattr(rating, name) for name in EXTRA_COLUMNS[:4]},
        **numbers,
    }


FORMATS = (
    FileFormat(
        "phitag-instances", "the instances.tsv of PhiTag", has_columns(*INSTANCE_COLUMNS, delimiters="\t"), folder=True
    ),
    FileFormat(
        "phitag-judgments",
        "the judgments.tsv of PhiTag",
        has_columns(*JUDGMENT_COLUMNS, delimiters="\t"),
        readers={"ratings": read_phitag_judgments},
        writers={"ratings": write_phitag_judgments},
        folder=True,
    ),
)
