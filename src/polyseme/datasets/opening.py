"""Usages, labellings, ratings, inventories and pairs from what people have.

A source is a path, the name of a data set, a data set, a value itself, a dictionary, or a table of another library.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeGuard

from polyseme.conversion import as_inventory, as_labelling, as_ratings, as_usages
from polyseme.datasets import DataSet, load
from polyseme.datasets.index import read_index
from polyseme.errors import InputError, quote_value
from polyseme.formats import read_inventory, read_labelling, read_ratings, read_usages
from polyseme.formats.files import missing_file_error, read_head
from polyseme.formats.registry import all_formats
from polyseme.inventory import Inventory
from polyseme.labelling import Labelling
from polyseme.rating import Ratings
from polyseme.usage import Usage, UsagePair

Name = str | os.PathLike[str]
"""A path, or the name of a data set."""
UsagesSource = Name | DataSet | Iterable[Usage] | Any
"""Usages: a name, a data set, usages, or a table with a row for each."""
LabellingSource = Name | DataSet | Labelling | Mapping[str, Mapping[str, float]] | Any
"""A labelling: a name, a data set, a labelling, usage → {sense: weight}, or a table with a row for each sense."""
RatingsSource = Name | DataSet | Ratings | Any
"""Ratings: a name, a data set, ratings, or a table with a row for each."""
InventorySource = Name | DataSet | Inventory | Any
"""Senses: a name, a data set, an inventory, or a table with a row for each sense."""

NAMED_CONTENTS = ("systems", "golds", "baselines")
"""The contents of a data set that have names of their own, as ``semeval-2013-task-13:AI-KU``."""


def is_name(source: object) -> TypeGuard[Name]:
    """Whether a source is a path or the name of a data set."""
    return isinstance(source, str | os.PathLike)


def find_data_set(name: Name) -> DataSet | None:
    """Return the data set of this name, unless a file has the name."""
    text = os.fspath(name)
    return load(text) if not Path(text).exists() and text in read_index() else None


def open_usages(source: UsagesSource, format: str | None = None) -> list[Usage]:
    """Open usages.

    Args:
        source: The usages.
        format: The name of the format of a file; by default each file is recognised.

    Raises:
        InputError: Two usages have the same id.
    """
    if isinstance(source, DataSet):
        return list(source.usages)
    if not is_name(source):
        return _check_ids(as_usages(source), None)
    if data_set := find_data_set(source):
        return list(data_set.usages)
    _check_exists(source)
    usages = list(read_usages(source, format))
    if not usages:
        raise InputError("there are no usages in it; name a file with some", path=source)
    return _check_ids(usages, source)


def _check_exists(source: Name) -> None:
    """Raise an error if there is no file or folder of this name."""
    if not Path(source).exists():
        problem = missing_file_error(source, "file, folder or data set", read_index())
        raise InputError(f"{problem} `polyseme data list` shows the data sets, and what is in them")


def _check_ids(usages: list[Usage], path: Name | None) -> list[Usage]:
    place = "the list" if path is None else "its files"
    ids: set[str] = set()
    for usage in usages:
        if usage.id in ids:
            raise InputError(f"usage {quote_value(usage.id)} occurs twice in {place}; rename one", path=path)
        ids.add(usage.id)
    return usages


def open_labelling(source: LabellingSource, rule: str = "as-written") -> Labelling:
    """Open a labelling.

    Args:
        source: The labelling. Of a data set it is the gold standard; ``DATA-SET:NAME`` is one of its systems, golds or
            baselines.
        rule: The loading rule of answer keys; see :func:`~polyseme.formats.answer_key.read_key`.
    """
    if isinstance(source, DataSet):
        return source.gold
    if not is_name(source):
        return as_labelling(source)
    if data_set := find_data_set(source):
        return data_set.gold
    return find_named_labelling(os.fspath(source)) or read_labelling(source, rule)


def find_named_labelling(name: str) -> Labelling | None:
    """Return the labelling of ``DATA-SET:NAME``; ``None`` if there is no such data set, or a file has the name."""
    if (place := _locate_labelling(name)) is None:
        return None
    data_set, content, label = place
    labelling: Labelling = getattr(data_set, content)[label]
    return labelling


def find_key_file(name: Name) -> Path | None:
    """Return the file of the labelling ``DATA-SET:NAME``; ``None`` if it is no single file, or none of a data set."""
    if (place := _locate_labelling(os.fspath(name))) is None:
        return None
    data_set, content, label = place
    sources, files = data_set.named_sources(content)[label]
    path = sources[0] if len(sources) == 1 and not files.prefix else None
    return path if isinstance(path, Path) else None


def _locate_labelling(name: str) -> tuple[DataSet, str, str] | None:
    """Return the data set, the content and the label that ``DATA-SET:NAME`` stands for."""
    front, colon, label = name.partition(":")
    if not colon or Path(name).exists() or front not in read_index():
        return None
    data_set = load(front)
    contents = [content for content in NAMED_CONTENTS if content in data_set.entry.contents]
    content = next((content for content in contents if label in getattr(data_set, content)), None)
    if content is None:
        allowed = ", ".join(name for content in contents for name in getattr(data_set, content)) or "none"
        raise InputError(f"{front} has no labelling {quote_value(label)}; it has {allowed}")
    return data_set, content, label


def open_ratings(source: RatingsSource) -> Ratings:
    """Open ratings."""
    if isinstance(source, DataSet):
        return source.ratings
    if not is_name(source):
        return as_ratings(source)
    if data_set := find_data_set(source):
        return data_set.ratings
    _check_exists(source)
    return read_ratings(source)


def open_inventory(source: InventorySource) -> Inventory:
    """Open the senses of lemmas; a model has some, too."""
    if isinstance(source, DataSet):
        return source.inventory
    if not is_name(source):
        return as_inventory(getattr(source, "inventory", source))
    data_set = find_data_set(source)
    return data_set.inventory if data_set else read_inventory(source)


def open_rated_inventory(source: RatingsSource) -> Inventory | None:
    """Return the senses that a data set of ratings comes with; none for others."""
    data_set = _as_data_set(source)
    has_senses = data_set and ("inventory" in data_set.entry.contents or data_set.entry.inventory)
    return data_set.inventory if data_set and has_senses else None


def open_substitutes(source: LabellingSource) -> Labelling:
    """Open the substitutes of usages, as a labelling whose senses are words."""
    data_set = _as_data_set(source)
    return data_set.substitutes if data_set else open_labelling(source)


def _as_data_set(source: Any) -> DataSet | None:
    if isinstance(source, DataSet):
        return source
    return find_data_set(source) if is_name(source) else None


def open_pair_averages(source: Any) -> Sequence[UsagePair]:
    """Read the mean similarities of pairs of usages; none if the source holds ratings."""
    if not is_name(source):
        return ()
    name = os.fspath(source)
    if not Path(name).exists():
        files = read_index()[name].files if name in read_index() else {}
        return load(name).pairs if "pairs" in files and "ratings" not in files else ()
    if not Path(name).is_file():
        return ()
    head = read_head(name)
    readers = [format.readers for format in all_formats().values() if format.recognises(head)]
    if any("ratings" in names for names in readers):
        return ()
    return tuple(next((names["pairs"](name) for names in readers if "pairs" in names), ()))
