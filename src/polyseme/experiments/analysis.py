"""The analysis of a run: figures with intervals and tests, by lemma, and by groups of usages."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import fmean

import numpy as np

from polyseme.arrays import Floats
from polyseme.errors import InputError, quote_value
from polyseme.experiments.groupings import UsageGrouping, find_groupings
from polyseme.experiments.mistakes import collect_mistakes
from polyseme.experiments.scored_rows import ScoredRow, ScoredRows
from polyseme.experiments.setting import Show
from polyseme.reports.experiment_tables import select_columns
from polyseme.reports.results import (
    BASELINE,
    MODEL,
    SYSTEM,
    UNDEFINED,
    Breakdown,
    FigureWithSignificance,
    Findings,
    ResultLine,
)
from polyseme.tasks.columns import COUNT_FIGURES, ScoreColumn
from polyseme.tasks.resampling import (
    AdditiveFigure,
    bootstrap,
    holm_correction,
    percentile_interval,
    randomisation_test,
)

ONE_LEMMA = "There are neither intervals nor tests, as both are over lemmas, and there is only one lemma."


@dataclass(frozen=True)
class AnalysisOptions:
    """The options of an analysis.

    Args:
        measure: The figure that ranks the rows; by default the headline figure of the task.
        against: The row that all are compared with; by default the best baseline.
        samples: The number of resamples and swaps.
        seed: The random seed.
        confidence: The confidence of the intervals.
        examples: The number of wrong usages to show.
    """

    measure: str = ""
    against: str = ""
    samples: int = 2000
    seed: int = 0
    confidence: float = 0.95
    examples: int = 12


def analyse_run(run: ScoredRows, options: AnalysisOptions, show: Show = lambda _: None) -> Findings:
    """Analyse the rows of a run, or of keys."""
    task, rows = run.task, run.rows
    every_column = select_columns(task, [scored.row for scored in rows], run.measures)
    columns = [column for column in every_column if column.figure not in COUNT_FIGURES]
    measure = _choose_measure(columns, options.measure, task.headline)
    best_system = _find_best(rows, measure, SYSTEM)
    best = _find_best(rows, measure, MODEL) or best_system or rows[0]
    best_baseline = _find_best(rows, measure, BASELINE)
    reference = _find_row(rows, options.against) if options.against else best_baseline or best
    focus = [scored for scored in rows if scored.row.kind == MODEL or scored in (best_system, reference)]
    return Findings(
        title=run.title,
        task=task.name,
        columns=columns,
        measure=measure,
        lines=_LineAnalysis(run, columns, measure, reference, options, show).make_lines(),
        best=row_label(best),
        best_system=row_label(best_system) if best_system else "",
        reference=row_label(reference),
        sizes=Counter(run.gold.usage_lemmas),
        breakdowns=[_break_down(grouping, focus, measure, show) for grouping in find_groupings(run.usages, run.gold)],
        mistakes=collect_mistakes(run, best, options.examples) if best.labellings else None,
        notes=[*run.notes, *([] if len(run.gold.lemmas) > 1 else [ONE_LEMMA])],
        samples=options.samples if len(run.gold.lemmas) > 1 else 0,
        confidence=options.confidence,
        about=run.about,
    )


def row_label(scored: ScoredRow) -> str:
    """Return the name of a row among all: with its mapping, if it has one."""
    return f"{scored.row.name}, {scored.row.mapping}" if scored.row.mapping else scored.row.name


def _choose_measure(columns: Sequence[ScoreColumn], name: str, headline: str) -> ScoreColumn:
    """Return the column of a name; by default that of the task's headline figure, or the first."""
    by_name = {column.figure: column for column in columns} | {column.heading: column for column in columns}
    if name and name not in by_name:
        names = ", ".join(column.figure for column in columns)
        raise InputError(f"--measure {quote_value(name)} is not a figure of this experiment; allowed are {names}")
    if not columns:
        raise InputError("no row of this experiment has a figure: there is nothing to report")
    return by_name.get(name or headline, columns[0])


def _find_row(rows: Sequence[ScoredRow], name: str) -> ScoredRow:
    """Return the row of a name."""
    comparable = [scored for scored in rows if scored.results]
    for scored in comparable:
        if name in (row_label(scored), scored.row.name):
            return scored
    names = ", ".join(quote_value(row_label(scored)) for scored in comparable)
    raise InputError(
        f"--against {quote_value(name)} is not a row that others can be compared with; allowed are {names}"
    )


