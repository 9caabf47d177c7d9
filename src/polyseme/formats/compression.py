"""The compressions of files: recognised by their first bytes, read block by block."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import zlib
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple, Protocol

from polyseme.errors import MissingExtra

BLOCK_SIZE = 1 << 18
"""The number of bytes of a file that are read at a time."""


class _Decompressor(Protocol):
    @property
    def eof(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, max_length: int, /) -> bytes: ...


Blocks = Iterable[bytes]


class Compression(NamedTuple):
    """A compression: its first bytes (a regular expression), and both directions."""

    magic: bytes
    decompress: Callable[[Blocks], Iterator[bytes]]
    compress: Callable[[bytes], bytes]


class BlockReader(io.RawIOBase):
    """A stream of blocks as a file object, for libraries that read files."""

    def __init__(self, blocks: Blocks) -> None:
        self._blocks = iter(blocks)
        self._rest = b""

    def readable(self) -> bool:
        """Return True, because pyarrow asks."""
        return True

    def read(self, size: int = -1) -> bytes:
        """Return at most ``size`` bytes, and at least one unless the stream is at its end."""
        self._rest = self._rest or next(self._blocks, b"")
        size = len(self._rest) if size < 0 else size
        data, self._rest = self._rest[:size], self._rest[size:]
        return data


def _decompress_streams(blocks: Blocks, start: Callable[[], _Decompressor]) -> Iterator[bytes]:
    """Yield the content of all streams in a file, at most a block at a time, however much a few bytes expand to.

    Zero bytes may follow a stream; anything else that is not a whole stream is an error.
    """
    stream: _Decompressor | None = None
    for block in blocks:
        data = block
        while data := data if stream else data.lstrip(b"\0"):
            stream = stream or start()
            yield from _decompress_in_blocks(stream, data)
            data = b""
            if stream.eof:
                data, stream = stream.unused_data, None
    if stream is not None:
        raise EOFError


def _decompress_in_blocks(stream: _Decompressor, data: bytes) -> Iterator[bytes]:
    """Decompress data a block at a time; zlib returns the input it has not used, the others store it."""
    while True:
        block = stream.decompress(data, BLOCK_SIZE)
        if block:
            yield block
        data = getattr(stream, "unconsumed_tail", b"")
        if stream.eof or not (data or len(block) == BLOCK_SIZE):
            return


def _import_pyarrow() -> Any:
    """Import pyarrow, which has zstandard; Python itself has it from 3.14."""
    try:
        import pyarrow as pa
    except ImportError:
        raise MissingExtra("arrow", "pyarrow") from None
    return pa


def _unzstd(blocks: Blocks) -> Iterator[bytes]:
    pa = _import_pyarrow()
    with pa.CompressedInputStream(pa.PythonFile(BlockReader(blocks), "r"), "zstd") as stream:
        while block := stream.read(BLOCK_SIZE):
            yield bytes(block)


def _zstd(data: bytes) -> bytes:
    pa = _import_pyarrow()
    sink = pa.BufferOutputStream()
    with pa.CompressedOutputStream(sink, "zstd") as stream:
        stream.write(data)
    return bytes(sink.getvalue())


def _compression(magic: bytes, start: Callable[[], _Decompressor], compress: Callable[[bytes], bytes]) -> Compression:
    return Compression(magic, lambda blocks: _decompress_streams(blocks, start), compress)


COMPRESSIONS: dict[str, Compression] = {
    ".gz": _compression(rb"\x1f\x8b", lambda: zlib.decompressobj(wbits=31), lambda data: gzip.compress(data, mtime=0)),
    ".bz2": _compression(rb"BZh[1-9](1AY&SY|\x17rE8P\x90)", bz2.BZ2Decompressor, bz2.compress),
    ".xz": _compression(rb"\xfd7zXZ\x00", lambda: lzma.LZMADecompressor(lzma.FORMAT_XZ), lzma.compress),
    ".zst": Compression(rb"\x28\xb5\x2f\xfd", _unzstd, _zstd),
}
"""Suffix → compression."""
