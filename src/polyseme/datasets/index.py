"""The index of data sets: a data set is a table, not code."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from difflib import get_close_matches
from importlib.resources import files
from pathlib import Path
from typing import Any

from polyseme.errors import InputError, quote_value
from polyseme.formats.files import read_text
from polyseme.home import data_folders

SINGLE_ROLES = ("usages", "training", "sentences", "gold", "ratings", "pairs", "substitutes", "inventory", "splits")
"""What a data set can hold once."""

NAMED_ROLES = ("golds", "systems", "baselines")
"""What it can hold several of, each under a name."""

PREFIXABLE_ROLES = ("usages", "training", "sentences", "gold", "ratings", "substitutes", *NAMED_ROLES)
"""Where the names of usages can have their folder's name in front."""


@dataclass(frozen=True)
class DataFiles:
    """Which files hold something, and how they are read.

    ``patterns`` are those of :func:`~polyseme.formats.archives.iterate_files`, of which at least one must match;
    ``format`` names a format where it cannot be recognised, ``rule`` the loading rule of answer keys. With ``prefix``
    ``"folder"`` the usages' names begin with the name of the file's folder, where only that makes them unique.
    """

    patterns: tuple[str, ...]
    format: str | None = None
    rule: str = "as-written"
    prefix: str = ""


@dataclass(frozen=True)
class DataSetEntry:
    """A data set as the index describes it."""

    name: str
    title: str
    licence: str = ""
    citation: str = ""
    address: str = ""
    language: str = ""
    url: str = ""
    sha256: str = ""
    folder: str = ""
    inventory: str = ""
    wordnet: str = ""
    rule: str = "as-written"
    files: Mapping[str, DataFiles] = field(default_factory=dict)
    named: Mapping[str, Mapping[str, DataFiles] | DataFiles] = field(default_factory=dict)
    beside: Path | None = None

    @property
    def contents(self) -> tuple[str, ...]:
        """What it holds, in the words of :data:`ONE` and :data:`NAMED`."""
        dictionary = ("inventory",) if self.inventory or self.wordnet else ()
        return tuple(dict.fromkeys((*self.files, *self.named, *dictionary)))


def read_index(data: str | os.PathLike[str] | None = None) -> dict[str, DataSetEntry]:
    """All data sets by name: those that polyseme knows, and those of a file ``index.toml`` in a data folder."""
    shipped = files("polyseme.datasets").joinpath("index.toml").read_text(encoding="utf-8")
    found = parse_index(shipped, "index.toml")
    for folder in reversed([*([Path(data)] if data is not None else []), *data_folders()]):
        path = folder / "index.toml"
        if path.is_file():
            found |= parse_index(read_text(path), path, beside=folder, known=found)
    return found


def find_data_set_entry(name: str, data: str | os.PathLike[str] | None = None) -> DataSetEntry:
    """The data set of this name, or an error that suggests near misses."""
    known = read_index(data)
    if name not in known:
        near = get_close_matches(name, known, n=3, cutoff=0.5)
        meant = f"; did you mean {' or '.join(near)}?" if near else "."
        raise InputError(f"no data set is called {quote_value(name)}{meant} Type: polyseme data list")
    return known[name]


def parse_index(
    text: str, path: object, *, beside: Path | None = None, known: Mapping[str, DataSetEntry] | None = None
) -> dict[str, DataSetEntry]:
    """An index that was read, checked.

    >>> text = '[mine]' + chr(10) + 'title = "My own"' + chr(10) + 'files.usages = "*.csv"'
    >>> parse_index(text, "index.toml")["mine"].files["usages"].patterns
    ('*.csv',)
    """
    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"not TOML: {error}", path=path) from None
    found: dict[str, DataSetEntry] = {}
    for name, table in tables.items():
        found[name] = _parse_entry(name, table, path, {**(known or {}), **found}, beside)
    return found


TEXT_FIELDS = {each.name for each in fields(DataSetEntry)} - {"name", "files", "named", "beside"}


