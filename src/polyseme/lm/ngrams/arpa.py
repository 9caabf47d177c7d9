"""N-gram models as ARPA files, the text format that all toolkits read (Heafield 2013 describes what they expect)."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from polyseme.lm.ngrams.storage import write_text_atomically

if TYPE_CHECKING:
    from polyseme.lm.ngrams.model import NGrams

NGRAM_BATCH = 1 << 16
"""How many n-grams are written at a time."""


def write_arpa(model: NGrams, path: str | os.PathLike[str]) -> None:
    """Write a model, whole or not at all."""
    with write_text_atomically(path) as file:
        file.write("\\data\\\n")
        sizes = np.diff(model.ends, prepend=0).tolist()
        file.writelines(f"ngram {n}={size}\n" for n, size in enumerate(sizes, start=1))
        for n in range(1, model.order + 1):
            file.write(f"\n\\{n}-grams:\n")
            for block in _format_blocks(model, n):
                file.write(block)
        file.write("\n\\end\\\n")


def _format_blocks(model: NGrams, n: int) -> Iterator[str]:
    """The lines of the n-grams of a length."""
    start, end = (0, *model.ends)[n - 1 : n + 1]
    for at in range(start, end, NGRAM_BATCH):
        nodes = np.arange(at, min(at + NGRAM_BATCH, end))
        texts = _ngram_texts(model, nodes, n)
        logs = model.trie.logp[nodes].tolist()
        if n == model.order:
            yield "".join(f"{log:.7g}\t{text}\n" for log, text in zip(logs, texts, strict=True))
        else:
            weights = model.trie.backoff[nodes].tolist()
            lines = zip(logs, texts, weights, strict=True)
            yield "".join(f"{log:.7g}\t{text}\t{weight:.7g}\n" for log, text, weight in lines)


def _ngram_texts(model: NGrams, nodes: np.ndarray[tuple[int], np.dtype[np.int64]], n: int) -> list[str]:
    """N-grams as text: the last words, the last but one, and so on."""
    columns: list[list[str]] = []
    for _ in range(n):
        columns.insert(0, [model.words[word] for word in model.trie.word[nodes].tolist()])
        nodes = np.searchsorted(model.trie.child, nodes, "right") - 1
    return list(map(" ".join, zip(*columns, strict=True)))
