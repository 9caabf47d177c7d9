"""Putting a data set where polyseme finds it: whole or not at all."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
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

    One that is there already is left alone, unless a source is named, which then takes its place if it holds at least
    as much. ``progress`` is called with lines to show to the user.
    """
    entry = entry_of(name)
    place = find(entry)
    if entry.wordnet and (source or place is None or place.is_relative_to(installed())):
        from polyseme import wordnet

        return wordnet.install(entry.wordnet, source, progress=progress)
    if place is not None and source is None:
        return place
    source = source or entry.url
    if not source:
        raise missing(entry)
    if progress:
        progress(f"fetching {source}")
    target = installed() / entry.folder
    with _scratch(target) as scratch:
        _put(_copied(entry, source, scratch), target, entry, scratch)
    return target


@contextmanager
def _scratch(target: Path) -> Iterator[Path]:
    """A folder beside the target that is gone afterwards; what cannot be written is an error with its path."""
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=target.parent, prefix=".installing-") as scratch:
            yield Path(scratch)
    except OSError as error:
        raise InputError(f"cannot be installed: {error}", path=target) from None


def _put(new: Path, target: Path, entry: Entry, scratch: Path) -> None:
    """Put the new folder in the place of the old one, if it holds no less."""
    if target.exists() and present(entry, new) < present(entry, target):
        problem = "this holds less of the data set than what is installed already"
        raise InputError(f"{problem}; remove {target} first if that is what you want", path=entry.name)
    old = scratch / "old"
    if target.exists():
        target.rename(old)
    try:
        new.rename(target)
    except OSError:
        if old.exists():
            old.rename(target)
        raise


def _copied(entry: Entry, source: str, scratch: Path) -> Path:
    """The data set's own folder in the source, as a new folder."""
    new = scratch / "new"
    brought = _brought(entry, source, scratch)
    if brought.is_dir():
        root = layout_root(entry, brought, source)
        if root.is_relative_to(scratch):
            return root
        shutil.copytree(root, new, copy_function=shutil.copyfile)
        for each in (new, *(path for path in new.rglob("*") if path.is_dir())):
            each.chmod(0o755)  # a copy of what may not be changed can be replaced all the same
        return new
    new.mkdir()
    shutil.copyfile(brought, new / Path(re.sub(r"[?#].*", "", source)).name)
    return layout_root(entry, new, source)


def _brought(entry: Entry, source: str, scratch: Path) -> Path:
    """The source as a folder, or as a file that is no archive."""
    path = Path(source).expanduser()
    if re.match(r"\w+://", source):
        path = download(source, scratch / "download", sha256=entry.sha256 if source == entry.url else "")
    if not path.exists():
        raise InputError("there is no such file or folder; name a folder, an archive (tar, zip) or a URL", path=source)
    if path.is_dir() or not re.search(r"\.(zip|tgz|tbz2|txz|tar(\.\w+)?)$", re.sub(r"[?#].*", "", source).lower()):
        return path
    folder = scratch / "unpacked"
    folder.mkdir()
    unpack(path, folder)
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
