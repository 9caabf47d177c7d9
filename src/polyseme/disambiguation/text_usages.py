"""The usages of texts: of every word that the dictionary has, or of one target."""

from __future__ import annotations

import difflib
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from polyseme.corpus.documents import Document
from polyseme.corpus.parallel_analysis import PlacedSentence, map_documents
from polyseme.disambiguation.contexts import find_usage_entry
from polyseme.disambiguation.dictionary_words import DictionaryWord
from polyseme.disambiguation.sources import Sources
from polyseme.errors import InputError, quote_value
from polyseme.lemma import POS_LETTERS, replace_underscores, strip_pos, wordnet_pos
from polyseme.sentence import Token
from polyseme.usage import Usage
from polyseme.wordnet.lexicon import WordNet
from polyseme.workers import available_processors

PARALLEL_CHARACTERS = 200_000
"""Longer text is analysed by several processes."""

UNCLASSIFIED_TAGS = ("UNC", "X")
"""The tags, in C5 and Universal Dependencies, of tokens that the analyser takes for no word of the language."""

LISTED_WORDS = 5
"""How many words are listed in a message."""


@dataclass(frozen=True)
class TextUsages:
    """The usages of texts.

    A usage is named after its document and its position, ``letter.txt:14-18``. Its text is its sentence; its ``meta``
    has the document and the position of the sentence.

    Args:
        usages: The usages of the target, or of all words.
        every: All usages, as contexts.
        listed: The forms that the dictionary has.
        unknown: The forms that the dictionary lacks.
        read: The sentences with their words.
    """

    usages: tuple[Usage, ...]
    every: tuple[Usage, ...]
    listed: tuple[str, ...]
    unknown: tuple[str, ...]
    read: Mapping[str, Sequence[DictionaryWord]] = field(default_factory=dict)


def find_text_usages(
    documents: Iterable[Document], sources: Sources, *, target: str = "", processes: int | None = None
) -> TextUsages:
    """Find the usages of all words, or of ``target`` alone, that have entries in WordNet.

    Several words that form one entry, such as *ice cream*, are one usage, unless one of them is the target.
    """
    usages: list[Usage] = []
    every: list[Usage] = []
    listed: dict[str, None] = {}
    unknown: dict[str, None] = {}
    sentences = list(_read_sentences(list(documents), sources, processes))
    words_by_sentence = [list(sources.reader.words(sentence.tokens)) for sentence in sentences]
    rows = list(zip(sentences, words_by_sentence, strict=True))
    for (sentence, words), selected in zip(rows, _select_words(rows, target, sources), strict=True):
        listed |= dict.fromkeys(sentence.text[word.start : word.end] for word in words)
        unknown |= dict.fromkeys(_unknown_forms(sentence.tokens, words, sources))
        others = [word for word in words if not any(map(word.overlaps, selected))]
        usages += map(sentence.usage, selected)
        every += map(sentence.usage, [*others, *selected])
    read = {sentence.text: words for sentence, words in rows}
    return TextUsages(tuple(usages), tuple(every), tuple(listed), tuple(unknown), read)


_TokenFields = tuple[str, int, int, str, str, str]


class _Sentence(NamedTuple):
    """A sentence: its document, the prefix of its usages' ids, its position, its text and its tokens."""

    document: str
    name: str
    start: int
    text: str
    tokens: Sequence[Token]

    def usage(self, word: DictionaryWord) -> Usage:
        """Return the usage of a word in it."""
        span = f"{self.start + word.start}-{self.start + word.end}"
        meta = {"document": self.document, "offset": self.start}
        id = f"{self.name}:{span}" if self.name else span
        return Usage(id, word.lemma, self.text, word.start, word.end, word.lemma[-1], meta)


def _read_sentences(documents: Sequence[Document], sources: Sources, processes: int | None) -> Iterator[_Sentence]:
    """Yield the sentences of documents; documents without sentences are analysed."""
    plain = [(doc.name, _lower_if_capitals(doc.text)) for doc in documents if doc.sentences is None]
    if processes is None:
        processes = available_processors() if sum(len(text) for _, text in plain) > PARALLEL_CHARACTERS else 1
    analysed = map_documents(_sentence_fields, sources.analyser, plain, processes=processes)
    for document in documents:
        name = "_".join(document.name.split())  # the names in a key have no spaces
        if document.sentences is None:
            for start, end, rows in next(analysed):
                tokens = [Token(*fields) for fields in rows]
                yield _Sentence(document.name, name, start, document.text[start:end], tokens)
        else:
            for number, sentence in enumerate(document.sentences, start=1):
                yield _Sentence(document.name, f"{name}#{number}", 0, sentence.text, sentence.tokens)


