"""Indexes and data sets: what they hold, without reading it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from polyseme.display.rendering import render_block, render_value
from polyseme.errors import PolysemeError

if TYPE_CHECKING:
    from polyseme.corpus.index import Index
    from polyseme.datasets.data_set import DataSet

DOCUMENTS = 5
"""The number of documents that are named."""


def render_index(index: Index) -> str:
    """Render an index: its counts, its analyser and its first documents."""
    try:
        manifest = index.manifest
        counts = {name: manifest.get(name, 0) for name in ("documents", "sentences", "tokens", "words")}
        names = _name_documents(index)
    except PolysemeError as problem:
        return render_value("Index", facts=str(problem))
    facts = {name: f"{count:,}" for name, count in counts.items()}
    facts |= {"analyser": manifest.get("analyser", ""), "first documents": ", ".join(names)}
    notes = () if manifest["finished"] else ("Not finished: the command that built this index continues it.",)
    block = render_block("facts.html", facts={name: text for name, text in facts.items() if text})
    return render_value("Index", block, facts=str(index.folder), notes=notes)


def _name_documents(index: Index) -> list[str]:
    part = next(index.parts("documents", ["name"]), None)
    return [] if part is None else [str(name) for name in part.column("name").to_pylist()[:DOCUMENTS]]


def render_data_set(data_set: DataSet) -> str:
    """Render a data set: its contents, its licence and its source."""
    entry = data_set.entry
    facts = {
        "contents": ", ".join(entry.contents),
        "language": entry.language,
        "licence": entry.licence,
        "citation": entry.citation,
        "address": entry.address,
        "files": str(data_set.place),
    }
    block = render_block("facts.html", facts={name: text for name, text in facts.items() if text})
    return render_value(entry.name, block, facts=entry.title)
