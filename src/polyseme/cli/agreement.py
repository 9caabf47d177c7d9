"""``polyseme agreement``: how people agree, from their ratings."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from polyseme.agreement.inputs import assign_annotator_groups, open_pair_averages, parse_scale, select_average_sections
from polyseme.cli.output import Format, FormatOption, JsonOption, replace_non_finite, short_file_names, show_status
from polyseme.errors import InputError, count_noun, quote_value
from polyseme.rating import Scale

if TYPE_CHECKING:
    from polyseme.datasets import DataSet
    from polyseme.inventory import Inventory
    from polyseme.labelling import Labelling
    from polyseme.rating import Ratings
    from polyseme.reports.agreement_sections import AgreementInput, AgreementSection
    from polyseme.usage import Usage, UsagePair


class AgreementBreakdown(StrEnum):
    """What the judgements can be broken down by."""

    lemma = "lemma"
    pos = "pos"
    round = "round"
    group = "group"


class Pooling(StrEnum):
    """How the agreement of those who choose is averaged."""

    usages = "usages"
    pairs = "pairs"


COMPLETED_TASKS = frozenset({"WSsim"})
"""The tasks in which every sense is rated, so that a sense that is not listed was given the lowest value."""

DEFAULT_SECTIONS = ("agreement",)
"""The sections that are printed if none is named."""
SECTION_NAMES = ("agreement", "scale", "annotators", "metricity", "schemes", "senses", "groups")

TaskOption = Annotated[
    list[str] | None,
    typer.Option(metavar="TASK", help="Only this task: WSsim, Usim, WSbest or SYNbest. May be repeated."),
]
ByOption = Annotated[
    list[AgreementBreakdown] | None,
    typer.Option(help="Break the figures down, by all of these that differ if not said. May be repeated."),
]
SectionOption = Annotated[
    list[str] | None,
    typer.Option(
        metavar="SECTION", help=f"What to tell: {', '.join(SECTION_NAMES)}, or all; agreement if not said. Repeatable."
    ),
]
InventoryOption = Annotated[
    str | None, typer.Option(metavar="FILE|DATA SET", help="The senses that were rated; a data set's own if not said.")
]
CompleteOption = Annotated[
    bool | None,
    typer.Option(
        "--complete/--no-complete",
        help="Whether a sense of the inventory that an annotator of a usage is silent on counts as rated 1; so it is"
        " if there is an inventory.",
    ),
]
GroupsOption = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Coarse groups of senses, for the section senses.")
]
LabellingOption = Annotated[
    list[str] | None,
    typer.Option(metavar="KEY", help="A model's labelling, as one more annotator of the section schemes. Repeatable."),
]
SubstitutesOption = Annotated[
    str | None, typer.Option(metavar="FILE|DATA SET", help="Substitutes of the usages, for the section schemes.")
]
UsagesOption = Annotated[
    str | None, typer.Option(metavar="FILE", help="The usages, for examples; a data set's own if not said.")
]
ControlsOption = Annotated[
    Path | None, typer.Option(metavar="RATINGS", help="The right answers of control items, for the section annotators.")
]
ScaleOption = Annotated[
    str | None,
    typer.Option(
        metavar="LOWEST-HIGHEST", help="The values that could be given, as 1-5; seen from the ratings if not said."
    ),
]
GroupOption = Annotated[
    list[str] | None,
    typer.Option(metavar="NAME=ANNOTATOR,…", help="Put annotators into a group, as those with another order of tasks."),
]
PoolingOption = Annotated[
    Pooling,
    typer.Option(help="What has the same say in WSbest and SYNbest: each usage, or each pair of answers."),
]
ReportOption = Annotated[
    Path | None, typer.Option(metavar="FILE.html", help="Write a page of all sections, with plots; polyseme[plots].")
]


def agreement(
    ratings: Annotated[
        str,
        typer.Argument(
            metavar="RATINGS",
            help="A file or folder of ratings in any format, or a data set's name; or averages of pairs of usages.",
        ),
    ],
    task: TaskOption = None,
    by: ByOption = None,
    section: SectionOption = None,
    inventory: InventoryOption = None,
    complete: CompleteOption = None,
    groups: GroupsOption = None,
    labelling: LabellingOption = None,
    substitutes: SubstitutesOption = None,
    usages: UsagesOption = None,
    controls: ControlsOption = None,
    scale: ScaleOption = None,
    group: GroupOption = None,
    pooling: PoolingOption = Pooling.usages,
    report: ReportOption = None,
    resamples: Annotated[int, typer.Option(min=0, help="How many resamples give the intervals; 0 for none.")] = 1000,
    seed: Annotated[int, typer.Option(min=0, help="The seed of the random numbers.")] = 0,
    form: FormatOption = Format.table,
    as_json: JsonOption = False,
) -> None:
    """How people agree, from their ratings: every pair, each against the others and without each, Krippendorff's α.

    WSsim and Usim are compared by their values: Spearman's ρ, and α for nominal, ordinal, interval and ratio scales.
    WSbest and SYNbest are compared as sets. "Cannot decide" is counted, and never guessed. Other sections tell how the
    scale is used, who may have been careless, whether similarities are metric, how models compare, which senses are
    related, and whether groups of annotators differ; --report writes a page of them all. Of averages of pairs there
    are metricity, which is the default then, and schemes.
    """
    wanted = _sections(section, report)
    beside = SectionInputs(ratings, groups, labelling or [], substitutes, usages, controls, parse_scale(scale))
    with show_status() as say:
        say("Reading ratings")
        asked = AgreementOptions(
            task, [each.value for each in by] if by else None, complete, resamples, seed, pooling.value
        )
        if averages := open_pair_averages(ratings):
            sections = select_average_sections(section, group, report=report is not None)
            found, notes = assemble_sections_from_averages(averages, beside, asked, sections)
        else:
            given, senses = read_agreement_ratings(ratings, inventory)
            found, notes = assemble_sections(
                assign_annotator_groups(given, group or []), senses, beside, asked, wanted, say
            )
    if report:
        _write_report(report, ratings, found, notes)
    else:
        _emit(Format.json if as_json else form, found, notes)


class AgreementOptions(NamedTuple):
    """What is to be told of ratings: of which tasks, broken down by what, completed or not, with which draws."""

    tasks: Sequence[str] | None = None
    by: Sequence[str] | None = None
    complete: bool | None = None
    resamples: int = 1000
    seed: int = 0
    pooling: str = "usages"


AgreementSections = tuple[dict[str, "dict[str, AgreementSection]"], list[str]]
"""The sections of each task, and notes."""


def assemble_sections(
    ratings: Ratings,
    senses: Inventory | None,
    beside: SectionInputs,
    asked: AgreementOptions,
    wanted: Sequence[str],
    say: Callable[[str], object],
) -> AgreementSections:
    """The wanted sections of each task that apply, and what must be said of the others; an error if none does."""
    more = beside.read()
    notes: list[str] = []
    found: dict[str, dict[str, AgreementSection]] = {}
    there = _tasks(beside.ratings, ratings)
    chosen = _wanted(beside.ratings, there, asked.tasks)
    tasks = {
        name: _completed(name, rows, senses, asked.complete, notes if name in chosen else [])
        for name, rows in there.items()
    }
    for name in chosen:
        say(f"Comparing {count_noun(len(tasks[name]), 'rating')} of {name}")
        given = more(name, tasks[name], tasks, senses, asked.by, asked.resamples, asked.seed, notes)
        found[name] = _answered(replace(given, pooling=asked.pooling), wanted)
    _check_something(found, notes)
    return found, notes


def assemble_sections_from_averages(
    averages: Sequence[UsagePair], beside: SectionInputs, asked: AgreementOptions, wanted: Sequence[str]
) -> AgreementSections:
    """The sections that averages of pairs of usages are enough for."""
    from polyseme.rating import Ratings

    notes: list[str] = []
    given = beside.read()("Usim", Ratings(()), {}, None, asked.by, asked.resamples, asked.seed, notes)
    sections = {"Usim": _answered(replace(given, averages=averages), wanted)}
    _check_something(sections, notes)
    return sections, notes


# -- what is given -------------------------------------------------------------------------------------------------


def _sections(names: Sequence[str] | None, report: Path | None) -> list[str]:
    if unknown := [name for name in names or () if name not in (*SECTION_NAMES, "all")]:
        raise InputError(
            f"there is no section {quote_value(unknown[0])}; allowed are {', '.join(SECTION_NAMES)} and all"
        )
    if (not names and report) or "all" in (names or ()):
        return list(SECTION_NAMES)
    return list(dict.fromkeys(names or DEFAULT_SECTIONS))


class SectionInputs(NamedTuple):
    """What is read beside the ratings, for some of the sections."""

    ratings: str
    groups: Path | None
    labellings: Sequence[str]
    substitutes: str | None
    usages: str | None
    controls: Path | None
    scale: Scale | None

    def read(self) -> Callable[..., AgreementInput]:
        """What makes the sections' input, when the ratings of a task are there."""
        from polyseme.agreement.sense_groups import read_grouping
        from polyseme.formats import read_labelling, read_ratings
        from polyseme.reports.agreement_sections import AgreementInput

        return partial(
            AgreementInput,
            usages={usage.id: usage for usage in self._usages()},
            grouping=read_grouping(self.groups) if self.groups else None,
            labellings=dict(
                zip(short_file_names(list(self.labellings)), map(read_labelling, self.labellings), strict=True)
            ),
            substitutes=self._substitutes(),
            expected=read_ratings(self.controls) if self.controls else None,
            known_scale=self.scale,
        )

    def _usages(self) -> Iterable[Usage]:
        from polyseme.formats import read_usages

        if self.usages:
            return read_usages(self.usages)
        data_set = _data_set(self.ratings)
        return data_set.usages if data_set and "usages" in data_set.entry.contents else ()

    def _substitutes(self) -> Labelling | None:
        from polyseme.formats import read_labelling

        if not self.substitutes:
            return None
        data_set = _data_set(self.substitutes)
        return data_set.substitutes if data_set else read_labelling(self.substitutes)


