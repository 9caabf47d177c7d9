"""What a model gets wrong: how far each usage, which usages most, and which senses it takes for which."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from polyseme.experiments.rescoring import RescoredRun, ScoredRow
from polyseme.inventory import Inventory
from polyseme.labelling import Labelling
from polyseme.reports.results import Confusion, FailedUsage, Mistakes

A_LEMMA = 2
"""How many examples a lemma may have, so that others are seen too."""
CONFUSIONS = 15
"""How many pairs of senses are shown."""
LEAST = 0.5
"""From where on a usage is wrong enough to be an example."""

Weights = Mapping[str, float]


def wrongness(gold: Weights, answer: Weights) -> float:
    """The share of the weight that is on other senses than gold's: 1 − Σ min(gold, answer), where both sum to 1.

    >>> wrongness({"a": 0.5, "b": 0.5}, {"b": 1.0})
    0.5
    """
    return max(0.0, 1.0 - sum(min(weight, answer.get(sense, 0.0)) for sense, weight in gold.items()))


def collect_mistakes(given: RescoredRun, scored: ScoredRow, count: int) -> Mistakes:
    """The mistakes of a row on the usages of gold; of those that it did not label it is only said how many they are."""
    gold = given.gold.normalise("sum")
    answer = given.in_gold_senses(scored).normalise("sum")
    every = [
        FailedUsage(given.usages[usage], _shares(gold, usage), _shares(answer, usage), 1.0)
        for usage in gold
        if usage in answer and usage in given.usages
    ]
    every = [each._replace(wrong=wrongness(each.gold, each.answer)) for each in every]
    examples, confusions = list(_worst(every, count)), _confusions(every)
    return Mistakes(
        wrong=[each.wrong for each in every],
        unanswered=len(gold) - len(every),
        examples=examples,
        confusions=confusions,
        glosses=_glosses(given.inventory, examples, confusions),
        mapped=not given.named,
    )


def _shares(labelling: Labelling, usage: str) -> dict[str, float]:
    """The senses that have a weight, the heaviest first."""
    senses = [(sense, weight) for sense, weight in labelling[usage].items() if weight > 0]
    return dict(sorted(senses, key=lambda each: -each[1]))


def _worst(every: list[FailedUsage], count: int) -> Iterator[FailedUsage]:
    """The worst, a few of each lemma; of those that are alike, those of which both sides are surest."""

    def key(each: FailedUsage) -> tuple[float, float, str]:
        sure = max(each.gold.values(), default=0.0) * max(each.answer.values(), default=0.0)
        return -round(each.wrong, 9), -round(sure, 9), each.usage.id

    taken: dict[str, int] = {}
    for each in sorted(every, key=key):
        if sum(taken.values()) == count or each.wrong < LEAST:
            return
        if taken.get(each.usage.lemma, 0) < A_LEMMA:
            taken[each.usage.lemma] = taken.get(each.usage.lemma, 0) + 1
            yield each


def _confusions(every: list[FailedUsage]) -> list[Confusion]:
    """The pairs of senses with the most weight on the second instead of the first."""
    found: dict[tuple[str, str, str], list[float]] = {}
    for each in every:
        for gold, answer, weight in misplaced_weight(each.gold, each.answer):
            found.setdefault((each.usage.lemma, gold, answer), []).append(weight)
    most = sorted(found.items(), key=lambda pair: (-sum(pair[1]), pair[0]))[:CONFUSIONS]
    return [Confusion(*names, sum(weights), len(weights)) for names, weights in most]


def misplaced_weight(gold: Weights, answer: Weights) -> Iterator[tuple[str, str, float]]:
    """How much of the weight that gold has and the answer lacks went where: shared out over what is too heavy.

    >>> list(misplaced_weight({"a": 0.75, "b": 0.25}, {"b": 1.0}))
    [('a', 'b', 0.75)]
    """
    heavy = {sense: weight - gold.get(sense, 0.0) for sense, weight in answer.items() if weight > gold.get(sense, 0.0)}
    too_much = sum(heavy.values())
    for sense, weight in gold.items():
        lack = weight - answer.get(sense, 0.0)
        if lack > 1e-9 and too_much:
            yield from ((sense, other, lack * extra / too_much) for other, extra in heavy.items())


def _glosses(
    inventory: Inventory | None, examples: list[FailedUsage], confusions: list[Confusion]
) -> dict[tuple[str, str], str]:
    """What a dictionary says of the senses that are shown."""
    if inventory is None:
        return {}
    named = {(each.usage.lemma, sense) for each in examples for sense in (*each.gold, *each.answer)}
    named |= {(each.lemma, sense) for each in confusions for sense in (each.gold, each.answer)}
    found = {
        lemma: {sense.id: sense.gloss for sense in inventory.get(lemma, ())} for lemma in {each[0] for each in named}
    }
    return {(lemma, sense): found[lemma][sense] for lemma, sense in named if found[lemma].get(sense)}
