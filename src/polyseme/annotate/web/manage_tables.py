"""Progress, agreement and care as rows of the manager's tables: numbers in words, and why there is none."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import NamedTuple

from polyseme.agreement.carelessness import Carelessness, Finding
from polyseme.agreement.figure import Figure
from polyseme.agreement.overview import MEANINGS, AnnotatorAgreement, Part, TaskAgreement
from polyseme.agreement.scale_use import Distribution, ScaleUse
from polyseme.agreement.triangles import Metricity, Triangles
from polyseme.annotate.outcome import Progress
from polyseme.annotate.tasks import TASKS
from polyseme.annotate.web.summary import duration
from polyseme.errors import counted
from polyseme.rating import Scale


class Cell(NamedTuple):
    """A number in words, or a dash and why there is none."""

    words: str
    reason: str = ""
    tone: str = ""


def number(value: float, reason: str = "", digits: int = 2) -> Cell:
    """A number with a proper minus, or why it is none.

    >>> number(-0.256), number(math.nan, "nobody judged twice")
    (Cell(words='−0.26', reason='', tone=''), Cell(words='–', reason='nobody judged twice', tone=''))
    """
    return Cell("–", reason) if math.isnan(value) else Cell(f"{value:.{digits}f}".replace("-", "−"))


def figure(found: Figure) -> Cell:
    """A figure with its interval."""
    cell = number(found.value, found.reason)
    if not found.defined or math.isnan(found.low):
        return cell
    return cell._replace(words=f"{cell.words} ({number(found.low).words} to {number(found.high).words})")


def ago(moment: str) -> str:
    """How long ago something was.

    >>> ago(""), ago("2000-01-01T00:00:00+00:00")[-8:]
    ('not yet', 'days ago')
    """
    if not moment:
        return "not yet"
    passed = (datetime.now(UTC) - datetime.fromisoformat(moment)).total_seconds()
    return "just now" if passed < 60 else f"{duration(passed // 60 * 60).removesuffix(' 0 s')} ago"


# -- progress --------------------------------------------------------------------------------------------------------

NEXT_STATE: Mapping[str, tuple[str, str]] = {
    "invited": ("paused", "Pause"),
    "active": ("paused", "Pause"),
    "paused": ("active", "Let go on"),
    "finished": ("active", "Reopen"),
}
"""State → what a manager may make of it, and how the button is called."""


@dataclass(frozen=True)
class Person:
    """A row of the table of annotators."""

    progress: Progress
    recent: int
    time: str
    left: str
    seen: str
    state: str
    button: str


def people(progress: Sequence[Progress], recent: Mapping[str, int]) -> list[Person]:
    """How far each annotator is, and at what pace."""
    return [_person(each, recent.get(each.annotator, 0)) for each in progress]


def _person(each: Progress, recent: int) -> Person:
    known = not math.isnan(each.seconds)
    left = max(0, each.of - each.complete) * each.seconds if known else math.nan
    state, button = NEXT_STATE[each.state]
    return Person(
        each,
        recent,
        duration(each.seconds) if known else "–",
        f"about {duration(left)} left" if known and left else "",
        ago(each.last),
        state,
        button,
    )


def totals(progress: Sequence[Progress]) -> list[tuple[str, str, str]]:
    """The study in a few figures, each with its name and a note."""
    done, of = sum(each.complete for each in progress), sum(each.of for each in progress)
    working = sum(each.state == "active" for each in progress)
    return [
        ("Pages done", f"{done / of:.0%}" if of else "–", f"{done:,} of {of:,}"),
        ("Judgements", f"{sum(each.judgements for each in progress):,}", ""),
        ("Annotators at work", f"{working}", f"of {len(progress)}"),
        ("Comments", f"{sum(each.comments for each in progress):,}", ""),
        ("Called invalid", f"{sum(each.invalid for each in progress):,}", ""),
    ]


# -- agreement -------------------------------------------------------------------------------------------------------

NAMES = {
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
FIRST = ("rho", "alpha.ordinal", "agreement", "alpha.masi")
"""The figures that tables of parts show."""


class FigureRow(NamedTuple):
    """A figure, and what it tells."""

    name: str
    cell: Cell
    meaning: str


class PartRow(NamedTuple):
    """The main figures of a lemma."""

    name: str
    judgements: int
    compared: int
    cells: tuple[Cell, ...]


class AnnotatorRow(NamedTuple):
    """An annotator against the others."""

    name: str
    judgements: int
    cells: tuple[Cell, ...]


@dataclass(frozen=True)
class AgreementTables:
    """What is shown of a task."""

    task: str
    said: str
    figures: tuple[FigureRow, ...]
    first: tuple[str, ...]
    lemmas: tuple[PartRow, ...]
    columns: tuple[str, ...]
    annotators: tuple[AnnotatorRow, ...]


def agreement_tables(found: TaskAgreement) -> AgreementTables:
    """The tables of a task."""
    first = [name for name in FIRST if name in found.whole.figures]
    return AgreementTables(
        found.task,
        _counts(found),
        tuple(
            FigureRow(NAMES.get(name, name), figure(value), MEANINGS.get(name, ""))
            for name, value in found.whole.figures.items()
        ),
        tuple(NAMES[name] for name in first),
        tuple(_part(name, part, first) for name, part in found.parts.get("lemma", {}).items()),
        _columns(found, first[0]),
        tuple(_against(found, each, first[0]) for each in found.annotators),
    )


def _counts(found: TaskAgreement) -> str:
    counts = found.whole.counts
    left_out = [
        (counts.undecided, "undecided"),
        (counts.repeats, "repeats, controls and training"),
        (counts.nothing, "answers that choose nothing"),
    ]
    said = (
        f"{counted(counts.judgements, 'judgement')} of {counted(counts.items, 'item')} "
        f"by {counted(counts.annotators, 'annotator')}; {counted(counts.compared, 'item')} by two or more."
    )
    missing = ", ".join(f"{count:,} {what}" for count, what in left_out if count)
    return f"{said} Not compared: {missing}." if missing else said


def _part(name: str, part: Part, first: Sequence[str]) -> PartRow:
    cells = tuple(figure(part.figures[each]) for each in first)
    return PartRow(name, part.counts.judgements, part.counts.compared, cells)


def _columns(found: TaskAgreement, main: str) -> tuple[str, ...]:
    others = ("ρ with the mean of the others",) if any(each.others for each in found.annotators) else ()
    return ("Mean with each other", *others, f"{NAMES[main]} without them")


def _against(found: TaskAgreement, each: AnnotatorAgreement, main: str) -> AnnotatorRow:
    cells = [number(each.mean, _why(found, each.annotator))]
    if each.others:
        cells.append(number(each.others.rho, each.others.reason))
    without = each.without[main]
    rest = number(without.value, "without them no two annotators can be compared")
    if not math.isnan(without.change):
        change = number(without.change).words
        rest = rest._replace(words=f"{rest.words} ({change if change.startswith('−') else f'+{change}'})")
    return AnnotatorRow(each.annotator, each.judgements, (*cells, rest))


def _why(found: TaskAgreement, annotator: str) -> str:
    """Why an annotator can be compared with nobody."""
    reasons = (pair.reason for pair in found.pairs if annotator in (pair.first, pair.second) and pair.reason)
    return next(reasons, "nobody else has judged yet")


# -- the scale -------------------------------------------------------------------------------------------------------


class ScaleRow(NamedTuple):
    """How someone uses a scale: shares in words, each with how dark its cell is, from 0 to 10."""

    name: str
    total: int
    shares: tuple[tuple[str, int], ...]
    undecided: int


@dataclass(frozen=True)
class ScaleTable:
    """How a scale is used: by all, by groups, by annotators."""

    task: str
    values: tuple[tuple[str, str], ...]
    rows: tuple[ScaleRow, ...]


def scale_table(task: str, use: ScaleUse, scale: Scale) -> ScaleTable:
    """The table of a task."""
    values = tuple((str(scale.lowest + place), label) for place, label in enumerate(scale.labels))
    groups = [each._replace(name=f"group {each.name or '(none)'}") for each in use.groups if len(use.groups) > 1]
    rows = [use.overall._replace(name="everyone"), *groups, *use.annotators]
    return ScaleTable(task, values, tuple(map(_scale_row, rows)))


def _scale_row(of: Distribution) -> ScaleRow:
    shares = tuple((f"{share:.0%}", round(10 * share)) if of.total else ("–", 0) for share in of.shares)
    return ScaleRow(of.name, of.total, shares, of.undecided)


# -- care ------------------------------------------------------------------------------------------------------------

WRITTEN: Mapping[str, Callable[[float], str]] = {
    "runs of one value": lambda value: f"{value:.0f} in a row",
    "few values": lambda value: f"{value:.2f} bits",
    "speed": lambda value: f"{value / 1000:.1f} s",
    "control items": lambda value: f"{value:.0%} right",
    "triangles": lambda value: f"{value:.1%} missed",
    "agreement with others": lambda value: f"ρ {number(value).words}",
}
"""Check → how its figure is written."""
EXPLAINED = {
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
class CareTable:
    """What the checks say of the annotators of a task, and which could not be made."""

    task: str
    checks: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Cell, ...]], ...]
    flags: tuple[Finding, ...]
    not_checked: tuple[tuple[str, str], ...]


def care_table(task: str, found: Carelessness) -> CareTable:
    """The table of a task."""
    made = [check for check in found.checks if check.findings]
    by_name: dict[str, dict[str, Finding]] = {}
    for finding in found.findings:
        by_name.setdefault(finding.annotator, {})[finding.check] = finding
    rows = tuple(
        (name, tuple(_finding(of_one.get(check.check), task) for check in made)) for name, of_one in by_name.items()
    )
    return CareTable(task, tuple(check.check for check in made), rows, found.flags, found.not_checked)


def _finding(found: Finding | None, task: str) -> Cell:
    if found is None:
        return Cell("–", "not checked")
    if math.isnan(found.figure):
        return Cell("–", found.reason)
    written = WRITTEN.get(found.check, _alike if TASKS[task].chooses else _difference)
    tone = "flagged" if found.flagged else "unsure" if found.reason else ""
    return Cell(written(found.figure), found.reason, tone)


def _difference(value: float) -> str:
    return f"{value:.2f} apart"


def _alike(value: float) -> str:
    return f"{value:.0%} alike"


def triangle_lines(found: Triangles) -> Iterator[str]:
    """What the triangle inequality says of averages and of individuals, in sentences."""
    for each, whose in ((found.averages, "the averages"), (found.individuals, "single annotators")):
        yield _triangle_line(each, whose)
    if found.open:
        yield f"Left out of the averages: {counted(found.open, 'pair')} that someone could not decide."


def _triangle_line(each: Metricity, whose: str) -> str:
    if not each.triples:
        return f"Of {whose} nothing can be said: {each.reason or 'no three usages have ratings for all three pairs'}."
    chance = "" if math.isnan(each.chance) else f"; ratings dealt out at random would miss {1 - each.chance:.1%}"
    return f"Of {counted(each.triples, 'triple')} of {whose}, {each.missed:,} ({1 - each.share:.1%}) miss it{chance}."
