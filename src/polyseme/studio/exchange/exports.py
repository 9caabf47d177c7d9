"""Exports of a running or finished study: long tables, published layouts, usage graphs, PhiTag, gold, or everything.

An export shows one moment: a submission that arrives meanwhile is exported as a whole, or not at all.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from functools import partial
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from polyseme.errors import InputError, quote_value
from polyseme.formats.files import make_folder, write_bytes, write_text
from polyseme.formats.registry import all_formats
from polyseme.rating import Rating, Ratings
from polyseme.studio.exchange.gold_folder import make_golds, write_golds
from polyseme.studio.exchange.phitag_folder import collect_phitag_tables, write_phitag_tables
from polyseme.studio.exchange.study_archive import format_study_archive
from polyseme.studio.exchange.usage_graph_folder import collect_usage_graph, write_usage_graph_folder
from polyseme.studio.store.records import StudyEvent
from polyseme.studio.store.store import Store

ARCHIVE_DATE = (1980, 1, 1, 0, 0, 0)
"""The date of all files in a zip archive, so that the same export has the same bytes."""

MEDIA_TYPES = {
    ".csv": "text/csv",
    ".tsv": "text/tab-separated-values",
    ".jsonl": "application/jsonl",
    ".parquet": "application/vnd.apache.parquet",
    ".zip": "application/zip",
}


@dataclass(frozen=True)
class Export:
    """A way to export a study.

    Args:
        name: The name of the export.
        title: What it contains, in words.
        suffix: The suffix of its file; ``.zip`` for a folder of several files.
        collect: Takes the content from a store at one moment.
        write: Writes the content to a path.
        omits_decisions: Whether its format has no place for the decisions of managers.
    """

    name: str
    title: str
    suffix: str
    collect: Callable[[Store], Any]
    write: Callable[[Any, Path], None]
    omits_decisions: bool = False

    @property
    def media(self) -> str:
        """The media type."""
        return MEDIA_TYPES[self.suffix]

    @property
    def file_name(self) -> str:
        """The name of a downloaded file.

        >>> EXPORTS["csv"].file_name, EXPORTS["wssim-csv"].file_name, EXPORTS["study"].file_name
        ('study-ratings.csv', 'study-wssim.csv', 'study.jsonl')
        """
        content = "ratings" if f".{self.name}" == self.suffix else self.name.removesuffix("-csv")
        return f"{'study' if content == 'study' else f'study-{content}'}{self.suffix}"

    @property
    def is_folder(self) -> bool:
        """Whether it is a folder of several files."""
        return self.suffix == ".zip"


def export_bytes(store: Store, name: str) -> bytes:
    """Return an export as the content of a file; a folder becomes a zip archive.

    The same study always gives the same bytes.
    """
    export = get_export(name)
    content = export.collect(store)
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"{export.name}{export.suffix}"
        write_export(export, content, path)
        return path.read_bytes()


def write_export(export: Export, content: Any, path: str | os.PathLike[str]) -> None:
    """Write the content of an export to a file or to a new folder; a path with ``.zip`` becomes an archive.

    Raises:
        InputError: The folder exists and is not empty, or cannot be created.
    """
    target = Path(path)
    if not export.is_folder:
        export.write(content, target)
    elif target.suffix.lower() == ".zip":
        with TemporaryDirectory() as folder:
            export.write(content, Path(folder))
            write_bytes(target, _zip_folder(Path(folder)))
    else:
        if target.exists() and (not target.is_dir() or any(target.iterdir())):
            raise InputError("this path exists already; choose a new name", path=target)
        make_folder(target)
        export.write(content, target)


def _zip_folder(folder: Path) -> bytes:
    buffer = BytesIO()
    with ZipFile(buffer, "w", ZIP_DEFLATED) as archive:
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            info = ZipInfo(path.relative_to(folder).as_posix(), ARCHIVE_DATE)
            archive.writestr(info, path.read_bytes(), ZIP_DEFLATED)
    return buffer.getvalue()


def get_export(name: str) -> Export:
    """Return the export of this name.

    Raises:
        InputError: There is none.
    """
    if name not in EXPORTS:
        raise InputError(f"there is no export {quote_value(name)}; allowed are {', '.join(EXPORTS)}")
    return EXPORTS[name]


def find_export_by_suffix(path: str | os.PathLike[str]) -> str:
    """Return the name of the long table with the suffix of a path.

    Raises:
        InputError: There is none.
    """
    suffix = Path(path).suffix.lower()
    for export in EXPORTS.values():
        if export.suffix == suffix and not export.is_folder:
            return export.name
    raise InputError(f"no export has the suffix {suffix!r}; add --format: {', '.join(EXPORTS)}", path=path)


# -- contents --------------------------------------------------------------------------------------------------------


def _write_ratings(format: str, ratings: Ratings, path: Path) -> None:
    all_formats()[format].writers["ratings"](ratings, path)


def _collect_ratings(store: Store) -> Ratings:
    return store.ratings(adjudicated=True)


def _collect_authors_ratings(task: str, store: Store) -> Ratings:
    """Collect the ratings of a task, with the columns of the authors' tables."""
    if task not in store.study.tasks:
        tasks = ", ".join(store.study.tasks)
        raise InputError(f"this export is for {task}, but the study has {tasks}; export csv instead")
    ratings = store.ratings().filter(lambda rating: rating.task == task and not rating.role)
    return Ratings(Rating(*rating[:6]) for rating in ratings)


def _write_study(contents: Mapping[str, Any], path: Path) -> None:
    write_text(path, format_study_archive(contents))


def _write_events(events: Iterable[StudyEvent], path: Path) -> None:
    write_text(path, "".join(json.dumps(asdict(event), ensure_ascii=False) + "\n" for event in events))


def _export_ratings(
    name: str, title: str, suffix: str, format: str, collect: Callable[[Store], Ratings] = _collect_ratings
) -> Export:
    return Export(name, title, suffix, collect, partial(_write_ratings, format))


def _export_authors_table(task: str) -> Export:
    name, collect = f"{task.lower()}-csv", partial(_collect_authors_ratings, task)
    title = f"{task} ratings, with the columns of Erk et al. (2013)"
    return Export(name, title, ".csv", collect, partial(_write_ratings, name), omits_decisions=True)


EXPORTS: Mapping[str, Export] = {
    export.name: export
    for export in (
        _export_ratings("csv", "current judgements and decisions, one per row", ".csv", "ratings-csv"),
        _export_ratings("tsv", "the same, separated by tabs", ".tsv", "ratings-tsv"),
        _export_ratings("parquet", "the same as Parquet", ".parquet", "parquet"),
        _export_ratings("jsonl", "the same as JSON Lines", ".jsonl", "ratings-json-lines"),
        Export("study", "the whole study, as a backup or for another studio", ".jsonl", Store.contents, _write_study),
        Export("events", "all answers ever sent", ".jsonl", lambda store: list(store.events()), _write_events),
        _export_ratings("adjudications", "decisions of managers", ".csv", "ratings-csv", Store.adjudications),
        _export_authors_table("Usim"),
        _export_authors_table("WSsim"),
        Export("usage-graph", "word usage graph (folder)", ".zip", collect_usage_graph, write_usage_graph_folder, True),
        Export("phitag", "tables for PhiTag (folder)", ".zip", collect_phitag_tables, write_phitag_tables, True),
        Export("gold", "gold keys of all tasks (folder)", ".zip", make_golds, write_golds),
    )
}
"""All exports by name."""
