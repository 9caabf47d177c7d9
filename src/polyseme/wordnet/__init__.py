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
from polyseme.wordnet import cache
from polyseme.wordnet.carrying import Carried, carry
from polyseme.wordnet.columns import Columns
from polyseme.wordnet.database import NEEDED, read_database
from polyseme.wordnet.installing import install
from polyseme.wordnet.lexicon import WordNet
from polyseme.wordnet.places import find, given, located, repairable
from polyseme.wordnet.relations import RELATIONS
from polyseme.wordnet.synset import Synset
from polyseme.wordnet.versions import VERSIONS, check_version, version_with

__all__ = ["RELATIONS", "VERSIONS", "Carried", "Synset", "WordNet", "carry", "find", "install", "load"]


def load(version: str | None = "3.1", folder: str | os.PathLike[str] | None = None) -> WordNet:
    """Load WordNet from a folder of database files, or from where :func:`find` finds it.

    What was read is kept in the user's cache (:func:`polyseme.home.cache`), from where it is loaded the next time.
    Version ``None`` takes any version that the folder holds.
    """
    if version is not None:
        check_version(version)
    if folder is not None:
        place = given(Path(folder), version)
    elif version is not None:
        place = located(version)
    else:
        raise InputError(f"name a version ({', '.join(VERSIONS)}) or a folder of WordNet's database files")
    with repairable(place, version):
        columns = _columns(place)
    return WordNet(columns, version_with(len(columns.key)), place)


def _columns(folder: Path) -> Columns:
    path, stamped = cache.place(folder), cache.stamp([folder / name for name in NEEDED])
    columns = cache.read(path, stamped)
    if columns is None:
        columns = read_database(folder)
        cache.write(path, stamped, columns)
    return columns
