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


def spell(passages: Passages) -> list[str]:
    """The passages as texts, with the target in brackets."""
    texts = []
    for row in range(len(passages)):
        numbers = range(int(passages.starts[row]), int(passages.starts[row + 1]))
        words = [passages.words[passages.tokens[position]] for position in numbers]
        target = int(passages.targets[row]) - int(passages.starts[row])
        texts.append(" ".join(f"[{word}]" if position == target else word for position, word in enumerate(words)))
    return texts


def test_passages_of_an_index_stay_in_their_document(index: Index) -> None:
    """Sentences of another document are never part of a passage."""
    passages = read_passages(index, ["bank", "money"], sentences=2)
    assert spell(passages["bank"]) == [
        "the [bank] lends . it is old .",
        "the river is wide . a [bank] floods .",
        "no money here . the [bank] keeps it .",
    ]
    assert spell(passages["money"]) == ["no [money] here . the bank keeps it ."]
    assert [usage.text for usage in passages["bank"].usages] == [
        "The bank lends.",
        "A bank floods.",
        "The bank keeps it.",
    ]
    assert all(usage.target == "bank" for usage in passages["bank"].usages)
    assert spell(read_passages(index, ["bank"], sentences=1)["bank"])[0] == "the [bank] lends ."


def test_passages_of_words_in_any_order(index: Index) -> None:
    words = ["river", "money", "bank", "money"]
    passages = read_passages(index, words)
    assert list(passages) == ["river", "money", "bank"]
    for word, own in passages.items():
        assert {usage.target for usage in own.usages} == {word}
        assert spell(own) == spell(read_passages(index, [word])[word])


def test_usages_are_sampled(index: Index) -> None:
    all_ids = [usage.id for usage in read_passages(index, ["bank"])["bank"].usages]
    two = [usage.id for usage in read_passages(index, ["bank"], most=2)["bank"].usages]
    assert len(two) == 2
    assert set(two) < set(all_ids)
    assert two == [usage.id for usage in read_passages(index, ["bank"], most=2)["bank"].usages]
    assert len({tuple(read_passages(index, ["bank"], most=2, seed=seed)["bank"].tokens) for seed in range(9)}) > 1
    assert len(read_passages(index, ["bank"], share=0.3)["bank"]) == 1
    assert len(read_passages(index, ["bank"], share=0.5, most=1)["bank"]) == 1


def test_passages_of_texts() -> None:
    usages = [
        Usage("a", "bank.n", "The bank lends.", 4, 8),
        Usage("b", "river.n", "The river.", 4, 9),
        Usage("c", "bank.n", "Out of it", 0, 0),
    ]
    passages = analyse_passages(usages, PLAIN)
    assert list(passages) == ["bank.n", "river.n"]
    assert spell(passages["bank.n"]) == ["the [bank] lends .", "out of it"]
    assert passages["bank.n"].targets.tolist() == [1, -1]


def test_words_at_offsets_from_the_target() -> None:
    passages = analyse_passages([Usage("a", "bank", "The bank lends.", 4, 8), Usage("b", "bank", "bank", 0, 4)], PLAIN)[
        "bank"
    ]
    words = [[*passages.words, ""][number] for offset in (-1, 0, 1, 3) for number in passages.words_at(offset)]
    assert words == ["the", "", "bank", "bank", "lends", "", "", ""]
    assert passages.bags().toarray()[1].tolist() == [0] * len(passages.words)


def test_passages_are_concatenated_and_selected(index: Index) -> None:
    one = read_passages(index, ["bank"], sentences=1)["bank"]
    other = analyse_passages([Usage("x", "bank", "My bank. Out.", 3, 7), Usage("y", "bank", "Out", 0, 0)], PLAIN)[
        "bank"
    ]
    both = concatenate_passages([one, other])
    assert spell(both) == spell(one) + spell(other)
    assert both.targets[-1] == -1
    assert concatenate_passages([one]) is one
    assert spell(both.select(np.array([3, 0]))) == [spell(other)[0], spell(one)[0]]
    assert [text for text in spell(both) if text in spell(both.sample(2))] == spell(both.sample(2)), "in order"
    assert len(both.sample(2)) == 2
    assert spell(both.sample(99)) == spell(both)


def test_passages_without_words() -> None:
    passages = passages_without_words([Usage("a", "bank.n", "The bank lends.", 4, 8)])["bank.n"]
    assert (len(passages), len(passages.tokens), passages.targets.tolist()) == (1, 0, [-1])
    assert passages.words_at(1).tolist() == [-1]
