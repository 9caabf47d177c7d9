"""Values from what people have in memory: dictionaries, data frames and tables of other libraries.

:mod:`polyseme.interface.opening` takes paths, names of data sets and more besides.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeGuard

from polyseme._labelling_table import rows_of_mapping
from polyseme.errors import InputError, quote_value
from polyseme.frames import TableRow, is_table, read_rows, require_columns
from polyseme.inventory import Inventory
from polyseme.labelling import Labelling
from polyseme.morphology import find_only_form
from polyseme.rating import Rating, Ratings
from polyseme.tabular import frame_of_records
from polyseme.usage import Usage

LabellingLike = Labelling | Mapping[str, Mapping[str, float]] | Sequence[Mapping[str, Any]] | Any
"""A labelling, usage → {sense: weight}, or a table with a row for each sense of a usage."""

USAGE_FIELDS = ("id", "lemma", "text", "start", "end", "pos")


def as_labelling(value: LabellingLike) -> Labelling:
    """Return a labelling: the value itself, that of a gold standard, or one that is built from a dictionary or a table.

    A usage ``win.v.1`` is of the lemma ``win.v``; usages whose ids name no lemma share one. A table may have a column
    ``lemma``.

    Raises:
        InputError: The value is none of these, or a weight is not a number of at least 0.

    >>> as_labelling({"win.v.1": {"a": 0.6, "b": 0.4}}).lemmas
    ('win.v',)
    >>> as_labelling([{"usage": "u1", "sense": "a", "weight": 1}])["u1"]
    {'a': 1.0}
    """
    if isinstance(labelling := getattr(value, "labelling", value), Labelling):
        return labelling
    if isinstance(value, Mapping):
        return Labelling(rows_of_mapping(value))
    return Labelling.from_records(_read_table(value, "a labelling", "usage → {sense: weight}"))


def as_ratings(value: Ratings | Any) -> Ratings:
    """Return ratings: the value itself, or those of a list of judgements, or of a table with a row for each.

    >>> row = {"annotator": "ann", "task": "WSsim", "lemma": "win.v", "usage": "win.v.1", "target": "a", "value": 5}
    >>> as_ratings([row])
    <Ratings: 1 judgement of 1 item by 1 annotator>
    """
    if isinstance(value, list | tuple) and value and all(isinstance(row, Rating) for row in value):
        return Ratings(value)
    return value if isinstance(value, Ratings) else Ratings.from_records(_read_table(value, "ratings", "rows"))


def as_inventory(value: Inventory | Any) -> Inventory:
    """Return an inventory: the value itself, lemma → senses, or the senses of a table with a row for each.

    >>> as_inventory({"bank.n": [{"id": "bank.n.1", "gloss": "sloping land"}]})["bank.n"][0].gloss
    'sloping land'
    """
    if not isinstance(value, Inventory) and isinstance(value, Mapping) and all(map(is_table, value.values())):
        value = [
            {"lemma": lemma, **row, "usages": as_usages(row.get("usages", ()))}
            for lemma, table in value.items()
            for row in read_rows(table)
        ]
    return value if isinstance(value, Inventory) else Inventory.from_records(_read_table(value, "senses", "rows"))


def as_usages(value: Iterable[Usage] | Any) -> list[Usage]:
    """Return usages: those of a sequence, or of a table with a row for each.

    A row has ``id``, ``lemma``, ``text``, ``start`` and ``end``, and perhaps ``pos``; other columns are ``meta``.
    Without ``start`` and ``end``, the target is the only form of the lemma in the text.

    >>> row = {"id": "win.v.1", "lemma": "win.v", "text": "We won.", "start": 3, "end": 6, "year": 1999}
    >>> usage, = as_usages([row])
    >>> usage.target, usage.meta["year"]
    ('won', 1999)
    """
    if isinstance(value, Usage):
        return [value]
    if is_table(value):
        return _usages_from_rows(read_rows(value))
    usages = list(value) if isinstance(value, Iterable) and not isinstance(value, str | bytes | Mapping) else [value]
    if wrong := [item for item in usages if not isinstance(item, Usage)]:
        raise InputError(f"{quote_value(wrong[0])} is not a usage; give usages, a table of them, or a path")
    return usages


def are_usages(value: object) -> TypeGuard[Sequence[Usage]]:
    """Whether a value is a list or tuple of usages, which needs no conversion.

    >>> are_usages([]), are_usages("usages.jsonl")
    (True, False)
    """
    return isinstance(value, list | tuple) and all(isinstance(item, Usage) for item in value)


def usages_to_frame(usages: Iterable[Usage]) -> Any:
    """Return usages as a data frame of pandas, which :func:`as_usages` reads back; ``meta`` becomes columns."""
    items = list(usages)
    names = dict.fromkeys(name for usage in items for name in usage.meta if name not in USAGE_FIELDS)
    rows = ({**usage.meta, **{name: getattr(usage, name) for name in USAGE_FIELDS}} for usage in items)
    return frame_of_records(rows, [*USAGE_FIELDS, *names])


def _usages_from_rows(rows: Sequence[TableRow]) -> list[Usage]:
    require_columns(rows, ("id", "lemma", "text"), "usages")
    usages = []
    for number, row in enumerate(rows, start=1):
        meta = {name: value for name, value in row.items() if name not in (*USAGE_FIELDS, "meta")}
        try:
            usage, lemma, text, pos = (str(row.get(name, "")) for name in ("id", "lemma", "text", "pos"))
            offsets: Any = row.get("start"), row.get("end")
            start, end = find_only_form(text, lemma, pos) if offsets == (None, None) else map(int, offsets)
            usages.append(Usage(usage, lemma, text, start, end, pos, {**row.get("meta", {}), **meta}))
        except (TypeError, ValueError) as error:
            raise InputError(f"row {number} of the table is not a usage: {error}") from None
    return usages


def _read_table(value: object, content: str, others: str) -> Sequence[TableRow]:
    if not is_table(value):
        raise InputError(f"{quote_value(value)} is not a table of {content}; give a data frame, or {others}")
    return read_rows(value)
