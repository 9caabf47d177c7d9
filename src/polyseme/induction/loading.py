"""Models from their folders."""

from __future__ import annotations

import os

from polyseme.induction.model import SenseModel

Model = SenseModel


def load_model(folder: str | os.PathLike[str]) -> SenseModel:
    """Read a model that was saved; it gives the same labels."""
    return SenseModel.load(folder)
