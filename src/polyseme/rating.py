"""Judgements of annotators about usages, one a row, and the scales of their values."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from polyseme.arrays import Floats
from polyseme.errors import InputError, count_noun
from polyseme.frames import TableRow, require_columns
from polyseme.inventory import Inventory
from polyseme.lemma import DATA_SET_POS_LETTERS, split_lemma
from polyseme.tabular import Tabular

UNDECIDED = math.nan
"""The value of a rating whose annotator could not decide: not the same as the lowest value."""


@dataclass(frozen=True)
class Scale:
    """The values of a rating and the meaning of each.

    Args:
        lowest: The lowest value.
        labels: The meanings of the values, from the lowest up.

    >>> WSSIM.label(5), WSSIM.allows(2.5)
    ('identical', False)
    """

    lowest: int
    labels: tuple[str, ...]

    @property
    def highest(self) -> int:
        """The highest value."""
        return self.lowest + len(self.labels) - 1

    def label(self, value: float) -> str:
        """Return the meaning of a value."""
        if not self.allows(value) or math.isnan(value):
            raise ValueError(f"{value} is not on the scale from {self.lowest} to {self.highest}")
        return self.labels[int(value) - self.lowest]

    def allows(self, value: float) -> bool:
        """Whether a rating can have this value; :data:`UNDECIDED` is always allowed."""
        return math.isnan(value) or (self.lowest <= value <= self.highest and value == int(value))


WSSIM = Scale(1, ("completely different", "mostly different", "similar", "very similar", "identical"))
"""The scale of WSsim and Usim. (Erk, McCarthy & Gaylord 2013)"""

DUREL = Scale(1, ("unrelated", "distantly related", "closely related", "identical"))
"""The scale of word usage graphs. (Schlechtweg et al. 2018)"""

CHOICE = Scale(0, ("not chosen", "chosen"))
"""The scale of WSbest and SYNbest, in which annotators choose a sense or a substitute."""


def highest_mode(values: Sequence[float]) -> float:
    """Return the mode, the highest of several, as in the trial data of SemEval-2013 Task 13.

    >>> highest_mode([1, 3, 5]), highest_mode([2, 2, 5])
    (5, 2)
    """
    counts = Counter(values)
    return max(counts, key=lambda value: (counts[value], value))


class Rating(NamedTuple):
    """One judgement of an annotator about a usage and a target, which is a sense or another usage.

    Args:
        annotator: The annotator.
        task: ``WSsim``, ``Usim``, ``WSbest`` or ``SYNbest``.
        lemma: The lemma.
        usage: The usage.
        target: The sense, the other usage or the substitute.
        value: The value on the scale of the task, or :data:`UNDECIDED`.
        comment: The annotator's comment.
        time: The time of the judgement, as the source writes it.
        round: The round of annotation, as the source writes it.
        group: The group of the annotator, such as those who did the tasks in another order.
        role: Empty, ``repeat``, ``control``, ``training`` or ``adjudication``; see :data:`ROLES`.
        order: The position at which the annotator saw the item.
        milliseconds: How long the judgement took.
    """

    annotator: str
    task: str
    lemma: str
    usage: str
    target: str
    value: float
    comment: str = ""
    time: str = ""
    round: str = ""
    group: str = ""
    role: str = ""
    order: int | None = None
    milliseconds: int | None = None

    @property
    def item(self) -> Item:
        """The item that was judged."""
        return Item(self.task, self.lemma, self.usage, self.target)


class Item(NamedTuple):
    """The object of a judgement; judgements of several annotators about one item can be compared."""

    task: str
    lemma: str
    usage: str
    target: str

    @property
    def pos(self) -> str:
        """The part of speech at the end of the lemma.

        >>> Item("WSsim", "win.v", "win.v.1", "win%2:33:00::").pos
        'v'
        """
        return split_lemma(self.lemma, DATA_SET_POS_LETTERS).pos


TEXT_FIELDS = ("comment", "time", "round", "group", "role")
"""The optional fields of a rating that are text."""

ADJUDICATION = "adjudication"
"""The role of a manager's decision about an item on which annotators differ."""

ROLES = ("", "repeat", "control", "training", ADJUDICATION)
"""The purposes of a judgement: the study itself, an attention check (repeat, control), training, or a decision."""


