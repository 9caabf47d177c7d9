"""``polyseme map``: induced senses as senses of a dictionary."""

from __future__ import annotations

import json
import sys
from typing import Annotated

import typer

from polyseme.cli.help import input_option, model_option
from polyseme.cli.label import LabellingOutOption, open_labelling_writer
from polyseme.cli.output import JsonOption, add_file_name
from polyseme.errors import InputError, count_noun


def map_command(
    key: Annotated[str, typer.Argument(metavar="SYSTEM", help="A labelling with induced senses.")],
    gold: Annotated[
        str,
        input_option(
            metavar="GOLD", help="A labelling with the dictionary's senses, to learn from; or the name of a data set."
        ),
    ],
    mapping: Annotated[
        str, model_option(metavar="PART", help="The mapping; `polyseme parts mapping` lists all.")
    ] = "Distribution",
    folds: Annotated[
        int,
        model_option(min=1, help="The number of folds. A mapping is learnt from the other folds; 1: from all usages."),
    ] = 5,
    out: LabellingOutOption = None,
    as_json: JsonOption = False,
) -> None:
    """Map induced senses to those of a gold standard.

    Examples:
        polyseme map system.key --gold gold.key -o mapped.key
        polyseme map system.key --gold gold.key --mapping Graded --folds 1

    The mapping is learnt from the usages that both label. With several folds, the mapping of a usage is learnt from
    the other folds. With --folds 1, it is learnt from all usages, so their scores would be too high. The weights of
    a usage sum to 1.
    """
    from polyseme.interface.reading import read_labelling
    from polyseme.interface.scoring import map_senses
    from polyseme.parts import build

    write, part = open_labelling_writer(out, as_json), build(mapping, "mapping")
    system, reference = read_labelling(key), read_labelling(gold)
    common = sum(usage in reference for usage in system)
    if not common:
        raise InputError(f"none of its usages is in {gold}; a mapping is learnt from usages that both label", path=key)
    with add_file_name(key):
        mapped = map_senses(system, reference, part, folds)
    write(mapped)
    counts = {"usages": len(system), "with gold": common, "mapped": len(mapped)}
    if as_json and out is not None:
        typer.echo(json.dumps({"path": str(out), "mapping": repr(part), **counts}))
    else:
        usages = count_noun(len(mapped), "usage")
        print(f"{usages} mapped by {part!r}, {common:,} of {len(system):,} with gold", file=sys.stderr)
