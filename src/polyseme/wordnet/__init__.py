"""WordNet 3.0 and 3.1 from the Princeton database files: senses, synsets, relations and morphology.

::

    from polyseme import wordnet
    english = wordnet.load("3.1")
    english["dark.j"][0].gloss
"""

from __future__ import annotations

import os
from pathlib import Path

from polyseme.errors import InputError
from polyseme.wordnet import column_cache
from polyseme.wordnet.columns import WordNetColumns
from polyseme.wordnet.database_files import REQUIRED_FILES
from polyseme.wordnet.installation import install_wordnet
from polyseme.wordnet.lexicon import WordNet
from polyseme.wordnet.locations import check_database_folder, find_wordnet, repair_advice, require_wordnet
from polyseme.wordnet.relations import RELATIONS
from polyseme.wordnet.sense_key_mapping import SenseKeyMapping, map_sense_keys
from polyseme.wordnet.synset import Synset
from polyseme.wordnet.versions import VERSIONS, check_version, version_by_sense_count

__all__ = [
    "RELATIONS",
    "VERSIONS",
    "SenseKeyMapping",
    "Synset",
    "WordNet",
    "find_wordnet",
    "install_wordnet",
    "load",
    "map_sense_keys",
]


def load(version: str | None = "3.1", folder: str | os.PathLike[str] | None = None) -> WordNet:
    """Load WordNet from a folder of database files, or from the folder that :func:`find_wordnet` finds.

    The first call reads the files and caches the result (:func:`polyseme.home.user_cache_folder`) for later calls.

    Args:
        version: ``3.0``, ``3.1``, or ``None`` for any version that the folder holds.
        folder: The folder; by default the known folders are searched.
    """
    if version is not None:
        check_version(version)
    if folder is not None:
        path = check_database_folder(Path(folder), version)
    elif version is not None:
        path = require_wordnet(version)
    else:
        raise InputError(f"name a version ({', '.join(VERSIONS)}) or a folder of WordNet's database files")
    with repair_advice(path, version):
        columns = _load_columns(path)
    return WordNet(columns, version_by_sense_count(len(columns.key)), path)


def _load_columns(folder: Path) -> WordNetColumns:
    path = column_cache.cache_path(folder)
    stamp = column_cache.file_stamp([folder / name for name in REQUIRED_FILES])
    columns = column_cache.read(path, stamp)
    if columns is None:
        from polyseme.wordnet.database import read_database  # which a cached WordNet does not need

        columns = read_database(folder)
        column_cache.write(path, stamp, columns)
    return columns
