"""Many files at once: those of a folder or of an archive, which is read without unpacking it, or unpacked safely.

Only regular files are taken out of archives, so that neither a name nor a link in one is ever a path here.
"""

from __future__ import annotations

import lzma
import os
import re
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol, TypeVar

from polyseme.errors import InputError
from polyseme.formats.compression import BLOCK
from polyseme.formats.files import Blob, Source

_Member = TypeVar("_Member")

LARGEST = 2_000_000_000
"""No file of a data set is as large; one that says so is not unpacked."""


def files_in(path: str | os.PathLike[str], pattern: str = "*") -> Iterator[Source]:
    """The files to read: the file itself, or those of a folder or a tar archive that match.

    Those of a folder come in the order of their names, those of an archive in its own. A pattern with a ``/`` is one
    of the whole path below the folder, ``**`` standing for any folders; one without is of the name alone, anywhere
    below. In an archive the path may begin with one folder more, which most archives have.
    """
    if Path(path).is_dir():
        glob = pattern if "/" in pattern else f"**/{pattern}"
        yield from sorted(found for found in Path(path).glob(glob) if found.is_file())
    elif re.search(r"\.(tar(\.\w+)?|tgz)$", str(path).lower()):
        yield from _members(path, pattern)
    else:
        yield path


def _members(path: str | os.PathLike[str], pattern: str) -> Iterator[Blob]:
    """What lies in a tar archive, in the archive's own order, which is the one in which it can be streamed."""
    matches = re.compile(_regular_expression(pattern)).fullmatch
    try:
        with tarfile.open(path, "r|*") as archive:
            for member in archive:
                name = member.name.removeprefix("./")
                below_the_top = name.partition("/")[2]
                wanted = member.isreg() and (matches(name) or matches(below_the_top))
                file = archive.extractfile(_small(name, member.size, member)) if wanted else None
                if file is not None:
                    yield Blob(f"{path}/{name}", file.read())
    except FileNotFoundError:
        raise InputError("there is no such file", path=path) from None
    except (tarfile.TarError, EOFError, OSError, lzma.LZMAError, zlib.error) as error:
        raise InputError(f"the archive cannot be read: {error}; copy or download it again", path=path) from None


def _regular_expression(pattern: str) -> str:
    """A pattern as in :func:`files_in` as a regular expression on the whole name."""
    glob = pattern if "/" in pattern else f"**/{pattern}"
    parts = {"**/": "(.*/)?", "*": "[^/]*", "?": "[^/]"}
    return re.sub(r"\*\*/|\*|\?|[^*?]+", lambda part: parts.get(part[0], re.escape(part[0])), glob)


class Files(Protocol):
    """Named files: those of a folder or of an archive."""

    def names(self) -> list[str]:
        """The names, with slashes."""
        ...

    def read(self, name: str) -> bytes:
        """The content of one of them."""
        ...


class Folder:
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


class _Tar:
    def __init__(self, tar: tarfile.TarFile) -> None:
        self._tar = tar
        self._members = {member.name.removeprefix("./"): member for member in tar.getmembers() if member.isreg()}

    def names(self) -> list[str]:
        return list(self._members)

    def read(self, name: str) -> bytes:
        member = self._members[name]
        file = self._tar.extractfile(_small(name, member.size, member))
        assert file is not None, "a regular file has content"
        return file.read()


class _Zip:
    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._zip = archive
        self._members = {member.filename: member for member in archive.infolist() if _is_regular(member)}

    def names(self) -> list[str]:
        return list(self._members)

    def read(self, name: str) -> bytes:
        member = self._members[name]
        return self._zip.read(_small(name, member.file_size, member))


def _is_regular(member: zipfile.ZipInfo) -> bool:
    kind = stat.S_IFMT(member.external_attr >> 16)
    return not member.is_dir() and kind in (0, stat.S_IFREG)


def _small(name: str, size: int, member: _Member) -> _Member:
    if size > LARGEST:
        raise InputError(f"{name} in it is too large: {size:,} bytes")
    return member


@contextmanager
def opened(path: Path) -> Iterator[Files]:
    """The files of a folder, a tar archive (plain or compressed) or a zip archive; links in an archive are left out."""
    if path.is_dir():
        yield Folder(path)
        return
    if not path.is_file():
        raise InputError("there is no such file or folder", path=path)
    try:
        if zipfile.is_zipfile(path):
            with zipfile.ZipFile(path) as archive:
                yield _Zip(archive)
        else:
            with tarfile.open(path) as tar:
                yield _Tar(tar)
                while tar.fileobj.read(BLOCK):
                    pass  # the checksum of compressed data comes at its end
    except (tarfile.TarError, zipfile.BadZipFile, EOFError, lzma.LZMAError, zlib.error, OSError, RuntimeError) as error:
        # zipfile says with a RuntimeError that it does not know a password or a method
        reason = str(error).partition(":\n")[0]  # tarfile lists every compression that it tried
        problem = f"cannot be unpacked ({reason}); a folder, a tar.gz or a zip archive is expected"
        raise InputError(problem, path=path) from None


def below(names: Iterable[str], folder: str) -> dict[str, str]:
    """The names right in a folder, without it → in full.

    >>> below(["dict/data.noun", "dict/old/data.noun", "README"], "dict")
    {'data.noun': 'dict/data.noun'}
    """
    parts = (name.rpartition("/") for name in names)
    return {last: f"{place}{slash}{last}" for place, slash, last in parts if place == folder}


def unpack(archive: Path, folder: Path) -> None:
    """Write the files of a tar or zip archive into a folder; a name that would lead out of it is refused."""
    with opened(archive) as files:
        for name in files.names():
            target = folder / name
            if not target.resolve().is_relative_to(folder.resolve()):
                raise InputError(f"{name!r} in it would be written outside the folder; do not use it", path=archive)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(files.read(name))
