"""The mistakes of a model: the error of each usage, the worst usages, and the senses that it confuses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from polyseme.experiments.scored_rows import ScoredRow, ScoredRows
from polyseme.inventory import Inventory
from polyseme.labelling import Labelling
from polyseme.reports.results import Confusion, FailedUsage, Mistakes

EXAMPLES_PER_LEMMA = 2
"""The most examples of a lemma, so that others are shown too."""
MAX_CONFUSIONS = 15
"""The number of pairs of senses to show."""
MINIMUM_ERROR = 0.5
"""The least error of an example."""

Weights = Mapping[str, float]


def wrongness(gold: Weights, answer: Weights) -> float:
    """Return the share of the weight on other senses than gold's: 1 − Σ min(gold, answer), where both sum to 1.

    >>> wrongness({"a": 0.5, "b": 0.5}, {"b": 1.0})
    0.5
    """
    return max(0.0, 1.0 - sum(min(weight, answer.get(sense, 0.0)) for sense, weight in gold.items()))


def collect_mistakes(run: ScoredRows, scored: ScoredRow, count: int) -> Mistakes:
    """Collect the mistakes of a row on the usages of gold; usages without an answer are only counted."""
    gold = run.gold.normalise("sum")
    answers = run.map_to_gold(scored).normalise("sum")
    failures = []
    for usage in gold:
        if usage in answers and usage in run.usages:
            senses, answer = _sort_senses(gold, usage), _sort_senses(answers, usage)
            failures.append(FailedUsage(run.usages[usage], senses, answer, wrongness(senses, answer)))
    examples, confusions = list(_select_worst(failures, count)), _find_confusions(failures)
    return Mistakes(
        errors=[failure.error for failure in failures],
        unanswered=len(gold) - len(failures),
        examples=examples,
        confusions=confusions,
        glosses=_collect_glosses(run.inventory, examples, confusions),
        mapped=run.maps_senses,
    )


def _sort_senses(labelling: Labelling, usage: str) -> dict[str, float]:
    """Return the senses that have a weight, the heaviest first."""
    senses = [(sense, weight) for sense, weight in labelling[usage].items() if weight > 0]
    return dict(sorted(senses, key=lambda pair: -pair[1]))


def _select_worst(failures: list[FailedUsage], count: int) -> Iterator[FailedUsage]:
    """Yield the worst usages, a few of each lemma; of equals those with the most certain gold and answer first."""

    def rank(failure: FailedUsage) -> tuple[float, float, str]:
        certainty = max(failure.gold.values(), default=0.0) * max(failure.answer.values(), default=0.0)
        return -round(failure.error, 9), -round(certainty, 9), failure.usage.id

    counts: Counter[str] = Counter()
    for failure in sorted(failures, key=rank):
        if counts.total() == count or failure.error < MINIMUM_ERROR:
            return
        if counts[failure.usage.lemma] < EXAMPLES_PER_LEMMA:
            counts[failure.usage.lemma] += 1
            yield failure


def _find_confusions(failures: list[FailedUsage]) -> list[Confusion]:
    """Return the pairs of senses with the most weight on the second instead of the first."""
    weights: dict[tuple[str, str, str], list[float]] = {}
    for failure in failures:
        for gold, answer, weight in misplaced_weight(failure.gold, failure.answer):
            weights.setdefault((failure.usage.lemma, gold, answer), []).append(weight)
    heaviest = sorted(weights.items(), key=lambda pair: (-sum(pair[1]), pair[0]))[:MAX_CONFUSIONS]
    return [Confusion(*names, sum(values), len(values)) for names, values in heaviest]


def misplaced_weight(gold: Weights, answer: Weights) -> Iterator[tuple[str, str, float]]:
    """Yield how much of the weight that the answer lacks goes to which sense, in proportion to the excess weights.

    >>> list(misplaced_weight({"a": 0.75, "b": 0.25}, {"b": 1.0}))
    [('a', 'b', 0.75)]
    """
    excess = {sense: weight - gold.get(sense, 0.0) for sense, weight in answer.items() if weight > gold.get(sense, 0.0)}
    total = sum(excess.values())
    for sense, weight in gold.items():
        lack = weight - answer.get(sense, 0.0)
        if lack > 1e-9 and total:
            yield from ((sense, other, lack * extra / total) for other, extra in excess.items())


def _collect_glosses(
    inventory: Inventory | None, examples: list[FailedUsage], confusions: list[Confusion]
) -> dict[tuple[str, str], str]:
    """Return the glosses of the senses in examples and confusions."""
    if inventory is None:
        return {}
    names = {(failure.usage.lemma, sense) for failure in examples for sense in (*failure.gold, *failure.answer)}
    names |= {(pair.lemma, sense) for pair in confusions for sense in (pair.gold, pair.answer)}
    glosses = {
        (lemma, sense.id): sense.gloss for lemma in {lemma for lemma, _ in names} for sense in inventory.get(lemma, ())
    }
    return {name: glosses[name] for name in names if glosses.get(name)}
