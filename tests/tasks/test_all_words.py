"""All words: the standard scoring."""

from pathlib import Path

import pytest

from polyseme.baselines import SemCorMFS
from polyseme.datasets import load
from polyseme.errors import InputError
from polyseme.labelling import Labelling
from polyseme.tasks.all_words import AllWords
from polyseme.wordnet import WordNet

GOLD = Labelling.from_dict(
    {"u1": {"a": 1, "b": 1}, "u2": {"a": 1}, "u3": {"b": 0.2, "c": 0.8}, "u4": {"a": 1}}, lemma="x.n"
)


def test_figures_are_as_computed_by_hand() -> None:
    answers = {"u1": {"c": 0.4, "b": 0.6}, "u2": {"b": 5.0, "a": 4.9}, "u3": {"b": 0.01}}
    figures = AllWords().score(GOLD, Labelling.from_dict(answers, lemma="x.n")).figures()
    assert figures == {"precision": pytest.approx(2 / 3), "recall": 0.5, "f1": pytest.approx(4 / 7)}


def test_of_equal_weights_the_first_counts() -> None:
    for first, right in (("a", 1.0), ("b", 0.0)):
        senses = {first: 0.5, "ab".replace(first, ""): 0.5}
        system = Labelling.from_dict({"u2": senses, "u4": senses}, lemma="x.n")
        assert AllWords().score(GOLD, system).figures()["precision"] == right


def test_groups_are_scored_alone() -> None:
    answers = {"u1": {"b": 1}, "u2": {"b": 1}, "u3": {"b": 1}}
    parts = (
        AllWords()
        .score(GOLD, Labelling.from_dict(answers, lemma="x.n"))
        .by_usages({"A": ["u1", "u4"], "B": ["u2", "u3"]})
    )
    assert parts["A"].figures() == {"precision": 1.0, "recall": 0.5, "f1": pytest.approx(2 / 3)}
    assert parts["B"].figures() == {"precision": 0.5, "recall": 0.5, "f1": 0.5}


def test_a_system_without_a_gold_usage_is_an_error() -> None:
    with pytest.raises(InputError, match="no usage in common"):
        AllWords().score(GOLD, Labelling.from_dict({"v1": {"a": 1}}, lemma="x.n"))


@pytest.mark.parametrize(
    "name, f1",
    [("senseval2", 66.8), ("senseval3", 66.2), ("semeval2007", 55.2), ("semeval2013", 63.0), ("semeval2015", 67.8)],
)
def test_the_first_sense_of_wordnet_scores_as_published(data: Path, wordnet_30: WordNet, name: str, f1: float) -> None:
    """Raganato, Camacho-Collados & Navigli (2017, Table 5), to the last digit."""
    task = load(f"wsd-{name}", data)
    figures = AllWords().score(task.gold, SemCorMFS()(task.usages, wordnet_30)).figures()
    assert round(100 * figures["f1"], 1) == f1
