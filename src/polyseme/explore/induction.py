"""The work behind a page: to induce the senses of a word, and to find the dictionary's senses of its usages."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from polyseme.corpus.index import Index
from polyseme.errors import InputWarning
from polyseme.experiment.usual import by_language_model
from polyseme.explore import entries
from polyseme.explore.models import MOST
from polyseme.parts import build
from polyseme.portrait.of_index import passages_in, portrait_in
from polyseme.portrait.portrait import portrait_of
from polyseme.usage import Usage

if TYPE_CHECKING:
    from polyseme.disambiguate.model import DictionaryModel

WORDNET = "wordnet-3.1"
DISAMBIGUATOR = "Lesk(extended=True, prior=0.0)"
"""What looks senses up: by the words that tell them, without regard to how frequent the dictionary's senses are."""


@dataclass(frozen=True)
class Induce:
    """Induce the senses of a lemma, and keep them."""

    specification: str
    lemma: str
    place: Path
    most: int

    def done(self, index: Index) -> None:
        """Do it, unless it was done since somebody asked for it."""
        if entries.read(self.place) is not None:
            return
        inducer = build(self.specification, "inducer")
        with warnings.catch_warnings(action="ignore", category=InputWarning):
            if by_language_model(inducer):
                drawn = self._drawn(index)
                model = inducer.fit(index, [self.lemma], usages=drawn, processes=1)
                portrait = portrait_of(model, self.lemma, drawn)
            else:
                model = inducer.fit(index, [self.lemma], processes=1)
                portrait = portrait_in(index, model, self.lemma, most=self.most)
        entries.write(self.place, portrait, model)

    def _drawn(self, index: Index) -> list[Usage]:
        """Some of the usages that other models look at: two models are compared on those that both have seen."""
        return list(passages_in(index, self.lemma, most=MOST).sample(self.most).usages)


@dataclass(frozen=True)
class LookUp:
    """Find the dictionary's senses of usages, which stand for senses, and keep them in a file."""

    usages: tuple[Usage, ...]
    file: Path

    def done(self, index: Index) -> None:
        """Do it."""
        with warnings.catch_warnings(action="ignore", category=InputWarning):  # of a lemma that it has not got
            labelled = _dictionary().label(self.usages, processes=1)
        entries.write_labels(self.file, labelled)


@cache
def _dictionary() -> DictionaryModel:
    """What looks up; it is made once in a process."""
    from polyseme.disambiguate.model import DictionaryModel

    return DictionaryModel(build(DISAMBIGUATOR, "disambiguator"))
