"""N-gram models as ARPA files, the text format that all toolkits read (Heafield 2013 describes what they expect)."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from polyseme.errors import InputError
from polyseme.formats.files import TEMPORARY_PREFIX, move_path

if TYPE_CHECKING:
    from polyseme.lm.ngrams.model import NGrams

NGRAM_BATCH = 1 << 16
"""How many n-grams are written at a time."""


def write_arpa(model: NGrams, path: str | os.PathLike[str]) -> None:
    """Write a model as an ARPA file, completely or not at all.

    Raises:
        InputError: The file cannot be written.
    """
    target = Path(os.path.realpath(path))
    temporary = target.with_name(f"{TEMPORARY_PREFIX}{os.urandom(8).hex()}.tmp")
    try:
        with temporary.open("x", encoding="utf-8", newline="\n") as file:
            file.writelines(_format_model(model))
        move_path(temporary, target)
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror or error}", path=path) from None
    finally:
        temporary.unlink(missing_ok=True)


def _format_model(model: NGrams) -> Iterator[str]:
    """Yield the text of a model, many lines at a time."""
    yield "\\data\\\n"
    sizes = np.diff(model.ends, prepend=0).tolist()
    yield from (f"ngram {n}={size}\n" for n, size in enumerate(sizes, start=1))
    for n in range(1, model.order + 1):
        yield f"\n\\{n}-grams:\n"
        start, end = (0, *model.ends)[n - 1 : n + 1]
        for first in range(start, end, NGRAM_BATCH):
            nodes = np.arange(first, min(first + NGRAM_BATCH, end))
            logs, texts = model.trie.logp[nodes].tolist(), _ngram_texts(model, nodes, n)
            weights = [""] * len(nodes)
            if n < model.order:
                weights = [f"\t{weight:.7g}" for weight in model.trie.backoff[nodes].tolist()]
            rows = zip(logs, texts, weights, strict=True)
            yield "".join(f"{log:.7g}\t{text}{weight}\n" for log, text, weight in rows)
    yield "\n\\end\\\n"


def _ngram_texts(model: NGrams, nodes: NDArray[np.int64], n: int) -> list[str]:
    """Return n-grams as text: nodes give the last words, their parents the last but one, and so on."""
    columns: list[list[str]] = []
    for _ in range(n):
        columns.insert(0, [model.words[word] for word in model.trie.word[nodes].tolist()])
        nodes = np.searchsorted(model.trie.child, nodes, "right") - 1
    return list(map(" ".join, zip(*columns, strict=True)))
