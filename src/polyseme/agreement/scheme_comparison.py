"""The same usages under several schemes: people's ratings, tags, substitutes and models, columns of one table.

Whatever says something of the same items can be compared: of pairs of usages, how alike they are (Usim, the distance of
WSsim's sense vectors, the overlap of substitutes, the senses of a labelling); of a usage and a sense, how well they fit
each other (WSsim, single-sense tags, the weights of a labelling). A model is one more annotator. (Erk, McCarthy &
Gaylord 2013, §4.7)
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations

import numpy as np

from polyseme.agreement.correlation import Correlation
from polyseme.agreement.judgements import Judgements, collect_judgements
from polyseme.agreement.rank_correlation import correlate_ranks
from polyseme.agreement.sense_ratings import MeanSenseRatings, average_sense_ratings
from polyseme.arrays import Bools, Floats, Ints
from polyseme.errors import InputError
from polyseme.labelling import Labelling
from polyseme.rating import WSSIM, Item, Ratings
from polyseme.usage import UsagePair

USIM, WSSIM_MEAN, DISTANCE, OVERLAP, TAGS = "Usim", "WSsim", "WSsim distance", "substitutes", "tags"
"""What the columns are called that are not of one annotator or model: the first two are means of all annotators."""

MINIMUM_SUBSTITUTES = 2
"""With fewer substitutes than this a usage is left out: if one person alone found one, the usage may be a problem."""


@dataclass(frozen=True, eq=False)
class SchemeTable:
    """Items, and columns of what each annotator, scheme or model says of them; not a number where it says nothing.

    ``made_of`` names, for a column that is a mean, the columns that it is the mean of: between these no correlation is
    given, because it would be high by construction.

    >>> pairs = [UsagePair("x", "1", "2", 5.0), UsagePair("x", "1", "3", 1.0), UsagePair("x", "2", "3", 2.0)]
    >>> table = tabulate_usage_pairs(pairs, labellings={"model": Labelling.hard(["1", "2", "3"], list("aab"), lemma="x")})
    >>> table.names, round(table.correlation("Usim", "model").rho, 3)
    (('Usim', 'model'), 0.866)
    """

    items: tuple[Item, ...]
    columns: Mapping[str, Floats]
    mean_parts: Mapping[str, frozenset[str]] = field(default_factory=dict)

    @property
    def names(self) -> tuple[str, ...]:
        """What the columns are called."""
        return tuple(self.columns)

    def missing(self, name: str) -> int:
        """Of how many items a column says nothing."""
        return int(np.isnan(self._column(name)).sum())

    def correlation(self, one: str, other: str) -> Correlation:
        """Spearman's ρ of two columns over the items that both speak of, pooled over all lemmas."""
        values = self._column(one), self._column(other)
        for mean, part in ((one, other), (other, one)):
            if part in self.mean_parts.get(mean, ()):
                reason = f"{mean} is a mean that {part} is part of; compare {part} with the mean of the others"
                return Correlation(math.nan, math.nan, 0, reason)
        return correlate_ranks(*values, (one, other))

    def correlations(self) -> dict[tuple[str, str], Correlation]:
        """That of every two columns."""
        return {(one, other): self.correlation(one, other) for one, other in combinations(self.columns, 2)}

    def with_columns(self, columns: Mapping[str, Floats]) -> SchemeTable:
        """The same items with more columns."""
        if twice := [name for name in columns if name in self.columns]:
            raise InputError(f"there is a column {twice[0]!r} already; give the annotator or the model another name")
        return replace(self, columns={**self.columns, **columns})

    def broken_down(self, by: Callable[[Item], str] = lambda item: item.lemma) -> dict[str, SchemeTable]:
        """The table of each group of items, as those of a lemma."""
        groups: dict[str, list[int]] = {}
        for row, item in enumerate(self.items):
            groups.setdefault(by(item), []).append(row)
        return {
            name: SchemeTable(
                tuple(self.items[row] for row in rows),
                {column: values[rows] for column, values in self.columns.items()},
                self.mean_parts,
            )
            for name, rows in groups.items()
        }

    def _column(self, name: str) -> Floats:
        if name not in self.columns:
            raise InputError(f"no column {name!r}; there are {', '.join(self.columns)}")
        return self.columns[name]


