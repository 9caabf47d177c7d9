"""A model as a folder: two text files, that can be read, compared and kept for years; and arrays, if there are any."""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from polyseme.corpus.index import MANIFEST as INDEX
from polyseme.errors import InputError
from polyseme.formats.files import write_bytes, write_text
from polyseme.inventory import Inventory, Sense
from polyseme.parts import build
from polyseme.usage import Usage

FORMAT_VERSION = 2
"""Changed whenever the files of a model are, so that those of before cannot be read."""

MODEL_MANIFEST, SENSES_FILE = "model.json", "senses.jsonl"

CHECKSUM_KEY = "sha256"
"""What the manifest calls the checksum of the senses."""


@dataclass(frozen=True)
class ModelManifest:
    """What made a model, how text is analysed for it, of which lemmas it has no senses, and what it learnt from.

    ``weights`` are the versions of the Python packages whose language models the inducer asked.
    """

    inducer: str
    analyser: str
    missed: Mapping[str, str] = field(default_factory=dict)
    corpus: Mapping[str, Any] = field(default_factory=dict)
    vectors: bool = False
    weights: Mapping[str, str] = field(default_factory=dict)


def check_model_folder(folder: Path) -> None:
    """An error if a model cannot be written there; what is not there is made, and a model is replaced."""
    if folder.exists() and not folder.is_dir():
        raise InputError("this is a file; a model is a folder: name a new one", path=folder)
    if (folder / INDEX).is_file():
        raise InputError("this is an index, which is not to be written into: name a new folder", path=folder)


def write_manifest(folder: Path, manifest: ModelManifest) -> None:
    """The last file that is written: it has the checksum of the senses, so that those of another model are noticed."""
    known = {"layout": FORMAT_VERSION, **asdict(manifest), CHECKSUM_KEY: _checksum(folder)}
    if not manifest.weights:
        del known["weights"]
    write_text(folder / MODEL_MANIFEST, json.dumps(known, ensure_ascii=False, indent=1) + "\n")


def _checksum(folder: Path) -> str:
    return hashlib.sha256((folder / SENSES_FILE).read_bytes()).hexdigest()


def read_manifest(folder: Path) -> tuple[ModelManifest, Any]:
    """What is known of a model, and the inducer that made it."""
    if not (folder / MODEL_MANIFEST).is_file():
        raise InputError("this is not a model. Type: polyseme induce INDEX LEMMA … -o FOLDER", path=folder)
    try:
        said = json.loads((folder / MODEL_MANIFEST).read_text(encoding="utf-8"))
        if said.pop("layout") != FORMAT_VERSION:
            raise InputError("this model was made by another version of polyseme; make it again", path=folder)
        if said.pop(CHECKSUM_KEY) != _checksum(folder):
            raise damaged_model_error(
                folder, ValueError(f"{SENSES_FILE} is not what {MODEL_MANIFEST} was written with")
            )
        found = ModelManifest(**said)
        return found, build(found.inducer, "inducer")
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise damaged_model_error(folder, error) from None


def damaged_model_error(folder: Path, error: Exception) -> InputError:
    """What is said of a model that cannot be read."""
    return InputError(f"this model is damaged ({error}); make it again", path=folder)


# -- senses --------------------------------------------------------------------------------------------------------


def write_senses(folder: Path, inventory: Inventory) -> None:
    """A line for each sense."""
    senses = (sense for lemma in inventory for sense in inventory[lemma])
    write_text(
        folder / SENSES_FILE, "".join(json.dumps(_sense_to_json(sense), ensure_ascii=False) + "\n" for sense in senses)
    )


def read_senses(folder: Path) -> Inventory:
    """The senses that were written."""
    try:
        lines = (folder / SENSES_FILE).read_text(encoding="utf-8").split("\n")[:-1]
        return Inventory(_sense_from_json(json.loads(line)) for line in lines)
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise damaged_model_error(folder, error) from None


def _sense_to_json(sense: Sense) -> dict[str, Any]:
    usages = [
        {
            "id": each.id,
            "text": each.text,
            "start": each.start,
            "end": each.end,
            "pos": each.pos,
            "meta": dict(each.meta),
        }
        for each in sense.usages
    ]
    known = {"lemma": sense.lemma, "id": sense.id, "share": sense.frequency}
    return known | {"features": dict(sense.features), "usages": usages}


def _sense_from_json(line: Mapping[str, Any]) -> Sense:
    return Sense(
        line["id"],
        line["lemma"],
        frequency=line["share"],
        features=tuple(line["features"].items()),
        usages=tuple(Usage(lemma=line["lemma"], **each) for each in line["usages"]),
    )


# -- arrays --------------------------------------------------------------------------------------------------------


def write_arrays(path: Path, arrays: Mapping[str, Any]) -> None:
    """Arrays by name, in one file."""
    held = io.BytesIO()
    np.savez(held, allow_pickle=False, **arrays)
    write_bytes(path, held.getvalue())


def read_arrays(path: Path) -> dict[str, Any]:
    """The arrays that were written."""
    with path.open("rb") as opened, np.load(opened, allow_pickle=False) as file:
        return dict(file)
