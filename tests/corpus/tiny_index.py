"""Small indexes for tests, written from rows of tokens."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from polyseme.corpus.index import LAYOUT, Index
from polyseme.sentence import Sentence, Token

Row = tuple[int, int, int, str, int | None, str]
"""Document, sentence, position, word, head and relation of a token."""


def word_of(token: Token) -> str:
    lemma = token.lemma or token.form.lower()
    return f"{lemma}.{token.pos}" if token.pos else lemma


def rows_of(sentences: Iterable[Sentence]) -> Iterator[Row]:
    """The tokens; the document is in a sentence's ``meta``."""
    number = 0
    for document, (_, group) in enumerate(groupby(sentences, key=lambda sentence: sentence.meta["document"])):
        for sentence in group:
            for position, token in enumerate(sentence.tokens):
                yield document, number, position, word_of(token), token.head, token.relation
            number += 1


def write_index(folder: Path, rows: list[Row], parts: int = 2) -> Index:
    """Write an index of tokens in this many parts, or fewer if there are fewer documents."""
    words: dict[str, int] = {}
    documents = 1 + max(row[0] for row in rows)
    for number in range(parts):
        mine = [row for row in rows if row[0] * parts // documents == number]
        fresh = [word for word in dict.fromkeys(row[3] for row in mine) if word not in words]
        words.update({word: len(words) + at for at, word in enumerate(fresh)})
        _write(folder / "tokens", number, _tokens(mine, words))
        _write(folder / "words", number, _words(mine, words, set(fresh)))
    manifest = {
        "layout": LAYOUT,
        "finished": True,
        "documents": documents,
        "sentences": 1 + max(row[1] for row in rows),
        "tokens": len(rows),
        "parts": [{"number": number} for number in range(parts)],
    }
    (folder / "manifest.json").write_text(json.dumps(manifest))
    return Index.open(folder)


def _write(folder: Path, number: int, table: pa.Table) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    pq.write_table(table, folder / f"{number:05}.parquet")


def _tokens(rows: list[Row], words: dict[str, int]) -> pa.Table:
    document, sentence, position, word, head, relation = zip(*rows, strict=True)
    numbers = [("document", document), ("sentence", sentence), ("position", position)]
    numbers += [("word", tuple(words[each] for each in word)), ("head", head)]
    return pa.table({**{name: pa.array(values, pa.int32()) for name, values in numbers}, "relation": relation})


def _words(rows: list[Row], words: dict[str, int], fresh: set[str]) -> pa.Table:
    counts = Counter(row[3] for row in rows)
    texts = [word if word in fresh else None for word in counts]
    numbers = pa.array([words[word] for word in counts], pa.int32())
    return pa.table({"word": numbers, "text": pa.array(texts, pa.string()), "count": pa.array(counts.values())})
