"""What people say of usages: one judgement a row, and what its values mean."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from polyseme.arrays import Floats
from polyseme.inventory import Inventory

UNDECIDED = math.nan
"""The value of a rating whose annotator could not decide: not the same as the lowest value."""


@dataclass(frozen=True)
class Scale:
    """The values that a rating can have and what each means, from the lowest up.

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
        """What a value means."""
        if not self.allows(value) or math.isnan(value):
            raise ValueError(f"{value} is not on the scale from {self.lowest} to {self.highest}")
        return self.labels[int(value) - self.lowest]

    def allows(self, value: float) -> bool:
        """Whether a rating can have this value; :data:`UNDECIDED` always can be."""
        return math.isnan(value) or (self.lowest <= value <= self.highest and value == int(value))


WSSIM = Scale(1, ("completely different", "mostly different", "similar", "very similar", "identical"))
"""The scale of WSsim and Usim. (Erk, McCarthy & Gaylord 2013)"""

DUREL = Scale(1, ("unrelated", "distantly related", "closely related", "identical"))
"""The scale of word usage graphs. (Schlechtweg et al. 2018)"""

CHOICE = Scale(0, ("not chosen", "chosen"))
"""The scale of WSbest and SYNbest, where a sense or a substitute is chosen."""


def highest_mode(values: Sequence[float]) -> float:
    """The mode; of several, the highest, as in the trial data of SemEval-2013 Task 13.

    >>> highest_mode([1, 3, 5]), highest_mode([2, 2, 5])
    (5, 2)
    """
    counts = Counter(values)
    return max(counts, key=lambda value: (counts[value], value))


class Rating(NamedTuple):
    """One judgement: what an annotator says of a usage and a target, which is a sense or another usage.

    ``task`` is ``WSsim``, ``Usim``, ``WSbest`` or ``SYNbest``; ``round`` and ``time`` are as their source writes them.
    ``group`` is that of the annotator, as those who did tasks in another order; ``role`` is empty, or ``repeat``,
    ``control`` or ``training``; ``order`` is the place at which the item was shown, and ``milliseconds`` how long it
    took.
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
        """What was judged."""
        return Item(self.task, self.lemma, self.usage, self.target)


class Item(NamedTuple):
    """What a judgement is about; judgements of different annotators on one item can be compared."""

    task: str
    lemma: str
    usage: str
    target: str

    @property
    def pos(self) -> str:
        """The part of speech that the lemma ends with.

        >>> Item("WSsim", "win.v", "win.v.1", "win%2:33:00::").pos
        'v'
        """
        _, dot, part = self.lemma.rpartition(".")
        return part if dot else ""


ROLES = ("", "repeat", "control", "training")
"""What a judgement is there for: the study itself, or to see how careful an annotator is."""


class Ratings:
    """A long table of judgements, in the order given; nothing is merged and nothing is left out.

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

    def __init__(self, rows: Iterable[Rating]) -> None:
        self._rows = tuple(rows)

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
        items, annotators = len(self.items), len(self.annotators)
        counted = [(len(self), "judgement"), (items, "item"), (annotators, "annotator")]
        judgements, of, by = (f"{count} {word}{'' if count == 1 else 's'}" for count, word in counted)
        return f"<Ratings: {judgements} of {of} by {by}>"

    @property
    def annotators(self) -> tuple[str, ...]:
        """Who judged, in the order of their first judgements."""
        return tuple(dict.fromkeys(row.annotator for row in self))

    @property
    def items(self) -> tuple[Item, ...]:
        """What was judged, in the order of the first judgements."""
        return tuple(dict.fromkeys(row.item for row in self))

    @property
    def lemmas(self) -> tuple[str, ...]:
        """The lemmas, in the order of the first judgements."""
        return tuple(dict.fromkeys(row.lemma for row in self))

    @property
    def undecided(self) -> int:
        """How many judgements say that the annotator could not decide."""
        return sum(math.isnan(row.value) for row in self)

    def where(self, condition: Callable[[Rating], bool]) -> Ratings:
        """The judgements for which the condition holds.

        >>> ratings = Ratings(Rating(who, "Usim", "win.v", "1", "2", value) for who, value in [("ann", 5), ("bob", 4)])
        >>> ratings.where(lambda rating: rating.annotator == "bob")
        <Ratings: 1 judgement of 1 item by 1 annotator>
        """
        return Ratings(filter(condition, self))

    def by_item(self) -> dict[Item, dict[str, float]]:
        """Item → annotator → value; of several judgements by one annotator the last counts."""
        found: dict[Item, dict[str, float]] = {}
        for row in self:
            found.setdefault(row.item, {})[row.annotator] = row.value
        return found

    def matrix(self) -> Floats:
        """Items × annotators; not a number where someone did not judge or could not decide."""
        place = {annotator: column for column, annotator in enumerate(self.annotators)}
        by_item = self.by_item()
        made = np.full((len(by_item), len(place)), np.nan)
        for row, values in enumerate(by_item.values()):
            for annotator, value in values.items():
                made[row, place[annotator]] = value
        return made

    def completed(self, inventory: Inventory, value: float = 1.0) -> Ratings:
        """With a judgement for every sense of the lemma, where an annotator who judged a usage is silent on one.

        Sources often list only the senses that somebody rated above the lowest value.

        >>> from polyseme.inventory import Sense
        >>> ratings = Ratings([Rating("ann", "WSsim", "win.v", "win.v.1", "a", 5)])
        >>> [row.target for row in ratings.completed(Inventory([Sense("a", "win.v"), Sense("b", "win.v")]))]
        ['a', 'b']
        """
        judged: dict[tuple[str, ...], dict[str, Rating]] = {}
        for row in self:
            judged.setdefault((*row[:4], row.round, row.role), {})[row.target] = row
        silent = (
            next(iter(said.values()))._replace(target=sense.id, value=value, comment="", milliseconds=None)
            for said in judged.values()
            for sense in inventory.get(next(iter(said.values())).lemma, ())
            if sense.id not in said
        )
        return Ratings([*self, *silent])


def _is_equal(one: Rating, other: Rating) -> bool:
    """Equal, not a number being equal to itself here."""
    undecided = math.isnan(one.value) and math.isnan(other.value)
    return one == other or (undecided and one._replace(value=0) == other._replace(value=0))
