"""Choices: an annotator who chose a sense of a usage did not choose the others, even if no rating says so."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from polyseme.agreement.chosen_sets import CREDIT_BY_TASK
from polyseme.agreement.judgements import Judgements
from polyseme.arrays import Floats, Ints, count_at, expand_runs, run_starts, sum_at
from polyseme.rating import CHOICE


def are_choices(judgements: Judgements) -> bool:
    """Whether the judgements are of a task whose annotators choose."""
    return bool(judgements.items) and judgements.items[0].task in CREDIT_BY_TASK


def number_usages(judgements: Judgements) -> tuple[list[tuple[str, str]], Ints]:
    """Return the lemmas and names of the judged usages, and the number of each item's usage."""
    numbers: dict[tuple[str, str], int] = {}
    usage = [numbers.setdefault((item.lemma, item.usage), len(numbers)) for item in judgements.items]
    return list(numbers), np.array(usage, np.intp)


def add_unchosen_senses(judgements: Judgements) -> Judgements:
    """Add 0 for each sense of a usage that one annotator chose and another, who judged the usage, did not.

    >>> from polyseme.agreement.judgements import collect_judgements
    >>> from polyseme.rating import Rating, Ratings
    >>> rows = [("ann", "a"), ("bob", "a"), ("cy", "b")]
    >>> ratings = Ratings(Rating(annotator, "WSbest", "win.v", "u", sense, 1) for annotator, sense in rows)
    >>> add_unchosen_senses(collect_judgements(ratings)).matrix().tolist()
    [[1.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
    """
    usages, usage = number_usages(judgements)
    people = len(judgements.annotators)
    pairs = np.unique(usage[judgements.item] * people + judgements.annotator)
    sizes = count_at(usage, len(usages))
    of_pair, pair_sizes = pairs // people, sizes[pairs // people]
    item = np.argsort(usage, kind="stable")[expand_runs(run_starts(sizes)[of_pair], pair_sizes)]
    annotator = np.repeat(pairs % people, pair_sizes)
    order = np.lexsort((annotator, item))
    item, annotator = item[order], annotator[order]
    value = np.full(len(item), float(CHOICE.lowest))
    rows = np.searchsorted(item * people + annotator, judgements.item * people + judgements.annotator)
    value[rows] = judgements.value
    return replace(judgements, item=item, annotator=annotator, value=value)


def modal_choices(judgements: Judgements) -> Floats:
    """Return 1 for the senses of a usage that most annotators chose, and 0 for the others.

    The mode of WSbest. (Erk, McCarthy & Gaylord 2013, §5)
    """
    usages, usage = number_usages(judgements)
    counts = sum_at(judgements.item, judgements.value > CHOICE.lowest, len(judgements.items))
    most = np.zeros(len(usages))
    np.maximum.at(most, usage, counts)
    return np.where(judgements.judged > 0, (counts > 0) & (counts == most[usage]), np.nan)
