"""A document as it is sent from where it is analysed to where the index is written: as columns, with its own words.

A worker numbers the words, sentences and tokens of each document from 0. Whoever writes the index has then only to add
where the document begins, and to look up each different word once.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from polyseme.corpus.analysers import Analyser, SentenceColumns
from polyseme.corpus.documents import DocumentTarget
from polyseme.corpus.parallel_analysis import PlacedSentence, share_documents
from polyseme.sentence import Sentence, Token

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray


TOKEN_COLUMNS = ("form", "tag", "start", "end", "head", "relation")
"""The columns of the tokens that are simply those of a :class:`~polyseme.sentence.Token`."""

ColumnLists = dict[str, list[Any]]


def table_schema(table: str) -> list[tuple[str, pa.DataType]]:
    """The columns of a table of the index and their types."""
    import pyarrow as pa

    number, text = pa.int32(), pa.string()
    columns: dict[str, list[tuple[str, pa.DataType]]] = {
        "tokens": [
            *((name, number) for name in ("document", "sentence", "position", "word")),
            *((name, text) for name in ("form", "tag")),
            *((name, number) for name in ("start", "end", "head")),
            ("relation", text),
        ],
        "sentences": [*((name, number) for name in ("sentence", "document", "number", "start")), ("text", text)],
        "documents": [("document", number), ("name", text), ("meta", text)],
        "words": [("word", number), ("text", text), ("count", pa.int64())],
    }
    return columns[table]


class PackedDocument(NamedTuple):
    """The words of a document, in the order in which they first occur, and its sentences and tokens as columns.

    ``has_parts`` says whether any of its tokens has a part of speech; a word such as *u.n* only looks as if it had.
    """

    words: list[str]
    sentences: pa.RecordBatch
    tokens: pa.RecordBatch
    has_pos: bool

    @property
    def characters(self) -> int:
        """How long the text is, to the end of its last sentence."""
        last = self.sentences.num_rows - 1
        if last < 0:
            return 0
        return int(self.sentences.column("start")[last].as_py()) + len(str(self.sentences.column("text")[last].as_py()))


def pack_documents(
    analyser: Analyser, documents: Iterable[tuple[str, str]], processes: int | None = None
) -> Iterator[PackedDocument]:
    """The names and texts of documents, analysed and packed, by several processes."""
    return share_documents(_DocumentPacker(analyser), analyser, documents, processes)


@dataclass(frozen=True)
class _DocumentPacker:
    """What a worker does with a document."""

    analyser: Analyser

    def __call__(self, document: tuple[str, str]) -> PackedDocument:
        name, text = document
        rows: Callable[[str], Iterator[SentenceColumns]] | None = getattr(self.analyser, "rows", None)
        return pack_sentences(self.analyser.analyse(text, name)) if rows is None else pack_columns(rows(text))


def pack_sentences(placed: Iterable[PlacedSentence]) -> PackedDocument:
    """Sentences, each with the place where it starts, as columns.

    >>> sentence = Sentence.from_words("1", ["The", "bank"], lemmas=["the", "bank"], pos=["", "n"])
    >>> found = pack_sentences([(0, sentence), (9, sentence)])
    >>> found.words, found.tokens.column("word").to_pylist(), found.sentences.column("start").to_pylist()
    (['the', 'bank.n'], [0, 1, 0, 1], [0, 9])
    """
    growing = _DocumentColumns()
    for start, sentence in placed:
        tokens = sentence.tokens
        growing.add(start, sentence.text, [token_word(token) for token in tokens], any(token.pos for token in tokens))
        for name in TOKEN_COLUMNS:
            growing.tokens[name] += map(attrgetter(name), tokens)
    return growing.packed()


def pack_columns(rows: Iterable[SentenceColumns]) -> PackedDocument:
    """The same for sentences that are columns already; those without a head have no relation either."""
    growing = _DocumentColumns()
    for each in rows:
        words = [f"{lemma}.{part}" if part else lemma for lemma, part in zip(each.lemmas, each.parts, strict=True)]
        growing.add(each.start, each.text, words, any(each.parts))
        size = len(words)
        columns: tuple[list[Any], ...] = (each.forms, each.tags, each.starts, each.ends, [None] * size, [""] * size)
        for name, values in zip(TOKEN_COLUMNS, columns, strict=True):
            growing.tokens[name] += values
    return growing.packed()


class _DocumentColumns:
    """The columns of a document while its sentences come in."""

    def __init__(self) -> None:
        self.words: dict[str, int] = {}
        self.sentences: ColumnLists = defaultdict(list)
        self.tokens: ColumnLists = defaultdict(list)
        self.has_pos = False

    def add(self, start: int, text: str, words: list[str], has_parts: bool) -> None:
        """A sentence with its words; the other columns of its tokens are added by whoever has them."""
        self.has_pos |= has_parts
        at, numbers = len(self.sentences["sentence"]), self.words
        for name, value in (("sentence", at), ("number", at + 1), ("start", start), ("text", text)):
            self.sentences[name].append(value)
        self.tokens["sentence"] += [at] * len(words)
        self.tokens["position"] += range(len(words))
        self.tokens["word"] += [numbers.setdefault(word, len(numbers)) for word in words]

    def packed(self) -> PackedDocument:
        """All of them."""
        sentences, tokens = _build_batch("sentences", self.sentences), _build_batch("tokens", self.tokens)
        return PackedDocument(list(self.words), sentences, tokens, self.has_pos)


def _build_batch(table: str, rows: ColumnLists) -> pa.RecordBatch:
    """The columns of a table but for its documents', which are not known yet."""
    import pyarrow as pa

    kinds = {name: kind for name, kind in table_schema(table) if name != "document"}
    return pa.RecordBatch.from_arrays([pa.array(rows[name], kind) for name, kind in kinds.items()], list(kinds))


