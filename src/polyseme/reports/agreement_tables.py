"""Tables of agreement: the figures, every pair of annotators, every annotator, and parts of the judgements."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace

from polyseme.agreement.annotator_pairs import AnnotatorPair
from polyseme.agreement.overview import (
    FIGURE_DESCRIPTIONS,
    AgreementPart,
    AnnotatorAgreement,
    JudgementCounts,
    TaskAgreement,
)
from polyseme.errors import count_noun
from polyseme.reports.tables import Cell, Table, format_p

MAX_MATRIX = 12
"""Every pair of annotators is shown up to this number of annotators."""
LOWEST_PAIRS = 10
"""With more annotators, this many pairs with the least agreement are shown."""

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
"""The names of figures in headings."""
WITH_INTERVAL = ("alpha.ordinal", "alpha.masi")
"""The figures whose intervals are shown for parts of the judgements."""
PARTS_NOTE = (
    "The same figures for each part. Compared: items that two or more annotators judged. Pairs: annotators with enough"
    " items in common. Low, high: the 95% interval of the α before them."
)
INTERVALS_NOTE = "Low, high: 95% bootstrap intervals; usages are resampled with all their judgements."
HEADINGS = {"lemma": "Lemma", "pos": "Part of speech", "round": "Round", "group": "Group"}


def agreement_tables(agreement: TaskAgreement) -> list[Table]:
    """All tables of a task, most important first."""
    annotators = annotator_agreement_table(agreement)
    return [figures_table(agreement), *pair_tables(agreement), annotators, *part_tables(agreement)]


def figures_table(agreement: TaskAgreement) -> Table:
    """One row a figure, with its interval and its meaning."""
    figures = agreement.whole.figures
    rows = tuple(
        (
            FIGURE_NAMES[name],
            *estimate[:3],
            FIGURE_DESCRIPTIONS[name] if estimate.defined else f"Undefined: {estimate.reason}",
        )
        for name, estimate in figures.items()
    )
    reasons = dict.fromkeys(estimate.reason for estimate in figures.values() if estimate.defined and estimate.reason)
    intervals = any(not math.isnan(estimate.low) for estimate in figures.values())
    notes = (
        _describe_counts(agreement.whole.counts, len(agreement.pairs)),
        *(f"{reason.capitalize()}." for reason in reasons),
        *((INTERVALS_NOTE,) if intervals else ()),
    )
    headings = ("Figure", "Value", "Low", "High", "Meaning")
    return Table(f"{agreement.task}: agreement of annotators", headings, rows, notes)


def _describe_counts(counts: JudgementCounts, pairs: int) -> str:
    """What is compared and what is left out."""
    judgements, annotators = count_noun(counts.judgements, "judgement"), count_noun(counts.annotators, "annotator")
    compared, single = count_noun(counts.compared, "item"), counts.items - counts.compared
    left_out = {
        "of annotators who could not decide": counts.undecided,
        "hidden repeats, control items or training": counts.repeats,
        "changed later, so that the last counts": counts.changed,
        "that choose nothing": counts.nothing,
    }
    sentences = [
        f"{judgements} by {annotators}; {compared} judged by two or more, and {single:,} by fewer, which cannot be"
        " compared",
        f"{counts.pairs:,} of {count_noun(pairs, 'pair')} of annotators can be compared",
        *(f"Left out: {number:,} {kind}" for kind, number in left_out.items() if number),
    ]
    return ". ".join(sentences) + "."


# -- pairs ---------------------------------------------------------------------------------------------------------


def pair_tables(agreement: TaskAgreement) -> Iterator[Table]:
    """The matrix of few annotators and all of their pairs; of many annotators, the pairs with the least agreement."""
    if len(agreement.annotators) < 2:
        return
    graded = any(annotator.others for annotator in agreement.annotators)
    if len(agreement.annotators) <= MAX_MATRIX:
        yield _matrix(agreement)
        yield _pair_table(f"{agreement.task}: every pair", list(agreement.pairs), graded)
        return
    defined = sorted((pair for pair in agreement.pairs if not math.isnan(pair.value)), key=lambda pair: pair.value)
    note = f"The lowest of {count_noun(len(defined), 'pair')}; JSON has all of them."
    yield _pair_table(f"{agreement.task}: pairs with the least agreement", defined[:LOWEST_PAIRS], graded, (note,))


def _matrix(agreement: TaskAgreement) -> Table:
    names, values = agreement.pairs.annotators, agreement.pairs.value.tolist()
    rows: list[tuple[Cell, ...]] = [(name, *row) for name, row in zip(names, values, strict=True)]
    others = [annotator.others for annotator in agreement.annotators]
    note = "How far two annotators agree on the items that both judged: 1: always, 0: "
    if not all(others):
        return Table(f"{agreement.task}: agreement", ("", *names), tuple(rows), (f"{note}never.",))
    rows.append(("mean of the others", *(correlation.rho for correlation in others if correlation)))
    note += "no connection. Last row: each annotator with the mean of the others."
    return Table(f"{agreement.task}: Spearman's ρ", ("", *names), tuple(rows), (note,), rules=(len(names),))


def _pair_table(title: str, pairs: list[AnnotatorPair], graded: bool, notes: tuple[str, ...] = ()) -> Table:
    rows = tuple(
        (pair.first, pair.second, pair.value, *((format_p(pair.p),) if graded else ()), pair.items, pair.reason)
        for pair in pairs
    )
    headings = ("Annotator", "and", "ρ", "p") if graded else ("Annotator", "and", "Agreement")
    if graded:
        notes = (*notes, "p: the probability of a ρ as strong by chance, for two annotators with nothing in common.")
    return _drop_empty_last_column(Table(title, (*headings, "Items in common", "Reason"), rows, notes))


def _drop_empty_last_column(table: Table) -> Table:
    """Drop the column of reasons if it is empty."""
    if any(row[-1] for row in table.rows):
        return table
    return replace(table, columns=table.columns[:-1], rows=tuple(row[:-1] for row in table.rows))


# -- annotators ----------------------------------------------------------------------------------------------------


def annotator_agreement_table(agreement: TaskAgreement) -> Table:
    """The agreement of each annotator with the others, and the figures without the annotator."""
    figures = [name for name in ("rho", "agreement", *WITH_INTERVAL) if name in agreement.whole.figures]
    graded = any(annotator.others for annotator in agreement.annotators)
    headings = (
        "Annotator",
        "Judgements",
        "Mean of their pairs",
        *(("ρ with mean of others", "p") if graded else ()),
        *(f"{FIGURE_NAMES[name]}{suffix}" for name in figures for suffix in (" without them", ": change")),
        "Reason",
    )
    rows = tuple(_annotator_row(annotator, figures) for annotator in agreement.annotators)
    notes = (
        "Mean of their pairs: how far they agree with each of the others, on average."
        + (" ρ with mean of others: whether they order items as the others do together." if graded else ""),
        "Change: how much higher the figure is without the annotator; above 0, they agree less than the others do.",
    )
    return _drop_empty_last_column(Table(f"{agreement.task}: each annotator", headings, rows, notes))


def _annotator_row(row: AnnotatorAgreement, figures: list[str]) -> tuple[Cell, ...]:
    others: tuple[Cell, ...] = (row.others.rho, format_p(row.others.p)) if row.others else ()
    without = (number for name in figures for number in row.without[name])
    undefined = any(math.isnan(row.without[name].value) for name in figures)
    reasons = [
        row.others.reason if row.others else "",
        "without them there is too little left to compare" if undefined else "",
    ]
    return (row.annotator, row.judgements, row.mean, *others, *without, "; ".join(filter(None, reasons)))


# -- parts ---------------------------------------------------------------------------------------------------------


def part_tables(agreement: TaskAgreement) -> Iterator[Table]:
    """One table for each breakdown of the judgements."""
    for breakdown, parts in agreement.parts.items():
        figure_headings = (
            heading
            for name in agreement.whole.figures
            for heading in (FIGURE_NAMES[name], *(("low", "high") if name in WITH_INTERVAL else ()))
        )
        headings = (
            HEADINGS[breakdown],
            *("Judgements", "Items", "Compared", "Annotators", "Undecided", "Pairs"),
            *figure_headings,
            "Reason",
        )
        rows = tuple((name or "(none)", *_part_row(part)) for name, part in parts.items())
        title = f"{agreement.task}: by {HEADINGS[breakdown].lower()}"
        yield _drop_empty_last_column(Table(title, headings, rows, (PARTS_NOTE,)))


def _part_row(part: AgreementPart) -> tuple[Cell, ...]:
    counts = part.counts
    cells: list[Cell] = []
    for name, estimate in part.figures.items():
        cells += [estimate.value, *((estimate.low, estimate.high) if name in WITH_INTERVAL else ())]
    reason = next((estimate.reason for estimate in part.figures.values() if not estimate.defined), "")
    numbers = (counts.judgements, counts.items, counts.compared, counts.annotators, counts.undecided, counts.pairs)
    return (*numbers, *cells, reason)
