"""``polyseme disambiguate``: the words of a text with the senses of a dictionary."""

from __future__ import annotations

import json
import shutil
import sys
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from polyseme.cli.label import (
    KeepOption,
    ProcessesOption,
    VersionOption,
    open_labelling_writer,
    report_counts,
)
from polyseme.cli.output import JsonOption, show_status
from polyseme.errors import InputWarning, count_noun

if TYPE_CHECKING:
    from polyseme.labelling import Labelling


InputsArgument = Annotated[
    list[str],
    typer.Argument(
        metavar="TEXT | FILE …",
        help="A text, in quotes; or files and folders of texts or of usages, or names of data sets; - for stdin.",
    ),
]
ModelOption = Annotated[
    str,
    typer.Option(metavar="MODEL", help="The model; `polyseme parts disambiguator` and `… parts baseline` list models."),
]


def disambiguate_command(
    inputs: InputsArgument,
    model: ModelOption = "PPR",
    target: Annotated[str, typer.Option(metavar="WORD", help="Only this word, in any form: bank, or bank.n.")] = "",
    version: VersionOption = None,
    keep: KeepOption = None,
    scale: Annotated[
        str | None,
        typer.Option(metavar="1-5|FILE", help="Ratings instead of weights: linear, or by the calibration of a file."),
    ] = None,
    top: Annotated[
        int | None, typer.Option(min=1, help="How many senses of a word. Default: all; 5 of them are printed.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write a labelling to a file.")
    ] = None,
    processes: ProcessesOption = None,
    as_json: JsonOption = False,
) -> None:
    """Print the words of a text that WordNet has, with their senses, weights as bars, and glosses.

    With -o, the senses of all usages go to a file instead: .key, .jsonl or .parquet. With --json, the words are printed
    as a list: start, end, form, lemma, and senses with id, weight and gloss.
    """
    from polyseme.disambiguation.calibration import open_calibration
    from polyseme.disambiguation.disambiguated_text import (
        build_disambiguator,
        describe_usages,
        is_strict,
        label_text,
    )
    from polyseme.disambiguation.model import DictionaryModel
    from polyseme.disambiguation.sources import Sources
    from polyseme.disambiguation.text_inputs import read_text_inputs
    from polyseme.labelling_run import find_wordnet_version

    write = open_labelling_writer(out, as_json) if out else None
    part, curve = build_disambiguator(model), open_calibration(scale) if scale else None
    if curve and curve.model not in ("", repr(part)):
        warnings.warn(f"the scale was learnt for {curve.model}, and the model is {part!r}", InputWarning, stacklevel=2)
    with show_status() as show:
        show("Reading")
        sources = Sources(version or find_wordnet_version(inputs))
        text = read_text_inputs(inputs, sources, target, processes)
        show(f"Disambiguating {count_noun(len(text.usages), 'word')}")
        labelling = _keep_top(label_text(DictionaryModel(part, sources, keep or 0.0), text, processes), top)
    if write:
        scaled = curve(labelling) if curve else labelling
        write(scaled)
        report_counts(len(text.usages), scaled, out, as_json)
        return
    answer = describe_usages(text.usages, labelling, sources.wordnet, curve, strict=is_strict(part))
    if as_json:
        typer.echo(json.dumps(answer.to_json(), ensure_ascii=False, indent=2))
    else:
        from polyseme.reports.tables import PIPE_WIDTH

        typer.echo(answer.render(shutil.get_terminal_size().columns if sys.stdout.isatty() else PIPE_WIDTH, top))


def _keep_top(labelling: Labelling, top: int | None) -> Labelling:
    """Keep the strongest senses of each usage, without changing their weights."""
    from polyseme.labelling import Labelling

    if top is None:
        return labelling
    return Labelling(
        (lemma, usage, dict(sorted(senses.items(), key=lambda pair: -pair[1])[:top]))
        for lemma, usage, senses in labelling.rows()
    )
