"""The compressions that files come in: told by their first bytes, read block by block."""

from __future__ import annotations

import io
import zlib
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple, Protocol

BLOCK_SIZE = 1 << 18
"""How many bytes of a file are looked at together."""


class _Decompressor(Protocol):
    @property
    def eof(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, max_length: int, /) -> bytes: ...


Blocks = Iterable[bytes]


class Compression(NamedTuple):
    """One way to compress: its first bytes (a regular expression), and both directions."""

    magic: bytes
    decompress: Callable[[Blocks], Iterator[bytes]]
    compress: Callable[[bytes], bytes]


def _decompress_streams(blocks: Blocks, start: Callable[[], _Decompressor]) -> Iterator[bytes]:
    """All streams of a file; zero bytes may follow one, anything else that is not a whole stream is an error.

    However much a few bytes stand for, no more than a block of it is there at a time.
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
    """What these bytes stand for, a block at a time; zlib gives back what it has not looked at, the others keep it."""
    while True:
        block = stream.decompress(data, BLOCK_SIZE)
        if block:
            yield block
        data = getattr(stream, "unconsumed_tail", b"")
        if stream.eof or not (data or len(block) == BLOCK_SIZE):
            return


def _gunzip(blocks: Blocks) -> Iterator[bytes]:
    return _decompress_streams(blocks, lambda: zlib.decompressobj(wbits=31))


def _gzip(data: bytes) -> bytes:
    import gzip

    return gzip.compress(data, mtime=0)


def _bunzip2(blocks: Blocks) -> Iterator[bytes]:
    import bz2

    return _decompress_streams(blocks, bz2.BZ2Decompressor)


def _bzip2(data: bytes) -> bytes:
    import bz2

    return bz2.compress(data)


def _unxz(blocks: Blocks) -> Iterator[bytes]:
    import lzma

    try:
        yield from _decompress_streams(blocks, lambda: lzma.LZMADecompressor(lzma.FORMAT_XZ))
    except lzma.LZMAError as error:
        raise ValueError from error


def _xz(data: bytes) -> bytes:
    import lzma

    return lzma.compress(data)


class _BlockFile(io.RawIOBase):
    """Blocks of bytes as a file that can be read, for a library that wants one."""

    def __init__(self, blocks: Blocks) -> None:
        self._blocks = iter(blocks)
        self._rest = b""

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        self._rest = self._rest or next(self._blocks, b"")
        size = len(self._rest) if size < 0 else size
        taken, self._rest = self._rest[:size], self._rest[size:]
        return taken


def _unzstd(blocks: Blocks) -> Iterator[bytes]:
    import pyarrow as pa

    with pa.CompressedInputStream(pa.PythonFile(_BlockFile(blocks), "r"), "zstd") as stream:
        while block := stream.read(BLOCK_SIZE):
            yield bytes(block)


def _zstd(data: bytes) -> bytes:
    import pyarrow as pa

    sink = pa.BufferOutputStream()
    with pa.CompressedOutputStream(sink, "zstd") as stream:
        stream.write(data)
    return bytes(sink.getvalue())


COMPRESSIONS: dict[str, Compression] = {
    ".gz": Compression(rb"\x1f\x8b", _gunzip, _gzip),
    ".bz2": Compression(rb"BZh[1-9](1AY&SY|\x17rE8P\x90)", _bunzip2, _bzip2),
    ".xz": Compression(rb"\xfd7zXZ\x00", _unxz, _xz),
    ".zst": Compression(rb"\x28\xb5\x2f\xfd", _unzstd, _zstd),
}
"""Suffix → how that compression works."""
