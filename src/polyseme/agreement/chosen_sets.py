"""Agreement of annotators who choose: the best senses of a usage (WSbest), or a substitute (SYNbest)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import chain, pairwise
from typing import TYPE_CHECKING

import numpy as np

from polyseme.agreement.alpha import Difference, nominal_difference, similarity_difference
from polyseme.agreement.annotator_pairs import AnnotatorPairs, divide_or_nan
from polyseme.agreement.bootstrap import Bootstrap, Estimate, number_item_usages
from polyseme.agreement.judgements import Judgements, collect_judgements
from polyseme.arrays import Floats, Ints, count_at, expand_runs, run_starts, sum_at
from polyseme.labelling import Labelling
from polyseme.rating import Ratings

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Credit = Callable[[Floats, Floats, Floats], Floats]
"""The credit of two sets, from the number of shared members and the sizes of both; at least one is shared."""


def overlap_of_larger(shared: Floats, first: Floats, second: Floats) -> Floats:
    """|a ∩ b| / max(|a|, |b|): 1 or 0 for single choices. (Erk, McCarthy & Gaylord 2013, §4.4)"""
    return shared / np.maximum(first, second)


def jaccard_overlap(shared: Floats, first: Floats, second: Floats) -> Floats:
    """|a ∩ b| / |a ∪ b|, Jaccard's coefficient. (Erk, McCarthy & Gaylord 2013, §4.5; McCarthy & Navigli 2009)"""
    return shared / (first + second - shared)


def masi_similarity(shared: Floats, first: Floats, second: Floats) -> Floats:
    """Jaccard's coefficient, times 2/3 for a set and its subset, and 1/3 for sets that only overlap.

    (Passonneau 2006, "Measuring Agreement on Set-valued Items")
    """
    smaller, larger = np.minimum(first, second), np.maximum(first, second)
    weight = np.where(shared == larger, 1.0, np.where(shared == smaller, 2 / 3, 1 / 3))
    return weight * jaccard_overlap(shared, first, second)


def set_similarity(first: Collection[object], second: Collection[object], credit: Credit = masi_similarity) -> float:
    """Return the credit of two sets: 1 for two empty sets, 0 if they share nothing.

    >>> set_similarity("ab", "ab"), round(set_similarity("a", "ab"), 3), round(set_similarity("ab", "bc"), 3)
    (1.0, 0.333, 0.111)
    """
    shared, sizes = len(set(first) & set(second)), (len(set(first)), len(set(second)))
    if not shared:
        return float(not any(sizes))
    return float(credit(*(np.array(float(size)) for size in (shared, *sizes))))


USAGES, PAIRS = POOLINGS = ("usages", "pairs")
"""What has equal weight in the agreement of annotators who choose: usages, or pairs of answers."""

CREDIT_BY_TASK: Mapping[str, Credit] = {"WSbest": overlap_of_larger, "SYNbest": jaccard_overlap}
"""The tasks in which annotators choose, with the paper's credit of two answers."""


# -- answers -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class ChosenSets:
    """The sets of targets that annotators chose for usages.

    Args:
        judgements: Judgements whose items are usages and whose values are rows of ``sets``.
        sets: A matrix of sets × targets.
        nothing: The number of answers that choose nothing; they are not compared.

    >>> from polyseme.rating import Rating
    >>> rows = [("ann", "a", 1), ("ann", "b", 1), ("bob", "a", 1), ("bob", "b", 0), ("cat", "a", 0)]
    >>> ratings = Ratings(Rating(who, "WSbest", "win.v", "u", sense, value) for who, sense, value in rows)
    >>> chosen = collect_chosen_sets(ratings)
    >>> chosen.sizes[chosen.judgements.level].tolist(), chosen.nothing
    ([2.0, 1.0], 1)
    """

    judgements: Judgements
    sets: csr_array
    nothing: int

    @cached_property
    def sizes(self) -> Floats:
        """The number of targets in each set."""
        return np.asarray(self.sets.sum(axis=1), float).ravel()

    def similarities(self, credit: Credit) -> csr_array:
        """Compute the credit of every two sets; those that share nothing are not stored."""
        from scipy.sparse import coo_array, csr_array

        shared = coo_array(self.sets @ self.sets.T)
        values = credit(shared.data, self.sizes[shared.row], self.sizes[shared.col])
        return csr_array((values, (shared.row, shared.col)), shape=shared.shape)

    def single(self) -> ChosenSets:
        """Select the answers that choose one target."""
        is_single = self.sizes[self.judgements.value.astype(np.intp)] == 1
        return replace(self, judgements=self.judgements.select_rows(is_single))


