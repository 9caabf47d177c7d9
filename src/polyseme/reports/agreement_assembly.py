"""The input of agreement sections: which sections, of which ratings, with which other files."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, NamedTuple

from polyseme.agreement.grouping import group_by
from polyseme.agreement.sense_groups import SenseGrouping
from polyseme.errors import InputError, count_noun, quote_value
from polyseme.inventory import Inventory
from polyseme.labelling import Labelling
from polyseme.rating import DUREL, WSSIM, Ratings, Scale
from polyseme.reports.agreement_input import AgreementInput
from polyseme.reports.agreement_sections import SECTIONS, AgreementSection
from polyseme.usage import Usage, UsagePair

COMPLETED_TASKS = frozenset({"WSsim"})
"""The tasks in which every sense is rated: a sense that is not listed has the lowest value."""
DEFAULT_SECTIONS = ("agreement",)
SECTIONS_OF_AVERAGES = ("metricity", "schemes")
"""The sections that need only averages of pairs of usages."""
MAX_SCALE_STEPS = 100
"""How far apart the ends of a scale may be."""

AssembledSections = tuple[dict[str, dict[str, AgreementSection]], list[str]]
"""The sections of each task, and notes."""


class AgreementOptions(NamedTuple):
    """The options of agreement sections.

    Args:
        tasks: The tasks. Default: all.
        by: The breakdowns. Default: all that differ.
        complete: Whether senses without a rating have the lowest value. Default: if there is an inventory.
        resamples: The number of bootstrap resamples.
        seed: The random seed.
        pooling: What has equal weight in choices: ``usages`` or ``pairs``.
    """

    tasks: Sequence[str] | None = None
    by: Sequence[str] | None = None
    complete: bool | None = None
    resamples: int = 1000
    seed: int = 0
    pooling: str = "usages"


@dataclass(frozen=True)
class SectionData:
    """What some sections need besides the ratings.

    Args:
        name: The name of the ratings, for messages.
        usages: The usages by id, for their sentences.
        grouping: Coarse groups of senses.
        labellings: The labels of models, by name.
        substitutes: Substitutes of the usages.
        expected: The expected answers to control items.
        known_scale: The scale of the ratings.
    """

    name: str
    usages: Mapping[str, Usage] = field(default_factory=dict)
    grouping: SenseGrouping | None = None
    labellings: Mapping[str, Labelling] = field(default_factory=dict)
    substitutes: Labelling | None = None
    expected: Ratings | None = None
    known_scale: Scale | None = None

    def fields(self) -> dict[str, Any]:
        """Return the data as fields of an agreement input."""
        return {item.name: getattr(self, item.name) for item in fields(self) if item.name != "name"}


def select_sections(names: Sequence[str] | None, *, all_sections: bool, of_averages: bool = False) -> list[str]:
    """Check the names of sections, and return the sections to assemble.

    Args:
        names: The names of sections, or ``all``.
        all_sections: Whether the default is all sections.
        of_averages: Whether only averages are known, without annotators.
    """
    allowed = SECTIONS_OF_AVERAGES if of_averages else tuple(SECTIONS)
    if unknown := [name for name in names or () if name not in (*SECTIONS, "all")]:
        raise InputError(f"there is no section {quote_value(unknown[0])}; allowed are {', '.join(SECTIONS)} and all")
    if wrong := [name for name in names or () if name not in (*allowed, "all")]:
        problem = f"these are averages, and the section {quote_value(wrong[0])} needs the ratings of annotators"
        raise InputError(f"{problem}; averages allow {' and '.join(allowed)}")
    if (not names and all_sections) or "all" in (names or ()):
        return list(allowed)
    return list(dict.fromkeys(names or (allowed[:1] if of_averages else DEFAULT_SECTIONS)))


def assemble_sections(
    ratings: Ratings,
    inventory: Inventory | None,
    data: SectionData,
    options: AgreementOptions,
    sections: Sequence[str],
    show: Callable[[str], object] = lambda _: None,
) -> AssembledSections:
    """Assemble the sections of each task; a note says why a section does not apply.

    Decisions of managers are left out: they are no judgements of annotators.

    Args:
        ratings: The ratings.
        inventory: The senses that were rated.
        data: The other data.
        options: The options.
        sections: The names of the sections.
        show: Receives the current step.

    Raises:
        InputError: No section applies.
    """
    notes: list[str] = []
    judgements = ratings.annotations
    if decisions := len(ratings) - len(judgements):
        notes.append(f"Left out: {count_noun(decisions, 'decision')} of managers, who are not annotators.")
    by_task = {task: Ratings(rows) for task, rows in group_by(judgements, lambda row: row.task).items()}
    names = _select_tasks(data.name, by_task, options.tasks)
    tasks = {
        task: _complete_ratings(task, rows, inventory, options.complete, notes if task in names else [])
        for task, rows in by_task.items()
    }
    assembled = {}
    for task in names:
        show(f"Comparing {count_noun(len(tasks[task]), 'rating')} of {task}")
        shared: dict[str, Any] = {
            "by": options.by,
            "resamples": options.resamples,
            "seed": options.seed,
            "pooling": options.pooling,
        }
        source = AgreementInput(task, tasks[task], tasks, inventory, notes=notes, **shared, **data.fields())
        assembled[task] = _build_sections(source, sections)
    return _check_not_empty(assembled, notes)


def assemble_sections_of_averages(
    averages: Sequence[UsagePair], data: SectionData, options: AgreementOptions, sections: Sequence[str]
) -> AssembledSections:
    """Assemble the sections that need only averages of pairs of usages."""
    shared: dict[str, Any] = {
        "by": options.by,
        "resamples": options.resamples,
        "seed": options.seed,
        "averages": averages,
    }
    source = AgreementInput("Usim", Ratings(()), **shared, **data.fields())
    return _check_not_empty({"Usim": _build_sections(source, sections)}, source.notes)


def _select_tasks(path: str, by_task: Mapping[str, Ratings], names: Sequence[str] | None) -> list[str]:
    if not by_task:
        raise InputError("there are no ratings in it; write a row for each judgement", path=path)
    if missing := [task for task in names or () if task not in by_task]:
        problem = f"there are no ratings of the task {quote_value(missing[0])}"
        raise InputError(f"{problem}; there are {', '.join(by_task)}", path=path)
    return list(dict.fromkeys(names or by_task))


def _complete_ratings(
    task: str, ratings: Ratings, inventory: Inventory | None, complete: bool | None, notes: list[str]
) -> Ratings:
    """Add the ratings that the source omits; a note says how many."""
    if inventory is None and complete:
        raise InputError("--complete adds the senses that ratings omit, and needs their inventory: add --inventory")
    if task not in COMPLETED_TASKS or inventory is None or complete is False:
        return ratings
    completed = ratings.complete(inventory)
    if added := len(completed) - len(ratings):
        notes.append(
            f"{task}: {count_noun(added, 'rating')} of 1 added for senses of the inventory that are not listed for a"
            " usage (--no-complete does not add them)."
        )
    return completed


def _build_sections(source: AgreementInput, names: Sequence[str]) -> dict[str, AgreementSection]:
    sections = {}
    for name in names:
        section = SECTIONS[name](source)
        if isinstance(section, str):
            source.notes.append(section)
        else:
            sections[name] = section
    return sections


def _check_not_empty(assembled: dict[str, dict[str, AgreementSection]], notes: list[str]) -> AssembledSections:
    if not any(assembled.values()):
        raise InputError("; ".join(notes) or "no section applies to these ratings")
    return assembled, notes


AnnotatorGroup = tuple[str, Sequence[str]]
"""The name of a group, and its annotators."""


def parse_annotator_group(text: str) -> AnnotatorGroup:
    """Parse a group of annotators.

    >>> parse_annotator_group("first=ann,bob")
    ('first', ['ann', 'bob'])
    """
    name, equals, members = text.partition("=")
    if not equals or not name.strip() or not members.strip():
        raise InputError(f"--group {quote_value(text)} names no group; write NAME=ANNOTATOR,ANNOTATOR")
    return name, [part.strip() for part in members.split(",")]


def assign_annotator_groups(ratings: Ratings, groups: Sequence[AnnotatorGroup]) -> Ratings:
    """Assign annotators to groups."""
    annotators = ratings.annotations.annotators
    group_by_annotator: dict[str, str] = {}
    for name, members in groups:
        option = _format_group(name, members)
        for annotator in members:
            if annotator not in annotators:
                problem = f"{option}: {quote_value(annotator)} is not an annotator"
                raise InputError(f"{problem}; write one of {', '.join(annotators)}")
            if (other := group_by_annotator.setdefault(annotator, name)) != name:
                problem = f"{option}: {quote_value(annotator)} is in the group {quote_value(other)} already"
                raise InputError(f"{problem}; write every annotator in one group")
    if not groups:
        return ratings
    return Ratings(row._replace(group=group_by_annotator.get(row.annotator, row.group)) for row in ratings)


def _format_group(name: str, members: Sequence[str]) -> str:
    return f"--group {quote_value('='.join((name, ','.join(members))))}"


def check_no_groups(groups: Sequence[AnnotatorGroup]) -> None:
    """Raise an error if annotators are assigned to groups though only averages are known."""
    if groups:
        name, members = groups[0]
        problem = f"{_format_group(name, members)} assigns annotators to a group, and these are averages"
        raise InputError(f"{problem}; drop --group, or pass the ratings of annotators")


def parse_scale(text: str) -> Scale:
    """Parse the ends of a scale, such as ``1-5``; a known scale has names for its values."""
    ends = re.fullmatch(r"(-?\d+)-(-?\d+)", text.strip())
    lowest, highest = map(int, ends.groups()) if ends else (0, 0)
    if not lowest < highest <= lowest + MAX_SCALE_STEPS:
        problem = f"--scale {quote_value(text)} is not a scale; write its lowest and highest value, such as 1-5"
        raise InputError(f"{problem}: whole numbers, at most {MAX_SCALE_STEPS} apart")
    scales = {(scale.lowest, scale.highest): scale for scale in (WSSIM, DUREL)}
    return scales.get((lowest, highest)) or Scale(lowest, ("",) * (highest - lowest + 1))
