"""WordNet as columns: numbers and text in flat arrays, so that loading makes no object for each word or synset."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from itertools import pairwise
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


class PackedStrings(Sequence[str]):
    """Many strings in one piece of memory, each decoded when it is asked for.

    >>> words = PackedStrings.of(["ant", "bee"])
    >>> words[1], words[-2], len(words), list(words[:1])
    ('bee', 'ant', 2, ['ant'])
    """

    __slots__ = ("_view", "data", "offsets")

    def __init__(self, offsets: Array, data: Array) -> None:
        self.offsets = offsets
        self.data = data
        """The bytes of all strings; string ``i`` is ``data[offsets[i]:offsets[i + 1]]``."""
        self._view = data.data

    @classmethod
    def of(cls, strings: Sequence[str]) -> PackedStrings:
        """From strings of Python."""
        encoded = [string.encode() for string in strings]
        offsets = np.cumsum([0, *map(len, encoded)]).astype(np.int32)
        return cls(offsets, np.frombuffer(b"".join(encoded), np.uint8))

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> list[str]: ...
    def __getitem__(self, place: int | slice) -> str | list[str]:
        if isinstance(place, slice):
            return [self[number] for number in range(*place.indices(len(self)))]
        number = range(len(self))[place]
        return str(self._bytes(number), "utf-8")

    def _bytes(self, number: int) -> memoryview:
        return self._view[self.offsets.item(number) : self.offsets.item(number + 1)]

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __iter__(self) -> Iterator[str]:
        data, ends = self.data.tobytes(), self.offsets.tolist()
        return (data[start:end].decode() for start, end in pairwise(ends))

    def find(self, string: str, order: Array | None = None) -> int:
        """The place of a string, −1 if it is not there; they are sorted by their bytes, or in the given order.

        >>> PackedStrings.of(["bee", "ant"]).find("ant", np.array([1, 0])), PackedStrings.of(["ant", "bee"]).find("cow")
        (1, -1)
        """
        wanted = string.encode("utf-8", "surrogatepass")
        number = (lambda place: place) if order is None else order.item
        place = bisect_left(range(len(self)), wanted, key=lambda place: bytes(self._bytes(number(place))))
        if place == len(self) or self._bytes(number(place)) != wanted:
            return -1
        return int(number(place))


@dataclass(frozen=True, slots=True, eq=False)
class WordNetColumns:
    """All that is read of a WordNet's database files.

    Synsets stand in the order of the files (nouns, verbs, adjectives, adverbs), senses in the order of the synsets and
    of the words in them; *row* is a place in that order.
    """

    synset_offset: Array
    """Each synset's byte offset in its file, which with its part of speech is its name."""
    synset_kind: Array
    """1 noun, 2 verb, 3 adjective, 4 adverb, 5 satellite of an adjective, as in sense keys."""
    synset_file: Array
    """The number of the lexicographer's file."""
    synset_senses: Array
    """Synset ``i`` has the senses ``synset_senses[i]:synset_senses[i + 1]``."""
    gloss: PackedStrings
    """Definition and examples of each synset, as written."""
    sense_synset: Array
    """The synset of each sense."""
    sense_number: Array
    """The sense's number among those of its lemma, from 1."""
    sense_count: Array
    """How often the sense is tagged in SemCor."""
    word: PackedStrings
    """The word of each sense as written, with underscores, without the marker of an adjective's place."""
    key: PackedStrings
    """The sense key."""
    by_key: Array
    """The senses sorted by key."""
    lemma: PackedStrings
    """Every ``word.pos``, sorted."""
    lemma_senses: Array
    """Lemma ``i`` has the senses ``by_lemma[lemma_senses[i]:lemma_senses[i + 1]]``."""
    by_lemma: Array
    """The senses by lemma and sense number."""
    pointer_relation: Array
    """The number of each pointer's relation (see :mod:`polyseme.wordnet.relations`)."""
    pointer_source: Array
    """The synset that each pointer starts from; pointers are in this order."""
    pointer_target: Array
    """The synset that it leads to."""
    pointer_from: Array
    """The sense that it starts from; −1 where it holds for the whole synset."""
    pointer_to: Array
    """The sense that it leads to; −1 where it holds for the whole synset."""

    def arrays(self) -> dict[str, Array]:
        """Every column as arrays of numbers, by name; one of strings is two of them."""
        found: dict[str, Array] = {}
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, PackedStrings):
                found |= {f"{field.name}.offsets": value.offsets, f"{field.name}.data": value.data}
            else:
                found[field.name] = value
        return found

    @classmethod
    def from_arrays(cls, arrays: dict[str, Array]) -> WordNetColumns:
        """The inverse of :meth:`arrays`; ``KeyError`` if one is missing."""
        values: dict[str, Any] = {}
        for field in fields(cls):
            name = field.name
            is_text = field.type == "PackedStrings"
            values[name] = PackedStrings(arrays[f"{name}.offsets"], arrays[f"{name}.data"]) if is_text else arrays[name]
        return cls(**values)
