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

from polyseme.errors import InputError, quote_value
from polyseme.formats.files import write_text
from polyseme.formats.registry import all_formats
from polyseme.rating import Rating, Ratings
from polyseme.studio.exchange.gold_folder import make_golds, write_golds
from polyseme.studio.exchange.phitag_folder import collect_phitag_tables, write_phitag_tables
from polyseme.studio.exchange.study_archive import format_study_archive
from polyseme.studio.exchange.usage_graph_folder import collect_usage_graph, write_usage_graph_folder
from polyseme.studio.store.records import StudyEvent
from polyseme.studio.store.store import Store

ARCHIVE_DATE = (1980, 1, 1, 0, 0, 0)
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


def export_bytes(store: Store, name: str) -> bytes:
    """An export as the content of a file; of a folder, as a zip archive.

    The same study gives the same bytes, always.
    """
    export = get_export(name)
    value = export.taken(store)
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"{export.name}{'' if export.folder else export.suffix}"
        write_export(export, value, path)
        return _zip_folder(path) if export.folder else path.read_bytes()


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
            target.write_bytes(_zip_folder(Path(folder)))
    else:
        _create_folder(target)
        export.write(value, target)


def _create_folder(folder: Path) -> None:
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InputError("there is something already; name a new folder", path=folder)
    if not folder.parent.is_dir():
        raise InputError("there is no such folder; make it first", path=folder.parent)
    folder.mkdir(exist_ok=True)


def _zip_folder(folder: Path) -> bytes:
    packed = BytesIO()
    with ZipFile(packed, "w", ZIP_DEFLATED) as archive:
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            archive.writestr(
                ZipInfo(path.relative_to(folder).as_posix(), ARCHIVE_DATE), path.read_bytes(), ZIP_DEFLATED
            )
    return packed.getvalue()


def get_export(name: str) -> Export:
    """The export of this name; an error lists those that there are."""
    if name not in EXPORTS:
        raise InputError(f"there is no export {quote_value(name)}; allowed are {', '.join(EXPORTS)}")
    return EXPORTS[name]


def find_export_by_suffix(path: str | os.PathLike[str]) -> str:
    """The name of the export that a suffix names: that of a long table."""
    suffix = Path(path).suffix.lower()
    found = next((each.name for each in EXPORTS.values() if each.suffix == suffix and not each.folder), None)
    if found is None:
        names = ", ".join(f"{each.name} ({each.title})" for each in EXPORTS.values())
        raise InputError(f"the suffix {suffix!r} names no export; say --format, one of {names}", path=path)
    return found


# -- what is taken, and how it is written ----------------------------------------------------------------------------


def _ratings_writer(format: str) -> Callable[[Any, Path], None]:
    """Writes ratings in this format."""

    def write(ratings: Ratings, path: Path) -> None:
        all_formats()[format].writers["ratings"](ratings, path)

    return write


def _authors_ratings(task: str) -> Callable[[Store], Ratings]:
    """The ratings of a task with no more than the authors' tables hold."""

    def taken(store: Store) -> Ratings:
        if task not in store.study.tasks:
            tasks = ", ".join(store.study.tasks)
            raise InputError(f"the study has no {task}, which this table is for; it has {tasks}: export csv")
        kept = store.ratings().filter(lambda rating: rating.task == task and not rating.role)
        return Ratings(Rating(*rating[:6]) for rating in kept)

    return taken


def _write_study(contents: Mapping[str, Any], path: Path) -> None:
    write_text(path, format_study_archive(contents))


def _write_events(events: Iterable[StudyEvent], path: Path) -> None:
    write_text(path, "".join(json.dumps(asdict(event), ensure_ascii=False) + "\n" for event in events))


CSV, TSV, LINES, ZIP = "text/csv", "text/tab-separated-values", "application/jsonl", "application/zip"

EXPORTS: Mapping[str, Export] = {
    each.name: each
    for each in (
        Export("csv", "the current answers, a long table", ".csv", CSV, Store.ratings, _ratings_writer("ratings-csv")),
        Export("tsv", "the same with tabs", ".tsv", TSV, Store.ratings, _ratings_writer("ratings-tsv")),
        Export(
            "parquet",
            "the same as Parquet",
            ".parquet",
            "application/vnd.apache.parquet",
            Store.ratings,
            _ratings_writer("parquet"),
        ),
        Export(
            "jsonl", "the same as JSON Lines", ".jsonl", LINES, Store.ratings, _ratings_writer("ratings-json-lines")
        ),
        Export("study", "the whole study, to be imported", ".jsonl", LINES, Store.contents, _write_study),
        Export(
            "events",
            "everything that was ever said, in order",
            ".jsonl",
            LINES,
            lambda store: list(store.events()),
            _write_events,
        ),
        Export(
            "adjudications", "what managers decided", ".csv", CSV, Store.adjudications, _ratings_writer("ratings-csv")
        ),
        Export(
            "usim-csv", "Usim, the authors' columns", ".csv", CSV, _authors_ratings("Usim"), _ratings_writer("usim-csv")
        ),
        Export(
            "wssim-csv",
            "WSsim, the authors' columns",
            ".csv",
            CSV,
            _authors_ratings("WSsim"),
            _ratings_writer("wssim-csv"),
        ),
        Export(
            "usage-graph",
            "a word usage graph, a folder",
            ".zip",
            ZIP,
            collect_usage_graph,
            write_usage_graph_folder,
            folder=True,
        ),
        Export(
            "phitag",
            "the tables of PhiTag, a folder",
            ".zip",
            ZIP,
            collect_phitag_tables,
            write_phitag_tables,
            folder=True,
        ),
        Export("gold", "gold keys of all tasks, a folder", ".zip", ZIP, make_golds, write_golds, folder=True),
    )
}
"""All exports by name."""
