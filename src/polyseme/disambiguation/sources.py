"""The sources of a disambiguator: WordNet, an analyser of text, and sense-tagged text."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import cached_property
from typing import Any, TypeVar

from polyseme import wordnet
from polyseme.corpus.analysers import Analyser, as_analyser
from polyseme.disambiguation.dictionary_words import DictionaryReader
from polyseme.errors import InputError
from polyseme.formats.semcor import SenseTaggedUsage, extract_tagged_usages
from polyseme.wordnet.lexicon import WordNet

Value = TypeVar("Value")

SEMCOR, SEMCOR_WORDNET = "semcor-3.0", "3.0"
PREFIX_LENGTH = 40
"""How many letters at its start identify a sentence, whatever the spaces between its words."""


class Sources:
    """WordNet with everything that disambiguators derive from it; costly values are computed once.

    Args:
        version: A version of WordNet, or a WordNet.
        analysed_by: The analyser of text. Default: English.
        tagged: Usages, each with its sense keys, to learn from. Default: SemCor, which is loaded when a model needs it.
        unseen: Sentences from which nothing is learnt: a model that is tested on them must not know their senses. (Half
            of the usages that annotators rated for WSsim are from SemCor.)
    """

    def __init__(
        self,
        version: str | WordNet = "3.1",
        *,
        analysed_by: Analyser | None = None,
        tagged: Sequence[SenseTaggedUsage] | None = None,
        unseen: Collection[str] = (),
    ) -> None:
        self.wordnet = wordnet.load(version) if isinstance(version, str) else version
        self.analyser: Analyser = analysed_by or as_analyser("english")
        self.unseen = frozenset(map(_sentence_prefix, unseen))
        self._cache: dict[str, Any] = {}
        self._tagged = [] if tagged is None else [tagged]  # the whole text, once it is loaded
        columns = self.wordnet.columns
        if tagged and all(columns.key.find(key, columns.by_key) < 0 for _, senses in tagged for key in senses):
            problem = f"no tagged usage has a sense of WordNet {self.wordnet.version}; the first has {tagged[0][1]!r}"
            raise InputError(f"{problem}. The senses of a usage are a tuple of sense keys, as ('bank%1:14:00::',)")

    def cached(self, name: str, compute: Callable[[], Value]) -> Value:
        """Return a value by name, and compute it if it is not there yet."""
        if name not in self._cache:
            self._cache[name] = compute()
        value: Value = self._cache[name]
        return value

    def without(self, texts: Collection[str]) -> Sources:
        """Return the same sources without these sentences to learn from."""
        unseen = self.unseen.union(map(_sentence_prefix, texts))
        if unseen == self.unseen:
            return self
        other = Sources(self.wordnet, analysed_by=self.analyser)
        other.unseen, other._tagged = unseen, self._tagged
        return other

    @cached_property
    def reader(self) -> DictionaryReader:
        """The reader that finds the entries of WordNet in text."""
        return DictionaryReader(self.wordnet)

    @cached_property
    def tagged(self) -> Sequence[SenseTaggedUsage]:
        """Usages with the sense keys of this WordNet; senses that it lacks are dropped."""
        if not self._tagged:
            self._tagged.append(self._read_semcor())
        return [row for row in self._tagged[0] if not self.unseen or _sentence_prefix(row[0].text) not in self.unseen]

    def _read_semcor(self) -> Sequence[SenseTaggedUsage]:
        from polyseme.datasets import load

        usages = list(extract_tagged_usages(load(SEMCOR).sentences()))
        if self.wordnet.version == SEMCOR_WORDNET:
            return usages
        mapping = wordnet.map_sense_keys(wordnet.load(SEMCOR_WORDNET), self.wordnet)
        converted = [(usage, tuple(filter(None, map(mapping.key, senses)))) for usage, senses in usages]
        return [(usage, senses) for usage, senses in converted if senses]


def _sentence_prefix(text: str) -> str:
    """Return the first letters of a sentence.

    >>> _sentence_prefix("It 's a du Pont official ."), _sentence_prefix("It's a du Pont official.")
    ('itsadupontofficial', 'itsadupontofficial')
    """
    return "".join(filter(str.isalnum, text.lower()))[:PREFIX_LENGTH]
