"""What the names of AI-KU's submissions stand for, and that our options do that."""

from pathlib import Path

import numpy as np
import pytest

from polyseme.formats.answer_key import read_key
from polyseme.induce.aiku import AIKU
from polyseme.labelling import Labelling


def submitted(data: Path, name: str) -> Labelling:
    """A key with its weights as they are written."""
    (path,) = (data / "semeval-2013-task-13" / "keys" / "systems" / "AI-KU" / name).glob("*.key")
    return read_key(path)


@pytest.mark.parametrize("name, remove", [("add1000", 0), ("remove5-add1000", 5)])
def test_the_submitted_keys_come_from_the_first_of_them(data: Path, name: str, remove: int) -> None:
    first, other = submitted(data, "base"), submitted(data, name)
    grade = AIKU(add=1000, remove=remove).steps().grade
    for usage, senses in first.items():
        weights = grade([list(senses.values())], np.eye(len(senses)))[0].tolist()
        assert other[usage] == {sense: weight for sense, weight in zip(senses, weights, strict=True) if weight}, usage


def test_contexts_of_the_corpus_are_those_that_are_clustered_besides() -> None:
    steps = AIKU(contexts=2000).steps()
    assert (steps.add, steps.most) == (2000, 2000)
    assert (steps.grade.add, steps.grade.remove) == (0, 0)
