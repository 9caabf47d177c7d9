"""Vectors of the forms of words, the target's among them, for systems without lemmas."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from polyseme.corpus.passages import Passages, analyse_passages
from polyseme.corpus.simple_analyser import Simple
from polyseme.parts import CheckedOptions
from polyseme.vectors.bag_of_words import Bag
from polyseme.vectors.context_vectors import SecondOrder
from polyseme.vectors.representation import (
    FittedRepresentation,
    Matrix,
    Representation,
    RepresentationState,
    inner_state,
    prefix_state,
)

STOP_WORD_MARK = "·"
"""The mark before stop words: a representation ignores words that do not begin with a letter."""


@dataclass(frozen=True)
class SurfaceForms(CheckedOptions):
    """Another representation, computed from lower-case word forms instead of lemmas.

    The form of the target is a word like the others: *house* and *houses* are two. It reads the texts of usages, not
    their analysed passages. (Purandare & Pedersen 2004)

    Args:
        of: The representation of these words.
        stop: Whether English stop words, those of scikit-learn, are left out; they still separate other words.
    """

    kind: ClassVar[str] = "representation"
    reads_text: ClassVar[bool] = True
    of: Representation = SecondOrder(Bag(minimum=2, stop=0), by="bigram")
    stop: bool = True

    def fit(self, passages: Passages) -> FittedSurfaceForms:
        """Learn from the texts of usages."""
        return FittedSurfaceForms(self, self.of.fit(self.read(passages)))

    def restore(self, state: RepresentationState) -> FittedSurfaceForms:
        """Rebuild the inner representation from its state."""
        return FittedSurfaceForms(self, self.of.restore(inner_state(state, "of")))

    def read(self, passages: Passages) -> Passages:
        """The words of the texts; none of them is a target."""
        from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

        if not len(passages):
            return passages
        usages = [replace(usage, lemma="") for usage in passages.usages]
        (forms,) = analyse_passages(usages, Simple(lemmatise=False), processes=1).values()
        stop_words = ENGLISH_STOP_WORDS if self.stop else ()
        words = tuple(STOP_WORD_MARK + word if word in stop_words else word for word in forms.words)
        return Passages(passages.usages, words, forms.tokens, forms.starts, np.full(len(usages), -1))


@dataclass(frozen=True, eq=False)
class FittedSurfaceForms:
    """A fitted representation of the forms of words."""

    spec: SurfaceForms
    inner: FittedRepresentation

    @property
    def state(self) -> RepresentationState:
        """The state of the inner representation."""
        return prefix_state(self.inner.state, "of")

    def __call__(self, passages: Passages) -> Matrix:
        """Usages × dimensions."""
        return self.inner(self.spec.read(passages))
