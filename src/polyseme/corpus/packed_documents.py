"""Packed documents: the columns in which a worker sends an analysed document to the process that writes the index.

A worker numbers the words, sentences and tokens of each document from 0. The writer only adds where the document
begins, and looks up each distinct word once.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from operator import attrgetter
from typing import Any, NamedTuple

import numpy as np

from polyseme.arrays import number_by_first_appearance
from polyseme.column_table import ColumnTable, NumberColumn, TextColumn
from polyseme.corpus.analysers import Analyser, SentenceColumns
from polyseme.corpus.documents import DocumentTarget
from polyseme.corpus.parallel_analysis import PlacedSentence, share_documents
from polyseme.corpus.vocabulary import token_word
from polyseme.sentence import Sentence

TOKEN_COLUMNS = ("form", "tag", "start", "end", "head", "relation")
"""The columns of the tokens that are those of a :class:`~polyseme.sentence.Token`."""

ColumnLists = dict[str, list[Any]]


TABLE_COLUMNS = {
    "tokens": ("document", "sentence", "position", "word", "form", "tag", "start", "end", "head", "relation"),
    "sentences": ("sentence", "document", "number", "start", "text"),
    "documents": ("document", "name", "meta"),
    "words": ("word", "text", "count"),
}
"""The columns of the tables of an index."""

TEXT_COLUMNS = {"form", "tag", "relation", "text"}
"""The columns of tokens and sentences that hold texts; the others hold integers."""


class PackedDocument(NamedTuple):
    """An analysed document as columns; its words are in the order in which they first occur.

    ``has_pos`` is whether any token has a part of speech; a word such as *u.n* only looks as if it had.
    """

    words: list[str]
    sentences: ColumnTable
    tokens: ColumnTable
    has_pos: bool

    @property
    def characters(self) -> int:
        """The length of the text, to the end of its last sentence."""
        if not self.sentences.num_rows:
            return 0
        return int(self.sentences.numbers("start")[-1]) + len(self.sentences.texts("text")[-1] or "")


def pack_documents(
    analyser: Analyser, documents: Iterable[tuple[str, str]], processes: int | None = None
) -> Iterator[PackedDocument]:
    """Analyse and pack documents, given as names and texts, in several processes."""
    return share_documents(partial(_pack_document, analyser), analyser, documents, processes)


def _pack_document(analyser: Analyser, document: tuple[str, str]) -> PackedDocument:
    """Analyse and pack a document, in a worker."""
    name, text = document
    rows: Callable[[str], Iterator[SentenceColumns]] | None = getattr(analyser, "rows", None)
    return pack_sentences(analyser.analyse(text, name)) if rows is None else pack_columns(rows(text))


def pack_sentences(sentences: Iterable[PlacedSentence]) -> PackedDocument:
    """Pack sentences, each with its offset.

    >>> sentence = Sentence.from_words("1", ["The", "bank"], lemmas=["the", "bank"], pos=["", "n"])
    >>> packed = pack_sentences([(0, sentence), (9, sentence)])
    >>> packed.words, packed.tokens.column("word").to_pylist(), packed.sentences.column("start").to_pylist()
    (['the', 'bank.n'], [0, 1, 0, 1], [0, 9])
    """
    columns = _DocumentColumns()
    for start, sentence in sentences:
        tokens = sentence.tokens
        columns.add(start, sentence.text, [token_word(token) for token in tokens], any(token.pos for token in tokens))
        for name in TOKEN_COLUMNS:
            columns.tokens[name] += map(attrgetter(name), tokens)
    return columns.pack()


def pack_columns(rows: Iterable[SentenceColumns]) -> PackedDocument:
    """Pack sentences that are columns already; they have no heads and relations."""
    columns = _DocumentColumns()
    for row in rows:
        words = [f"{lemma}.{part}" if part else lemma for lemma, part in zip(row.lemmas, row.parts, strict=True)]
        columns.add(row.start, row.text, words, any(row.parts))
        size = len(words)
        lists: tuple[list[Any], ...] = (row.forms, row.tags, row.starts, row.ends, [None] * size, [""] * size)
        for name, values in zip(TOKEN_COLUMNS, lists, strict=True):
            columns.tokens[name] += values
    return columns.pack()


def pack_analysed(sentences: Iterable[Sentence]) -> PackedDocument:
    """Pack sentences that are analysed already; in the text of the document, a space separates them."""
    placed, start = [], 0
    for sentence in sentences:
        placed.append((start, sentence))
        start += len(sentence.text) + 1
    return pack_sentences(placed)


class _DocumentColumns:
    """The growing columns of a document."""

    def __init__(self) -> None:
        self.words: dict[str, int] = {}
        self.sentences: ColumnLists = defaultdict(list)
        self.tokens: ColumnLists = defaultdict(list)
        self.has_pos = False

    def add(self, start: int, text: str, words: list[str], has_pos: bool) -> None:
        """Add a sentence with its words; the caller adds the other columns of its tokens."""
        self.has_pos |= has_pos
        sentence, numbers = len(self.sentences["sentence"]), self.words
        for name, value in (("sentence", sentence), ("number", sentence + 1), ("start", start), ("text", text)):
            self.sentences[name].append(value)
        self.tokens["sentence"] += [sentence] * len(words)
        self.tokens["position"] += range(len(words))
        self.tokens["word"] += [numbers.setdefault(word, len(numbers)) for word in words]

    def pack(self) -> PackedDocument:
        """The packed document."""
        sentences, tokens = _build_table("sentences", self.sentences), _build_table("tokens", self.tokens)
        return PackedDocument(list(self.words), sentences, tokens, self.has_pos)


def _build_table(table: str, lists: ColumnLists) -> ColumnTable:
    """The columns of a table without the number of the document, which is not known yet."""
    return ColumnTable(
        {
            name: TextColumn.from_list(lists[name]) if name in TEXT_COLUMNS else NumberColumn.from_list(lists[name])
            for name in TABLE_COLUMNS[table]
            if name != "document"
        }
    )


def set_target(packed: PackedDocument, target: DocumentTarget) -> PackedDocument:
    """Replace the word of the target by the one that its usage names. Words without a token are dropped.

    >>> sentence = Sentence.from_words("1", ["They", "saw"], lemmas=["they", "saw"], pos=["", "n"])
    >>> packed = set_target(pack_sentences([(0, sentence)]), DocumentTarget(5, 8, "see.v"))
    >>> packed.words, packed.tokens.column("word").to_pylist()
    (['they', 'see.v'], [0, 1])
    """
    sentence, start, end, word = (packed.tokens.numbers(name) for name in ("sentence", "start", "end", "word"))
    offset = packed.sentences.numbers("start")[sentence]
    position = np.flatnonzero((offset + start < target.end) & (offset + end > target.start))[:1]
    if not len(position) or packed.words[word[position[0]]] == target.word:
        return packed
    words = word.copy()
    words[position] = packed.words.index(target.word) if target.word in packed.words else len(packed.words)
    distinct, numbers = number_by_first_appearance(words)
    names = [*packed.words, target.word]
    tokens = packed.tokens.replace(word=NumberColumn(numbers.astype(np.int32)))
    return packed._replace(words=[names[number] for number in distinct.tolist()], tokens=tokens)
