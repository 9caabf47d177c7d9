"""The versions of WordNet that are known, and how a copy is told to be one of them."""

from __future__ import annotations

import hashlib
from difflib import get_close_matches
from pathlib import Path
from typing import NamedTuple

from polyseme.errors import InputError, shown
from polyseme.wordnet.columns import Columns
from polyseme.wordnet.database import INDEX, NEEDED


class Version(NamedTuple):
    """What is the same in every copy of a version."""

    senses: int
    """The number of sense keys, which is the number of lines of ``index.sense``."""
    fingerprint: str
    """See :func:`fingerprint`."""


VERSIONS: dict[str, Version] = {
    "3.0": Version(206_941, "9fe117aa55e4c23f0973c97c2a17ce4598d4ed9cf14606035503355c3971c050"),
    "3.1": Version(207_235, "f8e73a02bc5d2cc0178c3e8cadb7f479f379952b422dc0ac2aaf77ed84a82dff"),
}


def check_version(version: str) -> None:
    """An InputError unless the version is known."""
    if version not in VERSIONS:
        near = get_close_matches(version, VERSIONS, 1, 0)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        raise InputError(f"there is no version {shown(version)} of WordNet here, only {', '.join(VERSIONS)}{hint}")


def version_with(senses: int) -> str | None:
    """The version that has this many senses.

    >>> version_with(207_235), version_with(12)
    ('3.1', None)
    """
    return next((name for name, version in VERSIONS.items() if version.senses == senses), None)


def is_complete(folder: Path) -> bool:
    """Whether a folder has all database files that are needed."""
    return all((folder / name).is_file() for name in NEEDED)


def version_of(folder: Path) -> str | None:
    """The version that a complete folder holds, from the number of lines of ``index.sense``; nothing else is read."""
    data = (folder / INDEX).read_bytes()
    return version_with(data.count(b"\n") + (not data.endswith(b"\n")))


def fingerprint(columns: Columns) -> str:
    """A digest of what is in a WordNet, whatever its files look like: sense keys, sorted, with gloss and tag count.

    Byte offsets and white space do not count: Debian's copy of 3.0 has one space more, and so other offsets.
    """
    digest = hashlib.sha256()
    glosses = ["".join(gloss.split()) for gloss in columns.gloss]
    synsets, counts = columns.sense_synset.tolist(), columns.sense_count.tolist()
    for row in columns.by_key.tolist():
        digest.update(f"{columns.key[row]}\t{glosses[synsets[row]]}\t{counts[row]}\n".encode())
    return digest.hexdigest()
