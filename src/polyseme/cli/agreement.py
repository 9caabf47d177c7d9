"""``polyseme agreement``: how annotators agree, from their ratings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from polyseme.cli.output import (
    Format,
    FormatOption,
    JsonOption,
    ResamplesOption,
    SeedOption,
    echo_json,
    short_file_names,
    show_status,
)

if TYPE_CHECKING:
    from polyseme.reports.agreement_sections import AgreementSection


class AgreementBreakdown(StrEnum):
    """What judgements can be broken down by."""

    lemma = "lemma"
    pos = "pos"
    round = "round"
    group = "group"


class Pooling(StrEnum):
    """How the agreement of annotators who choose is averaged."""

    usages = "usages"
    pairs = "pairs"


SECTION_NAMES = ("agreement", "scale", "annotators", "metricity", "schemes", "senses", "groups")

TaskOption = Annotated[
    list[str] | None,
    typer.Option(metavar="TASK", help="Only this task: WSsim, Usim, WSbest or SYNbest. May be repeated."),
]
ByOption = Annotated[
    list[AgreementBreakdown] | None,
    typer.Option(help="Break the figures down. Default: by all of these that differ. May be repeated."),
]
SectionOption = Annotated[
    list[str] | None,
    typer.Option(
        metavar="SECTION",
        help=f"The sections: {', '.join(SECTION_NAMES)}, or all. Default: agreement. May be repeated.",
    ),
]
InventoryOption = Annotated[
    str | None,
    typer.Option(metavar="FILE|DATA SET", help="The senses that were rated. Default: those of the data set."),
]
CompleteOption = Annotated[
    bool | None,
    typer.Option(
        "--complete/--no-complete",
        help="Whether a sense of the inventory without a rating counts as rated 1. Default: yes, if there is an"
        " inventory.",
    ),
]
GroupsOption = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Coarse groups of senses, for the section senses.")
]
LabellingOption = Annotated[
    list[str] | None,
    typer.Option(
        metavar="KEY", help="A model's labelling, as one more annotator in the section schemes. May be repeated."
    ),
]
SubstitutesOption = Annotated[
    str | None, typer.Option(metavar="FILE|DATA SET", help="Substitutes of the usages, for the section schemes.")
]
UsagesOption = Annotated[
    str | None, typer.Option(metavar="FILE", help="The usages, for examples. Default: those of the data set.")
]
ControlsOption = Annotated[
    Path | None,
    typer.Option(metavar="RATINGS", help="The expected answers to control items, for the section annotators."),
]
ScaleOption = Annotated[
    str | None,
    typer.Option(metavar="LOWEST-HIGHEST", help="The ends of the scale, such as 1-5. Default: from the ratings."),
]
GroupOption = Annotated[
    list[str] | None,
    typer.Option(metavar="NAME=ANNOTATOR,…", help="Assign annotators to a group, such as those with another order."),
]
PoolingOption = Annotated[
    Pooling,
    typer.Option(help="What has the same weight in WSbest and SYNbest: each usage, or each pair of answers."),
]
ReportOption = Annotated[
    Path | None, typer.Option(metavar="FILE.html", help="Write a page of all sections, with plots; polyseme[plots].")
]


RatingsArgument = Annotated[
    str,
    typer.Argument(
        metavar="RATINGS",
        help="A file or folder of ratings in any format, or the name of a data set; or averages of pairs.",
    ),
]


def agreement_command(
    ratings: RatingsArgument,
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
    resamples: ResamplesOption = 1000,
    seed: SeedOption = 0,
    form: FormatOption = Format.table,
    as_json: JsonOption = False,
) -> None:
    """Measure how annotators agree: every pair, each against the others and without each, Krippendorff's α.

    WSsim and Usim are compared by their values: Spearman's ρ, and α for nominal, ordinal, interval and ratio scales.
    WSbest and SYNbest are compared as sets. "Cannot decide" is counted, and never guessed. Other sections show the use
    of the scale, careless annotators and the metricity of similarities. They also compare models, senses and groups of
    annotators. --report writes a page of all sections. Averages of pairs allow the sections metricity, their default,
    and schemes.
    """
    from polyseme.datasets.opening import open_inventory, open_pair_averages, open_rated_inventory, open_ratings
    from polyseme.reports import agreement_assembly as assembly

    labellings = dict(zip(short_file_names(labelling or []), labelling or [], strict=True))
    ends = None if scale is None else assembly.parse_scale(scale)
    files = assembly.SectionFiles(ratings, groups, labellings, substitutes, usages, controls, ends)
    breakdowns = [breakdown.value for breakdown in by] if by else None
    options = assembly.AgreementOptions(task, breakdowns, complete, resamples, seed, pooling.value)
    names = assembly.select_sections(section, all_sections=report is not None)
    with show_status() as show:
        show("Reading ratings")
        if averages := open_pair_averages(ratings):
            assembly.check_no_groups(group or [])
            names = assembly.select_sections(section, all_sections=report is not None, of_averages=True)
            sections, notes = assembly.assemble_sections_of_averages(averages, files, options, names)
        else:
            rows = assembly.assign_annotator_groups(open_ratings(ratings), group or [])
            senses = open_inventory(inventory) if inventory else open_rated_inventory(ratings)
            sections, notes = assembly.assemble_sections(rows, senses, files, options, names, show)
    if report:
        from polyseme.formats.files import write_text
        from polyseme.reports.agreement_page import agreement_report

        write_text(report, agreement_report(Path(ratings).name, sections, notes).page())
        typer.echo(f"The page is at {report}")
    else:
        _print_sections(Format.json if as_json else form, sections, notes)


def _print_sections(form: Format, tasks: Mapping[str, Mapping[str, AgreementSection]], notes: Sequence[str]) -> None:
    """Print all tables, or one JSON object by task and section."""
    if form is Format.json:
        value = {task: {name: part.value for name, part in sections.items()} for task, sections in tasks.items()}
        echo_json({**value, "notes": list(notes)})
        return
    from polyseme.reports.tables import WRITERS

    tables = [table for sections in tasks.values() for section in sections.values() for table in section.tables]
    texts = [TITLES[form].format(table.title) + WRITERS[form](table) for table in tables]
    typer.echo("\n\n".join([*texts, *(f"{NOTE_PREFIXES[form]}{note}" for note in notes)]))


TITLES: Mapping[Format, str] = {
    Format.table: "",
    Format.csv: "# {}\n",
    Format.markdown: "### {}\n\n",
    Format.latex: "% {}\n",
}
"""What precedes each of several tables; plain tables have their titles already."""
NOTE_PREFIXES: Mapping[Format, str] = {Format.table: "", Format.csv: "# ", Format.markdown: "", Format.latex: "% "}
