"""Many files at once: the files of a folder or of an archive, read without unpacking or unpacked safely.

Only regular files are taken out of archives, so that no name or link in an archive is ever used as a path.
"""

from __future__ import annotations

import lzma
import os
import re
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import NamedTuple

from polyseme.errors import InputError
from polyseme.formats.compression import BLOCK_SIZE, BlockReader
from polyseme.formats.files import Blob, Source, read_blocks

MAX_FILE_BYTES = 2_000_000_000
"""The size of a file in an archive above which it is not unpacked."""

TAR_NAME = re.compile(r".*\.(tar(\.(gz|bz2|xz|zst))?|tgz|tbz2?|txz|tzst)", re.DOTALL)
"""The names of tar archives, in the compressions of single files."""


# -- streaming -----------------------------------------------------------------------------------------------------


def iterate_files(path: str | os.PathLike[str], pattern: str = "*") -> Iterator[Source]:
    """Yield the file itself, or the files of a folder or a tar archive that match.

    Files of a folder are sorted by name; files of an archive keep its order. An archive in a folder stands for all
    files in it.

    Args:
        path: A file, a folder or a tar archive.
        pattern: A name, which is matched at any depth, or with a ``/`` a path below the folder. ``**`` stands for any
            folders. In an archive the path may begin with one more folder, which most archives have.
    """
    if Path(path).is_dir():
        glob = pattern if "/" in pattern else f"**/{pattern}"
        for file in sorted(match for match in Path(path).glob(glob) if match.is_file()):
            yield from _list_members(file, "*") if _is_archive(file) else [file]
    elif _is_archive(path):
        yield from _list_members(path, pattern)
    else:
        yield path


def _is_archive(path: str | os.PathLike[str]) -> bool:
    return TAR_NAME.fullmatch(str(path).lower()) is not None


def _list_members(path: str | os.PathLike[str], pattern: str) -> Iterator[Blob]:
    """Yield the matching files of a tar archive in the order of the archive, in which it can be streamed."""
    matches = re.compile(_compile_glob(pattern)).fullmatch
    archive = _Archive(path)
    for number in count():
        member = archive.seek(number)
        if member is None:
            return
        name = member.name.removeprefix("./")
        if member.isreg() and (matches(name) or matches(name.partition("/")[2])):
            yield ArchiveMember(archive, number, member.name)


class ArchiveMember(Blob):
    """A file in a tar archive; its content is read when it is needed."""

    __slots__ = ("_archive", "_inside", "_number")

    _archive: _Archive
    _number: int
    _inside: str

    def __init__(self, archive: _Archive, number: int, inside: str) -> None:
        fields = {"_archive": archive, "_number": number, "_inside": inside}
        for name, value in (fields | {"name": f"{archive.path}/{inside.removeprefix('./')}"}).items():
            object.__setattr__(self, name, value)

    @property
    def data(self) -> bytes:
        """The whole content."""
        return self._archive.read_member(self._number, self._inside)

    def __reduce__(self) -> tuple[type[Blob], tuple[str, bytes]]:
        return Blob, (self.name, self.data)


