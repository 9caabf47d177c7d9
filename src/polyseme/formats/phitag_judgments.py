"""Items and judgements in the layout of PhiTag; see :mod:`polyseme.formats.phitag`."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from polyseme.errors import InputError, quote_value
from polyseme.formats.files import Blob, Source, encode_utf8, write_bytes
from polyseme.formats.phitag import USE_COLUMNS, format_phitag_table, read_phitag_rows
from polyseme.formats.ratings_jsonl import INTEGER_FIELDS
from polyseme.formats.registry import FileFormat
from polyseme.formats.tables import (
    TableRow,
    check_unique_rows,
    find_table_beside,
    folder_table,
    format_number,
    has_columns,
    parent_folder_name,
    parse_integer,
    parse_role,
)
from polyseme.formats.unique_names import UniqueNames
from polyseme.rating import CHOICE, UNDECIDED, WSSIM, Item, Rating, Ratings, Scale

INSTANCE_COLUMNS = ("instanceID", "dataIDs", "label_set")
JUDGMENT_COLUMNS = ("instanceID", "label", "annotator")
EXTRA_TEXT_COLUMNS = ("time", "round", "group", "role")
EXTRA_COLUMNS = (*EXTRA_TEXT_COLUMNS, *INTEGER_FIELDS)
"""Columns that PhiTag does not have, written only if a rating has a value in them."""

NO_ANSWER = "-"
"""The label of an annotator who gave no answer; in SYNbest also the target, as in the studio."""

_NUMBER = re.compile(r"-?[0-9]{1,9}(\.0+)?")


# -- instances -----------------------------------------------------------------------------------------------------


class PhitagInstance(NamedTuple):
    """An item: a usage, and a sense, another usage, or nothing if the annotator gives a substitute."""

    task: str
    lemma: str
    usage: str
    target: str
    labels: tuple[str, ...]
    no_answer: str


def read_phitag_instances(source: Source) -> dict[str, PhitagInstance]:
    """Read the instances of an ``instances.tsv`` by id, with the lemmas of the ``uses.tsv`` beside it."""
    return _parse_instances(source, _lemmas_beside(source))


def _lemmas_beside(source: Source) -> dict[str, str]:
    """Return usage → lemma from the ``uses.tsv`` beside a table; empty if there is none."""
    table = find_table_beside(source, "uses.tsv")
    rows = read_phitag_rows(table, USE_COLUMNS) if table else ()
    return {row.cells["dataID"]: row.cells["lemma"] for row in rows}


def _parse_instances(source: Source, lemmas: Mapping[str, str]) -> dict[str, PhitagInstance]:
    rows = check_unique_rows(read_phitag_rows(source, INSTANCE_COLUMNS), "instanceID", "instance", source)
    return {row.cells["instanceID"]: _parse_instance(row, lemmas, source) for row in rows}


def _parse_instance(row: TableRow, lemmas: Mapping[str, str], source: object) -> PhitagInstance:
    names = [name.strip() for name in row.cells["dataIDs"].split(",")]
    if not 1 <= len(names) <= 2 or "" in names:
        problem = f"dataIDs {quote_value(row.cells['dataIDs'])} is not a usage, a usage and a sense, or two usages"
        raise InputError(f"{problem}, with a comma between", path=source, line=row.line)
    usage, target = names[0], names[1] if len(names) == 2 else ""
    label_set = row.cells["label_set"].strip("()[] ")
    labels = tuple(label.strip() for label in label_set.split(",")) if label_set else ()
    task = _infer_task(target, set(labels), lemmas)
    lemma = lemmas.get(usage, "") or parent_folder_name(source)
    return PhitagInstance(task, lemma, usage, target, labels, row.cells.get("non_label", "").strip())


def _infer_task(target: str, labels: set[str], lemmas: Mapping[str, str]) -> str:
    if not target:
        return "SYNbest"
    if target in lemmas:
        return "Usim"
    return "WSbest" if labels == {"0", "1"} else "WSsim"


# -- judgements ----------------------------------------------------------------------------------------------------


def read_phitag_judgments(source: Source) -> Iterator[Rating]:
    """Yield the ratings of a ``judgments.tsv``; the ``instances.tsv`` beside it lists the items.

    White space at the ends of a label is not part of it, except in a substitute. An annotator judges an instance once;
    a second judgement needs another ``round``, ``role`` or ``order``. In SYNbest, an annotator may give several
    substitutes for an instance, each once.

    Raises:
        polyseme.errors.InputError: A table is missing, a judgement does not fit its instance, or is given twice.
    """
    table = find_table_beside(source, "instances.tsv")
    if table is None:
        problem = "there is no instances.tsv beside it, which says what was judged"
        raise InputError(f"{problem}; put both into one folder, and unpack archives", path=source)
    return _parse_judgments(source, read_phitag_instances(table))


def _parse_judgments(source: Source, instances: Mapping[str, PhitagInstance]) -> Iterator[Rating]:
    names = UniqueNames("judgement", source)
    for row in read_phitag_rows(source, JUDGMENT_COLUMNS):
        rating = _parse_rating(row, instances, source)
        names.add(_judgement_name(row.cells["instanceID"], rating), row.line)
        yield rating


def _judgement_name(instance: str, rating: Rating) -> str:
    """Name a judgement by instance, annotator, round, role and order, which are unique together."""
    substitute = rating.target if rating.task == "SYNbest" else ""
    order = "" if rating.order is None else f"order {rating.order}"
    details = (substitute, rating.round and f"round {rating.round}", rating.role, order)
    return ", ".join((f"{instance} by {rating.annotator}", *filter(None, details)))


def _parse_rating(row: TableRow, instances: Mapping[str, PhitagInstance], source: object) -> Rating:
    cells = row.cells
    id = quote_value(cells["instanceID"])
    instance = instances.get(cells["instanceID"])
    if instance is None:
        problem = f"the judgement is of instance {id}, which instances.tsv does not list"
        raise InputError(f"{problem}; add it there, or write one that it lists", path=source, line=row.line)
    if not cells["annotator"]:
        problem = f"the judgement of instance {id} names no annotator"
        raise InputError(f"{problem}; write who judged into the column annotator", path=source, line=row.line)
    time, round_, group = (cells.get(name, "") for name in ("time", "round", "group"))
    role = parse_role(row, source)
    target, value = _parse_answer(instance, cells["label"], row, source)
    comment = cells.get("comment", "")
    comment = "" if comment.strip() in ("", NO_ANSWER) else comment
    order, milliseconds = (parse_integer(row, name, source) for name in INTEGER_FIELDS)
    fields = (instance.task, instance.lemma, instance.usage, target, value, comment, time, round_, group, role)
    return Rating(cells["annotator"], *fields, order, milliseconds)


def _parse_answer(instance: PhitagInstance, label: str, row: TableRow, source: object) -> tuple[str, float]:
    """Return the target and its value: a substitute is chosen, everything else is rated by one of the labels."""
    stripped = label.strip()
    is_silent = stripped in ("", NO_ANSWER, instance.no_answer)
    if instance.task == "SYNbest":
        return (NO_ANSWER, UNDECIDED) if is_silent else (label, 1.0)
    if is_silent:
        return instance.target, UNDECIDED
    allowed = {float(number) for number in instance.labels if _NUMBER.fullmatch(number)}
    if not _NUMBER.fullmatch(stripped) or (allowed and float(stripped) not in allowed):
        problem = f"label {quote_value(label)} of instance {quote_value(row.cells['instanceID'])}"
        label_set = f"{', '.join(instance.labels)}; {NO_ANSWER} is for no answer"
        raise InputError(f"{problem} is not one of its label_set, {label_set}", path=source, line=row.line)
    return instance.target, float(stripped)


def write_phitag_judgments(
    ratings: Iterable[Rating],
    path: str | os.PathLike[str],
    scale: Scale | None = None,
    items: Iterable[Item] = (),
) -> None:
    """Write a ``judgments.tsv``, and beside it the ``instances.tsv`` that it needs.

    Ratings of Usim need a ``uses.tsv`` there already, which lists their targets as usages. If a rating would not be
    read back unchanged, neither table is written.

    Args:
        ratings: The judgements.
        path: The ``judgments.tsv``.
        scale: The labels of WSsim and Usim; by default from 1 to 5, or as far as the values go.
        items: Further items. They become instances without judgements, which :func:`read_phitag_instances` reads and
            :func:`read_phitag_judgments` does not.

    Raises:
        polyseme.errors.InputError: A rating would not be read back unchanged.
    """
    rows = list(ratings)
    table = Path(path).with_name("instances.tsv")
    names = _name_instances([*items, *(rating.item for rating in rows)])
    rating_scale = scale or _infer_scale(rows)
    instance_cells = [_instance_cells(key, name, rating_scale) for key, name in names.items()]
    instance_data = encode_utf8(table, format_phitag_table((*INSTANCE_COLUMNS, "non_label"), instance_cells))
    instances = _parse_instances(Blob(str(table), instance_data), _lemmas_beside(table))
    cells = [_judgment_cells(rating, names[_instance_key(rating.item)]) for rating in rows]
    optional = [name for name in EXTRA_COLUMNS if any(row[name] for row in cells)]
    columns = ("instanceID", "label", "comment", "annotator", *optional)
    judgment_data = encode_utf8(path, format_phitag_table(columns, cells))
    for rating, parsed_rating in zip(rows, _parse_judgments(Blob(str(path), judgment_data), instances), strict=True):
        if Ratings([parsed_rating]) != Ratings([rating]):
            raise InputError(_describe_misread(rating, parsed_rating), path=path)
    write_bytes(table, instance_data)
    write_bytes(path, judgment_data)


def _describe_misread(rating: Rating, parsed_rating: Rating) -> str:
    differing = (
        name for name in Rating._fields if name != "value" and getattr(rating, name) != getattr(parsed_rating, name)
    )
    wrong = next(differing, "value")
    judgement = f"the judgement of {quote_value(rating.usage)} by {quote_value(rating.annotator)} ({rating.task})"
    problem = f"{judgement} would be read back with another {wrong}, {quote_value(str(getattr(parsed_rating, wrong)))}"
    return f"{problem}: a uses.tsv beside it says what is a usage, and of which lemma; or write ratings-csv"


InstanceKey = tuple[str, str, str]
"""An instance by task, usage and target."""


def _instance_key(item: Item) -> InstanceKey:
    return item.task, item.usage, "" if item.task == "SYNbest" else item.target


def _name_instances(items: Iterable[Item]) -> dict[InstanceKey, str]:
    """Name each instance after its usage and target; further ones of the same name are numbered."""
    names: dict[InstanceKey, str] = {}
    taken_names: set[str] = set()
    for key in dict.fromkeys(map(_instance_key, items)):
        name = base = "-".join(filter(None, key[1:]))
        number = 2
        while name in taken_names:
            name, number = f"{base}-{number}", number + 1
        taken_names.add(name)
        names[key] = name
    return names


def _infer_scale(ratings: Iterable[Rating]) -> Scale:
    """Return the scale from 1 to 5, or one that extends as far as the values."""
    values = [row.value for row in ratings if row.task not in ("WSbest", "SYNbest") and math.isfinite(row.value)]
    lowest, highest = min([*values, WSSIM.lowest]), max([*values, WSSIM.highest])
    if (lowest, highest) == (WSSIM.lowest, WSSIM.highest) or highest - lowest > 100:
        return WSSIM
    return Scale(math.floor(lowest), ("",) * (math.ceil(highest) - math.floor(lowest) + 1))


def _instance_cells(key: InstanceKey, name: str, rating_scale: Scale) -> dict[str, str]:
    task, usage, target = key
    scale = CHOICE if task == "WSbest" else rating_scale
    labels = "" if task == "SYNbest" else ",".join(str(label) for label in range(scale.lowest, scale.highest + 1))
    data = ",".join(filter(None, (usage, target)))
    return dict(zip((*INSTANCE_COLUMNS, "non_label"), (name, data, labels, NO_ANSWER), strict=True))


def _judgment_cells(rating: Rating, instance: str) -> dict[str, str]:
    value = NO_ANSWER if math.isnan(rating.value) else format_number(rating.value)
    integers = {name: "" if (number := getattr(rating, name)) is None else str(number) for name in INTEGER_FIELDS}
    return {
        "instanceID": instance,
        "label": rating.target if rating.task == "SYNbest" else value,
        "comment": rating.comment or NO_ANSWER,
        "annotator": rating.annotator,
        **{name: getattr(rating, name) for name in EXTRA_TEXT_COLUMNS},
        **integers,
    }


_is_instances = has_columns(*INSTANCE_COLUMNS, delimiters="\t")
FORMATS = (
    FileFormat("phitag-instances", "the instances.tsv of PhiTag", _is_instances, folder=True),
    folder_table(
        "phitag-judgments",
        "the judgments.tsv of PhiTag",
        JUDGMENT_COLUMNS,
        "ratings",
        read_phitag_judgments,
        write_phitag_judgments,
    ),
)
