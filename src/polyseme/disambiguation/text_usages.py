"""Texts as usages: of every word that the dictionary has, or of one that is asked for."""

from __future__ import annotations

import difflib
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from polyseme.corpus.documents import Document
from polyseme.corpus.parallel_analysis import PlacedSentence, map_documents
from polyseme.disambiguation.contexts import find_usage_entry
from polyseme.disambiguation.dictionary_words import PARTS_OF_SPEECH, DictionaryWord, wordnet_pos
from polyseme.disambiguation.sources import Sources
from polyseme.errors import InputError, quote_value
from polyseme.sentence import Token
from polyseme.usage import Usage
from polyseme.wordnet.lexicon import WordNet
from polyseme.workers import available_processors

PARALLEL_CHARACTERS = 200_000
"""Text of more characters is analysed by several processes."""

UNCLASSIFIED_TAGS = ("UNC", "X")
"""The tags, in C5 and Universal Dependencies, of what is no word of the language, as far as the analyser knows."""

LISTED_WORDS = 5
"""So many words are named in a message."""


@dataclass(frozen=True)
class TextUsages:
    """The usages of texts that are asked for, all usages, and the forms that the dictionary has and has not got.

    A usage is called after its document and its place in it, ``letter.txt:14-18``. Its text is its sentence; its
    ``meta`` names the document, and says where in it the sentence starts. ``read`` has the sentences with their words.
    """

    usages: tuple[Usage, ...]
    every: tuple[Usage, ...]
    known: tuple[str, ...]
    unknown: tuple[str, ...]
    read: Mapping[str, Sequence[DictionaryWord]] = field(default_factory=dict)


def find_text_usages(
    documents: Iterable[Document], sources: Sources, *, target: str = "", processes: int | None = None
) -> TextUsages:
    """The usages of all words, or of ``target`` alone, that are entries of WordNet; the unknown ones are listed.

    Several words that are one entry, such as *ice cream*, are one usage, unless one of them is the target.
    """
    usages: list[Usage] = []
    every: list[Usage] = []
    known: dict[str, None] = {}
    unknown: dict[str, None] = {}
    read = [
        (each, list(sources.reader.words(each.tokens))) for each in _read_sentences(list(documents), sources, processes)
    ]
    for (passage, found), asked in zip(read, _select_words(read, target, sources), strict=True):
        known |= dict.fromkeys(passage.text[word.start : word.end] for word in found)
        unknown |= dict.fromkeys(_unknown_forms(passage.tokens, found, sources))
        usages += map(passage.usage, asked)
        every += map(passage.usage, [*_other_words(found, asked), *asked])
    words = {passage.text: found for passage, found in read}
    return TextUsages(tuple(usages), tuple(every), tuple(known), tuple(unknown), words)


_TokenFields = tuple[str, int, int, str, str, str]


class _Sentence(NamedTuple):
    """A sentence: its document, what its usages are called after, its place there, its text and its words."""

    document: str
    name: str
    start: int
    text: str
    tokens: Sequence[Token]

    def usage(self, word: DictionaryWord) -> Usage:
        """The usage of a word in it."""
        place = f"{self.start + word.start}-{self.start + word.end}"
        known = {"document": self.document, "offset": self.start}
        id, pos = f"{self.name}:{place}" if self.name else place, word.lemma[-1]
        return Usage(id, word.lemma, self.text, word.start, word.end, pos, known)


def _read_sentences(documents: Sequence[Document], sources: Sources, processes: int | None) -> Iterator[_Sentence]:
    """The sentences of documents, those that are not analysed yet by the analyser of the sources."""
    plain = [(each.name, _lower_if_capitals(each.text)) for each in documents if each.sentences is None]
    if processes is None:
        processes = available_processors() if sum(len(text) for _, text in plain) > PARALLEL_CHARACTERS else 1
    analysed = map_documents(_sentence_fields, sources.analyser, plain, processes=processes)
    for each in documents:
        name = "_".join(each.name.split())  # a key has no place for a name with a space
        if each.sentences is None:
            for start, end, tokens in next(analysed):
                text = each.text[start:end]
                yield _Sentence(each.name, name, start, text, [Token(*fields) for fields in tokens])
        else:
            for number, sentence in enumerate(each.sentences, start=1):
                yield _Sentence(each.name, f"{name}#{number}", 0, sentence.text, sentence.tokens)


