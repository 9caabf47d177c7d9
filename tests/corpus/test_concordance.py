"""The usages of a word in an index."""

import json
from pathlib import Path

import pytest

from polyseme.corpus.concordance import sampled, usages_at, usages_near, usages_of
from polyseme.corpus.index import Index
from polyseme.corpus.indexing import build_index
from polyseme.corpus.simple import Simple
from polyseme.corpus.where import Where
from polyseme.errors import InputError
from polyseme.wordnet import WordNet
from polyseme.wordnet.relatives import relatives

TEXTS = [
    {"id": "old", "text": "A bank by the river. The Bank was steep.", "date": 1850},
    {"id": "new", "text": "The bank raised its rates. It rained. A lender is a bank.", "date": 1950},
]


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Index:
    from polyseme.corpus import indexing

    monkeypatch.setattr(indexing, "PART", 10)
    (tmp_path / "a.jsonl").write_text("\n".join(map(json.dumps, TEXTS)))
    return build_index([tmp_path / "a.jsonl"], tmp_path / "i", Simple(lemmatise=False), processes=1)


def test_all_usages_in_order(index: Index) -> None:
    found = list(usages_of(index, "bank"))
    assert [usage.id for usage in found] == ["a.jsonl#old.1.2", "a.jsonl#old.2.2", "a.jsonl#new.1.2", "a.jsonl#new.3.5"]
    assert [usage.target for usage in found] == ["bank", "Bank", "bank", "bank"]
    assert found[0].text == "A bank by the river."
    assert dict(found[3].meta) == {"date": "1950", "document": "a.jsonl#new"}


def test_at_places(index: Index) -> None:
    """Sentence and position, as they are numbered through the index."""
    found = usages_at(index, {(3, 1): "rain.v", (0, 1): "bank.n"})
    assert {place: (usage.id, usage.lemma, usage.pos, usage.target) for place, usage in found.items()} == {
        (0, 1): ("a.jsonl#old.1.2", "bank.n", "n", "bank"),
        (3, 1): ("a.jsonl#new.2.2", "rain.v", "v", "rained"),
    }
    assert usages_at(index, {}) == {}


def test_of_some_documents(index: Index) -> None:
    assert [usage.meta["date"] for usage in usages_of(index, "bank", where=Where("date > 1900"))] == ["1950", "1950"]
    assert not list(usages_of(index, "bank", where=Where("date > 2000")))


def test_a_sample_is_the_same_for_a_seed(index: Index) -> None:
    every = [usage.id for usage in usages_of(index, "bank")]
    draws = {tuple(usage.id for usage in usages_of(index, "bank", sample=2, seed=seed)) for seed in range(20)}
    assert len(draws) > 2
    assert all(len(draw) == 2 and list(draw) == sorted(draw, key=every.index) for draw in draws)
    assert [usage.id for usage in usages_of(index, "bank", sample=99)] == every
    assert len(list(sampled(usages_of(index, "bank"), 3))) == 3


def test_a_word_that_does_not_occur(index: Index) -> None:
    with pytest.raises(InputError, match=r"'bnk' does not occur; did you mean bank\?"):
        usages_of(index, "bnk")
    with pytest.raises(InputError, match=r"'xylophone' does not occur$"):
        usages_of(index, "xylophone")


def test_near_other_words(index: Index) -> None:
    (usage,) = usages_near(index, "bank", ["lender", "nowhere"], label="bank%1:14:00::")
    assert usage.id == "a.jsonl#new.3.5"
    assert usage.meta["relatives"] == "lender"
    assert usage.meta["sense"] == "bank%1:14:00::"
    assert len(list(usages_near(index, "bank", ["rained"], sentences=2))) == 2
    assert not list(usages_near(index, "bank", ["rained"]))
    assert not list(usages_near(index, "bank", ["nowhere"]))
    assert not list(usages_near(index, "bank", ["river"], where=Where("date > 1900")))


def test_relatives_have_one_sense(wordnet_31: WordNet) -> None:
    found = relatives(wordnet_31, "bank%1:14:00::")
    assert "depository_financial_institution.n" in found
    assert "financial_institution.n" in found
    assert "bank.n" not in found
    assert all(len(wordnet_31[lemma]) == 1 for lemma in found)
    assert not set(found) & set(relatives(wordnet_31, "bank%1:17:01::"))
