"""The usages of a word in an index: all of them, those of some documents, or a sample."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from typing import NamedTuple

import numpy as np

from polyseme.arrays import Bools, Ints
from polyseme.corpus.index import Index
from polyseme.errors import InputError, shown
from polyseme.usage import Usage

Condition = Callable[[Mapping[str, str]], bool]


class _Hits(NamedTuple):
    """Where a word stands: a part of the index, and there the rows of its sentence and its place in that."""

    part: Ints
    sentence: Ints
    position: Ints
    start: Ints
    end: Ints


def usages_of(
    index: Index, lemma: str, *, where: Condition | None = None, sample: int | None = None, seed: int = 0
) -> Iterator[Usage]:
    """The usages of a lemma, in the order of the text; of a sample too.

    ``where`` is asked of what is known of a document. A usage is called after its document, sentence and place there,
    ``NAME.SENTENCE.WORD``, whatever else is in the index. Its meta is that of its document, and ``document``.
    """
    number = word_number(index, lemma)
    hits = _hits(index, number, None if where is None else _chosen(index, where))
    if sample is not None and sample < len(hits.part):
        chosen = np.sort(np.random.default_rng(seed).choice(len(hits.part), sample, replace=False))
        hits = _Hits(*(column[chosen] for column in hits))
    return _usages(index, [lemma] * len(hits.part), hits)


def usages_near(
    index: Index,
    lemma: str,
    relatives: Iterable[str],
    *,
    where: Condition | None = None,
    sentences: int = 1,
    label: str = "",
) -> Iterator[Usage]:
    """The usages of a lemma with one of these words in the same sentence, or in one less than ``sentences`` away.

    Which words they were is in the meta, under ``relatives``, and under ``sense`` the label, if one is given: so a
    sense with its relatives gives weakly labelled usages. Words that do not occur in the index are passed over.
    """
    number = word_number(index, lemma)
    known = {word: index.vocabulary.number(word) for word in relatives if word in index.vocabulary}
    if not known:
        return
    hits = _hits(index, number, None if where is None else _chosen(index, where))
    near = _neighbours(index, known, sentences)
    wanted = [near.get(sentence, ()) for sentence in hits.sentence.tolist()]
    rows = np.array([row for row, words in enumerate(wanted) if words], np.int64)
    found = _usages(index, [lemma] * len(rows), _Hits(*(column[rows] for column in hits)))
    for row, usage in zip(rows.tolist(), found, strict=True):
        said = {"relatives": ", ".join(sorted(wanted[row]))} | ({"sense": label} if label else {})
        yield replace(usage, meta={**usage.meta, **said})


def usages_at(index: Index, places: Mapping[tuple[int, int], str]) -> dict[tuple[int, int], Usage]:
    """The usages at places, sentence and position as in the token table, of these lemmas; in one pass."""
    keys = np.array(sorted((sentence << 32) + position for sentence, position in places), np.int64)
    found: list[_Hits] = []
    for number, part in enumerate(index.parts("tokens", ["sentence", "position", "start", "end"])):
        columns = [part.column(name).to_numpy() for name in ("sentence", "position", "start", "end")]
        rows = np.flatnonzero(np.isin((columns[0].astype(np.int64) << 32) + columns[1], keys))
        found.append(_Hits(np.full(len(rows), number), *(column[rows] for column in columns)))
    hits = _Hits(*map(np.concatenate, zip(*found, strict=True)))
    at = list(zip(hits.sentence.tolist(), hits.position.tolist(), strict=True))
    return dict(zip(at, _usages(index, [places[place] for place in at], hits), strict=True))


def sampled(usages: Iterable[Usage], sample: int | None, seed: int = 0) -> Iterator[Usage]:
    """So many of the usages, drawn at random, in their order; all of them if there are no more."""
    every = list(usages)
    if sample is None or sample >= len(every):
        return iter(every)
    return (every[row] for row in np.sort(np.random.default_rng(seed).choice(len(every), sample, replace=False)))


def _neighbours(index: Index, known: Mapping[str, int], sentences: int) -> dict[int, set[str]]:
    """Sentence → which of the words are in it, or less than so many sentences away in its document."""
    names = {number: word for word, number in known.items()}
    found: dict[int, set[str]] = {}
    for part in index.parts("tokens", ["document", "sentence", "word"]):
        words, places, documents = (part.column(name).to_numpy() for name in ("word", "sentence", "document"))
        of = dict(zip(*(column.tolist() for column in _firsts(places, documents)), strict=True))
        for row in np.flatnonzero(np.isin(words, list(names))).tolist():
            for place in range(places[row] - sentences + 1, places[row] + sentences):
                if of.get(place) == documents[row]:
                    found.setdefault(place, set()).add(names[int(words[row])])
    return found


def _firsts(places: Ints, documents: Ints) -> tuple[Ints, Ints]:
    """Each sentence once, with its document."""
    sentences, rows = np.unique(places, return_index=True)
    return sentences, documents[rows]


def word_number(index: Index, lemma: str) -> int:
    """The number of a word; an error suggests what there is."""
    words = index.vocabulary
    if lemma in words:
        return words.number(lemma)
    same = [f"{lemma}.{pos}" for pos in "nvar" if f"{lemma}.{pos}" in words]
    near = same or get_close_matches(lemma, words, n=3, cutoff=0.8)
    meant = f"; did you mean {' or '.join(near)}?" if near else ""
    raise InputError(f"{shown(lemma)} does not occur{meant}", path=index.folder)


def _chosen(index: Index, where: Condition) -> Bools:
    """Of each document, whether it is wanted."""
    parts = index.parts("documents", ["meta"])
    wanted = [where(json.loads(str(meta))) for part in parts for meta in part.column("meta").to_pylist()]
    return np.array(wanted, np.bool_)


def _hits(index: Index, number: int, chosen: Bools | None) -> _Hits:
    found = []
    columns = ["document", "sentence", "position", "word", "start", "end"]
    for place, part in enumerate(index.parts("tokens", columns)):
        rows = np.flatnonzero(part.column("word").to_numpy() == number)
        if chosen is not None:
            rows = rows[chosen[part.column("document").to_numpy()[rows]]]
        taken = [part.column(name).to_numpy()[rows] for name in ("sentence", "position", "start", "end")]
        found.append(_Hits(np.full(len(rows), place), *taken))
    return _Hits(*map(np.concatenate, zip(*found, strict=True))) if found else _Hits(*[np.zeros(0, np.int64)] * 5)


def _usages(index: Index, lemmas: Sequence[str], hits: _Hits) -> Iterator[Usage]:
    sentences, documents = index.parts("sentences"), index.parts("documents")
    for place, (texts, known) in enumerate(zip(sentences, documents, strict=True)):
        mine = np.flatnonzero(hits.part == place)
        if not len(mine):
            continue
        rows = hits.sentence[mine] - texts.column("sentence")[0].as_py()
        picked = texts.take(rows)
        first = known.column("document")[0].as_py()
        said = zip(
            picked.column("document").to_pylist(),
            picked.column("number").to_pylist(),
            picked.column("text").to_pylist(),
            *(getattr(hits, name)[mine].tolist() for name in ("position", "start", "end")),
            strict=True,
        )
        for row, (document, number, text, position, start, end) in zip(mine.tolist(), said, strict=True):
            lemma = lemmas[row]
            pos = lemma[-1] if lemma[-2:-1] == "." else ""
            name = known.column("name")[document - first].as_py()
            meta = json.loads(known.column("meta")[document - first].as_py()) | {"document": name}
            yield Usage(f"{name}.{number}.{position + 1}", lemma, text, start, end, pos, meta)
