"""The folder of an n-gram model: a JSON file, and an ``.npy`` file for each array.

Arrays are mapped into memory when they are read; nothing is ever unpickled.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from polyseme.errors import InputError
from polyseme.formats.checkpoint import DAMAGE, write_folder

NGRAM_MANIFEST = "ngrams.json"

Array = NDArray[Any]


def save(folder: str | os.PathLike[str], manifest: Mapping[str, Any], arrays: Mapping[str, Array]) -> None:
    """Write a model to a folder, completely or not at all; another n-gram model there is replaced.

    Raises:
        InputError: Something else has the folder's name, or it cannot be written.
    """
    path = Path(folder)
    if path.exists() and not (path / NGRAM_MANIFEST).is_file() and (not path.is_dir() or any(path.iterdir())):
        raise InputError("this exists and is not an n-gram model; name another folder", path=folder)
    with write_folder(path) as target:
        for name, array in arrays.items():
            np.save(target / f"{name}.npy", array, allow_pickle=False)
        text = json.dumps({**manifest, "arrays": {name: len(array) for name, array in arrays.items()}})
        (target / NGRAM_MANIFEST).write_text(text, "utf-8")


def load(folder: str | os.PathLike[str], layout: int) -> tuple[dict[str, Any], dict[str, Array]]:
    """Read the manifest and the arrays of a model; the arrays are read-only.

    Raises:
        InputError: The folder is not an n-gram model, has another layout, or is damaged.
    """
    path = Path(folder, NGRAM_MANIFEST)
    if not path.is_file():
        advice = "Type: polyseme substitutes --train INDEX -o FOLDER"
        raise InputError(f"this is not an n-gram model. {advice}", path=folder)
    try:
        manifest = json.loads(path.read_text("utf-8"))
        if manifest["layout"] != layout:
            raise InputError("another version of polyseme wrote this n-gram model; train it again", path=folder)
        sizes = manifest["arrays"].items()
        return manifest, {name: _map_array(Path(folder, f"{name}.npy"), size) for name, size in sizes}
    except DAMAGE as error:
        raise InputError(f"this n-gram model is damaged ({error}); train it again", path=folder) from None


def _map_array(path: Path, size: int) -> Array:
    array: Array = np.load(path, mmap_mode="r", allow_pickle=False).view(np.ndarray)
    if len(array) != size:
        raise ValueError(f"{path.name} has {len(array)} entries, not {size}")
    return array
