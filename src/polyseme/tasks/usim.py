"""Usim: usage similarity as a gold standard (Erk, McCarthy & Gaylord 2013)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np

from polyseme.arrays import Floats, positions_by_value
from polyseme.baselines import CLUSTER_BASELINES
from polyseme.errors import InputError
from polyseme.formats import read_labelling
from polyseme.formats.files import format_suffix
from polyseme.formats.usage_pairs import read_pairs
from polyseme.labelling import Labelling
from polyseme.measures.ranking import rank_correlation
from polyseme.tabular import frame_of_records
from polyseme.tasks.columns import ScoreColumn
from polyseme.tasks.senses_per_usage import mean_senses_per_usage
from polyseme.tasks.task import Path, Task
from polyseme.usage import UsagePair

if TYPE_CHECKING:
    import pandas as pd


class UsimScores(NamedTuple):
    """Spearman's ρ with similarity ratings, and the mean rating within and across the system's senses."""

    pooled: float
    lemmas: dict[str, float]
    within: float
    across: float
    pairs: int
    left_out: int
    senses: float
    """The mean number of senses of a usage of the system."""

    @property
    def mean(self) -> float:
        """The mean of the lemmas' ρ, where they have one."""
        values = [value for value in self.lemmas.values() if math.isfinite(value)]
        return sum(values) / len(values) if values else math.nan

    def summary(self) -> dict[str, Any]:
        """The figures as the command line prints them."""
        return {
            "spearman": {"pooled": self.pooled, "mean": self.mean, "lemmas": self.lemmas},
            "within": self.within,
            "across": self.across,
            "clusters": self.senses,
            "pairs": self.pairs,
            "left_out": self.left_out,
        }

    def __repr__(self) -> str:
        figures = ", ".join(f"{name} {value:.3f}" for name, value in self.figures().items())
        return f"<UsimScores: {figures}>"

    def _repr_html_(self) -> str:
        from polyseme.display.scores import render_usim_scores

        return render_usim_scores(self)

    def to_dict(self) -> dict[str, Any]:
        """Return the figures as `polyseme score usim --json` prints them; the same as :meth:`summary`."""
        return self.summary()

    def to_frame(self) -> pd.DataFrame:
        """Return a data frame of pandas: a row for all pairs and one for each lemma, with Spearman's ρ."""
        rows = [("all", self.pooled), *self.lemmas.items()]
        return frame_of_records(({"lemma": lemma, "spearman": rho} for lemma, rho in rows), ["lemma", "spearman"])

    def per_lemma(self) -> dict[str, dict[str, float]]:
        """Return Spearman's ρ of each lemma."""
        return {lemma: {"spearman": rho} for lemma, rho in self.lemmas.items()}

    def figures(self) -> dict[str, float]:
        """The same figures on one level, without those of lemmas."""
        return {
            "pooled": self.pooled,
            "mean": self.mean,
            **{k: v for k, v in self.summary().items() if k != "spearman"},
        }


