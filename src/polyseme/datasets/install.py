"""Putting a data set where polyseme finds it: whole or not at all."""

from __future__ import annotations

import re
import shutil
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from polyseme.datasets import find, missing
from polyseme.datasets.data_set import is_there
from polyseme.datasets.index import Entry, Files, entry_of
from polyseme.errors import InputError
from polyseme.formats.archives import unpack
from polyseme.formats.download import download
from polyseme.home import installed


def install(name: str, source: str | None = None, *, progress: Callable[[str], object] | None = None) -> Path:
    """Install a data set from a folder, an archive or an address, or from where the index says; its place is returned.

    One that is there already is left alone, unless a source is named, which then takes its place. ``progress`` is
    called with lines to show to the user.
    """
    entry = entry_of(name)
    place = find(entry)
    if place is not None and source is None:
        return place
    if entry.wordnet:
        from polyseme import wordnet

        return wordnet.install(entry.wordnet, source, progress=progress)
    source = source or entry.url
    if not source:
        raise missing(entry)
    if progress:
        progress(f"fetching {source}")
    return _install(entry, source, installed() / entry.folder)


def _install(entry: Entry, source: str, target: Path) -> Path:
    target.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=target.parent, prefix=".installing-") as scratch:
        root = layout_root(entry, _brought(entry, source, Path(scratch)), source)
        old = Path(scratch, "old")
        if target.exists():
            target.rename(old)
        root.rename(target)
    return target


def _brought(entry: Entry, source: str, scratch: Path) -> Path:
    """What the source holds, in a folder of its own."""
    folder = scratch / "new"
    if re.match(r"\w+://", source):
        archive = scratch / "download"
        download(source, archive, sha256=entry.sha256 if source == entry.url else "")
    else:
        archive = Path(source).expanduser()
    if not archive.exists():
        raise InputError("there is no such file or folder; name a folder, an archive (tar, zip) or a URL", path=source)
    if archive.is_dir():
        shutil.copytree(archive, folder)
        for each in (folder, *folder.rglob("*")):  # a copy of what may not be changed can be replaced all the same
            each.chmod(each.stat().st_mode | stat.S_IWUSR)
    elif archive.suffix in (".zip", ".tgz") or ".tar" in archive.name or archive.name == "download":
        folder.mkdir()
        unpack(archive, folder)
    else:
        folder.mkdir()
        shutil.copy(archive, folder)
    return folder


def layout_root(entry: Entry, folder: Path, source: object) -> Path:
    """Of this folder and those in it, the one in which the most of the data set's files are where they should be."""
    best = max(_folders(folder), key=lambda each: (present(entry, each), -len(each.parts)))
    if not present(entry, best):
        expected = ", ".join(dict.fromkeys(pattern for files in entry.files.values() for pattern in files.patterns))
        raise InputError(
            f"this is not the data set {entry.name!r}: none of its files is there ({expected})", path=source
        )
    return best


def present(entry: Entry, folder: Path) -> int:
    """How many of the things that a data set holds are there."""
    single = list(entry.files.values())
    named = [files for each in entry.named.values() for files in ([each] if isinstance(each, Files) else each.values())]
    return sum(is_there(folder, files) for files in [*single, *named])


def _folders(folder: Path, depth: int = 4) -> Iterator[Path]:
    yield folder
    if depth:
        for each in sorted(folder.iterdir()):
            if each.is_dir() and not each.is_symlink():
                yield from _folders(each, depth - 1)
