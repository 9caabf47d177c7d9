"""The n-gram model of an index: trained when it is first needed, and cached."""

from __future__ import annotations

from pathlib import Path

from polyseme.corpus.index import Index
from polyseme.home import user_cache_folder
from polyseme.lm.ngrams.model import NGRAM_FORMAT, NGrams, ShowTraining
from polyseme.lm.ngrams.numbered_text import index_language
from polyseme.lm.ngrams.storage import NGRAM_MANIFEST


def train_corpus_model(index: Index, show: ShowTraining = lambda _: None) -> Path:
    """Return the folder of the n-gram model of an index, with all its words; it is trained if it is not in the cache.

    Args:
        index: The corpus.
        show: Receives a message for each step of the training.
    """
    folder = user_cache_folder() / "ngrams" / f"{index.digest[:16]}-{NGRAM_FORMAT}"
    if not (folder / NGRAM_MANIFEST).is_file():
        NGrams.train(index, language=index_language(index), show=show).save(folder)
    return folder
