"""A portrait: the usages of one word, with the senses that a model gives them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Protocol

import numpy as np

from polyseme.arrays import Floats, Ints
from polyseme.errors import InputError, quote_value
from polyseme.inventory import Inventory, Sense
from polyseme.labelling import Labelling
from polyseme.usage import Usage


class ProfileModel(Protocol):
    """What a portrait needs of a model: the senses it has learnt, and what it says of usages."""

    @property
    def inventory(self) -> Inventory:
        """The senses of each lemma."""
        ...

    @property
    def inducer(self) -> Any:
        """The specification by which they were learnt."""
        ...

    def label(self, usages: Iterable[Usage]) -> Labelling:
        """The senses of usages, with weights that sum to 1."""
        ...


@dataclass(frozen=True, eq=False)
class WordProfile:
    """Usages of one lemma, in the order of the corpus, and its senses, those with the greatest share first.

    A usage that the model says nothing of is not in ``labelling``.

    >>> usages = [Usage(f"u{n}", "bank.n", "the bank", 4, 8) for n in range(3)]
    >>> labelling = Labelling.from_dict({"u0": {"shore": 1}, "u1": {"money": 0.75, "shore": 0.25}}, lemma="bank.n")
    >>> senses = [Sense("money", "bank.n"), Sense("shore", "bank.n")]
    >>> portrait = make_profile("bank.n", usages, labelling, senses, "by hand")
    >>> [sense.id for sense in portrait.senses], portrait.shares.tolist()
    (['shore', 'money'], [0.625, 0.375])
    >>> portrait.main.tolist()
    [0, 1, -1]
    """

    lemma: str
    usages: tuple[Usage, ...]
    labelling: Labelling
    senses: tuple[Sense, ...]
    model: str

    @cached_property
    def weights(self) -> Floats:
        """Usages × senses; a row of zeros for a usage that is not labelled."""
        column = {sense.id: number for number, sense in enumerate(self.senses)}
        found = np.zeros((len(self.usages), len(self.senses)))
        for row, usage in enumerate(self.usages):
            for sense, weight in self.labelling.get(usage.id, {}).items():
                found[row, column[sense]] = weight
        return found

    @cached_property
    def labelled(self) -> Ints:
        """The rows of the usages that have a sense."""
        return np.flatnonzero(self.weights.any(axis=1))

    @cached_property
    def shares(self) -> Floats:
        """The mean weight of each sense over the labelled usages; they sum to 1."""
        found: Floats = self.weights.sum(axis=0) / max(len(self.labelled), 1)
        return found

    @cached_property
    def main(self) -> Ints:
        """For each usage the number of its heaviest sense; −1 if it has none."""
        if not self.senses:
            return np.full(len(self.usages), -1)
        return np.where(self.weights.any(axis=1), self.weights.argmax(axis=1), -1)

    @cached_property
    def ambiguity(self) -> Floats:
        """The entropy of each usage's weights in bits, −Σ w log₂ w: 0 for one sense, 1 where two are even."""
        logs = np.log2(self.weights, out=np.zeros_like(self.weights), where=self.weights > 0)
        found: Floats = np.abs((self.weights * logs).sum(axis=1))
        return found

    @cached_property
    def words(self) -> tuple[frozenset[str], ...]:
        """The words of each usage's text, as they are written, in small letters."""
        return tuple(frozenset(re.findall(r"\w+", usage.text.lower())) for usage in self.usages)

    def number(self, sense: str) -> int:
        """The place of a sense among the senses; an error if there is no such sense."""
        names = [each.id for each in self.senses]
        if sense not in names:
            raise InputError(f"{self.lemma} has no sense {quote_value(sense)}; it has {', '.join(names) or 'none'}")
        return names.index(sense)


def make_profile(
    lemma: str, usages: Iterable[Usage], labelling: Labelling, senses: Iterable[Sense], model: str
) -> WordProfile:
    """The portrait of these usages; weights are divided by their sums, and senses put in order."""
    given = tuple(usages)
    known = labelling.restrict(usage.id for usage in given).normalise("sum")
    found = WordProfile(lemma, given, known, tuple(senses), model)
    order = np.argsort(-found.shares, kind="stable").tolist()
    return replace(found, senses=tuple(found.senses[place] for place in order))


def profile_usages(model: ProfileModel, lemma: str, usages: Iterable[Usage]) -> WordProfile:
    """What a model says of usages of a lemma, however the lemma is written there."""
    senses = model.inventory.get(lemma)
    if senses is None:
        raise InputError(f"the model has no senses of {quote_value(lemma)}; it has {', '.join(model.inventory)[:400]}")
    given = [usage if usage.lemma == lemma else replace(usage, lemma=lemma) for usage in usages]
    return make_profile(lemma, given, model.label(given), senses, repr(model.inducer))