# -- pairs of usages -----------------------------------------------------------------------------------------------


def tabulate_usage_pairs(
    usim: Ratings | Sequence[UsagePair] | None = None,
    *,
    wssim: Ratings | None = None,
    substitutes: Labelling | None = None,
    labellings: Mapping[str, Labelling] | None = None,
) -> SchemeTable:
    """How alike two usages are under each scheme: a row for each pair of usages.

    ``usim`` are Usim ratings, of which every annotator and the mean are columns, or means; without it, the pairs are
    all those of usages of a lemma that ``wssim`` has. A distance goes the other way: its correlation with the others is
    expected to be negative. (Erk, McCarthy & Gaylord 2013, §4.7.2 and §4.7.3)
    """
    senses: Mapping[str, MeanSenseRatings] = {} if wssim is None else average_sense_ratings(wssim)
    table = _tabulate_all_pairs(senses) if usim is None else _tabulate_usim(usim)
    more = {}
    if wssim is not None:
        more[DISTANCE] = compute_sense_distances(table.items, senses)
    if substitutes is not None:
        more[OVERLAP] = compute_substitute_overlaps(table.items, substitutes)
    table = table.with_columns(more)
    return table.with_columns(
        {name: compute_labelling_cosines(table.items, each) for name, each in (labellings or {}).items()}
    )


def _tabulate_usim(usim: Ratings | Sequence[UsagePair]) -> SchemeTable:
    if isinstance(usim, Ratings):
        return _tabulate_annotators(collect_judgements(usim), "Usim", USIM)
    items = tuple(Item("Usim", pair.lemma, pair.first, pair.second) for pair in usim)
    return SchemeTable(items, {USIM: np.array([pair.similarity for pair in usim], float)})


def _tabulate_annotators(given: Judgements, task: str, mean: str) -> SchemeTable:
    """Each annotator and, if there are several, their mean."""
    if given.items and given.items[0].task != task:
        raise InputError(f"the ratings are of {given.items[0].task}; those of {task} are needed here")
    columns = dict(zip(given.annotators, given.matrix().T, strict=True))
    made_of = {mean: frozenset(columns)}
    return replace(SchemeTable(given.items, columns).with_columns({mean: given.means}), mean_parts=made_of)


def _tabulate_all_pairs(senses: Mapping[str, MeanSenseRatings]) -> SchemeTable:
    if not senses:
        raise InputError(
            "there are no pairs of usages: give ratings of Usim, or of WSsim for several usages of a lemma"
        )
    pairs = ((lemma, *pair) for lemma, found in senses.items() for pair in combinations(found.usages, 2))
    return SchemeTable(tuple(Item("Usim", *pair) for pair in pairs), {})


def compute_sense_distances(items: Sequence[Item], senses: Mapping[str, MeanSenseRatings]) -> Floats:
    """The Euclidean distance of two usages whose coordinates are the mean ratings of the lemma's senses.

        d(u, v) = √ Σ_s (u_s − v_s)²

    Not a number if a usage was not rated, or not for all senses. (Erk, McCarthy & Gaylord 2013, §4.7.2)
    """
    place = {(lemma, usage): row for lemma, found in senses.items() for row, usage in enumerate(found.usages)}
    made = np.full(len(items), math.nan)
    for row, item in enumerate(items):
        one, other = place.get((item.lemma, item.usage)), place.get((item.lemma, item.target))
        if one is not None and other is not None:
            means = senses[item.lemma].means
            made[row] = np.linalg.norm(means[one] - means[other])
    return made


