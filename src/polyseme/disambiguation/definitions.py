"""Definitions of induced senses: how probable each sense of WordNet is, and that none of them fits."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import inf, log
from typing import ClassVar, NamedTuple

import numpy as np

from polyseme.arrays import Floats
from polyseme.disambiguation.model import DictionaryModel
from polyseme.disambiguation.sense_weights import read_entry_senses
from polyseme.inventory import Sense
from polyseme.labelling import Labelling
from polyseme.parts import CheckedOptions, Ranges
from polyseme.usage import Usage
from polyseme.wordnet.lexicon import WordNet

SIMILARITY = "SubstituteSimilarity(temperature=0, prior=0)"
"""Measures how similar the examples of an induced sense and the senses of WordNet are: a cosine."""

PRINTED_PROBABILITY = 0.1
"""A ``repr`` lists the senses with at least this probability."""


class DefinitionCandidate(NamedTuple):
    """A sense of WordNet, and the probability that a usage of the induced sense has it."""

    sense: Sense
    probability: float


@dataclass(frozen=True)
class Definition:
    """The senses of WordNet that an induced sense may be.

    Args:
        sense: The id of the induced sense.
        lemma: Its lemma.
        candidates: The senses that WordNet has for the lemma, the most probable first.
        none: The probability that none of them fits: 1 if WordNet lacks the lemma.

    >>> slope = Sense("bank%1:17:01::", "bank.n", "sloping land")
    >>> Definition("bank.n.s1", "bank.n", (DefinitionCandidate(slope, 0.81),), 0.19)
    <Definition of bank.n.s1: bank%1:17:01:: 0.81, none 0.19>
    """

    sense: str
    lemma: str
    candidates: tuple[DefinitionCandidate, ...]
    none: float

    @property
    def best(self) -> DefinitionCandidate | None:
        """The most probable sense; ``None`` if it is more probable that none fits."""
        first = next(iter(self.candidates), None)
        return first if first and first.probability > self.none else None

    def __repr__(self) -> str:
        likely = [row for row in self.candidates if row.probability >= PRINTED_PROBABILITY]
        senses = [f"{sense.id} {probability:.2f}" for sense, probability in likely]
        return f"<Definition of {self.sense}: {', '.join([*senses, f'none {self.none:.2f}'])}>"


@dataclass(frozen=True)
class GlossProbability(CheckedOptions):
    """The probability that a usage of an induced sense has a sense of WordNet.

    The examples of the induced sense have the mean cosine c with a sense of WordNet, by :data:`SIMILARITY`. Its share
    q is (count + 1) / Σ (count + 1) in SemCor, and the lemma has n senses. Then

        p ∝ exp(``slope`` · c) · (n · q) ** ``prior``,    p(none) ∝ exp(``none``) · ``missing`` / (1 − ``missing``)

    This is a conditional logit, whose outside option is that no sense of WordNet fits (McFadden 1974). The values are
    for the small model; ``bench/definitions.py fit`` learns them from the development lemmas of SemCor-WSI. There each
    induced sense counts once with all senses of WordNet, and once without its own. ``missing`` corrects for the share
    of senses that WordNet lacks (Saerens, Latinne & Decaestecker 2002). It is an assumption about your texts.

    Args:
        slope: The weight of the cosine.
        prior: The exponent of the share; with 0, nothing is learnt from tagged text.
        none: The log-odds that no sense fits.
        missing: The share of induced senses that are expected not to be in WordNet.

    >>> GlossProbability(slope=8, prior=0.5, none=3)(np.array([0.6, 0.3]), np.array([0.5, 0.5])).round(2).tolist()
    [0.9, 0.08, 0.02]
    """

    ranges: ClassVar[Ranges] = {
        "slope": (0, inf),
        "prior": (0, inf),
        "none": (-inf, inf),
        "missing": (0.001, 0.999),
    }
    slope: float = 8.99
    prior: float = 0.715
    none: float = 4.074
    missing: float = 0.1

    def __call__(self, cosines: Floats, shares: Floats) -> Floats:
        """Return the probability of each sense, and as the last one that none fits.

        Args:
            cosines: The cosine of each sense of the lemma.
            shares: Their shares, which sum to 1.
        """
        evidence = self.slope * cosines + self.prior * np.log(len(shares) * np.maximum(shares, 1e-12))
        odds = np.append(evidence, self.none + log(self.missing / (1 - self.missing)))
        weights = np.exp(odds - odds.max())
        probabilities: Floats = weights / weights.sum()
        return probabilities

    def define(self, senses: Iterable[Sense], cosines: Labelling, wordnet: WordNet) -> list[Definition]:
        """Define induced senses.

        Args:
            senses: The induced senses.
            cosines: The cosines of their :func:`list_example_usages` by :data:`SIMILARITY`, as
                :meth:`.DictionaryModel.weigh` gives them.
            wordnet: The WordNet of these cosines.

        Returns:
            A definition of each sense that has examples.
        """
        return [self._define_sense(sense, cosines, wordnet) for sense in senses if sense.usages]

    def define_by(self, model: DictionaryModel, senses: Sequence[Sense]) -> list[Definition]:
        """Define induced senses by a model of :data:`SIMILARITY`."""
        return self.define(senses, model.weigh(list_example_usages(senses), processes=1), model.sources.wordnet)

    def _define_sense(self, sense: Sense, cosines: Labelling, wordnet: WordNet) -> Definition:
        rows = [row for usage in list_example_usages([sense]) if (row := cosines.get(usage.id))]
        if not rows:
            return Definition(sense.id, sense.lemma, (), 1.0)
        entry = wordnet.by_key(next(iter(rows[0]))).lemma
        senses = read_entry_senses(wordnet, entry)
        means = np.array([[row.get(key, 0.0) for key in senses.keys] for row in rows]).mean(axis=0)
        *probabilities, none = self(means, senses.shares()).tolist()
        candidates = map(DefinitionCandidate, map(wordnet.by_key, senses.keys), probabilities)
        ranked = sorted(candidates, key=lambda row: -row.probability)
        return Definition(sense.id, sense.lemma, tuple(ranked), none)


def list_example_usages(senses: Iterable[Sense]) -> list[Usage]:
    """List the examples of senses as usages of their own, with the number of the example in their id.

    >>> example = Usage("u7", "bank.n", "the bank", 4, 8)
    >>> [usage.id for usage in list_example_usages([Sense("bank.n.s1", "bank.n", usages=(example,))])]
    ['bank.n bank.n.s1 1']
    """
    return [
        Usage(f"{sense.lemma} {sense.id} {number}", sense.lemma, usage.text, usage.start, usage.end, usage.pos)
        for sense in senses
        for number, usage in enumerate(sense.usages, start=1)
    ]
