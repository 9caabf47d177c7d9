"""``polyseme kwic``: a word in its contexts."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from polyseme.cli.output import JsonOption
from polyseme.errors import InputError, count_noun, quote_value

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from polyseme.corpus.index import Index
    from polyseme.usage import Usage


def kwic_command(
    folder: Annotated[Path, typer.Argument(metavar="INDEX", help="An index, as `polyseme index` makes it.")],
    lemma: Annotated[str | None, typer.Argument(help="A lemma with its part of speech, such as bank.n.")] = None,
    sense: Annotated[
        str | None,
        typer.Option(
            metavar="KEY", help="Usages near the relatives of this sense of WordNet 3.1, such as bank%1:14:00::."
        ),
    ] = None,
    where: Annotated[
        str | None, typer.Option(metavar="CONDITION", help="Only documents that satisfy this: 'date > 1900'.")
    ] = None,
    sentences: Annotated[
        int,
        typer.Option(min=1, help="With --sense: relatives less than this many sentences away; 1: the same sentence."),
    ] = 1,
    sample: Annotated[int | None, typer.Option(min=1, help="The size of a random sample of usages.")] = None,
    seed: Annotated[int, typer.Option(min=0, help="The random seed of the sample.")] = 0,
    as_json: JsonOption = False,
) -> None:
    """Print a word in its contexts, one usage a line; with --json as JSON Lines that `read_usages` reads."""
    from polyseme.corpus.concordance import draw_usages, find_usages, find_usages_near
    from polyseme.corpus.document_filter import DocumentFilter
    from polyseme.corpus.index import Index

    if (lemma is None) == (sense is None):
        raise InputError("name a lemma, such as bank.n, or a sense with --sense, and not both")
    if sense is None and sentences > 1:
        raise InputError("--sentences limits the distance of the relatives of a sense; name one with --sense")
    index, condition = Index.open(folder), DocumentFilter(where) if where else None
    if lemma is not None:
        usages = find_usages(index, lemma, where=condition, sample=sample, seed=seed)
        _print_usages(usages, as_json, with_meta=not as_json and _has_meta(index))
    elif sense is not None:
        word, relatives = _find_relatives(sense)
        usages_near = find_usages_near(index, word, relatives, where=condition, sentences=sentences, label=sense)
        if not _print_usages(draw_usages(usages_near, sample, seed), as_json, with_meta=True):
            typer.echo(_explain_no_usages(index, sense, relatives), err=True)


def _print_usages(usages: Iterable[Usage], as_json: bool, with_meta: bool) -> int:
    """Print usages, and return how many there are."""
    from polyseme.corpus.concordance_lines import format_concordance_line, line_width

    width = line_width()
    count = 0
    for usage in usages:
        typer.echo(_usage_to_json(usage) if as_json else format_concordance_line(usage, width, with_meta=with_meta))
        count += 1
    return count


def _has_meta(index: Index) -> bool:
    """Whether a document has metadata."""
    return any(meta != "{}" for part in index.parts("documents", ["meta"]) for meta in part.column("meta").to_pylist())


def _explain_no_usages(index: Index, sense: str, words: Sequence[str]) -> str:
    """Explain why there is no usage near a sense's relatives, and what may help."""
    from polyseme.corpus.concordance import count_occurrences
    from polyseme.disambiguation.text_usages import abbreviate_list

    if not words:
        return f"there is no usage of {sense}, which has no relatives in WordNet 3.1 with only that one sense"
    occurring = [word for word, count in count_occurrences(index, words).items() if count]
    problem = f"there is no usage of {sense}; of its {count_noun(len(words), 'relative')}"
    if not occurring:
        return f"{problem}, none occurs in the index: {abbreviate_list(words)}"
    occur = "1 occurs" if len(occurring) == 1 else f"{len(occurring)} occur"
    return f"{problem}, {occur} in the index: {abbreviate_list(occurring)}; --sentences 3, for one, looks further away"


def _find_relatives(sense: str) -> tuple[str, tuple[str, ...]]:
    """Return the lemma of a sense, and its monosemous relatives."""
    from polyseme import wordnet
    from polyseme.wordnet.monosemous_relatives import find_monosemous_relatives

    lexicon = wordnet.load("3.1")
    try:
        return lexicon.by_key(sense).lemma, find_monosemous_relatives(lexicon, sense)
    except KeyError:
        problem = f"{quote_value(sense)} is not a sense key of WordNet 3.1"
        raise InputError(f"{problem}; one reads: bank%1:14:00::") from None


def _usage_to_json(usage: Usage) -> str:
    fields = {field.name: getattr(usage, field.name) for field in dataclasses.fields(usage)}
    return json.dumps(fields | {"meta": dict(usage.meta)}, ensure_ascii=False)
