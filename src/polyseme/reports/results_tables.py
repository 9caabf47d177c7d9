"""The tables of a page of results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from polyseme.errors import count_noun
from polyseme.reports.experiment_tables import FACTS
from polyseme.reports.results import LEVEL, Breakdown, FigureWithSignificance, Findings, Mistakes, ResultLine
from polyseme.reports.tables import Cell, Table
from polyseme.usage import Usage

MARK = "*"
ON_PAGE = 60
"""How many lemmas are shown on a page; files have them all."""


class MarkedFloat(float):
    """A number with a mark where people read it; for programs it is the number.

    >>> f"{MarkedFloat(0.25):.3f}", float(MarkedFloat(0.25))
    ('0.250*', 0.25)
    """

    def __format__(self, form: str) -> str:
        return f"{super().__format__(form)}{MARK}"


def scores_table(found: Findings) -> Table:
    """Every figure of every row, marked where it differs from that of the row that all are compared with."""
    rows: list[tuple[Cell, ...]] = []
    rules: list[int] = []
    kind = ""
    for line in found.lines:
        if rows and line.kind != kind:
            rules.append(len(rows))
        kind = line.kind
        rows.append((line.name, *(_cell(line, column.figure) for column in found.columns), *_facts(line)))
        if line.spread:
            rows.append(("±", *(line.spread.get(column.figure) for column in found.columns), *[None] * len(FACTS)))
    headings = ("System", *(column.heading for column in found.columns), *FACTS.values())
    return Table(f"Scores: {found.title}", headings, tuple(rows), notes=tuple(_notes(found)), rules=tuple(rules))


def _cell(line: ResultLine, figure: str) -> Cell:
    judged = line.figures.get(figure)
    if judged is None:
        return None
    return MarkedFloat(judged.value) if judged.marked else judged.value


def _facts(line: ResultLine) -> list[Cell]:
    """Numbers of usages are whole, the others are means."""
    values = {name: line.facts.get(name) for name in FACTS}
    return [int(value) if name == "several" and value is not None else value for name, value in values.items()]


def _notes(found: Findings) -> list[str]:
    notes = [
        "Labelled: share of usages. Senses, Median: of a usage. Several: usages with several. Clusters: of a lemma."
    ]
    if any(line.spread for line in found.lines):
        notes.append("±: standard deviation over seeds.")
    return [f"{MARK} {describe_mark(found)}", *notes] if found.samples else notes


def describe_mark(found: Findings) -> str:
    """What a mark says, and how it was come by."""
    compared = sum(
        line.figures[found.measure.figure].p >= 0 for line in found.lines if found.measure.figure in line.figures
    )
    return (
        f"differs from {found.reference}: p < {LEVEL:g} in a paired randomisation test over lemmas ({found.samples:,}"
        f" swaps, two-sided), corrected by Holm's method for {count_noun(compared, 'comparison')} by each measure."
    )


def reliability_table(found: Findings, heading: str, figure: str) -> Table:
    """One measure of every row: intervals, and the difference from the row that all are compared with."""
    rows = [(line.name, *_test_cells(line.figures[figure])) for line in found.lines if figure in line.figures]
    share = f"{100 * found.confidence:g}%"
    return Table(
        f"{heading}: intervals and tests",
        ("System", heading, "Low", "High", "Difference", "Least", "Most", "p", "p corrected", "Mark"),
        tuple(rows),
        notes=(
            f"Low, high: {share} bootstrap interval over lemmas ({found.samples:,} resamples). Difference from"
            f" {found.reference}, with its interval. {MARK} {describe_mark(found)}",
        ),
    )


def _test_cells(judged: FigureWithSignificance) -> tuple[Cell, ...]:
    return (*judged[:6], _format_p(judged.p), _format_p(judged.corrected), MARK if judged.marked else "")


def _format_p(value: float) -> Cell:
    return f"{value:.4f}" if value == value else None


def lemma_table(found: Findings, most: int | None = None) -> Table:
    """The measure by which rows are ranked, of each lemma: the hardest for the best model last."""
    focus = found.focus
    lemmas = ranked_lemmas(found)
    shown = frequent_lemmas(found, most) if most else lemmas
    rows = [(lemma, found.sizes.get(lemma, 0), *(line.lemmas.get(lemma) for line in focus)) for lemma in shown]
    left = (
        (f"{len(lemmas) - len(shown):,} more are in the files that --tables writes.",)
        if len(shown) < len(lemmas)
        else ()
    )
    return Table(
        f"{found.measure.heading} by lemma", ("Lemma", "Usages", *(line.name for line in focus)), tuple(rows), left
    )


def ranked_lemmas(found: Findings) -> list[str]:
    """The lemmas, the best first by what the best model reaches."""
    values = found.line(found.best).lemmas
    return sorted(values, key=lambda lemma: (-values[lemma], lemma))


def frequent_lemmas(found: Findings, most: int = ON_PAGE) -> list[str]:
    """Of the lemmas those with the most usages, the best first by what the best model reaches."""
    ranked = ranked_lemmas(found)
    often = set(sorted(ranked, key=lambda lemma: (-found.sizes.get(lemma, 0), lemma))[:most])
    return [lemma for lemma in ranked if lemma in often]


def breakdown_table(found: Findings, part: Breakdown) -> Table:
    """The measure on each part of the usages, by row."""
    headings = tuple(f"{group} ({size:,})" for group, size in part.sizes.items())
    rows = tuple((name, *(values.get(group) for group in part.sizes)) for name, values in part.values.items())
    left = (f"{part.left_out:,} usages are in parts too small to be shown, or in none.",) if part.left_out else ()
    notes = ("In brackets: the number of usages.", *left)
    return Table(f"{found.measure.heading} by {part.field}", ("System", *headings), rows, notes)


def confusions_table(mistakes: Mistakes) -> Table:
    """Which senses were taken for which."""
    rows = tuple(
        (
            each.lemma,
            _sense(mistakes, each.lemma, each.gold),
            _sense(mistakes, each.lemma, each.answer),
            each.weight,
            each.usages,
        )
        for each in mistakes.confusions
    )
    headings = ("Lemma", "Gold sense", "Answered instead", "Weight", "Usages")
    note = "Weight: how much of a usage's weight, which is 1, went from the first to the second sense, over all usages."
    return Table("Senses taken for others", headings, rows, (note,), digits=1)


def _sense(mistakes: Mistakes, lemma: str, sense: str) -> str:
    gloss = mistakes.glosses.get((lemma, sense), "")
    return f"{sense} – {gloss}" if gloss else sense


def failures_table(mistakes: Mistakes) -> Table:
    """The examples of what went wrong, for files."""
    rows = tuple(
        (
            each.usage.lemma,
            each.usage.id,
            bracket_target(each.usage),
            format_weights(each.gold),
            format_weights(each.answer),
            each.wrong,
        )
        for each in mistakes.examples
    )
    return Table("Worst usages", ("Lemma", "Usage", "Text", "Gold", "Answer", "Wrong"), rows)


def bracket_target(usage: Usage) -> str:
    """A usage with its target between brackets.

    >>> bracket_target(Usage("u", "win.v", "We won.", 3, 6))
    'We [won].'
    """
    return f"{usage.left}[{usage.target}]{usage.right}"


def format_weights(senses: Mapping[str, float]) -> str:
    """Senses with their weights.

    >>> format_weights({"a": 0.75, "b": 0.25})
    'a 0.75, b 0.25'
    """
    return ", ".join(f"{sense} {weight:.2f}" for sense, weight in senses.items())


def about_table(about: Sequence[tuple[str, str]]) -> Table:
    """What was run."""
    return Table("What was run", ("What", "Which"), tuple(about))
