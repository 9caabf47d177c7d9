"""The work behind a page: to induce the senses of a word, and to find the dictionary's senses of its usages."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from polyseme.corpus.index import Index
from polyseme.errors import InputWarning
from polyseme.explore import entries
from polyseme.parts import build
from polyseme.portrait.of_index import portrait_in
from polyseme.usage import Usage

if TYPE_CHECKING:
    from polyseme.disambiguate.model import DictionaryModel

MOST = 2000
"""So many usages of a word are looked at, drawn at random."""

WORDNET = "wordnet-3.1"
DISAMBIGUATOR = "Lesk(extended=True, prior=0.0)"
"""What looks senses up: by the words that tell them, without regard to how frequent the dictionary's senses are."""


@dataclass(frozen=True)
class Induce:
    """Induce the senses of a lemma, and keep them."""

    specification: str
    lemma: str
    place: Path
    most: int = MOST

    def done(self, index: Index) -> None:
        """Do it, unless it was done since somebody asked for it."""
        if entries.read(self.place) is not None:
            return
        with warnings.catch_warnings(action="ignore", category=InputWarning):
            model = build(self.specification, "inducer").fit(index, [self.lemma], processes=1)
            portrait = portrait_in(index, model, self.lemma, most=self.most)
        entries.write(self.place, portrait, model)


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
