"""The list of data sets."""

from __future__ import annotations

from typing import Any

from polyseme.datasets import locate
from polyseme.datasets.index import read_index
from polyseme.reports.tables import Table


def dataset_records() -> list[dict[str, Any]]:
    """What is known of every data set, by name."""
    return [
        {
            "name": entry.name,
            "title": entry.title,
            "language": entry.language,
            "contents": list(entry.contents),
            "path": str(place) if (place := locate(entry)) else None,
            "licence": entry.licence,
            "citation": entry.citation,
            "address": entry.address,
        }
        for entry in sorted(read_index().values(), key=lambda entry: entry.name)
    ]


def dataset_table(rows: list[dict[str, Any]]) -> Table:
    """One row a data set."""
    headings = ("Name", "Here", "Holds", "What it is")
    lines = tuple(
        (row["name"], "yes" if row["path"] else "–", ", ".join(row["contents"]), row["title"]) for row in rows
    )
    notes = ("polyseme data install NAME gets one that is not here, or says how to get it.",)
    return Table("data sets", headings, lines, notes=notes)
