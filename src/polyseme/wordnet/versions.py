"""The known versions of WordNet, and how the version of a copy is detected."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import NamedTuple

import numpy as np

from polyseme.arrays import expand_runs
from polyseme.errors import InputError, quote_value
from polyseme.wordnet.columns import Array, WordNetColumns
from polyseme.wordnet.database_files import SENSE_INDEX, missing_files


class WordNetVersion(NamedTuple):
    """The properties that every copy of a version has.

    Args:
        senses: The number of sense keys, which is the number of lines of ``index.sense``.
        fingerprints: The results of :func:`fingerprint_wordnet` for the known copies, Princeton's first.
    """

    senses: int
    fingerprints: tuple[str, ...]


VERSIONS: dict[str, WordNetVersion] = {
    "3.0": WordNetVersion(
        206_941,
        (
            "a7911afdf5b8e8470ca30d7c3d27f20ce4fb2bd35ea55f77be6e7e7961252c14",
            # Debian's: "inhibit" and "restrain" are not each other's hypernym
            "e94089274f57254010c4ba648eb1538a85175664fc947b56c00beca33b64eb41",
        ),
    ),
    "3.1": WordNetVersion(207_235, ("ef076dd8ed7fe6106a033a5c3f3d1a8ed6089bf20b9ee4a482fa8cc29629bc3f",)),
}


def check_version(version: str) -> None:
    """Raise an InputError if the version is unknown."""
    if version not in VERSIONS:
        suggestions = get_close_matches(version, VERSIONS, 1, 0)
        hint = f"; did you mean {suggestions[0]!r}?" if suggestions else ""
        raise InputError(
            f"there is no version {quote_value(version)} of WordNet here, only {', '.join(VERSIONS)}{hint}"
        )


def version_by_sense_count(senses: int) -> str | None:
    """Return the version with this number of senses.

    >>> version_by_sense_count(207_235), version_by_sense_count(12)
    ('3.1', None)
    """
    return next((name for name, version in VERSIONS.items() if version.senses == senses), None)


def has_required_files(folder: Path) -> bool:
    """Whether a folder has all required database files."""
    return not missing_files(folder)


def detect_version(folder: Path) -> str | None:
    """Detect the version in a complete folder by the number of lines of ``index.sense``."""
    data = (folder / SENSE_INDEX).read_bytes()
    return version_by_sense_count(data.count(b"\n") + (not data.endswith(b"\n")))


def fingerprint_wordnet(columns: WordNetColumns) -> str:
    """Return a digest of the content of a WordNet that does not depend on the layout of its files.

    Synsets are in the order of their first sense keys. Each has its words in order, with sense key, sense number and
    tag count. Its lexicographer file, its gloss and its pointers follow, with the positions of their targets in this
    order. Byte offsets and white space do not count: Debian's copy of 3.0 has one more space, and so other offsets.
    """
    digest = hashlib.sha256()
    for part in _fingerprint_parts(columns):
        digest.update(part if isinstance(part, bytes) else part.astype("<i4").tobytes())
    return digest.hexdigest()


def _fingerprint_parts(columns: WordNetColumns) -> Iterator[bytes | Array]:
    """Yield the content as text and numbers, with synsets in the order of their first keys."""
    firsts = columns.synset_senses[:-1]
    synsets = columns.sense_synset[columns.by_key[np.isin(columns.by_key, firsts)]]
    senses = _reordered_runs(columns.synset_senses, synsets)
    pointers = _reordered_runs(np.searchsorted(columns.pointer_source, np.arange(len(firsts) + 1)), synsets)
    yield _join_strings(columns.key, senses)
    yield _join_strings(columns.word, senses)
    yield _join_strings(["".join(gloss.split()) for gloss in columns.gloss], synsets)
    yield np.diff(columns.synset_senses)[synsets]
    yield columns.synset_file[synsets]
    yield columns.sense_number[senses]
    yield columns.sense_count[senses]
    yield columns.pointer_relation[pointers]
    yield _new_positions(synsets)[columns.pointer_source[pointers]]
    yield _new_positions(synsets)[columns.pointer_target[pointers]]
    yield _new_positions(senses)[columns.pointer_from[pointers]]
    yield _new_positions(senses)[columns.pointer_to[pointers]]


def _reordered_runs(bounds: Array, order: Array) -> Array:
    """Return the runs between each bound and the next, in another order."""
    return expand_runs(bounds[:-1][order], np.diff(bounds)[order])


def _join_strings(strings: Sequence[str], order: Array) -> bytes:
    texts = list(strings)
    return "\n".join([texts[row] for row in order.tolist()]).encode()


def _new_positions(order: Array) -> Array:
    """Return the new position of each row; −1, which is nothing, stays."""
    positions: Array = np.full(len(order) + 1, -1)
    positions[order] = np.arange(len(order))
    return positions
