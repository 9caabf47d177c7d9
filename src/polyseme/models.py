"""Models of all kinds, induced and dictionary: one protocol and one loader."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

from polyseme.datasets.opening import UsagesSource
from polyseme.disambiguation.disambiguated_text import build_disambiguator
from polyseme.disambiguation.model import DictionaryModel
from polyseme.disambiguation.sources import Sources
from polyseme.errors import InputError
from polyseme.induction.model import SenseModel
from polyseme.induction.storage import load_manifest
from polyseme.inventory import Inventory
from polyseme.labelling import Labelling


class Model(Protocol):
    """Senses of lemmas, and how usages are labelled with them."""

    @property
    def inventory(self) -> Inventory:
        """The senses."""
        ...

    def label(self, usages: UsagesSource, *, processes: int | None = None, progress: bool | None = None) -> Labelling:
        """Label usages with weighted senses."""
        ...

    def save(self, folder: str | os.PathLike[str]) -> None:
        """Write the model to a folder, for :func:`load_model`."""
        ...


def load_model(folder: str | os.PathLike[str]) -> SenseModel | DictionaryModel:
    """Load a model that was saved; it gives the same labels.

    Raises:
        InputError: The folder is not a model, its format has another version, or it is damaged.

    >>> import tempfile
    >>> from polyseme.formats import read_usages
    >>> from polyseme.parts import build
    >>> folder = tempfile.mkdtemp()
    >>> usages = list(read_usages("examples/two-words.jsonl"))
    >>> build("Pipeline(Bag(minimum=1, stop=0), number=2)").fit(usages, processes=1).save(folder)
    >>> len(load_model(folder).label(usages, processes=1))
    16
    """
    _, part = load_manifest(Path(folder))
    return SenseModel.load(folder) if part.kind == "inducer" else DictionaryModel.load(folder)


def open_model(name: str, *, version: str = "3.1", keep: float = 0.0) -> SenseModel | DictionaryModel:
    """Open the model of a folder, or build a dictionary model from the specification of a part.

    Args:
        name: A folder, or a specification such as ``PPR``.
        version: The WordNet of a dictionary model.
        keep: Senses with less than this share of a usage's greatest weight are dropped by a dictionary model.
    """
    if Path(name).exists():
        return load_model(name)
    with mention_missing_folder(name):
        part = build_disambiguator(name)
    return DictionaryModel(part, Sources(version), keep)


@contextmanager
def mention_missing_folder(name: str) -> Iterator[None]:
    """Add to the error about a part without options that there is no folder of this name, either."""
    try:
        yield
    except InputError as error:
        raise InputError(f"{error}" if "(" in name else f"there is no folder {name}, and {error}") from None
