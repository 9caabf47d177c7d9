"""``polyseme similar``: the similarity of the usages of a word."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from polyseme.cli.help import input_option, output_option
from polyseme.cli.output import JsonOption, check_output_file, echo_json
from polyseme.errors import InputError, count_noun


def similar_command(
    part: Annotated[
        str,
        typer.Argument(
            metavar="PART", help="A representation, or an inducer that has one, such as Substitution or TokenEncoder."
        ),
    ],
    usages: Annotated[
        str, typer.Argument(metavar="USAGES", help="A file or folder of usages, or the name of a data set.")
    ],
    out: Annotated[
        Path | None,
        output_option("--output", "-o", metavar="PAIRS.tsv", help="The table of pairs to write. Default: print it."),
    ] = None,
    analyser: Annotated[str, input_option(help="The analyser, for representations that use words.")] = "simple",
    probability: Annotated[
        bool,
        output_option(
            "--probability", help="Print the probability of the same sense instead of the cosine; Substitution only."
        ),
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Measure how similar in meaning the usages of a word are, pair by pair.

    Examples:
        polyseme similar Substitution usages.jsonl -o pairs.tsv
        polyseme similar Substitution usages.jsonl --json

    The similarity is the cosine of the two usages' vectors; with `--probability`, the calibrated probability
    that both have the same sense. `polyseme score usim` compares it with
    annotators' ratings; `polyseme parts representation` lists the parts.
    """
    from polyseme.formats.usage_pairs import format_pairs, format_pairs_jsonl, write_pairs
    from polyseme.interface.text import similarity

    if out is not None:
        _check_table(out)
    pairs = similarity(usages, model=part, analyser=analyser, probability=probability)
    if out is None:
        typer.echo((format_pairs_jsonl if as_json else format_pairs)(pairs), nl=False)
        return
    write_pairs(pairs, out)
    if as_json:
        echo_json({"path": str(out), "pairs": len(pairs)})
    else:
        typer.echo(f"{out}: {count_noun(len(pairs), 'pair')}", err=True)


def _check_table(out: Path) -> None:
    from polyseme.formats.files import format_suffix

    if format_suffix(out) != ".tsv":
        raise InputError("a table of pairs ends in .tsv; name one, as in out.tsv", path=out)
    check_output_file(out)
