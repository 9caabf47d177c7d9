"""Opening what users have, plain or compressed, and writing so that nothing is lost half-way."""

from __future__ import annotations

import errno
import os
import re
import stat
import warnings
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from polyseme.errors import InputError, InputWarning
from polyseme.formats.compression import BLOCK_SIZE, COMPRESSIONS, Blocks

BOM = b"\xef\xbb\xbf"

TEMPORARY_PREFIX = ".polyseme-"
"""How the names of files begin that are not whole yet; one stays behind where writing was killed."""


@dataclass(frozen=True, slots=True)
class Blob:
    """A file that is not on disk, as one inside an archive: its name, for messages, and its content."""

    name: str
    data: bytes

    def __str__(self) -> str:
        return self.name


Source = str | os.PathLike[str] | Blob
"""What a reader reads: a file by its path, or one inside an archive."""


def _suffix(path: Source) -> str:
    return Path(str(path)).suffix.lower()


def format_suffix(path: Source) -> str:
    """The suffix that names the format, in small letters and without a compression's.

    >>> format_suffix("out.key.gz"), format_suffix("table.parquet"), format_suffix("OUT.KEY")
    ('.key', '.parquet', '.key')
    """
    last = _suffix(path)
    return _suffix(Path(str(path)).stem) if last in COMPRESSIONS else last


def read_bytes(path: Source) -> bytes:
    """The file's content, decompressed if its first bytes say that it is compressed, whatever its name.

    A file of several streams one after the other is read whole, as ``zcat`` does. Zero bytes at the end are padding;
    anything else after a stream is an error, because it may be the damaged rest of the data.
    """
    return b"".join(_open_blocks([_read_raw_bytes(path)], path))


def read_blocks(path: Source) -> Iterator[bytes]:
    """The same, block by block: however large the file, little of it is in memory at a time."""
    return _open_blocks(_read_raw_blocks(path), path)


def _open_blocks(raw: Blocks, path: Source) -> Iterator[bytes]:
    waiting = iter(raw)
    first = next(waiting, b"")
    if not first and _suffix(path) in COMPRESSIONS:
        raise _damaged_error(_suffix(path), path)
    suffix = next((name for name, each in COMPRESSIONS.items() if re.match(each.magic, first)), None)
    if suffix is None:
        return chain([first], waiting)
    return _decompress(suffix, chain([first], waiting), path)


def _decompress(suffix: str, raw: Blocks, path: Source) -> Iterator[bytes]:
    try:
        yield from COMPRESSIONS[suffix].decompress(raw)
    except (EOFError, OSError, ValueError, zlib.error):  # pyarrow's own errors are OSError or ValueError
        raise _damaged_error(suffix, path) from None


def _read_raw_bytes(path: Source) -> bytes:
    return b"".join(_read_raw_blocks(path, size=-1))


def _read_raw_blocks(path: Source, size: int = BLOCK_SIZE) -> Iterator[bytes]:
    if isinstance(path, Blob):
        yield path.data
        return
    try:
        with Path(path).open("rb") as file:
            while block := file.read(size):
                yield block
    except FileNotFoundError:
        raise InputError("there is no such file", path=path) from None
    except IsADirectoryError:
        raise InputError("this is a folder; name a file in it", path=path) from None
    except (OSError, ValueError) as error:
        raise InputError(f"cannot be read: {_error_reason(error)}", path=path) from None


def read_head(path: Source, size: int = 1 << 16) -> bytes:
    """The first bytes of the decompressed content, from which its format can be told."""
    found = b""
    for block in read_blocks(path):
        found += block
        if len(found) >= size:
            break
    return found[:size]


def read_lines(path: Source) -> Iterator[tuple[int, str]]:
    r"""The numbered lines of a UTF-8 text file, one after the other, without their line ends.

    >>> list(read_lines(Blob("words.txt", b"one\r\ntwo\n")))
    [(1, 'one'), (2, 'two')]
    """
    for number, text in read_lines_with_ends(path):
        line = text.removesuffix("\n").removesuffix("\r")
        if "\r" in line:
            problem = "a carriage return within a line, as old Macs end lines; save the file with line ends of Unix"
            raise InputError(problem, path=path, line=number)
        yield number, line


def read_lines_with_ends(path: Source) -> Iterator[tuple[int, str]]:
    """The same with their line ends as they are, for formats in which a line end can be inside a value."""
    number = 1
    for whole in _read_whole_lines(path):
        texts = decode_utf8(whole, path, first_line=number).split("\n")
        yield from ((number + place, f"{text}\n") for place, text in enumerate(texts[:-1]))
        number += len(texts) - 1
        if texts[-1]:
            yield number, texts[-1]


def _read_whole_lines(path: Source) -> Iterator[bytes]:
    """The content in pieces that end where a line does; a line that is longer than many blocks is joined once."""
    waiting: list[bytes] = []
    for block in read_blocks(path):
        end = block.rfind(b"\n") + 1
        if end:
            yield b"".join([*waiting, block[:end]])
            waiting = []
        waiting.append(block[end:])
    if rest := b"".join(waiting):
        yield rest


def _error_reason(error: OSError | ValueError) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)


def _damaged_error(suffix: str, path: object) -> InputError:
    return InputError(f"the {suffix[1:]} data is damaged or cut short; copy or download the file again", path=path)


def read_text(path: Source) -> str:
    """The file's content as text: UTF-8, with or without a byte order mark."""
    return decode_utf8(read_bytes(path), path)


def decode_utf8(data: bytes, path: object, *, first_line: int = 1) -> str:
    r"""Bytes as UTF-8 text; anything else is an error that names the line.

    >>> decode_utf8(b"\xef\xbb\xbfna\xc3\xafve", "words.txt")
    'naïve'
    """
    if first_line == 1:
        if data.startswith((b"\xff\xfe", b"\xfe\xff")):
            raise InputError("this is UTF-16 text; save the file as UTF-8", path=path)
        data = data.removeprefix(BOM)
    if b"\0" in data:
        line = data.count(b"\n", 0, data.index(b"\0")) + first_line
        raise InputError("a zero byte: this is not a text file in UTF-8", path=path, line=line)
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + first_line
        column = error.start - data.rfind(b"\n", 0, error.start)
        problem = f"byte 0x{data[error.start]:02x} in column {column} is not UTF-8; save the file as UTF-8"
        raise InputError(problem, path=path, line=line) from None


def warn_about_lines(path: object, lines: Sequence[int], one: str, more: str) -> None:
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
            _replace_file(target, data)
    except (OSError, ValueError) as error:
        raise InputError(f"cannot be written: {_error_reason(error)}", path=path) from None


def _replace_file(target: Path, data: bytes) -> None:
    if target.exists() and not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    beside = target.with_name(f"{TEMPORARY_PREFIX}{os.urandom(8).hex()}.tmp")
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
    write_bytes(path, encode_utf8(path, text))


def encode_utf8(path: object, text: str) -> bytes:
    """The text in UTF-8, as the file of this path holds it; an error if a part of it is not a character."""
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        problem = f"cannot be written: the text holds {text[error.start]!r}, which is not a character"
        raise InputError(problem, path=path) from None
