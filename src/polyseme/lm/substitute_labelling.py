"""Substitutes of many usages as a labelling: what systems answer in lexical substitution."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence

from polyseme.inventory import Inventory
from polyseme.labelling import Labelling
from polyseme.lm.substitutes import Substituter, Substitutes
from polyseme.usage import Usage

USAGE_BATCH = 64
"""Of how many usages all words are in memory at a time."""

CANDIDATE_DEPTH = 50_000
"""Among how many of the likeliest words candidates are looked for."""

ShowLabelling = Callable[[int], object]


def label_with_substitutes(
    substituter: Substituter,
    usages: Sequence[Usage],
    count: int = 10,
    candidates: Inventory | None = None,
    show: ShowLabelling = lambda _: None,
) -> Labelling:
    """Label each usage with the words that could stand in its target's place, weighted by their probability.

    Args:
        substituter: What is asked for substitutes.
        usages: The usages; one without substitutes is left out.
        count: How many of the likeliest words to list.
        candidates: Words to list as well, however unlikely, as senses of the usage's lemma, so that they can be
            ranked. Those that the substituter does not know, expressions of several words among them, are left out.
        show: Called with the number of usages done.
    """
    return Labelling(_label_batches(substituter, usages, count, candidates, show))


def _label_batches(
    substituter: Substituter, usages: Sequence[Usage], count: int, candidates: Inventory | None, show: ShowLabelling
) -> Iterator[tuple[str, str, dict[str, float]]]:
    for start in range(0, len(usages), USAGE_BATCH):
        batch = usages[start : start + USAGE_BATCH]
        answers = substituter.substitutes(batch, count if candidates is None else max(count, CANDIDATE_DEPTH))
        for usage, answer in zip(batch, answers, strict=True):
            words = {sense.id for sense in candidates.get(usage.lemma, ())} if candidates is not None else ()
            yield usage.lemma, usage.id, _select_words(answer, count, words)
        show(start + len(batch))


def _select_words(answer: Substitutes, count: int, candidates: Collection[str]) -> dict[str, float]:
    """The likeliest words and the candidates with their probabilities, the likeliest first.

    >>> _select_words(Substitutes.of({"shop": 5.0, "loan": 4.0, "shore": 1.0}, 3), 1, {"shore", "river side"})
    {'shop': 0.5, 'shore': 0.1}
    """
    ranking = enumerate(zip(answer.words, answer.probabilities.tolist(), strict=True))
    return {word: share for place, (word, share) in ranking if place < count or word in candidates}