def _data_set(name: str) -> DataSet | None:
    """The data set of this name, unless a file is called so."""
    from polyseme.datasets import load
    from polyseme.datasets.index import read_index

    return load(name) if not Path(name).exists() and name in read_index() else None


def read_agreement_ratings(name: str, inventory: str | None = None) -> tuple[Ratings, Inventory | None]:
    """The ratings of a file, a folder or a data set, and the senses that go with them."""
    from polyseme.formats import read_ratings

    if data_set := _data_set(name):
        own = data_set.inventory if "inventory" in data_set.entry.contents or data_set.entry.inventory else None
        return data_set.ratings, open_inventory(inventory) if inventory else own
    if not Path(name).exists():
        problem = f"there is no file, folder or data set {quote_value(name)}"
        raise InputError(f"{problem}; `polyseme data list` shows the data sets, and which of them have ratings")
    return read_ratings(name), open_inventory(inventory) if inventory else None


def open_inventory(name: str) -> Inventory:
    """The senses of a file or of a data set."""
    from polyseme.formats import read_inventory

    data_set = _data_set(name)
    return data_set.inventory if data_set else read_inventory(name)


def _tasks(path: str, ratings: Ratings) -> dict[str, Ratings]:
    """The ratings of each task."""
    from polyseme.rating import Ratings

    there = list(dict.fromkeys(row.task for row in ratings))
    if not there:
        raise InputError("there are no ratings in it", path=path)
    if len(there) == 1:
        return {there[0]: ratings}
    return {task: Ratings([row for row in ratings if row.task == task]) for task in there}


