"""How people agree who choose: the best senses of a usage (WSbest), or a substitute (SYNbest)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from polyseme.agreement.alpha import Difference, nominal_difference, similarity_difference
from polyseme.agreement.annotator_pairs import AnnotatorPairs, divide_or_nan
from polyseme.agreement.bootstrap import Bootstrap, Estimate, number_item_usages, resample_sums
from polyseme.agreement.judgements import Judgements, collect_judgements
from polyseme.arrays import Floats, Ints, expand_runs, run_starts, sum_at
from polyseme.errors import InputError, quote_value
from polyseme.labelling import Labelling
from polyseme.rating import Item, Ratings

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Credit = Callable[[Floats, Floats, Floats], Floats]
"""What two sets get, from how many they share and how many are in each; at least one is shared."""


def overlap_of_larger(shared: Floats, first: Floats, second: Floats) -> Floats:
    """|a ∩ b| / max(|a|, |b|): of single choices 1 or 0. (Erk, McCarthy & Gaylord 2013, §4.4)"""
    return shared / np.maximum(first, second)


def jaccard_overlap(shared: Floats, first: Floats, second: Floats) -> Floats:
    """|a ∩ b| / |a ∪ b|, Jaccard's coefficient. (Erk, McCarthy & Gaylord 2013, §4.5; McCarthy & Navigli 2009)"""
    return shared / (first + second - shared)


def masi_similarity(shared: Floats, first: Floats, second: Floats) -> Floats:
    """Jaccard's coefficient, of which a set gets 2/3 with a subset and 1/3 with one that it only overlaps.

    (Passonneau 2006, "Measuring Agreement on Set-valued Items")
    """
    least, most = np.minimum(first, second), np.maximum(first, second)
    weight = np.where(shared == most, 1.0, np.where(shared == least, 2 / 3, 1 / 3))
    return weight * jaccard_overlap(shared, first, second)


def set_similarity(first: Collection[object], second: Collection[object], credit: Credit = masi_similarity) -> float:
    """The credit of two sets; 1 for two empty ones, 0 if they share nothing.

    >>> set_similarity("ab", "ab"), round(set_similarity("a", "ab"), 3), round(set_similarity("ab", "bc"), 3), set_similarity("a", "b")
    (1.0, 0.333, 0.111, 0.0)
    """
    shared, sizes = len(set(first) & set(second)), (len(set(first)), len(set(second)))
    if not shared:
        return float(not any(sizes))
    return float(credit(*(np.array(float(each)) for each in (shared, *sizes))))


USAGES, PAIRS = POOLINGS = ("usages", "pairs")
"""What has the same say in the agreement of a task in which people choose: a usage, or a pair of answers."""

CREDIT_BY_TASK: Mapping[str, Credit] = {"WSbest": overlap_of_larger, "SYNbest": jaccard_overlap}
"""The tasks in which people choose, and what two answers get in the paper."""


# -- answers -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class ChosenSets:
    """What each annotator chose for each usage: sets of targets.

    ``judged`` has usages as its items, and as values the rows of ``sets``, which is a matrix of sets × targets.
    ``nothing`` counts the answers that choose nothing: these are compared with no other.

    >>> from polyseme.rating import Rating
    >>> rows = [("ann", "a", 1), ("ann", "b", 1), ("bob", "a", 1), ("bob", "b", 0), ("cat", "a", 0)]
    >>> found = collect_chosen_sets(Ratings(Rating(who, "WSbest", "win.v", "u", sense, value) for who, sense, value in rows))
    >>> found.sizes[found.judged.level].tolist(), found.nothing
    ([2.0, 1.0], 1)
    """

    judged: Judgements
    sets: csr_array
    nothing: int

    @cached_property
    def sizes(self) -> Floats:
        """How many targets are in each set."""
        return np.asarray(self.sets.sum(axis=1), float).ravel()

    def alike(self, credit: Credit) -> csr_array:
        """The credit of every two sets; those that share nothing are not stored."""
        from scipy.sparse import coo_array, csr_array

        both = coo_array(self.sets @ self.sets.T)
        return csr_array(
            (credit(both.data, self.sizes[both.row], self.sizes[both.col]), (both.row, both.col)), shape=both.shape
        )

    def single(self) -> ChosenSets:
        """Only the answers that choose one."""
        kept = self.sizes[self.judged.value.astype(np.intp)] == 1
        rows = (self.judged.item[kept], self.judged.annotator[kept], self.judged.value[kept])
        return replace(self, judged=replace(self.judged, item=rows[0], annotator=rows[1], value=rows[2]))


