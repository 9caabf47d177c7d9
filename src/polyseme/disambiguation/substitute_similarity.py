"""The substitutes of a usage, compared with those of the senses of its lemma."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import hypot, inf, sqrt
from typing import ClassVar

from polyseme.arrays import Floats
from polyseme.disambiguation.contexts import Context
from polyseme.disambiguation.model import Disambiguator, SenseWeigher
from polyseme.disambiguation.sense_weights import (
    apply_temperature,
    context_cosines,
    read_dictionary_senses,
    similarity_weigher,
    split_rows_by_lemma,
)
from polyseme.disambiguation.sources import Sources
from polyseme.errors import InputError
from polyseme.induction.substitution import Substitution
from polyseme.inventory import Sense
from polyseme.lemma import replace_underscores, strip_pos
from polyseme.lm.language_model import SMALL_MODEL, download_model, predicts_words
from polyseme.lm.patterns import check_pattern
from polyseme.matrices import hstack_blocks
from polyseme.parts import FolderName, Ranges
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
"""Relations to synsets whose words can be substitutes."""

WeightedWords = Mapping[str, float]


@dataclass(frozen=True)
class SubstituteSimilarity(Disambiguator):
    """The cosine between a usage's substitutes and those of a sense, from its gloss and its synonyms.

    (After McCarthy & Navigli 2009, who use substitutes as annotations of senses, and Amrami & Goldberg 2019)

    A masked language model proposes substitutes for the target, without its own forms. For a sense it proposes
    substitutes for the word before its gloss, *bank: sloping land*; the synonyms of the sense and the words of synsets
    nearby are added. Weights are exp(cosine / ``temperature``) · share ** ``prior``, with the share of the sense in
    SemCor.

    Args:
        model: A masked language model; an encoder is refused, see
            :class:`~polyseme.disambiguation.gloss_similarity.GlossSimilarity`.
        patterns: The patterns for substitutes; their probabilities are summed.
        count: How many of the likeliest lemmas are used.
        power: The exponent of their probabilities.
        glosses: The weight of the substitutes in glosses.
        synonyms: The weight of synonyms.
        related: The weight of the words of synsets nearby; a synonym has 1.
        vectors: The weight of the cosine of the model's vectors of the word, in the usage and before the gloss; the
            cosine of substitutes has 1.
        temperature: The temperature; with 0, the cosine replaces the exponential.
        prior: The exponent of the share; with 0, nothing is learnt from tagged text.
    """

    ranges: ClassVar[Ranges] = {"count": (1, inf)} | dict.fromkeys(
        ("power", "glosses", "synonyms", "related", "vectors", "temperature", "prior"), (0, inf)
    )
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
        super().__post_init__()
        for pattern in self.patterns:
            check_pattern(pattern)

    def prepare(self, sources: Sources, lemmas: Collection[str]) -> SenseWeigher:
        """Prepare to weigh the senses of these lemmas.

        Raises:
            InputError: The model is an encoder, which predicts no words.
        """
        download_model(self.model)
        if not predicts_words(self.model):
            problem = f"{self.model!r} is an encoder and cannot predict words, which SubstituteSimilarity compares"
            raise InputError(f"{problem}; name a masked language model, or use GlossSimilarity(encoder={self.model!r})")
        senses = read_dictionary_senses(sources.wordnet, lemmas)
        listed = [sense for lemma in senses for sense in sources.wordnet[lemma]]
        bags = self._describe_senses(sources.wordnet, listed)
        columns = {word: number for number, word in enumerate(dict.fromkeys(word for bag in bags for word in bag))}
        matrix = self._add_vectors(bags_to_matrix(bags, columns), list(map(_gloss_usage, listed)))
        by_lemma = split_rows_by_lemma(matrix, senses)

        def similarities(contexts: Sequence[Context]) -> list[Floats]:
            usages = [context.usage for context in contexts]
            rows = self._add_vectors(bags_to_matrix(self._find_substitutes(usages), columns), usages)
            return context_cosines(contexts, rows, by_lemma)

        return similarity_weigher(
            senses, similarities, partial(apply_temperature, temperature=self.temperature), self.prior
        )

    def _find_substitutes(self, usages: Sequence[Usage]) -> list[dict[str, float]]:
        """Return the substitutes of usages, summed over the patterns."""
        bags: list[dict[str, float]] = [{} for _ in usages]
        for part in Substitution(self.model, self.patterns, self.count, self.power).substitute_vectors():
            for bag, substitutes in zip(bags, part.weigh_substitutes(usages), strict=True):
                for word, weight in substitutes.items():
                    bag[word] = bag.get(word, 0.0) + weight
        return [_to_unit_length(bag) for bag in bags]

    def _add_vectors(self, bags: Matrix, usages: Sequence[Usage]) -> Matrix:
        """Put vectors beside substitutes, so that the product of two rows is the mean of the cosines."""
        if not self.vectors:
            return bags
        vectors, total = TokenEncoder(self.model, centred=False).vectors(usages), 1 + self.vectors
        return hstack_blocks([bags * sqrt(1 / total), vectors * sqrt(self.vectors / total)])

    def _describe_senses(self, wordnet: WordNet, senses: Sequence[Sense]) -> list[WeightedWords]:
        """Return the words of senses: substitutes before their glosses, synonyms, and words of synsets nearby."""
        empty: list[dict[str, float]] = [{}] * len(senses)
        glosses = self._find_substitutes(list(map(_gloss_usage, senses))) if self.glosses else empty
        related_words = [_to_unit_length(self._near_words(wordnet, sense)) for sense in senses]
        return [
            _to_unit_length(
                {word: self.glosses * one.get(word, 0) + self.synonyms * other.get(word, 0) for word in one | other}
            )
            for one, other in zip(glosses, related_words, strict=True)
        ]

    def _near_words(self, wordnet: WordNet, sense: Sense) -> WeightedWords:
        """Return the synonyms of a sense, and the words of synsets nearby."""
        synset = wordnet.synset(wordnet.columns.sense_synset[wordnet.sense_row(sense.id)])
        words = (word for related in wordnet.related(synset, NEAR_RELATIONS) for word in related.words)
        weights = dict.fromkeys(_single_words(words), self.related)
        weights |= dict.fromkeys(_single_words(sense.synonyms), 1.0)
        weights.pop(strip_pos(sense.lemma), None)
        return weights


def _gloss_usage(sense: Sense) -> Usage:
    """Return the word before its gloss, as a usage."""
    word = replace_underscores(strip_pos(sense.lemma))
    return Usage(sense.id, sense.lemma, f"{word}: {sense.gloss}", 0, len(word))


def _single_words(words: Iterable[str]) -> list[str]:
    """Select single words, in lower case."""
    return [word.lower() for word in words if "_" not in word and " " not in word]


def _to_unit_length(bag: WeightedWords) -> dict[str, float]:
    """Scale a bag to length 1; an empty one stays empty.

    >>> _to_unit_length({"shore": 3.0, "edge": 4.0})
    {'shore': 0.6, 'edge': 0.8}
    """
    length = hypot(*bag.values())
    return {word: weight / length for word, weight in bag.items() if weight}
