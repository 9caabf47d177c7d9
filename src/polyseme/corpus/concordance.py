"""The usages of a word in an index: all of them, those of some documents, or a sample."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from polyseme.arrays import Bools, Ints, expand_runs, positions_by_value
from polyseme.corpus.document_filter import DocumentFilter
from polyseme.corpus.index import Index
from polyseme.corpus.vocabulary import Vocabulary
from polyseme.errors import InputError, quote_value
from polyseme.lemma import POS_LETTERS, pos_of_lemma, strip_pos
from polyseme.usage import Usage

if TYPE_CHECKING:
    import pyarrow as pa

MetaCondition = Callable[[Mapping[str, str]], bool]

POSITION_COLUMNS = ("sentence", "position", "start", "end")
"""The columns of the tokens that say where one stands."""

BATCH_USAGES = 1000
"""How many texts a stream of usages has in memory, besides the part of the index that it reads."""

StreamPosition = tuple[int, int]
"""How far a stream of usages has come: which part of the index, and how many usages of it."""


class _Hits(NamedTuple):
    """Where a word stands: a part of the index, and there the rows of its sentence and its place in that."""

    part: Ints
    sentence: Ints
    position: Ints
    start: Ints
    end: Ints

    @classmethod
    def at(cls, place: int, part: pa.Table, rows: Ints) -> _Hits:
        """Those rows of a part of the tokens."""
        return cls(np.full(len(rows), place), *(part.column(name).to_numpy()[rows] for name in POSITION_COLUMNS))


def find_usages(
    index: Index, lemma: str, *, where: MetaCondition | None = None, sample: int | None = None, seed: int = 0
) -> Iterator[Usage]:
    """The usages of a lemma, in the order of the text; of a sample too.

    ``where`` is asked of what is known of a document. A usage is called after its document, sentence and place there,
    ``NAME.SENTENCE.WORD``, whatever else is in the index. Its meta is that of its document, and ``document``.
    """
    number = get_word_number(index, lemma)
    hits = _find_hits(index, number, None if where is None else _select_documents(index, where))
    if sample is not None and sample < len(hits.part):
        chosen = np.sort(np.random.default_rng(seed).choice(len(hits.part), sample, replace=False))
        hits = _Hits(*(column[chosen] for column in hits))
    return _read_usages(index, [lemma] * len(hits.part), hits)


def stream_usages(
    index: Index, words: Mapping[str, str], after: StreamPosition = (0, 0)
) -> Iterator[tuple[StreamPosition, Usage]]:
    """All usages of many lemmas, in one pass; each with the place behind it, from which another stream goes on.

    ``words`` is what each lemma is called in the index; no two may be the same word. Usages come part by part, so that
    little is in memory, and in each part lemma by lemma. Parts before ``after`` are not read.
    """
    lemmas, (first, skipped) = tuple(words), after
    which = np.full(len(index.vocabulary), -1)
    which[[get_word_number(index, word) for word in words.values()]] = np.arange(len(lemmas))
    tokens = index.parts("tokens", [*POSITION_COLUMNS, "word"], first=first)
    around = (index.parts(table, first=first) for table in ("sentences", "documents"))
    for place, (part, texts, known) in enumerate(zip(tokens, *around, strict=True), first):
        of = which[part.column("word").to_numpy()]
        rows = np.flatnonzero(of >= 0)
        rows = rows[np.argsort(of[rows], kind="stable")]
        for start in range(skipped, len(rows), BATCH_USAGES):
            some = rows[start : start + BATCH_USAGES]
            found = _read_usages_in_part(
                texts, known, [lemmas[each] for each in of[some].tolist()], _Hits.at(place, part, some)
            )
            yield from (((place, number), usage) for number, usage in enumerate(found, start + 1))
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
    """The usages of a lemma with one of these words in the same sentence, or in one less than ``sentences`` away.

    A relative may be an expression, ``credit_union.n``: its words must then follow each other, and the last have that
    part of speech. Where the index has no parts of speech, that of a relative and of the lemma are passed over. The
    word itself is no relative of its own, but an expression that it is part of is one. Which they were is in the meta,
    under ``relatives``, and under ``sense`` the label, if one is given: so a sense with its relatives gives weakly
    labelled usages.
    """
    if sentences < 1:
        raise InputError(f"sentences is {sentences}; the least is 1, where a relative is in the same sentence")
    plain = _lemma_in_index(index, lemma)
    number = get_word_number(index, plain)
    chosen = None if where is None else _select_documents(index, where)
    sought = _WordSearch(relatives, index.vocabulary, but=number)
    found: list[_Hits] = []
    near: list[str] = []
    for place, part in enumerate(index.parts("tokens", [*POSITION_COLUMNS, "document", "word", "form"])):
        rows = _find_rows(part, number, chosen)
        names = _names_near(part, rows, sought, sentences) if len(rows) else {}
        near += names.values()
        found.append(_Hits.at(place, part, np.array(list(names), np.int64)))
    usages = _read_usages(index, [plain] * len(near), _concatenate_hits(found))
    return (_add_relatives(usage, names, label) for usage, names in zip(usages, near, strict=True))


def count_occurrences(index: Index, words: Iterable[str]) -> dict[str, int]:
    """How often each of these words and expressions occurs, as :func:`usages_near` finds them."""
    sought = _WordSearch(words, index.vocabulary)
    counts = np.zeros(len(sought.names), np.int64)
    for part in index.parts("tokens", ["sentence", "word", "form"]):
        counts += np.bincount(sought.found(part)[1], minlength=len(counts))
    return dict(zip(sought.names, counts.tolist(), strict=True))


def read_usages_at(index: Index, places: Mapping[tuple[int, int], str]) -> dict[tuple[int, int], Usage]:
    """The usages at places, sentence and position as in the token table, of these lemmas; in one pass."""
    keys = np.array(sorted((sentence << 32) + position for sentence, position in places), np.int64)
    found = [
        _Hits.at(number, part, _rows_at(part, keys))
        for number, part in enumerate(index.parts("tokens", POSITION_COLUMNS))
    ]
    hits = _concatenate_hits(found)
    at = list(zip(hits.sentence.tolist(), hits.position.tolist(), strict=True))
    return dict(zip(at, _read_usages(index, [places[place] for place in at], hits), strict=True))


def _rows_at(part: pa.Table, keys: Ints) -> Ints:
    """In which rows of the tokens these places are: sentences, which are in order, are searched, and not all tokens."""
    sentence, position = (part.column(name).to_numpy() for name in ("sentence", "position"))
    wanted = np.unique(keys >> 32)
    first, last = (np.searchsorted(sentence, wanted, side) for side in ("left", "right"))
    near = expand_runs(first, last - first)
    found: Ints = near[np.isin((sentence[near].astype(np.int64) << 32) + position[near], keys)]
    return found


def draw_usages(usages: Iterable[Usage], sample: int | None, seed: int = 0) -> Iterator[Usage]:
    """So many of the usages, drawn at random, in their order; all of them if there are no more."""
    every = list(usages)
    if sample is None or sample >= len(every):
        return iter(every)
    return (every[row] for row in np.sort(np.random.default_rng(seed).choice(len(every), sample, replace=False)))


def _names_near(part: pa.Table, rows: Ints, sought: _WordSearch, sentences: int) -> dict[int, str]:
    """Those of the rows with something sought less than so many sentences away in their document, and what it is."""
    sentence, document = (part.column(name).to_numpy().astype(np.int64) for name in ("sentence", "document"))
    ends, which = sought.found(part)
    at, away = sentence[ends], min(sentences, len(sentence))
    first, last = (np.searchsorted(at, sentence[rows] + side) for side in (1 - away, away))
    found = {}
    for row, start, stop in zip(rows.tolist(), first.tolist(), last.tolist(), strict=True):
        same = which[start:stop][document[ends[start:stop]] == document[row]]
        if len(same):
            found[row] = ", ".join(sorted({sought.names[each] for each in same.tolist()}))
    return found


def _add_relatives(usage: Usage, relatives: str, label: str) -> Usage:
    """The usage, with what says that it is of a sense."""
    said = {"relatives": relatives} | ({"sense": label} if label else {})
    return replace(usage, meta={**usage.meta, **said})


class _Expression(NamedTuple):
    """Something sought: which of them it is, its words by number, and the part of speech of the last, if it matters."""

    which: int
    words: tuple[int, ...]
    part: str


class _Tokens(NamedTuple):
    """Of each token its word and sentence, and which of the words sought its lemma and its form are, or -1."""

    words: Ints
    sentence: Ints
    lemma: Ints
    form: Ints


class _WordSearch:
    """Words and expressions, ``lender.n`` and ``credit_union.n``, that are looked for among the tokens of an index.

    A word is known by its lemma, those of an expression by their forms too; ``but`` is a word that is none of them. An
    expression is also found where an index has it as one token.
    """

    def __init__(self, names: Iterable[str], vocabulary: Vocabulary, but: int = -1) -> None:
        self.names = tuple(dict.fromkeys(names))
        self._but = but
        self._numbers: dict[str, int] = {}
        with_parts = vocabulary.has_pos
        self._expressions = [
            _Expression(which, tuple(self._number(word) for word in words), pos_of_lemma(name) if with_parts else "")
            for which, name in enumerate(self.names)
            for words in _spellings(name)
        ]
        stems = (strip_pos(word) if with_parts else word for word in vocabulary)
        self._lemmas = np.array([self._numbers.get(stem.lower(), -1) for stem in stems], np.int64)
        self._parts = np.array(vocabulary.pos, "U1")
        self._last = np.zeros(len(self._numbers) + 1, np.bool_)  # the one more is of -1, which no word has
        self._last[[each.words[-1] for each in self._expressions]] = True

    def _number(self, word: str) -> int:
        return self._numbers.setdefault(word, len(self._numbers))

    def found(self, part: pa.Table) -> tuple[Ints, Ints]:
        """The rows of the tokens with which something sought ends, in their order, and which of the names it is."""
        words, sentence = (part.column(name).to_numpy() for name in ("word", "sentence"))
        tokens = _Tokens(words, sentence, self._lemmas[words], self._forms(part))
        ends = np.flatnonzero(self._last[tokens.lemma] | self._last[tokens.form])
        by_lemma, by_form = (positions_by_value(of[ends] + 1, len(self._last)) for of in (tokens.lemma, tokens.form))
        rows, which = [ends[:0]], [ends[:0]]
        for each in self._expressions:
            last = each.words[-1] + 1
            at = by_lemma[last] if len(each.words) == 1 else np.union1d(by_lemma[last], by_form[last])
            rows.append(self._whole(each, ends[at], tokens))
            which.append(np.full(len(rows[-1]), each.which))
        order = np.argsort(np.concatenate(rows), kind="stable")
        return np.concatenate(rows)[order], np.concatenate(which)[order]

    def _whole(self, sought: _Expression, ends: Ints, tokens: _Tokens) -> Ints:
        """Of the rows that may be the last of an expression, those that are."""
        size = len(sought.words)
        at = ends[tokens.words[ends] != self._but] if size == 1 else ends[ends >= size - 1]
        if sought.part:
            at = at[self._parts[tokens.words[at]] == sought.part]
        for back, word in enumerate(reversed(sought.words[:-1]), 1):
            at = at[(tokens.lemma[at - back] == word) | (tokens.form[at - back] == word)]
        within: Ints = at[tokens.sentence[at - size + 1] == tokens.sentence[at]]
        return within

    def _forms(self, part: pa.Table) -> Ints:
        """Of each token the number of its form, if that is a word of what is sought."""
        forms = part.column("form").combine_chunks().dictionary_encode()
        known = [self._numbers.get(str(form).lower(), -1) for form in forms.dictionary.to_pylist()]
        numbers: Ints = np.array(known, np.int64)[forms.indices.to_numpy()]
        return numbers




def _spellings(name: str) -> set[tuple[str, ...]]:
    """How something sought may stand in a text: as one token, or as many as it has words.

    >>> sorted(_spellings("credit_union.n"))
    [('credit', 'union'), ('credit_union',)]
    """
    stem = strip_pos(name).lower()
    return {(stem,), tuple(filter(None, stem.split("_"))) or (stem,)}


def _lemma_in_index(index: Index, lemma: str) -> str:
    """The lemma as the index has it: without its part of speech where words have none."""
    words = index.vocabulary
    return lemma if lemma in words or words.has_pos else strip_pos(lemma)


def get_word_number(index: Index, lemma: str) -> int:
    """The number of a word; an error suggests what there is."""
    words = index.vocabulary
    if lemma in words:
        return words.number(lemma)
    same = [f"{lemma}.{pos}" for pos in POS_LETTERS if f"{lemma}.{pos}" in words]
    near = same or get_close_matches(lemma, words, n=3, cutoff=0.8)
    meant = f"; did you mean {' or '.join(near)}?" if near else ""
    raise InputError(f"{quote_value(lemma)} does not occur{meant}", path=index.folder)


def _select_documents(index: Index, where: MetaCondition) -> Bools:
    """Of each document, whether it is wanted; an error if a condition asks for what is known of none."""
    wanted: list[bool] = []
    there = {"document"}
    for part in index.parts("documents", ["name", "meta"]):
        for name, meta in zip(part.column("name").to_pylist(), part.column("meta").to_pylist(), strict=True):
            known = _document_meta(str(name), str(meta))
            there.update(known)
            wanted.append(where(known))
    if isinstance(where, DocumentFilter) and wanted:
        where.check(there)
    return np.array(wanted, np.bool_)


def _document_meta(name: str, meta: str) -> dict[str, str]:
    """What is known of a document, its name too."""
    found: dict[str, str] = json.loads(meta)
    return found | {"document": name}


def _find_hits(index: Index, number: int, chosen: Bools | None) -> _Hits:
    parts = enumerate(index.parts("tokens", [*POSITION_COLUMNS, "document", "word"]))
    return _concatenate_hits([_Hits.at(place, part, _find_rows(part, number, chosen)) for place, part in parts])


def _find_rows(part: pa.Table, number: int, chosen: Bools | None) -> Ints:
    """Where a word stands in a part of the tokens, in the documents that are wanted."""
    rows = np.flatnonzero(part.column("word").to_numpy() == number)
    return rows if chosen is None else rows[chosen[part.column("document").to_numpy()[rows]]]


def _concatenate_hits(found: Sequence[_Hits]) -> _Hits:
    """The hits in all parts, of which there may be none."""
    return _Hits(*map(np.concatenate, zip(*found, strict=True))) if found else _Hits(*[np.zeros(0, np.int64)] * 5)


def _read_usages(index: Index, lemmas: Sequence[str], hits: _Hits) -> Iterator[Usage]:
    sentences, documents = index.parts("sentences"), index.parts("documents")
    for place, (texts, known) in enumerate(zip(sentences, documents, strict=True)):
        mine = np.flatnonzero(hits.part == place)
        if len(mine):
            of = [lemmas[row] for row in mine.tolist()]
            yield from _read_usages_in_part(texts, known, of, _Hits(*(column[mine] for column in hits)))


def _read_usages_in_part(texts: pa.Table, known: pa.Table, lemmas: Sequence[str], hits: _Hits) -> Iterator[Usage]:
    """The usages at hits in one part, with its sentences and documents."""
    picked = texts.take(hits.sentence - texts.column("sentence")[0].as_py())
    first = known.column("document")[0].as_py()
    said = zip(
        lemmas,
        picked.column("document").to_pylist(),
        picked.column("number").to_pylist(),
        picked.column("text").to_pylist(),
        *(getattr(hits, name).tolist() for name in ("position", "start", "end")),
        strict=True,
    )
    for lemma, document, number, text, position, start, end in said:
        name = known.column("name")[document - first].as_py()
        meta = _document_meta(name, known.column("meta")[document - first].as_py())
        yield Usage(f"{name}.{number}.{position + 1}", lemma, text, start, end, pos_of_lemma(lemma), meta)
