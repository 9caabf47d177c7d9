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
from polyseme.errors import InputError, count_noun, quote_value

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from polyseme.corpus.index import Index
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
    sentences: Annotated[
        int, typer.Option(min=1, help="With --sense: relatives less than so many sentences away, 1 being the same.")
    ] = 1,
    sample: Annotated[int | None, typer.Option(min=1, help="So many usages, drawn at random.")] = None,
    seed: Annotated[int, typer.Option(min=0, help="Of the draw: the same seed draws the same usages.")] = 0,
    as_json: JsonOption = False,
) -> None:
    """Print a word in its contexts, one usage a line; with --json as JSON Lines that `read_usages` reads."""
    from polyseme.corpus.concordance import draw_usages, find_usages, find_usages_near
    from polyseme.corpus.document_filter import DocumentFilter
    from polyseme.corpus.index import Index

    if (lemma is None) == (sense is None):
        raise InputError("name a lemma, such as bank.n, or a sense with --sense, and not both")
    if sense is None and sentences > 1:
        raise InputError("--sentences says how far the relatives of a sense may be; name one with --sense")
    index, condition = Index.open(folder), DocumentFilter(where) if where else None
    if sense is None:
        found = find_usages(index, str(lemma), where=condition, sample=sample, seed=seed)
        _print(found, as_json, known=not as_json and _has_meta(index))
        return
    of, words = _relatives(sense)
    near = find_usages_near(index, of, words, where=condition, sentences=sentences, label=sense)
    if not _print(draw_usages(near, sample, seed), as_json, known=True):
        typer.echo(_none(index, sense, words), err=True)


def _print(usages: Iterable[Usage], as_json: bool, known: bool) -> int:
    """Print usages, and say how many they were."""
    width = shutil.get_terminal_size((120, 24)).columns if sys.stdout.isatty() else 120
    count = 0
    for usage in usages:
        typer.echo(_json(usage) if as_json else format_concordance_line(usage, width, known=known))
        count += 1
    return count


def _has_meta(index: Index) -> bool:
    """Whether anything is known of a document."""
    return any(meta != "{}" for part in index.parts("documents", ["meta"]) for meta in part.column("meta").to_pylist())


def _none(index: Index, sense: str, words: Sequence[str]) -> str:
    """Why nothing was found near a sense's relatives, and what may help."""
    from polyseme.corpus.concordance import count_occurrences

    if not words:
        return f"no usage was found of {sense}, which has no relatives in WordNet 3.1 with only that one sense"
    there = [word for word, count in count_occurrences(index, words).items() if count]
    said = f"no usage was found of {sense}; of its {count_noun(len(words), 'relative')}"
    if not there:
        return f"{said}, none occurs in the index: {_some(words)}"
    occur = "1 occurs" if len(there) == 1 else f"{len(there)} occur"
    return f"{said}, {occur} in the index: {_some(there)}; --sentences 3, for one, looks further away"


def _some(words: Sequence[str]) -> str:
    """The first few words.

    >>> _some(["a", "b"]), _some(["a", "b", "c", "d", "e", "f"])
    ('a, b', 'a, b, c, d, e, …')
    """
    return ", ".join([*words[:5], *(["…"] if len(words) > 5 else [])])


def _relatives(sense: str) -> tuple[str, tuple[str, ...]]:
    """The lemma of a sense, and the words that point at it."""
    from polyseme.datasets import load
    from polyseme.wordnet import WordNet
    from polyseme.wordnet.monosemous_relatives import find_monosemous_relatives

    wordnet = load("wordnet-3.1").inventory
    assert isinstance(wordnet, WordNet)
    try:
        return wordnet.by_key(sense).lemma, find_monosemous_relatives(wordnet, sense)
    except KeyError:
        raise InputError(f"{quote_value(sense)} is not a sense key of WordNet 3.1; one reads: bank%1:14:00::") from None


def _json(usage: Usage) -> str:
    fields = {each.name: getattr(usage, each.name) for each in dataclasses.fields(usage)}
    return json.dumps(fields | {"meta": dict(usage.meta)}, ensure_ascii=False)


def format_concordance_line(usage: Usage, width: int, *, known: bool = False) -> str:
    """The targets one below the other, as much of their contexts as there is room for, and where they stand.

    With ``known`` there is room for what is known of the document as well.

    >>> from polyseme.usage import Usage
    >>> usage = Usage("a.1.5", "bank.n", "We sat on the bank and ate.", 14, 18, meta={"date": 1861, "document": "a"})
    >>> format_concordance_line(usage, 60)
    '     We sat on the  bank  and ate.            a.1.5'
    >>> format_concordance_line(usage, 60, known=True)
    'e sat on the  bank  and ate.      a.1.5  date=1861'
    """
    room = width // 5
    name = usage.id if len(usage.id) <= room else f"…{usage.id[1 - room :]}"
    if known:
        room *= 2
        name = _cut(f"{name}  {_known(usage)}".rstrip(), room)
    side = max((width - room - 12) // 2, 10)
    left = " ".join(usage.left.split())[-side:]
    right = f"{usage.target}  {' '.join(usage.right.split())}"[: side + 8]
    return f"{left:>{side}}  {right:<{side + 8}}  {name}"


def _known(usage: Usage) -> str:
    """What is known of a usage and its document, but for what is in its id or was asked for."""
    said = {name: " ".join(str(value).split()) for name, value in usage.meta.items() if name != "document"}
    if "relatives" in said:
        said = {"relatives": said["relatives"]} | {name: said[name] for name in said if name != "sense"}
    return " ".join(f"{name}={value}" for name, value in said.items() if value)


def _cut(text: str, size: int) -> str:
    return text if len(text) <= size else f"{text[: size - 1]}…"
