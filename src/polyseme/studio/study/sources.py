"""Sources of usages and senses: files in any format, data sets by name, indexes of corpora."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

from pydantic import ConfigDict, Field

from polyseme.errors import InputError, quote_value
from polyseme.formats import read_inventory, read_usages
from polyseme.formats.files import read_lines
from polyseme.formats.json_records import RecordError, parse_object
from polyseme.inventory import Inventory, Sense
from polyseme.settings import Settings, validate_settings
from polyseme.usage import Usage

if TYPE_CHECKING:
    from polyseme.corpus.index import Index

TRAINING_SUFFIX = ":training"
"""The ending of a data set's name that selects the usages of its training part."""


class SentenceContext(NamedTuple):
    """The sentences before and after the text of a usage, in document order."""

    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()


class StudyUsages(NamedTuple):
    """Usages with their neighbouring sentences, where these are available."""

    usages: list[Usage]
    contexts: Mapping[str, SentenceContext] = {}


def load_study_usages(name: str, folder: Path, lemmas: tuple[str, ...], width: int) -> StudyUsages:
    """Load the usages that a study names.

    The fields ``before`` and ``after`` in the ``meta`` of a usage are neighbouring sentences, too.

    Args:
        name: A file, a folder, an index, or the name of a data set.
        folder: The folder of the study, to which paths are relative.
        lemmas: The lemmas to load; empty for all.
        width: How many neighbouring sentences of an index to load on either side.

    Raises:
        InputError: There is no such source, or it is an index and no lemmas are named.
    """
    path = folder / Path(name).expanduser()
    if (path / "manifest.json").is_file():
        return _load_index_usages(path, lemmas, width)
    source = read_usages(path) if path.exists() else _load_data_set_usages(name, path)
    usages = [usage for usage in source if not lemmas or usage.lemma in lemmas]
    return StudyUsages(usages, {usage.id: context for usage in usages if any(context := _context_from_meta(usage))})


def _context_from_meta(usage: Usage) -> SentenceContext:
    before, after = (str(usage.meta.get(name) or "").strip() for name in ("before", "after"))
    return SentenceContext((before,) if before else (), (after,) if after else ())


def _load_data_set_usages(name: str, path: Path) -> Iterable[Usage]:
    from polyseme.datasets import load
    from polyseme.datasets.index import read_index

    data_set = name.removesuffix(TRAINING_SUFFIX)
    if data_set not in read_index():
        problem = f"{quote_value(name)} is neither a file or folder ({path}) nor a data set"
        raise InputError(f"{problem}. For the data sets, type: polyseme data list")
    loaded = load(data_set)
    return loaded.training() if name.endswith(TRAINING_SUFFIX) else loaded.usages


# -- indexes ---------------------------------------------------------------------------------------------------------


def _load_index_usages(path: Path, lemmas: tuple[str, ...], width: int) -> StudyUsages:
    from polyseme.corpus.concordance import find_usages
    from polyseme.corpus.index import Index

    if not lemmas:
        raise InputError('an index contains all words of a corpus; name yours: lemmas = ["win.v"]', path=path)
    index = Index.open(path)
    usages = [usage for lemma in lemmas for usage in find_usages(index, lemma)]
    return StudyUsages(usages, _read_contexts(index, usages, width))


def _read_contexts(index: Index, usages: list[Usage], width: int) -> dict[str, SentenceContext]:
    """Read the neighbouring sentences of usages from an index; usages are named DOCUMENT.SENTENCE.WORD."""
    positions = {usage.id: (str(usage.meta["document"]), int(usage.id.rsplit(".", 2)[1])) for usage in usages}
    window = range(-width, width + 1)
    keys = {(document, sentence + offset) for document, sentence in positions.values() for offset in window}
    texts = dict(_iter_sentences(index, keys))

    def find_texts(document: str, numbers: range) -> tuple[str, ...]:
        return tuple(texts[document, number] for number in numbers if (document, number) in texts)

    return {
        usage: SentenceContext(
            find_texts(document, range(sentence - width, sentence)),
            find_texts(document, range(sentence + 1, sentence + width + 1)),
        )
        for usage, (document, sentence) in positions.items()
    }


def _iter_sentences(index: Index, positions: set[tuple[str, int]]) -> Iterator[tuple[tuple[str, int], str]]:
    """Iterate over the sentences of an index at these positions: name of the document, number of the sentence."""
    names = {name for name, _ in positions}
    for documents, sentences in zip(index.parts("documents"), index.parts("sentences"), strict=True):
        rows = zip(*(documents.column(name).to_pylist() for name in ("document", "name")), strict=True)
        document_names = {document: name for document, name in rows if name in names}
        if not document_names:
            continue
        columns = (sentences.column(name).to_pylist() for name in ("document", "number", "text"))
        for document, number, text in zip(*columns, strict=True):
            if (position := (document_names.get(document), number)) in positions:
                yield position, text


# -- senses ----------------------------------------------------------------------------------------------------------

SENSE_LINE = '{"id": "win.1", "lemma": "win.v", "gloss": "…", "synonyms": [], "examples": []}'

_Text = Annotated[str, Field(description="text")]
_Texts = Annotated[tuple[str, ...], Field(strict=False, description="a list of texts")]


class SenseRecord(Settings):
    """A sense as a line of JSON; other fields are ignored."""

    model_config = ConfigDict(extra="ignore")

    id: _Text = Field(examples=['"id": "win.1"'])
    lemma: _Text = Field(examples=['"lemma": "win.v"'])
    gloss: _Text = ""
    synonyms: _Texts = ()
    examples: _Texts = ()


def load_study_inventory(name: str, folder: Path) -> Inventory:
    """Load the senses that a study names.

    Args:
        name: A file of senses in any format, a JSON Lines file of :class:`SenseRecord`, a folder of tables, or a data
            set such as ``wordnet-3.0``.
        folder: The folder of the study, to which paths are relative.

    Raises:
        InputError: There is no such source, or it contains no senses.
    """
    path = folder / Path(name).expanduser()
    if path.is_file():
        return Inventory(_read_sense_lines(path)) if path.suffix in (".jsonl", ".ndjson") else read_inventory(path)
    from polyseme.datasets import load
    from polyseme.datasets.index import read_index

    if name in read_index():
        return load(name).inventory
    if path.is_dir():
        return read_inventory(path)
    problem = f"{quote_value(name)} is neither a file ({path}) nor a data set"
    raise InputError(f"{problem}; name a file, a folder of tables, or a data set such as wordnet-3.0")


def _read_sense_lines(path: Path) -> Iterator[Sense]:
    for number, line in read_lines(path):
        if line.strip():
            try:
                record = validate_settings(SenseRecord, parse_object(line))
            except (RecordError, InputError) as error:
                raise InputError(f"{error}. A line reads: {SENSE_LINE}", path=path, line=number) from None
            yield Sense(record.id, record.lemma, record.gloss, record.synonyms, record.examples)
