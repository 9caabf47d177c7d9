"""The items on which annotators are farthest apart: where an adjudicator begins."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np

from polyseme.agreement.judgements import Judgements, collect_judgements
from polyseme.arrays import Floats, Ints, count_at, sum_at
from polyseme.gold.choices import are_choices, number_usages
from polyseme.rating import Item, Ratings


class DisputedItem(NamedTuple):
    """An item on which annotators differ, with what each said.

    Of choices the item is the usage, its target is empty, and what each said is the senses chosen.
    """

    item: Item
    dispute: float
    """Σ (value − mean)² / (n + 1) of n ratings, or the entropy of choices in bits times n / (n + 1): two annotators who
    differ weigh less than ten who do."""
    judged: int
    """How many annotators decided."""
    said: Mapping[str, str]
    """Annotator → rating, or senses chosen; ``?`` if undecided, ``nothing`` if none was chosen."""
    comments: Mapping[str, str]
    """Annotator → comment, of those who wrote one."""


UNDECIDED_MARK = "?"
NOTHING_CHOSEN = "nothing"
"""What who chose none of the senses said."""


def find_disputed_items(ratings: Ratings, most: int | None = None) -> tuple[DisputedItem, ...]:
    """The items on which annotators differ at all, most disputed first; of equals, the one judged first.

    >>> from polyseme.rating import Rating
    >>> rows = [("ann", "a", 5), ("bob", "a", 4), ("ann", "b", 5), ("bob", "b", 1), ("ann", "c", 1), ("bob", "c", 1)]
    >>> found = find_disputed_items(Ratings(Rating(who, "WSsim", "win.v", "u", sense, value) for who, sense, value in rows))
    >>> [(each.item.target, round(each.dispute, 2), each.said) for each in found]
    [('b', 2.67, {'ann': '5', 'bob': '1'}), ('a', 0.17, {'ann': '5', 'bob': '4'})]
    """
    given = collect_judgements(ratings)
    if are_choices(given):
        usages, usage = number_usages(given)
        items = [Item(given.items[0].task, lemma, name, "") for lemma, name in usages]
        dispute, judged = _choice_disputes(given, usage, len(usages))
    else:
        items, (dispute, judged) = list(given.items), _rating_disputes(given)
    order = np.argsort(-dispute, kind="stable")[:most]
    chosen = {items[number]: number for number in order.tolist() if dispute[number] > 0}
    said, comments = _collect_answers(ratings, chosen)
    return tuple(
        DisputedItem(item, float(dispute[number]), int(judged[number]), said[item], comments.get(item, {}))
        for item, number in chosen.items()
    )


def _rating_disputes(given: Judgements) -> tuple[Floats, Ints]:
    away = (given.value - given.means[given.item]) ** 2
    return sum_at(given.item, away, len(given.items)) / (given.judged + 1), given.judged


def _choice_disputes(given: Judgements, usage: Ints, usages: int) -> tuple[Floats, Ints]:
    """Of each usage the entropy of the senses chosen, one who chose several counting for each in part."""
    chosen = given.value > 0
    item, people = given.item[chosen], given.annotator[chosen]
    pair = usage[item] * max(1, len(given.annotators)) + people
    _, place, several = np.unique(pair, return_inverse=True, return_counts=True)
    share = sum_at(item, 1 / several[place], len(given.items))
    every = np.unique(usage[given.item] * max(1, len(given.annotators)) + given.annotator)
    judged = count_at(every // max(1, len(given.annotators)), usages)
    total = sum_at(usage, share, usages)
    probability = share / np.maximum(total[usage], 1e-12)
    terms = np.where(probability > 0, -probability * np.log2(np.maximum(probability, 1e-300)), 0.0)
    return sum_at(usage, terms, usages) * judged / (judged + 1), judged


def _collect_answers(
    ratings: Ratings, wanted: Iterable[Item]
) -> tuple[dict[Item, dict[str, str]], dict[Item, dict[str, str]]]:
    """What each annotator said of the items, and commented; of several answers the last."""
    said: dict[Item, dict[str, str]] = {item: {} for item in wanted}
    chosen: dict[Item, dict[str, dict[str, float]]] = {}
    comments: dict[Item, dict[str, str]] = {}
    for row in ratings:
        if row.role:
            continue
        item = next((each for each in _item_aliases(row.item) if each in said), None)
        if item is None:
            continue
        if item.target:
            said[item][row.annotator] = UNDECIDED_MARK if math.isnan(row.value) else f"{row.value:g}"
        else:
            chosen.setdefault(item, {}).setdefault(row.annotator, {})[row.target] = row.value
        if row.comment:
            comments.setdefault(item, {})[row.annotator] = row.comment
    for item, answers in chosen.items():
        said[item] = {who: _format_choice(values) for who, values in answers.items()}
    return said, comments


def _item_aliases(item: Item) -> tuple[Item, Item, Item]:
    """The item as such, as a pair in the other order, and as a usage whose senses are chosen."""
    return item, item._replace(usage=item.target, target=item.usage), item._replace(target="")


def _format_choice(values: Mapping[str, float]) -> str:
    """What an annotator chose, by the last value of each sense."""
    chosen = [target for target, value in values.items() if value > 0]
    undecided = all(map(math.isnan, values.values()))
    return ", ".join(chosen) or (UNDECIDED_MARK if undecided else NOTHING_CHOSEN)
