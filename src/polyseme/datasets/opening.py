"""Usages, ratings, inventories and pairs by name: of a file, a folder or a data set."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from polyseme.datasets import DataSet, load
from polyseme.datasets.index import read_index
from polyseme.errors import InputError, quote_value
from polyseme.formats import read_inventory, read_labelling, read_ratings, read_usages
from polyseme.formats.files import read_head
from polyseme.formats.registry import all_formats
from polyseme.inventory import Inventory
from polyseme.labelling import Labelling
from polyseme.rating import Ratings
from polyseme.usage import Usage, UsagePair


def find_data_set(name: str) -> DataSet | None:
    """Return the data set of this name, unless a file has the name."""
    return load(name) if not Path(name).exists() and name in read_index() else None


def open_usages(name: str) -> list[Usage]:
    """Read the usages of a file, a folder or a data set.

    Raises:
        InputError: Two usages have the same id.
    """
    if data_set := find_data_set(name):
        return list(data_set.usages)
    usages = list(read_usages(name))
    ids: set[str] = set()
    for usage in usages:
        if usage.id in ids:
            raise InputError(f"usage {quote_value(usage.id)} occurs twice in its files; rename one", path=name)
        ids.add(usage.id)
    return usages


def open_ratings(name: str) -> Ratings:
    """Read the ratings of a file, a folder or a data set."""
    if data_set := find_data_set(name):
        return data_set.ratings
    if not Path(name).exists():
        problem = f"there is no file, folder or data set {quote_value(name)}"
        raise InputError(f"{problem}; `polyseme data list` shows the data sets, and which of them have ratings")
    return read_ratings(name)


def open_inventory(name: str) -> Inventory:
    """Read the senses of a file or of a data set."""
    data_set = find_data_set(name)
    return data_set.inventory if data_set else read_inventory(name)


def open_rated_inventory(name: str) -> Inventory | None:
    """Return the senses that a data set of ratings comes with; none for a file."""
    data_set = find_data_set(name)
    has_senses = data_set and ("inventory" in data_set.entry.contents or data_set.entry.inventory)
    return data_set.inventory if data_set and has_senses else None


def open_substitutes(name: str) -> Labelling:
    """Read the substitutes of a file or of a data set."""
    data_set = find_data_set(name)
    return data_set.substitutes if data_set else read_labelling(name)


def open_pair_averages(name: str) -> Sequence[UsagePair]:
    """Read the mean similarities of pairs of usages; none if the file or data set holds ratings."""
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
