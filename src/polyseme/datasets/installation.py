"""Installing a data set in the user's data folder, whole or not at all."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

from polyseme.datasets import locate, missing_error
from polyseme.datasets.data_set import has_files
from polyseme.datasets.index import DataFiles, DataSetEntry, find_data_set_entry
from polyseme.errors import InputError
from polyseme.formats.archives import unpack
from polyseme.formats.download import download
from polyseme.formats.folders import replace_folder, staging_folder
from polyseme.home import user_data_folder

_ARCHIVE = re.compile(r"\.(zip|tgz|tbz2|txz|tar(\.\w+)?)$")


def install(name: str, source: str | None = None, *, progress: Callable[[str], object] | None = None) -> Path:
    """Install a data set.

    A copy that is there already stays, unless a source is named that holds at least as much.

    Args:
        name: The name of the data set.
        source: A folder, an archive or an address; by default the address in the index.
        progress: A function that is called with lines to show to the user.

    Returns:
        The path of the data set.
    """
    entry = find_data_set_entry(name)
    path = locate(entry)
    if entry.wordnet and (source or path is None or path.is_relative_to(user_data_folder())):
        from polyseme import wordnet

        return wordnet.install_wordnet(entry.wordnet, source, progress=progress)
    if path is not None and source is None:
        return path
    source = source or entry.url
    if not source:
        raise missing_error(entry)
    if progress:
        progress(f"fetching {source}")
    target = user_data_folder() / entry.folder
    with staging_folder(target) as staging:
        new = _copy_data_set(entry, source, staging)
        if target.exists() and count_present(entry, new) < count_present(entry, target):
            problem = "this holds less of the data set than what is installed already"
            raise InputError(f"{problem}; remove {target} first if that is what you want", path=entry.name)
        replace_folder(new, target, staging)
    return target


def _copy_data_set(entry: DataSetEntry, source: str, staging: Path) -> Path:
    """Return a new folder with the files of the data set."""
    new = staging / "new"
    path = _fetch_source(entry, source, staging)
    if not path.is_dir():
        new.mkdir()
        shutil.copyfile(path, new / Path(re.sub(r"[?#].*", "", source)).name)
        return find_layout_root(entry, new, source)
    root = find_layout_root(entry, path, source)
    if root.is_relative_to(staging):
        return root
    shutil.copytree(root, new, copy_function=shutil.copyfile)
    for folder in (new, *(path for path in new.rglob("*") if path.is_dir())):
        folder.chmod(0o755)  # so that the copy of a read-only folder can be replaced later
    return new


def _fetch_source(entry: DataSetEntry, source: str, staging: Path) -> Path:
    """Return the source as a folder, or as a file that is not an archive."""
    path = Path(source).expanduser()
    if re.match(r"\w+://", source):
        path = download(source, staging / "download", sha256=entry.sha256 if source == entry.url else "")
    if not path.exists():
        raise InputError("there is no such file or folder; name a folder, an archive (tar, zip) or a URL", path=source)
    if path.is_dir() or not _ARCHIVE.search(re.sub(r"[?#].*", "", source).lower()):
        return path
    folder = staging / "unpacked"
    folder.mkdir()
    unpack(path, folder)
    return folder


def find_layout_root(entry: DataSetEntry, folder: Path, source: object) -> Path:
    """Return the folder, or one inside it, in which most files of the data set are where they should be."""
    best = max(_walk_folders(folder), key=lambda candidate: (count_present(entry, candidate), -len(candidate.parts)))
    if not count_present(entry, best):
        expected = ", ".join(dict.fromkeys(pattern for files in entry.files.values() for pattern in files.patterns))
        problem = f"this is not the data set {entry.name!r}: none of its files is there ({expected})"
        raise InputError(problem, path=source)
    return best


def count_present(entry: DataSetEntry, folder: Path) -> int:
    """Count the roles of a data set whose files are in a folder."""
    groups = (
        [files] if isinstance(files, DataFiles) else files.values()
        for files in (*entry.files.values(), *entry.named_files.values())
    )
    return sum(has_files(folder, files) for group in groups for files in group)


def _walk_folders(folder: Path, depth: int = 4) -> Iterator[Path]:
    yield folder
    if depth:
        for path in sorted(folder.iterdir()):
            if path.is_dir() and not path.is_symlink():
                yield from _walk_folders(path, depth - 1)
