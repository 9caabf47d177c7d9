"""Opening what users have, plain or compressed, and writing so that nothing is lost half-way."""

from __future__ import annotations

import errno
import os
import re
import stat
import warnings
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple, Protocol

from polyseme.errors import InputError, InputWarning

BOM = b"\xef\xbb\xbf"


class _Decompressor(Protocol):
    @property
    def eof(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, /) -> bytes: ...


class Compression(NamedTuple):
    """One way to compress: its first bytes (a regular expression), and both directions."""

    magic: bytes
    decompress: Callable[[bytes], bytes]
    compress: Callable[[bytes], bytes]


def _streams(data: bytes, start: Callable[[], _Decompressor]) -> bytes:
    """All streams of a file; zero bytes may follow one, anything else that is not a whole stream is an error."""
    parts = []
    while data:
        stream = start()
        parts.append(stream.decompress(data))
        if not stream.eof:
            raise EOFError
        data = stream.unused_data.lstrip(b"\0")
    return b"".join(parts)


def _gunzip(data: bytes) -> bytes:
    return _streams(data, lambda: zlib.decompressobj(wbits=31))


def _gzip(data: bytes) -> bytes:
    import gzip

    return gzip.compress(data, mtime=0)


def _bunzip2(data: bytes) -> bytes:
    import bz2

    return _streams(data, bz2.BZ2Decompressor)


def _bzip2(data: bytes) -> bytes:
    import bz2

    return bz2.compress(data)


def _unxz(data: bytes) -> bytes:
    import lzma

    try:
        return _streams(data, lambda: lzma.LZMADecompressor(lzma.FORMAT_XZ))
    except lzma.LZMAError as error:
        raise ValueError from error


def _xz(data: bytes) -> bytes:
    import lzma

    return lzma.compress(data)


def _unzstd(data: bytes) -> bytes:
    import pyarrow as pa

    with pa.CompressedInputStream(pa.BufferReader(data), "zstd") as stream:
        return bytes(stream.read())


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


def _suffix(path: str | os.PathLike[str]) -> str:
    return Path(path).suffix.lower()


def suffix_of(path: str | os.PathLike[str]) -> str:
    """The suffix that names the format, in small letters and without a compression's.

    >>> suffix_of("out.key.gz"), suffix_of("table.parquet"), suffix_of("OUT.KEY")
    ('.key', '.parquet', '.key')
    """
    last = _suffix(path)
    return _suffix(Path(path).stem) if last in COMPRESSIONS else last


def read_bytes(path: str | os.PathLike[str]) -> bytes:
    """The file's content, decompressed if its first bytes say that it is compressed, whatever its name.

    A file of several streams one after the other is read whole, as ``zcat`` does. Zero bytes at the end are padding;
    anything else after a stream is an error, because it may be the damaged rest of the data.
    """
    data = _read(path)
    if not data and _suffix(path) in COMPRESSIONS:
        raise _damaged(_suffix(path), path)
    for suffix, compression in COMPRESSIONS.items():
        if re.match(compression.magic, data):
            try:
                return compression.decompress(data)
            except (EOFError, OSError, ValueError, zlib.error):  # pyarrow's own errors are OSError or ValueError
                raise _damaged(suffix, path) from None
    return data


def _read(path: str | os.PathLike[str]) -> bytes:
    try:
        return Path(path).read_bytes()
    except FileNotFoundError:
        raise InputError("there is no such file", path=path) from None
    except IsADirectoryError:
        raise InputError("this is a folder; name a file in it", path=path) from None
    except (OSError, ValueError) as error:
        raise InputError(f"cannot be read: {_reason(error)}", path=path) from None


def _reason(error: OSError | ValueError) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)


def _damaged(suffix: str, path: object) -> InputError:
    return InputError(f"the {suffix[1:]} data is damaged or cut short; copy or download the file again", path=path)


def read_text(path: str | os.PathLike[str]) -> str:
    """The file's content as text: UTF-8, with or without a byte order mark."""
    return decode(read_bytes(path), path)


def decode(data: bytes, path: object) -> str:
    r"""Bytes as UTF-8 text; anything else is an error that names the line.

    >>> decode(b"\xef\xbb\xbfna\xc3\xafve", "words.txt")
    'naïve'
    """
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise InputError("this is UTF-16 text; save the file as UTF-8", path=path)
    data = data.removeprefix(BOM)
    if b"\0" in data:
        line = data.count(b"\n", 0, data.index(b"\0")) + 1
        raise InputError("a zero byte: this is not a text file in UTF-8", path=path, line=line)
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        column = error.start - data.rfind(b"\n", 0, error.start)
        problem = f"byte 0x{data[error.start]:02x} in column {column} is not UTF-8; save the file as UTF-8"
        raise InputError(problem, path=path, line=line) from None


def warn_of_lines(path: object, lines: Sequence[int], one: str, more: str) -> None:
    """Say in one warning which lines of a file were passed over, and why; nothing if there are none."""
    if lines:
        some = ", ".join(map(str, lines[:5])) + (", …" if len(lines) > 5 else "")
        what = f"1 line {one} (line {some})" if len(lines) == 1 else f"{len(lines)} lines {more} (lines {some})"
        warnings.warn(f"{path}: {what}", InputWarning, stacklevel=4)


def write_bytes(path: str | os.PathLike[str], data: bytes) -> None:
    """Write a file whole or not at all, compressed as its suffix says.

    The data goes to a new file beside the old one, which it then replaces; so a failure leaves the old one as it was. A
    link is followed, the old file's permissions are kept, and a device such as ``/dev/stdout`` is written to directly.
    """
    compression = COMPRESSIONS.get(_suffix(path))
    if compression is not None:
        data = compression.compress(data)
    try:
        target = Path(os.path.realpath(path))
        if target.is_dir():
            raise InputError("this is a folder; name a file in it", path=path)
        if target.exists() and not target.is_file():
            target.write_bytes(data)
        else:
            _replace(target, data)
    except (OSError, ValueError) as error:
        raise InputError(f"cannot be written: {_reason(error)}", path=path) from None


def _replace(target: Path, data: bytes) -> None:
    if target.exists() and not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    beside = target.with_name(f".polyseme-{os.urandom(8).hex()}.tmp")
    try:
        with beside.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if target.exists():
            beside.chmod(stat.S_IMODE(target.stat().st_mode))
        beside.replace(target)
    finally:
        beside.unlink(missing_ok=True)


def write_text(path: str | os.PathLike[str], text: str) -> None:
    """Write a UTF-8 text file whole or not at all, compressed as its suffix says."""
    try:
        data = text.encode()
    except UnicodeEncodeError as error:
        problem = f"cannot be written: the text holds {text[error.start]!r}, which is not a character"
        raise InputError(problem, path=path) from None
    write_bytes(path, data)
