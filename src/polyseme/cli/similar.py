"""``polyseme similar``: the similarity of the usages of a word."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from polyseme.cli.help import input_option, output_option
from polyseme.cli.output import check_output_file
from polyseme.errors import InputError


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
    out: Annotated[Path, output_option("--output", "-o", metavar="PAIRS.tsv", help="The table of pairs to write.")],
    analyser: Annotated[str, input_option(help="The analyser, for representations that use words.")] = "simple",
) -> None:
    """Measure how similar in meaning the usages of a word are, pair by pair.

    Examples:
        polyseme similar Substitution usages.jsonl -o pairs.tsv

    The similarity is the cosine of the two usages' vectors. `polyseme score usim` compares it with
    annotators' ratings; `polyseme parts representation` lists the parts.
    """
    from polyseme.formats.files import format_suffix
    from polyseme.formats.usage_pairs import write_pairs
    from polyseme.interface.text import similarity

    if format_suffix(out) != ".tsv":
        raise InputError("a table of pairs ends in .tsv; name one, as in out.tsv", path=out)
    check_output_file(out)
    pairs = similarity(usages, model=part, analyser=analyser)
    write_pairs(pairs, out)
    typer.echo(f"{out}: {len(pairs):,} pairs", err=True)
