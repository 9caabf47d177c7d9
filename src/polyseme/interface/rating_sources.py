"""Ratings from whatever people have, with what their source knows of their senses and usages.

A source is a file or folder, the name of a data set, the database of a study, an exported study, ratings, a table, or a
list of these.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from polyseme.agreement.grouping import group_by
from polyseme.datasets.opening import find_data_set, is_name, open_pair_averages, open_rated_inventory, open_ratings
from polyseme.errors import InputError, count_noun, quote_value, require_extra
from polyseme.formats.files import read_head
from polyseme.inventory import Inventory
from polyseme.rating import Ratings, Scale
from polyseme.usage import Usage, UsagePair

if TYPE_CHECKING:
    from polyseme.studio.store.store import Store

SQLITE_HEADER = b"SQLite format 3\0"
STORE_SUFFIXES = (".db", ".sqlite", ".sqlite3")
"""The suffixes of a study's database, for a message if there is no such file."""
STORE_ADDRESS = re.compile(r"(sqlite|postgres(ql)?)(\+\w+)?://")
MAX_REASONS = 5
"""Reasons for reported problems that a note lists."""
STUDY_SUFFIX = ".toml"
"""The suffix of a study file, beside which its database is."""

URL_PASSWORD = re.compile(r"(?<=://)([^/:]*):.*@", re.DOTALL)
"""The user and the password in the address of a server; a password may hold almost anything."""
QUERY_PASSWORD = re.compile(r"(?<=[?&])(password|passwd|pwd)=[^&]*", re.IGNORECASE)
"""A password among the options of an address."""


@dataclass(frozen=True)
class RatingSource:
    """Ratings, or averages of pairs, with what their source knows of them.

    Args:
        name: The name of the source, for messages and titles.
        ratings: The ratings.
        averages: Mean similarities of pairs of usages, if the source has no ratings.
        inventory: The senses that were rated.
        usages: The usages that were rated.
        scale: The scale of WSsim and Usim.
        of_study: Whether it is a study, whose annotators rate every sense of a page.
        notes: Tasks, and what was left out of their ratings, in words.
    """

    name: str
    ratings: Ratings
    averages: Sequence[UsagePair] = ()
    inventory: Inventory | None = None
    usages: Sequence[Usage] = field(default=(), repr=False)
    scale: Scale | None = None
    of_study: bool = False
    notes: Sequence[tuple[str, str]] = ()


def open_rating_source(source: Any, study: str | None = None) -> RatingSource:
    """Open ratings of any kind.

    Args:
        source: A file or folder in any format; the name of a data set; ratings, or a table with a row for each. A study
            is named by its database (a SQLite file or the address of a PostgreSQL database), its study file, or its
            export. A list of these is combined.
        study: The title of a study, where a database holds several.

    Raises:
        InputError: The source cannot be read, or a judgement is in two sources.
    """
    if (
        isinstance(source, list | tuple)
        and source
        and all(is_name(part) or isinstance(part, Ratings) for part in source)
    ):
        return _combine_sources(source, study)
    if is_name(source) and (opened := _open_study(str(source), study)):
        return opened
    if study is not None:
        problem = f"study {quote_value(study)} names a study of a database, but this is not a database"
        raise InputError(f"{problem}; leave the study out", path=describe_source(source))
    if averages := tuple(open_pair_averages(source)):
        return RatingSource(describe_source(source), Ratings(()), averages, usages=_find_usages(source))
    return RatingSource(
        describe_source(source), open_ratings(source), (), open_rated_inventory(source), _find_usages(source)
    )


def describe_source(source: object) -> str:
    """Return the name of a source, without a password."""
    return hide_passwords(str(source)) if is_name(source) else "the ratings"


def hide_passwords(address: str) -> str:
    """Replace the passwords in an address by stars.

    >>> hide_passwords("postgresql://user:secret@host/db")
    'postgresql://user:***@host/db'
    >>> hide_passwords("postgresql://host/db?user=ann&password=secret"), hide_passwords("ratings.csv")
    ('postgresql://host/db?user=ann&password=***', 'ratings.csv')
    """
    return QUERY_PASSWORD.sub(r"\1=***", URL_PASSWORD.sub(r"\1:***@", address))


