"""Models of any kind, from their folders."""

from __future__ import annotations

import os
from pathlib import Path

from polyseme.induction.model import SenseModel
from polyseme.induction.storage import read_manifest
from polyseme.induction.vector_model import VectorModel

Model = SenseModel | VectorModel


def load_model(folder: str | os.PathLike[str]) -> Model:
    """Read a model that was saved; it gives the same answers."""
    found, _ = read_manifest(Path(folder))
    return VectorModel.load(folder) if found.vectors else SenseModel.load(folder)
