"""Many files at once: those of a folder or of an archive, which is read without unpacking it, or unpacked safely.

Only regular files are taken out of archives, so that neither a name nor a link in one is ever a path here.
"""

from __future__ import annotations

import io
import lzma
import os
import re
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Protocol, TypeVar

from polyseme.errors import InputError
from polyseme.formats.compression import BLOCK_SIZE
from polyseme.formats.files import Blob, Source, read_blocks

_Member = TypeVar("_Member")

MAX_FILE_BYTES = 2_000_000_000
"""No file of a data set is as large; one that says so is not unpacked."""

TAR_NAME = re.compile(r".*\.(tar(\.(gz|bz2|xz|zst))?|tgz|tbz2?|txz|tzst)", re.DOTALL)
"""How tar archives are called, in the compressions that single files may have."""


def iterate_files(path: str | os.PathLike[str], pattern: str = "*") -> Iterator[Source]:
    """The files to read: the file itself, or those of a folder or a tar archive that match.

    Those of a folder come in the order of their names, those of an archive in its own. A pattern with a ``/`` is one
    of the whole path below the folder, ``**`` standing for any folders; one without is of the name alone, anywhere
    below. In an archive the path may begin with one folder more, which most archives have. An archive in a folder
    stands for all that is in it.
    """
    if Path(path).is_dir():
        glob = pattern if "/" in pattern else f"**/{pattern}"
        for found in sorted(found for found in Path(path).glob(glob) if found.is_file()):
            yield from _list_members(found, "*") if _is_archive(found) else [found]
    elif _is_archive(path):
        yield from _list_members(path, pattern)
    else:
        yield path


def _is_archive(path: str | os.PathLike[str]) -> bool:
    return TAR_NAME.fullmatch(str(path).lower()) is not None


def _list_members(path: str | os.PathLike[str], pattern: str) -> Iterator[Blob]:
    """What lies in a tar archive, in the archive's own order, which is the one in which it can be streamed."""
    matches = re.compile(_compile_glob(pattern)).fullmatch
    archive = _Archive(path)
    for number in count():
        member = archive.at(number)
        if member is None:
            return
        name = member.name.removeprefix("./")
        if member.isreg() and (matches(name) or matches(name.partition("/")[2])):
            yield ArchiveMember(archive, number, member.name)


class ArchiveMember(Blob):
    """A file in a tar archive, whose content is read when it is asked for."""

    __slots__ = ("_archive", "_inside", "_number")

    _archive: _Archive
    _number: int
    _inside: str

    def __init__(self, archive: _Archive, number: int, inside: str) -> None:
        own = {"_archive": archive, "_number": number, "_inside": inside}
        for name, value in (own | {"name": f"{archive.path}/{inside.removeprefix('./')}"}).items():
            object.__setattr__(self, name, value)

    @property
    def data(self) -> bytes:
        """Its content, whole."""
        return self._archive.content(self._number, self._inside)

    def __reduce__(self) -> tuple[type[Blob], tuple[str, bytes]]:
        return Blob, (self.name, self.data)


class _Archive:
    """A tar archive that is read forwards; to go back is to begin again. One member's content is in memory at most."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = path
        self._stream: Iterator[tuple[tarfile.TarFile, tarfile.TarInfo]] | None = None
        self._number = -1
        self._here: tuple[tarfile.TarFile, tarfile.TarInfo] | None = None
        self._content: bytes | None = None

    def at(self, number: int) -> tarfile.TarInfo | None:
        """Go to the member of this number, if there are as many."""
        if self._stream is None or number < self._number:
            self._stream, self._number = _stream_members(self.path), -1
        while self._number < number:
            self._content = None
            with _convert_errors(self.path):
                self._here = next(self._stream, None)
            self._number += 1
            if self._here is None:
                self._stream = None
                return None
        return self._here[1] if self._here else None

    def content(self, number: int, name: str) -> bytes:
        """What the member of this number and name holds."""
        member = self.at(number)
        if member is None or member.name != name or self._here is None:
            raise InputError(f"the archive was changed while it was read: {name} is gone", path=self.path)
        if member.size > MAX_FILE_BYTES:
            raise InputError(f"this file is too large: {member.size:,} bytes", path=f"{self.path}/{name}")
        if self._content is None:
            with _convert_errors(self.path):
                file = self._here[0].extractfile(member)
                assert file is not None, "a regular file has content"
                self._content = file.read()
        return self._content


def _stream_members(path: str | os.PathLike[str]) -> Iterator[tuple[tarfile.TarFile, tarfile.TarInfo]]:
    """The members of an archive as a stream, and at its end the check of what is compressed."""
    reading = _BlockReader(read_blocks(path))
    with tarfile.open(fileobj=reading, mode="r|") as tar:
        yield from ((tar, member) for member in tar)
    while reading.read(BLOCK_SIZE):
        pass


class _BlockReader(io.RawIOBase):
    """Blocks of bytes as a file, as far as tarfile needs one."""

    def __init__(self, blocks: Iterator[bytes]) -> None:
        self._blocks = blocks
        self._rest = b""

    def read(self, size: int = BLOCK_SIZE) -> bytes:
        """So many bytes at most, and some, unless it is the end."""
        self._rest = self._rest or next(self._blocks, b"")
        taken, self._rest = self._rest[:size], self._rest[size:]
        return taken


@contextmanager
def _convert_errors(path: object) -> Iterator[None]:
    try:
        yield
    except (tarfile.TarError, EOFError, OSError, ValueError) as error:
        raise InputError(f"the archive cannot be read: {error}; copy or download it again", path=path) from None


def _compile_glob(pattern: str) -> str:
    """A pattern as in :func:`files_in` as a regular expression on the whole name."""
    glob = pattern if "/" in pattern else f"**/{pattern}"
    parts = {"**/": "(.*/)?", "*": "[^/]*", "?": "[^/]"}
    return re.sub(r"\*\*/|\*|\?|[^*?]+", lambda part: parts.get(part[0], re.escape(part[0])), glob)


class FileCollection(Protocol):
    """Named files: those of a folder or of an archive."""

    def names(self) -> list[str]:
        """The names, with slashes."""
        ...

    def read(self, name: str) -> bytes:
        """The content of one of them."""
        ...


class FolderFiles:
    """The files in a folder and below it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def names(self) -> list[str]:
        """The names, relative to the folder."""
        places = ((Path(place), files) for place, _, files in os.walk(self.folder))
        return sorted((place / name).relative_to(self.folder).as_posix() for place, files in places for name in files)

    def read(self, name: str) -> bytes:
        """The content of one of them."""
        return (self.folder / name).read_bytes()


