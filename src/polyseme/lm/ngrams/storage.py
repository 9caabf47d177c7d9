"""Arrays in a folder, whole or not at all: a JSON file that says what they are, and an ``.npy`` file for each.

Arrays are mapped into memory when they are read; nothing is ever unpickled.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from polyseme.errors import InputError

NGRAM_MANIFEST = "ngrams.json"

Array = NDArray[Any]


def save(folder: str | os.PathLike[str], manifest: Mapping[str, Any], arrays: Mapping[str, Array]) -> None:
    """Write a folder, in place of one of the same kind that is there."""
    target = Path(folder)
    if target.exists() and not (target / NGRAM_MANIFEST).is_file() and (not target.is_dir() or any(target.iterdir())):
        raise InputError("this is there and is not an n-gram model; name another folder", path=folder)
    beside = target.with_name(f".polyseme-{os.urandom(8).hex()}.tmp")
    try:
        beside.mkdir(parents=True)
        for name, array in arrays.items():
            np.save(beside / f"{name}.npy", array, allow_pickle=False)
        text = json.dumps({**manifest, "arrays": {name: len(array) for name, array in arrays.items()}})
        (beside / NGRAM_MANIFEST).write_text(text, "utf-8")
        _replace_folder(beside, target)
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror or error}", path=folder) from None
    finally:
        shutil.rmtree(beside, ignore_errors=True)


def _replace_folder(beside: Path, target: Path) -> None:
    """One folder in the place of another."""
    old = beside.with_suffix(".old")
    if target.exists():
        target.rename(old)
    beside.rename(target)
    shutil.rmtree(old, ignore_errors=True)


def load(folder: str | os.PathLike[str], layout: int) -> tuple[dict[str, Any], dict[str, Array]]:
    """What a folder holds; the arrays cannot be written to."""
    path = Path(folder, NGRAM_MANIFEST)
    if not path.is_file():
        advice = "Type: polyseme substitutes --train INDEX -o FOLDER"
        raise InputError(f"this is not an n-gram model. {advice}", path=folder)
    try:
        manifest = json.loads(path.read_text("utf-8"))
        if manifest["layout"] != layout:
            raise InputError("this n-gram model was made by another version of polyseme; train it again", path=folder)
        arrays = {name: _map_array(Path(folder, f"{name}.npy"), size) for name, size in manifest["arrays"].items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError(f"this n-gram model is damaged ({error}); train it again", path=folder) from None
    return manifest, arrays


def _map_array(path: Path, size: int) -> Array:
    array: Array = np.load(path, mmap_mode="r", allow_pickle=False).view(np.ndarray)
    if len(array) != size:
        raise ValueError(f"{path.name} has {len(array)} entries, not {size}")
    return array


@contextmanager
def write_text_atomically(path: str | os.PathLike[str]) -> Iterator[IO[str]]:
    """A text file to write to, which is put in its place at the end, if all went well."""
    target = Path(os.path.realpath(path))
    beside = target.with_name(f".polyseme-{os.urandom(8).hex()}.tmp")
    try:
        with beside.open("x", encoding="utf-8", newline="\n") as file:
            yield file
        beside.replace(target)
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror or error}", path=path) from None
    finally:
        beside.unlink(missing_ok=True)
