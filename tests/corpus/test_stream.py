"""A stream of the usages of many lemmas, in one pass, from any position: the same as :func:`find_usages` finds."""

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
    built = build_index([*usages(30), *background(50)], tmp_path / "my.index", English(), processes=1)
    assert len(built.manifest["parts"]) == 4
    return built


def sort_by_lemma(usages: list[Usage]) -> list[Usage]:
    return sorted(usages, key=lambda usage: LEMMAS.index(usage.lemma))


def test_a_stream_has_the_usages_of_each_lemma(index: Index) -> None:
    streamed = [usage for _, usage in stream_usages(index, WORDS)]
    assert sort_by_lemma(streamed) == [usage for lemma in LEMMAS for usage in find_usages(index, lemma)]
    assert len({usage.id for usage in streamed}) == len(streamed) > 50


def test_a_stream_goes_part_by_part_and_lemma_by_lemma(index: Index) -> None:
    places = [(place, usage.lemma) for (place, _), usage in stream_usages(index, WORDS)]
    assert places == sorted(places, key=lambda place: (place[0], LEMMAS.index(place[1])))
    assert len({place for place, _ in places}) == 4


def test_a_stream_continues_from_any_position(index: Index) -> None:
    all_usages = list(stream_usages(index, WORDS))
    for count, (place, _) in enumerate(all_usages, 1):
        assert list(stream_usages(index, WORDS, place)) == all_usages[count:]


def test_a_stream_reads_only_the_parts_it_needs(index: Index) -> None:
    all_usages = list(stream_usages(index, WORDS))
    third = next(number for number, ((part, _), _) in enumerate(all_usages) if part == 2)
    for table in ("tokens", "sentences", "documents"):
        table_path(index.folder, table, 3).unlink()
    rest = stream_usages(index, WORDS, all_usages[third - 1][0])
    for table in ("tokens", "sentences", "documents"):
        table_path(index.folder, table, 0).unlink()
    assert next(rest) == all_usages[third]


def test_a_lemma_can_have_another_name(index: Index) -> None:
    (first, *_), usages = (
        (usage for _, usage in stream_usages(index, {"bank.v": "bank.n"})),
        find_usages(index, "bank.n"),
    )
    other = next(usages)
    assert (first.id, first.text, first.start) == (other.id, other.text, other.start)
    assert (first.lemma, first.pos) == ("bank.v", "v")
