"""Scores of a measure: statistics per unit, and the figures that summarise them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from polyseme.errors import count_noun
from polyseme.tabular import frame_of_records

if TYPE_CHECKING:
    import pandas as pd

FloatArray = NDArray[np.float64]
Totals = dict[str, FloatArray]


def safe_ratio(above: FloatArray, below: FloatArray, empty: float = np.nan) -> FloatArray:
    """``above / below``, and ``empty`` where ``below`` is 0."""
    safe = np.where(below == 0, 1.0, below)
    return np.where(below == 0, empty, above / safe)


def harmonic_mean(a: FloatArray, b: FloatArray) -> FloatArray:
    """The harmonic mean 2ab/(a + b), 0 where both are 0 or one is undefined."""
    a, b = np.nan_to_num(a), np.nan_to_num(b)
    return safe_ratio(2 * a * b, a + b, empty=0.0)


class ScoreSummary:
    """The functions that turn sums of per-unit statistics into reported figures."""

    @staticmethod
    def answered(sums: FloatArray) -> Totals:
        """Statistics (score, answered, 1) → precision over the answered units, recall over all, F1."""
        score, answered, units = np.moveaxis(sums, -1, 0)
        precision, recall = safe_ratio(score, answered, empty=0.0), safe_ratio(score, units)
        return {"precision": precision, "recall": recall, "f1": harmonic_mean(precision, recall)}

    @staticmethod
    def mean(sums: FloatArray) -> Totals:
        """Statistics (weight · score, weight) → the weighted mean."""
        score, weight = np.moveaxis(sums, -1, 0)
        return {"score": safe_ratio(score, weight)}

    @staticmethod
    def f_of_means(sums: FloatArray) -> Totals:
        """Statistics (precision, recall, 1) → their means, and the F of the means."""
        precision, recall, units = np.moveaxis(sums, -1, 0)
        precision, recall = safe_ratio(precision, units), safe_ratio(recall, units)
        return {"precision": precision, "recall": recall, "f1": harmonic_mean(precision, recall)}

    @staticmethod
    def mean_f(sums: FloatArray) -> Totals:
        """Statistics (w · precision, w · recall, w · F, w) → three weighted means."""
        precision, recall, f1, weight = np.moveaxis(sums, -1, 0)
        return {
            "precision": safe_ratio(precision, weight),
            "recall": safe_ratio(recall, weight),
            "f1": safe_ratio(f1, weight),
        }


@dataclass(frozen=True)
class _SingleFigure:
    summary: Callable[[FloatArray], Totals]
    figure: str

    def __call__(self, sums: FloatArray) -> Totals:
        return {"score": self.summary(sums)[self.figure]}


@dataclass(frozen=True, eq=False)
class Scores:
    """The result of a measure for each unit, which is a usage or a lemma, and the summary of the units.

    The statistics of a unit are *additive*. So the total, the figures of any group of units and any resample of the
    lemmas come from the same few numbers.

    Args:
        measure: The specification of the measure.
        units: The names of the units.
        lemmas: The lemma of each unit.
        sums: The statistics, one row per unit.
        summary: A function that turns a sum of rows into figures.

    >>> scores = Scores.from_units("Jaccard()", ["u1", "u2"], ["x", "x"], [0.5, np.nan])
    >>> scores.total()
    {'precision': 0.5, 'recall': 0.25, 'f1': 0.3333333333333333}
    """

    measure: str
    units: tuple[str, ...]
    lemmas: tuple[str, ...]
    sums: FloatArray
    summary: Callable[[FloatArray], Totals]

    def __post_init__(self) -> None:
        if not len(self.units) == len(self.lemmas) == len(self.sums):
            raise ValueError(f"{len(self.units)} units, {len(self.lemmas)} lemmas, {len(self.sums)} rows of statistics")
        sums = self.sums.view()
        sums.setflags(write=False)
        object.__setattr__(self, "sums", sums)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Scores):
            return NotImplemented
        names = ("measure", "units", "lemmas", "summary")
        same_fields = all(getattr(self, name) == getattr(other, name) for name in names)
        return same_fields and np.array_equal(self.sums, other.sums, equal_nan=True)

    __hash__ = None  # type: ignore[assignment]

    @classmethod
    def from_units(
        cls, measure: str, units: Sequence[str], lemmas: Sequence[str], values: Sequence[float] | FloatArray
    ) -> Scores:
        """Summarise one value per unit, NaN where the system gave no answer, by precision, recall and F1."""
        score = np.asarray(values, np.float64)
        answered = ~np.isnan(score)
        sums = np.column_stack([np.where(answered, score, 0.0), answered, np.ones(len(score))])
        return cls(measure, tuple(units), tuple(lemmas), sums, ScoreSummary.answered)

    @classmethod
    def from_lemmas(
        cls,
        measure: str,
        lemmas: Sequence[str],
        values: Sequence[float] | FloatArray,
        weights: Sequence[float] | FloatArray | None = None,
    ) -> Scores:
        """Summarise one value per lemma by their mean, which may be weighted and ignores NaN."""
        return cls.from_means(measure, lemmas, lemmas, values, weights)

    @classmethod
    def from_means(
        cls,
        measure: str,
        units: Sequence[str],
        lemmas: Sequence[str],
        values: Sequence[float] | FloatArray,
        weights: Sequence[float] | FloatArray | None = None,
    ) -> Scores:
        """Summarise one value per unit by their mean, which may be weighted and ignores NaN."""
        score = np.asarray(values, np.float64)
        weight = np.ones(len(score)) if weights is None else np.asarray(weights, np.float64)
        weight = np.where(np.isnan(score), 0.0, weight)
        sums = np.column_stack([np.nan_to_num(score) * weight, weight])
        return cls(measure, tuple(units), tuple(lemmas), sums, ScoreSummary.mean)

    def __len__(self) -> int:
        return len(self.units)

    def __repr__(self) -> str:
        figures = ", ".join(f"{name} {value:.3f}" for name, value in self.total().items())
        units = "lemma" if self.units == self.lemmas else "usage"
        return f"<Scores of {self.measure}: {figures} over {count_noun(len(self), units)}>"

    def _repr_html_(self) -> str:
        from polyseme.display.scores import render_scores

        return render_scores(self)

    def to_dict(self) -> dict[str, float]:
        """Return the figures over all units, as :meth:`total` does."""
        return self.total()

    def to_frame(self) -> pd.DataFrame:
        """Return the figures of each unit as a data frame of pandas, with its lemma."""
        per_unit = self.per_unit()
        rows = (
            {"unit": unit, "lemma": lemma, **per_unit[unit]}
            for unit, lemma in zip(self.units, self.lemmas, strict=True)
        )
        return frame_of_records(rows, ["unit", "lemma", *self.total()])

    def total(self) -> dict[str, float]:
        """Return the figures over all units."""
        return {name: float(value) for name, value in self.summary(self.sums.sum(axis=0)).items()}

    def figure(self) -> float:
        """Return the headline figure: F1, or else the score."""
        total = self.total()
        return total["f1"] if "f1" in total else total["score"]

    def only(self, figure: str) -> Scores:
        """Return the same scores with one of their figures as *the* score.

        >>> Scores.from_units("Jaccard()", ["u1", "u2"], ["x", "x"], [0.5, np.nan]).only("recall").total()
        {'score': 0.25}
        """
        return replace(self, summary=_SingleFigure(self.summary, figure))

    def per_unit(self) -> dict[str, dict[str, float]]:
        """Return the figures of each unit by itself; NaN where it has none."""
        figures = {name: values.tolist() for name, values in self.summary(self.sums).items()}
        return {unit: {name: values[row] for name, values in figures.items()} for row, unit in enumerate(self.units)}

    def select(self, keep: NDArray[np.bool_]) -> Scores:
        """Return the scores of some of the units only."""
        return self._rows(np.flatnonzero(keep).tolist())

    def _rows(self, rows: list[int]) -> Scores:
        units, lemmas = tuple(self.units[row] for row in rows), tuple(self.lemmas[row] for row in rows)
        return Scores(self.measure, units, lemmas, self.sums[rows], self.summary)

    def group_by(self, group: Mapping[str, str] | Callable[[str], str]) -> dict[str, Scores]:
        """Return the scores of each group of units.

        Args:
            group: A mapping or a function from a unit to its group. Units without a group are left out.

        >>> scores = Scores.from_lemmas("V()", ["a.n", "b.v"], [0.2, 0.4])
        >>> {pos: part.total()["score"] for pos, part in scores.group_by(lambda lemma: lemma[-1]).items()}
        {'n': 0.2, 'v': 0.4}
        """
        return self._split(self.units, group)

    def group_by_lemma(self, group: Mapping[str, str] | Callable[[str], str] = str) -> dict[str, Scores]:
        """Return the scores of each lemma, or of each group of lemmas."""
        return self._split(self.lemmas, group)

    def by_lemma_group(self, groups: Mapping[str, Collection[str]]) -> dict[str, Scores]:
        """Return the scores of each named group of lemmas; groups may overlap, and one may have no units.

        >>> scores = Scores.from_lemmas("V()", ["a", "b"], [0.2, 0.4])
        >>> round(scores.by_lemma_group({"both": ["a", "b"]})["both"].figure(), 3)
        0.3
        """
        rows: dict[str, list[int]] = {}
        for row, lemma in enumerate(self.lemmas):
            rows.setdefault(lemma, []).append(row)
        return {
            name: self._rows([row for lemma in dict.fromkeys(lemmas) for row in rows.get(lemma, ())])
            for name, lemmas in groups.items()
        }

    def _split(self, names: Sequence[str], group: Mapping[str, str] | Callable[[str], str]) -> dict[str, Scores]:
        get_group = group.get if isinstance(group, Mapping) else group
        rows_by_group: dict[str, list[int]] = {}
        for row, name in enumerate(map(get_group, names)):
            if name is not None:
                rows_by_group.setdefault(name, []).append(row)
        return {name: self._rows(rows) for name, rows in rows_by_group.items()}

    def lemma_sums(self, lemmas: Sequence[str]) -> FloatArray:
        """Sum the statistics over each of these lemmas, for resampling over lemmas; other lemmas are left out."""
        numbers = {lemma: row for row, lemma in enumerate(lemmas)}
        where = np.array([numbers.get(lemma, len(lemmas)) for lemma in self.lemmas], np.intp)
        sums = np.zeros((len(lemmas) + 1, self.sums.shape[1]))
        np.add.at(sums, where, self.sums)
        return sums[:-1]
