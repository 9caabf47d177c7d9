"""The scores of one system on one task."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from polyseme.scores import Scores
from polyseme.tabular import frame_of_records

if TYPE_CHECKING:
    import pandas as pd

    from polyseme.tasks.task import ScorableTask

Json = Any
Figures = Mapping[str, float]
"""Figures by name, as ``jaccard.f1`` or ``fuzzy_nmi``."""


@dataclass(frozen=True)
class TaskResult:
    """The scores of one system on one task, by the name of the measure.

    Args:
        scores: The scores by the name of the measure.
        regroup: Computes the scores whose units are lemmas anew for a set of usages. Scores whose units are usages
            need only be added up again.
        extra: Figures that are not sums over units.
        absent: Figures of the task that the input does not allow to compute.
        task: The task, whose columns a table of the result has.
    """

    scores: Mapping[str, Scores]
    regroup: Callable[[Collection[str]], Mapping[str, Scores]] | None = field(default=None, compare=False)
    extra: Figures = field(default_factory=dict)
    absent: tuple[str, ...] = ()
    task: ScorableTask | None = None

    def __repr__(self) -> str:
        name = f" of {self.task.name}" if self.task else ""
        figures = [f"{figure} {value:.3f}" for figure, value in self.figures().items()]
        return f"<TaskResult{name}: {', '.join(figures[:12])}{', …' if len(figures) > 12 else ''}>"

    def to_dict(self) -> dict[str, Json]:
        """Return the figures as `polyseme score --json` prints them; the same as :meth:`summary`."""
        return self.summary()

    def to_frame(self) -> pd.DataFrame:
        """Return a data frame of pandas: a row for all usages and one for each lemma, a column for each figure."""
        rows = {"all": self.figures(), **self.per_lemma()}
        columns = ["lemma", *dict.fromkeys(figure for figures in rows.values() for figure in figures)]
        return frame_of_records(({"lemma": lemma, **figures} for lemma, figures in rows.items()), columns)

    def per_lemma(self) -> dict[str, dict[str, float]]:
        """Return the figures of each lemma; mappings are learnt from all lemmas together."""
        lemmas = dict.fromkeys(lemma for scores in self.scores.values() for lemma in scores.lemmas)
        groups = self.by_lemmas({lemma: [lemma] for lemma in lemmas})
        return {lemma: result.figures() for lemma, result in groups.items()}

    def summary(self) -> dict[str, Json]:
        """The figures as the command line prints them: a number, or several by name; NaN where undefined."""
        return {name: _simplify(scores) for name, scores in self.scores.items()} | dict.fromkeys(self.absent)

    def figures(self) -> dict[str, float]:
        """The same figures on one level: ``jaccard.f1``, ``fuzzy_nmi``, …"""
        return dict(self._iterate_figures()) | dict(self.extra)

    def _iterate_figures(self) -> Iterator[tuple[str, float]]:
        for name, scores in self.scores.items():
            total = scores.total()
            for figure, value in total.items():
                yield (name if len(total) == 1 else f"{name}.{figure}"), value

    def by_lemmas(self, groups: Mapping[str, Collection[str]]) -> dict[str, TaskResult]:
        """The result of each group of lemmas: mappings learnt from all lemmas, scores added up for each group."""
        parts = {figure: scores.by_lemma_group(groups) for figure, scores in self.scores.items()}
        return {
            name: TaskResult({figure: part[name] for figure, part in parts.items()}, absent=self.absent, task=self.task)
            for name in groups
        }

    def by_usages(self, groups: Mapping[str, Collection[str]]) -> dict[str, TaskResult]:
        """The result of each group of usages."""
        return {name: self._restrict(frozenset(usages)) for name, usages in groups.items()}

    def _restrict(self, usages: frozenset[str]) -> TaskResult:
        regrouped = self.regroup(usages) if self.regroup else {}
        scores = {
            figure: regrouped[figure]
            if figure in regrouped
            else scores.select(np.array([unit in usages for unit in scores.units], np.bool_))
            for figure, scores in self.scores.items()
        }
        return TaskResult(scores, absent=self.absent, task=self.task)

    def _repr_html_(self) -> str:
        from polyseme.display.scores import render_result

        return render_result(self)


def _simplify(scores: Scores) -> Json:
    total = scores.total()
    return total["score"] if list(total) == ["score"] else total


class RunRow(NamedTuple):
    """A row of the results of a run: a model, a published system, an annotator or a baseline.

    Args:
        name: The specification of a model, or the name of a system.
        kind: *model*, *system*, *annotator* or *baseline*; *spread* for the row after a model that ran with several
            seeds, which has the standard deviations.
        figures: The scores; means, if there are several seeds.
        facts: How many usages are labelled, with how many senses.
        mapping: The mapping of induced senses, where the task has several.
        keys: The files of the labellings, one a seed.
        keep: The share of the greatest weight that senses must have.
    """

    name: str
    kind: str
    figures: Figures
    facts: Mapping[str, float]
    mapping: str = ""
    keys: tuple[str, ...] = ()
    keep: float = 0.0


def mean_figures(runs: Sequence[Figures]) -> dict[str, float]:
    """The mean of each figure over the runs in which it is defined.

    >>> mean_figures([{"a": 1.0, "b": float("nan")}, {"a": 2.0, "b": 3.0}])
    {'a': 1.5, 'b': 3.0}
    """
    names = dict.fromkeys(name for figures in runs for name in figures)
    defined = {name: [run[name] for run in runs if not math.isnan(run.get(name, math.nan))] for name in names}
    return {name: fmean(values) if values else math.nan for name, values in defined.items()}
