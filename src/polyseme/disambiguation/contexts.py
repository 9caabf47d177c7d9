"""Usages as disambiguators see them: with the words of their context that the dictionary has."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from polyseme.corpus.parallel_analysis import SERIAL_LIMIT, PlacedSentence, map_documents
from polyseme.disambiguation.dictionary_words import DictionaryWord
from polyseme.disambiguation.sources import Sources
from polyseme.lemma import wordnet_pos
from polyseme.sentence import Token
from polyseme.usage import Usage
from polyseme.workers import available_processors

MINIMUM_CONTEXT = 20
"""The number of words in a context, if the document has as many. (Agirre, López de Lacalle & Soroa 2014)"""


@dataclass(frozen=True)
class Context:
    """A usage with the dictionary's entries in its context.

    Args:
        usage: The usage.
        lemma: The entry of the target, such as ``bank.n``; empty if the dictionary lacks it.
        words: The entries in the order of the text, including the target's.
        target: The position of the target among the words; −1 if the dictionary lacks it.
    """

    usage: Usage
    lemma: str
    words: tuple[str, ...]
    target: int

    @property
    def others(self) -> tuple[str, ...]:
        """The words without the target."""
        return self.words[: max(self.target, 0)] + self.words[self.target + 1 :]


class _DocumentText(NamedTuple):
    """A text of a document."""

    document: str
    text: str


class _UsageEntry(NamedTuple):
    """A usage and its entry, ``bank.n``, or nothing."""

    usage: Usage
    lemma: str


def build_contexts(
    usages: Iterable[Usage],
    sources: Sources,
    *,
    least: int = MINIMUM_CONTEXT,
    read: Mapping[str, Sequence[DictionaryWord]] | None = None,
    processes: int | None = None,
) -> list[Context]:
    """Build the contexts of usages, in their order.

    The context of a usage is its text. If the text has fewer than ``least`` words, the neighbouring texts of the same
    document are added; the ``meta`` of usages names their document. Usages of one text know each other's lemmas.

    Args:
        usages: The usages.
        sources: The dictionary and the analyser.
        least: The smallest number of words in a context.
        read: Texts with their words, which need not be analysed again.
        processes: The number of processes. Default: the number of processors, for many texts.
    """
    entries = [_UsageEntry(usage, find_usage_entry(usage, sources)) for usage in usages]
    numbers_by_text: dict[_DocumentText, list[int]] = {}
    for number, (usage, _) in enumerate(entries):
        document = _document_name(usage) or f"usage {number}"
        numbers_by_text.setdefault(_DocumentText(document, usage.text), []).append(number)
    new = list(dict.fromkeys(key.text for key in numbers_by_text if not read or key.text not in read))
    words_by_text = {**(read or {}), **dict(zip(new, _analyse_texts(new, sources, processes), strict=True))}
    words = {
        key: _insert_targets(words_by_text[key.text], [entries[number] for number in numbers])
        for key, numbers in numbers_by_text.items()
    }
    contexts: dict[int, Context] = {}
    for key, neighbours in _neighbour_words(words, least):
        contexts |= {number: _build_context(entries[number], words[key], neighbours) for number in numbers_by_text[key]}
    return [contexts[number] for number in range(len(entries))]


def _document_name(usage: Usage) -> str:
    """Return the document of a usage, or nothing; documents of different sources may share a name."""
    name = usage.meta.get("document")
    return "" if name is None else f"{usage.meta.get('source', '')} {name}"


def find_usage_entry(usage: Usage, sources: Sources) -> str:
    """Return the entry of a usage, or nothing: by its lemma, else by its form.

    A part of speech that the dictionary lacks, such as that of ``bank.x``, is ignored.
    """
    word, _, letter = usage.lemma.rpartition(".")
    pos = wordnet_pos(usage.pos) or wordnet_pos(letter)
    look_up = sources.reader.lemma
    forms = [word, usage.lemma] if word else [usage.lemma]  # U.S. has no part of speech
    entries = (look_up(form, pos, form) for form in forms)
    return next(filter(None, entries), "") or look_up(usage.target, pos)


def _analyse_texts(texts: Sequence[str], sources: Sources, processes: int | None) -> Iterator[list[DictionaryWord]]:
    """Yield the words of each text."""
    if processes is None:
        processes = available_processors() if len(texts) > SERIAL_LIMIT else 1
    documents = ((str(number), text) for number, text in enumerate(texts))
    find_words = sources.reader.words
    for sentences in map_documents(_token_fields, sources.analyser, documents, processes=processes):
        yield [word for start, rows in sentences for word in find_words([Token(*row) for row in rows], start)]


def _token_fields(
    _: str, sentences: Iterator[PlacedSentence]
) -> list[tuple[int, list[tuple[str, int, int, str, str]]]]:
    """Return the tokens of sentences as plain values, which are cheap to send between processes."""
    return [
        (start, [(token.form, token.start, token.end, token.lemma, token.pos) for token in sentence.tokens])
        for start, sentence in sentences
    ]


def _insert_targets(words: Sequence[DictionaryWord], entries: Sequence[_UsageEntry]) -> list[DictionaryWord]:
    """Replace the words of a text where a usage has its target."""
    targets = [DictionaryWord(lemma, usage.start, usage.end) for usage, lemma in entries if usage.end > usage.start]
    others = [word for word in words if not any(map(word.overlaps, targets))]
    unique = dict.fromkeys(target for target in targets if target.lemma)
    return sorted([*others, *unique], key=lambda word: (word.start, word.end))


def _neighbour_words(
    words: Mapping[_DocumentText, Sequence[DictionaryWord]], least: int
) -> Iterator[tuple[_DocumentText, list[str]]]:
    """Yield each text with the words of neighbouring texts, the nearest first, that it needs."""
    documents: dict[str, list[_DocumentText]] = {}
    for key in words:
        documents.setdefault(key.document, []).append(key)
    for keys in documents.values():
        for number, key in enumerate(keys):
            neighbours: list[str] = []
            offsets = (sign * step for step in range(1, len(keys)) for sign in (1, -1))
            for position in (number + offset for offset in offsets):
                if len(words[key]) + len(neighbours) >= least:
                    break
                if 0 <= position < len(keys):
                    neighbours += [word.lemma for word in words[keys[position]]]
            yield key, neighbours


def _build_context(entry: _UsageEntry, words: Sequence[DictionaryWord], neighbours: Sequence[str]) -> Context:
    usage, lemma = entry
    lemmas = [word.lemma for word in words]
    target = DictionaryWord(lemma, usage.start, usage.end)
    position = words.index(target) if target in words else -1
    if position < 0 and lemma:  # the target has no position in the text
        lemmas, position = [*lemmas, lemma], len(lemmas)
    return Context(usage, lemma, (*lemmas, *neighbours), position)
