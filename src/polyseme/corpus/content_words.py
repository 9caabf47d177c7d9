"""The words of a corpus that have content: nouns, verbs and adjectives, or all but the most frequent words."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from polyseme.corpus.vocabulary import Vocabulary
from polyseme.corpus.word_selection import WordSelection, get_word_numbers

FREQUENT_WORDS = 150
"""How many of the most frequent words count as function words in a corpus without parts of speech."""


def select_content_words(vocabulary: Vocabulary, pos: str = "nva", minimum: int = 1) -> WordSelection:
    """Select content words by part of speech; without parts of speech, all words but the most frequent.

    Args:
        vocabulary: The words of a corpus.
        pos: The parts of speech to select, a letter for each.
        minimum: Words with fewer occurrences are left out.

    >>> select_content_words(Vocabulary(["the", "bank.n"], [9, 2]))
    WordSelection(pos='nva', minimum=1, maximum=None, among=None)
    """
    if vocabulary.has_pos:
        return WordSelection(pos=pos, minimum=minimum)
    order = np.argsort(-vocabulary.counts, kind="stable")[FREQUENT_WORDS:].tolist()
    return WordSelection(
        minimum=minimum, among=[word for word in map(vocabulary.__getitem__, order) if word[:1].isalpha()]
    )


def add_words(selection: WordSelection, vocabulary: Vocabulary, words: Iterable[str]) -> WordSelection:
    """Add words to a selection, even if they do not match it.

    >>> vocabulary = Vocabulary(["often.r", "bank.n", "the"], [2, 3, 9])
    >>> add_words(WordSelection(pos="n"), vocabulary, ["often.r"]).among
    ['often.r', 'bank.n']
    """
    selected = selection.numbers(vocabulary)
    numbers = np.union1d(selected, get_word_numbers(words, vocabulary))
    if len(numbers) == len(selected):
        return selection
    return WordSelection(among=[vocabulary[number] for number in numbers.tolist()])