def collect_chosen_sets(ratings: Ratings) -> ChosenSets:
    """Collect the chosen sets: a row with a value above 0 names a chosen target."""
    from scipy.sparse import csr_array

    judgements = collect_judgements(ratings)
    usage = number_item_usages(judgements.items).first
    numbers: dict[tuple[str, str], int] = {}
    target = np.array([numbers.setdefault((i.lemma, i.target), len(numbers)) for i in judgements.items], np.intp)
    people = max(1, len(judgements.annotators))
    answer = usage[judgements.item] * people + judgements.annotator
    rows = np.flatnonzero(judgements.value > 0)
    rows = rows[np.lexsort((target[judgements.item[rows]], answer[rows]))]
    answers, starts = np.unique(answer[rows], return_index=True)
    set_numbers, members = _number_sets(target[judgements.item[rows]], starts)
    chosen = replace(
        judgements,
        items=tuple(dict.fromkeys(item._replace(target="") for item in judgements.items)),
        item=answers // people,
        annotator=answers % people,
        value=set_numbers.astype(float),
    )
    indices, ends = list(chain.from_iterable(members)), np.cumsum([0, *map(len, members)])
    sets = csr_array((np.ones(len(indices)), indices, ends), shape=(len(members), len(numbers)))
    # An answer that is undecided in some rows only is decided: it chose nothing if no row is chosen.
    return ChosenSets(chosen, sets, len(np.unique(answer)) - len(answers))


def _number_sets(targets: Ints, starts: Ints) -> tuple[Ints, list[tuple[int, ...]]]:
    """Return the number of each run's set, and the different sets."""
    sets: dict[tuple[int, ...], int] = {}
    members = targets.tolist()
    bounds = pairwise([*starts.tolist(), len(members)])
    numbers = [sets.setdefault(tuple(members[start:end]), len(sets)) for start, end in bounds]
    return np.array(numbers, np.intp), list(sets)


# -- agreement -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class AnswerCredits:
    """The credits that the answers to a usage get from one another.

    An *entry* is a usage with a set that was chosen for it.

    Args:
        chosen: The chosen sets.
        item: The usage of each entry.
        count: How many annotators chose the entry.
        own: The credit that each of them gets from all others together.
        similarities: Entries × entries: the credit of two answers.
        entry: The entry of each answer.
    """

    chosen: ChosenSets
    item: Ints
    count: Ints
    own: Floats
    similarities: csr_array
    entry: Ints

    @cached_property
    def item_credits(self) -> tuple[Floats, Floats]:
        """The credit of all pairs of answers to each usage, and the number of these pairs."""
        judgements = self.chosen.judgements
        credit = sum_at(self.item, self.count * self.own, len(judgements.items)) / 2
        return credit, judgements.judged * (judgements.judged - 1) / 2

    def pairs(self) -> AnnotatorPairs:
        """Compute the mean credit of each pair of annotators."""
        from scipy.sparse import csr_array

        judgements = self.chosen.judgements
        names, ones = judgements.annotators, np.ones(len(judgements))
        entries = csr_array((ones, (self.entry, judgements.annotator)), shape=(len(self.item), len(names)))
        answered = csr_array((ones, (judgements.item, judgements.annotator)), shape=(len(judgements.items), len(names)))
        common = (answered.T @ answered).toarray()
        value = divide_or_nan((entries.T @ (self.similarities @ entries)).toarray(), common)
        np.fill_diagonal(value, np.nan)
        return AnnotatorPairs(names, value, common.astype(np.intp), partial(_explain_pair, names, common))

    def means_without_annotators(self, pooling: str = USAGES) -> Floats:
        """Compute the agreement without each annotator in turn."""
        judgements = self.chosen.judgements
        item, annotator, people = judgements.item, judgements.annotator, len(judgements.annotators)
        credit, pairs = self.item_credits
        own, own_pairs = self.own[self.entry], judgements.judged[item] - 1
        if pooling == PAIRS:
            removed, removed_pairs = (sum_at(annotator, column, people) for column in (own, own_pairs))
            return divide_or_nan(credit.sum() - removed, pairs.sum() - removed_pairs)
        means = divide_or_nan(credit, pairs)
        rest = divide_or_nan(credit[item] - own, pairs[item] - own_pairs)
        change = np.nan_to_num(rest) - np.nan_to_num(means)[item]
        lost = np.isnan(rest) & (pairs[item] > 0)
        return divide_or_nan(
            np.sum(means[pairs > 0]) + sum_at(annotator, change, people),
            np.sum(pairs > 0) - sum_at(annotator, lost, people),
        )