def _lower_if_capitals(text: str) -> str:
    """A text, if it is all in capitals, in small ones: to an analyser *BANKS* is a name, as *NATO* is in other text."""
    small = text.lower()
    return small if text.isupper() and len(text.split()) > 2 and len(small) == len(text) else text


def _sentence_fields(_: str, sentences: Iterator[PlacedSentence]) -> list[tuple[int, int, list[_TokenFields]]]:
    """The places of sentences, and their words as plain values, which are cheap to send."""
    return [(start, start + len(given.text), list(map(_token_fields, given.tokens))) for start, given in sentences]


def _token_fields(token: Token) -> _TokenFields:
    return token.form, token.start, token.end, token.lemma, token.pos, token.tag


def _select_words(
    read: Sequence[tuple[_Sentence, Sequence[DictionaryWord]]], target: str, sources: Sources
) -> list[Sequence[DictionaryWord]]:
    """Of each sentence the words that are asked for; words of another class than the target's, if there are no others.

    An analyser may err about the only *bank* of a text; but where there are several, ``bank.n`` is no verb.
    """
    if not target:
        return [found for _, found in read]
    wanted = TargetWord(target, sources)
    same: list[Sequence[DictionaryWord]] = [wanted.among(*each) for each in read]
    return same if any(same) else [wanted.of_any_class(passage) for passage, _ in read]


def _other_words(found: Sequence[DictionaryWord], asked: Sequence[DictionaryWord]) -> list[DictionaryWord]:
    """The words that have nothing in common with those that are asked for."""
    return [word for word in found if all(word.end <= each.start or word.start >= each.end for each in asked)]


def _unknown_forms(tokens: Sequence[Token], found: Sequence[DictionaryWord], sources: Sources) -> Iterator[str]:
    """The forms that could be words with senses, but have no entry."""
    inside = {at for word in found for at in range(word.start, word.end)}
    for token in tokens:
        said = (token.pos or token.tag in UNCLASSIFIED_TAGS) and _has_letter(token.form)
        if said and token.start not in inside and not sources.reader.lemma(token.form, token.pos, token.lemma):
            yield token.form


def _has_letter(form: str) -> bool:
    return any(map(str.isalpha, form))


# -- one word ------------------------------------------------------------------------------------------------------


class TargetWord:
    """A word that is asked for, ``bank`` or ``bank.n``: any form of any entry that it can be a form of."""

    def __init__(self, target: str, sources: Sources) -> None:
        word, _, letter = target.strip().rpartition(".")
        part = wordnet_pos(letter) if word else ""
        form = (word if part else target).strip()
        self._part = part
        self._sources = sources
        self.entries = frozenset(
            f"{lemma}.{part}"
            for part in part or PARTS_OF_SPEECH
            if form
            for lemma in sources.wordnet.lemmas(form, part)
        )

    def usages(self, usages: Iterable[Usage]) -> list[Usage]:
        """Those of usages that are of the word."""
        return [usage for usage in usages if find_usage_entry(usage, self._sources) in self.entries]

    def among(self, passage: _Sentence, found: Sequence[DictionaryWord]) -> list[DictionaryWord]:
        """The places of the word in a sentence: as an entry, else within one; of a particle the adverb's."""
        whole = [word for word in found if word.lemma in self.entries]
        return whole or self._alone(passage, self._classes)

    def of_any_class(self, passage: _Sentence) -> list[DictionaryWord]:
        """The places of its forms in a sentence, whatever the analyser takes them for."""
        return self._alone(passage, lambda _: PARTS_OF_SPEECH)

    def _classes(self, token: Token) -> str:
        """The parts of speech that a token may have: if one is asked for, its own alone."""
        if not token.pos:
            return PARTS_OF_SPEECH[::-1]
        return token.pos if self._part else token.pos + PARTS_OF_SPEECH

    def _alone(self, passage: _Sentence, parts: Callable[[Token], str]) -> list[DictionaryWord]:
        return [word for token in passage.tokens if (word := self._of_parts(token, parts(token)))]

    def _of_parts(self, token: Token, parts: str) -> DictionaryWord | None:
        """A token that is the word, with the first of these parts of speech that has an entry."""
        for part in parts:
            for lemma in self._sources.wordnet.lemmas(token.form, part):
                if f"{lemma}.{part}" in self.entries:
                    return DictionaryWord(f"{lemma}.{part}", token.start, token.end)
        return None


