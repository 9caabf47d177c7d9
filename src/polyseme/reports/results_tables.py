"""The tables of a page of results."""

from __future__ import annotations

from collections.abc import Mapping

from polyseme.errors import count_noun
from polyseme.reports.experiment_tables import FACTS, fact_cell
from polyseme.reports.results import LEVEL, Breakdown, FigureWithSignificance, Findings, Mistakes, ResultLine
from polyseme.reports.tables import Cell, Table
from polyseme.words.descriptions import bracket_target

MARK = "*"
DIFFERENCE_BOUNDS = ("Difference low", "Difference high")
LEMMAS_ON_PAGE = 60
"""The number of lemmas on a page; files have them all."""


class MarkedFloat(float):
    """A number with a mark where people read it; programs see the number.

    >>> f"{MarkedFloat(0.25):.3f}", float(MarkedFloat(0.25))
    ('0.250*', 0.25)
    """

    def __format__(self, form: str) -> str:
        return f"{super().__format__(form)}{MARK}"


def scores_table(findings: Findings) -> Table:
    """Every figure of every line, marked where it differs significantly from the reference."""
    rows: list[tuple[Cell, ...]] = []
    rules: list[int] = []
    kind = ""
    for line in findings.lines:
        if rows and line.kind != kind:
            rules.append(len(rows))
        kind = line.kind
        cells = (_score_cell(line, column.figure) for column in findings.columns)
        rows.append((line.name, *cells, *(fact_cell(line.facts, fact) for fact in FACTS)))
        if line.spread:
            rows.append(("±", *(line.spread.get(column.figure) for column in findings.columns), *[None] * len(FACTS)))
    headings = ("System", *(column.heading for column in findings.columns), *FACTS.values())
    return Table(f"Scores: {findings.title}", headings, tuple(rows), notes=_notes(findings), rules=tuple(rules))


def _score_cell(line: ResultLine, figure: str) -> Cell:
    score = line.figures.get(figure)
    if score is None:
        return None
    return MarkedFloat(score.value) if score.significant else score.value


def _notes(findings: Findings) -> tuple[str, ...]:
    facts = (
        "Labelled: share of labelled usages. Senses, Median: senses per usage. Several: usages with several senses."
        " Clusters: clusters per lemma."
    )
    spread = any(line.spread for line in findings.lines)
    return (
        *((f"{MARK} {describe_mark(findings)}",) if findings.samples else ()),
        facts,
        *(("±: standard deviation over seeds.",) if spread else ()),
    )


def describe_mark(findings: Findings) -> str:
    """The meaning of a mark, and the test behind it."""
    figure = findings.measure.figure
    compared = sum(line.figures[figure].p >= 0 for line in findings.lines if figure in line.figures)
    return (
        f"differs from {findings.reference}: p < {LEVEL:g} in a paired randomisation test over lemmas"
        f" ({findings.samples:,} swaps, two-sided), corrected by Holm's method for"
        f" {count_noun(compared, 'comparison')} by each measure."
    )


def reliability_table(findings: Findings, heading: str, figure: str) -> Table:
    """The intervals of one figure of every line, and its difference from the reference."""
    rows = [(line.name, *_test_cells(line.figures[figure])) for line in findings.lines if figure in line.figures]
    return Table(
        f"{heading}: intervals and tests",
        ("System", heading, "Low", "High", "Difference", *DIFFERENCE_BOUNDS, "p", "p corrected", "Mark"),
        tuple(rows),
        notes=(
            f"Low, high: {100 * findings.confidence:g}% bootstrap interval over lemmas ({findings.samples:,} samples)."
            f" Difference from {findings.reference}, with its interval. {MARK} {describe_mark(findings)}",
        ),
    )


def _test_cells(figure: FigureWithSignificance) -> tuple[Cell, ...]:
    p_values = (f"{p:.4f}" if p == p else None for p in (figure.p, figure.corrected))
    return (*figure[:6], *p_values, MARK if figure.significant else "")


def lemma_table(findings: Findings, limit: int | None = None) -> Table:
    """The headline figure of each lemma, or of the most frequent, ranked by the best model."""
    focus, lemmas = findings.focus, findings.ranked_lemmas(limit)
    rows = [(lemma, findings.sizes.get(lemma, 0), *(line.lemmas.get(lemma) for line in focus)) for lemma in lemmas]
    unlisted = len(findings.line(findings.best).lemmas) - len(lemmas)
    notes = (f"{unlisted:,} more lemmas are in the files that --tables writes.",) if unlisted else ()
    headings = ("Lemma", "Usages", *(line.name for line in focus))
    return Table(f"{findings.measure.heading} by lemma", headings, tuple(rows), notes)


def breakdown_table(findings: Findings, breakdown: Breakdown) -> Table:
    """The headline figure on each group of usages, by line."""
    headings = (f"{group} ({size:,})" for group, size in breakdown.sizes.items())
    rows = tuple((name, *map(values.get, breakdown.sizes)) for name, values in breakdown.values.items())
    count = breakdown.left_out
    left_out = (f"{count:,} usages are in no group, or in groups that are too small to be shown.",) if count else ()
    notes = ("In brackets: the number of usages.", *left_out)
    return Table(f"{findings.measure.heading} by {breakdown.field}", ("System", *headings), rows, notes)


def confusions_table(mistakes: Mistakes) -> Table:
    """The senses that are confused most."""

    def describe(lemma: str, sense: str) -> str:
        gloss = mistakes.glosses.get((lemma, sense), "")
        return f"{sense} – {gloss}" if gloss else sense

    rows = tuple(
        (row.lemma, describe(row.lemma, row.gold), describe(row.lemma, row.answer), row.weight, row.usages)
        for row in mistakes.confusions
    )
    headings = ("Lemma", "Gold sense", "Answer", "Weight", "Usages")
    note = (
        "Weight: how much weight the answers move from the gold sense to the other, summed over usages. Each usage has"
        " a weight of 1."
    )
    return Table("Confused senses", headings, rows, (note,), digits=1)


def failures_table(mistakes: Mistakes) -> Table:
    """The worst usages, for files."""
    rows = tuple(
        (
            row.usage.lemma,
            row.usage.id,
            bracket_target(row.usage),
            format_weights(row.gold),
            format_weights(row.answer),
            row.error,
        )
        for row in mistakes.examples
    )
    return Table("Worst usages", ("Lemma", "Usage", "Text", "Gold", "Answer", "Error"), rows)


def format_weights(senses: Mapping[str, float]) -> str:
    """Format senses with their weights.

    >>> format_weights({"a": 0.75, "b": 0.25})
    'a 0.75, b 0.25'
    """
    return ", ".join(f"{sense} {weight:.2f}" for sense, weight in senses.items())
