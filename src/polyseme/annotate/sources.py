"""Where usages and senses come from: files in any format, data sets by name, indexes of corpora."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from polyseme.errors import InputError, shown
from polyseme.formats import read_inventory, read_usages
from polyseme.formats.files import lines
from polyseme.formats.json_text import NotAsAgreed, check_fields, given_object
from polyseme.inventory import Inventory, Sense
from polyseme.usage import Usage

if TYPE_CHECKING:
    from polyseme.corpus.index import Index

TRAINING = ":training"
"""After a data set's name: the usages of its training part."""


class Around(NamedTuple):
    """The sentences before and after that of a usage, in the order of the text."""

    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()


class Text(NamedTuple):
    """Usages, and what is known of the text around them besides their own."""

    usages: list[Usage]
    around: Mapping[str, Around] = {}


def texts_of(name: str, folder: Path, lemmas: tuple[str, ...], width: int) -> Text:
    """The usages that a study names, of these lemmas, or of all if there are none.

    ``width`` is how many sentences of an index around a usage are wanted. What is in the ``meta`` of a usage under
    ``before`` and ``after`` is text around it, too.
    """
    path = folder / Path(name).expanduser()
    if (path / "manifest.json").is_file():
        return _indexed(path, lemmas, width)
    source = read_usages(path) if path.exists() else _of_data_set(name, path)
    wanted = set(lemmas)
    found = [usage for usage in source if not wanted or usage.lemma in wanted]
    return Text(found, {usage.id: around for usage in found if any(around := _said_around(usage))})


def _said_around(usage: Usage) -> Around:
    before, after = (str(usage.meta.get(name) or "").strip() for name in ("before", "after"))
    return Around((before,) if before else (), (after,) if after else ())


def _of_data_set(name: str, path: Path) -> Iterable[Usage]:
    from polyseme.datasets import load
    from polyseme.datasets.index import index

    plain = name.removesuffix(TRAINING)
    if plain not in index():
        problem = f"{shown(name)} is no file or folder ({path}), and no data set is called so"
        raise InputError(f"{problem}. Type: polyseme data list")
    found = load(plain)
    return found.training() if name.endswith(TRAINING) else found.usages


# -- indexes ---------------------------------------------------------------------------------------------------------


def _indexed(path: Path, lemmas: tuple[str, ...], width: int) -> Text:
    from polyseme.corpus.concordance import usages_of
    from polyseme.corpus.index import Index

    if not lemmas:
        raise InputError('an index holds all words of a corpus: say which are wanted, lemmas = ["win.v"]', path=path)
    index = Index.open(path)
    usages = [usage for lemma in lemmas for usage in usages_of(index, lemma)]
    return Text(usages, _neighbours(index, usages, width))


def _neighbours(index: Index, usages: list[Usage], width: int) -> dict[str, Around]:
    """The sentences around usages of an index, which are called NAME.SENTENCE.WORD."""
    places = {usage.id: (str(usage.meta["document"]), int(usage.id.rsplit(".", 2)[1])) for usage in usages}
    wanted = {(name, number + far) for name, number in places.values() for far in range(-width, width + 1)}
    texts = dict(_sentences(index, wanted))
    found = {}
    for usage, (name, number) in places.items():
        before = (texts.get((name, number - far)) for far in range(width, 0, -1))
        after = (texts.get((name, number + far)) for far in range(1, width + 1))
        found[usage] = Around(*(tuple(text for text in each if text is not None) for each in (before, after)))
    return found


def _sentences(index: Index, wanted: set[tuple[str, int]]) -> Iterator[tuple[tuple[str, int], str]]:
    """Sentences by document and number, of an index."""
    names = {name for name, _ in wanted}
    for documents, sentences in zip(index.parts("documents"), index.parts("sentences"), strict=True):
        called = zip(documents.column("document").to_pylist(), documents.column("name").to_pylist(), strict=True)
        known = {number: name for number, name in called if name in names}
        if not known:
            continue
        columns = (sentences.column(name).to_pylist() for name in ("document", "number", "text"))
        for document, number, text in zip(*columns, strict=True):
            if document in known and (place := (known[document], number)) in wanted:
                yield place, text


# -- senses ----------------------------------------------------------------------------------------------------------


def inventory_of(name: str, folder: Path) -> Inventory:
    """The senses that a study names: a file, a folder of tables, or a data set, as ``wordnet-3.0``.

    A file is in any format that holds senses, or is JSON Lines: ``{"id": …, "lemma": …, "gloss": …, "synonyms": […],
    "examples": […]}``, of which the last three may be missing.
    """
    path = folder / Path(name).expanduser()
    if path.is_file():
        return Inventory(_lines(path)) if path.suffix in (".jsonl", ".ndjson") else read_inventory(path)
    from polyseme.datasets import load
    from polyseme.datasets.index import index

    if path.is_dir() and name not in index():
        return read_inventory(path)
    if name not in index():
        problem = f"senses are {shown(name)}, which is no file ({path}), and no data set is called so"
        raise InputError(f"{problem}; allowed are a file, a folder of tables, or a data set, as wordnet-3.0")
    return load(name).inventory


def _lines(path: Path) -> Iterator[Sense]:
    for number, line in lines(path):
        if line.strip():
            try:
                yield _sense(given_object(line))
            except NotAsAgreed as error:
                form = '{"id": "win.1", "lemma": "win.v", "gloss": "…", "synonyms": [], "examples": []}'
                raise InputError(f"{error}. A line reads: {form}", path=path, line=number) from None


def _sense(given: dict[str, object]) -> Sense:
    check_fields(given, "id", "lemma")
    texts = {name: given.get(name, "") for name in ("id", "lemma", "gloss")}
    lists = {name: given.get(name, []) for name in ("synonyms", "examples")}
    if wrong := [name for name, value in texts.items() if not isinstance(value, str)]:
        raise NotAsAgreed(f"{wrong[0]} is {shown(texts[wrong[0]])}; it must be text")
    for name, value in lists.items():
        if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
            raise NotAsAgreed(f"{name} is {shown(value)}; it must be a list of texts")
    synonyms, examples = (tuple(map(str, value)) if isinstance(value, list) else () for value in lists.values())
    return Sense(str(texts["id"]), str(texts["lemma"]), str(texts["gloss"]), synonyms, examples)
