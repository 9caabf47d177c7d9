"""What a disambiguator may ask: WordNet, an analyser of text, and text that is tagged with senses."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cached_property
from typing import Any

from polyseme import wordnet
from polyseme.corpus.analysers import Analyser, as_analyser
from polyseme.disambiguation.dictionary_words import DictionaryReader
from polyseme.formats.semcor import SenseTaggedUsage, extract_tagged_usages
from polyseme.wordnet.lexicon import WordNet

SEMCOR, SEMCOR_WORDNET = "semcor-3.0", "3.0"
PREFIX_LENGTH = 40
"""By so many letters at its start a sentence is known again, however its words are spaced."""


class Sources:
    """WordNet with all that models make of it; what is costly is made when it is first asked for, and kept.

    ``tagged`` is sense-tagged text to learn from; without it, SemCor is loaded when a model wants some. Nothing is
    learnt from the sentences in ``unseen``: a model that is tested on them must not know their senses. (Half of the
    usages that people rated for WSsim are of SemCor.)
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
        self.made: dict[str, Any] = {}
        """What models keep here, under names of their own: graphs, vectors of glosses."""
        self._tagged = [] if tagged is None else [tagged]  # the whole text, once it is loaded
        self.unseen = frozenset(map(_sentence_prefix, unseen))

    def without(self, texts: Collection[str]) -> Sources:
        """The same sources, where nothing is learnt from these sentences either."""
        unseen = self.unseen.union(map(_sentence_prefix, texts))
        if unseen == self.unseen:
            return self
        other = Sources(self.wordnet, analysed_by=self.analyser)
        other.unseen, other._tagged = unseen, self._tagged
        return other

    @cached_property
    def reader(self) -> DictionaryReader:
        """What finds the entries of WordNet in text."""
        return DictionaryReader(self.wordnet)

    @cached_property
    def tagged(self) -> Sequence[SenseTaggedUsage]:
        """Usages with their senses, by the sense keys of this WordNet; those that it has not got are left out."""
        if not self._tagged:
            self._tagged.append(self._of_semcor())
        return [
            each for each in self._tagged[0] if not self.unseen or _sentence_prefix(each[0].text) not in self.unseen
        ]

    def _of_semcor(self) -> Sequence[SenseTaggedUsage]:
        from polyseme.datasets import load

        found = list(extract_tagged_usages(load(SEMCOR).sentences()))
        if self.wordnet.version == SEMCOR_WORDNET:
            return found
        carried = wordnet.map_sense_keys(wordnet.load(SEMCOR_WORDNET), self.wordnet)
        kept = [(usage, tuple(filter(None, map(carried.key, senses)))) for usage, senses in found]
        return [(usage, senses) for usage, senses in kept if senses]


def _sentence_prefix(text: str) -> str:
    """The letters with which a sentence starts.

    >>> _sentence_prefix("It 's a du Pont official ."), _sentence_prefix("It's a du Pont official.")
    ('itsadupontofficial', 'itsadupontofficial')
    """
    return "".join(filter(str.isalnum, text.lower()))[:PREFIX_LENGTH]
