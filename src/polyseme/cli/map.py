"""``polyseme map``: induced senses as a dictionary's."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from polyseme.cli.label import open_labelling_writer
from polyseme.cli.output import JsonOption
from polyseme.errors import InputError, count_noun


def map_senses(
    key: Annotated[Path, typer.Argument(metavar="SYSTEM", help="A labelling with induced senses.")],
    gold: Annotated[
        Path, typer.Option(metavar="GOLD", help="A labelling with the dictionary's senses, to learn from.")
    ],
    mapping: Annotated[
        str, typer.Option(metavar="PART", help="How senses are mapped; `polyseme parts mapping` lists all.")
    ] = "Distribution",
    folds: Annotated[
        int, typer.Option(min=1, help="A usage is mapped by what the other folds teach; 1: by all, also its own gold.")
    ] = 5,
    out: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Where the labelling goes; else it is printed."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Map induced senses to those of a gold labelling, learnt from the usages that both label.

    With several folds, only usages that gold has are mapped, each without looking at its own. With --folds 1 all are,
    and scores on the usages that it was learnt from would be too good. The weights of a usage count as shares, which
    sum to 1, as in `polyseme score jurgens-2012`. Without a file an answer key is printed, or, with --json, JSON Lines.
    """
    from polyseme.formats import read_labelling
    from polyseme.mapping import map_senses
    from polyseme.measures.alignment import common_usages
    from polyseme.parts import build

    write, part = open_labelling_writer(out, as_json), build(mapping, "mapping")
    system, taught = read_labelling(key), read_labelling(gold)
    both = len(common_usages(taught, system, str(key)))
    if not both:
        raise InputError(f"none of its usages is in {gold}; a mapping is learnt from usages that both label", path=key)
    found = map_senses(part, taught, system, folds)
    write(found)
    counts = {"usages": len(system), "with gold": both, "mapped": len(found)}
    if as_json and out is not None:
        typer.echo(json.dumps({"path": str(out), "mapping": repr(part), **counts}))
    else:
        mapped = count_noun(len(found), "usage")
        print(f"{mapped} mapped by {part!r}, {both:,} of {len(system):,} with gold", file=sys.stderr)
