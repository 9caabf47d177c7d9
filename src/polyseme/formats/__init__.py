"""Readers and writers of file formats, one a module; the functions here recognise the format of a file."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from polyseme.errors import InputError, quote_value
from polyseme.formats.archives import iterate_files
from polyseme.formats.files import BOM, Blob, Source, read_bytes, read_head
from polyseme.formats.registry import all_formats, formats_with, read, recognise_format, write

if TYPE_CHECKING:
    from polyseme.conversion import LabellingLike
    from polyseme.formats.answer_key import LoadedLabelling
    from polyseme.inventory import Inventory
    from polyseme.labelling import Labelling
    from polyseme.rating import Ratings
    from polyseme.sentence import Sentence
    from polyseme.usage import Usage


def read_labelling(path: Source, rule: str = "as-written") -> Labelling:
    """Read a labelling from a file, plain or compressed, in the format that its content shows.

    The file is Parquet, JSON Lines if it begins with ``{``, or another format that holds a labelling (see
    :func:`polyseme.formats.registry.all_formats`). A file in no such format is read as an answer key.

    Args:
        path: The file.
        rule: The loading rule of answer keys; see :func:`~polyseme.formats.answer_key.read_key`.
    """
    return load_labelling(path, rule).labelling


def load_labelling(path: Source, rule: str = "as-written") -> LoadedLabelling:
    """Read a labelling as :func:`read_labelling` does, and the lines of a key that name no sense."""
    from polyseme.formats import answer_key, labelling_jsonl, labelling_parquet

    data = read_bytes(path)
    if data.startswith(b"PAR1") and b"\0" in data:
        return answer_key.LoadedLabelling(labelling_parquet.parse_labelling_parquet(data, path))
    if data.removeprefix(BOM).lstrip().startswith(b"{"):
        return answer_key.LoadedLabelling(labelling_jsonl.parse_labelling_jsonl(data, path))
    start = data[: 1 << 16]
    if re.match(rb"(\xef\xbb\xbf)?\s*\[\s*[{\[\"]", start):
        raise InputError("this is one JSON array; write JSON Lines, an object a line, or an answer key", path=path)
    if answer_key.FORMAT.recognises(start) or not any(format.recognises(start) for format in all_formats().values()):
        return answer_key.parse_loaded_key(data, rule, path)
    blob = Blob(str(path), data)
    return answer_key.LoadedLabelling(recognise_format(blob, "labelling").readers["labelling"](blob))


def write_labelling(labelling: LabellingLike, path: str | os.PathLike[str], format: str | None = None) -> None:
    r"""Write a labelling, compressed if the path ends in ``.gz``, ``.bz2``, ``.xz`` or ``.zst``.

    Args:
        labelling: The labelling, usage → {sense: weight}, or a table.
        path: The file to write.
        format: The name of a format. By default the suffix decides: ``.key``, ``.txt`` or none is an answer key,
            ``.jsonl`` or ``.ndjson`` is JSON Lines, ``.parquet`` is Parquet.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp(), "my.key")
    >>> write_labelling({"bank.n.1": {"river": 1}}, path)
    >>> path.read_text()
    'bank.n bank.n.1 river/1\n'
    """
    from polyseme.conversion import as_labelling

    write(as_labelling(labelling), "labelling", path, format)


def read_usages(path: str | os.PathLike[str], format: str | None = None) -> Iterator[Usage]:
    """Yield the usages of a file, a folder or a tar archive.

    The tables of a folder such as PhiTag's repeat the usages of a lemma for each task. Each usage comes once, with the
    ``meta`` of the first table. Usages with the same id and lemma but another text or target are an error.

    Args:
        path: A file, a folder or a tar archive.
        format: The name of the format; by default each file is recognised.
    """
    tables = _tables_with_content(path, "usages")
    first: dict[tuple[str, str], tuple[Usage, Source]] = {}
    for source in tables or iterate_files(path):
        for usage in read(source, "usages", format):
            if not tables or _is_new(usage, source, first):
                yield usage


def _is_new(usage: Usage, source: Source, first: dict[tuple[str, str], tuple[Usage, Source]]) -> bool:
    """Whether no table before has the usage; another usage with its id and lemma is an error."""
    earlier, table = first.setdefault((usage.lemma, usage.id), (usage, source))
    if earlier != usage:
        name = f"usage {quote_value(usage.id)} of {quote_value(usage.lemma)}"
        problem = f"{name} has another text, target or pos in {table}"
        raise InputError(f"{problem}; rename one of them, or make them equal", path=source)
    return earlier is usage


def read_sentences(path: str | os.PathLike[str], format: str | None = None) -> Iterator[Sentence]:
    r"""Yield the sentences of a file, a folder or a tar archive.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp(), "my.conllu")
    >>> _ = path.write_text("1\tlamps\tlamp\tNOUN\t_\t_\t0\troot\t_\t_\n\n")
    >>> [token.lemma for sentence in read_sentences(path) for token in sentence.tokens]
    ['lamp']
    """
    return _read_all(path, "sentences", format)


def read_ratings(path: str | os.PathLike[str], format: str | None = None) -> Ratings:
    """Read the judgements of a file, a folder or a tar archive."""
    from polyseme.rating import Ratings

    return Ratings(_read_all(path, "ratings", format))


def _read_all(path: str | os.PathLike[str], content: str, format: str | None) -> Iterator[Any]:
    for source in _tables_with_content(path, content) or iterate_files(path):
        yield from read(source, content, format)


def read_inventory(path: str | os.PathLike[str], format: str | None = None) -> Inventory:
    """Read the senses of a file, or of all tables of senses in a folder; a sense in two tables counts once."""
    from polyseme.inventory import Inventory

    inventories = [read(source, "inventory", format) for source in _tables_with_content(path, "inventory") or [path]]
    if len(inventories) == 1:
        single: Inventory = inventories[0]
        return single
    senses = (sense for inventory in inventories for lemma_senses in inventory.values() for sense in lemma_senses)
    try:
        return Inventory(dict.fromkeys(senses))
    except ValueError as error:
        raise InputError(f"{error}, with other glosses in two tables", path=path) from None


def _tables_with_content(path: str | os.PathLike[str], content: str) -> list[Source]:
    """Return the files with this content in a folder whose tables hold several kinds; none for other paths."""
    if not Path(path).is_dir():
        return []
    candidates = formats_with(content)
    starts = ((source, read_head(source)) for source in iterate_files(path))
    matches = [(source, format) for source, start in starts for format in candidates if format.recognises(start)]
    return [source for source, _ in matches] if any(format.folder for _, format in matches) else []


def write_usages(usages: Iterable[Usage], path: str | os.PathLike[str], format: str | None = None) -> None:
    """Write usages in the named format, or in that of the suffix: ``.jsonl``, ``.csv`` or ``.xml``.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp(), "my.csv")
    >>> write_usages(read_usages("examples/two-words.jsonl"), path)
    >>> next(read_usages(path)).target
    'note'
    """
    from polyseme.conversion import as_usages

    write(as_usages(usages), "usages", path, format)


def write_sentences(sentences: Iterable[Sentence], path: str | os.PathLike[str], format: str | None = None) -> None:
    """Write sentences in the named format, or in that of the suffix: ``.conllu`` or ``.vrt``.

    >>> import tempfile
    >>> from polyseme.sentence import Sentence, Token
    >>> path = Path(tempfile.mkdtemp(), "my.conllu")
    >>> write_sentences([Sentence("1", "lamps", (Token("lamps", 0, 5, lemma="lamp"),))], path)
    >>> next(read_sentences(path)).tokens[0].form
    'lamps'
    """
    write(sentences, "sentences", path, format)


def write_ratings(ratings: Ratings, path: str | os.PathLike[str], format: str | None = None) -> None:
    """Write judgements in the named format, or in that of the suffix: ``.csv``, ``.tsv``, ``.jsonl``, …

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp(), "my.jsonl")
    >>> write_ratings(read_ratings("examples/ratings.csv"), path)
    >>> len(read_ratings(path)) == len(read_ratings("examples/ratings.csv"))
    True
    """
    from polyseme.conversion import as_ratings

    write(as_ratings(ratings), "ratings", path, format)
