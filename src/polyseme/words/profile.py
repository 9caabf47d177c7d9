"""Word profiles: the usages of one word with the weighted senses that a model gives them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from polyseme.arrays import Floats, Ints
from polyseme.errors import InputError, count_noun, quote_value
from polyseme.induction.sense_examples import split_words
from polyseme.inventory import Sense
from polyseme.labelling import Labelling
from polyseme.usage import Usage

if TYPE_CHECKING:
    from polyseme.induction.model import SenseModel


@dataclass(frozen=True, eq=False)
class WordProfile:
    """The usages of one lemma and its senses, most frequent sense first.

    Args:
        lemma: The lemma.
        usages: Its usages, in the order of the corpus.
        labelling: The senses of the usages; usages that the model does not label are missing.
        senses: The senses, in descending order of their shares.
        model: The specification of the model.

    >>> usages = [Usage(f"u{n}", "bank.n", "the bank", 4, 8) for n in range(3)]
    >>> labelling = Labelling.from_dict({"u0": {"shore": 1}, "u1": {"money": 0.75, "shore": 0.25}}, lemma="bank.n")
    >>> senses = [Sense("money", "bank.n"), Sense("shore", "bank.n")]
    >>> profile = make_profile("bank.n", usages, labelling, senses, "by hand")
    >>> [sense.id for sense in profile.senses], profile.shares.tolist()
    (['shore', 'money'], [0.625, 0.375])
    >>> profile.main.tolist()
    [0, 1, -1]
    """

    lemma: str
    usages: tuple[Usage, ...]
    labelling: Labelling
    senses: tuple[Sense, ...]
    model: str

    def __repr__(self) -> str:
        sizes = f"{count_noun(len(self.usages), 'usage')}, {count_noun(len(self.senses), 'sense')}"
        return f"<WordProfile of {self.lemma}: {sizes}>"

    @cached_property
    def weights(self) -> Floats:
        """A matrix of usages × senses; the row of an unlabelled usage is all zeros."""
        column = {sense.id: number for number, sense in enumerate(self.senses)}
        weights = np.zeros((len(self.usages), len(self.senses)))
        for row, usage in enumerate(self.usages):
            for sense, weight in self.labelling.get(usage.id, {}).items():
                weights[row, column[sense]] = weight
        return weights

    @cached_property
    def labelled(self) -> Ints:
        """The rows of the labelled usages."""
        return np.flatnonzero(self.weights.any(axis=1))

    @cached_property
    def shares(self) -> Floats:
        """The mean weight of each sense over the labelled usages; the shares sum to 1."""
        shares: Floats = self.weights.sum(axis=0) / max(len(self.labelled), 1)
        return shares

    @cached_property
    def main(self) -> Ints:
        """The number of the heaviest sense of each usage; −1 for unlabelled usages."""
        if not self.senses:
            return np.full(len(self.usages), -1)
        return np.where(self.weights.any(axis=1), self.weights.argmax(axis=1), -1)

    @cached_property
    def ambiguity(self) -> Floats:
        """The entropy of each usage's weights in bits, −Σ w log₂ w: 0 for one sense, 1 for two even senses."""
        logs = np.log2(self.weights, out=np.zeros_like(self.weights), where=self.weights > 0)
        entropies: Floats = np.abs((self.weights * logs).sum(axis=1))
        return entropies

    @cached_property
    def words(self) -> tuple[frozenset[str], ...]:
        """The lower-case words of each usage's text."""
        return tuple(split_words(usage.text) for usage in self.usages)

    @cached_property
    def rows(self) -> dict[str, int]:
        """The row of each usage, by its id."""
        return {usage.id: row for row, usage in enumerate(self.usages)}

    def number(self, sense: str) -> int:
        """The position of a sense among the senses.

        Raises:
            InputError: The lemma has no such sense.
        """
        ids = [known_sense.id for known_sense in self.senses]
        if sense not in ids:
            raise InputError(f"{self.lemma} has no sense {quote_value(sense)}; it has {', '.join(ids) or 'none'}")
        return ids.index(sense)


def make_profile(
    lemma: str, usages: Iterable[Usage], labelling: Labelling, senses: Iterable[Sense], model: str
) -> WordProfile:
    """Build a profile: normalise the weights of each usage to sum 1, and sort the senses by share."""
    usages = tuple(usages)
    labelling = labelling.restrict(usage.id for usage in usages).normalise("sum")
    profile = WordProfile(lemma, usages, labelling, tuple(senses), model)
    order = np.argsort(-profile.shares, kind="stable").tolist()
    return replace(profile, senses=tuple(profile.senses[number] for number in order))


def profile_usages(model: SenseModel, lemma: str, usages: Iterable[Usage]) -> WordProfile:
    """Label usages of a lemma with a model; usages that spell the lemma otherwise are labelled as this lemma.

    Raises:
        InputError: The model has no senses of the lemma.
    """
    check_lemma(model, lemma)
    same_lemma = [usage if usage.lemma == lemma else replace(usage, lemma=lemma) for usage in usages]
    return make_profile(lemma, same_lemma, model.label(same_lemma), model.inventory[lemma], repr(model.inducer))


def check_lemma(model: SenseModel, lemma: str) -> None:
    """Raise an error if a model has no senses of a lemma."""
    if lemma not in model.inventory:
        raise InputError(f"the model has no senses of {quote_value(lemma)}; it has {', '.join(model.inventory)[:400]}")
