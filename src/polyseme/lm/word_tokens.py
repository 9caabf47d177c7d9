"""Which tokens of a language model are words, and which words weigh most."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from polyseme.morphology import normalise_pos, possible_forms, possible_lemmas

CONTINUATION_MARK, BYTE_LEVEL_MARK, SENTENCE_PIECE_MARK = "##", "Ġ", "▁"
"""The prefix of tokens that continue a word, in WordPiece, and those of tokens that begin one, in other tokenizers."""

RESERVED = re.compile(r"\[.+\]|<.+>")
"""Tokens that are no text, such as ``[unused7]`` and ``<unk>``, even if the tokenizer does not say so."""

UNINFLECTED = re.compile(
    "[a-z]?[aeiou]?s|[^aeiouy]+(?:ing|ed|er|est)|chaos|corps|lens|news|series|species"
    "|(?:athlet|econom|electron|genet|gymnast|linguist|mathemat|phys|polit|robot|semant)ics"
)
"""Words that are no regular forms of other tokens: *gas* (of *ga*), *thing* (of *th*), *news* (of *new*)."""

LEMMA_ENDINGS = {"n": ("es",), "v": ("ed", "ing"), "a": ("ly",), "r": ("ly",)}
"""Endings that a lemma takes and its forms do not: *buses*, *needed*, *bitterly*."""


class WordTokens(NamedTuple):
    """The words that are one token.

    Args:
        words: The words, in lower case.
        word_numbers: The number of each token's word; −1 for tokens that are no words.
    """

    words: tuple[str, ...]
    word_numbers: NDArray[np.int64]


def find_word_tokens(tokens: Sequence[str], special: Collection[int], decode: Callable[[str], str]) -> WordTokens:
    """Find the tokens that are whole words, with a letter or without.

    Args:
        tokens: The vocabulary of a model.
        special: The numbers of tokens that are no text.
        decode: Returns the text of a token.

    >>> find_word_tokens(["[MASK]", "Bank", "bank", "##ing"], {0}, str).words
    ('bank',)
    """
    numbers: dict[str, int] = {}
    word_numbers = np.full(len(tokens), -1)
    for token, text in enumerate(_word_texts(tokens, decode)):
        if text and token not in special:
            word_numbers[token] = numbers.setdefault(text.lower(), len(numbers))
    return WordTokens(tuple(numbers), word_numbers)


def find_word_mark(tokens: Sequence[str]) -> str:
    """Return the prefix that tells tokens which begin a word from others: the most frequent in a vocabulary.

    A vocabulary of many languages may have the letter Ġ, and another one ## as a text.

    >>> find_word_mark(["bank", "##s", "##ing", "Ġ"]), find_word_mark(["Ġbank", "Ġof", "##", "s"])
    ('##', 'Ġ')
    """
    marks = (CONTINUATION_MARK, BYTE_LEVEL_MARK, SENTENCE_PIECE_MARK)
    return max(marks, key=lambda mark: sum(token.startswith(mark) for token in tokens))


def _word_texts(tokens: Sequence[str], decode: Callable[[str], str]) -> list[str]:
    """Return the word of each token; an empty text for a token that is only a part of one."""
    mark = find_word_mark(tokens)
    if mark == CONTINUATION_MARK:
        return ["" if token.startswith(mark) or RESERVED.fullmatch(token) else token for token in tokens]
    texts = [decode(token) if token.startswith(mark) else "" for token in tokens]
    return [text.strip() if text.split() == [text.strip()] and "\ufffd" not in text else "" for text in texts]


def lemmatise_tokens(words: WordTokens, pos: str) -> WordTokens:
    """Replace each word by its lemma, if the lemma is a token, too."""
    if not pos:
        return words
    lemmas, lemma_numbers = _lemmatise_words(words.words, pos)
    return WordTokens(lemmas, np.where(words.word_numbers < 0, -1, lemma_numbers[words.word_numbers]))


@lru_cache(maxsize=8)
def _lemmatise_words(words: tuple[str, ...], pos: str) -> tuple[tuple[str, ...], NDArray[np.int64]]:
    """Return the lemmas of words, and the number of each word's lemma."""
    vocabulary = set(words)
    numbers: dict[str, int] = {}
    lemma_numbers = [numbers.setdefault(_lemmatise_word(word, pos, vocabulary), len(numbers)) for word in words]
    return tuple(numbers), np.array(lemma_numbers, np.int64)


def _lemmatise_word(word: str, pos: str, vocabulary: set[str]) -> str:
    """Return the lemma of a form: the first possible one in the vocabulary; lemmas of irregular forms come first.

    >>> vocabulary = {"shop", "shops", "class", "geese", "goose"}
    >>> [_lemmatise_word(word, "n", vocabulary) for word in ("shops", "class", "geese")]
    ['shop', 'class', 'goose']
    """
    if not word.isalpha():
        return word
    lemmas = possible_lemmas(word, pos)
    itself = lemmas.index(word)
    regular = () if _is_lemma(word, pos, vocabulary) else sorted(lemmas[itself + 1 :], key=_lacks_stem_in_y)
    spellings = possible_forms(word, pos)  # "realise" is no form of "realize", nor the other way round
    candidates = (lemma for lemma in (*lemmas[:itself], *regular) if lemma in vocabulary and lemma not in spellings)
    return next(candidates, word)


def _is_lemma(word: str, pos: str, vocabulary: set[str]) -> bool:
    """Whether a word seems to be no regular form of another."""
    has_forms = any(word + ending in vocabulary for ending in LEMMA_ENDINGS[normalise_pos(pos)])
    return has_forms or UNINFLECTED.fullmatch(word) is not None


def _lacks_stem_in_y(lemma: str) -> bool:
    """Sort *carry* before *carrie* for *carried*, and *tie* before *ty* for *tied*."""
    return not (len(lemma) > 2 and lemma.endswith("y"))


def has_letter(text: str) -> bool:
    """Whether a text has a letter.

    >>> has_letter("'s"), has_letter("..."), has_letter("1990")
    (True, False, False)
    """
    return any(map(str.isalpha, text))


def allowed_tokens(words: WordTokens, letters: bool) -> NDArray[np.bool_]:
    """Mark the tokens that may be substitutes: words, and, with ``letters``, only those with a letter."""
    allowed = np.array([not letters or has_letter(word) for word in words.words] + [False])
    return allowed[words.word_numbers]


def sum_word_weights(words: WordTokens, tokens: NDArray[Any], weights: NDArray[Any], count: int) -> dict[str, float]:
    """Sum the weights of tokens by word (*Bank* and *bank* are one), and return the heaviest words."""
    total = np.bincount(words.word_numbers[tokens], weights, len(words.words))
    best = np.argpartition(-total, count)[:count] if count < len(total) else np.arange(len(total))
    best = best[np.lexsort((best, -total[best]))]
    return {words.words[number]: float(total[number]) for number in best.tolist() if total[number] > 0}
