"""The names of the documents of a file, which must be unique, because the names of usages depend on them."""

from __future__ import annotations

import numpy as np

from polyseme.arrays import Ints
from polyseme.errors import InputError, quote_value
from polyseme.formats.files import Source
from polyseme.formats.tables import format_number


class DocumentNames:
    """The names of the documents of a file, with the line, row or number of each.

    A document that is named after its number takes a byte of memory, another one some 40: see :class:`_NameHashes`.
    """

    def __init__(self, source: Source, unit: str) -> None:
        self.source = source
        self.unit = unit
        self._ids = _NameHashes()
        self._numbered = bytearray()

    def add(self, id: object, number: int) -> str:
        """The id, or the number if there is none; a name that occurred before is an error."""
        text = "" if id is None else format_number(id) if isinstance(id, float) else str(id)
        name = text if text.strip() else str(number)
        earlier = self._ids.number(name) or self._number_without_id(name)
        if earlier:
            problem = f"two documents are called {quote_value(name)}, {self.unit} {earlier} and {self.unit} {number}"
            line = number if self.unit == "in line" else None
            raise InputError(f"{problem}; give each an id of its own", path=self.source, line=line)
        if text.strip():
            self._ids.add(name, number)
        else:
            self._numbered.extend(bytes(number + 1 - len(self._numbered)))
            self._numbered[number] = 1
        return name

    def _number_without_id(self, name: str) -> int:
        """The number of the document without an id that has this name; 0 if there is none."""
        number = int(name) if name.isascii() and name.isdigit() and len(name) < 12 and name[0] != "0" else 0
        return number if number < len(self._numbered) and self._numbered[number] else 0


class _NameHashes:
    """The hashes of names, with a number each: the latest in a dictionary, the others in a sorted array."""

    def __init__(self) -> None:
        self._latest: dict[int, int] = {}
        self._sorted: Ints = np.zeros((2, 0), np.int64)

    def number(self, name: str) -> int:
        """The number of a name, 0 if it has none."""
        key, (keys, numbers) = hash(name), self._sorted
        position = int(np.searchsorted(keys, key))
        is_match = position < len(keys) and keys[position] == key
        return int(numbers[position]) if is_match else self._latest.get(key, 0)

    def add(self, name: str, number: int) -> None:
        """Add a new name."""
        self._latest[hash(name)] = number
        if len(self._latest) > max(1 << 16, self._sorted.shape[1] // 8):
            latest = np.array([[*self._latest], [*self._latest.values()]], np.int64)
            merged = np.concatenate([self._sorted, latest], axis=1)
            self._sorted, self._latest = merged[:, np.argsort(merged[0], kind="stable")], {}
