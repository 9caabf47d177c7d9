"""Data sets by name: located on this machine, and read when their values are first used."""

from __future__ import annotations

import os
from pathlib import Path

from polyseme.datasets.data_set import DataSet
from polyseme.datasets.index import DataSetEntry, find_data_set_entry
from polyseme.errors import InputError
from polyseme.home import data_folders, user_data_folder

__all__ = ["DataSet", "DataSetEntry", "load", "locate", "missing_error"]

ARCHIVE_SUFFIXES = (".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz")


def load(name: str, data: str | os.PathLike[str] | None = None) -> DataSet:
    """Load a data set by its name: ``load("semeval-2013-task-13").gold``.

    ``polyseme data list`` shows all names.

    Args:
        name: The name of the data set.
        data: A folder to search first. The folders of the environment variable ``POLYSEME_DATA`` follow, and then the
            folder of ``polyseme data install``.

    >>> load("nowhere")
    Traceback (most recent call last):
    polyseme.errors.InputError: ...'nowhere'...
    """
    entry = find_data_set_entry(name, data)
    path = locate(entry, data)
    if path is None:
        raise missing_error(entry)
    return DataSet(entry, path, data)


def locate(entry: DataSetEntry, data: str | os.PathLike[str] | None = None) -> Path | None:
    """Return the path of a data set, which is a folder or a tar archive; ``None`` if it is nowhere."""
    if entry.wordnet:
        from polyseme import wordnet

        return wordnet.find_wordnet(entry.wordnet)
    first = [Path(folder) for folder in (data, entry.beside) if folder is not None]
    names = [f"{entry.folder}{suffix}" for suffix in ("", *ARCHIVE_SUFFIXES)]
    paths = (folder / name for folder in (*first, *data_folders()) for name in names)
    return next((path for path in paths if path.exists()), None)


def missing_error(entry: DataSetEntry) -> InputError:
    """Return the error about a data set that is nowhere; it says how to get it and where to put it."""
    if entry.url or entry.wordnet:
        return InputError(f"the data set {entry.name!r} is not installed. Type: polyseme data install {entry.name}")
    licence, fetch = entry.licence or "not stated", f"Fetch it from {entry.address}" if entry.address else "Fetch it"
    return InputError(
        f"the data set {entry.name!r} is not here, and polyseme does not download it (licence: {licence})."
        f" {fetch} and type: polyseme data install {entry.name} --from FOLDER-OR-ARCHIVE"
        f" (or put it in {user_data_folder() / entry.folder}, or set POLYSEME_DATA to the folder that holds"
        f" {entry.folder})"
    )
