"""What a run found, as a page tells it: figures with intervals and tests, by lemma, by part of the data."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from polyseme.arrays import Floats
from polyseme.errors import InputError, count_noun, quote_value
from polyseme.experiments.groupings import UsageGrouping, find_groupings
from polyseme.experiments.induction import Show
from polyseme.experiments.mistakes import collect_mistakes
from polyseme.experiments.plan import Plan
from polyseme.experiments.rescoring import RescoredRun, ScoredRow
from polyseme.reports.experiment_tables import SPREAD, select_columns
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
from polyseme.reports.score_tables import ScoreColumn
from polyseme.tasks.comparison import percentile_interval
from polyseme.tasks.resampling import figure_by_lemma, holm_correction, is_additive, randomisation_test, resample_figure

FIRST: Mapping[tuple[str, bool], str] = {
    ("semeval-2013", False): "fuzzy_nmi*fuzzy_bcubed.f1",
    ("semeval-2013", True): "wndcg.f1",
    ("semeval-2010", False): "v_measure*paired_f",
    ("jurgens-2012", False): "perception",
    ("all-words", True): "f1",
    ("wssim", True): "spearman",
    ("lexsub", False): "best.recall",
}
"""By which measure the rows of a task are ranked, if nobody says; by whether labels are a dictionary's senses."""

COUNTS = ("clusters", "senses")
"""Figures of which more is not better."""


@dataclass(frozen=True)
class AnalysisOptions:
    """What a page is to tell: ranked by which measure, compared with which row, with how many draws and examples."""

    measure: str = ""
    against: str = ""
    samples: int = 2000
    seed: int = 0
    confidence: float = 0.95
    examples: int = 12


def analyse_run(given: RescoredRun, wanted: AnalysisOptions, show: Show = lambda _: None) -> Findings:
    """All that a page of results tells of rows that were scored again."""
    plan, rows = given.kept.results.plan, given.rows
    columns = [
        column
        for column in select_columns(plan.task, [each.row for each in rows], plan.measures, by_name=plan.of_dictionary)
        if column.figure not in COUNTS
    ]
    measure = _measure(plan, columns, wanted.measure)
    best = _best(rows, measure, MODEL) or _best(rows, measure, SYSTEM) or rows[0]
    beside = _best(rows, measure, SYSTEM)
    reference = _named(rows, wanted.against) if wanted.against else _best(rows, measure, BASELINE) or best
    lines = _Lines(given, columns, measure, reference, wanted, show).all()
    focus = [each for each in rows if each.row.kind == MODEL or each in (beside, reference)]
    return Findings(
        title=plan.title,
        task=plan.task,
        columns=columns,
        measure=measure,
        lines=lines,
        best=row_label(best),
        beside=row_label(beside) if beside else "",
        reference=row_label(reference),
        sizes=Counter(given.gold.usage_lemmas),
        breakdowns=[_breakdown(part, focus, measure, show) for part in find_groupings(given.usages, given.gold)],
        mistakes=collect_mistakes(given, best, wanted.examples) if best.labellings else None,
        notes=_notes(given),
        samples=wanted.samples if len(given.gold.lemmas) > 1 else 0,
        confidence=wanted.confidence,
        about=_about(given),
    )


def row_label(scored: ScoredRow) -> str:
    """What a row is called among all."""
    return f"{scored.row.name}, {scored.row.mapping}" if scored.row.mapping else scored.row.name


def _measure(plan: Plan, columns: Sequence[ScoreColumn], asked: str) -> ScoreColumn:
    """The measure that is asked for; else that of the task; else the first of the plan's."""
    there = {column.figure: column for column in columns} | {column.heading: column for column in columns}
    if asked and asked not in there:
        names = ", ".join(column.figure for column in columns)
        raise InputError(f"--measure {quote_value(asked)} is not a figure of this experiment; there are {names}")
    if not columns:
        raise InputError("no row of this experiment has a figure: there is nothing to report")
    return there.get(asked or FIRST[plan.task, plan.of_dictionary]) or columns[0]


def _named(rows: Sequence[ScoredRow], name: str) -> ScoredRow:
    """The row of a name."""
    for each in rows:
        if name in (row_label(each), each.row.name) and each.results:
            return each
    names = ", ".join(quote_value(row_label(each)) for each in rows if each.results)
    raise InputError(f"--against {quote_value(name)} is no row that others can be compared with; there are {names}")


def _best(rows: Sequence[ScoredRow], measure: ScoreColumn, kind: str) -> ScoredRow | None:
    """The row of a kind with the highest figure."""
    values = {place: measure.cell(each.row.figures) for place, each in enumerate(rows) if each.row.kind == kind}
    known_values = {
        place: value for place, value in values.items() if isinstance(value, float) and not math.isnan(value)
    }
    return rows[max(known_values, key=lambda place: known_values[place])] if known_values else None


