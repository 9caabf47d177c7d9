"""Comparison of induced senses with the senses of a dictionary."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from polyseme.arrays import Floats
from polyseme.disambiguation.definitions import Definition
from polyseme.induction.sense_examples import CANDIDATES
from polyseme.inventory import Inventory, Sense
from polyseme.labelling import Labelling
from polyseme.lemma import POS_LETTERS, split_lemma, strip_pos
from polyseme.usage import Usage
from polyseme.words.examples import best_examples
from polyseme.words.profile import WordProfile

DISAMBIGUATOR = "Lesk(extended=True, prior=0.3, smoothing=0.01)"
"""Looks up induced senses by their descriptive words; it is fast, and needs WordNet only."""
LEAST_SHARE = 0.1
"""A dictionary sense matches an induced sense only if it has at least this share of it, ..."""
LEAST_RATIO = 1.25
"""... and only if that is at least this many times its share of all induced senses."""
WORDS = 30
"""The number of descriptive words that stand for an induced sense when it is looked up."""


class DictionaryMatch(NamedTuple):
    """A dictionary sense, its share of an induced sense, and the ratio of this share to its overall share."""

    sense: Sense
    share: float
    ratio: float


@dataclass(frozen=True, eq=False)
class DictionaryComparison:
    """The shares of the senses of a dictionary in induced senses.

    Args:
        induced: The induced senses, in the order of the profile.
        senses: The senses of the dictionary, in its order.
        table: A matrix of induced senses × dictionary senses: the share of the latter in the former.
        overall: The share of each dictionary sense in all induced senses together.
        definitions: The definitions of induced senses; none without a language model.
    """

    induced: tuple[Sense, ...]
    senses: tuple[Sense, ...]
    table: Floats
    overall: Floats
    definitions: tuple[Definition, ...] = ()

    def matches(self, sense: str, count: int = 2) -> list[DictionaryMatch]:
        """Find the dictionary senses that best match an induced sense.

        They are ranked by p log (p / q), with the share p in this sense and the overall share q: their contribution to
        the difference between the sense and the whole. So a sense that is frequent everywhere matches none.

        Args:
            sense: The id of the induced sense.
            count: The number of matches, at most.
        """
        row = self.table[self._row(sense)]
        ratio = np.divide(row, self.overall, out=np.ones_like(row), where=self.overall > 0)
        order = np.argsort(-row * np.log(np.maximum(ratio, 1e-9)), kind="stable").tolist()
        columns = [column for column in order if row[column] >= LEAST_SHARE and ratio[column] >= LEAST_RATIO]
        return [DictionaryMatch(self.senses[at], float(row[at]), float(ratio[at])) for at in columns[:count]]

    def definition(self, sense: str) -> Definition | None:
        """The definition of an induced sense; ``None`` if there is none.

        Args:
            sense: The id of the induced sense.
        """
        return next((definition for definition in self.definitions if definition.sense == sense), None)

    def _row(self, sense: str) -> int:
        return [induced.id for induced in self.induced].index(sense)

    @property
    def unmatched(self) -> tuple[Sense, ...]:
        """The dictionary senses that match no induced sense, and define none."""
        matched = {match.sense.id for sense in self.induced for match in self.matches(sense.id, len(self.senses))}
        matched |= {best.sense.id for definition in self.definitions if (best := definition.best)}
        return tuple(sense for sense in self.senses if sense.id not in matched)


def find_dictionary_senses(lemma: str, inventory: Inventory) -> tuple[Sense, ...]:
    """The dictionary senses of a lemma; of all parts of speech, if the lemma has none."""
    lemmas = [lemma] if lemma in inventory else [f"{lemma}.{pos}" for pos in POS_LETTERS]
    return tuple(sense for entry in lemmas for sense in inventory.get(entry, ()))


def make_description_usages(profile: WordProfile) -> list[Usage]:
    """Make one artificial usage for each sense, with the id of the sense: the word among its descriptive words.

    A sentence gives a disambiguator little evidence, and its answers to many sentences are mostly its prior. The
    descriptive words of a sense are what its usages have in common.
    """
    target, pos = split_lemma(profile.lemma)
    usages = []
    for sense in profile.senses:
        features = (feature for feature, _ in sense.features[:WORDS])
        words = dict.fromkeys(strip_pos(word) for feature in features for word in feature.split(" "))
        usages.append(Usage(sense.id, profile.lemma, f"{target}: {', '.join(words)}.", 0, len(target), pos=pos))
    return usages


def add_examples(profile: WordProfile) -> list[Sense]:
    """Add to each sense its best examples among the usages of the profile, by which it is defined."""
    return [
        replace(sense, usages=tuple(best_examples(profile, sense.id, candidates=CANDIDATES)))
        for sense in profile.senses
    ]


def compare_with_dictionary(
    profile: WordProfile, labelling: Labelling, senses: Sequence[Sense], definitions: Sequence[Definition] = ()
) -> DictionaryComparison:
    """Compare induced senses with a dictionary's, by the labels of their :func:`make_description_usages`.

    Args:
        profile: The induced senses.
        labelling: The dictionary senses of the description of each induced sense.
        senses: The senses of the dictionary.
        definitions: The definitions of the induced senses.
    """
    weights = _tabulate_weights(profile, labelling, senses)
    total = weights.sum(axis=1, keepdims=True)
    table = np.divide(weights, total, out=np.zeros_like(weights), where=total > 0)
    shares = np.where(total[:, 0] > 0, profile.shares, 0.0)  # senses without labels do not count
    overall = shares @ table / max(float(shares.sum()), 1e-12)
    return DictionaryComparison(profile.senses, tuple(senses), table, overall, tuple(definitions))


def _tabulate_weights(profile: WordProfile, labelling: Labelling, senses: Sequence[Sense]) -> Floats:
    """Tabulate labels of descriptions: induced senses × dictionary senses."""
    column = {sense.id: number for number, sense in enumerate(senses)}
    weights = np.zeros((len(profile.senses), len(senses)))
    for row, induced in enumerate(profile.senses):
        for sense, weight in labelling.get(induced.id, {}).items():
            if sense in column:
                weights[row, column[sense]] = weight
    return weights