def collect_chosen_sets(ratings: Ratings) -> ChosenSets:
    """The sets that were chosen: a row with a value above 0 says what; the others say what not, or nothing."""
    from scipy.sparse import csr_array

    judged = collect_judgements(ratings)
    usage = number_item_usages(judged.items)
    targets: dict[tuple[str, str], int] = {}
    target = np.array([targets.setdefault((each.lemma, each.target), len(targets)) for each in judged.items], np.intp)
    chosen = np.flatnonzero(judged.value > 0)
    of_usage, who, what = usage.first[judged.item[chosen]], judged.annotator[chosen], target[judged.item[chosen]]
    order = np.lexsort((what, who, of_usage))
    of_usage, who, what = of_usage[order], who[order], what[order]
    starts = np.flatnonzero(np.append(True, (np.diff(of_usage) != 0) | (np.diff(who) != 0))[: len(what)])
    number, members = _number_sets(what, starts)
    # Of an answer that is not undecided in all its rows something is known: who then chose nothing did so.
    decided = len(np.unique(usage.first[judged.item] * max(1, len(judged.annotators)) + judged.annotator))
    items = _usage_items(judged)
    made = Judgements(items, judged.annotators, of_usage[starts], who[starts], number.astype(float), judged.left_out)
    sizes = np.array([len(each) for each in members], np.intp)
    places = (np.repeat(np.arange(len(members)), sizes), np.array([one for each in members for one in each], np.intp))
    sets = csr_array((np.ones(len(places[0])), places), shape=(len(members), len(targets)))
    return ChosenSets(made, sets, decided - len(starts))


def _usage_items(judged: Judgements) -> tuple[Item, ...]:
    """The usages, as items without a target, in the order of :func:`usages_of`."""
    return tuple(dict.fromkeys(item._replace(target="") for item in judged.items))


def _number_sets(what: Ints, starts: Ints) -> tuple[Ints, list[tuple[int, ...]]]:
    """The number of each run's set, and the sets."""
    sets: dict[tuple[int, ...], int] = {}
    ends = np.append(starts, len(what))[1:]
    listed = what.tolist()
    number = [
        sets.setdefault(tuple(listed[start:end]), len(sets))
        for start, end in zip(starts.tolist(), ends.tolist(), strict=True)
    ]
    return np.array(number, np.intp), list(sets)


# -- agreement -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class AnswerCredits:
    """What the answers of a usage get from one another.

    An *entry* is a usage and a set that somebody chose for it: ``item``, ``count`` how many did, ``own`` what each of
    them gets from all others together; ``alike`` is a matrix of entries × entries, and ``entry`` says which one
    each answer is.
    """

    answers: ChosenSets
    item: Ints
    count: Ints
    own: Floats
    alike: csr_array
    entry: Ints

    @cached_property
    def of_items(self) -> tuple[Floats, Floats]:
        """For each usage the credit of all pairs of answers, and how many pairs there are."""
        judged = self.answers.judged
        credit = sum_at(self.item, self.count * self.own, len(judged.items)) / 2
        return credit, judged.judged * (judged.judged - 1) / 2

    def pairs(self) -> AnnotatorPairs:
        """The mean credit of each pair of annotators."""
        from scipy.sparse import csr_array

        judged = self.answers.judged
        people, rows = len(judged.annotators), np.ones(len(judged))
        chose = csr_array((rows, (self.entry, judged.annotator)), shape=(len(self.item), people))
        there = csr_array((rows, (judged.item, judged.annotator)), shape=(len(judged.items), people))
        common = (there.T @ there).toarray()
        value = divide_or_nan((chose.T @ (self.alike @ chose)).toarray(), common)
        np.fill_diagonal(value, np.nan)
        names = judged.annotators

        def why(first: int, second: int) -> str:
            return "" if common[first, second] else f"{names[first]} and {names[second]} answered no usage in common"

        return AnnotatorPairs(names, value, common.astype(np.intp), why)

    def without_each(self, pooling: str = USAGES) -> Floats:
        """The agreement without each annotator in turn."""
        return self._pairs_without_each() if pooling == PAIRS else self._usages_without_each()

    def _pairs_without_each(self) -> Floats:
        judged = self.answers.judged
        credit, pairs = (each.sum() for each in self.of_items)
        people = len(judged.annotators)
        own = sum_at(judged.annotator, self.own[self.entry], people)
        answered = sum_at(judged.annotator, judged.judged[judged.item] - 1, people)
        return divide_or_nan(credit - own, pairs - answered)

    def _usages_without_each(self) -> Floats:
        judged = self.answers.judged
        credit, pairs = self.of_items
        total, usages = np.sum(divide_or_nan(credit, pairs)[pairs > 0]), np.sum(pairs > 0)
        item = judged.item
        rest = divide_or_nan((credit[item] - self.own[self.entry]), pairs[item] - (judged.judged[item] - 1))
        change = np.nan_to_num(rest) - np.nan_to_num(divide_or_nan(credit, pairs))[item]
        lost = np.isnan(rest) & (pairs[item] > 0)
        people = len(judged.annotators)
        return divide_or_nan(
            total + sum_at(judged.annotator, change, people), usages - sum_at(judged.annotator, lost, people)
        )


