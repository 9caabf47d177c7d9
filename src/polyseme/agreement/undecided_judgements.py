"""Who could not decide what: such answers are counted, never taken for a value."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from polyseme.agreement.judgements import ExcludedJudgements, Judgements, collect_judgements
from polyseme.rating import Ratings


def find_undecided(ratings: Ratings, found: Judgements) -> Judgements:
    """The answers that end as "cannot decide", with the numbers of items and annotators in ``judgements(ratings)``.

    Whoever could not decide at first and did so later is not among them. ``found`` are these judgements.

    >>> from polyseme.rating import UNDECIDED, Rating
    >>> rows = [("ann", "a", UNDECIDED), ("bob", "a", 4), ("ann", "b", UNDECIDED), ("ann", "b", 2)]
    >>> ratings = Ratings(Rating(who, "WSsim", "win.v", "u", sense, value) for who, sense, value in rows)
    >>> found = find_undecided(ratings, collect_judgements(ratings))
    >>> [(found.items[item].target, found.annotators[who]) for item, who in zip(found.item, found.annotator)]
    [('a', 'ann')]
    """
    if not found.left_out.undecided:
        nothing = np.empty(0, np.intp)
        return replace(found, item=nothing, annotator=nothing, value=np.empty(0), left_out=ExcludedJudgements())
    marked = collect_judgements(
        Ratings(row._replace(value=math.inf) if math.isnan(row.value) else row for row in ratings)
    )
    open_ = np.isinf(marked.value)
    value = np.full(int(open_.sum()), math.nan)
    return replace(
        marked, item=marked.item[open_], annotator=marked.annotator[open_], value=value, left_out=ExcludedJudgements()
    )
