"""Substitutes from an n-gram model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from polyseme.arrays import Ints
from polyseme.corpus.tokenisation import find_sentences
from polyseme.lm.ngrams.fastsubs import BestWords, Gap, fastsubs, ordinary_words, score_words
from polyseme.lm.ngrams.model import NGrams, load_ngrams
from polyseme.lm.substitutes import Substitutes, check_substitute_count, target_forms, target_pos
from polyseme.lm.word_tokens import WordTokens, has_letter, lemmatise_tokens, sum_word_weights
from polyseme.parts import FolderName, check_options
from polyseme.usage import Usage


@dataclass(frozen=True)
class NGramSubstitutes:
    """The words that make the n-grams around the gap most likely, exactly (Yuret 2012; Başkaya et al. 2013).

    The context of a target is its sentence.

    Args:
        model: The folder of an n-gram model; by default that of the State of the Union addresses, which is trained
            when it is first needed.
        own: Whether the target's own forms can be substitutes.
        letters: Whether substitutes must have a letter: punctuation and numbers have none.
        lemmas: Whether forms of one word of the target's part of speech count together. Then every word of the model
            is scored, which takes longer.
    """

    kind: ClassVar[str] = "substituter"
    model: FolderName = ""
    own: bool = True
    letters: bool = True
    lemmas: bool = False

    def __post_init__(self) -> None:
        check_options(self)

    def substitutes(self, usages: Sequence[Usage], count: int = 100) -> list[Substitutes]:
        """Find the most likely words for each usage."""
        check_substitute_count(count)
        model = self.ngrams()
        allowed = ordinary_words(model)
        if self.letters:
            allowed &= np.array([has_letter(word) for word in model.words])
        excluded = [frozenset() if self.own else target_forms(usage) for usage in usages]
        if self.lemmas:
            numbers = np.flatnonzero(allowed)
            pairs = zip(usages, excluded, strict=True)
            return [_substitute_lemmas(model, usage, count, numbers, forms) for usage, forms in pairs]
        extra = max((sum(form in model.numbers for form in forms) for forms in excluded), default=0)
        gaps = [find_gap(usage, model.language) for usage in usages]
        results = zip(fastsubs(model, gaps, count + extra, allowed), excluded, strict=True)
        return [_substitute_words(model, best, count, forms) for best, forms in results]

    def ngrams(self) -> NGrams:
        """Return the n-gram model."""
        if not self.model:
            from polyseme.lm.ngrams.state_of_the_union import load_state_of_the_union

            return load_state_of_the_union()
        return load_ngrams(self.model)


def find_gap(usage: Usage, language: str = "en") -> Gap:
    """Return the words of a usage's sentence before and after its target.

    >>> find_gap(Usage("1", "bank.n", "We waited. The Bank-note was gone.", 15, 19))
    Gap(left=('the',), right=('was', 'gone', '.'))
    """
    sentences = list(find_sentences(usage.text, language))
    with_target = [spans for spans in sentences if spans[0][0] < usage.end and usage.start < spans[-1][1]]
    spans = [span for sentence in with_target or sentences for span in sentence]
    words = [(start, end, usage.text[start:end].lower()) for start, end in spans]
    left = tuple(word for _, end, word in words if end <= usage.start)
    return Gap(left, tuple(word for start, _, word in words if start >= usage.end))


def _substitute_lemmas(model: NGrams, usage: Usage, count: int, allowed: Ints, excluded: frozenset[str]) -> Substitutes:
    """Select the likeliest lemmas, each with the probabilities of all its forms."""
    scores = score_words(model, find_gap(usage, model.language), allowed)
    weights = 10 ** (scores - scores.max(initial=-np.inf))
    words = lemmatise_tokens(WordTokens(model.words, np.arange(len(model.words))), target_pos(usage))
    heaviest = sum_word_weights(words, allowed, weights, count + len(excluded))
    return Substitutes.from_weights(heaviest, count, excluded)


def _substitute_words(model: NGrams, best: BestWords, count: int, excluded: frozenset[str]) -> Substitutes:
    weights = 10 ** (best.scores - best.scores.max(initial=-np.inf))
    words = [model.words[number] for number in best.words.tolist()]
    return Substitutes.from_weights(dict(zip(words, weights.tolist(), strict=True)), count, excluded)
