"""Choices: whoever chose a sense of a usage did not choose the others, and need not have said so."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from polyseme.agreement.judgements import Judgements
from polyseme.arrays import Floats, Ints, count_at, expand_runs, sum_at
from polyseme.rating import CHOICE

CHOICE_TASKS = ("WSbest", "SYNbest")
"""The tasks whose annotators choose, and do not rate."""


def are_choices(judgements: Judgements) -> bool:
    """Whether the judgements are of a task whose annotators choose."""
    return bool(judgements.items) and judgements.items[0].task in CHOICE_TASKS


def number_usages(judgements: Judgements) -> tuple[list[tuple[str, str]], Ints]:
    """The usages that were judged, with their lemmas, and the number of each item's usage."""
    number: dict[tuple[str, str], int] = {}
    of_item = [number.setdefault((item.lemma, item.usage), len(number)) for item in judgements.items]
    return list(number), np.array(of_item, np.intp)


def add_unchosen_senses(judgements: Judgements) -> Judgements:
    """The choices, with 0 for each sense of a usage that somebody chose, by each who judged the usage and did not.

    >>> from polyseme.agreement.judgements import collect_judgements
    >>> from polyseme.rating import Rating, Ratings
    >>> rows = [("ann", "a"), ("bob", "a"), ("cy", "b")]
    >>> found = collect_judgements(Ratings(Rating(who, "WSbest", "win.v", "u", sense, 1) for who, sense in rows))
    >>> add_unchosen_senses(found).matrix().tolist()
    [[1.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
    """
    usages, usage = number_usages(judgements)
    people = len(judgements.annotators)
    pairs = np.unique(usage[judgements.item] * people + judgements.annotator)
    by_usage = np.argsort(usage, kind="stable")
    sizes = count_at(usage, len(usages))
    item = by_usage[expand_runs((np.cumsum(sizes) - sizes)[pairs // people], sizes[pairs // people])]
    annotator = np.repeat(pairs % people, sizes[pairs // people])
    order = np.lexsort((annotator, item))
    item, annotator = item[order], annotator[order]
    value = np.full(len(item), float(CHOICE.lowest))
    value[np.searchsorted(item * people + annotator, judgements.item * people + judgements.annotator)] = (
        judgements.value
    )
    return replace(judgements, item=item, annotator=annotator, value=value)


def modal_choices(judgements: Judgements) -> Floats:
    """1 for the sense of a usage that most annotators chose, of several for all of them, and 0 for the others.

    The mode of WSbest. (Erk, McCarthy & Gaylord 2013, §5)
    """
    usages, usage = number_usages(judgements)
    chosen = sum_at(judgements.item, judgements.value > CHOICE.lowest, len(judgements.items))
    most = np.zeros(len(usages))
    np.maximum.at(most, usage, chosen)
    return np.where(judgements.judged > 0, (chosen > 0) & (chosen == most[usage]), np.nan)
