"""``polyseme kwic``: a word in its contexts."""

from __future__ import annotations

import dataclasses
import json
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from polyseme.cli.output import JsonOption
from polyseme.errors import InputError, shown

if TYPE_CHECKING:
    from polyseme.usage import Usage


def kwic(
    folder: Annotated[Path, typer.Argument(metavar="INDEX", help="An index, as `polyseme index` makes it.")],
    lemma: Annotated[str | None, typer.Argument(help="A lemma with its part of speech, such as bank.n.")] = None,
    sense: Annotated[
        str | None,
        typer.Option(metavar="KEY", help="Near the WordNet relatives of this sense: bank%1:14:00::, of WordNet 3.1."),
    ] = None,
    where: Annotated[
        str | None, typer.Option(metavar="CONDITION", help="Only in documents of which this holds: 'date > 1900'.")
    ] = None,
    sample: Annotated[int | None, typer.Option(min=1, help="So many usages, drawn at random.")] = None,
    seed: Annotated[int, typer.Option(min=0, help="Of the draw: the same seed draws the same usages.")] = 0,
    as_json: JsonOption = False,
) -> None:
    """Print a word in its contexts, one usage a line; with --json as JSON Lines that `read_usages` reads."""
    from polyseme.corpus.concordance import sampled, usages_near, usages_of
    from polyseme.corpus.index import Index
    from polyseme.corpus.where import Where

    if (lemma is None) == (sense is None):
        raise InputError("name a lemma, such as bank.n, or a sense with --sense, and not both")
    index, condition = Index.open(folder), Where(where) if where else None
    if sense is not None:
        of, words = _relatives(sense)
        found = sampled(usages_near(index, of, words, where=condition, label=sense), sample, seed)
    else:
        found = usages_of(index, str(lemma), where=condition, sample=sample, seed=seed)
    width = shutil.get_terminal_size((120, 24)).columns if sys.stdout.isatty() else 120
    for usage in found:
        typer.echo(_json(usage) if as_json else line_of(usage, width))


def _relatives(sense: str) -> tuple[str, tuple[str, ...]]:
    """The lemma of a sense, and the words that point at it."""
    from polyseme.datasets import load
    from polyseme.wordnet import WordNet
    from polyseme.wordnet.relatives import relatives

    wordnet = load("wordnet-3.1").inventory
    assert isinstance(wordnet, WordNet)
    try:
        return wordnet.by_key(sense).lemma, relatives(wordnet, sense)
    except KeyError:
        raise InputError(f"{shown(sense)} is not a sense key of WordNet 3.1; one reads: bank%1:14:00::") from None


def _json(usage: Usage) -> str:
    fields = {each.name: getattr(usage, each.name) for each in dataclasses.fields(usage)}
    return json.dumps(fields | {"meta": dict(usage.meta)}, ensure_ascii=False)


def line_of(usage: Usage, width: int) -> str:
    """The targets one below the other, as much of their contexts as there is room for, and where they stand.

    >>> from polyseme.usage import Usage
    >>> line_of(Usage("a.1.5", "bank.n", "We sat on the bank and ate.", 14, 18), 60)
    '      We sat on the  bank  and ate.             a.1.5'
    """
    room = width // 5
    name = usage.id if len(usage.id) <= room else f"…{usage.id[1 - room :]}"
    side = max((width - room - 10) // 2, 10)
    left = " ".join(usage.left.split())[-side:]
    right = f"{usage.target}  {' '.join(usage.right.split())}"[: side + 8]
    return f"{left:>{side}}  {right:<{side + 8}}  {name}"
