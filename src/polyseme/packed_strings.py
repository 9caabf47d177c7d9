"""Many strings in one piece of memory."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
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
        joined = "".join(strings)
        sizes = map(len, strings) if joined.isascii() else (len(string.encode()) for string in strings)
        offsets = np.cumsum([0, *sizes]).astype(np.int32)
        return cls(offsets, np.frombuffer(joined.encode(), np.uint8))

    @classmethod
    def concatenate(cls, parts: Sequence[PackedStrings]) -> PackedStrings:
        """Put several one after the other."""
        starts = np.cumsum([0, *(len(part.data) for part in parts)])
        offsets = [part.offsets[1:].astype(np.int64) + start for part, start in zip(parts, starts, strict=False)]
        return cls(np.concatenate([np.zeros(1, np.int64), *offsets]), np.concatenate([part.data for part in parts]))

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
