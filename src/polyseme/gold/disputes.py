"""The items on which annotators differ most: where adjudication begins."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np

from polyseme.agreement.judgements import Judgements, collect_judgements
from polyseme.arrays import Floats, Ints, count_at, sum_at
from polyseme.gold.adjudication import apply_adjudications
from polyseme.gold.choices import are_choices, number_usages
from polyseme.rating import Item, Ratings

UNDECIDED_MARK, NOTHING_CHOSEN = "?", "nothing"
"""The answers of annotators who could not decide, and who chose no sense."""


class DisputedItem(NamedTuple):
    """An item on which annotators differ. For choices, the item is the usage, and its target is empty.

    Args:
        item: The item.
        dispute: Σ (value − mean)² / (n + 1) of n ratings, or the entropy of choices in bits times n / (n + 1): two
            annotators who differ weigh less than ten who do.
        judged: How many annotators decided.
        answers: The rating of each annotator, or the senses chosen; ``?`` if undecided, ``nothing`` if none was chosen.
        comments: The comments of annotators who wrote one.
    """

    item: Item
    dispute: float
    judged: int
    answers: Mapping[str, str]
    comments: Mapping[str, str]


def find_disputed_items(ratings: Ratings, most: int | None = None) -> tuple[DisputedItem, ...]:
    """Find the items on which annotators differ, the most disputed first; of equal ones, the one judged first.

    Items that a manager has decided are left out.

    Args:
        ratings: The ratings.
        most: The greatest number of items; by default all.

    >>> from polyseme.rating import Rating
    >>> rows = [("ann", "a", 5), ("bob", "a", 4), ("ann", "b", 5), ("bob", "b", 1), ("ann", "c", 1), ("bob", "c", 1)]
    >>> ratings = Ratings(Rating(name, "WSsim", "win.v", "u", sense, value) for name, sense, value in rows)
    >>> [(item.item.target, round(item.dispute, 2), item.answers) for item in find_disputed_items(ratings)]
    [('b', 2.67, {'ann': '5', 'bob': '1'}), ('a', 0.17, {'ann': '5', 'bob': '4'})]
    """
    ratings = apply_adjudications(ratings).judgements
    judgements = collect_judgements(ratings)
    if are_choices(judgements):
        usages, usage = number_usages(judgements)
        items = [Item(judgements.items[0].task, lemma, name, "") for lemma, name in usages]
        dispute, judged = _choice_disputes(judgements, usage, len(usages))
    else:
        items, judged = list(judgements.items), judgements.judged
        squares = (judgements.value - judgements.means[judgements.item]) ** 2
        dispute = sum_at(judgements.item, squares, len(items)) / (judged + 1)
    order = np.argsort(-dispute, kind="stable")[:most].tolist()
    disputed = {items[number]: number for number in order if dispute[number] > 0}
    answers, comments = _collect_answers(ratings, disputed)
    return tuple(
        DisputedItem(item, float(dispute[number]), int(judged[number]), answers[item], comments[item])
        for item, number in disputed.items()
    )


def _choice_disputes(judgements: Judgements, usage: Ints, usages: int) -> tuple[Floats, Ints]:
    """Compute the entropy of each usage's choices, where several choices of an annotator share one vote."""
    people = max(1, len(judgements.annotators))
    pair = usage[judgements.item] * people + judgements.annotator
    is_chosen = judgements.value > 0
    _, number, choices = np.unique(pair[is_chosen], return_inverse=True, return_counts=True)
    votes = sum_at(judgements.item[is_chosen], 1 / choices[number], len(judgements.items))
    judged = count_at(np.unique(pair) // people, usages)
    probability = votes / np.maximum(sum_at(usage, votes, usages)[usage], 1e-12)
    terms = np.where(probability > 0, -probability * np.log2(np.maximum(probability, 1e-300)), 0.0)
    return sum_at(usage, terms, usages) * judged / (judged + 1), judged


Texts = dict[Item, dict[str, str]]


def _collect_answers(ratings: Ratings, items: Iterable[Item]) -> tuple[Texts, Texts]:
    """Collect what each annotator answered and commented; of several answers the last."""
    values: dict[Item, dict[str, dict[str, float]]] = {item: {} for item in items}
    comments: Texts = {item: {} for item in values}
    for row in ratings:
        item = next((alias for alias in _item_aliases(row.item) if alias in values), None)
        if row.role or item is None:
            continue
        values[item].setdefault(row.annotator, {})[row.target if not item.target else ""] = row.value
        if row.comment:
            comments[item][row.annotator] = row.comment
    answers: Texts = {}
    for item, by_annotator in values.items():
        answers[item] = {name: _format_answer(item, answer) for name, answer in by_annotator.items()}
    return answers, comments


def _item_aliases(item: Item) -> tuple[Item, Item, Item]:
    """Return the item itself, as a pair in the other order, and as a usage whose senses are chosen."""
    return item, item._replace(usage=item.target, target=item.usage), item._replace(target="")


def _format_answer(item: Item, values: Mapping[str, float]) -> str:
    """Format a rating, or the senses that an annotator chose."""
    if all(map(math.isnan, values.values())):
        return UNDECIDED_MARK
    if item.target:
        return f"{values['']:g}"
    return ", ".join(sense for sense, value in values.items() if value > 0) or NOTHING_CHOSEN
