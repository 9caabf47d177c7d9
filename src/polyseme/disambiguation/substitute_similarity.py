"""What could stand in a word's place, compared with what the dictionary says of its senses."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import hypot, inf, sqrt
from typing import ClassVar

from polyseme.disambiguation.contexts import Context
from polyseme.disambiguation.model import SenseWeigher, SenseWeights
from polyseme.disambiguation.sense_weights import (
    apply_temperature,
    context_cosines,
    read_dictionary_senses,
    split_rows_by_lemma,
    weigh_contexts,
)
from polyseme.disambiguation.sources import Sources
from polyseme.induction.substitution import Substitution
from polyseme.inventory import Sense
from polyseme.lm.language_model import SMALL_MODEL
from polyseme.lm.patterns import check_pattern
from polyseme.matrices import hstack_blocks
from polyseme.parts import FolderName, check_options, check_ranges
from polyseme.usage import Usage
from polyseme.vectors.encoders import TokenEncoder
from polyseme.vectors.representation import Matrix
from polyseme.vectors.substitute_vectors import bags_to_matrix
from polyseme.wordnet.lexicon import WordNet

NEAR_RELATIONS = (
    "hypernym",
    "hyponym",
    "instance hypernym",
    "similar to",
    "also see",
    "verb group",
    "derivation",
    "pertainym",
)
"""Relations to synsets whose words could stand in a word's place."""

WeightedWords = Mapping[str, float]


@dataclass(frozen=True)
class SubstituteSimilarity:
    """The cosine of a usage's substitutes and of those of a sense, from its gloss and from its synonyms.

    (After McCarthy & Navigli 2009, who give substitutes as annotations of senses, and Amrami & Goldberg 2019)

    A masked language ``model`` is asked with each of the ``patterns`` for the ``count`` likeliest lemmas, but for the
    target's own; their probabilities are raised to ``power`` and summed. Of a sense it is asked in the same way what
    could stand in place of the word before its gloss, *bank: sloping land*; and the sense has its synonyms, and the
    words of synsets nearby, which count ``related`` times as much. ``glosses`` and ``synonyms`` say what each of the
    two is worth, ``vectors`` what the cosine of the model's own vectors of the word is worth, in the usage and before
    the gloss, beside the cosine of substitutes. Weights are exp(cosine / ``temperature``) · share ** ``prior``, with
    the share of the sense in SemCor; with ``prior=0`` nothing is learnt from tagged text.
    """

    kind: ClassVar[str] = "disambiguator"
    model: FolderName = SMALL_MODEL
    patterns: tuple[str, ...] = ("T (or even _)",)
    count: int = 100
    power: float = 0.5
    glosses: float = 1.0
    synonyms: float = 1.0
    related: float = 0.5
    vectors: float = 1.0
    temperature: float = 0.1
    prior: float = 0.5

    def __post_init__(self) -> None:
        check_options(self)
        check_ranges(self, count=(1, inf), power=(0, inf), glosses=(0, inf), synonyms=(0, inf), related=(0, inf))
        check_ranges(self, vectors=(0, inf), temperature=(0, inf), prior=(0, inf))
        for pattern in self.patterns:
            check_pattern(pattern)

    def ready(self, sources: Sources, lemmas: Collection[str]) -> SenseWeigher:
        """What weighs the senses of these lemmas."""
        senses = read_dictionary_senses(sources.wordnet, lemmas)
        every = [sense for lemma in senses for sense in sources.wordnet[lemma]]
        bags = self._told(sources.wordnet, every)
        columns = {word: at for at, word in enumerate(dict.fromkeys(word for bag in bags for word in bag))}
        told = split_rows_by_lemma(
            self._joined(bags_to_matrix(bags, columns), [_gloss_usage(sense) for sense in every]), senses
        )

        def weigh(contexts: Sequence[Context]) -> Sequence[SenseWeights]:
            usages = [each.usage for each in contexts]
            likenesses = context_cosines(
                contexts, self._joined(bags_to_matrix(self._asked(usages), columns), usages), told
            )
            return weigh_contexts(
                contexts, senses, likenesses, lambda each: apply_temperature(each, self.temperature), self.prior
            )

        return weigh

    def _asked(self, usages: Sequence[Usage]) -> list[dict[str, float]]:
        """The substitutes of usages: the sum over the patterns."""
        found: list[dict[str, float]] = [{} for _ in usages]
        for part in Substitution(self.model, self.patterns, self.count, self.power).substitute_vectors():
            for bag, said in zip(found, part.found(usages), strict=True):
                for word, weight in said.items():
                    bag[word] = bag.get(word, 0.0) + weight
        return [_to_unit_length(bag) for bag in found]

    def _joined(self, bags: Matrix, usages: Sequence[Usage]) -> Matrix:
        """Substitutes beside vectors, so that the product of two rows is the mean of the cosines."""
        if not self.vectors:
            return bags
        vectors, whole = TokenEncoder(self.model, centred=False).vectors(usages), 1 + self.vectors
        return hstack_blocks([bags * sqrt(1 / whole), vectors * sqrt(self.vectors / whole)])

    def _told(self, wordnet: WordNet, senses: Sequence[Sense]) -> list[WeightedWords]:
        """The words of senses: what could stand before their glosses, their synonyms and those nearby."""
        none: list[dict[str, float]] = [{}] * len(senses)
        glosses = self._asked([_gloss_usage(sense) for sense in senses]) if self.glosses else none
        near = [_to_unit_length(self._near(wordnet, sense)) for sense in senses]
        return [
            _to_unit_length(
                {word: self.glosses * one.get(word, 0) + self.synonyms * other.get(word, 0) for word in one | other}
            )
            for one, other in zip(glosses, near, strict=True)
        ]

    def _near(self, wordnet: WordNet, sense: Sense) -> WeightedWords:
        """The synonyms of a sense, and the words of synsets nearby."""
        synset = wordnet.synset(wordnet.columns.sense_synset[wordnet.sense_row(sense.id)])
        words = (word for near in wordnet.related(synset, NEAR_RELATIONS) for word in near.words)
        found = dict.fromkeys(_single_words(words), self.related)
        found |= dict.fromkeys(_single_words(sense.synonyms), 1.0)
        found.pop(sense.lemma.rpartition(".")[0], None)
        return found


def _gloss_usage(sense: Sense) -> Usage:
    """The word before its gloss, as a usage of it."""
    word = sense.lemma.rpartition(".")[0].replace("_", " ")
    return Usage(sense.id, sense.lemma, f"{word}: {sense.gloss}", 0, len(word))


def _single_words(words: Iterable[str]) -> list[str]:
    """Those that are one word, in small letters."""
    return [word.lower() for word in words if "_" not in word and " " not in word]


def _to_unit_length(bag: WeightedWords) -> dict[str, float]:
    """A bag of length 1; an empty one stays empty.

    >>> _to_unit_length({"shore": 3.0, "edge": 4.0})
    {'shore': 0.6, 'edge': 0.8}
    """
    length = hypot(*bag.values())
    return {word: weight / length for word, weight in bag.items() if weight}
