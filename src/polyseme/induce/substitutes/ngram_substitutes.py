"""Substitutes from an n-gram model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from polyseme.corpus.tokens import sentences
from polyseme.induce.language.words import Words, is_word, lemmatised, summed
from polyseme.induce.substitutes.fastsubs import Allowed, Best, Gap, every_score, fastsubs, permitted
from polyseme.induce.substitutes.ngrams import NGrams
from polyseme.induce.substitutes.storing import changed
from polyseme.induce.substitutes.substituter import Substitutes, asked, check, own_forms, part_of_speech
from polyseme.parts import Place
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
    model: Place = ""
    own: bool = True
    letters: bool = True
    lemmas: bool = False

    def __post_init__(self) -> None:
        check(self)

    def substitutes(self, usages: Sequence[Usage], count: int = 100) -> list[Substitutes]:
        """The most likely words for each usage."""
        model = self.ngrams()
        unwanted: list[frozenset[str]] = [frozenset() if self.own else own_forms(usage) for usage in usages]
        if self.lemmas:
            allowed = np.flatnonzero(_allowed(model, self.letters))
            pairs = zip(usages, unwanted, strict=True)
            return [_lemmas(model, usage, asked(count), allowed, words) for usage, words in pairs]
        more = max((sum(word in model.numbers for word in words) for words in unwanted), default=0)
        gaps = [gap_of(usage, model.language) for usage in usages]
        found = fastsubs(model, gaps, asked(count) + more, _allowed(model, self.letters))
        return [_named(model, best, count, words) for best, words in zip(found, unwanted, strict=True)]

    def ngrams(self) -> NGrams:
        """The model itself, loaded when it is first asked for."""
        if not self.model:
            from polyseme.induce.substitutes.state_of_the_union import state_of_the_union

            return state_of_the_union()
        return loaded(self.model)


def loaded(folder: str) -> NGrams:
    """The model of a folder; it is read once, unless it changes."""
    return _loaded(folder, changed(folder))


@lru_cache(maxsize=2)
def _loaded(folder: str, _: int) -> NGrams:
    return NGrams.load(folder)


def gap_of(usage: Usage, language: str = "en") -> Gap:
    """The words of a usage's sentence before and after its target.

    >>> gap_of(Usage("1", "bank.n", "We waited. The Bank-note was gone.", 15, 19))
    Gap(left=('the',), right=('was', 'gone', '.'))
    """
    every = list(sentences(usage.text, language))
    here = [spans for spans in every if spans[0][0] < usage.end and usage.start < spans[-1][1]] or every
    spans = [span for each in here for span in each]
    left = tuple(usage.text[start:end].lower() for start, end in spans if end <= usage.start)
    return Gap(left, tuple(usage.text[start:end].lower() for start, end in spans if start >= usage.end))


def _allowed(model: NGrams, letters: bool) -> Allowed:
    allowed = permitted(model)
    return allowed & np.array([is_word(word) for word in model.words]) if letters else allowed


def _lemmas(model: NGrams, usage: Usage, count: int, allowed: NDArray[np.intp], but: frozenset[str]) -> Substitutes:
    """The likeliest lemmas, each with the probabilities of all its forms."""
    scores = every_score(model, gap_of(usage, model.language), allowed)
    weights = 10 ** (scores - scores.max(initial=-np.inf))
    words = lemmatised(Words(model.words, np.arange(len(model.words))), part_of_speech(usage))
    return Substitutes.of(summed(words, allowed, weights, count + len(but)), count, but)


def _named(model: NGrams, best: Best, count: int, but: frozenset[str]) -> Substitutes:
    weights = 10 ** (best.scores - best.scores.max(initial=-np.inf))
    named = {model.words[word]: weight for word, weight in zip(best.words.tolist(), weights.tolist(), strict=True)}
    return Substitutes.of(named, count, but)
