"""``polyseme kwic``: a word in its contexts."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from polyseme.cli.help import input_option
from polyseme.cli.output import JsonOption, report_lemmas

if TYPE_CHECKING:
    from polyseme.corpus.index import Index
    from polyseme.usage import Usage


def kwic_command(
    folder: Annotated[Path, typer.Argument(metavar="INDEX", help="An index made by `polyseme index`.")],
    word: Annotated[
        str | None,
        typer.Argument(
            metavar="WORD", help="A word, such as bank, as lemma or form; or a lemma with its part of speech: bank.n."
        ),
    ] = None,
    sense: Annotated[
        str | None,
        input_option(
            metavar="KEY", help="Only usages near words related to this WordNet 3.1 sense, such as bank%1:14:00::."
        ),
    ] = None,
    where: Annotated[
        str | None, input_option(metavar="CONDITION", help="Only documents that meet this, such as 'date > 1900'.")
    ] = None,
    sentences: Annotated[
        int,
        input_option(min=1, help="With --sense: words less than this many sentences away; 1: the same sentence."),
    ] = 1,
    sample: Annotated[int | None, input_option(min=1, help="The size of a random sample of usages.")] = None,
    seed: Annotated[int, input_option(min=0, help="The random seed of the sample.")] = 0,
    as_json: JsonOption = False,
) -> None:
    """Print the usages of a word in context, one per line.

    Examples:
        polyseme kwic texts.index bank
        polyseme kwic texts.index bank.n --sample 5 --seed 1
        polyseme kwic texts.index bank --json

    A word without a part of speech stands for all its parts of speech and forms. With --json, the lines are usages
    that `polyseme label` and `read_usages` read.
    """
    from polyseme.corpus.concordance_lines import format_concordance_line, line_width
    from polyseme.corpus.index import Index
    from polyseme.interface.words import stream_concordance

    index = Index.open(folder)
    usages = stream_concordance(index, word, sense=sense, where=where, sentences=sentences, sample=sample, seed=seed)
    count = index.count(word) if word is not None else None
    if count is not None:
        report_lemmas([count])
    width, with_meta = line_width(), sense is not None or _has_meta(index)
    number = 0
    for usage in usages:
        number += 1
        typer.echo(_usage_to_json(usage) if as_json else format_concordance_line(usage, width, with_meta=with_meta))
    if count is not None and where and sample is None:
        typer.echo(f"{number:,} of {count.total:,} usages meet the condition", err=True)


def _has_meta(index: Index) -> bool:
    """Whether a document has metadata."""
    return any(meta != "{}" for part in index.parts("documents", ["meta"]) for meta in part.column("meta").to_pylist())


def _usage_to_json(usage: Usage) -> str:
    fields = {field.name: getattr(usage, field.name) for field in dataclasses.fields(usage)}
    return json.dumps(fields | {"meta": dict(usage.meta)}, ensure_ascii=False)