def _find_usages(source: object) -> Sequence[Usage]:
    """Return the usages of a data set of ratings; none of other sources."""
    data_set = find_data_set(source) if is_name(source) else source
    contents = getattr(getattr(data_set, "entry", None), "contents", ())
    usages: Sequence[Usage] = data_set.usages if data_set is not None and "usages" in contents else ()  # type: ignore[attr-defined]
    return usages


def _combine_sources(sources: Sequence[Any], study: str | None) -> RatingSource:
    """Combine several sources; a judgement in two of them is an error, and the first inventory counts."""
    distinct = list(dict.fromkeys(sources))
    opened = [open_rating_source(source, study) for source in distinct]
    if len(opened) == 1:
        return opened[0]
    origins: dict[tuple[object, ...], str] = {}
    for part in opened:
        if part.averages:
            raise InputError("these are averages; combine ratings of annotators only", path=part.name)
        keys = {(row.annotator, row.task, row.item, row.role) for row in part.ratings}
        if other := next((origins[key] for key in keys if key in origins), None):
            raise InputError(f"it has judgements that {other} also has; name each source once", path=part.name)
        origins |= dict.fromkeys(keys, part.name)
    return RatingSource(
        ", ".join(Path(part.name).name for part in opened),
        Ratings(row for part in opened for row in part.ratings),
        inventory=next((part.inventory for part in opened if part.inventory is not None), None),
        usages=list({usage.id: usage for part in opened for usage in part.usages}.values()),
        scale=next((part.scale for part in opened if part.scale), None),
        of_study=all(part.of_study for part in opened),
        notes=[note for part in opened for note in part.notes],
    )


# -- studies -----------------------------------------------------------------------------------------------------------


def _open_study(name: str, study: str | None) -> RatingSource | None:
    """Open the database of a study, or an exported study; none if this is something else."""
    path = Path(name)
    if path.suffix == STUDY_SUFFIX and path.is_file():
        return _read_store(str(path.with_suffix(".db")), study)
    if path.is_file():
        if read_head(path).startswith(SQLITE_HEADER):
            return _read_store(name, study)
        return _read_archive(path, study) if _is_archive(path) else None
    if STORE_ADDRESS.match(name) or (name.endswith(STORE_SUFFIXES) and not path.exists()):
        return _read_store(name, study)
    return None


def _is_archive(path: Path) -> bool:
    """Whether a file is an exported study."""
    if b'"polyseme"' not in read_head(path):
        return False
    with require_extra("annotate"):
        from polyseme.studio.exchange.study_archive import is_study_archive
    return is_study_archive(read_head(path))


def _read_store(url: str, study: str | None) -> RatingSource:
    with require_extra("annotate"):
        from polyseme.studio.store.startup import open_study
    with closing(open_study(url, study)) as store:
        return _collect_source(hide_passwords(url), store)


def _read_archive(path: Path, study: str | None) -> RatingSource:
    from polyseme.studio.exchange.study_archive import read_study_archive
    from polyseme.studio.store.startup import check_study_title
    from polyseme.studio.store.store import Store

    contents = read_study_archive(path)
    with TemporaryDirectory() as folder, closing(Store.open(str(Path(folder) / "study.db"), create=True)) as store:
        store.restore(contents)
        check_study_title(store, study, path)
        return _collect_source(str(path), store)


def _collect_source(name: str, store: Store) -> RatingSource:
    from polyseme.studio.exchange.usage_graph_folder import collect_shown_senses, collect_shown_usages

    pages = list(store.pages())
    senses = collect_shown_senses(pages)
    return RatingSource(
        name,
        store.ratings(adjudicated=True),
        inventory=senses if len(senses) else None,
        usages=collect_shown_usages(pages),
        scale=store.study.scale,
        of_study=True,
        notes=list(_describe_invalid(store)),
    )


def _describe_invalid(store: Store) -> Iterator[tuple[str, str]]:
    """Describe, for each task, the judgements that do not count because the annotator reported a problem."""
    by_task = group_by(store.invalid_usages(), lambda report: report.task)
    counts = Counter(row.task for row in (store.ratings(of_invalid=True) if by_task else ()))
    for task, reports in by_task.items():
        reasons = Counter(report.text for report in reports).most_common(MAX_REASONS)
        words = "; ".join(f"{reason}: {count:,}" for reason, count in reasons)
        judgements, pages = count_noun(counts[task], "judgement"), count_noun(len(reports), "page")
        yield task, f"{task}: left out {judgements} on {pages} whose annotator reported a problem ({words})."
