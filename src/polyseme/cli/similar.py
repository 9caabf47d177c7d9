"""``polyseme similar``: how similar usages of a word are."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from polyseme.errors import InputError


def similar(
    part: Annotated[
        str,
        typer.Argument(
            metavar="PART", help="A representation or an inducer that has one, such as Substitution or TokenEncoder."
        ),
    ],
    usages: Annotated[str, typer.Argument(metavar="USAGES", help="A file or folder of usages, or a data set's name.")],
    out: Annotated[Path, typer.Option("--output", "-o", metavar="PAIRS.tsv", help="Where the table of pairs goes.")],
    analyser: Annotated[str, typer.Option(help="What finds words, where vectors are made of these.")] = "simple",
) -> None:
    """Write the similarity of each two usages of a lemma, for `polyseme score usim`.

    It is the cosine of their vectors, as the part makes them: `polyseme parts representation` lists these.
    """
    from polyseme.cli.label import open_usages
    from polyseme.corpus.analysers import as_analyser as named
    from polyseme.formats.files import format_suffix
    from polyseme.formats.usage_pairs import write_pairs
    from polyseme.induction.usage_similarity import compare_usages, get_representation
    from polyseme.parts import build

    if format_suffix(out) != ".tsv":
        raise InputError("a table of pairs ends in .tsv", path=out)
    if not out.parent.is_dir():
        raise InputError(f"there is no folder {out.parent}; make it first", path=out)
    represent = get_representation(build(part))
    found = list(compare_usages(represent, open_usages(usages), None if represent.reads_text else named(analyser)))
    write_pairs(found, out)
    typer.echo(f"{out}: {len(found):,} pairs", err=True)
