"""A table of the same usages under several annotation schemes: ratings, tags, substitutes and models.

Columns are comparable if they are about the same items. A pair of usages has a similarity: Usim, the distance of
WSsim's sense vectors, the overlap of substitutes, or the senses of a labelling. A usage and a sense have a fit: WSsim,
single senses, or the weights of a labelling. A model is one more annotator. (Erk, McCarthy & Gaylord 2013, §4.7)
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations

import numpy as np

from polyseme.agreement.correlation import Correlation, correlate_ranks
from polyseme.agreement.grouping import group_by
from polyseme.agreement.judgements import Judgements, collect_judgements
from polyseme.agreement.sense_ratings import MeanSenseRatings, average_sense_ratings
from polyseme.arrays import Bools, Floats, Ints
from polyseme.errors import InputError
from polyseme.labelling import Labelling
from polyseme.rating import WSSIM, Item, Ratings
from polyseme.usage import UsagePair

USIM, WSSIM_MEAN, DISTANCE, OVERLAP, TAGS = "Usim", "WSsim", "WSsim distance", "substitutes", "tags"
"""The names of columns that are not of one annotator or model; the first two are means of all annotators."""


@dataclass(frozen=True, eq=False)
class SchemeTable:
    """Items with a column for each annotator, scheme or model.

    Args:
        items: The items.
        columns: The values of each column; NaN where there is none.
        mean_parts: For a column that is a mean, the columns that it averages. Correlations between these are not
            computed, because they are high by construction.

    >>> pairs = [UsagePair("x", "1", "2", 5.0), UsagePair("x", "1", "3", 1.0), UsagePair("x", "2", "3", 2.0)]
    >>> labelling = Labelling.hard(["1", "2", "3"], list("aab"), lemma="x")
    >>> table = tabulate_usage_pairs(pairs, labellings={"model": labelling})
    >>> table.names, round(table.correlation("Usim", "model").rho, 3)
    (('Usim', 'model'), 0.866)
    """

    items: tuple[Item, ...]
    columns: Mapping[str, Floats]
    mean_parts: Mapping[str, frozenset[str]] = field(default_factory=dict)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(self.columns)

    def missing(self, name: str) -> int:
        """Return for how many items a column has no value."""
        return int(np.isnan(self._column(name)).sum())

    def correlation(self, first: str, second: str) -> Correlation:
        """Compute Spearman's ρ of two columns over the items of both, pooled over all lemmas."""
        values = self._column(first), self._column(second)
        for mean, part in ((first, second), (second, first)):
            if part in self.mean_parts.get(mean, ()):
                reason = f"{mean} is a mean that {part} is part of; compare {part} with the mean of the others"
                return Correlation(math.nan, math.nan, 0, reason)
        return correlate_ranks(*values, (first, second))

    def correlations(self) -> dict[tuple[str, str], Correlation]:
        """Compute the correlation of every two columns."""
        return {pair: self.correlation(*pair) for pair in combinations(self.columns, 2)}

    def with_columns(self, columns: Mapping[str, Floats]) -> SchemeTable:
        """Add columns to the table."""
        if duplicates := [name for name in columns if name in self.columns]:
            raise InputError(f"there is a column {duplicates[0]!r} already; rename the annotator or the model")
        return replace(self, columns={**self.columns, **columns})

    def broken_down(self, key: Callable[[Item], str] = lambda item: item.lemma) -> dict[str, SchemeTable]:
        """Split the table by a key of its items, by default the lemma."""
        rows_by_name = group_by(range(len(self.items)), lambda row: key(self.items[row]))
        return {
            name: replace(
                self,
                items=tuple(self.items[row] for row in rows),
                columns={column: values[rows] for column, values in self.columns.items()},
            )
            for name, rows in rows_by_name.items()
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
    """Tabulate the similarity of two usages under each scheme: a row for each pair of usages.

    The correlations of a distance with the other columns are expected to be negative. (Erk, McCarthy & Gaylord 2013,
    §4.7.2 and §4.7.3)

    Args:
        usim: Usim ratings, whose annotators and mean are columns; or mean similarities of pairs. Default: all pairs of
            usages of a lemma that ``wssim`` has.
        wssim: WSsim ratings, for the distance of sense vectors.
        substitutes: The substitutes of usages, for their overlap.
        labellings: Labellings by name, for the cosine of their weights.
    """
    senses: Mapping[str, MeanSenseRatings] = {} if wssim is None else average_sense_ratings(wssim)
    table = _tabulate_all_pairs(senses) if usim is None else _tabulate_usim(usim)
    columns = {}
    if wssim is not None:
        columns[DISTANCE] = compute_sense_distances(table.items, senses)
    if substitutes is not None:
        columns[OVERLAP] = compute_substitute_overlaps(table.items, substitutes)
    table = table.with_columns(columns)
    return table.with_columns(
        {name: compute_labelling_cosines(table.items, labelling) for name, labelling in (labellings or {}).items()}
    )


def _tabulate_usim(usim: Ratings | Sequence[UsagePair]) -> SchemeTable:
    if isinstance(usim, Ratings):
        return _tabulate_annotators(collect_judgements(usim), "Usim", USIM)
    items = tuple(Item("Usim", pair.lemma, pair.first, pair.second) for pair in usim)
    return SchemeTable(items, {USIM: np.array([pair.similarity for pair in usim], float)})


def _tabulate_annotators(judgements: Judgements, task: str, mean: str) -> SchemeTable:
    """Tabulate each annotator and their mean."""
    if judgements.items and judgements.items[0].task != task:
        raise InputError(f"the ratings are of {judgements.items[0].task}; ratings of {task} are needed here")
    columns = dict(zip(judgements.annotators, judgements.matrix().T, strict=True))
    table = SchemeTable(judgements.items, columns, {mean: frozenset(columns)})
    return table.with_columns({mean: judgements.means})


def _tabulate_all_pairs(senses: Mapping[str, MeanSenseRatings]) -> SchemeTable:
    if not senses:
        problem = "there are no pairs of usages"
        raise InputError(f"{problem}; pass ratings of Usim, or of WSsim for several usages of a lemma")
    pairs = ((lemma, *pair) for lemma, ratings in senses.items() for pair in combinations(ratings.usages, 2))
    return SchemeTable(tuple(Item("Usim", *pair) for pair in pairs), {})


def compute_sense_distances(items: Sequence[Item], senses: Mapping[str, MeanSenseRatings]) -> Floats:
    """Compute the Euclidean distance of two usages whose coordinates are the mean ratings of the lemma's senses.

        d(u, v) = √ Σ_s (u_s − v_s)²

    NaN if a usage was not rated, or not for all senses. (Erk, McCarthy & Gaylord 2013, §4.7.2)
    """
    rows = {(lemma, usage): row for lemma, ratings in senses.items() for row, usage in enumerate(ratings.usages)}
    distances = np.full(len(items), math.nan)
    for number, item in enumerate(items):
        first, second = rows.get((item.lemma, item.usage)), rows.get((item.lemma, item.target))
        if first is not None and second is not None:
            means = senses[item.lemma].means
            distances[number] = np.linalg.norm(means[first] - means[second])
    return distances


def compute_substitute_overlaps(items: Sequence[Item], substitutes: Labelling, least: int = 2) -> Floats:
    """Compute how far two usages have the same substitutes, from 0 to 1, weighted by how many annotators gave each.

        INTER(s₁, s₂) = Σ_w min(freq₁(w), freq₂(w)) / max(|s₁|, |s₂|)

    s₁ and s₂ are the multisets of substitutes, and |s| is the size of a multiset. The divisor is illegible in our copy
    of the paper. Dividing by the larger multiset is our reading: only two equal multisets then have the value 1.
    (Erk, McCarthy & Gaylord 2013, §4.7.3)

    Args:
        items: The pairs of usages.
        substitutes: The substitutes of usages, with counts.
        least: Usages with fewer substitutes are excluded, as in the paper: a single substitute may mean that the usage
            is a problem.

    >>> counts = {"1": {"clever": 3, "smart": 1}, "2": {"clever": 2, "shiny": 1}}
    >>> substitutes = Labelling.from_dict(counts, lemma="bright.a")
    >>> compute_substitute_overlaps([Item("Usim", "bright.a", "1", "2")], substitutes).tolist()
    [0.5]
    """
    first, second, valid = _labelling_rows(items, substitutes)
    counts = substitutes.matrix
    sizes = np.asarray(counts.sum(axis=1), float).ravel()
    valid &= (sizes[first] >= least) & (sizes[second] >= least)
    shared = np.asarray(counts[first].minimum(counts[second]).sum(axis=1), float).ravel()
    return np.where(valid, shared / np.maximum(np.maximum(sizes[first], sizes[second]), 1e-300), math.nan)


def compute_labelling_cosines(items: Sequence[Item], labelling: Labelling) -> Floats:
    """Compute the cosine of two usages' weights; NaN if the labelling lacks one of them."""
    first, second, valid = _labelling_rows(items, labelling)
    weights = labelling.normalise("max").matrix  # the cosine does not depend on it, and nothing can overflow
    lengths = np.sqrt(np.asarray(weights.multiply(weights).sum(axis=1), float).ravel())
    product = np.asarray(weights[first].multiply(weights[second]).sum(axis=1), float).ravel()
    divisor = lengths[first] * lengths[second]
    return np.where(valid, np.divide(product, divisor, out=np.zeros(len(product)), where=divisor > 0), math.nan)


def _labelling_rows(items: Sequence[Item], labelling: Labelling) -> tuple[Ints, Ints, Bools]:
    """Return the rows of both usages of each item, with 0 for a missing one, and whether both are labelled."""
    if not len(labelling):
        raise InputError("the labelling is empty; pass a labelling of these usages")
    first = labelling.row_numbers(item.usage for item in items)
    second = labelling.row_numbers(item.target for item in items)
    return np.maximum(first, 0), np.maximum(second, 0), (first >= 0) & (second >= 0)


# -- usages and senses ---------------------------------------------------------------------------------------------


def tabulate_usage_senses(
    wssim: Ratings,
    *,
    tags: Labelling | Mapping[str, Labelling] | None = None,
    labellings: Mapping[str, Labelling] | None = None,
) -> SchemeTable:
    """Tabulate how well a sense fits a usage under each scheme: a row for each usage and rated sense of its lemma.

    Tags and labellings must name senses as the ratings do. (Erk, McCarthy & Gaylord 2013, §4.7.1)

    Args:
        wssim: WSsim ratings, whose annotators and mean are columns.
        tags: Single senses, which are converted to ratings; one labelling, or several by name.
        labellings: Labellings by name, whose weights are columns.
    """
    table = _tabulate_annotators(collect_judgements(wssim), "WSsim", WSSIM_MEAN)
    by_name = {TAGS: tags} if isinstance(tags, Labelling) else tags or {}
    columns = {name: convert_tags_to_ratings(table.items, labelling) for name, labelling in by_name.items()}
    table = table.with_columns(columns)
    return table.with_columns(
        {name: get_sense_weights(table.items, labelling) for name, labelling in (labellings or {}).items()}
    )


def get_sense_weights(items: Sequence[Item], labelling: Labelling) -> Floats:
    """Return the weight of each item's sense: 0 for a sense without weight, NaN for an unlabelled usage."""
    weights = {usage: labelling[usage] for usage in {item.usage for item in items} if usage in labelling}
    values = (weights[item.usage].get(item.target, 0.0) if item.usage in weights else math.nan for item in items)
    return np.fromiter(values, float, len(items))


def convert_tags_to_ratings(items: Sequence[Item], tags: Labelling, untagged: float = math.nan) -> Floats:
    """Return the highest rating, 5, for each sense that a usage is tagged with, and the lowest, 1, for all others.

    ``untagged`` is the rating of all senses of a usage without a tag. (Erk, McCarthy & Gaylord 2013, §4.7.1)

    >>> items = [Item("WSsim", "win.v", "u", sense) for sense in "ab"]
    >>> convert_tags_to_ratings(items, Labelling.from_dict({"u": {"b": 1}}, lemma="win.v")).tolist()
    [1.0, 5.0]
    """
    weights = get_sense_weights(items, tags)
    return np.where(np.isnan(weights), untagged, np.where(weights > 0, WSSIM.highest, WSSIM.lowest))
