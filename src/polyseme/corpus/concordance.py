"""The concordance of an index: the usages of a word, in all documents or in selected ones, or a sample."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from typing import NamedTuple

import numpy as np

from polyseme.arrays import Bools, Ints, expand_runs, positions_by_value
from polyseme.column_table import ColumnTable
from polyseme.corpus.document_filter import DocumentFilter
from polyseme.corpus.index import Index
from polyseme.corpus.vocabulary import Vocabulary
from polyseme.errors import InputError, quote_value
from polyseme.lemma import POS_LETTERS, pos_of_lemma, strip_pos
from polyseme.usage import Usage

MetaCondition = Callable[[Mapping[str, str]], bool]

POSITION_COLUMNS = ("sentence", "position", "start", "end")
"""The columns of the tokens that locate a token."""

BATCH_USAGES = 1000
"""The number of texts that a stream of usages has in memory, besides the part of the index that it reads."""

StreamPosition = tuple[int, int]
"""The position in a stream of usages: the part of the index, and the number of usages in it."""


class _Hits(NamedTuple):
    """The occurrences of a word: the part of the index, and the columns that locate each token."""

    part: Ints
    sentence: Ints
    position: Ints
    start: Ints
    end: Ints

    @classmethod
    def from_part(cls, number: int, part: ColumnTable, rows: Ints) -> _Hits:
        """The tokens in these rows of a part."""
        return cls(np.full(len(rows), number), *(part.numbers(name)[rows] for name in POSITION_COLUMNS))

    @classmethod
    def concatenate(cls, parts: Sequence[_Hits]) -> _Hits:
        """The hits of all parts, if any."""
        return cls(*map(np.concatenate, zip(*parts, strict=True))) if parts else cls(*[np.zeros(0, np.int64)] * 5)

    def select(self, rows: Ints) -> _Hits:
        """The hits of these rows."""
        return _Hits(*(column[rows] for column in self))


def find_usages(
    index: Index,
    lemma: str | Iterable[str],
    *,
    where: MetaCondition | None = None,
    sample: int | None = None,
    seed: int = 0,
) -> Iterator[Usage]:
    """Find the usages of a lemma, or of several, in the order of the text.

    A usage is named after its document, sentence and position, ``NAME.SENTENCE.WORD``, whatever else is in the index.
    Its metadata are those of its document, and ``document``.

    Args:
        index: The index.
        lemma: The lemma, or several.
        where: A condition on the metadata of documents.
        sample: Draw this many usages.
        seed: The random seed.
    """
    names = {get_word_number(index, name): name for name in ([lemma] if isinstance(lemma, str) else lemma)}
    documents = None if where is None else _select_documents(index, where)
    hits, words = list[_Hits](), list[Ints]()
    for place, part in enumerate(index.parts("tokens", [*POSITION_COLUMNS, "document", "word"])):
        rows = _find_rows(part, list(names), documents)
        hits.append(_Hits.from_part(place, part, rows))
        words.append(part.numbers("word")[rows])
    all_hits, all_words = _Hits.concatenate(hits), np.concatenate([np.zeros(0, np.int64), *words])
    if sample is not None and sample < len(all_words):
        draw = np.sort(np.random.default_rng(seed).choice(len(all_words), sample, replace=False))
        all_hits, all_words = all_hits.select(draw), all_words[draw]
    return _read_usages(index, [names[number] for number in all_words.tolist()], all_hits)


def stream_usages(
    index: Index, words: Mapping[str, str], after: StreamPosition = (0, 0)
) -> Iterator[tuple[StreamPosition, Usage]]:
    """Yield all usages of many lemmas, in one pass, each with the position after it, where another stream can start.

    Usages come part by part, so that little is in memory, and in each part lemma by lemma.

    Args:
        index: The index.
        words: The word of the index for each lemma; no two may have the same.
        after: The position to start from; earlier parts are not read.
    """
    lemmas, (first, skipped) = tuple(words), after
    lemma_numbers = np.full(len(index.vocabulary), -1)
    lemma_numbers[[get_word_number(index, word) for word in words.values()]] = np.arange(len(lemmas))
    tokens = index.parts("tokens", [*POSITION_COLUMNS, "word"], first=first)
    texts = (index.parts(table, first=first) for table in ("sentences", "documents"))
    for place, (part, sentences, documents) in enumerate(zip(tokens, *texts, strict=True), first):
        numbers = lemma_numbers[part.numbers("word")]
        rows = np.flatnonzero(numbers >= 0)
        rows = rows[np.argsort(numbers[rows], kind="stable")]
        for start in range(skipped, len(rows), BATCH_USAGES):
            batch = rows[start : start + BATCH_USAGES]
            hits = _Hits.from_part(place, part, batch)
            batch_lemmas = [lemmas[number] for number in numbers[batch].tolist()]
            usages = _read_usages_in_part(sentences, documents, batch_lemmas, hits)
            yield from (((place, number), usage) for number, usage in enumerate(usages, start + 1))
        skipped = 0


def find_usages_near(
    index: Index,
    lemma: str,
    relatives: Iterable[str],
    *,
    where: MetaCondition | None = None,
    sentences: int = 1,
    label: str = "",
) -> Iterator[Usage]:
    """Find the usages of a lemma near its relatives: a sense with its relatives gives weakly labelled usages.

    The metadata name the relatives, under ``relatives``, and the label, under ``sense``. Where the index has no parts
    of speech, those of the relatives and of the lemma are ignored. The word is not its own relative, but an
    expression that contains it can be one.

    Args:
        index: The index.
        lemma: The lemma.
        relatives: Words, and expressions such as ``credit_union.n``, whose words must follow each other; the last one
            must have the part of speech.
        where: A condition on the metadata of documents.
        sentences: A relative must be less than this many sentences away, in the same document.
        label: The sense of the usages.
    """
    if sentences < 1:
        raise InputError(f"sentences is {sentences}; the least is 1, where a relative is in the same sentence")
    has_pos = index.vocabulary.has_pos
    word = lemma if lemma in index.vocabulary or has_pos else strip_pos(lemma)
    number = get_word_number(index, word)
    documents = None if where is None else _select_documents(index, where)
    search = _WordSearch(relatives, index.vocabulary, exclude=number)
    hits: list[_Hits] = []
    relatives_by_hit: list[str] = []
    for place, part in enumerate(index.parts("tokens", [*POSITION_COLUMNS, "document", "word", "form"])):
        rows = _find_rows(part, [number], documents)
        names = _names_near(part, rows, search, sentences) if len(rows) else {}
        relatives_by_hit += names.values()
        hits.append(_Hits.from_part(place, part, np.array(list(names), np.int64)))
    sense = {"sense": label} if label else {}
    usages = _read_usages(index, [word] * len(relatives_by_hit), _Hits.concatenate(hits))
    return (
        replace(usage, meta={**usage.meta, "relatives": names, **sense})
        for usage, names in zip(usages, relatives_by_hit, strict=True)
    )


def count_occurrences(index: Index, words: Iterable[str]) -> dict[str, int]:
    """Count the occurrences of words and expressions, as :func:`find_usages_near` finds them."""
    search = _WordSearch(words, index.vocabulary)
    counts = np.zeros(len(search.names), np.int64)
    for part in index.parts("tokens", ["sentence", "word", "form"]):
        counts += np.bincount(search.find(part)[1], minlength=len(counts))
    return dict(zip(search.names, counts.tolist(), strict=True))


def read_usages_at(index: Index, lemmas: Mapping[tuple[int, int], str]) -> dict[tuple[int, int], Usage]:
    """Read usages by sentence and position, as in the token table, with the lemma of each; in one pass."""
    keys = np.array(sorted((sentence << 32) + position for sentence, position in lemmas), np.int64)
    parts = enumerate(index.parts("tokens", POSITION_COLUMNS))
    hits = _Hits.concatenate([_Hits.from_part(number, part, _rows_at(part, keys)) for number, part in parts])
    places = list(zip(hits.sentence.tolist(), hits.position.tolist(), strict=True))
    return dict(zip(places, _read_usages(index, [lemmas[place] for place in places], hits), strict=True))


def _rows_at(part: ColumnTable, keys: Ints) -> Ints:
    """The rows of the tokens at these keys; only their sentences, which are in order, are searched."""
    sentence, position = (part.numbers(name) for name in ("sentence", "position"))
    sentences = np.unique(keys >> 32)
    first, last = (np.searchsorted(sentence, sentences, side) for side in ("left", "right"))
    candidates = expand_runs(first, last - first)
    rows: Ints = candidates[np.isin((sentence[candidates].astype(np.int64) << 32) + position[candidates], keys)]
    return rows


def draw_usages(usages: Iterable[Usage], sample: int | None, seed: int = 0) -> Iterator[Usage]:
    """Draw a random sample of usages, in their order; all of them if there are no more."""
    usages = list(usages)
    if sample is None or sample >= len(usages):
        return iter(usages)
    return (usages[row] for row in np.sort(np.random.default_rng(seed).choice(len(usages), sample, replace=False)))


# -- words and expressions -----------------------------------------------------------------------------------------


def _names_near(part: ColumnTable, rows: Ints, search: _WordSearch, sentences: int) -> dict[int, str]:
    """The rows with a match less than this many sentences away in their document, and the names that match."""
    sentence, document = (part.numbers(name).astype(np.int64) for name in ("sentence", "document"))
    ends, numbers = search.find(part)
    distance = min(sentences, len(sentence))
    first, last = (np.searchsorted(sentence[ends], sentence[rows] + side) for side in (1 - distance, distance))
    names = {}
    for row, start, stop in zip(rows.tolist(), first.tolist(), last.tolist(), strict=True):
        matches = numbers[start:stop][document[ends[start:stop]] == document[row]]
        if len(matches):
            names[row] = ", ".join(sorted({search.names[number] for number in matches.tolist()}))
    return names


class _Expression(NamedTuple):
    """A spelling of a name: the number of the name, its words, and the part of speech of the last one, if required."""

    name: int
    words: tuple[int, ...]
    pos: str


class _Tokens(NamedTuple):
    """The word and sentence of each token, and the numbers of its lemma and its form in a search, or -1."""

    words: Ints
    sentence: Ints
    lemma: Ints
    form: Ints


class _WordSearch:
    """A search for words and expressions, ``lender.n`` and ``credit_union.n``, among the tokens of an index.

    A word matches by its lemma, the words of an expression also by their forms. An expression also matches a single
    token.

    Args:
        names: The words and expressions.
        vocabulary: The vocabulary of the index.
        exclude: The number of a word that does not match.
    """

    def __init__(self, names: Iterable[str], vocabulary: Vocabulary, exclude: int = -1) -> None:
        self.names = tuple(dict.fromkeys(names))
        self._exclude = exclude
        self._numbers: dict[str, int] = {}
        has_pos = vocabulary.has_pos
        self._expressions = [
            _Expression(number, tuple(map(self._number, words)), pos_of_lemma(name) if has_pos else "")
            for number, name in enumerate(self.names)
            for words in _spellings(name)
        ]
        stems = (strip_pos(word) if has_pos else word for word in vocabulary)
        self._lemmas = np.array([self._numbers.get(stem.lower(), -1) for stem in stems], np.int64)
        self._pos = np.array(vocabulary.pos, "U1")
        self._is_last = np.zeros(len(self._numbers) + 1, np.bool_)  # the additional one is for -1
        self._is_last[[expression.words[-1] for expression in self._expressions]] = True

    def _number(self, word: str) -> int:
        return self._numbers.setdefault(word, len(self._numbers))

    def find(self, part: ColumnTable) -> tuple[Ints, Ints]:
        """The rows of the tokens with which a match ends, in order, and the number of the name that matches."""
        words, sentence = (part.numbers(name) for name in ("word", "sentence"))
        tokens = _Tokens(words, sentence, self._lemmas[words], self._forms(part))
        ends = np.flatnonzero(self._is_last[tokens.lemma] | self._is_last[tokens.form])
        by_lemma, by_form = (
            positions_by_value(numbers[ends] + 1, len(self._is_last)) for numbers in (tokens.lemma, tokens.form)
        )
        rows, names = [ends[:0]], [ends[:0]]
        for expression in self._expressions:
            last = expression.words[-1] + 1
            is_word = len(expression.words) == 1
            candidates = by_lemma[last] if is_word else np.union1d(by_lemma[last], by_form[last])
            rows.append(self._filter_matches(expression, ends[candidates], tokens))
            names.append(np.full(len(rows[-1]), expression.name))
        order = np.argsort(np.concatenate(rows), kind="stable")
        return np.concatenate(rows)[order], np.concatenate(names)[order]

    def _filter_matches(self, expression: _Expression, ends: Ints, tokens: _Tokens) -> Ints:
        """The rows at which the whole expression ends, of those at which its last word occurs."""
        size = len(expression.words)
        rows = ends[tokens.words[ends] != self._exclude] if size == 1 else ends[ends >= size - 1]
        if expression.pos:
            rows = rows[self._pos[tokens.words[rows]] == expression.pos]
        for back, word in enumerate(reversed(expression.words[:-1]), 1):
            rows = rows[(tokens.lemma[rows - back] == word) | (tokens.form[rows - back] == word)]
        within: Ints = rows[tokens.sentence[rows - size + 1] == tokens.sentence[rows]]
        return within

    def _forms(self, part: ColumnTable) -> Ints:
        """The number of the form of each token in this search, or -1."""
        forms = part.texts("form")
        distinct = [self._numbers.get(form.lower(), -1) for form in forms.entries]
        numbers: Ints = np.array([*distinct, -1], np.int64)[forms.codes]
        return numbers


def _spellings(name: str) -> set[tuple[str, ...]]:
    """The spellings of a word or expression: one token, or as many as it has words.

    >>> sorted(_spellings("credit_union.n"))
    [('credit', 'union'), ('credit_union',)]
    """
    stem = strip_pos(name).lower()
    return {(stem,), tuple(filter(None, stem.split("_"))) or (stem,)}


# -- in an index ---------------------------------------------------------------------------------------------------


def get_word_number(index: Index, lemma: str) -> int:
    """Get the number of a word; an error suggests similar words."""
    words = index.vocabulary
    if lemma in words:
        return words.number(lemma)
    with_pos = [f"{lemma}.{pos}" for pos in POS_LETTERS if f"{lemma}.{pos}" in words]
    similar = with_pos or get_close_matches(lemma, words, n=3, cutoff=0.8)
    hint = f"; did you mean {' or '.join(similar)}?" if similar else ""
    raise InputError(f"{quote_value(lemma)} does not occur{hint or '; check its spelling'}", path=index.folder)


def _select_documents(index: Index, where: MetaCondition) -> Bools:
    """Whether each document meets the condition; an error if it names a field that no document has."""
    mask: list[bool] = []
    fields = {"document"}
    for part in index.parts("documents", ["name", "meta"]):
        for name, meta in zip(part.column("name").to_pylist(), part.column("meta").to_pylist(), strict=True):
            values = _document_meta(str(name), str(meta))
            fields.update(values)
            mask.append(where(values))
    if isinstance(where, DocumentFilter) and mask:
        where.check(fields, document=name)
    return np.array(mask, np.bool_)


def _document_meta(name: str, meta: str) -> dict[str, str]:
    """The metadata of a document, and its name."""
    values: dict[str, str] = json.loads(meta)
    return values | {"document": name}


def _find_rows(part: ColumnTable, numbers: Sequence[int], documents: Bools | None) -> Ints:
    """The rows of words in a part of the tokens, in the selected documents."""
    rows = np.flatnonzero(np.isin(part.numbers("word"), numbers))
    return rows if documents is None else rows[documents[part.numbers("document")[rows]]]


def _read_usages(index: Index, lemmas: Sequence[str], hits: _Hits) -> Iterator[Usage]:
    parts = zip(index.parts("sentences"), index.parts("documents"), strict=True)
    for place, (sentences, documents) in enumerate(parts):
        rows = np.flatnonzero(hits.part == place)
        if len(rows):
            own_lemmas = [lemmas[row] for row in rows.tolist()]
            yield from _read_usages_in_part(sentences, documents, own_lemmas, hits.select(rows))


def _read_usages_in_part(
    sentences: ColumnTable, documents: ColumnTable, lemmas: Sequence[str], hits: _Hits
) -> Iterator[Usage]:
    """The usages at hits in one part, from its sentences and documents."""
    own_sentences = sentences.take(hits.sentence - sentences.numbers("sentence")[0])
    first = int(documents.numbers("document")[0])
    names, metas = documents.texts("name"), documents.texts("meta")
    rows = zip(
        lemmas,
        *(own_sentences.column(name).to_pylist() for name in ("document", "number", "text")),
        *(getattr(hits, name).tolist() for name in ("position", "start", "end")),
        strict=True,
    )
    for lemma, document, number, text, position, start, end in rows:
        name = names[document - first]
        meta = _document_meta(str(name), str(metas[document - first]))
        yield Usage(f"{name}.{number}.{position + 1}", lemma, text, start, end, pos_of_lemma(lemma), meta)
