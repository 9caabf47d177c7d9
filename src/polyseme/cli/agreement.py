"""``polyseme agreement``: how annotators agree, from their ratings."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from polyseme.cli.help import input_option, output_option, score_option
from polyseme.cli.output import Format, FormatOption, JsonOption, ResamplesOption, SeedOption, echo_json

if TYPE_CHECKING:
    from polyseme.reports.agreement_result import AgreementResult


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
    input_option(metavar="TASK", help="Only this task: WSsim, Usim, WSbest or SYNbest. May be repeated."),
]
ByOption = Annotated[
    list[AgreementBreakdown] | None,
    output_option(help="Break the figures down by this. Default: by all that vary. May be repeated."),
]
SectionOption = Annotated[
    list[str] | None,
    input_option(
        metavar="SECTION",
        help=f"The sections: {', '.join(SECTION_NAMES)}, or all. Default: agreement. May be repeated.",
    ),
]
InventoryOption = Annotated[
    str | None,
    input_option(
        metavar="FILE|DATA SET", help="The senses that were rated. Default: those of the data set or the study."
    ),
]
CompleteOption = Annotated[
    bool | None,
    score_option(
        "--complete/--no-complete",
        help="Whether a sense of the inventory without a rating counts as rated 1. Default: yes, if there is an"
        " inventory; not for a study, whose annotators rate every sense.",
    ),
]
GroupsOption = Annotated[
    Path | None, input_option(metavar="FILE", help="Coarse groups of senses, for the section senses.")
]
LabellingOption = Annotated[
    list[str] | None,
    input_option(
        metavar="KEY|DATA SET",
        help="A model's labelling, as one more annotator in the section schemes. May be repeated.",
    ),
]
SubstitutesOption = Annotated[
    str | None, input_option(metavar="FILE|DATA SET", help="Substitutes of the usages, for the section schemes.")
]
UsagesOption = Annotated[
    str | None,
    input_option(
        metavar="FILE|DATA SET", help="The usages, for examples. Default: those of the data set or the study."
    ),
]
ControlsOption = Annotated[
    str | None,
    input_option(metavar="RATINGS", help="The expected answers to control items, for the section annotators."),
]
ScaleOption = Annotated[
    str | None,
    score_option(metavar="LOWEST-HIGHEST", help="The ends of the scale, such as 1-5. Default: from the ratings."),
]
GroupOption = Annotated[
    list[str] | None,
    score_option(metavar="NAME=ANNOTATOR,…", help="Assign annotators to a group, for example by the order of tasks."),
]
PoolingOption = Annotated[
    Pooling, score_option(help="What counts equally in WSbest and SYNbest: each usage, or each pair of answers.")
]
ReportOption = Annotated[
    Path | None,
    output_option(metavar="FILE.html", help="Write a page of all sections, with plots; needs polyseme[plots]."),
]


RatingsArgument = Annotated[
    str,
    typer.Argument(
        metavar="RATINGS",
        help="A file or folder of ratings in any format, the name of a data set, or the database of a study; or"
        " averages of pairs.",
    ),
]
StudyOption = Annotated[
    str | None, input_option(metavar="NAME", help="The title of a study, where a database holds several.")
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
    study: StudyOption = None,
    resamples: ResamplesOption = 1000,
    seed: SeedOption = 0,
    form: FormatOption = Format.table,
    as_json: JsonOption = False,
) -> None:
    """Measure how well annotators agree.

    Examples:
        polyseme agreement ratings.csv
        polyseme agreement ratings.csv --section all --resamples 100
        polyseme agreement study.db --report agreement.html

    Ratings (WSsim, Usim) are compared by Spearman's ρ and Krippendorff's α, choices (WSbest, SYNbest) as sets.
    "Cannot decide" is counted, and never guessed. Other sections show the use of the scale, careless answers, the
    triangle inequality of similarities, models beside annotators, senses and groups of annotators.
    """
    from polyseme.interface.annotation import measure_agreement

    agreement = measure_agreement(
        ratings,
        task=task,
        by=by,
        sections=section or (["all"] if report else None),
        inventory=inventory,
        complete=complete,
        groups=groups,
        labellings=labelling,
        substitutes=substitutes,
        usages=usages,
        controls=controls,
        scale=scale,
        group=group or (),
        pooling=pooling.value,
        resamples=resamples,
        seed=seed,
        study=study,
    )
    if report:
        agreement.report().save(report)
        typer.echo(f"The page is at {report}")
    elif as_json or form is Format.json:
        echo_json(agreement.to_dict())
    else:
        _print_tables(form, agreement)


def _print_tables(form: Format, agreement: AgreementResult) -> None:
    """Print all tables and notes."""
    from polyseme.reports.tables import WRITERS

    texts = [TITLES[form].format(table.title) + WRITERS[form](table) for table in agreement.tables()]
    typer.echo("\n\n".join([*texts, *(f"{NOTE_PREFIXES[form]}{note}" for note in agreement.notes)]))


TITLES: Mapping[Format, str] = {
    Format.table: "",
    Format.csv: "# {}\n",
    Format.markdown: "### {}\n\n",
    Format.latex: "% {}\n",
}
"""What precedes each of several tables; plain tables have their titles already."""
NOTE_PREFIXES: Mapping[Format, str] = {Format.table: "", Format.csv: "# ", Format.markdown: "", Format.latex: "% "}
