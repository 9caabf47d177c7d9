"""Senses and inventories: a dictionary's or an induced one, the same type."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from polyseme.errors import count_noun
from polyseme.labelling import Labelling
from polyseme.usage import Usage


@dataclass(frozen=True, slots=True)
class Sense:
    """One sense of a lemma.

    ``frequency`` is a count or a share, in whatever unit the inventory uses; ``parent`` is the id of the broader
    sense in a hierarchy of senses, or ``None`` at the top. An induced sense has no gloss, but ``features``, the words
    that tell it with their weights, and ``usages``, its best examples.

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


class Inventory(Mapping[str, tuple[Sense, ...]]):
    """Lemma → its senses, in the inventory's own order (in WordNet: by sense number).

    A subclass that keeps its senses in another way has its own ``__getitem__``, ``__iter__`` and ``__len__``; the rest
    goes through them.

    >>> inventory = Inventory([Sense("win.v.1", "win.v"), Sense("win.v.2", "win.v"), Sense("ask.v.1", "ask.v")])
    >>> [sense.id for sense in inventory["win.v"]]
    ['win.v.1', 'win.v.2']
    >>> inventory.sense("ask.v", "ask.v.1").lemma
    'ask.v'
    """

    __slots__ = ("_senses",)

    def __init__(self, senses: Iterable[Sense]) -> None:
        by_lemma: dict[str, dict[str, Sense]] = {}
        for sense in senses:
            known = by_lemma.setdefault(sense.lemma, {})
            if sense.id in known:
                raise ValueError(f"lemma {sense.lemma!r} has the sense {sense.id!r} twice")
            known[sense.id] = sense
        self._senses = by_lemma

    @staticmethod
    def observed(labelling: Labelling) -> Inventory:
        """The senses seen in a labelling, the most frequent first; frequency = number of usages listing it.

        >>> gold = Labelling.from_dict({"win.v.1": {"b": 1}, "win.v.2": {"a": 1, "b": 1}}, lemma="win.v")
        >>> [(sense.id, sense.frequency) for sense in Inventory.observed(gold)["win.v"]]
        [('b', 2.0), ('a', 1.0)]
        """
        senses = [
            Sense(name, lemma, frequency=float(count))
            for (lemma, name), count in zip(labelling.columns, labelling.column_counts(), strict=True)
        ]
        place = {lemma: number for number, lemma in enumerate(labelling.lemmas)}
        return Inventory(sorted(senses, key=lambda sense: (place[sense.lemma], -sense.frequency, sense.id)))

    def __getitem__(self, lemma: str) -> tuple[Sense, ...]:
        return tuple(self._senses[lemma].values())

    def __iter__(self) -> Iterator[str]:
        return iter(self._senses)

    def __len__(self) -> int:
        return len(self._senses)

    def __repr__(self) -> str:
        return f"<Inventory of {count_noun(sum(map(len, self.values())), 'sense')} of {count_noun(len(self), 'lemma')}>"

    def sense(self, lemma: str, sense: str) -> Sense:
        """One sense by lemma and id; ``KeyError`` if the lemma has none of that name."""
        for known in self[lemma]:
            if known.id == sense:
                return known
        raise KeyError(sense)

    def by_frequency(self, lemma: str) -> tuple[Sense, ...]:
        """The lemma's senses, most frequent first; equal frequencies keep the inventory's order.

        >>> inventory = Inventory([Sense("a", "x", frequency=1), Sense("b", "x", frequency=5)])
        >>> [sense.id for sense in inventory.by_frequency("x")]
        ['b', 'a']
        """
        return tuple(sorted(self[lemma], key=lambda sense: -sense.frequency))