class _TarFiles:
    def __init__(self, tar: tarfile.TarFile) -> None:
        self._tar = tar
        self._members = {member.name.removeprefix("./"): member for member in tar.getmembers() if member.isreg()}

    def names(self) -> list[str]:
        return list(self._members)

    def read(self, name: str) -> bytes:
        member = self._members[name]
        file = self._tar.extractfile(_check_size(name, member.size, member))
        assert file is not None, "a regular file has content"
        return file.read()


class _ZipFiles:
    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._zip = archive
        self._members = {member.filename: member for member in archive.infolist() if _is_regular_file(member)}

    def names(self) -> list[str]:
        return list(self._members)

    def read(self, name: str) -> bytes:
        member = self._members[name]
        return self._zip.read(_check_size(name, member.file_size, member))


def _is_regular_file(member: zipfile.ZipInfo) -> bool:
    kind = stat.S_IFMT(member.external_attr >> 16)
    return not member.is_dir() and kind in (0, stat.S_IFREG)


def _check_size(name: str, size: int, member: _Member) -> _Member:
    if size > MAX_FILE_BYTES:
        raise InputError(f"{name} in it is too large: {size:,} bytes")
    return member


@contextmanager
def open_files(path: Path) -> Iterator[FileCollection]:
    """The files of a folder, a tar archive (plain or compressed) or a zip archive; links in an archive are left out."""
    if path.is_dir():
        yield FolderFiles(path)
        return
    if not path.is_file():
        raise InputError("there is no such file or folder", path=path)
    try:
        if zipfile.is_zipfile(path):
            with zipfile.ZipFile(path) as archive:
                yield _ZipFiles(archive)
        else:
            with tarfile.open(path) as tar:
                yield _TarFiles(tar)
                while tar.fileobj.read(BLOCK_SIZE):
                    pass  # the checksum of compressed data comes at its end
    except (tarfile.TarError, zipfile.BadZipFile, EOFError, lzma.LZMAError, zlib.error, OSError, RuntimeError) as error:
        # zipfile says with a RuntimeError that it does not know a password or a method
        reason = str(error).partition(":\n")[0]  # tarfile lists every compression that it tried
        problem = f"cannot be unpacked ({reason}); a folder, a tar.gz or a zip archive is expected"
        raise InputError(problem, path=path) from None


def names_in_folder(names: Iterable[str], folder: str) -> dict[str, str]:
    """The names right in a folder, without it → in full.

    >>> names_in_folder(["dict/data.noun", "dict/old/data.noun", "README"], "dict")
    {'data.noun': 'dict/data.noun'}
    """
    parts = (name.rpartition("/") for name in names)
    return {last: f"{place}{slash}{last}" for place, slash, last in parts if place == folder}


def unpack(archive: Path, folder: Path) -> None:
    """Write the files of a tar or zip archive into a folder; a name that would lead out of it is refused."""
    with open_files(archive) as files:
        for name in files.names():
            target = folder / name
            if not target.resolve().is_relative_to(folder.resolve()):
                raise InputError(f"{name!r} in it would be written outside the folder; do not use it", path=archive)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(files.read(name))
