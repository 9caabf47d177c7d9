"""The lemmas that a typed word stands for."""

from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from polyseme.corpus.concordance import find_usages
from polyseme.corpus.english_analyser import English
from polyseme.corpus.index import Index
from polyseme.corpus.indexing import build_index
from polyseme.corpus.lemma_search import count_typed_words, find_lemmas

TEXT = """The union met. Unions unite workers. They saw a saw. We left by the left door. A number of numb fingers. The
numbest of them. An iPhone rang. He runs."""


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Index:
    folder = tmp_path_factory.mktemp("lemmas")
    (folder / "a.txt").write_text(TEXT)
    return build_index([folder / "a.txt"], folder / "index", English(), processes=1)


@pytest.mark.parametrize(
    "word, lemmas",
    [
        ("union", ["union.n"]),
        ("UNION", ["union.n"]),
        ("unions", ["union.n"]),
        ("union.n", ["union.n"]),
        ("union.v", []),
        ("unions.n", []),
        ("saw", ["saw.n", "see.v"]),
        ("left", ["leave.v", "left.a"]),
        ("number", ["number.n"]),  # and no form of numb.a
        ("iphone", ["iphone.n"]),
        ("ran", ["run.v"]),  # the text has no such form
        ("xyz", []),
        ("", []),
    ],
)
def test_a_word_stands_for_its_parts_of_speech(index: Index, word: str, lemmas: list[str]) -> None:
    assert sorted(find_lemmas(index, word)) == lemmas


def test_many_words_are_searched_in_one_pass(index: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    words = ["Unions", "unions", "saw", "left", "ran", "xyz", "union.n"]
    separate = [index.count(word) for word in words]
    passes: list[str] = []
    read_parts = Index.parts

    def count_passes(index: Index, table: str, columns: Sequence[str]) -> Iterator[Any]:
        passes.append(table)
        return read_parts(index, table, columns)

    monkeypatch.setattr(Index, "parts", count_passes)
    assert count_typed_words(index, words) == separate
    assert passes == ["tokens"]


def test_usages_of_several_lemmas_are_in_the_order_of_the_text(index: Index) -> None:
    usages = list(find_usages(index, find_lemmas(index, "saw")))
    assert [(usage.target, usage.lemma) for usage in usages] == [("saw", "see.v"), ("saw", "saw.n")]
    assert list(find_usages(index, "saw.n")) == usages[1:]
    assert list(index.kwic("saw")) == usages
    assert index.count("saw").lemmas == {"saw.n": 1, "see.v": 1}
