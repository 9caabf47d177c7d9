"""Which tokens of a language model are words, and words that weigh most."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from polyseme.morphology import normalise_pos, possible_forms, possible_lemmas

CONTINUATION_MARK = "##"
WORD_START_MARKS = ("Ġ", "▁")
"""How tokens are marked that continue a word, in some models, and that begin one, in others."""

UNINFLECTED = re.compile(
    "[a-z]?[aeiou]?s|[^aeiouy]+(?:ing|ed|er|est)|chaos|corps|lens|news|series|species"
    "|(?:athlet|econom|electron|genet|gymnast|linguist|mathemat|phys|polit|robot|semant)ics"
)
"""Words that are no regular forms, whatever else is a token: *gas* (with *ga*), *thing* (*th*), *news* (*new*)."""

LEMMA_ENDINGS = {"n": ("es",), "v": ("ed", "ing"), "a": ("ly",), "r": ("ly",)}
"""Endings that a lemma takes and its forms do not: *buses*, *needed*, *bitterly*."""


class WordTokens(NamedTuple):
    """The words that are one token, in small letters; and which of them each token is, −1 for those that are none."""

    words: tuple[str, ...]
    word_numbers: NDArray[np.int64]


def find_word_tokens(tokens: Sequence[str], special: Collection[int], text_of: Callable[[str], str]) -> WordTokens:
    """The tokens that are whole words, with a letter or without; ``text_of`` is what a token is in a text.

    >>> find_word_tokens(["[MASK]", "Bank", "bank", "##ing"], {0}, str).words
    ('bank',)
    """
    numbers: dict[str, int] = {}
    of_token = np.full(len(tokens), -1)
    for token, text in enumerate(_word_texts(tokens, text_of)):
        if text and token not in special:
            of_token[token] = numbers.setdefault(text.lower(), len(numbers))
    return WordTokens(tuple(numbers), of_token)


def _word_texts(tokens: Sequence[str], text_of: Callable[[str], str]) -> list[str]:
    """What each token is as a word; nothing for those that are only a part of one."""
    mark = next((mark for mark in WORD_START_MARKS if any(token.startswith(mark) for token in tokens)), "")
    if not mark:
        return ["" if token.startswith(CONTINUATION_MARK) else token for token in tokens]
    texts = [text_of(token) if token.startswith(mark) else "" for token in tokens]
    return [text.strip() if text.split() == [text.strip()] and "\ufffd" not in text else "" for text in texts]


def lemmatise_tokens(words: WordTokens, pos: str) -> WordTokens:
    """The same with the lemma of each word in its place, as far as the model knows that too."""
    if not pos:
        return words
    names, lemma_of_word = _lemmatise_words(words.words, pos)
    return WordTokens(names, np.where(words.word_numbers < 0, -1, lemma_of_word[words.word_numbers]))


@lru_cache(maxsize=8)
def _lemmatise_words(words: tuple[str, ...], pos: str) -> tuple[tuple[str, ...], NDArray[np.int64]]:
    """The lemmas of words, and which of them each word is a form of."""
    known = set(words)
    numbers: dict[str, int] = {}
    found = [numbers.setdefault(_lemmatise_word(word, pos, known), len(numbers)) for word in words]
    return tuple(numbers), np.array(found, np.int64)


def _lemmatise_word(word: str, pos: str, known: set[str]) -> str:
    """The lemma of a form: the first other word that is known and can be it; irregular ones come first.

    >>> [_lemmatise_word(word, "n", {"shop", "shops", "class", "geese", "goose"}) for word in ("shops", "class", "geese")]
    ['shop', 'class', 'goose']
    """
    if not word.isalpha():
        return word
    found = possible_lemmas(word, pos)
    itself = found.index(word)
    regular = () if _is_lemma(word, pos, known) else sorted(found[itself + 1 :], key=_lacks_stem_in_y)
    spelt = possible_forms(word, pos)  # "realise" is no form of "realize", nor the other way round
    return next((lemma for lemma in (*found[:itself], *regular) if lemma in known and lemma not in spelt), word)


def _is_lemma(word: str, pos: str, known: set[str]) -> bool:
    """Whether a word is no regular form of another, as far as that can be seen."""
    taken = (word + ending in known for ending in LEMMA_ENDINGS[normalise_pos(pos)])
    return UNINFLECTED.fullmatch(word) is not None or any(taken)


def _lacks_stem_in_y(lemma: str) -> bool:
    """Of *carried*, *carry* comes before *carrie*; of *tied*, *tie* before *ty*."""
    return not (len(lemma) > 2 and lemma.endswith("y"))


def has_letter(text: str) -> bool:
    """Whether there is a letter in it.

    >>> has_letter("'s"), has_letter("..."), has_letter("1990")
    (True, False, False)
    """
    return any(map(str.isalpha, text))


def allowed_tokens(words: WordTokens, letters: bool) -> NDArray[np.bool_]:
    """Which tokens may be substitutes."""
    allowed = np.array([not letters or has_letter(word) for word in words.words] + [False])
    return allowed[words.word_numbers]


def sum_word_weights(words: WordTokens, tokens: NDArray[Any], weights: NDArray[Any], count: int) -> dict[str, float]:
    """The heaviest words, of which several tokens may be forms (*Bank* and *bank*), and their weights."""
    total = np.bincount(words.word_numbers[tokens], weights, len(words.words))
    best = np.argpartition(-total, count)[:count] if count < len(total) else np.arange(len(total))
    best = best[np.lexsort((best, -total[best]))]
    return {words.words[number]: float(total[number]) for number in best.tolist() if total[number] > 0}
