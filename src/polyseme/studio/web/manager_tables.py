"""Tables of the manager's pages: progress, agreement, use of the scale and attention checks."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import NamedTuple

from polyseme.agreement.bootstrap import Estimate
from polyseme.agreement.careless_responding import CarelessnessReport, CheckFinding
from polyseme.agreement.overview import FIGURE_DESCRIPTIONS, AnnotatorAgreement, TaskAgreement
from polyseme.agreement.scale_use import ScaleUse, ValueDistribution
from polyseme.agreement.triangles import Metricity, Triangles
from polyseme.errors import count_noun
from polyseme.rating import Scale
from polyseme.reports.agreement_tables import FIGURE_NAMES
from polyseme.studio.store.records import AnnotatorProgress
from polyseme.studio.study.tasks import TASKS
from polyseme.studio.web.annotator_summary import format_duration


class TableCell(NamedTuple):
    """A cell of a table.

    Args:
        words: The formatted number; a dash if it is undefined.
        reason: Why the number is undefined or uncertain.
        tone: A CSS class.
    """

    words: str
    reason: str = ""
    tone: str = ""


class CellRow(NamedTuple):
    """A row of a table.

    Args:
        name: The name of the annotator, the lemma, ….
        cells: The cells of the columns.
        tone: A CSS class.
    """

    name: str
    cells: tuple[TableCell, ...]
    tone: str = ""


class CellTable(NamedTuple):
    """A table of the manager's pages.

    Args:
        label: The accessible name.
        columns: The headings, the first above the names.
        rows: The rows.
    """

    label: str
    columns: tuple[str, ...]
    rows: tuple[CellRow, ...]


def number_cell(value: float, reason: str = "", digits: int = 2) -> TableCell:
    """Return a number with a proper minus sign, or a dash and the reason.

    >>> number_cell(-0.256), number_cell(math.nan, "no item has two judgements")
    (TableCell(words='−0.26', reason='', tone=''), TableCell(words='–', reason='no item has two judgements', tone=''))
    """
    return TableCell("–", reason) if math.isnan(value) else TableCell(f"{value:.{digits}f}".replace("-", "−"))


def figure_cell(estimate: Estimate) -> TableCell:
    """Return an estimate with its interval."""
    cell = number_cell(estimate.value, estimate.reason)
    if not estimate.defined or math.isnan(estimate.low):
        return cell
    low, high = (number_cell(bound).words for bound in (estimate.low, estimate.high))
    return cell._replace(words=f"{cell.words} ({low} to {high})")


def _count_cell(count: int) -> TableCell:
    return TableCell(f"{count:,}")


def format_age(timestamp: str) -> str:
    """Return how long ago a time was.

    >>> format_age(""), format_age("2000-01-01T00:00:00+00:00")[-8:]
    ('never', 'days ago')
    """
    if not timestamp:
        return "never"
    seconds = (datetime.now(UTC) - datetime.fromisoformat(timestamp)).total_seconds()
    return "just now" if seconds < 60 else f"{format_duration(seconds // 60 * 60).removesuffix(' 0 s')} ago"


# -- progress --------------------------------------------------------------------------------------------------------

NEXT_STATE: Mapping[str, tuple[str, str]] = {
    "invited": ("paused", "Pause"),
    "active": ("paused", "Pause"),
    "paused": ("active", "Resume"),
    "finished": ("active", "Reopen"),
}
"""State → the state that a manager can set next, and the label of the button."""


@dataclass(frozen=True)
class AnnotatorProgressRow:
    """A row of the table of annotators.

    Args:
        progress: The progress.
        recent: The judgements of the last days.
        time: The median time of a page, in words.
        left: The time that the remaining pages will take, in words.
        seen: How long ago the last answer was.
        state: The state that the button sets.
        button: The label of the button.
    """

    progress: AnnotatorProgress
    recent: int
    time: str
    left: str
    seen: str
    state: str
    button: str


def build_progress_row(progress: AnnotatorProgress, recent: int) -> AnnotatorProgressRow:
    """Build the row of an annotator; ``recent`` counts the judgements of the last days."""
    is_timed = not math.isnan(progress.seconds)
    seconds_left = max(0, progress.total - progress.complete) * progress.seconds if is_timed else 0.0
    time = format_duration(progress.seconds) if is_timed else "–"
    left = f"about {format_duration(seconds_left)} left" if seconds_left else ""
    return AnnotatorProgressRow(progress, recent, time, left, format_age(progress.last), *NEXT_STATE[progress.state])


def study_totals(rows: Sequence[AnnotatorProgress]) -> list[tuple[str, str, str]]:
    """Return the main figures of the study: label, figure and note."""
    complete, total = sum(row.complete for row in rows), sum(row.total for row in rows)
    active = sum(row.state == "active" for row in rows)
    return [
        ("Completed pages", f"{complete / total:.0%}" if total else "–", f"{complete:,} of {total:,}"),
        ("Judgements", f"{sum(row.judgements for row in rows):,}", ""),
        ("Active annotators", f"{active}", f"of {len(rows)}"),
        ("Comments", f"{sum(row.comments for row in rows):,}", ""),
        ("Invalid usages", f"{sum(row.invalid for row in rows):,}", ""),
    ]


# -- agreement -------------------------------------------------------------------------------------------------------

MAIN_FIGURES = ("rho", "alpha.ordinal", "agreement", "alpha.masi")
"""The figures in the tables of lemmas and annotators."""


class FigureRow(NamedTuple):
    """A figure with its name and meaning."""

    name: str
    cell: TableCell
    meaning: str


@dataclass(frozen=True)
class AgreementTables:
    """The agreement on a task.

    Args:
        task: The task.
        summary: The counts, in words.
        figures: The figures of the whole task.
        annotators: Each annotator against the others.
        lemmas: The main figures of each lemma.
    """

    task: str
    summary: str
    figures: tuple[FigureRow, ...]
    annotators: CellTable
    lemmas: CellTable


def build_agreement_tables(agreement: TaskAgreement) -> AgreementTables:
    """Build the tables of a task."""
    figures = agreement.whole.figures
    main = [name for name in MAIN_FIGURES if name in figures]
    lemmas = tuple(
        CellRow(
            lemma,
            (
                _count_cell(part.counts.judgements),
                _count_cell(part.counts.compared),
                *(figure_cell(part.figures[name]) for name in main),
            ),
        )
        for lemma, part in agreement.parts.get("lemma", {}).items()
    )
    columns = ("Lemma", "Judgements", "Compared items", *(FIGURE_NAMES[name] for name in main))
    return AgreementTables(
        agreement.task,
        _describe_counts(agreement),
        tuple(
            FigureRow(FIGURE_NAMES.get(name, name), figure_cell(value), FIGURE_DESCRIPTIONS.get(name, ""))
            for name, value in figures.items()
        ),
        _build_annotator_table(agreement, main[0]),
        CellTable(f"{agreement.task}: lemmas", columns, lemmas),
    )


def _describe_counts(agreement: TaskAgreement) -> str:
    counts = agreement.whole.counts
    excluded = {
        "undecided": counts.undecided,
        "on repeats, control items and training pages": counts.repeats,
        "without a choice": counts.nothing,
    }
    summary = (
        f"{count_noun(counts.judgements, 'judgement')} of {count_noun(counts.items, 'item')} "
        f"by {count_noun(counts.annotators, 'annotator')}. "
        f"Compared: {count_noun(counts.compared, 'item')} judged by two or more."
    )
    missing = ", ".join(f"{count:,} {kind}" for kind, count in excluded.items() if count)
    return f"{summary} Not compared: {missing}." if missing else summary


def _build_annotator_table(agreement: TaskAgreement, main: str) -> CellTable:
    others = ("ρ with the mean of the others",) if any(row.others for row in agreement.annotators) else ()
    columns = ("Annotator", "Judgements", "Pairwise mean", *others, f"{FIGURE_NAMES[main]} without the annotator")
    rows = tuple(_build_annotator_row(agreement, row, main) for row in agreement.annotators)
    return CellTable(f"{agreement.task}: annotators", columns, rows)


def _build_annotator_row(agreement: TaskAgreement, row: AnnotatorAgreement, main: str) -> CellRow:
    reasons = (pair.reason for pair in agreement.pairs if row.annotator in (pair.first, pair.second) and pair.reason)
    cells = [_count_cell(row.judgements), number_cell(row.mean, next(reasons, "there is no other annotator yet"))]
    if row.others:
        cells.append(number_cell(row.others.rho, row.others.reason))
    without = row.without[main]
    cell = number_cell(without.value, "there are no two others to compare")
    if not math.isnan(without.change):
        change = number_cell(without.change).words
        cell = cell._replace(words=f"{cell.words} ({change if change.startswith('−') else f'+{change}'})")
    return CellRow(row.annotator, (*cells, cell))


# -- the scale -------------------------------------------------------------------------------------------------------


def build_scale_table(task: str, use: ScaleUse, scale: Scale) -> CellTable:
    """Build the table of the use of a scale: by all, by groups and by annotators."""
    values = (f"{scale.lowest + position} {label}" for position, label in enumerate(scale.labels))
    groups = [group._replace(name=f"group {group.name or '(none)'}") for group in use.groups if len(use.groups) > 1]
    rows = (_build_scale_row(row) for row in (*groups, *use.annotators))
    overall = _build_scale_row(use.overall._replace(name="all annotators"))._replace(tone="all")
    columns = ("Annotator", *values, "Can’t decide", "Judgements")
    return CellTable(f"{task}: use of the scale", columns, (overall, *rows))


def _build_scale_row(use: ValueDistribution) -> CellRow:
    """Build a row of shares, with a background from ``heat0`` to ``heat10``."""
    shares = [TableCell(f"{share:.0%}", tone=f"heat{10 * share:.0f}") for share in use.shares] if use.total else []
    cells = shares or [TableCell("–", tone="heat0")] * len(use.values)
    return CellRow(use.name, (*cells, _count_cell(use.undecided), _count_cell(use.total)))


# -- attention checks ------------------------------------------------------------------------------------------------

CHECK_FORMATS: Mapping[str, Callable[[float], str]] = {
    "runs of one value": "{:.0f} in a row".format,
    "few values": "{:.2f} bits".format,
    "speed": lambda value: f"{value / 1000:.1f} s",
    "control items": "{:.0%} right".format,
    "triangles": "{:.1%} violated".format,
    "agreement with others": lambda value: f"ρ {number_cell(value).words}",
}
"""Check → the format of its figure."""
CHECK_EXPLANATIONS = {
    "runs of one value": "The longest run of one value, in the order of the pages. A long run is flagged if two things"
    " make it unlikely: how often the annotator uses the value, and what the others answered.",
    "few values": "How much the values vary, in bits: 0 if all are the same. The others’ values for the same items are"
    " the standard.",
    "speed": "The median time per answer, compared with that of the others.",
    "control items": "The share of control items answered as expected, within the tolerance of the study.",
    "repeats": "The mean difference between the first and the second rating of an item. In choice tasks: the share of"
    " repeats with the same answer.",
    "triangles": "The share of triples of usages whose three ratings do not fit together: A is close to B, and B to C,"
    " but A is far from C.",
    "agreement with others": "Spearman’s ρ between the annotator’s ratings and the mean of the others.",
}
"""Check → what it measures."""


@dataclass(frozen=True)
class AttentionTable:
    """The attention checks of a task.

    Args:
        task: The task.
        table: The figures of each annotator.
        flags: The findings that deserve a closer look.
        not_checked: The checks that were not possible, with reasons.
    """

    task: str
    table: CellTable
    flags: tuple[CheckFinding, ...]
    not_checked: tuple[tuple[str, str], ...]


def build_attention_table(task: str, report: CarelessnessReport) -> AttentionTable:
    """Build the table of a task."""
    checks = [result.check for result in report.checks if result.findings]
    findings = {(finding.annotator, finding.check): finding for finding in report.findings}
    names = dict.fromkeys(finding.annotator for finding in report.findings)
    rows = tuple(
        CellRow(name, tuple(_finding_cell(findings.get((name, check)), task) for check in checks)) for name in names
    )
    columns = ("Annotator", *(check.capitalize() for check in checks))
    return AttentionTable(task, CellTable(f"{task}: checks", columns, rows), report.flags, report.not_checked)


def _finding_cell(finding: CheckFinding | None, task: str) -> TableCell:
    if finding is None:
        return TableCell("–", "not checked")
    if math.isnan(finding.figure):
        return TableCell("–", finding.reason)
    repeats = "{:.0%} same".format if TASKS[task].is_choice else "{:.2f} apart".format
    words = CHECK_FORMATS.get(finding.check, repeats)(finding.figure)
    return TableCell(words, finding.reason, "flagged" if finding.flagged else "unsure" if finding.reason else "")


def describe_triangles(triangles: Triangles) -> Iterator[str]:
    """Describe violations of the triangle inequality, by averages and by single annotators, in sentences."""
    yield _describe_metricity(triangles.averages, "Mean ratings")
    yield _describe_metricity(triangles.individuals, "Single annotators")
    if triangles.open:
        yield f"Not in the mean ratings: {count_noun(triangles.open, 'pair')} on which an annotator could not decide."


def _describe_metricity(metricity: Metricity, kind: str) -> str:
    if not metricity.triples:
        reason = metricity.reason or "no three usages have ratings for all three pairs"
        return f"{kind}: not computed, because {reason}."
    chance = "" if math.isnan(metricity.chance) else f" Random ratings would violate {1 - metricity.chance:.1%}."
    triples = count_noun(metricity.triples, "triple")
    return f"{kind}: {metricity.missed:,} of {triples} of usages ({1 - metricity.share:.1%}) violate it.{chance}"
