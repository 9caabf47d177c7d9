"""Substitutes from an n-gram model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from polyseme.corpus.tokenisation import find_sentences
from polyseme.formats.checkpoint import last_modified
from polyseme.lm.ngrams.fastsubs import BestWords, Gap, WordMask, fastsubs, ordinary_words, score_words
from polyseme.lm.ngrams.model import NGrams
from polyseme.lm.substitutes import (
    Substitutes,
    check_substitute_count,
    check_substituter_options,
    target_forms,
    target_pos,
)
from polyseme.lm.word_tokens import WordTokens, has_letter, lemmatise_tokens, sum_word_weights
from polyseme.parts import FolderName
from polyseme.usage import Usage


@dataclass(frozen=True)
class NGramSubstitutes:
    """The words that make the n-grams around the gap most likely, exactly (Yuret 2012; Başkaya et al. 2013).

    ``model`` is the folder of an n-gram model; without one, that of the State of the Union addresses is used, which is
    trained when it is first needed. ``own`` says whether the target's own forms can be substitutes, ``letters`` whether
    these must have a letter, so that punctuation and numbers are none. ``lemmas`` says whether forms of one word of the
    target's part of speech count together; every word of the model is scored then, which takes longer. The context of
    a target is its sentence.
    """

    kind: ClassVar[str] = "substituter"
    model: FolderName = ""
    own: bool = True
    letters: bool = True
    lemmas: bool = False

    def __post_init__(self) -> None:
        check_substituter_options(self)

    def substitutes(self, usages: Sequence[Usage], count: int = 100) -> list[Substitutes]:
        """The most likely words for each usage."""
        model = self.ngrams()
        unwanted: list[frozenset[str]] = [frozenset() if self.own else target_forms(usage) for usage in usages]
        if self.lemmas:
            allowed = np.flatnonzero(_allowed_words(model, self.letters))
            pairs = zip(usages, unwanted, strict=True)
            return [
                _substitute_lemmas(model, usage, check_substitute_count(count), allowed, words)
                for usage, words in pairs
            ]
        more = max((sum(word in model.numbers for word in words) for words in unwanted), default=0)
        gaps = [find_gap(usage, model.language) for usage in usages]
        found = fastsubs(model, gaps, check_substitute_count(count) + more, _allowed_words(model, self.letters))
        return [_substitute_words(model, best, count, words) for best, words in zip(found, unwanted, strict=True)]

    def ngrams(self) -> NGrams:
        """The model itself, loaded when it is first asked for."""
        if not self.model:
            from polyseme.lm.ngrams.state_of_the_union import load_state_of_the_union

            return load_state_of_the_union()
        return load_ngrams(self.model)


def load_ngrams(folder: str) -> NGrams:
    """The model of a folder; it is read once, unless it changes."""
    return _load_ngrams(folder, last_modified(folder))


@lru_cache(maxsize=2)
def _load_ngrams(folder: str, _: int) -> NGrams:
    return NGrams.load(folder)


def find_gap(usage: Usage, language: str = "en") -> Gap:
    """The words of a usage's sentence before and after its target.

    >>> find_gap(Usage("1", "bank.n", "We waited. The Bank-note was gone.", 15, 19))
    Gap(left=('the',), right=('was', 'gone', '.'))
    """
    every = list(find_sentences(usage.text, language))
    here = [spans for spans in every if spans[0][0] < usage.end and usage.start < spans[-1][1]] or every
    spans = [span for each in here for span in each]
    left = tuple(usage.text[start:end].lower() for start, end in spans if end <= usage.start)
    return Gap(left, tuple(usage.text[start:end].lower() for start, end in spans if start >= usage.end))


def _allowed_words(model: NGrams, letters: bool) -> WordMask:
    allowed = ordinary_words(model)
    return allowed & np.array([has_letter(word) for word in model.words]) if letters else allowed


def _substitute_lemmas(
    model: NGrams, usage: Usage, count: int, allowed: NDArray[np.intp], but: frozenset[str]
) -> Substitutes:
    """The likeliest lemmas, each with the probabilities of all its forms."""
    scores = score_words(model, find_gap(usage, model.language), allowed)
    weights = 10 ** (scores - scores.max(initial=-np.inf))
    words = lemmatise_tokens(WordTokens(model.words, np.arange(len(model.words))), target_pos(usage))
    return Substitutes.of(sum_word_weights(words, allowed, weights, count + len(but)), count, but)


def _substitute_words(model: NGrams, best: BestWords, count: int, but: frozenset[str]) -> Substitutes:
    weights = 10 ** (best.scores - best.scores.max(initial=-np.inf))
    named = {model.words[word]: weight for word, weight in zip(best.words.tolist(), weights.tolist(), strict=True)}
    return Substitutes.of(named, count, but)