def compute_substitute_overlaps(
    items: Sequence[Item], substitutes: Labelling, least: int = MINIMUM_SUBSTITUTES
) -> Floats:
    """How far two usages have the same substitutes, from 0 to 1, each weighted by how many annotators gave it.

        INTER(s₁, s₂) = Σ_w min(freq₁(w), freq₂(w)) / max(|s₁|, |s₂|)

    where s₁ and s₂ are the multisets of substitutes and |s| counts how many were given in all. The divisor is lost in
    the copy of the paper that this was written from; dividing by the larger multiset is our reading: it makes 1 the
    value of two equal multisets only. Usages with fewer than ``least`` substitutes are left out, as in the paper those
    for which too few annotators could come up with one. (Erk, McCarthy & Gaylord 2013, §4.7.3)

    >>> given = Labelling.from_dict({"1": {"clever": 3, "smart": 1}, "2": {"clever": 2, "shiny": 1}}, lemma="bright.a")
    >>> compute_substitute_overlaps([Item("Usim", "bright.a", "1", "2")], given).tolist()
    [0.5]
    """
    one, other, known = _labelling_rows(items, substitutes)
    counts = substitutes.matrix
    sizes = np.asarray(counts.sum(axis=1), float).ravel()
    known &= (sizes[one] >= least) & (sizes[other] >= least)
    shared = np.asarray(counts[one].minimum(counts[other]).sum(axis=1), float).ravel()
    return np.where(known, shared / np.maximum(np.maximum(sizes[one], sizes[other]), 1e-300), math.nan)


def compute_labelling_cosines(items: Sequence[Item], labelling: Labelling) -> Floats:
    """The cosine of two usages' weights; not a number if the labelling has one of them not."""
    one, other, known = _labelling_rows(items, labelling)
    weights = labelling.normalise("max").matrix  # the cosine does not depend on it, and nothing can overflow
    lengths = np.sqrt(np.asarray(weights.multiply(weights).sum(axis=1), float).ravel())
    product = np.asarray(weights[one].multiply(weights[other]).sum(axis=1), float).ravel()
    divisor = lengths[one] * lengths[other]
    return np.where(known, np.divide(product, divisor, out=np.zeros(len(product)), where=divisor > 0), math.nan)


def _labelling_rows(items: Sequence[Item], labelling: Labelling) -> tuple[Ints, Ints, Bools]:
    """The rows of both usages of each item, row 0 standing in for one that there is not, and whether there are both."""
    if not len(labelling):
        raise InputError("the labelling is empty, so it says nothing of these usages")
    one, other = labelling.rows_of(item.usage for item in items), labelling.rows_of(item.target for item in items)
    return np.maximum(one, 0), np.maximum(other, 0), (one >= 0) & (other >= 0)


# -- usages and senses ---------------------------------------------------------------------------------------------


def tabulate_usage_senses(
    wssim: Ratings,
    *,
    tags: Labelling | Mapping[str, Labelling] | None = None,
    labellings: Mapping[str, Labelling] | None = None,
) -> SchemeTable:
    """How well a sense fits a usage under each scheme: a row for each usage and each rated sense of its lemma.

    The columns are WSsim's annotators and their mean, ``tags`` as ratings, and the weights of labellings; tags and
    labellings must name senses as the ratings do. (Erk, McCarthy & Gaylord 2013, §4.7.1)
    """
    table = _tabulate_annotators(collect_judgements(wssim), "WSsim", WSSIM_MEAN)
    tagged = {TAGS: tags} if isinstance(tags, Labelling) else tags or {}
    table = table.with_columns({name: convert_tags_to_ratings(table.items, each) for name, each in tagged.items()})
    return table.with_columns({name: get_sense_weights(table.items, each) for name, each in (labellings or {}).items()})


def get_sense_weights(items: Iterable[Item], labelling: Labelling) -> Floats:
    """The weight of each item's sense, 0 for one that the usage has not; not a number for a usage not labelled."""
    given = list(items)
    weights = {usage: labelling[usage] for usage in {item.usage for item in given} if usage in labelling}
    values = (weights[item.usage].get(item.target, 0.0) if item.usage in weights else math.nan for item in given)
    return np.array(list(values), float)


def convert_tags_to_ratings(items: Iterable[Item], tags: Labelling, untagged: float = math.nan) -> Floats:
    """The highest rating, 5, for each sense that a usage is tagged with, and the lowest, 1, for all others.

    ``untagged`` is what the senses of a usage without a tag get. (Erk, McCarthy & Gaylord 2013, §4.7.1)

    >>> items = [Item("WSsim", "win.v", "u", sense) for sense in "ab"]
    >>> convert_tags_to_ratings(items, Labelling.from_dict({"u": {"b": 1}}, lemma="win.v")).tolist()
    [1.0, 5.0]
    """
    weights = get_sense_weights(items, tags)
    return np.where(np.isnan(weights), untagged, np.where(weights > 0, WSSIM.highest, WSSIM.lowest))