class _Archive:
    """A tar archive that is read forwards; going back starts again. At most one member is in memory."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = path
        self._stream: Iterator[tuple[tarfile.TarFile, tarfile.TarInfo]] | None = None
        self._number = -1
        self._current: tuple[tarfile.TarFile, tarfile.TarInfo] | None = None
        self._content: bytes | None = None

    def seek(self, number: int) -> tarfile.TarInfo | None:
        """Go to a member by its number; ``None`` if there are fewer."""
        if self._stream is None or number < self._number:
            self._stream, self._number = _stream_members(self.path), -1
        while self._number < number:
            self._content = None
            with _convert_errors(self.path):
                self._current = next(self._stream, None)
            self._number += 1
            if self._current is None:
                self._stream = None
                return None
        return self._current[1] if self._current else None

    def read_member(self, number: int, name: str) -> bytes:
        """Read the member of this number, which must still have this name."""
        member = self.seek(number)
        if member is None or member.name != name or self._current is None:
            raise InputError(f"the archive was changed while it was read: {name} is gone", path=self.path)
        if member.size > MAX_FILE_BYTES:
            raise InputError(f"this file is too large: {member.size:,} bytes", path=f"{self.path}/{name}")
        if self._content is None:
            with _convert_errors(self.path):
                self._content = _read_tar_member(self._current[0], member)
        return self._content


def _stream_members(path: str | os.PathLike[str]) -> Iterator[tuple[tarfile.TarFile, tarfile.TarInfo]]:
    """Yield the members of an archive as a stream, and read on to its end, where the checksum is."""
    reader = BlockReader(read_blocks(path))
    with tarfile.open(fileobj=reader, mode="r|") as tar:
        yield from ((tar, member) for member in tar)
    while reader.read(BLOCK_SIZE):
        pass


def _read_tar_member(tar: tarfile.TarFile, member: tarfile.TarInfo) -> bytes:
    file = tar.extractfile(member)
    assert file is not None, "a regular file has content"
    return file.read()


@contextmanager
def _convert_errors(path: object) -> Iterator[None]:
    try:
        yield
    except (tarfile.TarError, EOFError, OSError, ValueError) as error:
        raise InputError(f"the archive cannot be read: {error}; copy or download it again", path=path) from None


def _compile_glob(pattern: str) -> str:
    """Return a pattern of :func:`iterate_files` as a regular expression for the whole name."""
    glob = pattern if "/" in pattern else f"**/{pattern}"
    wildcards = {"**/": "(.*/)?", "*": "[^/]*", "?": "[^/]"}
    return re.sub(r"\*\*/|\*|\?|[^*?]+", lambda match: wildcards.get(match[0], re.escape(match[0])), glob)


# -- random access -------------------------------------------------------------------------------------------------


class FileCollection(NamedTuple):
    """The files of a folder or of an archive: their sizes by name, and a function that reads one."""

    sizes: dict[str, int]
    read_file: Callable[[str], bytes]

    def read(self, name: str) -> bytes:
        """Read a file by its name."""
        if self.sizes[name] > MAX_FILE_BYTES:
            raise InputError(f"{name} in it is too large: {self.sizes[name]:,} bytes")
        return self.read_file(name)


def _list_folder(folder: Path) -> FileCollection:
    paths = (Path(parent, name) for parent, _, names in os.walk(folder) for name in names)
    names = sorted(path.relative_to(folder).as_posix() for path in paths)
    return FileCollection(dict.fromkeys(names, 0), lambda name: (folder / name).read_bytes())


def _list_tar(tar: tarfile.TarFile) -> FileCollection:
    members = {member.name.removeprefix("./"): member for member in tar.getmembers() if member.isreg()}
    sizes = {name: member.size for name, member in members.items()}
    return FileCollection(sizes, lambda name: _read_tar_member(tar, members[name]))


def _list_zip(archive: zipfile.ZipFile) -> FileCollection:
    types = {member.filename: stat.S_IFMT(member.external_attr >> 16) for member in archive.infolist()}
    regular = [member for member in archive.infolist() if types[member.filename] in (0, stat.S_IFREG)]
    sizes = {member.filename: member.file_size for member in regular if not member.is_dir()}
    return FileCollection(sizes, archive.read)


@contextmanager
def open_files(path: Path) -> Iterator[FileCollection]:
    """Open the files of a folder, a tar archive (plain or compressed) or a zip archive, without the links in it."""
    if path.is_dir():
        yield _list_folder(path)
        return
    if not path.is_file():
        raise InputError("there is no such file or folder", path=path)
    try:
        if zipfile.is_zipfile(path):
            with zipfile.ZipFile(path) as archive:
                yield _list_zip(archive)
        else:
            with tarfile.open(path) as tar:
                yield _list_tar(tar)
                while tar.fileobj.read(BLOCK_SIZE):
                    pass  # the checksum of compressed data comes at its end
    except (tarfile.TarError, zipfile.BadZipFile, EOFError, lzma.LZMAError, zlib.error, OSError, RuntimeError) as error:
        # zipfile raises a RuntimeError for passwords and unknown methods
        reason = str(error).partition(":\n")[0]  # tarfile lists every compression that it tried
        problem = f"cannot be unpacked ({reason}); a folder, a tar.gz or a zip archive is expected"
        raise InputError(problem, path=path) from None


def names_in_folder(names: Iterable[str], folder: str) -> dict[str, str]:
    """Return the names directly in a folder, short → in full.

    >>> names_in_folder(["dict/data.noun", "dict/old/data.noun", "README"], "dict")
    {'data.noun': 'dict/data.noun'}
    """
    parts = (name.rpartition("/") for name in names)
    return {last: f"{parent}{slash}{last}" for parent, slash, last in parts if parent == folder}


def unpack(archive: Path, folder: Path) -> None:
    """Write the files of a tar or zip archive into a folder; a name that would lead out of it is an error."""
    with open_files(archive) as files:
        for name in files.sizes:
            target = folder / name
            if not target.resolve().is_relative_to(folder.resolve()):
                raise InputError(f"{name!r} in it would be written outside the folder; do not use it", path=archive)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(files.read(name))
