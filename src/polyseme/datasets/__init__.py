"""Data sets by name: found where they lie, and read when they are asked for."""

from __future__ import annotations

import os
from pathlib import Path

from polyseme.datasets.data_set import DataSet
from polyseme.datasets.index import DataSetEntry, find_data_set_entry
from polyseme.errors import InputError
from polyseme.home import data_folders, user_data_folder

__all__ = ["DataSet", "DataSetEntry", "load", "locate", "missing_error"]

ARCHIVES = (".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz")


def load(name: str, data: str | os.PathLike[str] | None = None) -> DataSet:
    """A data set by its name: ``load("semeval-2013-task-13").gold``.

    It is looked for in the folder ``data``, if one is named, in those of the environment variable ``POLYSEME_DATA``,
    and where ``polyseme data install`` puts data sets. ``polyseme data list`` shows all names.
    """
    entry = find_data_set_entry(name, data)
    place = locate(entry, data)
    if place is None:
        raise missing_error(entry)
    return DataSet(entry, place, data)


def locate(entry: DataSetEntry, data: str | os.PathLike[str] | None = None) -> Path | None:
    """Where a data set lies: a folder, or a tar archive that takes its place; nothing if it is nowhere."""
    if entry.wordnet:
        from polyseme import wordnet

        return wordnet.find_wordnet(entry.wordnet)
    named = [Path(folder) for folder in (data, entry.beside) if folder is not None]
    for folder in (*named, *data_folders()):
        for place in (folder / entry.folder, *(folder / f"{entry.folder}{suffix}" for suffix in ARCHIVES)):
            if place.exists():
                return place
    return None


def missing_error(entry: DataSetEntry) -> InputError:
    """What to say of a data set that is nowhere: how to get it, and where to put it."""
    if entry.url or entry.wordnet:
        return InputError(f"the data set {entry.name!r} is not installed. Type: polyseme data install {entry.name}")
    licence, fetch = entry.licence or "not stated", f"Fetch it from {entry.address}" if entry.address else "Fetch it"
    return InputError(
        f"the data set {entry.name!r} is not here, and its licence ({licence}) does not let polyseme download it."
        f" {fetch} and type: polyseme data install {entry.name} --from FOLDER-OR-ARCHIVE"
        f" (or put it in {user_data_folder() / entry.folder}, or set POLYSEME_DATA to the folder that holds {entry.folder})"
    )
