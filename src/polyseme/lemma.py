"""Lemmas and parts of speech: the home of ``bank.n`` → (``bank``, ``n``), of the tag sets, and of plain words.

A part of speech is a letter: ``n`` noun, ``v`` verb, ``a`` adjective, ``r`` adverb, or nothing. Data sets also write
``j`` (SemEval-2013 Task 13) and ``s`` (the satellites of WordNet) for adjectives.
"""

from __future__ import annotations

from collections.abc import Container
from typing import NamedTuple

POS_LETTERS = ("n", "v", "a", "r")
"""The parts of speech that have senses."""

DATA_SET_POS_LETTERS = (*POS_LETTERS, "j", "s")
"""The letters that data sets write after a lemma; ``j`` and ``s`` are adjectives too."""

POS_NAMES = {"n": "noun", "v": "verb", "a": "adjective", "j": "adjective", "s": "adjective", "r": "adverb"}
"""The English name of each letter."""

SYNSET_TYPES = {"n": 1, "v": 2, "a": 3, "r": 4, "s": 5}
"""The number of each letter in the sense keys of WordNet; ``s`` is the satellite of an adjective."""

UNIVERSAL_TAGS = {"n": "NOUN", "v": "VERB", "a": "ADJ", "r": "ADV"}
"""The tag of Universal Dependencies for each letter."""

POS_BY_UNIVERSAL_TAG = {tag: pos for pos, tag in UNIVERSAL_TAGS.items()} | {"PROPN": "n", "AUX": "v"}
"""The open classes of Universal Dependencies."""

POS_BY_TAG_PREFIX = {"NN": "n", "NP": "n", "VB": "v", "VV": "v", "VH": "v", "VD": "v", "JJ": "a", "RB": "r", "RR": "r"}
"""The first two characters of the open classes in the Penn, TreeTagger and CLAWS tag sets."""

POS_BY_C5_TAG = {"AV0": "r", "XX0": "r", "ORD": "a"}
"""The tags of the C5 tag set (BNC) that are mapped as a whole: adverbs, *not*, ordinal numbers."""

POS_BY_C5_PREFIX = {"NN": "n", "NP": "n", "AJ": "a", "VB": "v", "VD": "v", "VH": "v", "VV": "v"}
"""The first two characters of the other open classes of C5; modal verbs (``VM0``) are not among them."""


class Lemma(NamedTuple):
    """A lemma as a word and its part of speech, which is empty where the lemma names none."""

    word: str
    pos: str


def split_lemma(lemma: str, letters: Container[str] = POS_LETTERS) -> Lemma:
    """Split a lemma into its word and its part of speech.

    Args:
        lemma: A lemma such as ``bank.n``, or a word without a part of speech.
        letters: The letters that count as a part of speech.

    >>> split_lemma("bank.n"), split_lemma("U.S"), split_lemma(".n")
    (Lemma(word='bank', pos='n'), Lemma(word='U.S', pos=''), Lemma(word='.n', pos=''))
    >>> split_lemma("dark.j").pos, split_lemma("dark.j", DATA_SET_POS_LETTERS).pos
    ('', 'j')
    """
    has_pos = len(lemma) > 2 and lemma[-2] == "." and lemma[-1] in letters
    return Lemma(lemma[:-2], lemma[-1]) if has_pos else Lemma(lemma, "")


def pos_of_lemma(lemma: str) -> str:
    """Return the part of speech of a lemma: n, v, a, r or nothing.

    >>> [pos_of_lemma(lemma) for lemma in ("bank.n", "the", ".", "p.m")]
    ['n', '', '', '']
    """
    return lemma[-1] if len(lemma) > 2 and lemma[-2] == "." and lemma[-1] in POS_LETTERS else ""


def strip_pos(lemma: str) -> str:
    """Return a lemma without its part of speech.

    >>> strip_pos("bank.n"), strip_pos("bank"), strip_pos("U.S.")
    ('bank', 'bank', 'U.S.')
    """
    return lemma[:-2] if pos_of_lemma(lemma) else lemma


def normalise_lemma(lemma: str, pos: str = "") -> str:
    """Return the lemma with its part of speech as a vocabulary writes it: adjectives end in ``.a``.

    >>> normalise_lemma("common.j"), normalise_lemma("bank", "n"), normalise_lemma("bank.n"), normalise_lemma("bank")
    ('common.a', 'bank.n', 'bank.n', 'bank')
    """
    if lemma[-2:] in (".j", ".s"):
        return f"{lemma[:-2]}.a"
    return lemma if pos_of_lemma(lemma) or pos not in POS_LETTERS else f"{lemma}.{pos}"


def describe_lemma(lemma: str) -> str:
    """Return a lemma as people write it.

    >>> describe_lemma("win.v"), describe_lemma("café")
    ('win (verb)', 'café')
    """
    word, pos = split_lemma(lemma, POS_NAMES)
    return f"{word} ({POS_NAMES[pos]})" if pos else lemma


def plain_text(feature: str) -> str:
    """Return a feature of one or more lemmas as plain words.

    >>> plain_text("loan.n"), plain_text("world.n cup.n"), plain_text("u.s.")
    ('loan', 'world cup', 'u.s.')
    """
    return " ".join(map(strip_pos, feature.split(" ")))


def replace_underscores(word: str) -> str:
    """Return a word of several parts as people write it.

    >>> replace_underscores("ice_cream")
    'ice cream'
    """
    return word.replace("_", " ")


def wordnet_pos(letter: str) -> str:
    """Return the letter that WordNet has for a part of speech, or nothing.

    >>> wordnet_pos("j"), wordnet_pos("N"), wordnet_pos("x"), wordnet_pos("")
    ('a', 'n', '', '')
    """
    pos = letter.lower().replace("j", "a").replace("s", "a")
    return pos if pos in POS_LETTERS else ""


def pos_from_tag(tag: str) -> str:
    """Map a tag (Universal Dependencies, Penn, TreeTagger, CLAWS) to n, v, a, r or nothing.

    >>> [pos_from_tag(tag) for tag in ("NOUN", "VBD", "VVZ", "JJR", "rr", "IN")]
    ['n', 'v', 'v', 'a', 'r', '']
    """
    return POS_BY_UNIVERSAL_TAG.get(tag) or POS_BY_TAG_PREFIX.get(tag[:2].upper(), "")


def pos_from_c5_tag(tag: str) -> str:
    """Map a C5 tag to n, v, a, r or nothing.

    >>> [pos_from_c5_tag(tag) for tag in ("NN2", "NP0", "VVD", "VBZ", "AJC", "ORD", "AV0", "VM0", "AT0", "PUN")]
    ['n', 'n', 'v', 'v', 'a', 'a', 'r', '', '', '']
    """
    return POS_BY_C5_TAG.get(tag) or POS_BY_C5_PREFIX.get(tag[:2], "")
