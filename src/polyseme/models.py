"""Models of all kinds, induced and dictionary: one protocol and one loader."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Protocol

from polyseme.disambiguation.model import DictionaryModel
from polyseme.induction.model import SenseModel
from polyseme.induction.storage import load_manifest
from polyseme.inventory import Inventory
from polyseme.labelling import Labelling
from polyseme.usage import Usage


class Model(Protocol):
    """Senses of lemmas, and how usages are labelled with them."""

    @property
    def inventory(self) -> Inventory:
        """The senses."""
        ...

    def label(self, usages: Iterable[Usage], *, processes: int | None = None) -> Labelling:
        """Label usages with weighted senses."""
        ...

    def save(self, folder: str | os.PathLike[str]) -> None:
        """Write the model to a folder, for :func:`load_model`."""
        ...


def load_model(folder: str | os.PathLike[str]) -> SenseModel | DictionaryModel:
    """Load a model that was saved; it gives the same labels.

    Raises:
        InputError: The folder is not a model, its format has another version, or it is damaged.
    """
    _, part = load_manifest(Path(folder))
    return SenseModel.load(folder) if part.kind == "inducer" else DictionaryModel.load(folder)