@dataclass(frozen=True)
class Usim(Task):
    """Spearman's ρ with similarity ratings of usage pairs, and the mean ratings within and across senses.

    A labelling's similarity of two usages is the cosine of their weights; a pair is *within* a sense if both usages
    have the same heaviest sense. Pairs with a usage that the system leaves out have no similarity: they are counted and
    left out. ``within`` and ``across`` are undefined for a system that gives similarities only.
    (Erk, McCarthy & Gaylord 2013)

    >>> pairs = [UsagePair("x", "x.1", "x.2", 5.0), UsagePair("x", "x.1", "x.3", 1.0)]
    >>> scores = Usim().score(pairs, Labelling.hard(["x.1", "x.2", "x.3"], list("aab"), lemma="x"))
    >>> scores.pooled, scores.within, scores.across
    (1.0, 5.0, 1.0)
    """

    name: ClassVar[str] = "usim"
    columns: ClassVar[tuple[ScoreColumn, ...]] = (
        ScoreColumn("ρ pooled", "pooled"),
        ScoreColumn("ρ mean of lemmas", "mean"),
        ScoreColumn("Usim within", "within"),
        ScoreColumn("Usim across", "across"),
        ScoreColumn("#Cl", "clusters"),
        ScoreColumn("Pairs", "pairs"),
        ScoreColumn("Left out", "left_out"),
    )

    def read_gold(self, path: Path) -> tuple[UsagePair, ...]:
        """Read rated pairs of usages."""
        return read_pairs(path)

    def score_file(self, gold: Sequence[UsagePair], path: Path) -> UsimScores:
        """Read the labelling of a system, or its similarities (``.tsv``), and score them."""
        return self.score(gold, read_pairs(path) if format_suffix(path) == ".tsv" else read_labelling(path))

    def score(self, gold: Sequence[UsagePair], system: Labelling | Iterable[UsagePair]) -> UsimScores:
        """Score a labelling, or similarities of pairs, against rated pairs."""
        labelling = system if isinstance(system, Labelling) else None
        similarities = (
            _compute_cosines(gold, system) if isinstance(system, Labelling) else _find_similarities(gold, system)
        )
        pairs = [pair for pair, value in zip(gold, similarities, strict=True) if value is not None]
        if not pairs:
            example = f"; gold has e.g. {gold[0].first!r} with {gold[0].second!r}" if gold else "; gold is empty"
            raise InputError(f"gold and system have no pair of usages in common{example}; name keys of the same data")
        ratings = np.array([pair.similarity for pair in pairs])
        values = np.array([value for value in similarities if value is not None])
        within, across = _mean_ratings_by_sense(pairs, ratings, labelling)
        return UsimScores(
            rank_correlation(ratings, values),
            _correlate_lemmas(pairs, ratings, values),
            within,
            across,
            len(pairs),
            len(gold) - len(pairs),
            math.nan if labelling is None else mean_senses_per_usage(labelling),
        )

    def score_baselines(self, gold: Sequence[UsagePair]) -> dict[str, dict[str, float]]:
        """Score the trivial clusterings of the rated usages; of several runs the first."""
        lemmas = {usage: pair.lemma for pair in gold for usage in (pair.first, pair.second)}
        usages = Labelling((lemma, usage, {"": 1.0}) for usage, lemma in lemmas.items())
        return {name: self.score(gold, runs[0](usages)).figures() for name, runs in CLUSTER_BASELINES.items()}


def _correlate_lemmas(pairs: Sequence[UsagePair], ratings: Floats, values: Floats) -> dict[str, float]:
    row_numbers = {lemma: row for row, lemma in enumerate(dict.fromkeys(pair.lemma for pair in pairs))}
    rows = positions_by_value(np.array([row_numbers[pair.lemma] for pair in pairs], np.intp), len(row_numbers))
    return {
        lemma: rank_correlation(ratings[positions], values[positions])
        for lemma, positions in zip(row_numbers, rows, strict=True)
    }


def _compute_cosines(gold: Sequence[UsagePair], labelling: Labelling) -> list[float | None]:
    labelling = labelling.normalise("max")  # the cosine does not depend on it, and nothing can overflow
    usages = dict.fromkeys(usage for pair in gold for usage in (pair.first, pair.second))
    senses = {usage: _get_senses(labelling, usage) for usage in usages}
    return [_cosine(senses[pair.first], senses[pair.second]) for pair in gold]


def _get_senses(labelling: Labelling, usage: str) -> dict[tuple[str, str], float] | None:
    """Return a usage's senses by lemma and name, since names belong to a lemma."""
    if usage not in labelling:
        return None
    return {(labelling.lemma(usage), sense): weight for sense, weight in labelling[usage].items()}


def _cosine(first: dict[tuple[str, str], float] | None, second: dict[tuple[str, str], float] | None) -> float | None:
    if first is None or second is None:
        return None
    lengths = math.hypot(*first.values()) * math.hypot(*second.values())
    return sum(weight * second.get(sense, 0.0) for sense, weight in first.items()) / lengths if lengths else 0.0


def _find_similarities(gold: Sequence[UsagePair], system: Iterable[UsagePair]) -> list[float | None]:
    similarities = {frozenset((pair.first, pair.second)): pair.similarity for pair in system}
    return [similarities.get(frozenset((pair.first, pair.second))) for pair in gold]


def _mean_ratings_by_sense(
    pairs: Sequence[UsagePair], ratings: Floats, labelling: Labelling | None
) -> tuple[float, float]:
    """Return the mean rating of pairs that share the heaviest sense, and of those that do not."""
    if labelling is None:
        return math.nan, math.nan
    top = labelling.top()
    top = top.with_weights(np.ones(len(top.weights)))
    share_sense = np.array([_get_senses(top, pair.first) == _get_senses(top, pair.second) for pair in pairs], np.bool_)
    within, across = (float(ratings[rows].mean()) if rows.any() else math.nan for rows in (share_sense, ~share_sense))
    return within, across
