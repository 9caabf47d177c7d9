"""A usage and what the dictionary says of a sense, compared by an encoder of sentences."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from math import inf
from typing import ClassVar, Literal

from polyseme.disambiguation.contexts import Context
from polyseme.disambiguation.encoding import SenseTextOptions, encode_senses, encode_usages
from polyseme.disambiguation.model import SenseWeigher, SenseWeights
from polyseme.disambiguation.sense_weights import (
    apply_temperature,
    context_cosines,
    read_dictionary_senses,
    split_rows_by_lemma,
    weigh_contexts,
)
from polyseme.disambiguation.sources import Sources
from polyseme.parts import FolderName, check_options, check_ranges
from polyseme.vectors.encoders import DEFAULT_ENCODER, SentenceEncoder, TokenEncoder


@dataclass(frozen=True)
class GlossSimilarity:
    """The cosine of an encoder's vector of a usage and that of what the dictionary says of a sense.

    Weights are exp(cosine / ``temperature``) · share ** ``prior``; with a temperature of 0, the cosine itself takes the
    place of the exponential. The share of a sense is (count + 1) / Σ (count + 1) in SemCor; ``prior=0`` leaves it out,
    and nothing is learnt from tagged text then. Of a sense, *bank: sloping land; on the bank* is encoded: with
    ``word`` the word itself, its definition, the ``examples`` and, before the colon, its ``synonyms``. Of a usage it is
    the ``target`` in its sentence, the mean of the pieces of it, or the ``text`` as a whole. The encoder is any of
    Hugging Face; one that is made for sentences serves best. (Reimers & Gurevych 2019; Luo et al. 2018 and Blevins &
    Zettlemoyer 2020 train encoders for this comparison; here nothing is trained)
    """

    kind: ClassVar[str] = "disambiguator"
    encoder: FolderName = DEFAULT_ENCODER
    usage: Literal["target", "text"] = "target"
    word: bool = True
    examples: bool = True
    synonyms: bool = False
    temperature: float = 0.1
    prior: float = 0.5
    layer: int = -1
    batch: int = 32

    def __post_init__(self) -> None:
        check_options(self)
        check_ranges(self, temperature=(0, inf), prior=(0, inf), layer=(-inf, -1), batch=(1, inf))

    def ready(self, sources: Sources, lemmas: Collection[str]) -> SenseWeigher:
        """What weighs the senses of these lemmas."""
        senses = read_dictionary_senses(sources.wordnet, lemmas)
        whole = SentenceEncoder(self.encoder, self.layer, batch=self.batch)
        reading = TokenEncoder(self.encoder, self.layer, False, batch=self.batch) if self.usage == "target" else whole
        told = SenseTextOptions(self.word, self.examples, self.synonyms)
        every = [sense for lemma in senses for sense in sources.wordnet[lemma]]
        glosses = split_rows_by_lemma(encode_senses(sources, whole, every, told), senses)

        def weigh(contexts: Sequence[Context]) -> Sequence[SenseWeights]:
            usages = encode_usages(sources, reading, [each.usage for each in contexts])
            likenesses = context_cosines(contexts, usages, glosses)
            return weigh_contexts(
                contexts, senses, likenesses, lambda each: apply_temperature(each, self.temperature), self.prior
            )

        return weigh
