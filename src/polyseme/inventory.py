"""Senses and inventories: those of a dictionary and induced ones are the same type."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any, ClassVar

from polyseme.errors import count_noun
from polyseme.frames import TableRow, require_columns
from polyseme.labelling import Labelling
from polyseme.tabular import Tabular
from polyseme.usage import Usage


@dataclass(frozen=True, slots=True)
class Sense:
    """One sense of a lemma.

    Args:
        id: The name of the sense, unique within its lemma.
        lemma: The lemma.
        gloss: The definition; induced senses have none.
        synonyms: Words with the same meaning.
        examples: Sentences that use the sense.
        frequency: A count or a share, in the unit of the inventory.
        parent: The id of the broader sense in a hierarchy of senses, ``None`` at the top.
        features: The descriptive words of an induced sense, with their weights.
        usages: The best examples of an induced sense.
        recurrence: The share of random halves of the usages in which an induced sense recurs; ``None`` if unknown.

    >>> Sense("win%2:33:00::", "win.v", gloss="be the winner in a contest").gloss
    'be the winner in a contest'
    """

    id: str
    lemma: str
    gloss: str = ""
    synonyms: tuple[str, ...] = ()
    examples: tuple[str, ...] = ()
    frequency: float = 0.0
    parent: str | None = None
    features: tuple[tuple[str, float], ...] = ()
    usages: tuple[Usage, ...] = ()
    recurrence: float | None = None


def _fit(value: Any, default: object) -> Any:
    """Return a cell of a table as the field of a sense: lists are tuples there."""
    if isinstance(default, tuple) and not isinstance(value, str):
        return tuple(tuple(item) if isinstance(item, list) else item for item in value)
    return value


class Inventory(Tabular, Mapping[str, tuple[Sense, ...]]):
    """Lemma → its senses, in the order of the inventory (in WordNet: by sense number).

    A subclass that stores its senses in another way defines ``__getitem__``, ``__iter__`` and ``__len__``; the other
    methods use these.

    >>> inventory = Inventory([Sense("win.v.1", "win.v"), Sense("win.v.2", "win.v"), Sense("ask.v.1", "ask.v")])
    >>> [sense.id for sense in inventory["win.v"]]
    ['win.v.1', 'win.v.2']
    >>> inventory.sense("ask.v", "ask.v.1").lemma
    'ask.v'
    """

    __slots__ = ("_senses",)

    record_columns: ClassVar[tuple[str, ...]] = tuple(field.name for field in fields(Sense))

    def __init__(self, senses: Iterable[Sense]) -> None:
        senses_by_lemma: dict[str, dict[str, Sense]] = {}
        for sense in senses:
            lemma_senses = senses_by_lemma.setdefault(sense.lemma, {})
            if sense.id in lemma_senses:
                raise ValueError(f"lemma {sense.lemma!r} has the sense {sense.id!r} twice")
            lemma_senses[sense.id] = sense
        self._senses = senses_by_lemma

    @staticmethod
    def from_labelling(labelling: Labelling) -> Inventory:
        """Collect the senses of a labelling, the most frequent first; a frequency counts the usages that list it.

        >>> gold = Labelling.from_dict({"win.v.1": {"b": 1}, "win.v.2": {"a": 1, "b": 1}}, lemma="win.v")
        >>> [(sense.id, sense.frequency) for sense in Inventory.from_labelling(gold)["win.v"]]
        [('b', 2.0), ('a', 1.0)]
        """
        senses = [
            Sense(name, lemma, frequency=float(count))
            for (lemma, name), count in zip(labelling.columns, labelling.column_counts(), strict=True)
        ]
        ranks = {lemma: rank for rank, lemma in enumerate(labelling.lemmas)}
        return Inventory(sorted(senses, key=lambda sense: (ranks[sense.lemma], -sense.frequency, sense.id)))

    def __getitem__(self, lemma: str) -> tuple[Sense, ...]:
        return tuple(self._senses[lemma].values())

    def __iter__(self) -> Iterator[str]:
        return iter(self._senses)

    def __len__(self) -> int:
        return len(self._senses)

    def __repr__(self) -> str:
        return (
            f"<Inventory of {count_noun(len(list(self._all_senses())), 'sense')} of {count_noun(len(self), 'lemma')}>"
        )

    def _repr_html_(self) -> str:
        from polyseme.display.inventories import render_inventory

        return render_inventory(self)

    def __eq__(self, other: object) -> bool:
        return dict(self) == dict(other) if isinstance(other, Inventory) else NotImplemented

    __hash__ = object.__hash__

    def to_dict(self) -> dict[str, list[dict[str, Any]]]:
        """Return lemma → its senses, as plain dictionaries."""
        return {lemma: [asdict(sense) for sense in senses] for lemma, senses in self.items()}

    def to_records(self) -> list[dict[str, Any]]:
        """Return a row for each sense, with the fields of :class:`Sense`."""
        return [{name: getattr(sense, name) for name in self.record_columns} for sense in self._all_senses()]

    def _all_senses(self) -> Iterator[Sense]:
        return (sense for senses in self.values() for sense in senses)

    @staticmethod
    def from_records(rows: Sequence[TableRow]) -> Inventory:
        """Build an inventory from rows with the fields of :class:`Sense`; those after ``lemma`` are optional."""
        require_columns(rows, ("id", "lemma"), "senses")
        defaults = {field.name: field.default for field in fields(Sense)}
        return Inventory(
            Sense(**{name: _fit(row.get(name, default), default) for name, default in defaults.items()}) for row in rows
        )

    def sense(self, lemma: str, sense: str) -> Sense:
        """Return one sense by lemma and id; ``KeyError`` if the lemma has none of that name."""
        for candidate in self[lemma]:
            if candidate.id == sense:
                return candidate
        raise KeyError(sense)

    def by_frequency(self, lemma: str) -> tuple[Sense, ...]:
        """Return the senses of a lemma, most frequent first; ties keep the order of the inventory.

        >>> inventory = Inventory([Sense("a", "x", frequency=1), Sense("b", "x", frequency=5)])
        >>> [sense.id for sense in inventory.by_frequency("x")]
        ['b', 'a']
        """
        return tuple(sorted(self[lemma], key=lambda sense: -sense.frequency))