class Ratings(Tabular):
    """A long table of judgements in the order of the input; none is merged or left out.

    >>> ratings = Ratings([
    ...     Rating("ann", "WSsim", "win.v", "win.v.1", "win%2:33:00::", 5),
    ...     Rating("bob", "WSsim", "win.v", "win.v.1", "win%2:33:00::", 4),
    ... ])
    >>> ratings
    <Ratings: 2 judgements of 1 item by 2 annotators>
    >>> ratings.matrix().tolist()
    [[5.0, 4.0]]
    """

    __slots__ = ("_rows",)

    record_columns: ClassVar[tuple[str, ...]] = Rating._fields

    def __init__(self, rows: Iterable[Rating]) -> None:
        self._rows = tuple(rows)

    def to_records(self) -> list[dict[str, Any]]:
        """Return a row for each judgement, with the fields of :class:`Rating`; NaN where one could not decide."""
        return [row._asdict() for row in self]

    @classmethod
    def from_records(cls, rows: Sequence[TableRow]) -> Ratings:
        """Build ratings from rows with the fields of :class:`Rating`; those after ``value`` are optional.

        An empty value (``None``, NaN or no text) means that the annotator could not decide.
        """
        require_columns(rows, Rating._fields[:5], "ratings")
        return cls(_rating_from_record(row, number) for number, row in enumerate(rows, start=1))

    def __len__(self) -> int:
        return len(self._rows)

    def __iter__(self) -> Iterator[Rating]:
        return iter(self._rows)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Ratings):
            return NotImplemented
        return len(self) == len(other) and all(map(_is_equal, self, other))

    def __hash__(self) -> int:
        return hash(tuple(row[:5] for row in self))

    def __repr__(self) -> str:
        items = count_noun(len({row[1:5] for row in self}), "item")
        annotators = count_noun(len(self.annotators), "annotator")
        return f"<Ratings: {count_noun(len(self), 'judgement')} of {items} by {annotators}>"

    def _repr_html_(self) -> str:
        from polyseme.display.ratings import render_ratings

        return render_ratings(self)

    @property
    def annotators(self) -> tuple[str, ...]:
        """The annotators, in the order of their first judgements."""
        return tuple(dict.fromkeys(row.annotator for row in self))

    @property
    def items(self) -> tuple[Item, ...]:
        """The items, in the order of their first judgements."""
        return tuple(dict.fromkeys(row.item for row in self))

    @property
    def lemmas(self) -> tuple[str, ...]:
        """The lemmas, in the order of their first judgements."""
        return tuple(dict.fromkeys(row.lemma for row in self))

    @property
    def undecided(self) -> int:
        """The number of judgements in which the annotator could not decide."""
        return sum(math.isnan(row.value) for row in self)

    @property
    def adjudications(self) -> Ratings:
        """The decisions of managers, which replace the judgements of annotators in a gold standard."""
        return self.filter(lambda row: row.role == ADJUDICATION)

    @property
    def annotations(self) -> Ratings:
        """The judgements of annotators: all but the decisions of managers."""
        return self.filter(lambda row: row.role != ADJUDICATION)

    def filter(self, condition: Callable[[Rating], bool]) -> Ratings:
        """Select the judgements for which the condition holds.

        >>> ratings = Ratings(Rating(who, "Usim", "win.v", "1", "2", value) for who, value in [("ann", 5), ("bob", 4)])
        >>> ratings.filter(lambda rating: rating.annotator == "bob")
        <Ratings: 1 judgement of 1 item by 1 annotator>
        """
        return Ratings(filter(condition, self))

    def group_by_item(self) -> dict[Item, dict[str, float]]:
        """Return item → annotator → value; of several judgements by one annotator the last counts."""
        values: dict[Item, dict[str, float]] = {}
        for row in self:
            values.setdefault(row.item, {})[row.annotator] = row.value
        return values

    def matrix(self) -> Floats:
        """Return items × annotators, NaN where an annotator did not judge or could not decide."""
        columns = {annotator: column for column, annotator in enumerate(self.annotators)}
        values_by_item = self.group_by_item()
        values = np.full((len(values_by_item), len(columns)), np.nan)
        for row, by_annotator in enumerate(values_by_item.values()):
            for annotator, value in by_annotator.items():
                values[row, columns[annotator]] = value
        return values

    def complete(self, inventory: Inventory, value: float = 1.0) -> Ratings:
        """Add a judgement for every sense of the lemma that an annotator of a usage did not judge.

        Sources often list only the senses that an annotator rated above the lowest value.

        Args:
            inventory: The senses of each lemma.
            value: The value of the added judgements.

        >>> from polyseme.inventory import Sense
        >>> ratings = Ratings([Rating("ann", "WSsim", "win.v", "win.v.1", "a", 5)])
        >>> [row.target for row in ratings.complete(Inventory([Sense("a", "win.v"), Sense("b", "win.v")]))]
        ['a', 'b']
        """
        judged: dict[tuple[str, ...], dict[str, Rating]] = {}
        for row in self:
            judged.setdefault((*row[:4], row.round, row.role), {})[row.target] = row
        missing = (
            next(iter(ratings.values()))._replace(target=sense.id, value=value, comment="", milliseconds=None)
            for ratings in judged.values()
            for sense in inventory.get(next(iter(ratings.values())).lemma, ())
            if sense.id not in ratings
        )
        return Ratings([*self, *missing])


def _rating_from_record(row: TableRow, number: int) -> Rating:
    texts = {name: str(row.get(name, "")) for name in (*Rating._fields[:5], *TEXT_FIELDS)}
    if missing := [name for name in ("annotator", "usage", "target") if not texts[name]]:
        raise InputError(f"row {number} of the table: the column {missing[0]} is empty; every row needs it")
    try:
        value = UNDECIDED if row.get("value", "") == "" else float(row["value"])
        counts: dict[str, Any] = {name: int(row[name]) for name in ("order", "milliseconds") if row.get(name, "") != ""}
    except (TypeError, ValueError) as error:
        raise InputError(f"row {number} of the table is not a rating: {error}") from None
    if math.isinf(value):
        raise InputError(f"row {number} of the table: value {value} is not a finite number")
    fields: dict[str, Any] = {**texts, "value": value, **counts}
    return Rating(**fields)


def _is_equal(one: Rating, other: Rating) -> bool:
    """Equality with NaN == NaN."""
    undecided = math.isnan(one.value) and math.isnan(other.value)
    return one == other or (undecided and one._replace(value=0) == other._replace(value=0))
