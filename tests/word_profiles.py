"""Profiles of an invented word, whose figures can be checked by hand."""

from collections.abc import Sequence

from polyseme.inventory import Sense
from polyseme.labelling import Labelling
from polyseme.usage import Usage
from polyseme.words.profile import WordProfile, make_profile

PIPELINE = "Pipeline(represent=Bag(minimum=2, weighting='tfidf', stop=0), number=2, sentences=1)"
"""A stochastic inducer."""
USAGE_CLUSTERS = "Pipeline(Bag(minimum=2, stop=0), cluster=Agglomerative(), number=2, sentences=1, on='usages')"
"""A deterministic inducer that clusters the usages it labels."""

LENDING = "The {} lends money to the merchant, with interest every year."
RIVER = "We sat on the {} of the river, and watched the water flow by."


def usage(number: int, text: str, lemma: str = "bank.n", **meta: object) -> Usage:
    """A usage of *bank*; braces mark the target."""
    start = text.index("{}")
    return Usage(f"u{number}", lemma, text.replace("{}", "bank"), start, start + 4, "n", meta)


def bank_profile(weights: Sequence[tuple[float, float]], usages: Sequence[Usage]) -> WordProfile:
    """A profile of *bank*: for each usage the weights of money and of shore; none where both are 0."""
    senses = [
        Sense("bank.n.s1", "bank.n", features=(("money.n", 9.0), ("loan.n", 5.0), ("interest.n", 2.0))),
        Sense("bank.n.s2", "bank.n", features=(("river.n", 8.0), ("water.n", 4.0), ("be.v", 3.0))),
    ]
    labels = {
        usage.id: {sense.id: weight for sense, weight in zip(senses, row, strict=True) if weight}
        for usage, row in zip(usages, weights, strict=True)
    }
    return make_profile("bank.n", usages, Labelling.from_dict(labels, lemma="bank.n"), senses, "by hand")


def changing_profile(count: int = 60, *, changes: bool = True) -> WordProfile:
    """*bank* from 1800 on, one usage a document: first a shore, then money.

    Without ``changes``, the two senses alternate.
    """
    usages, weights = [], []
    for number in range(count):
        money = number >= count // 2 if changes else number % 2 == 0
        text = f"{LENDING if money else RIVER} Number {number} w{number % 7} x{number % 5} y{number % 11}."
        usages.append(usage(number, text, document=f"d{number}", date=f"{1800 + 2 * number}-05-01", author="A. Smith"))
        weights.append((0.9, 0.1) if money else (0.2, 0.8))
    return bank_profile(weights, usages)
