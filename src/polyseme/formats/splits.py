"""The splits of SemEval-2010 Task 14: folders of answer keys for learning a mapping and for testing it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

from polyseme.errors import InputError
from polyseme.formats.answer_key import read_key
from polyseme.labelling import Labelling

SPLIT_SETTINGS = ("80_20", "60_40")


class MappingSplit(NamedTuple):
    """The usages for learning a mapping, with their gold senses, and those for testing it."""

    mapping: Labelling
    test: Labelling


def read_splits(folder: str | os.PathLike[str]) -> dict[str, list[MappingSplit]]:
    """Read setting → its splits: ``FOLDER/80_20/all/mapping.1.key``, ``test.1.key``, …; or without ``all``."""
    splits = {}
    for setting in SPLIT_SETTINGS:
        subfolder = Path(folder, setting, "all") if Path(folder, setting, "all").is_dir() else Path(folder, setting)
        mappings = sorted(subfolder.glob("mapping.*.key"))
        if not mappings:
            problem = f"no splits: looked for {setting}/all/mapping.1.key and {setting}/mapping.1.key"
            raise InputError(problem, path=folder)
        splits[setting] = [
            MappingSplit(read_key(path), read_key(path.with_name(path.name.replace("mapping", "test", 1))))
            for path in mappings
        ]
    return splits