# -- lines ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Lines:
    """Makes the lines of a page: every figure of every row, drawn and swapped over the same lemmas."""

    given: RescoredRun
    columns: Sequence[ScoreColumn]
    measure: ScoreColumn
    reference: ScoredRow
    wanted: AnalysisOptions
    show: Show

    @property
    def lemmas(self) -> tuple[str, ...]:
        return self.given.gold.lemmas

    def all(self) -> list[ResultLine]:
        figures = {column.figure: self._judged(column) for column in self.columns}
        return [
            ResultLine(
                row_label(each),
                each.row.kind,
                {name: judged[place] for name, judged in figures.items() if place in judged},
                each.row.facts,
                self._spread(each),
                self._by_lemma(each),
            )
            for place, each in enumerate(self.given.rows)
        ]

    def _judged(self, column: ScoreColumn) -> dict[int, FigureWithSignificance]:
        """A figure of each row that has it; tests are corrected for the number of rows that are compared."""
        self.show(f"resampling {column.heading}")
        values = {place: column.cell(each.row.figures) for place, each in enumerate(self.given.rows)}
        found = {
            place: FigureWithSignificance(float(value))
            for place, value in values.items()
            if isinstance(value, float | int)
        }
        if len(self.lemmas) < 2:
            return found
        drawn = {place: self._drawn(each, column) for place, each in enumerate(self.given.rows) if place in found}
        found |= {place: self._with_interval(found[place], each) for place, each in drawn.items() if each is not None}
        return self._compared(column, found, drawn)

    def _drawn(self, scored: ScoredRow, column: ScoreColumn) -> Floats | None:
        if not is_additive(scored.results, column.figure):
            return None
        wanted = self.wanted
        return resample_figure(scored.results, column.figure, self.lemmas, samples=wanted.samples, seed=wanted.seed)

    def _with_interval(self, judged: FigureWithSignificance, drawn: Floats) -> FigureWithSignificance:
        low, high = percentile_interval(drawn, self.wanted.confidence)
        return judged._replace(low=low, high=high)

    def _compared(
        self,
        column: ScoreColumn,
        found: Mapping[int, FigureWithSignificance],
        drawn: Mapping[int, Floats | None],
    ) -> dict[int, FigureWithSignificance]:
        at = self.given.rows.index(self.reference)
        theirs = drawn.get(at)
        if theirs is None:
            return dict(found)
        others = {place: ours for place, ours in drawn.items() if place != at and ours is not None}
        p = {place: self._p(place, column) for place in others}
        corrected = dict(zip(p, holm_correction(list(p.values())), strict=True))
        made = dict(found)
        for place, ours in others.items():
            least, most = percentile_interval(ours - theirs, self.wanted.confidence)
            difference = found[place].value - found[at].value
            made[place] = FigureWithSignificance(*found[place][:3], difference, least, most, p[place], corrected[place])
        return made

    def _p(self, place: int, column: ScoreColumn) -> float:
        ours, theirs = self.given.rows[place].results, self.reference.results
        wanted = self.wanted
        return randomisation_test(ours, theirs, column.figure, self.lemmas, samples=wanted.samples, seed=wanted.seed)

    def _by_lemma(self, scored: ScoredRow) -> dict[str, float]:
        if not is_additive(scored.results, self.measure.figure):
            return {}
        values = figure_by_lemma(scored.results, self.measure.figure, self.lemmas).tolist()
        return {lemma: value for lemma, value in zip(self.lemmas, values, strict=True) if value == value}

    def _spread(self, scored: ScoredRow) -> Mapping[str, float]:
        """The standard deviations over seeds, from the row that is below the one of the model."""
        own = (scored.row.name, scored.row.mapping)
        spreads = [row for row in self.given.kept.results.rows if row.kind == SPREAD and (row.name, row.mapping) == own]
        return spreads[0].figures if spreads else {}


# -- parts of the data ---------------------------------------------------------------------------------------------


def _breakdown(part: UsageGrouping, rows: Sequence[ScoredRow], measure: ScoreColumn, show: Show) -> Breakdown:
    """The measure on the usages of each group."""
    values = {}
    for each in (each for each in rows if each.results):
        show(f"breaking {each.row.name} down by {part.field}")
        by_seed = [result.by_usages(part.groups) for result in each.results]
        values[row_label(each)] = {
            group: _mean([seed[group].figures() for seed in by_seed], measure) for group in part.groups
        }
    return Breakdown(part.field, {name: len(usages) for name, usages in part.groups.items()}, values, part.left_out)


def _mean(figures: Sequence[Mapping[str, float]], measure: ScoreColumn) -> float:
    cells = [measure.cell(each) for each in figures]
    there = [float(cell) for cell in cells if isinstance(cell, float | int)]
    return fmean(there) if there else UNDEFINED


# -- words ---------------------------------------------------------------------------------------------------------


def _notes(given: RescoredRun) -> list[str]:
    """What a reader must know of the models, and of intervals that are not there."""
    results = given.kept.results
    notes = [f"{model} found no senses at all." for model in results.empty]
    for model, missed in results.missed.items():
        if missed and model not in results.empty:
            some = ", ".join(list(missed)[:5]) + (" …" if len(missed) > 5 else "")
            notes.append(f"{model} has no senses of {count_noun(len(missed), 'lemma')}: {some}")
    if len(given.gold.lemmas) < 2:
        notes.append("There are neither intervals nor tests, as both are over lemmas, and there is only one lemma.")
    return notes


def _about(given: RescoredRun) -> list[tuple[str, str]]:
    plan = given.kept.results.plan
    data = plan.data or f"{plan.usages.rpartition('/')[2]}, {plan.gold.rpartition('/')[2]}"
    senses = count_noun(len(given.gold.columns), "gold sense")
    about = [
        ("Task", f"{plan.task}{', with senses by name' if plan.of_dictionary else ''}"),
        ("Data", data),
        ("Size", f"{count_noun(len(given.gold), 'usage')} of {count_noun(len(given.gold.lemmas), 'lemma')}, {senses}"),
        ("Corpus", ", ".join(source.rpartition("/")[2] or source for source in plan.sources)),
        ("Analyser", plan.analyser if plan.sources else ""),
        ("Seeds", str(plan.seeds) if plan.seeds > 1 else ""),
        ("Run by", f"polyseme {given.kept.made_by}"),
    ]
    return [(heading, words) for heading, words in about if words]