# -- messages ------------------------------------------------------------------------------------------------------


def no_usages_error(found: TextUsages, target: str, sources: Sources) -> InputError:
    """What is said of a text in which there is no usage, of the target or of any word."""
    wordnet = sources.wordnet
    if target:
        has = f"the words with senses are {abbreviate_list(found.known, 20)}" if found.known else "no word has senses"
        absent = not TargetWord(target, sources).entries
        problem = (
            f"{quote_with_suggestions(target, wordnet)} is not in {wordnet_name(wordnet)}"
            if absent
            else f"{quote_value(target)} is not there"
        )
        return InputError(f"the target {problem}; in the text, {has}")
    why = describe_unknown_words(found, wordnet) if found.unknown else "it has no noun, verb, adjective or adverb"
    return InputError(f"no word of the text has senses: {why}")


def wordnet_name(wordnet: WordNet) -> str:
    """WordNet with its version."""
    return f"WordNet {wordnet.version or 'of an unknown version'}"


def describe_unknown_words(found: TextUsages, wordnet: WordNet) -> str:
    """What is said of words that are not in WordNet; that it is one of English, if they are most words."""
    number = "1 word is" if len(found.unknown) == 1 else f"{len(found.unknown):,} words are"
    problem = f"{number} not in {wordnet_name(wordnet)}"
    if len(found.unknown) > max(len(found.known), 1):
        return f"{problem}, a dictionary of English: {abbreviate_list(map(quote_value, found.unknown))}"
    listed = [quote_with_suggestions(word, wordnet) for word in found.unknown[:LISTED_WORDS]]
    return f"{problem}: {', '.join([*listed, *(['…'] if len(found.unknown) > LISTED_WORDS else [])])}"


def abbreviate_list(words: Iterable[str], limit: int = LISTED_WORDS) -> str:
    """The first few words.

    >>> abbreviate_list(["sat", "bank", "river"], 2)
    'sat, bank, …'
    """
    every = list(words)
    return ", ".join([*every[:limit], *(["…"] if len(every) > limit else [])])


def quote_with_suggestions(word: str, wordnet: WordNet) -> str:
    """A word in quotes, and those that may be meant by it."""
    near = suggest_spellings(word, wordnet)
    return f"{quote_value(word)} ({' or '.join(near)}?)" if near else quote_value(word)


def suggest_spellings(word: str, wordnet: WordNet, count: int = 2) -> list[str]:
    """Words of the dictionary that are spelt much like one that it has not got, the nearest and most frequent first."""
    written = "_".join(_strip_accents(word.lower()).split())
    if len(written) < 3:
        return []
    if any(f"{written}.{part}" in wordnet for part in PARTS_OF_SPEECH):
        return [written.replace("_", " ")]
    alike: dict[str, float] = {}
    for lemma in wordnet:
        name = lemma[:-2]
        if name[0] == written[0] and abs(len(name) - len(written)) < 2 and name != written:
            alike[name] = 0.0
    near = difflib.get_close_matches(written, alike, n=10, cutoff=0.75)
    likely = {name: _spelling_similarity(written, name, wordnet) for name in near}
    return [name.replace("_", " ") for name in sorted(near, key=lambda name: likely[name], reverse=True)[:count]]


def _strip_accents(word: str) -> str:
    """A word in the letters of WordNet, which writes *cafe*."""
    return "".join(letter for letter in unicodedata.normalize("NFD", word) if not unicodedata.combining(letter))


def _spelling_similarity(written: str, name: str, wordnet: WordNet) -> tuple[float, float]:
    """How alike two words are, and how often the second one is tagged in SemCor."""
    senses = (sense for part in PARTS_OF_SPEECH for sense in wordnet.get(f"{name}.{part}", ()))
    ratio = difflib.SequenceMatcher(None, written, name).ratio()
    return sorted(written) == sorted(name) or ratio, sum(sense.frequency for sense in senses)