def _explain_pair(names: Sequence[str], common: Floats, first: int, second: int) -> str:
    """Explain why two annotators have no credit; empty if they have."""
    return "" if common[first, second] else f"{names[first]} and {names[second]} answered no usage in common"


def compute_credits(chosen: ChosenSets, credit: Credit) -> AnswerCredits:
    """Compare the answers to each usage with one another."""
    from scipy.sparse import csr_array

    judgements, similarities = chosen.judgements, chosen.similarities(credit)
    positions = judgements.item * max(1, similarities.shape[0]) + judgements.value.astype(np.intp)
    code, entry, count = np.unique(positions, return_inverse=True, return_counts=True)
    item, number = np.divmod(code, max(1, similarities.shape[0]))
    sizes = count_at(item, len(judgements.items))
    one = np.repeat(np.arange(len(code)), sizes[item])
    other = expand_runs(run_starts(sizes)[item], sizes[item])
    credits = np.asarray(similarities[number[one], number[other]], float).ravel() if len(one) else np.zeros(0)
    matrix = csr_array((credits, (one, other)), shape=(len(code), len(code)))
    return AnswerCredits(chosen, item, count, matrix @ count - 1.0, matrix, entry)


def compute_mean_credit(answers: AnswerCredits, bootstrap: Bootstrap, pooling: str = USAGES) -> Estimate:
    """Compute the agreement of annotators who choose: the mean credit of two answers to one usage.

    Pooling ``"usages"`` gives each usage the same weight: Σ_i (Σ_{a,b} credit(a_i, b_i) / |pairs of i|) / |usages|,
    over usages with two or more answers. Pooling ``"pairs"`` gives each pair of answers the same weight:
    Σ_i Σ_{a,b} credit(a_i, b_i) / Σ_i |pairs of i|. The two are the same where every usage has as many answers. The
    figures of Erk, McCarthy & Gaylord (2013, §4.4 and §4.5) are pooled over pairs.

    Args:
        answers: The credits of all answers.
        bootstrap: How the interval is computed.
        pooling: ``"usages"`` or ``"pairs"``.
    """
    credit, pairs = answers.item_credits
    rows = np.flatnonzero(pairs > 0)
    if not len(rows):
        return Estimate.undefined("no usage was answered by two annotators")
    shares = np.stack([credit[rows], pairs[rows]], axis=1)
    if pooling == USAGES:
        shares /= pairs[rows, None]
    value = float(shares[:, 0].sum() / shares[:, 1].sum())
    items = [answers.chosen.judgements.items[row] for row in rows.tolist()]
    figures = {"credit": lambda sums: divide_or_nan(sums[:, 0], sums[:, 1])}
    return Estimate(value, *bootstrap.intervals(shares, items, figures)["credit"])


def modal_senses(ratings: Ratings) -> Labelling:
    """Label each usage with the target that most annotators chose; usages with a tie are not labelled.

    (Erk, McCarthy & Gaylord 2013, §4.7.1. The authors' file of modes joins tied senses to one name, which is no sense.)

    >>> from polyseme.rating import Rating
    >>> rows = [("ann", "u", "a"), ("bob", "u", "a"), ("bob", "u", "b"), ("ann", "v", "a"), ("bob", "v", "b")]
    >>> dict(modal_senses(Ratings(Rating(who, "WSbest", "win.v", usage, sense, 1) for who, usage, sense in rows)))
    {'u': {'a': 1.0}}
    """
    votes: dict[tuple[str, str], Counter[str]] = {}
    for row in ratings:
        if row.value > 0 and not row.role:
            votes.setdefault((row.lemma, row.usage), Counter())[row.target] += 1
    ranked = ((usage, counts.most_common(2)) for usage, counts in votes.items())
    return Labelling((*usage, {top[0][0]: 1.0}) for usage, top in ranked if len(top) < 2 or top[0][1] > top[1][1])


def set_metrics(chosen: ChosenSets) -> dict[str, Difference]:
    """Return the differences by which α compares sets: MASI, and identity."""
    return {"masi": similarity_difference(chosen.similarities(masi_similarity)), "nominal": nominal_difference}
