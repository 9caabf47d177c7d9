"""Structures of Thrift's compact protocol, in which Parquet files describe themselves.

A structure is a dictionary of field number → value. For writing, a value is a pair of its type and itself; when it is
read, it is an integer, a boolean, bytes, a list or a dictionary.
"""

from __future__ import annotations

import mmap
from collections.abc import Callable, Mapping, Sequence
from typing import Any

I32, I64, BINARY, LIST, STRUCT = 5, 6, 8, 9, 12
"""The numbers of the types that are written."""

Field = tuple[int, Any]
Fields = Mapping[int, Field]


def encode_struct(fields: Fields) -> bytes:
    """Encode a structure.

    >>> Reader(encode_struct({1: (I32, -3), 20: (LIST, (BINARY, [b"a", b"b"]))})).read_struct()
    {1: -3, 20: [b'a', b'b']}
    """
    parts = []
    last = 0
    for number, (kind, value) in fields.items():
        step = number - last
        parts += [bytes([step << 4 | kind]) if step < 16 else bytes([kind]) + _zigzag(number), _ENCODERS[kind](value)]
        last = number
    return b"".join([*parts, b"\0"])


def encode_varint(value: int) -> bytes:
    """Encode an integer from 0, seven bits a byte.

    >>> encode_varint(300).hex()
    'ac02'
    """
    parts = bytearray()
    while value > 127:
        parts.append(value & 127 | 128)
        value >>= 7
    return bytes([*parts, value])


def _zigzag(value: int) -> bytes:
    return encode_varint(value << 1 if value >= 0 else (-value << 1) - 1)


def _encode_list(content: tuple[int, Sequence[Any]]) -> bytes:
    kind, values = content
    size = len(values)
    head = bytes([size << 4 | kind]) if size < 15 else bytes([0xF0 | kind]) + encode_varint(size)
    return b"".join([head, *map(_ENCODERS[kind], values)])


_ENCODERS: dict[int, Callable[[Any], bytes]] = {
    I32: _zigzag,
    I64: _zigzag,
    BINARY: lambda value: encode_varint(len(value)) + value,
    LIST: _encode_list,
    STRUCT: encode_struct,
}


class Reader:
    """Reads structures from bytes, one after the other.

    Args:
        data: The bytes.
        place: Where the next one starts.
    """

    def __init__(self, data: bytes | mmap.mmap, place: int = 0) -> None:
        self.data, self.place = data, place
        self._decoders: dict[int, Callable[[], Any]] = {
            3: self._read_byte,
            4: self._read_zigzag,
            I32: self._read_zigzag,
            I64: self._read_zigzag,
            7: lambda: self._read_bytes(8),
            BINARY: lambda: self._read_bytes(self.read_varint()),
            LIST: self._read_list,
            10: self._read_list,
            STRUCT: self.read_struct,
        }

    def read_struct(self) -> dict[int, Any]:
        """Read a structure; an ``IndexError``, ``KeyError`` or ``ValueError`` if there is none here."""
        fields: dict[int, Any] = {}
        number = 0
        while head := self._read_byte():
            step, kind = head >> 4, head & 15
            number = number + step if step else self._read_zigzag()
            fields[number] = kind == 1 if kind in (1, 2) else self._decoders[kind]()
        return fields

    def read_varint(self) -> int:
        """Read an integer from 0; a ``ValueError`` if it has more than 64 bits."""
        value = 0
        for shift in range(0, 70, 7):
            byte = self._read_byte()
            value |= (byte & 127) << shift
            if byte < 128:
                return value
        raise ValueError("the number is too long")

    def _read_zigzag(self) -> int:
        value = self.read_varint()
        return value >> 1 ^ -(value & 1)

    def _read_byte(self) -> int:
        self.place += 1
        return self.data[self.place - 1]

    def _read_bytes(self, size: int) -> bytes:
        self.place += size
        if self.place > len(self.data):
            raise ValueError("the data ends too early")
        return self.data[self.place - size : self.place]

    def _read_list(self) -> list[Any]:
        head = self._read_byte()
        size = head >> 4 if head < 0xF0 else self.read_varint()
        if size > len(self.data):
            raise ValueError("the list is too long")
        return [self._decoders[head & 15]() for _ in range(size)]
