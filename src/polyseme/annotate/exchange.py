"""Export of a study at any time, running or done: as tables, as the authors' CSV, as a usage graph, as gold, and whole.

Every export is of one moment: what is recorded meanwhile is either in it as a whole, or not at all.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from polyseme.annotate.gold_folder import golds_of, write_golds
from polyseme.annotate.graph_folder import graph_of, write_graph
from polyseme.annotate.outcome import Event
from polyseme.annotate.phitag_folder import phitag_tables, write_tables
from polyseme.annotate.store import Store
from polyseme.annotate.study_lines import format_study
from polyseme.errors import InputError, shown
from polyseme.formats.files import write_text
from polyseme.formats.format import formats
from polyseme.rating import Rating, Ratings

ALWAYS = (1980, 1, 1, 0, 0, 0)
"""The time of files in an archive: with their own, the same export would give other bytes."""


@dataclass(frozen=True)
class Export:
    """A way to export a study: what is taken from the store at one moment, and how it is written to a path.

    A ``folder`` of several files is packed into a zip archive where only a single file can go.
    """

    name: str
    title: str
    suffix: str
    media: str
    taken: Callable[[Store], Any]
    write: Callable[[Any, Path], None]
    folder: bool = False


def exported(store: Store, name: str) -> bytes:
    """An export as the content of a file; of a folder, as a zip archive.

    The same study gives the same bytes, always.
    """
    export = named_export(name)
    value = export.taken(store)
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"{export.name}{'' if export.folder else export.suffix}"
        write_export(export, value, path)
        return _zipped(path) if export.folder else path.read_bytes()


def write_export(export: Export, value: Any, path: str | os.PathLike[str]) -> None:
    """Write what an export has taken from a store to a file or, where it is one, to a folder that is made for it.

    To a path that ends with ``.zip`` a folder goes as an archive.
    """
    target = Path(path)
    if not export.folder:
        export.write(value, target)
    elif target.suffix.lower() == ".zip":
        with TemporaryDirectory() as folder:
            export.write(value, Path(folder))
            target.write_bytes(_zipped(Path(folder)))
    else:
        _make(target)
        export.write(value, target)


def _make(folder: Path) -> None:
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InputError("there is something already; name a new folder", path=folder)
    if not folder.parent.is_dir():
        raise InputError("there is no such folder; make it first", path=folder.parent)
    folder.mkdir(exist_ok=True)


def _zipped(folder: Path) -> bytes:
    packed = BytesIO()
    with ZipFile(packed, "w", ZIP_DEFLATED) as archive:
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            archive.writestr(ZipInfo(path.relative_to(folder).as_posix(), ALWAYS), path.read_bytes(), ZIP_DEFLATED)
    return packed.getvalue()


def named_export(name: str) -> Export:
    """The export of this name; an error lists those that there are."""
    if name not in EXPORTS:
        raise InputError(f"there is no export {shown(name)}; allowed are {', '.join(EXPORTS)}")
    return EXPORTS[name]


def suffix_export(path: str | os.PathLike[str]) -> str:
    """The name of the export that a suffix names: that of a long table."""
    suffix = Path(path).suffix.lower()
    found = next((each.name for each in EXPORTS.values() if each.suffix == suffix and not each.folder), None)
    if found is None:
        names = ", ".join(f"{each.name} ({each.title})" for each in EXPORTS.values())
        raise InputError(f"the suffix {suffix!r} names no export; say --format, one of {names}", path=path)
    return found


# -- what is taken, and how it is written ----------------------------------------------------------------------------


def _in(format: str) -> Callable[[Any, Path], None]:
    """Writes ratings in this format."""

    def write(ratings: Ratings, path: Path) -> None:
        formats()[format].writers["ratings"](ratings, path)

    return write


def _authors(task: str) -> Callable[[Store], Ratings]:
    """The ratings of a task with no more than the authors' tables hold."""

    def taken(store: Store) -> Ratings:
        if task not in store.study.tasks:
            tasks = ", ".join(store.study.tasks)
            raise InputError(f"the study has no {task}, which this table is for; it has {tasks}: export csv")
        kept = store.ratings().where(lambda rating: rating.task == task and not rating.role)
        return Ratings(Rating(*rating[:6]) for rating in kept)

    return taken


def _write_study(contents: Mapping[str, Any], path: Path) -> None:
    write_text(path, format_study(contents))


def _write_events(events: Iterable[Event], path: Path) -> None:
    write_text(path, "".join(json.dumps(asdict(event), ensure_ascii=False) + "\n" for event in events))


CSV, TSV, LINES, ZIP = "text/csv", "text/tab-separated-values", "application/jsonl", "application/zip"

EXPORTS: Mapping[str, Export] = {
    each.name: each
    for each in (
        Export("csv", "the current answers, a long table", ".csv", CSV, Store.ratings, _in("ratings-csv")),
        Export("tsv", "the same with tabs", ".tsv", TSV, Store.ratings, _in("ratings-tsv")),
        Export(
            "parquet",
            "the same as Parquet",
            ".parquet",
            "application/vnd.apache.parquet",
            Store.ratings,
            _in("parquet"),
        ),
        Export("jsonl", "the same as JSON Lines", ".jsonl", LINES, Store.ratings, _in("ratings-json-lines")),
        Export("study", "the whole study, to be imported", ".jsonl", LINES, Store.contents, _write_study),
        Export(
            "events",
            "everything that was ever said, in order",
            ".jsonl",
            LINES,
            lambda store: list(store.events()),
            _write_events,
        ),
        Export("adjudications", "what managers decided", ".csv", CSV, Store.adjudications, _in("ratings-csv")),
        Export("usim-csv", "Usim, the authors' columns", ".csv", CSV, _authors("Usim"), _in("usim-csv")),
        Export("wssim-csv", "WSsim, the authors' columns", ".csv", CSV, _authors("WSsim"), _in("wssim-csv")),
        Export("usage-graph", "a word usage graph, a folder", ".zip", ZIP, graph_of, write_graph, folder=True),
        Export("phitag", "the tables of PhiTag, a folder", ".zip", ZIP, phitag_tables, write_tables, folder=True),
        Export("gold", "gold keys of all tasks, a folder", ".zip", ZIP, golds_of, write_golds, folder=True),
    )
}
"""All exports by name."""