def _wanted(path: str, there: Mapping[str, Ratings], wanted: Sequence[str] | None) -> list[str]:
    """The tasks that are wanted, all if none is named."""
    if missing := [task for task in wanted or () if task not in there]:
        raise InputError(
            f"there are no ratings of the task {quote_value(missing[0])}; there are {', '.join(there)}", path=path
        )
    return list(dict.fromkeys(wanted or there))


def _completed(
    task: str, ratings: Ratings, inventory: Inventory | None, complete: bool | None, notes: list[str]
) -> Ratings:
    """With the ratings that the source leaves out, if it does and nobody minds; what was added is said."""
    if inventory is None and complete:
        raise InputError("--complete adds the senses that ratings leave out, and needs to know them: give --inventory")
    if task not in COMPLETED_TASKS or inventory is None or complete is False:
        return ratings
    more = ratings.complete(inventory)
    if added := len(more) - len(ratings):
        notes.append(
            f"{task}: {count_noun(added, 'rating')} of 1 added for senses of the inventory that are not listed for a usage"
            " (--no-complete leaves them out)."
        )
    return more


# -- the answer ----------------------------------------------------------------------------------------------------


def _answered(given: AgreementInput, wanted: Sequence[str]) -> dict[str, AgreementSection]:
    """The sections that apply; of the others it is noted why not."""
    from polyseme.reports.agreement_sections import SECTIONS

    found = {}
    for name in wanted:
        answer = SECTIONS[name](given)
        if isinstance(answer, str):
            given.notes.append(answer)
        else:
            found[name] = answer
    return found


def _check_something(found: Mapping[str, Mapping[str, AgreementSection]], notes: Sequence[str]) -> None:
    """An error if nothing can be said at all."""
    if not any(found.values()):
        raise InputError("; ".join(notes) or "nothing can be said of these ratings")


def _emit(form: Format, found: Mapping[str, Mapping[str, AgreementSection]], notes: Sequence[str]) -> None:
    """Print all tables, or one JSON object by task and section."""
    if form is Format.json:
        value = {task: {name: each.value for name, each in sections.items()} for task, sections in found.items()}
        typer.echo(
            json.dumps(
                replace_non_finite({**value, "notes": list(notes)}), ensure_ascii=False, indent=2, allow_nan=False
            )
        )
        return
    from polyseme.reports.tables import WRITERS

    tables = [table for sections in found.values() for section in sections.values() for table in section.tables]
    written = [TITLED[form].format(table.title) + WRITERS[form](table) for table in tables]
    typer.echo("\n\n".join([*written, *(f"{REMARK[form]}{note}" for note in notes)]))


TITLED: Mapping[Format, str] = {
    Format.table: "",
    Format.csv: "# {}\n",
    Format.markdown: "### {}\n\n",
    Format.latex: "% {}\n",
}
"""What stands before each of several tables: only tables for people say their title themselves."""
REMARK: Mapping[Format, str] = {Format.table: "", Format.csv: "# ", Format.markdown: "", Format.latex: "% "}
"""What stands before a note."""


def _write_report(
    path: Path, name: str, found: Mapping[str, Mapping[str, AgreementSection]], notes: Sequence[str]
) -> None:
    """Write the page of all sections."""
    from polyseme.formats.files import write_text
    from polyseme.reports.agreement_page import agreement_report

    write_text(path, agreement_report(Path(name).name, found, notes).page())
    typer.echo(f"The page is at {path}")
