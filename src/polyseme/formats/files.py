"""Reading files, plain or compressed, and writing them whole or not at all."""

from __future__ import annotations

import errno
import lzma
import os
import re
import stat
import time
import warnings
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import chain
from pathlib import Path

from polyseme.errors import InputError, InputWarning
from polyseme.formats.compression import BLOCK_SIZE, COMPRESSIONS, Blocks
from polyseme.formats.signatures import TEXT_FILE, check_signature

BOM = b"\xef\xbb\xbf"

TEMPORARY_PREFIX = ".polyseme-"
"""The start of the names of unfinished files and folders; one is left behind if its process is killed."""

RETRY_DELAYS = (0.05, 0.1, 0.2, 0.4, 0.8) if os.name == "nt" else ()
"""Windows does not move a file that another program, such as a virus scanner, has open: seconds before each retry."""


@dataclass(frozen=True, slots=True)
class Blob:
    """A file in memory, such as a member of an archive.

    Args:
        name: The name, for messages.
        data: The content.
    """

    name: str
    data: bytes

    def __str__(self) -> str:
        return self.name


Source = str | os.PathLike[str] | Blob
"""The input of a reader: the path of a file, or a file in memory."""


def _suffix(path: Source) -> str:
    return Path(str(path)).suffix.lower()


def format_suffix(path: Source) -> str:
    """Return the suffix that names the format, in lower case and without that of a compression.

    >>> format_suffix("out.key.gz"), format_suffix("table.parquet"), format_suffix("OUT.KEY")
    ('.key', '.parquet', '.key')
    """
    last = _suffix(path)
    return _suffix(Path(str(path)).stem) if last in COMPRESSIONS else last


# -- reading -------------------------------------------------------------------------------------------------------


def read_bytes(path: Source) -> bytes:
    """Read the content of a file, decompressed if its first bytes are those of a compression.

    A file of several compressed streams is read whole, as ``zcat`` does. Zero bytes at the end are padding; anything
    else after a stream is an error, because it may be the damaged rest of the data.
    """
    return b"".join(_open_blocks([b"".join(_read_raw_blocks(path, size=-1))], path))


def read_blocks(path: Source) -> Iterator[bytes]:
    """Read the same block by block, so that little of a large file is in memory at a time."""
    return _open_blocks(_read_raw_blocks(path), path)


def _open_blocks(raw: Blocks, path: Source) -> Iterator[bytes]:
    waiting = iter(raw)
    first = next(waiting, b"")
    if not first and _suffix(path) in COMPRESSIONS:
        raise _damaged_error(_suffix(path), path)
    blocks = chain([first], waiting)
    suffix = next((name for name, compression in COMPRESSIONS.items() if re.match(compression.magic, first)), None)
    return blocks if suffix is None else _decompress(suffix, blocks, path)


def _decompress(suffix: str, raw: Blocks, path: Source) -> Iterator[bytes]:
    try:
        yield from COMPRESSIONS[suffix].decompress(raw)
    except (EOFError, OSError, ValueError, zlib.error, lzma.LZMAError):  # pyarrow raises OSError or ValueError
        raise _damaged_error(suffix, path) from None


def _read_raw_blocks(path: Source, size: int = BLOCK_SIZE) -> Iterator[bytes]:
    if isinstance(path, Blob):
        yield path.data
        return
    try:
        with Path(path).open("rb") as file:
            while block := file.read(size):
                yield block
    except FileNotFoundError:
        raise missing_file_error(path) from None
    except IsADirectoryError:
        raise InputError("this is a folder; name a file in it", path=path) from None
    except (OSError, ValueError) as error:
        raise InputError(f"cannot be read: {_error_reason(error)}; name another file", path=path) from None


