"""Substitutes of many usages as a labelling: the answer of a system in lexical substitution."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from polyseme.inventory import Inventory
from polyseme.labelling import Labelling, LabellingRow
from polyseme.lm.substitutes import Substituter, Substitutes
from polyseme.usage import Usage

USAGE_BATCH = 64
"""The usages whose words are in memory at a time."""

CANDIDATE_DEPTH = 50_000
"""How many of the likeliest words are searched for candidates."""

ShowLabelling = Callable[[int], object]


def label_with_substitutes(
    substituter: Substituter,
    usages: Sequence[Usage],
    count: int = 10,
    candidates: Inventory | None = None,
    show: ShowLabelling = lambda _: None,
) -> Labelling:
    """Label each usage with the words that could replace its target, weighted by their probability.

    Args:
        substituter: Finds the substitutes.
        usages: The usages; one without substitutes is left out.
        count: How many of the likeliest words to list.
        candidates: Words to list as well, however unlikely, as senses of the usage's lemma, so that they can be
            ranked. Those that the substituter does not know, expressions of several words among them, are left out.
        show: Called with the number of usages done.
    """
    rows: list[LabellingRow] = []
    for start in range(0, len(usages), USAGE_BATCH):
        batch = usages[start : start + USAGE_BATCH]
        results = substituter.substitutes(batch, count if candidates is None else max(count, CANDIDATE_DEPTH))
        for usage, substitutes in zip(batch, results, strict=True):
            words = {sense.id for sense in candidates.get(usage.lemma, ())} if candidates is not None else ()
            rows.append((usage.lemma, usage.id, _select_words(substitutes, count, words)))
        show(start + len(batch))
    return Labelling(rows)


def _select_words(substitutes: Substitutes, count: int, candidates: Collection[str]) -> dict[str, float]:
    """Select the likeliest words and the candidates, the likeliest first.

    >>> substitutes = Substitutes.from_weights({"shop": 5.0, "loan": 4.0, "shore": 1.0}, 3)
    >>> _select_words(substitutes, 1, {"shore", "river side"})
    {'shop': 0.5, 'shore': 0.1}
    """
    ranking = enumerate(zip(substitutes.words, substitutes.probabilities.tolist(), strict=True))
    return {word: share for rank, (word, share) in ranking if rank < count or word in candidates}
