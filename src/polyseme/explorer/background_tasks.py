"""The work behind a page: to induce the senses of a word, and to find the dictionary's senses of its usages."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from polyseme.corpus.index import Index
from polyseme.errors import InputWarning
from polyseme.explorer import profile_cache
from polyseme.explorer.models import SAMPLED_USAGES
from polyseme.induction.defaults import uses_language_model
from polyseme.parts import build
from polyseme.usage import Usage
from polyseme.words.index_profiles import profile_in_index, sample_passages
from polyseme.words.profile import profile_usages

if TYPE_CHECKING:
    from polyseme.disambiguation.model import DictionaryModel

WORDNET = "wordnet-3.1"
DISAMBIGUATOR = "Lesk(extended=True, prior=0.0)"
"""What looks senses up: by the words that tell them, without regard to how frequent the dictionary's senses are."""


@dataclass(frozen=True)
class InductionTask:
    """Induce the senses of a lemma, and keep them."""

    specification: str
    lemma: str
    place: Path
    most: int

    def done(self, index: Index) -> None:
        """Do it, unless it was done since somebody asked for it."""
        if profile_cache.read_profile(self.place) is not None:
            return
        inducer = build(self.specification, "inducer")
        with warnings.catch_warnings(action="ignore", category=InputWarning):
            if uses_language_model(inducer):
                drawn = self._drawn(index)
                model = inducer.fit(index, [self.lemma], usages=drawn, processes=1)
                portrait = profile_usages(model, self.lemma, drawn)
            else:
                model = inducer.fit(index, [self.lemma], processes=1)
                portrait = profile_in_index(index, model, self.lemma, most=self.most)
        profile_cache.write_profile(self.place, portrait, model)

    def _drawn(self, index: Index) -> list[Usage]:
        """Some of the usages that other models look at: two models are compared on those that both have seen."""
        return list(sample_passages(index, self.lemma, most=SAMPLED_USAGES).sample(self.most).usages)


@dataclass(frozen=True)
class DictionaryTask:
    """Find the dictionary's senses of usages, which stand for senses, and keep them in a file."""

    usages: tuple[Usage, ...]
    file: Path

    def done(self, index: Index) -> None:
        """Do it."""
        with warnings.catch_warnings(action="ignore", category=InputWarning):  # of a lemma that it has not got
            labelled = _dictionary_model().label(self.usages, processes=1)
        profile_cache.write_labels(self.file, labelled)


@cache
def _dictionary_model() -> DictionaryModel:
    """What looks up; it is made once in a process."""
    from polyseme.disambiguation.model import DictionaryModel

    return DictionaryModel(build(DISAMBIGUATOR, "disambiguator"))
