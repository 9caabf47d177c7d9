"""How people agree, as tables: the figures, every pair, every annotator, and parts of the judgements."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

from polyseme.agreement.annotator_pairs import AnnotatorPair
from polyseme.agreement.overview import (
    FIGURE_DESCRIPTIONS,
    AgreementPart,
    AnnotatorAgreement,
    JudgementCounts,
    TaskAgreement,
)
from polyseme.errors import count_noun
from polyseme.reports.tables import Cell, Table

MATRIX = 12
"""Of up to so many annotators every pair is shown."""
LOWEST = 10
"""Of more annotators, so many pairs: those that agree least."""

FIGURE_NAMES: Mapping[str, str] = {
    "rho": "Mean ρ",
    "alpha.nominal": "α nominal",
    "alpha.ordinal": "α ordinal",
    "alpha.interval": "α interval",
    "alpha.ratio": "α ratio",
    "alpha.masi": "α sets (MASI)",
    "agreement": "Agreement",
    "agreement.pairs": "Agreement, pairs",
    "agreement.single": "Agreement, single",
}
"""How figures are called in headings."""
WITH_INTERVAL = ("alpha.ordinal", "alpha.masi")
"""The figures whose intervals are shown for parts of the judgements."""
PARTS = (
    "The same figures on each part alone. Compared: items that two annotators or more judged; pairs: of annotators who"
    " have enough in common; low, high: the 95% interval of the α before them."
)
INTERVALS = (
    "Low, high: 95% bootstrap intervals, between which the figure would lie had other usages of the same kind been"
    " judged; usages are drawn again, with all that was said of them."
)
HEADINGS = {"lemma": "Lemma", "pos": "Part of speech", "round": "Round", "group": "Group"}


def agreement_tables(found: TaskAgreement) -> list[Table]:
    """All tables of a task, the most important first."""
    return [figures_table(found), *pair_tables(found), annotator_agreement_table(found), *part_tables(found)]


def figures_table(found: TaskAgreement) -> Table:
    """One row a figure, with its interval and what it tells."""
    rows = tuple(
        (
            FIGURE_NAMES[name],
            each.value,
            each.low,
            each.high,
            FIGURE_DESCRIPTIONS[name] if each.defined else f"Undefined: {each.reason}",
        )
        for name, each in found.whole.figures.items()
    )
    reasons = dict.fromkeys(each.reason for each in found.whole.figures.values() if each.defined and each.reason)
    intervals = any(not math.isnan(each.low) for each in found.whole.figures.values())
    notes = (
        _describe_counts(found.whole.counts, len(found.pairs)),
        *(f"{reason.capitalize()}." for reason in reasons),
        *((INTERVALS,) if intervals else ()),
    )
    return Table(f"{found.task}: how people agree", ("Figure", "Value", "Low", "High", "What it tells"), rows, notes)


def _describe_counts(counts: JudgementCounts, pairs: int) -> str:
    """What was compared and what was left out, in words."""
    compared = count_noun(counts.compared, "item")
    single = counts.items - counts.compared
    left = {
        "of annotators who could not decide": counts.undecided,
        "hidden repeats, control items or training": counts.repeats,
        "changed later, so that the last counts": counts.changed,
        "that choose nothing": counts.nothing,
    }
    parts = [
        f"{count_noun(counts.judgements, 'judgement')} by {count_noun(counts.annotators, 'annotator')}; {compared} judged by"
        f" two or more, and {single:,} by fewer, which cannot be compared",
        f"{counts.pairs:,} of {count_noun(pairs, 'pair')} of annotators can be compared",
        *(f"left out: {number:,} {what}" for what, number in left.items() if number),
    ]
    return ". ".join(part[0].upper() + part[1:] for part in parts) + "."


# -- pairs ---------------------------------------------------------------------------------------------------------


def pair_tables(found: TaskAgreement) -> Iterator[Table]:
    """The matrix of few annotators and all of their pairs; of many, the pairs that agree least."""
    if len(found.annotators) < 2:
        return
    graded = any(each.others for each in found.annotators)
    if len(found.annotators) <= MATRIX:
        yield _matrix(found)
        yield _pair_table(f"{found.task}: every pair", list(found.pairs), graded)
        return
    defined = sorted((pair for pair in found.pairs if not math.isnan(pair.value)), key=lambda pair: pair.value)
    note = f"The lowest of {count_noun(len(defined), 'pair')}; JSON has all of them."
    yield _pair_table(f"{found.task}: pairs that agree least", defined[:LOWEST], graded, (note,))


def _matrix(found: TaskAgreement) -> Table:
    names = found.pairs.annotators
    rows: list[tuple[Cell, ...]] = [(name, *row) for name, row in zip(names, found.pairs.value.tolist(), strict=True)]
    others = [each.others for each in found.annotators]
    note = "How far two annotators agree on the items that both judged: 1: always, 0: "
    if not all(others):
        return Table(f"{found.task}: agreement", ("", *names), tuple(rows), (f"{note}never.",))
    rows.append(("mean of the others", *(each.rho for each in others if each)))
    note += "no connection. Last row: each annotator with the mean of the others."
    return Table(f"{found.task}: Spearman's ρ", ("", *names), tuple(rows), (note,), rules=(len(names),))


def _pair_table(title: str, pairs: list[AnnotatorPair], tested: bool, notes: tuple[str, ...] = ()) -> Table:
    rows = tuple(
        (pair.first, pair.second, pair.value, *((_format_p(pair.p),) if tested else ()), pair.items, pair.reason)
        for pair in pairs
    )
    headings = ("Annotator", "and", "ρ", "p") if tested else ("Annotator", "and", "Agreement")
    if tested:
        notes = (*notes, "p: how often chance alone would give so strong a ρ to two who have nothing in common.")
    return _drop_empty_last_column(Table(title, (*headings, "Items in common", "Why –"), rows, notes))


def _format_p(p: float) -> Cell:
    return None if math.isnan(p) else "<0.001" if p < 0.001 else f"{p:.3f}"


def _drop_empty_last_column(table: Table) -> Table:
    """Without the column of reasons, if there are none."""
    if any(row[-1] for row in table.rows):
        return table
    return Table(
        table.title, table.columns[:-1], tuple(row[:-1] for row in table.rows), table.notes, table.digits, table.rules
    )


# -- annotators ----------------------------------------------------------------------------------------------------


def annotator_agreement_table(found: TaskAgreement) -> Table:
    """Each annotator with the others, and what the figures would be without them."""
    figures = [name for name in ("rho", "agreement", *WITH_INTERVAL) if name in found.whole.figures]
    graded = any(each.others for each in found.annotators)
    headings = (
        "Annotator",
        "Judgements",
        "Mean of their pairs",
        *(("ρ with mean of others", "p") if graded else ()),
        *(f"{FIGURE_NAMES[name]}{more}" for name in figures for more in (" without them", ": change")),
        "Why –",
    )
    rows = tuple(_annotator_row(each, figures) for each in found.annotators)
    notes = (
        "Mean of their pairs: how far they agree with each of the others, on average."
        + (" ρ with mean of others: whether they order items as the others do together." if graded else ""),
        "Change: how much higher the figure is without the annotator; above 0, they agree less than the others do.",
    )
    return _drop_empty_last_column(Table(f"{found.task}: each annotator", headings, rows, notes))


def _annotator_row(each: AnnotatorAgreement, figures: list[str]) -> tuple[Cell, ...]:
    others: tuple[Cell, ...] = (each.others.rho, _format_p(each.others.p)) if each.others else ()
    without = (number for name in figures for number in each.without[name])
    reasons = [each.others.reason if each.others else "", _explain_undefined(each, figures)]
    return (each.annotator, each.judgements, each.mean, *others, *without, "; ".join(filter(None, reasons)))


def _explain_undefined(each: AnnotatorAgreement, figures: list[str]) -> str:
    if not any(math.isnan(each.without[name].value) for name in figures):
        return ""
    return "without them there is too little left to compare"


# -- parts ---------------------------------------------------------------------------------------------------------


def part_tables(found: TaskAgreement) -> Iterator[Table]:
    """One table for each way the judgements are broken down."""
    for by, parts in found.parts.items():
        headings = (
            HEADINGS[by],
            *("Judgements", "Items", "Compared", "Annotators", "Undecided", "Pairs"),
            *(heading for name in found.whole.figures for heading in _headings(name)),
            "Why –",
        )
        rows = tuple((name or "(none)", *_part_row(part)) for name, part in parts.items())
        yield _drop_empty_last_column(Table(f"{found.task}: by {HEADINGS[by].lower()}", headings, rows, (PARTS,)))


def _headings(figure: str) -> tuple[str, ...]:
    return (FIGURE_NAMES[figure], *(("low", "high") if figure in WITH_INTERVAL else ()))


def _part_row(part: AgreementPart) -> tuple[Cell, ...]:
    counts = part.counts
    cells: list[Cell] = []
    for name, each in part.figures.items():
        cells += [each.value, *((each.low, each.high) if name in WITH_INTERVAL else ())]
    reason = next((each.reason for each in part.figures.values() if not each.defined), "")
    numbers = (counts.judgements, counts.items, counts.compared, counts.annotators, counts.undecided, counts.pairs)
    return (*numbers, *cells, reason)
