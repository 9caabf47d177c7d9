"""Which substitutes can describe a sense: lemmas of real words that are not derived from the target."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import product
from math import ceil

from polyseme.lemma import normalise_lemma, split_lemma
from polyseme.lm.word_tokens import UNINFLECTED
from polyseme.morphology import possible_lemmas

LEAST_LETTERS = 3
"""Shorter tokens are mostly abbreviations and parts of words."""

LEAST_STEM = 4
"""The least number of letters that a word shares with its derivations; at least two thirds of the shorter word."""

_NEGATION = re.compile("^(?:un|non|dis|mis)")
"""Prefixes of derivations."""

_SUFFIX = (
    "able|age|al|ance|ancy|ant|ar|ary|ate|ation|ative|ator|dom|ed|ee|eer|en|ence|ency|ent|er|ery|ess|ful|hood|ian|ible"
    "|ic|ical|ice|ify|ing|ion|is?ation|ise|ised|ish|ism|ist|ity|ive|ization|ize|ized|less|ly|ment|ness|or|ory|ous|ship"
    "|sion|th|tion|ty|ual|ure|ward"
)
_ADDED = re.compile(f"(?:{_SUFFIX})+")
"""What a derivation adds to a whole word: *bank*, *banker*."""
_EXCHANGED = re.compile(f"(?:[ai]t|il|[cdelrt]y?e?|[iy])?(?:{_SUFFIX})*")
"""What follows a stem that both words change: *administer*, *administrative*; *current*, *currency*."""
_DOUBLED = re.compile(r"([bdglmnprt])\1(?=ing|er|ed)")


def find_descriptive_lemmas(words: Sequence[str], lemma: str = "") -> list[str]:
    """Find the lemma under which each word describes a sense; it is empty if the word cannot.

    Tokens with other characters than letters are left out, and so are the lemma's own forms and derivations. If most
    words are in the English dictionary of simplemma (Barbaresi 2023), tokens that are not in it are left out, too, and
    very short ones.

    Args:
        words: The substitutes, in lower case.
        lemma: The lemma whose senses are described.

    Returns:
        A lemma for each word. If no word can describe a sense, the words as they are.

    >>> find_descriptive_lemmas(["rivers", "river", "banker", "ii", "shored", "3rd"], "bank.n")
    ['river', 'river', '', '', 'shore', '']
    """
    import simplemma

    target, pos = split_lemma(normalise_lemma(lemma))
    candidates = [word for word in words if word.isalpha()]
    recognised = {word for word in candidates if simplemma.is_known(word, lang="en")}
    is_english = 2 * len(recognised) >= len(candidates)
    if is_english:
        lemmas = {word: lemmatise_substitute(word, pos) for word in recognised if len(word) >= LEAST_LETTERS}
    else:
        lemmas = {word: word for word in candidates}
    descriptive = {word: lemma for word, lemma in lemmas.items() if not is_derivation(lemma, target)}
    return [descriptive.get(word, "") for word in words] if descriptive else list(words)


@lru_cache(maxsize=50_000)
def lemmatise_substitute(word: str, pos: str) -> str:
    """Return the lemma of a substitute, by simplemma, if the rules of inflection agree.

    The substitute has the part of speech of the target, or its ending shows that it is a plural or a past.

    >>> [lemmatise_substitute(word, "n") for word in ("laborers", "larvae", "happened", "building", "species")]
    ['laborer', 'larva', 'happen', 'building', 'species']
    >>> lemmatise_substitute("surpassed", "v"), lemmatise_substitute("limited", "a"), lemmatise_substitute("wider", "a")
    ('surpass', 'limited', 'wide')
    """
    import simplemma

    lemma = simplemma.lemmatize(word, lang="en").lower()
    if lemma == word or UNINFLECTED.fullmatch(word):
        return word
    past = "" if pos == "a" else "ed"  # the adjective "limited" is a lemma
    readings = (pos, "n" if word.endswith("s") else "", "v" if past and word.endswith(past) else "")
    return lemma if any(lemma in possible_lemmas(word, reading) for reading in readings if reading) else word


def is_derivation(word: str, target: str) -> bool:
    """Whether two words seem to be forms or derivations of one stem, by what they begin with and how they end.

    >>> [is_derivation(word, "administrative") for word in ("administer", "administration", "minister")]
    [True, True, False]
    >>> [is_derivation(word, "bank") for word in ("banker", "banking", "bankrupt", "embankment")]
    [True, True, False, False]
    >>> is_derivation("sentence", "sense"), is_derivation("sensitive", "sense"), is_derivation("unemployed", "employ")
    (False, True, True)
    """
    pairs = product(*({form, _NEGATION.sub("", form, count=1)} for form in (word, target)))
    return any(_share_stem(one, other) for one, other in pairs)


def _share_stem(word: str, target: str) -> bool:
    short, long = sorted((_DOUBLED.sub(r"\1", form) for form in (word, target)), key=len)
    if long.startswith(short):
        ending = long[len(short) :]
        endings = (ending, f"e{ending}") if short.endswith("e") else (ending,)
        return word == target or (len(short) >= LEAST_STEM and any(map(_ADDED.fullmatch, endings)))
    least = max(LEAST_STEM, ceil(2 * len(short) / 3))
    sizes = (size for size in range(least, len(long) - 1) if short[:size] == long[:size])
    return any(all(_EXCHANGED.fullmatch(form[size:]) for form in (short, long)) for size in sizes)
