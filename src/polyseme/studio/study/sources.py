"""Where usages and senses come from: files in any format, data sets by name, indexes of corpora."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from polyseme.errors import InputError, quote_value
from polyseme.formats import read_inventory, read_usages
from polyseme.formats.files import read_lines
from polyseme.formats.json_records import RecordError, parse_object, require_fields
from polyseme.inventory import Inventory, Sense
from polyseme.usage import Usage

if TYPE_CHECKING:
    from polyseme.corpus.index import Index

TRAINING_SUFFIX = ":training"
"""After a data set's name: the usages of its training part."""


class SentenceContext(NamedTuple):
    """The sentences before and after that of a usage, in the order of the text."""

    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()


class StudyUsages(NamedTuple):
    """Usages, and what is known of the text around them besides their own."""

    usages: list[Usage]
    around: Mapping[str, SentenceContext] = {}


def load_study_usages(name: str, folder: Path, lemmas: tuple[str, ...], width: int) -> StudyUsages:
    """The usages that a study names, of these lemmas, or of all if there are none.

    ``width`` is how many sentences of an index around a usage are wanted. What is in the ``meta`` of a usage under
    ``before`` and ``after`` is text around it, too.
    """
    path = folder / Path(name).expanduser()
    if (path / "manifest.json").is_file():
        return _load_index_usages(path, lemmas, width)
    source = read_usages(path) if path.exists() else _load_data_set_usages(name, path)
    wanted = set(lemmas)
    found = [usage for usage in source if not wanted or usage.lemma in wanted]
    return StudyUsages(found, {usage.id: around for usage in found if any(around := _context_from_meta(usage))})


def _context_from_meta(usage: Usage) -> SentenceContext:
    before, after = (str(usage.meta.get(name) or "").strip() for name in ("before", "after"))
    return SentenceContext((before,) if before else (), (after,) if after else ())


def _load_data_set_usages(name: str, path: Path) -> Iterable[Usage]:
    from polyseme.datasets import load
    from polyseme.datasets.index import read_index

    plain = name.removesuffix(TRAINING_SUFFIX)
    if plain not in read_index():
        problem = f"{quote_value(name)} is no file or folder ({path}), and no data set is called so"
        raise InputError(f"{problem}. Type: polyseme data list")
    found = load(plain)
    return found.training() if name.endswith(TRAINING_SUFFIX) else found.usages


# -- indexes ---------------------------------------------------------------------------------------------------------


def _load_index_usages(path: Path, lemmas: tuple[str, ...], width: int) -> StudyUsages:
    from polyseme.corpus.concordance import find_usages
    from polyseme.corpus.index import Index

    if not lemmas:
        raise InputError('an index holds all words of a corpus: say which are wanted, lemmas = ["win.v"]', path=path)
    index = Index.open(path)
    usages = [usage for lemma in lemmas for usage in find_usages(index, lemma)]
    return StudyUsages(usages, _read_contexts(index, usages, width))


def _read_contexts(index: Index, usages: list[Usage], width: int) -> dict[str, SentenceContext]:
    """The sentences around usages of an index, which are called NAME.SENTENCE.WORD."""
    places = {usage.id: (str(usage.meta["document"]), int(usage.id.rsplit(".", 2)[1])) for usage in usages}
    wanted = {(name, number + far) for name, number in places.values() for far in range(-width, width + 1)}
    texts = dict(_iter_sentences(index, wanted))
    found = {}
    for usage, (name, number) in places.items():
        before = (texts.get((name, number - far)) for far in range(width, 0, -1))
        after = (texts.get((name, number + far)) for far in range(1, width + 1))
        found[usage] = SentenceContext(*(tuple(text for text in each if text is not None) for each in (before, after)))
    return found


def _iter_sentences(index: Index, wanted: set[tuple[str, int]]) -> Iterator[tuple[tuple[str, int], str]]:
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


def load_study_inventory(name: str, folder: Path) -> Inventory:
    """The senses that a study names: a file, a folder of tables, or a data set, as ``wordnet-3.0``.

    A file is in any format that holds senses, or is JSON Lines: ``{"id": …, "lemma": …, "gloss": …, "synonyms": […],
    "examples": […]}``, of which the last three may be missing.
    """
    path = folder / Path(name).expanduser()
    if path.is_file():
        return Inventory(_read_sense_lines(path)) if path.suffix in (".jsonl", ".ndjson") else read_inventory(path)
    from polyseme.datasets import load
    from polyseme.datasets.index import read_index

    if path.is_dir() and name not in read_index():
        return read_inventory(path)
    if name not in read_index():
        problem = f"senses are {quote_value(name)}, which is no file ({path}), and no data set is called so"
        raise InputError(f"{problem}; allowed are a file, a folder of tables, or a data set, as wordnet-3.0")
    return load(name).inventory


def _read_sense_lines(path: Path) -> Iterator[Sense]:
    for number, line in read_lines(path):
        if line.strip():
            try:
                yield _parse_sense(parse_object(line))
            except RecordError as error:
                form = '{"id": "win.1", "lemma": "win.v", "gloss": "…", "synonyms": [], "examples": []}'
                raise InputError(f"{error}. A line reads: {form}", path=path, line=number) from None


def _parse_sense(given: dict[str, object]) -> Sense:
    require_fields(given, "id", "lemma")
    texts = {name: given.get(name, "") for name in ("id", "lemma", "gloss")}
    lists = {name: given.get(name, []) for name in ("synonyms", "examples")}
    if wrong := [name for name, value in texts.items() if not isinstance(value, str)]:
        raise RecordError(f"{wrong[0]} is {quote_value(texts[wrong[0]])}; it must be text")
    for name, value in lists.items():
        if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
            raise RecordError(f"{name} is {quote_value(value)}; it must be a list of texts")
    synonyms, examples = (tuple(map(str, value)) if isinstance(value, list) else () for value in lists.values())
    return Sense(str(texts["id"]), str(texts["lemma"]), str(texts["gloss"]), synonyms, examples)
