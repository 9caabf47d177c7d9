"""Decisions of managers about disputed items: in a gold standard they replace the judgements of annotators."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from polyseme.agreement.chosen_sets import CREDIT_BY_TASK
from polyseme.rating import Item, Rating, Ratings


@dataclass(frozen=True, eq=False)
class AdjudicatedRatings:
    """The judgements of annotators that count, and the decisions that replace the others.

    Args:
        judgements: The judgements that no decision replaces.
        decisions: The last decision about each item.
        replaced: How many judgements were replaced.
    """

    judgements: Ratings
    decisions: Ratings
    replaced: int = 0

    @cached_property
    def values(self) -> Mapping[Item, float]:
        """The value of each item that a manager decided; NaN if the manager could not decide."""
        return {_order_pair(rating.item): rating.value for rating in self.decisions}

    @property
    def units(self) -> int:
        """How many items a manager decided; of choices, how many usages."""
        return len({_judged_unit(rating) for rating in self.decisions})

    def merge(self) -> Ratings:
        """Return the judgements, and the decisions as if an annotator had made them."""
        return Ratings([*self.judgements, *(rating._replace(role="") for rating in self.decisions)])


def apply_adjudications(ratings: Ratings) -> AdjudicatedRatings:
    """Replace judgements by the decisions of managers, which are the ratings with the role ``adjudication``.

    A decision about a choice replaces all choices for the usage; one about a rating only those of its target. If
    several managers decided, the last decision counts.

    >>> row = Rating("ann", "WSsim", "win.v", "u1", "a", 5)
    >>> boss = row._replace(annotator="boss", value=1, role="adjudication")
    >>> ratings = apply_adjudications(Ratings([row, row._replace(target="b"), boss]))
    >>> [rating.target for rating in ratings.judgements], list(ratings.values.values()), ratings.replaced
    (['b'], [1], 1)
    """
    decisions = ratings.adjudications
    managers = {_judged_unit(rating): rating.annotator for rating in decisions}
    last = [rating for rating in decisions if managers[_judged_unit(rating)] == rating.annotator]
    annotations = ratings.annotations
    judgements = annotations.filter(lambda rating: bool(rating.role) or _judged_unit(rating) not in managers)
    return AdjudicatedRatings(judgements, Ratings(last), len(annotations) - len(judgements))


def _judged_unit(rating: Rating) -> Item:
    """Return the item that is decided as a whole: for choices, the usage."""
    return rating.item._replace(target="") if rating.task in CREDIT_BY_TASK else _order_pair(rating.item)


def _order_pair(item: Item) -> Item:
    """Return a pair of usages in one order."""
    is_reversed = item.task == "Usim" and item.usage > item.target
    return item._replace(usage=item.target, target=item.usage) if is_reversed else item
