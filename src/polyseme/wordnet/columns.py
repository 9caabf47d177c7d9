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
    """Many strings in one piece of memory, each decoded when it is used.

    >>> words = PackedStrings.from_strings(["ant", "bee"])
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
    def from_strings(cls, strings: Sequence[str]) -> PackedStrings:
        """Pack strings."""
        encoded = [string.encode() for string in strings]
        offsets = np.cumsum([0, *map(len, encoded)]).astype(np.int32)
        return cls(offsets, np.frombuffer(b"".join(encoded), np.uint8))

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> list[str]: ...
    def __getitem__(self, index: int | slice) -> str | list[str]:
        if isinstance(index, slice):
            return [self[number] for number in range(*index.indices(len(self)))]
        return str(self._bytes(range(len(self))[index]), "utf-8")

    def _bytes(self, number: int) -> memoryview:
        return self._view[self.offsets.item(number) : self.offsets.item(number + 1)]

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __iter__(self) -> Iterator[str]:
        data, ends = self.data.tobytes(), self.offsets.tolist()
        return (data[start:end].decode() for start, end in pairwise(ends))

    def find(self, string: str, order: Array | None = None) -> int:
        """Return the index of a string, −1 if it is missing; the strings are sorted by their bytes.

        Args:
            string: The string.
            order: The sorted order, if the strings themselves are not sorted.

        >>> PackedStrings.from_strings(["bee", "ant"]).find("ant", np.array([1, 0]))
        1
        """
        key = string.encode("utf-8", "surrogatepass")
        get_index = (lambda rank: rank) if order is None else order.item
        rank = bisect_left(range(len(self)), key, key=lambda rank: bytes(self._bytes(get_index(rank))))
        if rank == len(self) or self._bytes(get_index(rank)) != key:
            return -1
        return int(get_index(rank))


@dataclass(frozen=True, slots=True, eq=False)
class WordNetColumns:
    """The content of the database files of a WordNet.

    Synsets are in the order of the files (nouns, verbs, adjectives, adverbs), senses in the order of the synsets and
    of the words in them. A *row* is a position in that order.

    Args:
        synset_offset: The byte offset of each synset in its file, which with its part of speech is its name.
        synset_kind: 1 noun, 2 verb, 3 adjective, 4 adverb, 5 satellite of an adjective, as in sense keys.
        synset_file: The number of the lexicographer's file.
        synset_senses: Synset ``i`` has the senses ``synset_senses[i]:synset_senses[i + 1]``.
        gloss: Definition and examples of each synset, as written.
        sense_synset: The synset of each sense.
        sense_number: The number of each sense among those of its lemma, from 1.
        sense_count: How often the sense is tagged in SemCor.
        word: The word of each sense with underscores, without the marker of the position of an adjective.
        key: The sense key.
        by_key: The senses sorted by key.
        lemma: Every ``word.pos``, sorted.
        lemma_senses: Lemma ``i`` has the senses ``by_lemma[lemma_senses[i]:lemma_senses[i + 1]]``.
        by_lemma: The senses by lemma and sense number.
        pointer_relation: The number of each pointer's relation (see :mod:`polyseme.wordnet.relations`).
        pointer_source: The synset that each pointer starts from; pointers are in this order.
        pointer_target: The synset that it leads to.
        pointer_from: The sense that it starts from; −1 where it holds for the whole synset.
        pointer_to: The sense that it leads to; −1 where it holds for the whole synset.
    """

    synset_offset: Array
    synset_kind: Array
    synset_file: Array
    synset_senses: Array
    gloss: PackedStrings
    sense_synset: Array
    sense_number: Array
    sense_count: Array
    word: PackedStrings
    key: PackedStrings
    by_key: Array
    lemma: PackedStrings
    lemma_senses: Array
    by_lemma: Array
    pointer_relation: Array
    pointer_source: Array
    pointer_target: Array
    pointer_from: Array
    pointer_to: Array

    def arrays(self) -> dict[str, Array]:
        """Return every column as arrays of numbers by name; a column of strings has two."""
        arrays: dict[str, Array] = {}
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, PackedStrings):
                arrays |= {f"{field.name}.offsets": value.offsets, f"{field.name}.data": value.data}
            else:
                arrays[field.name] = value
        return arrays

    @classmethod
    def from_arrays(cls, arrays: dict[str, Array]) -> WordNetColumns:
        """Build the columns from their arrays, as :meth:`arrays` returns them; ``KeyError`` if one is missing."""
        values: dict[str, Any] = {}
        for field in fields(cls):
            name = field.name
            if field.type == "PackedStrings":
                values[name] = PackedStrings(arrays[f"{name}.offsets"], arrays[f"{name}.data"])
            else:
                values[name] = arrays[name]
        return cls(**values)
