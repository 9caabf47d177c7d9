"""Induced senses beside those of a dictionary."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from polyseme.arrays import Floats
from polyseme.inventory import Sense
from polyseme.labelling import Labelling
from polyseme.usage import Usage
from polyseme.words.profile import WordProfile

LEAST_SHARE = 0.1
"""A sense of the dictionary matches an induced one if it has this share of it, or more, ..."""
LEAST_RATIO = 1.25
"""... and if that is so many times its share of all induced senses, or more."""
WORDS = 30
"""So many words that tell an induced sense stand for it where it is looked up as a whole."""


class DictionaryMatch(NamedTuple):
    """A sense of the dictionary, its share of an induced one, and how many times that is its share of them all."""

    sense: Sense
    share: float
    ratio: float


@dataclass(frozen=True, eq=False)
class DictionaryComparison:
    """Induced senses × senses of a dictionary: the share of each of the latter in each of the former.

    ``overall`` are the shares of the dictionary's senses in all induced senses together, as far as the dictionary says
    something of them. Both sides keep their order:
    the portrait's, and the dictionary's.
    """

    induced: tuple[Sense, ...]
    senses: tuple[Sense, ...]
    table: Floats
    overall: Floats

    def matches(self, sense: str, count: int = 2) -> list[DictionaryMatch]:
        """The dictionary's senses that an induced one matches best; none, if nothing tells it from the others.

        They are ranked by p log (p / q), with the share p in this sense and q in all: what they contribute to the
        difference between the sense and the whole. So one that is frequent everywhere is a match of none.
        """
        row = self.table[[each.id for each in self.induced].index(sense)]
        ratio = np.divide(row, self.overall, out=np.ones_like(row), where=self.overall > 0)
        telling = row * np.log(np.maximum(ratio, 1e-9))
        places = [
            at
            for at in np.argsort(-telling, kind="stable").tolist()
            if row[at] >= LEAST_SHARE and ratio[at] >= LEAST_RATIO
        ]
        return [DictionaryMatch(self.senses[at], float(row[at]), float(ratio[at])) for at in places[:count]]

    @property
    def unmatched(self) -> tuple[Sense, ...]:
        """The dictionary's senses that are a match of no induced one."""
        every = len(self.senses)
        known = {match.sense.id for sense in self.induced for match in self.matches(sense.id, every)}
        return tuple(sense for sense in self.senses if sense.id not in known)


def compare_labels_with_dictionary(
    portrait: WordProfile, labelled: Labelling, senses: Sequence[Sense]
) -> DictionaryComparison:
    """How the portrait's senses relate to a dictionary's, by usages that are labelled with these, too.

    Of an induced sense s with weights w and a sense d of the dictionary with weights v, both summing to 1 in a usage,
    the share is Σ w(s) v(d) / Σ w(s) over usages. A sample of the usages will do.
    """
    rows = [row for row in portrait.labelled.tolist() if portrait.usages[row].id in labelled]
    theirs = _dictionary_weights([portrait.usages[row].id for row in rows], labelled, senses)
    return _compare(portrait, portrait.weights[rows], theirs, senses)


def make_description_usages(portrait: WordProfile) -> list[Usage]:
    """For each sense a made-up usage, called after it: the word among the words that tell the sense.

    A sentence tells a disambiguator little, and what it makes of many sentences is mostly what it expects of any. The
    words that tell a sense are what its usages have in common.
    """
    target = portrait.lemma.rpartition(".")[0] or portrait.lemma
    made = []
    for sense in portrait.senses:
        words = dict.fromkeys(
            part.rpartition(".")[0] or part for feature, _ in sense.features[:WORDS] for part in feature.split(" ")
        )
        text = f"{target}: {', '.join(words)}."
        made.append(Usage(sense.id, portrait.lemma, text, 0, len(target), pos=portrait.lemma.rpartition(".")[2]))
    return made


def compare_descriptions_with_dictionary(
    portrait: WordProfile, labelled: Labelling, senses: Sequence[Sense]
) -> DictionaryComparison:
    """How the portrait's senses relate to a dictionary's, by what a disambiguator says of :func:`telling_usages`."""
    names = [sense.id for sense in portrait.senses]
    return _compare(portrait, np.diag(portrait.shares), _dictionary_weights(names, labelled, senses), senses)


def _dictionary_weights(usages: Sequence[str], labelled: Labelling, senses: Sequence[Sense]) -> Floats:
    """Usages × senses of the dictionary: weights that sum to 1 in each row, or are all 0."""
    column = {sense.id: number for number, sense in enumerate(senses)}
    found = np.zeros((len(usages), len(senses)))
    for row, usage in enumerate(usages):
        for sense, weight in labelled.get(usage, {}).items():
            if sense in column:
                found[row, column[sense]] = weight
    total = found.sum(axis=1, keepdims=True)
    shares: Floats = np.divide(found, total, out=np.zeros_like(found), where=total > 0)
    return shares


def _compare(portrait: WordProfile, ours: Floats, theirs: Floats, senses: Sequence[Sense]) -> DictionaryComparison:
    """From usages × induced senses and usages × senses of the dictionary; usages without one of these do not count."""
    known = theirs.any(axis=1)
    ours, theirs = ours[known], theirs[known]
    sizes, joint = ours.sum(axis=0)[:, None], ours.T @ theirs
    table = np.divide(joint, sizes, out=np.zeros_like(joint), where=sizes > 0)
    overall = joint.sum(axis=0) / max(float(sizes.sum()), 1e-12)
    return DictionaryComparison(portrait.senses, tuple(senses), table, overall)
