"""The n-gram model of an index: trained when it is first needed, and cached."""

from __future__ import annotations

from pathlib import Path

from polyseme.corpus.index import Index
from polyseme.home import cache
from polyseme.induce.substitutes.ngrams import LAYOUT, NGrams, Show
from polyseme.induce.substitutes.reading import language_of
from polyseme.induce.substitutes.storing import MANIFEST


def corpus_model(index: Index, show: Show | None = None) -> Path:
    """The folder of the n-gram model of an index, with every word of it; trained if it is not in the cache yet.

    Args:
        index: The corpus.
        show: Receives a message for each step of the training.
    """
    folder = cache() / "ngrams" / f"{index.digest[:16]}-{LAYOUT}"
    if not (folder / MANIFEST).is_file():
        NGrams.train(index, language=language_of(index), show=show).save(folder)
    return folder
