"""The folder of a model: a manifest, senses as JSON lines, and arrays."""

from __future__ import annotations

import ast
import hashlib
import io
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import numpy as np

from polyseme.corpus.index import MANIFEST as INDEX_MANIFEST
from polyseme.errors import InputError, quote_value
from polyseme.formats.checkpoint import DAMAGE
from polyseme.formats.files import make_folder, write_bytes, write_text
from polyseme.formats.output_checks import check_output_folder
from polyseme.inventory import Inventory, Sense
from polyseme.parts import build
from polyseme.usage import Usage

Vectors = TypeVar("Vectors")

FORMAT_VERSION = 3
"""The version of the format; it changes with the files, and models of other versions are refused."""

MODEL_MANIFEST, SENSES_FILE, VECTOR_FOLDER = "model.json", "senses.jsonl", "vectors"


class StoredModel(NamedTuple):
    """What the manifest of a model holds.

    Args:
        specification: The specification of the part that made the model.
        facts: What else the model needs, as JSON values by name.
    """

    specification: str
    facts: Mapping[str, Any]


def check_model_folder(folder: Path) -> None:
    """Check that a model can be written to a folder; another model there is replaced.

    Raises:
        InputError: The folder is a file, or an index, or it cannot be written.
    """
    if folder.exists() and not folder.is_dir():
        raise InputError("this is a file; a model is a folder: choose a new name", path=folder)
    if (folder / INDEX_MANIFEST).is_file():
        raise InputError("this is an index, which a model would damage: name a new folder", path=folder)
    check_output_folder(folder)


def check_specification(specification: str) -> None:
    """Check that a specification can be read again, before a model is written that could not be loaded.

    Raises:
        InputError: It holds an object.
    """
    try:
        ast.parse(specification, mode="eval")
    except SyntaxError:
        problem = f"this model cannot be saved, because an option is an object: {quote_value(specification, 200)}"
        remedy = "save what it is, such as an encoder, in a folder, and give the name of the folder instead"
        raise InputError(f"{problem}; {remedy}") from None


def save_model(
    folder: Path, manifest: StoredModel, inventory: Inventory | None = None, arrays: Sequence[Mapping[str, Any]] = ()
) -> None:
    """Write a model to a folder.

    The manifest is written last, with a checksum of the senses: so a mixture of two models is noticed.

    Args:
        folder: The folder, which is created if it does not exist.
        manifest: The manifest.
        inventory: The senses; ``None`` if the model has none of its own.
        arrays: Named arrays of each lemma of the inventory.
    """
    check_model_folder(folder)
    make_folder(folder)
    checksum = ""
    if inventory is not None:
        senses = (sense for lemma in inventory for sense in inventory[lemma])
        text = "".join(json.dumps(sense_to_json(sense), ensure_ascii=False) + "\n" for sense in senses)
        write_text(folder / SENSES_FILE, text)
        checksum = _compute_checksum(folder)
    for number, state in enumerate(arrays):
        (folder / VECTOR_FOLDER).mkdir(exist_ok=True)
        write_bytes(folder / VECTOR_FOLDER / f"{number}.npz", pack_arrays(state))
    content = {"layout": FORMAT_VERSION, "part": manifest.specification, **manifest.facts, "sha256": checksum}
    write_text(folder / MODEL_MANIFEST, json.dumps(content, ensure_ascii=False, indent=1) + "\n")


def load_manifest(folder: Path, kind: str | None = None) -> tuple[StoredModel, Any]:
    """Read the manifest of a model, and build the part that made it.

    Args:
        folder: The folder of the model.
        kind: The kind of the part; by default any.

    Raises:
        InputError: The folder is not a model, its format has another version, or it is damaged.
    """
    path = folder / MODEL_MANIFEST
    if not path.is_file():
        problem = "this is not a model" if folder.exists() else "there is no such folder"
        raise InputError(f"{problem}. Type: polyseme induce INDEX LEMMA … -o FOLDER", path=folder)
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        version = content.pop("layout")
    except DAMAGE as error:
        raise _damage_error(folder, error) from None
    if version != FORMAT_VERSION:
        problem = f"another version of polyseme wrote this model (format {version}; this one reads {FORMAT_VERSION})"
        raise InputError(f"{problem}. Fit it again: polyseme induce INDEX LEMMA … -o FOLDER", path=folder)
    try:
        checksum = content.pop("sha256")
        if checksum and checksum != _compute_checksum(folder):
            raise ValueError(f"{SENSES_FILE} is not what {MODEL_MANIFEST} was written with")
        specification = content.pop("part")
        return StoredModel(specification, content), build(specification, kind)
    except DAMAGE as error:
        raise _damage_error(folder, error) from None


def load_senses(folder: Path) -> Inventory:
    """Read the senses of a model."""
    try:
        lines = (folder / SENSES_FILE).read_text(encoding="utf-8").split("\n")[:-1]
        return Inventory(sense_from_json(json.loads(line)) for line in lines)
    except DAMAGE as error:
        raise _damage_error(folder, error) from None


def load_arrays(folder: Path, count: int, restore: Callable[[Mapping[str, Any]], Vectors]) -> list[Vectors]:
    """Read the arrays of each lemma, and restore what they were made from."""
    try:
        paths = [folder / VECTOR_FOLDER / f"{number}.npz" for number in range(count)]
        return [restore(unpack_arrays(path.read_bytes())) for path in paths]
    except DAMAGE as error:
        raise _damage_error(folder, error) from None


def pack_arrays(arrays: Mapping[str, Any]) -> bytes:
    """Write named arrays as the bytes of one file; nothing is pickled."""
    file = io.BytesIO()
    np.savez(file, allow_pickle=False, **arrays)
    return file.getvalue()


def unpack_arrays(data: bytes) -> dict[str, Any]:
    """Read the arrays that :func:`pack_arrays` wrote."""
    with np.load(io.BytesIO(data), allow_pickle=False) as arrays:
        return dict(arrays)


def _compute_checksum(folder: Path) -> str:
    return hashlib.sha256((folder / SENSES_FILE).read_bytes()).hexdigest()


def _damage_error(folder: Path, error: Exception) -> InputError:
    return InputError(f"this model is damaged ({error}); fit it again", path=folder)


def sense_to_json(sense: Sense) -> dict[str, Any]:
    """Write a sense as a JSON value."""
    fields = ("id", "text", "start", "end", "pos")
    usages = [{**{name: getattr(usage, name) for name in fields}, "meta": dict(usage.meta)} for usage in sense.usages]
    facts = {"lemma": sense.lemma, "id": sense.id, "share": sense.frequency, "recurrence": sense.recurrence}
    return facts | {"features": dict(sense.features), "usages": usages}


def sense_from_json(row: Mapping[str, Any]) -> Sense:
    """Read a sense from its JSON value."""
    return Sense(
        row["id"],
        row["lemma"],
        frequency=row["share"],
        recurrence=row.get("recurrence"),  # older models do not have it
        features=tuple(row["features"].items()),
        usages=tuple(Usage(lemma=row["lemma"], **usage) for usage in row["usages"]),
    )
