"""Which tokens of a language model are words, and words that weigh most."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from polyseme.morphology import forms, lemmas, letter

CONTINUES = "##"
BEGINS = ("Ġ", "▁")
"""How tokens are marked that continue a word, in some models, and that begin one, in others."""

NO_FORM = re.compile(
    "[a-z]?[aeiou]?s|[^aeiouy]+(?:ing|ed|er|est)|chaos|corps|lens|news|series|species"
    "|(?:athlet|econom|electron|genet|gymnast|linguist|mathemat|phys|polit|robot|semant)ics"
)
"""Words that are no regular forms, whatever else is a token: *gas* (with *ga*), *thing* (*th*), *news* (*new*)."""

TAKEN = {"n": ("es",), "v": ("ed", "ing"), "a": ("ly",), "r": ("ly",)}
"""Endings that a lemma takes and its forms do not: *buses*, *needed*, *bitterly*."""


class Words(NamedTuple):
    """The words that are one token, in small letters; and which of them each token is, −1 for those that are none."""

    words: tuple[str, ...]
    of_token: NDArray[np.int64]


def words_among(tokens: Sequence[str], special: Collection[int], text_of: Callable[[str], str]) -> Words:
    """The tokens that are whole words, with a letter or without; ``text_of`` is what a token is in a text.

    >>> words_among(["[MASK]", "Bank", "bank", "##ing"], {0}, str).words
    ('bank',)
    """
    numbers: dict[str, int] = {}
    of_token = np.full(len(tokens), -1)
    for token, text in enumerate(_texts(tokens, text_of)):
        if text and token not in special:
            of_token[token] = numbers.setdefault(text.lower(), len(numbers))
    return Words(tuple(numbers), of_token)


def _texts(tokens: Sequence[str], text_of: Callable[[str], str]) -> list[str]:
    """What each token is as a word; nothing for those that are only a part of one."""
    mark = next((mark for mark in BEGINS if any(token.startswith(mark) for token in tokens)), "")
    if not mark:
        return ["" if token.startswith(CONTINUES) else token for token in tokens]
    texts = [text_of(token) if token.startswith(mark) else "" for token in tokens]
    return [text.strip() if text.split() == [text.strip()] and "\ufffd" not in text else "" for text in texts]


def lemmatised(words: Words, pos: str) -> Words:
    """The same with the lemma of each word in its place, as far as the model knows that too."""
    if not pos:
        return words
    names, lemma_of_word = _lemmas(words.words, pos)
    return Words(names, np.where(words.of_token < 0, -1, lemma_of_word[words.of_token]))


@lru_cache(maxsize=8)
def _lemmas(words: tuple[str, ...], pos: str) -> tuple[tuple[str, ...], NDArray[np.int64]]:
    """The lemmas of words, and which of them each word is a form of."""
    known = set(words)
    numbers: dict[str, int] = {}
    found = [numbers.setdefault(_lemma(word, pos, known), len(numbers)) for word in words]
    return tuple(numbers), np.array(found, np.int64)


def _lemma(word: str, pos: str, known: set[str]) -> str:
    """The lemma of a form: the first other word that is known and can be it; irregular ones come first.

    >>> [_lemma(word, "n", {"shop", "shops", "class", "geese", "goose"}) for word in ("shops", "class", "geese")]
    ['shop', 'class', 'goose']
    """
    if not word.isalpha():
        return word
    found = lemmas(word, pos)
    itself = found.index(word)
    regular = () if _is_lemma(word, pos, known) else sorted(found[itself + 1 :], key=_is_no_stem_in_y)
    spelt = forms(word, pos)  # "realise" is no form of "realize", nor the other way round
    return next((lemma for lemma in (*found[:itself], *regular) if lemma in known and lemma not in spelt), word)


def _is_lemma(word: str, pos: str, known: set[str]) -> bool:
    """Whether a word is no regular form of another, as far as that can be seen."""
    taken = (word + ending in known for ending in TAKEN[letter(pos)])
    return NO_FORM.fullmatch(word) is not None or any(taken)


def _is_no_stem_in_y(lemma: str) -> bool:
    """Of *carried*, *carry* comes before *carrie*; of *tied*, *tie* before *ty*."""
    return not (len(lemma) > 2 and lemma.endswith("y"))


def is_word(text: str) -> bool:
    """Whether there is a letter in it.

    >>> is_word("'s"), is_word("..."), is_word("1990")
    (True, False, False)
    """
    return any(map(str.isalpha, text))


def permitted(words: Words, letters: bool) -> NDArray[np.bool_]:
    """Which tokens may be substitutes."""
    allowed = np.array([not letters or is_word(word) for word in words.words] + [False])
    return allowed[words.of_token]


def summed(words: Words, tokens: NDArray[Any], weights: NDArray[Any], count: int) -> dict[str, float]:
    """The heaviest words, of which several tokens may be forms (*Bank* and *bank*), and their weights."""
    total = np.bincount(words.of_token[tokens], weights, len(words.words))
    best = np.argpartition(-total, count)[:count] if count < len(total) else np.arange(len(total))
    best = best[np.lexsort((best, -total[best]))]
    return {words.words[number]: float(total[number]) for number in best.tolist() if total[number] > 0}
