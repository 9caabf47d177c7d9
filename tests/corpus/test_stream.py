"""All usages of many lemmas in one pass: those that :func:`usages_of` gives, from any place on."""

from __future__ import annotations

from pathlib import Path

import pytest

from induction.corpora import background, usages
from polyseme.corpus import concordance, indexing
from polyseme.corpus.concordance import find_usages, stream_usages
from polyseme.corpus.english_analyser import English
from polyseme.corpus.index import Index, table_path
from polyseme.corpus.indexing import build_index
from polyseme.usage import Usage

LEMMAS = ["house.n", "bank.n", "river.n"]
WORDS = {lemma: lemma for lemma in LEMMAS}


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Index:
    """An index of four parts."""
    monkeypatch.setattr(indexing, "PART_TOKENS", 350)
    monkeypatch.setattr(concordance, "BATCH_USAGES", 7)
    found = build_index([*usages(30), *background(50)], tmp_path / "my.index", English(), processes=1)
    assert len(found.manifest["parts"]) == 4
    return found


def by_lemma(given: list[Usage]) -> list[Usage]:
    return sorted(given, key=lambda usage: LEMMAS.index(usage.lemma))


def test_the_usages_of_each_lemma(index: Index) -> None:
    found = [usage for _, usage in stream_usages(index, WORDS)]
    assert by_lemma(found) == [usage for lemma in LEMMAS for usage in find_usages(index, lemma)]
    assert len({usage.id for usage in found}) == len(found) > 50


def test_part_by_part_and_lemma_by_lemma(index: Index) -> None:
    places = [(place, usage.lemma) for (place, _), usage in stream_usages(index, WORDS)]
    assert places == sorted(places, key=lambda each: (each[0], LEMMAS.index(each[1])))
    assert len({place for place, _ in places}) == 4


def test_it_goes_on_from_any_place(index: Index) -> None:
    every = list(stream_usages(index, WORDS))
    for done, (place, _) in enumerate(every, 1):
        assert list(stream_usages(index, WORDS, place)) == every[done:]


def test_it_reads_no_part_before_the_place_and_none_too_early(index: Index) -> None:
    every = list(stream_usages(index, WORDS))
    third = next(number for number, ((part, _), _) in enumerate(every) if part == 2)
    for table in ("tokens", "sentences", "documents"):
        table_path(index.folder, table, 3).unlink()
    left = stream_usages(index, WORDS, every[third - 1][0])
    for table in ("tokens", "sentences", "documents"):
        table_path(index.folder, table, 0).unlink()
    assert next(left) == every[third]


def test_a_lemma_by_another_name(index: Index) -> None:
    (first, *_), there = (
        (usage for _, usage in stream_usages(index, {"bank.v": "bank.n"})),
        find_usages(index, "bank.n"),
    )
    other = next(there)
    assert (first.id, first.text, first.start) == (other.id, other.text, other.start)
    assert (first.lemma, first.pos) == ("bank.v", "v")
