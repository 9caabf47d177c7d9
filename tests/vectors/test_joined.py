"""Representations side by side: the sum of their kernels."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from polyseme.arrays import Floats
from polyseme.corpus.passages import Passages, analyse_passages
from polyseme.corpus.simple_analyser import Simple
from polyseme.errors import InputError
from polyseme.induction.model import SenseModel
from polyseme.induction.pipeline import Pipeline
from polyseme.matrices import unit_rows
from polyseme.parts import build
from polyseme.usage import Usage
from polyseme.vectors.bag_of_words import Bag
from polyseme.vectors.concatenation import Joined

TEXTS = ["the bank lends money", "the bank lends cash", "the river bank floods", "a wide river bank floods"]
WORDS = Bag(minimum=1, stop=0)
PAIRS = Bag(minimum=1, stop=0, positions=1)


@pytest.fixture
def given() -> Passages:
    usages = [
        Usage(f"u{at}", "bank", text, text.index("bank"), text.index("bank") + 4) for at, text in enumerate(TEXTS)
    ]
    return analyse_passages(usages, Simple(lemmatise=False))["bank"]


def cosines(rows: Any) -> Floats:
    dense = np.asarray(rows.toarray() if hasattr(rows, "toarray") else rows)
    return np.asarray(dense @ dense.T)


def test_products_are_weighted_sums_of_cosines(given: Passages) -> None:
    joined = Joined((WORDS, PAIRS), (1.0, 0.25)).fit(given)
    wanted = cosines(unit_rows(WORDS.fit(given)(given))) + 0.25 * cosines(unit_rows(PAIRS.fit(given)(given)))
    assert np.allclose(cosines(joined(given)), wanted)
    assert np.allclose(
        cosines(Joined((WORDS, WORDS)).fit(given)(given)), 2 * cosines(unit_rows(WORDS.fit(given)(given)))
    )


def test_restored_it_is_the_same(given: Passages) -> None:
    spec = Joined((WORDS, PAIRS), (1.0, 0.5))
    fitted = spec.fit(given)
    again = spec.restore(dict(fitted.state))
    assert np.allclose(cosines(again(given)), cosines(fitted(given)))


def test_a_model_with_it_is_saved_and_loaded(given: Passages, tmp_path: Path) -> None:
    inducer = Pipeline(Joined((WORDS, PAIRS)), number=2)
    model = inducer.fit(list(given.usages), ["bank"], analyser=Simple(lemmatise=False))
    model.save(tmp_path / "m")
    again = SenseModel.load(tmp_path / "m")
    assert again.inducer == inducer
    assert again.label(given.usages) == model.label(given.usages)


def test_a_specification_is_read_back() -> None:
    part = Joined((Bag(minimum=2), Bag(positions=1)), (1, 0.5))
    assert build(repr(part)) == part


@pytest.mark.parametrize(
    "specification, problem",
    [
        ("Joined(())", "takes representations"),
        ("Joined((1, 2))", "takes representations"),
        ("Joined((Bag(),), (1.0, 2.0))", "1 representations and 2 weights"),
        ("Joined((Bag(),), (-1.0,))", "0 or more"),
        ("Joined((Bag(),), (0.0,))", "more than 0"),
        ("Joined((Bag(),), ('a',))", "must be of type tuple"),
    ],
)
def test_what_cannot_be_joined(specification: str, problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        build(specification)
