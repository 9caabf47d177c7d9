"""The Princeton database files: their names, and the types of the synsets in them (wndb(5WN))."""

from __future__ import annotations

from pathlib import Path

from polyseme.errors import InputError

DATA_FILES = {"data.noun": "n", "data.verb": "v", "data.adj": "as", "data.adv": "r"}
"""The data files, and the types of synsets in each."""

SENSE_INDEX = "index.sense"
REQUIRED_FILES = (*DATA_FILES, SENSE_INDEX)
"""The files that a copy of WordNet must have."""


def missing_files(folder: Path) -> list[str]:
    """Return the required files that a folder lacks."""
    return [name for name in REQUIRED_FILES if not (folder / name).is_file()]


def missing_files_error(folder: Path) -> InputError:
    """Return the error about a folder that lacks required files."""
    required = f"a folder of WordNet's database files has {', '.join(REQUIRED_FILES)}"
    return InputError(f"{', '.join(missing_files(folder))} missing; {required}", path=folder)