def _lower_if_capitals(text: str) -> str:
    """Lower a text that is all in capitals: an analyser would take *BANKS* for a name, as it takes *NATO*."""
    lower = text.lower()
    return lower if text.isupper() and len(text.split()) > 2 and len(lower) == len(text) else text


def _sentence_fields(_: str, sentences: Iterator[PlacedSentence]) -> list[tuple[int, int, list[_TokenFields]]]:
    """Return the spans of sentences and their tokens as plain values, which are cheap to send between processes."""
    return [
        (start, start + len(sentence.text), [(t.form, t.start, t.end, t.lemma, t.pos, t.tag) for t in sentence.tokens])
        for start, sentence in sentences
    ]


def _select_words(
    rows: Sequence[tuple[_Sentence, Sequence[DictionaryWord]]], target: str, sources: Sources
) -> list[Sequence[DictionaryWord]]:
    """Select the words of each sentence that are the target; of another part of speech if there are no others.

    An analyser may err about the only *bank* of a text; but where there are several, ``bank.n`` is no verb.
    """
    if not target:
        return [words for _, words in rows]
    word = TargetWord(target, sources)
    same: list[Sequence[DictionaryWord]] = [word.find_same_pos(*row) for row in rows]
    return same if any(same) else [word.find_any_pos(sentence) for sentence, _ in rows]


def _unknown_forms(tokens: Sequence[Token], words: Sequence[DictionaryWord], sources: Sources) -> Iterator[str]:
    """Yield the forms that could have senses, but have no entry."""
    inside = {position for word in words for position in range(word.start, word.end)}
    for token in tokens:
        may_have_senses = (token.pos or token.tag in UNCLASSIFIED_TAGS) and any(map(str.isalpha, token.form))
        is_new = may_have_senses and token.start not in inside
        if is_new and not sources.reader.lemma(token.form, token.pos, token.lemma):
            yield token.form


# -- one word ------------------------------------------------------------------------------------------------------


class TargetWord:
    """A target, ``bank`` or ``bank.n``: any form of any entry that it can be a form of.

    Args:
        target: The target.
        sources: The dictionary.
    """

    def __init__(self, target: str, sources: Sources) -> None:
        word, _, letter = target.strip().rpartition(".")
        pos = wordnet_pos(letter) if word else ""
        form = (word if pos else target).strip()
        self._pos = pos
        self._sources = sources
        self.entries = frozenset(
            f"{lemma}.{pos}" for pos in pos or POS_LETTERS if form for lemma in sources.wordnet.lemmas(form, pos)
        )

    def select_usages(self, usages: Iterable[Usage]) -> list[Usage]:
        """Select the usages of the target."""
        return [usage for usage in usages if find_usage_entry(usage, self._sources) in self.entries]

    def find_same_pos(self, sentence: _Sentence, words: Sequence[DictionaryWord]) -> list[DictionaryWord]:
        """Find the target in a sentence, as an entry or within one; a particle counts as an adverb."""
        whole = [word for word in words if word.lemma in self.entries]
        return whole or self._find_tokens(sentence, self._possible_pos)

    def find_any_pos(self, sentence: _Sentence) -> list[DictionaryWord]:
        """Find the forms of the target in a sentence, whatever their part of speech."""
        return self._find_tokens(sentence, lambda _: POS_LETTERS)

    def _possible_pos(self, token: Token) -> Sequence[str]:
        if not token.pos:
            return POS_LETTERS[::-1]
        return token.pos if self._pos else (*token.pos, *POS_LETTERS)

    def _find_tokens(self, sentence: _Sentence, possible_pos: Callable[[Token], Sequence[str]]) -> list[DictionaryWord]:
        lemmas = self._sources.wordnet.lemmas
        words = []
        for token in sentence.tokens:
            entries = (f"{lemma}.{pos}" for pos in possible_pos(token) for lemma in lemmas(token.form, pos))
            if entry := next(filter(self.entries.__contains__, entries), ""):
                words.append(DictionaryWord(entry, token.start, token.end))
        return words