def pack_analysed(sentences: Iterable[Sentence]) -> PackedDocument:
    """Sentences that are analysed already, one after the other with a blank between each two."""
    found, at = [], 0
    for sentence in sentences:
        found.append((at, sentence))
        at += len(sentence.text) + 1
    return pack_sentences(found)


def set_target(packed: PackedDocument, target: DocumentTarget) -> PackedDocument:
    """The same, with the word that a usage gives for its target, whatever the analyser calls it.

    >>> sentence = Sentence.from_words("1", ["They", "saw"], lemmas=["they", "saw"], pos=["", "n"])
    >>> found = set_target(pack_sentences([(0, sentence)]), DocumentTarget(5, 8, "see.v"))
    >>> found.words, found.tokens.column("word").to_pylist()
    (['they', 'see.v'], [0, 1])
    """
    import numpy as np

    sentence, start, end, word = (
        packed.tokens.column(name).to_numpy() for name in ("sentence", "start", "end", "word")
    )
    before = packed.sentences.column("start").to_numpy()[sentence]
    at = np.flatnonzero((before + start < target.end) & (before + end > target.start))[:1]
    if not len(at) or packed.words[word[at[0]]] == target.word:
        return packed
    words = word.copy()
    words[at] = packed.words.index(target.word) if target.word in packed.words else len(packed.words)
    return _renumber_words(packed, [*packed.words, target.word], words)


def _renumber_words(packed: PackedDocument, names: list[str], words: NDArray[np.int32]) -> PackedDocument:
    """The same with other words for its tokens; a name that none has any more would be in the index without a use."""
    import numpy as np
    import pyarrow as pa

    there, firsts, places = np.unique(words, return_index=True, return_inverse=True)
    order = np.argsort(firsts)
    rank = np.empty(len(order), np.int32)
    rank[order] = np.arange(len(order), dtype=np.int32)
    column = packed.tokens.schema.get_field_index("word")
    tokens = packed.tokens.set_column(column, "word", pa.array(rank[places]))
    return packed._replace(words=[names[number] for number in there[order].tolist()], tokens=tokens)


def token_word(token: Token) -> str:
    """What a token's word is called in the vocabulary.

    >>> token_word(Token("Banks", 0, 5, "bank", "n")), token_word(Token(",", 5, 6))
    ('bank.n', ',')
    """
    lemma = token.lemma or token.form.lower()
    return f"{lemma}.{token.pos}" if token.pos else lemma
