"""Readers and writers, one file format a module; and each kind of value in whatever format it comes."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from polyseme.formats.answer_key import LoadedLabelling
    from polyseme.formats.files import Source
    from polyseme.inventory import Inventory
    from polyseme.labelling import Labelling
    from polyseme.rating import Ratings
    from polyseme.sentence import Sentence
    from polyseme.usage import Usage


def read_labelling(path: Source, rule: str = "as-written") -> Labelling:
    """Read a labelling, plain or compressed; what the file holds says in which format it is.

    That may be Parquet, JSON Lines, if it begins with ``{``, or any other format that holds a labelling
    (:func:`polyseme.formats.registry.all_formats` has them all); what is in none of them is read as an answer key. The
    loading rule is for answer keys; the other formats say what they mean. See
    :func:`~polyseme.formats.answer_key.read_key`, :func:`~polyseme.formats.labelling_jsonl.read_labelling_jsonl` and
    :func:`~polyseme.formats.labelling_parquet.read_labelling_parquet`.
    """
    return load_labelling(path, rule).labelling


def load_labelling(path: Source, rule: str = "as-written") -> LoadedLabelling:
    """As :func:`read_labelling`, and also the lines of a key that name no sense."""
    from polyseme.formats import answer_key, labelling_jsonl, labelling_parquet
    from polyseme.formats.files import BOM, Blob, read_bytes
    from polyseme.formats.registry import all_formats, recognise_format

    data = read_bytes(path)
    if data.startswith(b"PAR1") and b"\0" in data:
        return answer_key.LoadedLabelling(labelling_parquet.parse_labelling_parquet(data, path))
    if data.removeprefix(BOM).lstrip().startswith(b"{"):
        return answer_key.LoadedLabelling(labelling_jsonl.parse_labelling_jsonl(data, path))
    start = data[: 1 << 16]
    if answer_key.FORMAT.recognises(start) or not any(each.recognises(start) for each in all_formats().values()):
        return answer_key.parse_loaded_key(data, rule, path)
    blob = Blob(str(path), data)
    format = recognise_format(blob, "labelling")
    return answer_key.LoadedLabelling(format.readers["labelling"](blob))


def write_labelling(labelling: Labelling, path: str | os.PathLike[str], format: str | None = None) -> None:
    """Write a labelling in the format that is named, or that the suffix names, compressed if ``.gz`` or so follows.

    ``.key``, ``.txt`` or no suffix: an answer key; ``.jsonl`` or ``.ndjson``: JSON Lines; ``.parquet``: Parquet.
    """
    from polyseme.formats.registry import write

    write(labelling, "labelling", path, format)


def read_usages(path: str | os.PathLike[str], format: str | None = None) -> Iterator[Usage]:
    """The usages of a file, of all files in a folder or of a tar archive, one after the other.

    What a file holds says in which format it is; ``format`` names it instead (``polyseme.formats.registry.all_formats()``
    has them all). A folder of tables, such as PhiTag's, repeats the usages of a lemma for each task: they come once,
    with the ``meta`` of the first table. Usages with the same id and lemma, but another text or target, are an error.
    """
    return _read_distinct_usages(path, format)


def read_sentences(path: str | os.PathLike[str], format: str | None = None) -> Iterator[Sentence]:
    """The sentences of a file, a folder or a tar archive, one after the other."""
    return _read_all(path, "sentences", format)


def read_ratings(path: str | os.PathLike[str], format: str | None = None) -> Ratings:
    """The judgements of a file, a folder or a tar archive."""
    from polyseme.rating import Ratings

    return Ratings(_read_all(path, "ratings", format))


def read_inventory(path: str | os.PathLike[str], format: str | None = None) -> Inventory:
    """The senses that a file lists, or all tables of senses in a folder of tables; those given twice count once."""
    from polyseme.errors import InputError
    from polyseme.formats.registry import read
    from polyseme.inventory import Inventory

    inventories: list[Inventory] = [
        read(each, "inventory", format) for each in _tables_with_content(path, "inventory") or [path]
    ]
    if len(inventories) == 1:
        return inventories[0]
    try:
        return Inventory(dict.fromkeys(sense for each in inventories for senses in each.values() for sense in senses))
    except ValueError as error:
        raise InputError(f"{error}, with other glosses in two tables", path=path) from None


def _read_all(path: str | os.PathLike[str], content: str, format: str | None) -> Iterator[Any]:
    from polyseme.formats.archives import iterate_files
    from polyseme.formats.registry import read

    for source in _tables_with_content(path, content) or iterate_files(path):
        yield from read(source, content, format)


def _read_distinct_usages(path: str | os.PathLike[str], format: str | None) -> Iterator[Usage]:
    from polyseme.formats.archives import iterate_files
    from polyseme.formats.registry import read

    tables = _tables_with_content(path, "usages")
    first: dict[tuple[str, str], tuple[Usage, Source]] = {}
    for source in tables or iterate_files(path):
        for usage in read(source, "usages", format):
            if not tables or _is_new(usage, source, first):
                yield usage


def _is_new(usage: Usage, source: Source, first: dict[tuple[str, str], tuple[Usage, Source]]) -> bool:
    """Whether no table before has the usage; an error if one has another with its id and lemma."""
    from polyseme.errors import InputError, quote_value

    if (usage.lemma, usage.id) not in first:
        first[usage.lemma, usage.id] = usage, source
        return True
    before, table = first[usage.lemma, usage.id]
    if before != usage:
        problem = (
            f"usage {quote_value(usage.id)} of {quote_value(usage.lemma)} has another text, target or pos in {table}"
        )
        raise InputError(f"{problem}; rename one of them, or make them equal", path=source)
    return False


def _tables_with_content(path: str | os.PathLike[str], content: str) -> list[Source]:
    """The files with this content in a folder whose tables hold several kinds; none if it is not such a folder."""
    from pathlib import Path

    from polyseme.formats.archives import iterate_files
    from polyseme.formats.files import read_head
    from polyseme.formats.registry import all_formats

    if not Path(path).is_dir():
        return []
    able = [each for each in all_formats().values() if content in each.readers]
    starts = ((source, read_head(source)) for source in iterate_files(path))
    holding = [(source, each) for source, start in starts for each in able if each.recognises(start)]
    return [source for source, _ in holding] if any(each.folder for _, each in holding) else []


def write_usages(usages: Iterable[Usage], path: str | os.PathLike[str], format: str | None = None) -> None:
    """Write usages in the format that is named, or that the suffix names: ``.jsonl``, ``.csv`` or ``.xml``."""
    from polyseme.formats.registry import write

    write(usages, "usages", path, format)


def write_sentences(sentences: Iterable[Sentence], path: str | os.PathLike[str], format: str | None = None) -> None:
    """Write sentences in the format that is named, or that the suffix names: ``.conllu`` or ``.vrt``."""
    from polyseme.formats.registry import write

    write(sentences, "sentences", path, format)


def write_ratings(ratings: Ratings, path: str | os.PathLike[str], format: str | None = None) -> None:
    """Write judgements in the format that is named, or that the suffix names: ``.csv``, ``.tsv``, ``.jsonl``, …"""
    from polyseme.formats.registry import write

    write(ratings, "ratings", path, format)
