"""The index of data sets, which describes each in a table of ``index.toml``."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from difflib import get_close_matches
from importlib.resources import files
from pathlib import Path
from typing import Any

from polyseme.errors import InputError, quote_value
from polyseme.formats.files import read_text
from polyseme.home import data_folders
from polyseme.toml import parse_toml

SINGLE_ROLES = ("usages", "training", "sentences", "gold", "ratings", "pairs", "substitutes", "inventory", "splits")
"""The roles that a data set can have once."""

NAMED_ROLES = ("golds", "systems", "baselines")
"""The roles that it can have several times, each under a name."""

PREFIXABLE_ROLES = ("usages", "training", "sentences", "gold", "ratings", "substitutes", *NAMED_ROLES)
"""The roles in which the names of usages can have the name of their folder as a prefix."""


@dataclass(frozen=True)
class DataFiles:
    """The files of a role, and how to read them.

    Args:
        patterns: Patterns of :func:`~polyseme.formats.archives.iterate_files`; at least one must match.
        format: The name of the format, if it cannot be recognised.
        rule: The loading rule of answer keys.
        prefix: ``folder`` if the name of the folder is a prefix of the names of usages, to make them unique.
    """

    patterns: tuple[str, ...]
    format: str | None = None
    rule: str = "as-written"
    prefix: str = ""


@dataclass(frozen=True)
class DataSetEntry:
    """A data set in the index.

    Args:
        name: The name.
        title: The title.
        licence: The licence.
        citation: The publication to cite.
        address: The web page.
        language: The language.
        url: The address for downloading it.
        sha256: The digest of the download.
        folder: The name of its folder.
        inventory: The data set whose senses it uses.
        wordnet: The version of WordNet that it is.
        rule: The loading rule of its answer keys.
        files: Role → files; see :data:`SINGLE_ROLES`.
        named_files: Role → files by name; see :data:`NAMED_ROLES`.
        beside: The folder of the index that describes it.
    """

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
    named_files: Mapping[str, Mapping[str, DataFiles] | DataFiles] = field(default_factory=dict)
    beside: Path | None = None

    @property
    def contents(self) -> tuple[str, ...]:
        """Its roles; see :data:`SINGLE_ROLES` and :data:`NAMED_ROLES`."""
        dictionary = ("inventory",) if self.inventory or self.wordnet else ()
        return tuple(dict.fromkeys((*self.files, *self.named_files, *dictionary)))


def read_index(data: str | os.PathLike[str] | None = None) -> dict[str, DataSetEntry]:
    """Return all data sets by name: those of polyseme, and those of files ``index.toml`` in the data folders."""
    shipped = files("polyseme.datasets").joinpath("index.toml").read_text(encoding="utf-8")
    entries = parse_index(shipped, "index.toml")
    for folder in reversed([*([Path(data)] if data is not None else []), *data_folders()]):
        path = folder / "index.toml"
        if path.is_file():
            entries |= parse_index(read_text(path), path, beside=folder, earlier=entries)
    return entries


def find_data_set_entry(name: str, data: str | os.PathLike[str] | None = None) -> DataSetEntry:
    """Return the data set of this name; an error suggests similar names."""
    entries = read_index(data)
    if name not in entries:
        suggestions = get_close_matches(name, entries, n=3, cutoff=0.5)
        hint = f"; did you mean {' or '.join(suggestions)}?" if suggestions else "."
        raise InputError(f"no data set is called {quote_value(name)}{hint} Type: polyseme data list")
    return entries[name]


def parse_index(
    text: str, path: object, *, beside: Path | None = None, earlier: Mapping[str, DataSetEntry] | None = None
) -> dict[str, DataSetEntry]:
    """Parse and check the text of an index.

    Args:
        text: The text.
        path: The file, for messages.
        beside: The folder of the file.
        earlier: The data sets to which ``like`` may refer.

    >>> text = '[mine]' + chr(10) + 'title = "My own"' + chr(10) + 'files.usages = "*.csv"'
    >>> parse_index(text, "index.toml")["mine"].files["usages"].patterns
    ('*.csv',)
    """
    tables = parse_toml(text, path)
    entries: dict[str, DataSetEntry] = {}
    for name, table in tables.items():
        entries[name] = _parse_entry(name, table, path, {**(earlier or {}), **entries}, beside)
    return entries


TEXT_FIELDS = {field.name for field in fields(DataSetEntry)} - {"name", "files", "named_files", "beside"}


def _parse_entry(
    name: str, table: object, path: object, earlier: Mapping[str, DataSetEntry], beside: Path | None
) -> DataSetEntry:
    """Parse one table; ``like`` names a data set whose licence, citation, address and so on it shares."""
    if not isinstance(table, dict):
        raise InputError(f"{name!r} is not a table; a data set is written [{name}], and then its fields", path=path)
    allowed = TEXT_FIELDS | {"files", "like"}
    if wrong := sorted(set(table) - allowed):
        raise InputError(f"[{name}]: no field {wrong[0]!r}; allowed are {', '.join(sorted(allowed))}", path=path)
    if not all(isinstance(value, str) for key, value in table.items() if key != "files") or "title" not in table:
        raise InputError(f"[{name}]: title must be given; every field but files is text in quotes", path=path)
    like = table.get("like", "")
    if like and like not in earlier:
        raise InputError(f"[{name}]: like = {like!r} is not a data set before this one", path=path)
    rule = table.get("rule", earlier[like].rule if like else "as-written")
    single, by_name = _parse_layout(name, table.get("files", {}), rule, path)
    values: dict[str, Any] = {"folder": name, **{key: table[key] for key in TEXT_FIELDS & set(table)}}
    values |= {"name": name, "files": single, "named_files": by_name, "beside": beside}
    return replace(earlier[like], **values) if like else DataSetEntry(**values)


def _parse_layout(
    name: str, table: object, rule: str, path: object
) -> tuple[dict[str, DataFiles], dict[str, Mapping[str, DataFiles] | DataFiles]]:
    if not isinstance(table, dict):
        raise InputError(f"[{name}]: files is not a table; write [{name}.files], and then its fields", path=path)
    roles = (*SINGLE_ROLES, *NAMED_ROLES)
    if wrong := sorted(set(table) - set(roles)):
        raise InputError(f"[{name}.files]: no {wrong[0]!r}; allowed are {', '.join(roles)}", path=path)
    where = f"[{name}.files]"
    single = {role: _parse_files(f"{where} {role}", table[role], rule, path) for role in SINGLE_ROLES if role in table}
    by_name: dict[str, Mapping[str, DataFiles] | DataFiles] = {}
    for role in NAMED_ROLES:
        value = table.get(role)
        if isinstance(value, dict) and "files" not in value:
            items = value.items()
            by_name[role] = {label: _parse_files(f"{where} {role}.{label}", item, rule, path) for label, item in items}
        elif value is not None:
            by_name[role] = _parse_files(f"{where} {role}", value, rule, path)
    return single, by_name


def _parse_files(where: str, value: object, rule: str, path: object) -> DataFiles:
    table: dict[str, Any] = value if isinstance(value, dict) else {"files": value}
    patterns = [table["files"]] if isinstance(table.get("files"), str) else table.get("files")
    others = {key: option for key, option in table.items() if key != "files"}
    texts = [*(patterns if isinstance(patterns, list) else [None]), *others.values()]
    if not patterns or not all(isinstance(text, str) for text in texts) or set(others) - {"format", "rule", "prefix"}:
        form = "a pattern, a list of patterns, or a table {files, format, rule, prefix}"
        raise InputError(f"{where} = {quote_value(value)} is not {form}", path=path)
    if others.get("prefix", "folder") != "folder" or ("prefix" in others and not where.endswith(PREFIXABLE_ROLES)):
        possible = f"prefix can only be 'folder', of {', '.join(PREFIXABLE_ROLES)}"
        raise InputError(f"{where}: {possible}; not {quote_value(others['prefix'])} here", path=path)
    if wrong := [pattern for pattern in patterns if not _is_pattern(pattern)]:
        problem = f"{quote_value(wrong[0])} is not a pattern such as 'texts/*.xml' or '**/*.key'"
        raise InputError(f"{where}: {problem}", path=path)
    return DataFiles(tuple(patterns), **{"rule": rule, **others})


def _is_pattern(text: str) -> bool:
    """Whether a text has folders and a name between slashes, ``**`` only as a whole folder, and at most one ``!``."""
    parts = text.split("!")
    segments = [segment for part in parts for segment in part.split("/")]
    return len(parts) <= 2 and all(segment and ("**" not in segment or segment == "**") for segment in segments)