# -- messages ------------------------------------------------------------------------------------------------------


def no_usages_error(text: TextUsages, target: str, sources: Sources) -> InputError:
    """Explain that a text has no usage of the target, or of any word."""
    wordnet = sources.wordnet
    if target:
        words = f"the words with senses are {abbreviate_list(text.listed, 20)}" if text.listed else "no word has senses"
        problem = f"{quote_value(target)} does not occur"
        if not TargetWord(target, sources).entries:
            problem = f"{quote_with_suggestions(target, wordnet)} is not in {wordnet_name(wordnet)}"
        return InputError(f"the target {problem}; in the text, {words}")
    reason = describe_unknown_words(text, wordnet) if text.unknown else "it has no noun, verb, adjective or adverb"
    return InputError(f"no word of the text has senses: {reason}")


def wordnet_name(wordnet: WordNet) -> str:
    """Return WordNet with its version."""
    return f"WordNet {wordnet.version or 'of an unknown version'}"


def describe_unknown_words(text: TextUsages, wordnet: WordNet) -> str:
    """List the words that WordNet lacks; if they are most words, say that WordNet is a dictionary of English."""
    number = "1 word is" if len(text.unknown) == 1 else f"{len(text.unknown):,} words are"
    problem = f"{number} not in {wordnet_name(wordnet)}"
    if len(text.unknown) > max(len(text.listed), 1):
        return f"{problem}, a dictionary of English: {abbreviate_list(map(quote_value, text.unknown))}"
    words = [quote_with_suggestions(word, wordnet) for word in text.unknown[:LISTED_WORDS]]
    return f"{problem}: {', '.join([*words, *(['…'] if len(text.unknown) > LISTED_WORDS else [])])}"


def abbreviate_list(words: Iterable[str], limit: int = LISTED_WORDS) -> str:
    """Join the first few words.

    >>> abbreviate_list(["sat", "bank", "river"], 2)
    'sat, bank, …'
    """
    every = list(words)
    return ", ".join([*every[:limit], *(["…"] if len(every) > limit else [])])


def quote_with_suggestions(word: str, wordnet: WordNet) -> str:
    """Quote a word, with words that may be meant."""
    suggestions = suggest_spellings(word, wordnet)
    return f"{quote_value(word)} ({' or '.join(suggestions)}?)" if suggestions else quote_value(word)


def suggest_spellings(word: str, wordnet: WordNet, count: int = 2) -> list[str]:
    """Suggest words of the dictionary with a similar spelling, the most similar and most frequent first."""
    spelling = "_".join(_strip_accents(word.lower()).split())
    if len(spelling) < 3:
        return []
    if any(f"{spelling}.{pos}" in wordnet for pos in POS_LETTERS):
        return [replace_underscores(spelling)]
    candidates = dict.fromkeys(
        name
        for name in map(strip_pos, wordnet)
        if name[0] == spelling[0] and abs(len(name) - len(spelling)) < 2 and name != spelling
    )
    matches = difflib.get_close_matches(spelling, candidates, n=10, cutoff=0.75)
    similarity = {name: _spelling_similarity(spelling, name, wordnet) for name in matches}
    ranking = sorted(matches, key=lambda name: similarity[name], reverse=True)
    return [replace_underscores(name) for name in ranking[:count]]


def _strip_accents(word: str) -> str:
    """Write a word in the letters of WordNet, which writes *cafe*."""
    return "".join(letter for letter in unicodedata.normalize("NFD", word) if not unicodedata.combining(letter))


def _spelling_similarity(spelling: str, name: str, wordnet: WordNet) -> tuple[float, float]:
    """Return the similarity of two spellings, and how often the second word is tagged in SemCor."""
    senses = (sense for pos in POS_LETTERS for sense in wordnet.get(f"{name}.{pos}", ()))
    ratio = difflib.SequenceMatcher(None, spelling, name).ratio()
    return sorted(spelling) == sorted(name) or ratio, sum(sense.frequency for sense in senses)