def compute_credits(given: ChosenSets, credit: Credit) -> AnswerCredits:
    """Compare the answers of each usage with one another."""
    from scipy.sparse import csr_array

    judged, alike = given.judged, given.alike(credit)
    place = judged.item * max(1, alike.shape[0]) + judged.value.astype(np.intp)
    code, entry, count = np.unique(place, return_inverse=True, return_counts=True)
    item, chosen = np.divmod(code, max(1, alike.shape[0]))
    sizes = np.bincount(item, minlength=len(judged.items)).astype(np.intp)
    one = np.repeat(np.arange(len(code)), sizes[item])
    other = expand_runs(run_starts(sizes)[item], sizes[item])
    got = np.asarray(alike[chosen[one], chosen[other]], float).ravel() if len(one) else np.zeros(0)
    matrix = csr_array((got, (one, other)), shape=(len(code), len(code)))
    return AnswerCredits(given, item, count, matrix @ count - 1.0, matrix, entry)


def compute_mean_credit(found: AnswerCredits, how: Bootstrap, pooling: str = USAGES) -> Estimate:
    """The agreement of a task in which people choose: the mean credit of two answers to one usage.

    Pooling ``"usages"`` gives each usage the same say: Σ_i (Σ_{a,b} credit(a_i, b_i) / |pairs of i|) / |usages|, over
    usages with two or more answers. Pooling ``"pairs"`` gives each pair of answers the same say, whatever its usage:
    Σ_i Σ_{a,b} credit(a_i, b_i) / Σ_i |pairs of i|. The two are one where every usage has as many answers. The figures
    of Erk, McCarthy & Gaylord (2013, §4.4 and §4.5) are those of pairs.

    Args:
        found: The credits of all answers.
        how: How the interval is made; usages are resampled.
        pooling: ``"usages"`` or ``"pairs"``.
    """
    credit, pairs = found.of_items
    there = np.flatnonzero(pairs > 0)
    if not len(there):
        return Estimate.undefined("no usage was answered by two annotators")
    shares = np.stack([credit[there], pairs[there]], axis=1)
    if pooling == USAGES:
        shares /= pairs[there, None]
    value = float(shares[:, 0].sum() / shares[:, 1].sum())
    if len(there) < 2 or not how.resamples:
        return Estimate(
            value, reason="too few usages for an interval" if how.resamples else "no interval was asked for"
        )
    usages = number_item_usages([found.answers.judged.items[place] for place in there.tolist()])
    sums = np.concatenate(list(resample_sums(shares, usages, how)))
    return Estimate(value, *how.interval(divide_or_nan(sums[:, 0], sums[:, 1])))


def check_pooling(pooling: str) -> None:
    """An error if there is no such pooling."""
    if pooling not in POOLINGS:
        raise InputError(f"no pooling {quote_value(pooling)}; allowed are {', '.join(POOLINGS)}")


def modal_senses(ratings: Ratings) -> Labelling:
    """The target that more annotators chose for a usage than any other; a usage on which two tie has none.

    (Erk, McCarthy & Gaylord 2013, §4.7.1; the authors' file of modes joins tied senses to one name, which is no sense)

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


def set_metrics(given: ChosenSets) -> dict[str, Difference]:
    """The differences by which α compares sets: MASI's, and whether they are the same."""
    return {"masi": similarity_difference(given.alike(masi_similarity)), "nominal": nominal_difference}
