"""AI-KU: the options stand for the names of its submissions."""

from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pytest

from polyseme.clustering.graders import Votes
from polyseme.formats.answer_key import read_key
from polyseme.induction.aiku import AIKU
from polyseme.induction.defaults import default_usage_limit
from polyseme.labelling import Labelling
from polyseme.lm.substitutes import Substitutes
from polyseme.usage import Usage


class InventedSubstituter:
    """A substituter that knows the same words for all usages, each usage with another one in front."""

    def substitutes(self, usages: Iterable[Usage], count: int = 100) -> list[Substitutes]:
        words = [f"{letter}{number}" for letter in "abcdef" for number in range(5)]
        return [
            Substitutes.from_weights({word: 5.0 if word[0] == usage.text[-1] else 1.0 for word in words}, count)
            for usage in usages
        ]


def read_submitted_key(data: Path, name: str) -> Labelling:
    """A key with its weights as they are written."""
    (path,) = (data / "semeval-2013-task-13" / "keys" / "systems" / "AI-KU" / name).glob("*.key")
    return read_key(path)


@pytest.mark.parametrize("name, remove", [("add1000", 0), ("remove5-add1000", 5)])
def test_the_options_make_the_submitted_keys_from_the_first(data: Path, name: str, remove: int) -> None:
    first, other = read_submitted_key(data, "base"), read_submitted_key(data, name)
    grade = AIKU(add=1000, remove=remove).steps().grade
    for usage, senses in first.items():
        weights = grade([list(senses.values())], np.eye(len(senses)))[0].tolist()
        assert other[usage] == {sense: weight for sense, weight in zip(senses, weights, strict=True) if weight}, usage


def test_adding_and_removing_samples_changes_labels(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is removed is gone from usages; what is added makes the others of about the same weight."""
    monkeypatch.setattr("polyseme.vectors.substitute_vectors.build_substituter", lambda _: InventedSubstituter())
    usages = [Usage(f"bank.n.{number}", "bank.n", f"the bank was {word}", 4, 8) for number, word in enumerate("abcdef")]
    labels = [
        AIKU(lm="invented", add=add, remove=remove, clusters=5).fit(usages, ["bank.n"], usages=usages).label(usages)
        for add, remove in ((0, 0), (1000, 0), (1000, 5))
    ]
    plain, added, removed = ([dict(labelling[usage.id]) for usage in usages] for labelling in labels)
    assert [set(senses) for senses in plain] == [set(senses) for senses in added]
    assert plain != added
    assert all(set(fewer) <= set(more) for fewer, more in zip(removed, added, strict=True))
    assert sum(map(len, removed)) < sum(map(len, added))


def test_the_ngram_model_of_the_corpus_reads_all_usages_in_several_processes() -> None:
    assert default_usage_limit(AIKU(lm="corpus")) is None


def test_contexts_are_clustered_with_the_usages_to_label() -> None:
    steps = AIKU(contexts=2000).steps()
    assert (steps.add, steps.most) == (2000, 2000)
    assert steps.grade == Votes(0, 0)
