"""The lemmas that a typed word stands for: ``union``, ``Union`` and ``unions`` all find ``union.n`` and ``union.v``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from polyseme.corpus.index import Index
from polyseme.corpus.vocabulary import Vocabulary
from polyseme.corpus.word_selection import suggest_words
from polyseme.errors import count_noun
from polyseme.frozen_dict import FrozenDict
from polyseme.lemma import DATA_SET_POS_LETTERS, POS_LETTERS, normalise_lemma, pos_of_lemma, split_lemma
from polyseme.morphology import possible_lemmas
from polyseme.usage import Usage

LONGEST_WORD = 100
"""The number of characters of a typed word beyond which it is not searched."""


@dataclass(frozen=True)
class WordCount:
    """How often a word occurs in an index.

    Args:
        word: The word as it was typed.
        lemmas: The lemmas that it stands for, the most frequent first, with their frequencies.

    >>> count = WordCount("Unions", {"union.n": 5321, "union.v": 2})
    >>> count.total, count.lemmas["union.v"]
    (5323, 2)
    >>> print(count)
    Unions: union.n (5,321), union.v (2)
    """

    word: str
    lemmas: Mapping[str, int]

    def __post_init__(self) -> None:
        object.__setattr__(self, "lemmas", FrozenDict(self.lemmas))

    @property
    def total(self) -> int:
        """The number of usages of all lemmas."""
        return sum(self.lemmas.values())

    @property
    def is_exact(self) -> bool:
        """Whether the word is typed as the only lemma that it stands for."""
        return list(self.lemmas) == [self.word]

    def __str__(self) -> str:
        lemmas = (f"{lemma} ({count:,})" for lemma, count in self.lemmas.items())
        return f"{self.word}: {', '.join(lemmas) or count_noun(0, 'usage')}"


def find_lemmas(index: Index, word: str) -> list[str]:
    """Find the lemmas of an index that a typed word stands for, the most frequent first.

    A word with a part of speech, such as ``union.n``, is a lemma, and stands for itself alone. A bare word, in any
    case, stands for the lemmas of that name, whatever their part of speech, and for those that have it as a form.

    Args:
        index: The index.
        word: The word.

    Returns:
        The lemmas; none if the word does not occur.
    """
    return list(count_typed_word(index, word).lemmas)


def count_typed_word(index: Index, word: str) -> WordCount:
    """Count the usages of each lemma that a typed word stands for; see :func:`find_lemmas`."""
    return count_typed_words(index, [word])[0]


def count_typed_words(index: Index, words: Iterable[str]) -> list[WordCount]:
    """Count the usages of the lemmas of many typed words, in one pass through the index at most."""
    typed = list(dict.fromkeys(words))
    names = {word: _match_names(index.vocabulary, word) for word in typed}
    candidates = {word: _list_candidates(index.vocabulary, word) - names[word] for word in typed if _is_bare(word)}
    searches = {word.lower(): candidates[word] if names[word] else None for word in candidates}
    forms = _find_lemmas_of_forms(index, {form: lemmas for form, lemmas in searches.items() if lemmas != set()})
    counts = []
    for word in typed:
        lemmas = names[word] | (forms.get(word.lower(), set()) if word in candidates else set())
        if not lemmas and word in candidates:  # the corpus has other forms of the word
            lemmas = candidates[word] or set(suggest_words(word, index.vocabulary))
        counts.append(_count_lemmas(index.vocabulary, word, lemmas))
    return counts


def _is_bare(typed: str) -> bool:
    """Whether a typed word has no part of speech, and can be searched."""
    return not pos_of_lemma(typed) and typed.strip() != "" and len(typed) <= LONGEST_WORD


def _match_names(words: Vocabulary, typed: str) -> set[str]:
    """The lemma itself and, of a bare word, the lemmas of that name."""
    spellings = {typed, typed.lower(), typed.upper(), typed.capitalize(), typed.title()} if _is_bare(typed) else ()
    names = {typed, normalise_lemma(typed), *(name for spelling in spellings for name in _add_pos(spelling))}
    return {name for name in names if name in words}


def _list_candidates(words: Vocabulary, typed: str) -> set[str]:
    """The lemmas that occur and whose forms in English include a bare word."""
    lemmas = {lemma for pos in POS_LETTERS for lemma in possible_lemmas(typed, pos)}
    return {name for lemma in lemmas for name in _add_pos(lemma) if name in words}


def _add_pos(word: str) -> Iterator[str]:
    """Yield the word, and the word with each part of speech."""
    return (f"{word}.{pos}" if pos else word for pos in ("", *POS_LETTERS))


def _count_lemmas(words: Vocabulary, typed: str, lemmas: Iterable[str]) -> WordCount:
    counts = {lemma: int(words.counts[words.number(lemma)]) for lemma in lemmas}
    return WordCount(typed, dict(sorted(counts.items(), key=lambda item: (-item[1], item[0]))))


def _find_lemmas_of_forms(index: Index, forms: Mapping[str, set[str] | None]) -> dict[str, set[str]]:
    """Find the lemmas of the tokens that have these forms, in any case.

    Args:
        index: The index.
        forms: The lemmas to look for, by form, or ``None`` for any; the search ends when all have occurred.
    """
    lemmas: dict[str, set[str]] = {form: set() for form in forms}
    spellings = {form.lower(): place for place, form in reversed(list(enumerate(forms)))}
    for part in index.parts("tokens", ["word", "form"]) if forms else ():
        texts = part.texts("form")
        places = np.array([*(spellings.get(entry.lower(), -1) for entry in texts.entries), -1])[texts.codes]
        rows = np.flatnonzero(places >= 0)
        for place, number in set(zip(places[rows].tolist(), part.numbers("word")[rows].tolist(), strict=True)):
            lemmas[list(forms)[place]].add(index.vocabulary[number])
        if all(sought is not None and sought <= lemmas[form] for form, sought in forms.items()):
            break
    return {form: result & (forms[form] or result) for form, result in lemmas.items()}


def select_lemmas(lemmas: Iterable[str], word: str) -> list[str]:
    """Select the lemmas that a typed word stands for, among those of a model or of usages.

    >>> select_lemmas(["union.n", "union.v", "unit.n"], "Unions")
    ['union.n', 'union.v']
    >>> select_lemmas(["union.n", "union.v"], "union.n"), select_lemmas(["dark.j"], "dark")
    (['union.n'], ['dark.j'])
    """
    names = list(dict.fromkeys(lemmas))
    if split_lemma(word, DATA_SET_POS_LETTERS).pos:
        return [name for name in names if name == word]
    stems = {name: split_lemma(name, DATA_SET_POS_LETTERS).word.lower() for name in names}
    forms = {lemma for pos in POS_LETTERS for lemma in possible_lemmas(word, pos)}
    same = [name for name in names if stems[name] == word.lower()]
    return same or [name for name in names if stems[name] in forms]


def find_lemmas_of_usages(usages: Sequence[Usage], word: str) -> WordCount:
    """Find the lemmas of usages that a typed word stands for: by the name of the lemma, or by the form of the target.

    >>> usages = [Usage("1", "union.n", "Two unions met.", 4, 10), Usage("2", "goose.n", "Geese fly.", 0, 5)]
    >>> find_lemmas_of_usages(usages, "Union").lemmas, find_lemmas_of_usages(usages, "geese").lemmas
    ({'union.n': 1}, {'goose.n': 1})
    """
    names = select_lemmas((usage.lemma for usage in usages), word)
    is_form = not pos_of_lemma(word) and not names
    names = names or [usage.lemma for usage in usages if is_form and usage.target.lower() == word.lower()]
    counts = {name: sum(usage.lemma == name for usage in usages) for name in dict.fromkeys(names)}
    return WordCount(word, counts)
