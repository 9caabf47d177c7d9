"""``polyseme label``: usages with the senses of a model."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from polyseme.cli.help import model_option, output_option, resource_option
from polyseme.cli.output import JsonOption, check_output_file, explain_interruption, show_progress_bar
from polyseme.errors import count_noun

if TYPE_CHECKING:
    from polyseme.interface.labelling_mapper import LabellingMapper
    from polyseme.labelling import Labelling

VersionOption = Annotated[
    str | None,
    model_option(
        "--wordnet", metavar="3.0|3.1", help="The WordNet of a dictionary model. Default: that of the data set, or 3.1."
    ),
]
KeepOption = Annotated[
    float | None,
    output_option(min=0, max=1, help="Drop senses with less than this share of a usage's greatest weight."),
]
ProcessesOption = Annotated[
    int | None, resource_option(min=1, help="The number of processes. Default: the number of processors.")
]
LabellingOutOption = Annotated[
    Path | None,
    output_option("--output", "-o", metavar="FILE", help="The labelling to write. Default: print it."),
]
MapToOption = Annotated[
    str | None,
    model_option(
        metavar="GOLD",
        help="Map the senses to those of this labelling, a file or a data set, as `polyseme map` does.",
    ),
]
MappingPartOption = Annotated[
    str, model_option(metavar="PART", help="The mapping; `polyseme parts mapping` lists all.")
]
FoldsOption = Annotated[
    int, model_option(min=1, help="The number of folds. A mapping is learnt from the other folds; 1: from all usages.")
]


def label_command(
    model: Annotated[
        str,
        typer.Argument(
            metavar="MODEL",
            help="The folder of a model made by `polyseme induce`; a dictionary model, such as PPR; or a baseline."
            " `polyseme parts disambiguator` lists dictionary models.",
        ),
    ],
    usages: Annotated[
        str,
        typer.Argument(
            metavar="USAGES",
            help="A file or folder of usages, or the name of a data set; or an index, for all its usages of the model's"
            " lemmas.",
        ),
    ],
    out: LabellingOutOption = None,
    version: VersionOption = None,
    keep: KeepOption = None,
    map_to: MapToOption = None,
    mapping: MappingPartOption = "Distribution",
    folds: FoldsOption = 5,
    processes: ProcessesOption = None,
    as_json: JsonOption = False,
) -> None:
    """Label usages with weighted senses of a model or of WordNet.

    Examples:
        polyseme label my.model usages.jsonl -o labels.key
        polyseme label PPR usages.jsonl -o wordnet.key
        polyseme label my.model usages.jsonl --map-to gold.key --folds 2

    Usages that match no sense are skipped, and counted on stderr. The ending of the file sets its format: .key,
    .jsonl or .parquet. The same command resumes interrupted work. With --map-to, the labels are senses of GOLD.
    The mapping of a usage is learnt from the other folds, or with --folds 1 from all usages.
    """
    from polyseme.formats.checkpoint import checkpoint_folder
    from polyseme.formats.files import format_suffix
    from polyseme.interface.labelling_mapper import LabellingMapper
    from polyseme.labelling_run import LabellingRun

    write = open_labelling_writer(out, as_json)
    mapper = None if map_to is None else LabellingMapper.open(map_to, mapping, folds)
    writes_key = not as_json if out is None else format_suffix(out) == ".key"
    run = LabellingRun.open(model, usages, version, keep, for_key=writes_key)
    stored = checkpoint_folder(out) if out is not None else None
    write_labels = write if mapper is None else mapper.write_to(write)
    with explain_interruption(stored), show_progress_bar("Labelling") as show:
        labelling = run.label(write_labels, out, processes, lambda done: show("Labelling", done, len(run)))
    report_counts(len(run), labelling, out, as_json, mapper)


def report_counts(
    usages: int, labelling: Labelling, out: Path | None, as_json: bool, mapper: LabellingMapper | None = None
) -> None:
    """Report how many usages were labelled: on stderr, or as JSON on stdout if a file has the labelling."""
    senses = len(labelling.weights) / len(labelling) if len(labelling) else 0.0
    if as_json and out is not None:
        counts = {"usages": usages, "labelled": len(labelling), "senses per labelled usage": round(senses, 3)}
        mapped = {"mapping": mapper.mapping, "mapped": mapper.mapped} if mapper else {}
        typer.echo(json.dumps({"path": str(out), **counts, **mapped}))
    else:
        text = f"{len(labelling):,} of {count_noun(usages, 'usage')} labelled, {senses:.2f} senses each"
        mapped_text = f"; {mapper.mapped:,} mapped by {mapper.mapping}" if mapper else ""
        print(f"{text}{mapped_text}", file=sys.stderr)


def open_labelling_writer(out: Path | None, as_json: bool) -> Callable[[Labelling], None]:
    """Return a function that writes a labelling to a file, or prints it; errors come before long work."""
    from polyseme.formats.answer_key import format_key
    from polyseme.formats.labelling_jsonl import format_labelling_jsonl
    from polyseme.formats.registry import get_writer

    if out is None:
        text = format_labelling_jsonl if as_json else format_key
        return lambda labelling: typer.echo(text(labelling), nl=False)
    write = get_writer("labelling", out)
    check_output_file(out)
    return write