def missing_file_error(path: object, kind: str = "file", names: Iterable[str] = ()) -> InputError:
    """Return the error about a file that is not there; it suggests similar names.

    Args:
        path: The path of the file.
        kind: What should be there.
        names: Names that are allowed too, such as those of data sets.

    >>> str(missing_file_error("https://example.com/gold.key"))
    'https://example.com/gold.key: polyseme reads files of this machine. Download it first, and name the file.'
    """
    name = str(path)
    if re.match(r"[a-z][a-z+.-]+:/", name, re.IGNORECASE):
        return InputError("polyseme reads files of this machine. Download it first, and name the file.", path=path)
    folder = Path(name).parent
    if Path(name).is_symlink():
        return InputError(f"this is a link to {Path(name).readlink()}, which is not there. Check the link.", path=path)
    try:
        files = {entry.name: str(folder / entry.name) for entry in folder.iterdir()}
    except (OSError, ValueError):
        return InputError(f"there is no such {kind}, and no folder {folder}. Check the path.", path=path)
    paths = {other: other for other in names} | files
    similar = [paths[match] for match in get_close_matches(Path(name).name, paths, n=2, cutoff=0.7)]
    advice = f"Did you mean {' or '.join(similar)}?" if similar else "Check its name and its folder."
    return InputError(f"there is no such {kind}. {advice}", path=path)


def read_head(path: Source, size: int = 1 << 16) -> bytes:
    """Read the first bytes of the decompressed content, by which formats are recognised."""
    start = b""
    for block in read_blocks(path):
        start += block
        if len(start) >= size:
            break
    return start[:size]


def read_lines(path: Source) -> Iterator[tuple[int, str]]:
    r"""Yield the numbered lines of a UTF-8 text file without their line ends.

    >>> list(read_lines(Blob("words.txt", b"one\r\ntwo\n")))
    [(1, 'one'), (2, 'two')]
    """
    for number, text in read_lines_with_ends(path):
        line = text.removesuffix("\n").removesuffix("\r")
        if "\r" in line:
            problem = "a carriage return within a line, as old Macs end lines; save the file with line ends of Unix"
            raise InputError(problem, path=path, line=number)
        yield number, line


def read_content_lines(path: Source) -> Iterator[tuple[int, str]]:
    """Yield the numbered lines that are not blank."""
    return ((number, line) for number, line in read_lines(path) if line.strip())


def read_lines_with_ends(path: Source) -> Iterator[tuple[int, str]]:
    """Yield the numbered lines with their line ends, for formats whose values may contain line ends."""
    number = 1
    for piece in _read_whole_lines(path):
        texts = decode_utf8(piece, path, first_line=number).split("\n")
        yield from ((number + row, f"{text}\n") for row, text in enumerate(texts[:-1]))
        number += len(texts) - 1
        if texts[-1]:
            yield number, texts[-1]


def check_utf8(path: Source) -> None:
    """Check that a file is UTF-8 text, block by block; an error names the line that is not."""
    number = 1
    for piece in _read_whole_lines(path):
        decode_utf8(piece, path, first_line=number)
        number += piece.count(b"\n")


def _read_whole_lines(path: Source) -> Iterator[bytes]:
    """Yield the content in pieces that end with a line; a line that is longer than many blocks is joined once."""
    waiting: list[bytes] = []
    for block in read_blocks(path):
        end = block.rfind(b"\n") + 1
        if end:
            yield b"".join([*waiting, block[:end]])
            waiting = []
        waiting.append(block[end:])
    if last_line := b"".join(waiting):
        yield last_line


def _error_reason(error: OSError | ValueError) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)


def _damaged_error(suffix: str, path: object) -> InputError:
    return InputError(f"the {suffix[1:]} data is damaged or cut short; copy or download the file again", path=path)


def read_text(path: Source, expected: str = TEXT_FILE) -> str:
    """Read the content of a file as UTF-8 text, with or without a byte order mark.

    Args:
        path: The file.
        expected: What is expected of it, for messages.
    """
    return decode_utf8(read_bytes(path), path, expected=expected)


def decode_utf8(data: bytes, path: object, *, first_line: int = 1, expected: str = TEXT_FILE) -> str:
    r"""Decode bytes as UTF-8 text; an error names the line that is not UTF-8, or says what else the file is.

    Args:
        data: The bytes.
        path: The file, for messages.
        first_line: The number of the first line of these bytes.
        expected: What is expected of the file.

    >>> decode_utf8(b"\xef\xbb\xbfna\xc3\xafve", "words.txt")
    'naïve'
    """
    if first_line == 1:
        if data.startswith((b"\xff\xfe", b"\xfe\xff")):
            raise InputError("this is UTF-16 text; save the file as UTF-8", path=path)
        check_signature(data[: 1 << 16], path, expected)
        data = data.removeprefix(BOM)
    if b"\0" in data:
        line = data.count(b"\n", 0, data.index(b"\0")) + first_line
        problem = "a zero byte: this is not a text file in UTF-8; save it as UTF-8, or name another file"
        raise InputError(problem, path=path, line=line)
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + first_line
        column = error.start - data.rfind(b"\n", 0, error.start)
        problem = f"byte 0x{data[error.start]:02x} in column {column} is not UTF-8; save the file as UTF-8"
        raise InputError(problem, path=path, line=line) from None


