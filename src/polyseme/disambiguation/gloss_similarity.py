"""Usages compared with the dictionary's descriptions of senses, by a sentence encoder."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import partial
from math import inf
from typing import ClassVar, Literal

from polyseme.arrays import Floats
from polyseme.disambiguation.contexts import Context
from polyseme.disambiguation.encoding import SenseTextOptions, encode_senses, encode_usages
from polyseme.disambiguation.model import Disambiguator, SenseWeigher
from polyseme.disambiguation.sense_weights import (
    apply_temperature,
    context_cosines,
    read_dictionary_senses,
    similarity_weigher,
    split_rows_by_lemma,
)
from polyseme.disambiguation.sources import Sources
from polyseme.parts import FolderName, Ranges
from polyseme.vectors.encoders import DEFAULT_ENCODER, SentenceEncoder, TokenEncoder


@dataclass(frozen=True)
class GlossSimilarity(Disambiguator):
    """The cosine between an encoder's vectors of a usage and of the dictionary's description of a sense.

    Weights are exp(cosine / ``temperature``) · share ** ``prior``. The share of a sense is (count + 1) / Σ (count + 1)
    in SemCor. The description reads *bank: sloping land; on the bank*. (Reimers & Gurevych 2019; Luo et al. 2018 and
    Blevins & Zettlemoyer 2020 train encoders for this comparison; here nothing is trained)

    Args:
        encoder: A model of Hugging Face; one for sentences works best.
        usage: What is encoded of a usage: the ``target`` in its sentence, as the mean of its pieces, or the whole
            ``text``.
        word: Whether the description starts with the word.
        examples: Whether the description has the examples.
        synonyms: Whether the synonyms precede the colon.
        temperature: The temperature; with 0, the cosine replaces the exponential.
        prior: The exponent of the share; with 0, nothing is learnt from tagged text.
        layer: The layer of the encoder, from −1, the last, downwards.
        batch: How many texts are encoded at a time.
    """

    ranges: ClassVar[Ranges] = {"temperature": (0, inf), "prior": (0, inf), "layer": (-inf, -1), "batch": (1, inf)}
    encoder: FolderName = DEFAULT_ENCODER
    usage: Literal["target", "text"] = "target"
    word: bool = True
    examples: bool = True
    synonyms: bool = False
    temperature: float = 0.1
    prior: float = 0.5
    layer: int = -1
    batch: int = 32

    def prepare(self, sources: Sources, lemmas: Collection[str]) -> SenseWeigher:
        """Prepare to weigh the senses of these lemmas."""
        senses = read_dictionary_senses(sources.wordnet, lemmas)
        sentence = SentenceEncoder(self.encoder, self.layer, batch=self.batch, pooling="mean")
        token = TokenEncoder(self.encoder, self.layer, False, batch=self.batch)
        options = SenseTextOptions(self.word, self.examples, self.synonyms)
        listed = [sense for lemma in senses for sense in sources.wordnet[lemma]]
        glosses = split_rows_by_lemma(encode_senses(sources, sentence, listed, options), senses)

        def similarities(contexts: Sequence[Context]) -> list[Floats]:
            encoder = token if self.usage == "target" else sentence
            usages = encode_usages(sources, encoder, [context.usage for context in contexts])
            return context_cosines(contexts, usages, glosses)

        return similarity_weigher(
            senses, similarities, partial(apply_temperature, temperature=self.temperature), self.prior
        )