def _parse_entry(
    name: str, table: object, path: object, known: Mapping[str, DataSetEntry], beside: Path | None
) -> DataSetEntry:
    """One table; ``like`` names a data set whose licence, citation, address and so on hold here too."""
    if not isinstance(table, dict):
        raise InputError(f"{name!r} is not a table; a data set is written [{name}], and then its fields", path=path)
    allowed = TEXT_FIELDS | {"files", "like"}
    if wrong := sorted(set(table) - allowed):
        raise InputError(f"[{name}]: no field {wrong[0]!r}; allowed are {', '.join(sorted(allowed))}", path=path)
    if not all(isinstance(value, str) for key, value in table.items() if key != "files") or "title" not in table:
        raise InputError(f"[{name}]: title must be given; every field but files is text in quotes", path=path)
    like = table.get("like", "")
    if like and like not in known:
        raise InputError(f"[{name}]: like = {like!r} is no data set known before this one", path=path)
    given = {key: table[key] for key in TEXT_FIELDS & set(table)}
    rule = table.get("rule", known[like].rule if like else "as-written")
    single, named = _parse_layout(name, table.get("files", {}), rule, path)
    fresh = DataSetEntry(name, **{"folder": name, **given}, files=single, named=named, beside=beside)
    return replace(known[like], **{**_entry_fields(fresh, given), "folder": fresh.folder}) if like else fresh


def _entry_fields(entry: DataSetEntry, given: Mapping[str, str]) -> dict[str, Any]:
    always = ("name", "files", "named", "beside")
    return {each: getattr(entry, each) for each in (*always, *given)}


def _parse_layout(
    name: str, given: object, rule: str, path: object
) -> tuple[dict[str, DataFiles], dict[str, Mapping[str, DataFiles] | DataFiles]]:
    if not isinstance(given, dict):
        raise InputError(f"[{name}]: files is not a table; write [{name}.files], and then its fields", path=path)
    if wrong := sorted(set(given) - {*SINGLE_ROLES, *NAMED_ROLES}):
        raise InputError(
            f"[{name}.files]: no {wrong[0]!r}; allowed are {', '.join((*SINGLE_ROLES, *NAMED_ROLES))}", path=path
        )
    single = {
        role: _parse_files(f"[{name}.files] {role}", given[role], rule, path) for role in SINGLE_ROLES if role in given
    }
    named: dict[str, Mapping[str, DataFiles] | DataFiles] = {}
    for role in NAMED_ROLES:
        if role in given:
            where, value = f"[{name}.files] {role}", given[role]
            if isinstance(value, dict) and "files" not in value:
                named[role] = {
                    label: _parse_files(f"{where}.{label}", each, rule, path) for label, each in value.items()
                }
            else:
                named[role] = _parse_files(where, value, rule, path)
    return single, named


def _parse_files(where: str, given: object, rule: str, path: object) -> DataFiles:
    table: dict[str, Any] = given if isinstance(given, dict) else {"files": given}
    patterns = [table["files"]] if isinstance(table.get("files"), str) else table.get("files")
    others = {key: value for key, value in table.items() if key != "files"}
    texts = [*(patterns if isinstance(patterns, list) else [None]), *others.values()]
    if not patterns or not all(isinstance(text, str) for text in texts) or set(others) - {"format", "rule", "prefix"}:
        form = "a pattern, a list of patterns, or a table {files, format, rule, prefix}"
        raise InputError(f"{where} = {quote_value(given)} is not {form}", path=path)
    if others.get("prefix", "folder") != "folder" or ("prefix" in others and not where.endswith(PREFIXABLE_ROLES)):
        possible = f"prefix can only be 'folder', of {', '.join(PREFIXABLE_ROLES)}"
        raise InputError(f"{where}: {possible}; not {quote_value(others['prefix'])} here", path=path)
    if wrong := [pattern for pattern in patterns if not _is_pattern(pattern)]:
        raise InputError(
            f"{where}: {quote_value(wrong[0])} is not a pattern such as 'texts/*.xml' or '**/*.key'", path=path
        )
    return DataFiles(tuple(patterns), **{"rule": rule, **others})


def _is_pattern(text: str) -> bool:
    """Folders and a name between slashes, ``**`` only as a whole folder; one ``!`` may lead into an archive."""
    parts = text.split("!")
    segments = [segment for part in parts for segment in part.split("/")]
    return len(parts) <= 2 and all(segment and ("**" not in segment or segment == "**") for segment in segments)
