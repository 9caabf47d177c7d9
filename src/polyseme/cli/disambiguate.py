"""``polyseme disambiguate``: the words of a text with the senses of a dictionary."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path
from typing import Annotated

import typer

from polyseme.cli.help import input_option, model_option, output_option
from polyseme.cli.label import KeepOption, ProcessesOption, VersionOption, open_labelling_writer, report_counts
from polyseme.cli.output import JsonOption

InputsArgument = Annotated[
    list[str],
    typer.Argument(
        metavar="TEXT | FILE …",
        help="A text, in quotes; or files and folders of texts or of usages, or names of data sets; - for stdin.",
    ),
]
ModelOption = Annotated[
    str,
    model_option(metavar="MODEL", help="The model; `polyseme parts disambiguator` and `… parts baseline` list models."),
]


def disambiguate_command(
    inputs: InputsArgument,
    model: ModelOption = "PPR",
    target: Annotated[str, input_option(metavar="WORD", help="Only this word, in any form: bank, or bank.n.")] = "",
    version: VersionOption = None,
    keep: KeepOption = None,
    scale: Annotated[
        str | None,
        output_option(metavar="1-5|FILE", help="Ratings instead of weights: 1 to 5, or by the calibration of a file."),
    ] = None,
    top: Annotated[
        int | None, output_option(min=1, help="The number of senses of a word. Default: all; the table shows 5.")
    ] = None,
    out: Annotated[
        Path | None, output_option("--output", "-o", metavar="FILE", help="Write a labelling to a file.")
    ] = None,
    processes: ProcessesOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show the WordNet senses of the words of a text, each with its weight.

    Examples:
        polyseme disambiguate "We sat on the bank of the river."
        polyseme disambiguate "We sat on the bank of the river." --target bank --top 3
        polyseme disambiguate usages.jsonl -o senses.key

    With -o, the senses of all usages go to a file: .key, .jsonl or .parquet. With --json, each word has its place,
    form, lemma and senses with glosses.
    """
    from polyseme.interface.text import disambiguate

    write = open_labelling_writer(out, as_json) if out else None
    words = disambiguate(
        inputs, model, target=target, wordnet=version, keep=keep, scale=scale, top=top, processes=processes
    )
    if write:
        labelling = words.to_labelling()
        write(labelling)
        report_counts(len(words), labelling, out, as_json)
    elif as_json:
        typer.echo(json.dumps(words.to_json(), ensure_ascii=False, indent=2))
    else:
        from polyseme.reports.tables import PIPE_WIDTH

        typer.echo(words.render(shutil.get_terminal_size().columns if sys.stdout.isatty() else PIPE_WIDTH, top))
