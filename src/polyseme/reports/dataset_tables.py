"""The list of data sets."""

from __future__ import annotations

from typing import Any

from polyseme.datasets import locate
from polyseme.datasets.index import read_index
from polyseme.reports.tables import Table


def dataset_records() -> list[dict[str, Any]]:
    """The entry of every data set, for programs, sorted by name."""
    return [
        {
            "name": entry.name,
            "title": entry.title,
            "language": entry.language,
            "contents": list(entry.contents),
            "path": str(path) if (path := locate(entry)) else None,
            "licence": entry.licence,
            "citation": entry.citation,
            "address": entry.address,
        }
        for entry in sorted(read_index().values(), key=lambda entry: entry.name)
    ]


def dataset_table(records: list[dict[str, Any]]) -> Table:
    """One row a data set."""
    rows = tuple(
        (row["name"], "yes" if row["path"] else "–", ", ".join(row["contents"]), row["title"]) for row in records
    )
    notes = ("polyseme data install NAME installs a data set, or explains how to get it.",)
    return Table("data sets", ("Name", "Installed", "Contents", "Title"), rows, notes=notes)
