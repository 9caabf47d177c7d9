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
from polyseme.wordnet.database import REQUIRED_FILES, read_database
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
    """Load WordNet from a folder of database files, or from where :func:`find` finds it.

    What was read is kept in the user's cache (:func:`polyseme.home.user_cache_folder`), from where it is loaded the next time.
    Version ``None`` takes any version that the folder holds.
    """
    if version is not None:
        check_version(version)
    if folder is not None:
        place = check_database_folder(Path(folder), version)
    elif version is not None:
        place = require_wordnet(version)
    else:
        raise InputError(f"name a version ({', '.join(VERSIONS)}) or a folder of WordNet's database files")
    with repair_advice(place, version):
        columns = _load_columns(place)
    return WordNet(columns, version_by_sense_count(len(columns.key)), place)


def _load_columns(folder: Path) -> WordNetColumns:
    path, stamped = column_cache.cache_path(folder), column_cache.file_stamp([folder / name for name in REQUIRED_FILES])
    columns = column_cache.read(path, stamped)
    if columns is None:
        columns = read_database(folder)
        column_cache.write(path, stamped, columns)
    return columns
