"""Usages as models of a dictionary see them: the words around them that the dictionary has."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from polyseme.corpus.context_bags import SERIAL_LIMIT
from polyseme.corpus.parallel_analysis import PlacedSentence, map_documents
from polyseme.disambiguation.dictionary_words import DictionaryWord, wordnet_pos
from polyseme.disambiguation.sources import Sources
from polyseme.sentence import Token
from polyseme.usage import Usage
from polyseme.workers import available_processors

MINIMUM_CONTEXT = 20
"""So many words a context should have, if the document has so many. (Agirre, López de Lacalle & Soroa 2014)"""


@dataclass(frozen=True)
class Context:
    """A usage with the entries of the dictionary around it, in the order of the text.

    ``lemma`` is the target as the dictionary has it, ``bank.n``, and ``target`` its place among ``words``, which it is
    one of; nothing and −1, if the dictionary has no such word.
    """

    usage: Usage
    lemma: str
    words: tuple[str, ...]
    target: int

    @property
    def others(self) -> tuple[str, ...]:
        """The words but for the target."""
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
    """The contexts of usages, in their order.

    The context of a usage is its text. Where this has fewer than ``least`` words, those of the texts before and after
    it follow, if usages name the same document in their ``meta``. Usages of one text tell each other's lemmas. What is
    ``read`` already, texts with their words, is not analysed again.
    """
    asked = [_UsageEntry(usage, find_usage_entry(usage, sources)) for usage in usages]
    by_place: dict[_DocumentText, list[int]] = {}
    for number, (usage, _) in enumerate(asked):
        document = _document_name(usage) or f"usage {number}"
        by_place.setdefault(_DocumentText(document, usage.text), []).append(number)
    new = list(dict.fromkeys(place.text for place in by_place if not read or place.text not in read))
    told = {**(read or {}), **dict(zip(new, _analyse_texts(new, sources, processes), strict=True))}
    words = {
        place: _insert_targets(told[place.text], [asked[number] for number in numbers])
        for place, numbers in by_place.items()
    }
    found: dict[int, Context] = {}
    for place, around in _neighbour_words(words, least):
        found |= {number: _build_context(asked[number], words[place], around) for number in by_place[place]}
    return [found[number] for number in range(len(asked))]


def _document_name(usage: Usage) -> str:
    """The document that a usage is from, or nothing; documents of different sources may have the same name."""
    name = usage.meta.get("document")
    return "" if name is None else f"{usage.meta.get('source', '')} {name}"


def find_usage_entry(usage: Usage, sources: Sources) -> str:
    """The entry of the dictionary that a usage is of, or nothing: by its lemma, else by its form.

    A part of speech that the dictionary has not got, as that of ``bank.x``, is passed over.
    """
    word, _, letter = usage.lemma.rpartition(".")
    pos = wordnet_pos(usage.pos) or wordnet_pos(letter)
    lemma = sources.reader.lemma
    written = [word, usage.lemma] if word else [usage.lemma]  # U.S. has no part of speech
    return next((found for form in written if (found := lemma(form, pos, form))), "") or lemma(usage.target, pos)


def _analyse_texts(texts: Sequence[str], sources: Sources, processes: int | None) -> Iterator[list[DictionaryWord]]:
    """The words of each text."""
    count = (available_processors() if len(texts) > SERIAL_LIMIT else 1) if processes is None else processes
    named = ((str(number), text) for number, text in enumerate(texts))
    words = sources.reader.words
    for sentences in map_documents(_token_fields, sources.analyser, named, processes=count):
        yield [word for start, tokens in sentences for word in words([Token(*each) for each in tokens], start)]


def _token_fields(
    _: str, sentences: Iterator[PlacedSentence]
) -> list[tuple[int, list[tuple[str, int, int, str, str]]]]:
    """The tokens of sentences as plain values, which are cheap to send."""
    return [
        (start, [(token.form, token.start, token.end, token.lemma, token.pos) for token in sentence.tokens])
        for start, sentence in sentences
    ]


def _insert_targets(words: Sequence[DictionaryWord], asked: Sequence[_UsageEntry]) -> list[DictionaryWord]:
    """The words of a text, with the targets of usages instead of what was read there."""
    targets = [DictionaryWord(lemma, usage.start, usage.end) for usage, lemma in asked if usage.end > usage.start]
    left = [word for word in words if all(word.end <= each.start or word.start >= each.end for each in targets)]
    there = dict.fromkeys(target for target in targets if target.lemma)
    return sorted([*left, *there], key=lambda word: (word.start, word.end))


def _neighbour_words(
    words: Mapping[_DocumentText, Sequence[DictionaryWord]], least: int
) -> Iterator[tuple[_DocumentText, list[str]]]:
    """Each text with the words of its neighbours that it needs."""
    documents: dict[str, list[_DocumentText]] = {}
    for place in words:
        documents.setdefault(place.document, []).append(place)
    for places in documents.values():
        texts = [words[place] for place in places]
        yield from ((place, _words_of_neighbours(texts, number, least)) for number, place in enumerate(places))


def _words_of_neighbours(texts: Sequence[Sequence[DictionaryWord]], number: int, least: int) -> list[str]:
    """Words of the texts next to one, the nearest first, until there are enough with its own."""
    found: list[str] = []
    far = max(number, len(texts) - number - 1)
    for place in (at for step in range(1, far + 1) for at in (number + step, number - step)):
        if len(texts[number]) + len(found) >= least:
            break
        if 0 <= place < len(texts):
            found += [word.lemma for word in texts[place]]
    return found


def _build_context(asked: _UsageEntry, words: Sequence[DictionaryWord], around: Sequence[str]) -> Context:
    usage, lemma = asked
    place = next((at for at, word in enumerate(words) if word == (lemma, usage.start, usage.end)), -1)
    listed = [word.lemma for word in words]
    if place < 0 and lemma:  # the target has no place in the text
        listed, place = [*listed, lemma], len(listed)
    return Context(usage, lemma, (*listed, *around), place)
