"""The tasks behind pages: inducing the senses of a word, and looking senses up in a dictionary."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from polyseme.corpus.index import Index
from polyseme.errors import InputWarning
from polyseme.explorer.profile_cache import has_profile, write_labels, write_profile
from polyseme.induction.defaults import uses_language_model
from polyseme.parts import build
from polyseme.usage import Usage
from polyseme.words.dictionary import DISAMBIGUATOR
from polyseme.words.index_profiles import profile_in_index, sample_passages
from polyseme.words.profile import profile_usages

if TYPE_CHECKING:
    from polyseme.disambiguation.model import DictionaryModel

WORDNET = "wordnet-3.1"


@dataclass(frozen=True)
class InductionTask:
    """Induce the senses of a lemma, and store them.

    Args:
        specification: The specification of the inducer.
        lemma: The lemma.
        path: The entry of the cache.
        limit: The number of usages, at most.
    """

    specification: str
    lemma: str
    path: Path
    limit: int

    @property
    def topic(self) -> str:
        """The lemma: the answers of a language model about its usages serve models with other options, too."""
        return self.lemma

    def run(self, index: Index) -> None:
        """Induce the senses, unless another process has done it."""
        if has_profile(self.path):
            return
        inducer = build(self.specification, "inducer")
        with warnings.catch_warnings(action="ignore", category=InputWarning):
            if uses_language_model(inducer):
                sample = sample_passages(index, self.lemma, limit=self.limit)
                model = inducer.fit(index, [self.lemma], usages=list(sample.usages), processes=1)
                profile = profile_usages(model, self.lemma, sample.usages)
            else:
                model = inducer.fit(index, [self.lemma], processes=1)
                profile = profile_in_index(index, model, self.lemma, limit=self.limit)
        write_profile(self.path, profile, model)


@dataclass(frozen=True)
class DictionaryTask:
    """Look up the dictionary senses of usages that stand for induced senses, and store them.

    Args:
        usages: The usages.
        file: The file of the labels.
        disambiguator: The specification of the disambiguator.
    """

    usages: tuple[Usage, ...]
    file: Path
    disambiguator: str = DISAMBIGUATOR

    @property
    def topic(self) -> str:
        """The dictionary, which takes long to open."""
        return WORDNET

    def run(self, index: Index) -> None:
        """Look the senses up."""
        with warnings.catch_warnings(action="ignore", category=InputWarning):  # of a lemma that it does not have
            labelling = _dictionary_model(self.disambiguator).weigh(self.usages, processes=1)
        write_labels(self.file, labelling)


@cache
def _dictionary_model(specification: str) -> DictionaryModel:
    from polyseme.disambiguation.model import DictionaryModel

    return DictionaryModel(build(specification, "disambiguator"))
