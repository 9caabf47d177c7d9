"""Putting a data set where polyseme finds it: whole or not at all."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from polyseme.datasets import locate, missing_error
from polyseme.datasets.data_set import has_files
from polyseme.datasets.index import DataFiles, DataSetEntry, find_data_set_entry
from polyseme.errors import InputError
from polyseme.formats.archives import unpack
from polyseme.formats.download import download
from polyseme.home import user_data_folder


def install(name: str, source: str | None = None, *, progress: Callable[[str], object] | None = None) -> Path:
    """Install a data set from a folder, an archive or an address, or from where the index says; its place is returned.

    One that is there already is left alone, unless a source is named, which then takes its place if it holds at least
    as much. ``progress`` is called with lines to show to the user.
    """
    entry = find_data_set_entry(name)
    place = locate(entry)
    if entry.wordnet and (source or place is None or place.is_relative_to(user_data_folder())):
        from polyseme import wordnet

        return wordnet.install_wordnet(entry.wordnet, source, progress=progress)
    if place is not None and source is None:
        return place
    source = source or entry.url
    if not source:
        raise missing_error(entry)
    if progress:
        progress(f"fetching {source}")
    target = user_data_folder() / entry.folder
    with _scratch_folder(target) as scratch:
        _replace_folder(_copy_data_set(entry, source, scratch), target, entry, scratch)
    return target


@contextmanager
def _scratch_folder(target: Path) -> Iterator[Path]:
    """A folder beside the target that is gone afterwards; what cannot be written is an error with its path."""
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=target.parent, prefix=".installing-") as scratch:
            yield Path(scratch)
    except OSError as error:
        raise InputError(f"cannot be installed: {error}", path=target) from None


def _replace_folder(new: Path, target: Path, entry: DataSetEntry, scratch: Path) -> None:
    """Put the new folder in the place of the old one, if it holds no less."""
    if target.exists() and count_present(entry, new) < count_present(entry, target):
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


def _copy_data_set(entry: DataSetEntry, source: str, scratch: Path) -> Path:
    """The data set's own folder in the source, as a new folder."""
    new = scratch / "new"
    brought = _fetch_source(entry, source, scratch)
    if brought.is_dir():
        root = find_layout_root(entry, brought, source)
        if root.is_relative_to(scratch):
            return root
        shutil.copytree(root, new, copy_function=shutil.copyfile)
        for each in (new, *(path for path in new.rglob("*") if path.is_dir())):
            each.chmod(0o755)  # a copy of what may not be changed can be replaced all the same
        return new
    new.mkdir()
    shutil.copyfile(brought, new / Path(re.sub(r"[?#].*", "", source)).name)
    return find_layout_root(entry, new, source)


def _fetch_source(entry: DataSetEntry, source: str, scratch: Path) -> Path:
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


def find_layout_root(entry: DataSetEntry, folder: Path, source: object) -> Path:
    """Of this folder and those in it, the one in which the most of the data set's files are where they should be."""
    best = max(_walk_folders(folder), key=lambda each: (count_present(entry, each), -len(each.parts)))
    if not count_present(entry, best):
        expected = ", ".join(dict.fromkeys(pattern for files in entry.files.values() for pattern in files.patterns))
        raise InputError(
            f"this is not the data set {entry.name!r}: none of its files is there ({expected})", path=source
        )
    return best


def count_present(entry: DataSetEntry, folder: Path) -> int:
    """How many of the things that a data set holds are there."""
    single = list(entry.files.values())
    named = [
        files for each in entry.named.values() for files in ([each] if isinstance(each, DataFiles) else each.values())
    ]
    return sum(has_files(folder, files) for files in [*single, *named])


def _walk_folders(folder: Path, depth: int = 4) -> Iterator[Path]:
    yield folder
    if depth:
        for each in sorted(folder.iterdir()):
            if each.is_dir() and not each.is_symlink():
                yield from _walk_folders(each, depth - 1)