def _find_best(rows: Sequence[ScoredRow], measure: ScoreColumn, kind: str) -> ScoredRow | None:
    """Return the row of a kind with the highest figure."""
    values = [(measure.cell(scored.row.figures), scored) for scored in rows if scored.row.kind == kind]
    defined = [(value, scored) for value, scored in values if isinstance(value, float) and not math.isnan(value)]
    return max(defined, key=lambda pair: pair[0])[1] if defined else None


# -- lines ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _LineAnalysis:
    """Makes the lines of a page: every figure of every row, resampled and swapped over the same lemmas."""

    run: ScoredRows
    columns: Sequence[ScoreColumn]
    measure: ScoreColumn
    reference: ScoredRow
    options: AnalysisOptions
    show: Show

    @cached_property
    def lemmas(self) -> tuple[str, ...]:
        return self.run.gold.lemmas

    def make_lines(self) -> list[ResultLine]:
        by_column = {column.figure: self._analyse_column(column) for column in self.columns}
        return [
            ResultLine(
                row_label(scored),
                scored.row.kind,
                {figure: values[number] for figure, values in by_column.items() if number in values},
                scored.row.facts,
                self._find_spread(scored),
                self._compute_by_lemma(scored),
            )
            for number, scored in enumerate(self.run.rows)
        ]

    def _analyse_column(self, column: ScoreColumn) -> dict[int, FigureWithSignificance]:
        """Return a figure of each row that has it; p is corrected for the number of rows that are compared."""
        self.show(f"resampling {column.heading}")
        values = {number: column.cell(scored.row.figures) for number, scored in enumerate(self.run.rows)}
        figures = {
            number: FigureWithSignificance(float(value)) for number, value in values.items() if value is not None
        }
        if len(self.lemmas) < 2:
            return figures
        additive = {
            number: figure for number in figures if (figure := self._make_additive(self.run.rows[number], column))
        }
        samples, seed = self.options.samples, self.options.seed
        resamples = dict(
            zip(additive, bootstrap([*additive.values()], len(self.lemmas), samples=samples, seed=seed), strict=True)
        )
        for number, draws in resamples.items():
            low, high = percentile_interval(draws, self.options.confidence)
            figures[number] = figures[number]._replace(low=low, high=high)
        return figures | self._compare_with_reference(figures, additive, resamples)

    def _make_additive(self, scored: ScoredRow, column: ScoreColumn) -> AdditiveFigure | None:
        return AdditiveFigure.from_results(scored.results, column.figure, self.lemmas)

    def _compare_with_reference(
        self,
        figures: Mapping[int, FigureWithSignificance],
        additive: Mapping[int, AdditiveFigure],
        resamples: Mapping[int, Floats],
    ) -> dict[int, FigureWithSignificance]:
        reference = self.run.rows.index(self.reference)
        if reference not in additive:
            return {}
        others = [number for number in additive if number != reference]
        pairs = [(additive[number], additive[reference]) for number in others]
        p = randomisation_test(pairs, len(self.lemmas), samples=self.options.samples, seed=self.options.seed)
        compared = {}
        for number, value, corrected in zip(others, p, holm_correction(p), strict=True):
            least, most = percentile_interval(resamples[number] - resamples[reference], self.options.confidence)
            difference = figures[number].value - figures[reference].value
            compared[number] = figures[number]._replace(
                difference=difference, least=least, most=most, p=value, corrected=corrected
            )
        return compared

    def _compute_by_lemma(self, scored: ScoredRow) -> dict[str, float]:
        figure = self._make_additive(scored, self.measure)
        if figure is None:
            return {}
        values = figure.evaluate(np.eye(len(self.lemmas))).tolist()
        return {lemma: value for lemma, value in zip(self.lemmas, values, strict=True) if not math.isnan(value)}

    def _find_spread(self, scored: ScoredRow) -> Mapping[str, float]:
        """Return the standard deviations over seeds."""
        return self.run.spreads.get((scored.row.name, scored.row.mapping), {})


# -- groups of usages ----------------------------------------------------------------------------------------------


def _break_down(grouping: UsageGrouping, rows: Sequence[ScoredRow], measure: ScoreColumn, show: Show) -> Breakdown:
    """Compute the measure on the usages of each group."""
    values = {}
    for scored in (scored for scored in rows if scored.results):
        show(f"breaking {scored.row.name} down by {grouping.field}")
        by_seed = [result.by_usages(grouping.groups) for result in scored.results]
        cells = {group: [measure.cell(results[group].figures()) for results in by_seed] for group in grouping.groups}
        defined = {group: [value for value in column if value is not None] for group, column in cells.items()}
        values[row_label(scored)] = {group: fmean(column) if column else UNDEFINED for group, column in defined.items()}
    sizes = {name: len(usages) for name, usages in grouping.groups.items()}
    return Breakdown(grouping.field, sizes, values, grouping.left_out)