def first_text_line(start: bytes) -> str:
    """Return the first line that is not blank from the first bytes of a file."""
    return start.removeprefix(BOM).lstrip().split(b"\n", 1)[0].decode(errors="replace").removesuffix("\r")


def list_numbers(numbers: Sequence[int], limit: int = 5) -> str:
    """Write the first numbers of a list for a message.

    >>> list_numbers([3, 4], limit=1)
    '3, …'
    """
    return ", ".join(map(str, numbers[:limit])) + (", …" if len(numbers) > limit else "")


def warn_about_lines(path: object, lines: Sequence[int], singular: str, plural: str) -> None:
    """Name in one warning the lines of a file that are skipped, and why; no warning if there are none.

    Args:
        path: The file.
        lines: The numbers of the lines.
        singular: The predicate for one line.
        plural: The predicate for several lines.
    """
    if lines:
        numbers = list_numbers(lines)
        text = (
            f"1 line {singular} (line {numbers})"
            if len(lines) == 1
            else f"{len(lines)} lines {plural} (lines {numbers})"
        )
        warnings.warn(f"{path}: {text}", InputWarning, stacklevel=4)


# -- writing -------------------------------------------------------------------------------------------------------


@contextmanager
def explain_writing(path: object) -> Iterator[None]:
    """Turn an error of the system into one that names the path."""
    try:
        yield
    except (OSError, ValueError) as error:
        raise InputError(f"cannot be written: {_error_reason(error)}; name another place", path=path) from None


def make_folder(folder: str | os.PathLike[str]) -> None:
    """Create a folder, and those above it, unless it exists.

    Raises:
        polyseme.errors.InputError: It cannot be created.
    """
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:  # as for 'con' on Windows
        problem = f"the folder cannot be created: {_error_reason(error)}; name another folder"
        raise InputError(problem, path=folder) from None


def write_bytes(path: str | os.PathLike[str], data: bytes) -> None:
    """Write a file whole or not at all, compressed as its suffix says.

    The data goes to a new file beside the old one and then replaces it, so that a failure leaves the old file as it
    was. A link is followed, the permissions of the old file stay, and a device such as ``/dev/stdout`` is written to
    directly.
    """
    compression = COMPRESSIONS.get(_suffix(path))
    if compression is not None:
        data = compression.compress(data)
    with explain_writing(path):
        target = Path(os.path.realpath(path))
        if target.is_dir():
            raise InputError("this is a folder; name a file in it", path=path)
        if target.exists() and not target.is_file():
            target.write_bytes(data)
        else:
            _replace_file(target, data)


def _replace_file(target: Path, data: bytes) -> None:
    if target.exists() and not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    temporary = target.with_name(f"{TEMPORARY_PREFIX}{os.urandom(8).hex()}.tmp")
    try:
        with temporary.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if target.exists():
            temporary.chmod(stat.S_IMODE(target.stat().st_mode))
        move_path(temporary, target)
    finally:
        temporary.unlink(missing_ok=True)


def move_path(source: Path, target: Path) -> None:
    """Move a file to a place on the same file system, even over another file; or a folder to a free place."""
    for delay in RETRY_DELAYS:
        try:
            source.replace(target)
        except PermissionError:
            time.sleep(delay)
        else:
            return
    source.replace(target)


def write_text(path: str | os.PathLike[str], text: str) -> None:
    """Write a UTF-8 text file whole or not at all, compressed as its suffix says."""
    write_bytes(path, encode_utf8(path, text))


def encode_utf8(path: object, text: str) -> bytes:
    """Encode the text of a file in UTF-8; an error names what is not a character."""
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        problem = f"cannot be written: the text holds {text[error.start]!r}, which is not a character"
        raise InputError(problem, path=path) from None
