"""Progress, agreement and care as rows of the manager's tables: numbers in words, and why there is none."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import NamedTuple

from polyseme.agreement.bootstrap import Estimate
from polyseme.agreement.careless_responding import CarelessnessReport, CheckFinding
from polyseme.agreement.overview import FIGURE_DESCRIPTIONS, AgreementPart, AnnotatorAgreement, TaskAgreement
from polyseme.agreement.scale_use import ScaleUse, ValueDistribution
from polyseme.agreement.triangles import Metricity, Triangles
from polyseme.errors import count_noun
from polyseme.rating import Scale
from polyseme.studio.store.records import AnnotatorProgress
from polyseme.studio.study.tasks import TASKS
from polyseme.studio.web.annotator_summary import format_duration


class TableCell(NamedTuple):
    """A number in words, or a dash and why there is none."""

    words: str
    reason: str = ""
    tone: str = ""


def number_cell(value: float, reason: str = "", digits: int = 2) -> TableCell:
    """A number with a proper minus, or why it is none.

    >>> number_cell(-0.256), number_cell(math.nan, "nobody judged twice")
    (Cell(words='−0.26', reason='', tone=''), Cell(words='–', reason='nobody judged twice', tone=''))
    """
    return TableCell("–", reason) if math.isnan(value) else TableCell(f"{value:.{digits}f}".replace("-", "−"))


def figure_cell(found: Estimate) -> TableCell:
    """A figure with its interval."""
    cell = number_cell(found.value, found.reason)
    if not found.defined or math.isnan(found.low):
        return cell
    return cell._replace(words=f"{cell.words} ({number_cell(found.low).words} to {number_cell(found.high).words})")


def format_age(moment: str) -> str:
    """How long ago something was.

    >>> format_age(""), format_age("2000-01-01T00:00:00+00:00")[-8:]
    ('not yet', 'days ago')
    """
    if not moment:
        return "not yet"
    passed = (datetime.now(UTC) - datetime.fromisoformat(moment)).total_seconds()
    return "just now" if passed < 60 else f"{format_duration(passed // 60 * 60).removesuffix(' 0 s')} ago"


# -- progress --------------------------------------------------------------------------------------------------------

NEXT_STATE: Mapping[str, tuple[str, str]] = {
    "invited": ("paused", "Pause"),
    "active": ("paused", "Pause"),
    "paused": ("active", "Let go on"),
    "finished": ("active", "Reopen"),
}
"""State → what a manager may make of it, and how the button is called."""


@dataclass(frozen=True)
class AnnotatorProgressRow:
    """A row of the table of annotators."""

    progress: AnnotatorProgress
    recent: int
    time: str
    left: str
    seen: str
    state: str
    button: str


def build_progress_rows(progress: Sequence[AnnotatorProgress], recent: Mapping[str, int]) -> list[AnnotatorProgressRow]:
    """How far each annotator is, and at what pace."""
    return [_build_progress_row(each, recent.get(each.annotator, 0)) for each in progress]


def _build_progress_row(each: AnnotatorProgress, recent: int) -> AnnotatorProgressRow:
    known = not math.isnan(each.seconds)
    left = max(0, each.total - each.complete) * each.seconds if known else math.nan
    state, button = NEXT_STATE[each.state]
    return AnnotatorProgressRow(
        each,
        recent,
        format_duration(each.seconds) if known else "–",
        f"about {format_duration(left)} left" if known and left else "",
        format_age(each.last),
        state,
        button,
    )


def study_totals(progress: Sequence[AnnotatorProgress]) -> list[tuple[str, str, str]]:
    """The study in a few figures, each with its name and a note."""
    done, of = sum(each.complete for each in progress), sum(each.total for each in progress)
    working = sum(each.state == "active" for each in progress)
    return [
        ("Pages done", f"{done / of:.0%}" if of else "–", f"{done:,} of {of:,}"),
        ("Judgements", f"{sum(each.judgements for each in progress):,}", ""),
        ("Annotators at work", f"{working}", f"of {len(progress)}"),
        ("Comments", f"{sum(each.comments for each in progress):,}", ""),
        ("Called invalid", f"{sum(each.invalid for each in progress):,}", ""),
    ]


# -- agreement -------------------------------------------------------------------------------------------------------

AGREEMENT_NAMES = {
    "rho": "Mean Spearman’s ρ",
    "alpha.nominal": "α, nominal",
    "alpha.ordinal": "α, ordinal",
    "alpha.interval": "α, interval",
    "alpha.ratio": "α, ratio",
    "agreement": "Agreement",
    "agreement.pairs": "Agreement of pairs",
    "agreement.single": "Agreement of single choices",
    "alpha.masi": "α of sets",
}
MAIN_FIGURES = ("rho", "alpha.ordinal", "agreement", "alpha.masi")
"""The figures that tables of parts show."""


class FigureRow(NamedTuple):
    """A figure, and what it tells."""

    name: str
    cell: TableCell
    meaning: str


class LemmaAgreementRow(NamedTuple):
    """The main figures of a lemma."""

    name: str
    judgements: int
    compared: int
    cells: tuple[TableCell, ...]


class AnnotatorAgreementRow(NamedTuple):
    """An annotator against the others."""

    name: str
    judgements: int
    cells: tuple[TableCell, ...]


@dataclass(frozen=True)
class AgreementTables:
    """What is shown of a task."""

    task: str
    said: str
    figures: tuple[FigureRow, ...]
    first: tuple[str, ...]
    lemmas: tuple[LemmaAgreementRow, ...]
    columns: tuple[str, ...]
    annotators: tuple[AnnotatorAgreementRow, ...]


def build_agreement_tables(found: TaskAgreement) -> AgreementTables:
    """The tables of a task."""
    first = [name for name in MAIN_FIGURES if name in found.whole.figures]
    return AgreementTables(
        found.task,
        _describe_counts(found),
        tuple(
            FigureRow(AGREEMENT_NAMES.get(name, name), figure_cell(value), FIGURE_DESCRIPTIONS.get(name, ""))
            for name, value in found.whole.figures.items()
        ),
        tuple(AGREEMENT_NAMES[name] for name in first),
        tuple(_build_lemma_row(name, part, first) for name, part in found.parts.get("lemma", {}).items()),
        _annotator_columns(found, first[0]),
        tuple(_build_annotator_row(found, each, first[0]) for each in found.annotators),
    )


def _describe_counts(found: TaskAgreement) -> str:
    counts = found.whole.counts
    left_out = [
        (counts.undecided, "undecided"),
        (counts.repeats, "repeats, controls and training"),
        (counts.nothing, "answers that choose nothing"),
    ]
    said = (
        f"{count_noun(counts.judgements, 'judgement')} of {count_noun(counts.items, 'item')} "
        f"by {count_noun(counts.annotators, 'annotator')}; {count_noun(counts.compared, 'item')} by two or more."
    )
    missing = ", ".join(f"{count:,} {what}" for count, what in left_out if count)
    return f"{said} Not compared: {missing}." if missing else said


def _build_lemma_row(name: str, part: AgreementPart, first: Sequence[str]) -> LemmaAgreementRow:
    cells = tuple(figure_cell(part.figures[each]) for each in first)
    return LemmaAgreementRow(name, part.counts.judgements, part.counts.compared, cells)


def _annotator_columns(found: TaskAgreement, main: str) -> tuple[str, ...]:
    others = ("ρ with the mean of the others",) if any(each.others for each in found.annotators) else ()
    return ("Mean with each other", *others, f"{AGREEMENT_NAMES[main]} without them")


def _build_annotator_row(found: TaskAgreement, each: AnnotatorAgreement, main: str) -> AnnotatorAgreementRow:
    cells = [number_cell(each.mean, _reason_not_compared(found, each.annotator))]
    if each.others:
        cells.append(number_cell(each.others.rho, each.others.reason))
    without = each.without[main]
    rest = number_cell(without.value, "without them no two annotators can be compared")
    if not math.isnan(without.change):
        change = number_cell(without.change).words
        rest = rest._replace(words=f"{rest.words} ({change if change.startswith('−') else f'+{change}'})")
    return AnnotatorAgreementRow(each.annotator, each.judgements, (*cells, rest))


def _reason_not_compared(found: TaskAgreement, annotator: str) -> str:
    """Why an annotator can be compared with nobody."""
    reasons = (pair.reason for pair in found.pairs if annotator in (pair.first, pair.second) and pair.reason)
    return next(reasons, "nobody else has judged yet")


# -- the scale -------------------------------------------------------------------------------------------------------


class ScaleUseRow(NamedTuple):
    """How someone uses a scale: shares in words, each with how dark its cell is, from 0 to 10."""

    name: str
    total: int
    shares: tuple[tuple[str, int], ...]
    undecided: int


@dataclass(frozen=True)
class ScaleUseTable:
    """How a scale is used: by all, by groups, by annotators."""

    task: str
    values: tuple[tuple[str, str], ...]
    rows: tuple[ScaleUseRow, ...]


def build_scale_table(task: str, use: ScaleUse, scale: Scale) -> ScaleUseTable:
    """The table of a task."""
    values = tuple((str(scale.lowest + place), label) for place, label in enumerate(scale.labels))
    groups = [each._replace(name=f"group {each.name or '(none)'}") for each in use.groups if len(use.groups) > 1]
    rows = [use.overall._replace(name="everyone"), *groups, *use.annotators]
    return ScaleUseTable(task, values, tuple(map(_build_scale_row, rows)))


def _build_scale_row(of: ValueDistribution) -> ScaleUseRow:
    shares = tuple((f"{share:.0%}", round(10 * share)) if of.total else ("–", 0) for share in of.shares)
    return ScaleUseRow(of.name, of.total, shares, of.undecided)


# -- care ------------------------------------------------------------------------------------------------------------

CHECK_FORMATS: Mapping[str, Callable[[float], str]] = {
    "runs of one value": lambda value: f"{value:.0f} in a row",
    "few values": lambda value: f"{value:.2f} bits",
    "speed": lambda value: f"{value / 1000:.1f} s",
    "control items": lambda value: f"{value:.0%} right",
    "triangles": lambda value: f"{value:.1%} missed",
    "agreement with others": lambda value: f"ρ {number_cell(value).words}",
}
"""Check → how its figure is written."""
CHECK_EXPLANATIONS = {
    "runs of one value": "The longest run of one value, in the order in which items were shown; conspicuous if neither"
    " their use of the value nor the others’ answers explain it.",
    "few values": "How varied someone’s values are, in bits: 0 for one who always gives the same value. They are held"
    " against what the others said of the same items.",
    "speed": "The median time of an answer, held against the others’.",
    "control items": "The share of control items that are answered as expected, within what the study tolerates.",
    "repeats": "How far apart the first and the second answer to an item are, on the mean; where something is chosen,"
    " the share of repeats that are answered alike.",
    "triangles": "The share of triples of usages that miss the triangle inequality.",
    "agreement with others": "Spearman’s ρ with the mean of the others.",
}
"""Check → what it looks at."""


@dataclass(frozen=True)
class AttentionTable:
    """What the checks say of the annotators of a task, and which could not be made."""

    task: str
    checks: tuple[str, ...]
    rows: tuple[tuple[str, tuple[TableCell, ...]], ...]
    flags: tuple[CheckFinding, ...]
    not_checked: tuple[tuple[str, str], ...]


def build_attention_table(task: str, found: CarelessnessReport) -> AttentionTable:
    """The table of a task."""
    made = [check for check in found.checks if check.findings]
    by_name: dict[str, dict[str, CheckFinding]] = {}
    for finding in found.findings:
        by_name.setdefault(finding.annotator, {})[finding.check] = finding
    rows = tuple(
        (name, tuple(_finding_cell(of_one.get(check.check), task) for check in made))
        for name, of_one in by_name.items()
    )
    return AttentionTable(task, tuple(check.check for check in made), rows, found.flags, found.not_checked)


def _finding_cell(found: CheckFinding | None, task: str) -> TableCell:
    if found is None:
        return TableCell("–", "not checked")
    if math.isnan(found.figure):
        return TableCell("–", found.reason)
    written = CHECK_FORMATS.get(found.check, _format_share_equal if TASKS[task].is_choice else _format_difference)
    tone = "flagged" if found.flagged else "unsure" if found.reason else ""
    return TableCell(written(found.figure), found.reason, tone)


def _format_difference(value: float) -> str:
    return f"{value:.2f} apart"


def _format_share_equal(value: float) -> str:
    return f"{value:.0%} alike"


def describe_triangles(found: Triangles) -> Iterator[str]:
    """What the triangle inequality says of averages and of individuals, in sentences."""
    for each, whose in ((found.averages, "the averages"), (found.individuals, "single annotators")):
        yield _describe_metricity(each, whose)
    if found.open:
        yield f"Left out of the averages: {count_noun(found.open, 'pair')} that someone could not decide."


def _describe_metricity(each: Metricity, whose: str) -> str:
    if not each.triples:
        return f"Of {whose} nothing can be said: {each.reason or 'no three usages have ratings for all three pairs'}."
    chance = "" if math.isnan(each.chance) else f"; ratings dealt out at random would miss {1 - each.chance:.1%}"
    return (
        f"Of {count_noun(each.triples, 'triple')} of {whose}, {each.missed:,} ({1 - each.share:.1%}) miss it{chance}."
    )
