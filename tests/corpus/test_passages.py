"""Usages with the words around them, from an index and from texts."""

from pathlib import Path

import numpy as np
import pytest

from polyseme.corpus.index import Index
from polyseme.corpus.indexing import build_index
from polyseme.corpus.passages import (
    Passages,
    analyse_passages,
    concatenate_passages,
    passages_without_words,
    read_passages,
)
from polyseme.corpus.simple_analyser import Simple
from polyseme.usage import Usage

PLAIN = Simple(lemmatise=False)
TEXTS = {
    "one": "The bank lends. It is old. The river is wide. A bank floods.",
    "two": "No money here. The bank keeps it.",
}


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Index:
    folder = tmp_path_factory.mktemp("texts")
    for name, text in TEXTS.items():
        Path(folder, f"{name}.txt").write_text(text)
    return build_index([folder], folder / "index", PLAIN)


def said(found: Passages) -> list[str]:
    """The passages as texts, with the target in brackets."""
    texts = []
    for row in range(len(found)):
        numbers = range(int(found.starts[row]), int(found.starts[row + 1]))
        words = [found.words[found.tokens[at]] for at in numbers]
        target = int(found.targets[row]) - int(found.starts[row])
        texts.append(" ".join(f"[{word}]" if at == target else word for at, word in enumerate(words)))
    return texts


def test_of_an_index(index: Index) -> None:
    """Sentences of another document are never part of a passage."""
    found = read_passages(index, ["bank", "money"], sentences=2)
    assert said(found["bank"]) == [
        "the [bank] lends . it is old .",
        "the river is wide . a [bank] floods .",
        "no money here . the [bank] keeps it .",
    ]
    assert said(found["money"]) == ["no [money] here . the bank keeps it ."]
    assert [usage.text for usage in found["bank"].usages] == ["The bank lends.", "A bank floods.", "The bank keeps it."]
    assert all(usage.target == "bank" for usage in found["bank"].usages)
    assert said(read_passages(index, ["bank"], sentences=1)["bank"])[0] == "the [bank] lends ."


def test_words_in_any_order(index: Index) -> None:
    words = ["river", "money", "bank", "money"]
    found = read_passages(index, words)
    assert list(found) == ["river", "money", "bank"]
    for word, each in found.items():
        assert {usage.target for usage in each.usages} == {word}
        assert said(each) == said(read_passages(index, [word])[word])


def test_some_of_the_usages(index: Index) -> None:
    every = [usage.id for usage in read_passages(index, ["bank"])["bank"].usages]
    two = [usage.id for usage in read_passages(index, ["bank"], most=2)["bank"].usages]
    assert len(two) == 2
    assert set(two) < set(every)
    assert two == [usage.id for usage in read_passages(index, ["bank"], most=2)["bank"].usages]
    assert len({tuple(read_passages(index, ["bank"], most=2, seed=seed)["bank"].tokens) for seed in range(9)}) > 1
    assert len(read_passages(index, ["bank"], share=0.3)["bank"]) == 1
    assert len(read_passages(index, ["bank"], share=0.5, most=1)["bank"]) == 1


def test_of_texts() -> None:
    given = [
        Usage("a", "bank.n", "The bank lends.", 4, 8),
        Usage("b", "river.n", "The river.", 4, 9),
        Usage("c", "bank.n", "Out of it", 0, 0),
    ]
    found = analyse_passages(given, PLAIN)
    assert list(found) == ["bank.n", "river.n"]
    assert said(found["bank.n"]) == ["the [bank] lends .", "out of it"]
    assert found["bank.n"].targets.tolist() == [1, -1]


def test_words_at_places() -> None:
    found = analyse_passages([Usage("a", "bank", "The bank lends.", 4, 8), Usage("b", "bank", "bank", 0, 4)], PLAIN)[
        "bank"
    ]
    places = [[found.words[number] if number >= 0 else "" for number in found.words_at(offset)] for offset in (-1, 0, 1, 3)]
    assert places == [["the", ""], ["bank", "bank"], ["lends", ""], ["", ""]]
    assert found.bags().toarray()[1].tolist() == [0] * len(found.words)


def test_joined_and_chosen(index: Index) -> None:
    one = read_passages(index, ["bank"], sentences=1)["bank"]
    other = analyse_passages([Usage("x", "bank", "My bank. Out.", 3, 7), Usage("y", "bank", "Out", 0, 0)], PLAIN)[
        "bank"
    ]
    both = concatenate_passages([one, other])
    assert said(both) == said(one) + said(other)
    assert both.targets[-1] == -1
    assert concatenate_passages([one]) is one
    assert said(both.select(np.array([3, 0]))) == [said(other)[0], said(one)[0]]
    assert [each for each in said(both) if each in said(both.sample(2))] == said(both.sample(2)), "in order"
    assert len(both.sample(2)) == 2
    assert said(both.sample(99)) == said(both)


def test_unread() -> None:
    found = passages_without_words([Usage("a", "bank.n", "The bank lends.", 4, 8)])["bank.n"]
    assert (len(found), len(found.tokens), found.targets.tolist()) == (1, 0, [-1])
    assert found.words_at(1).tolist() == [-1]
