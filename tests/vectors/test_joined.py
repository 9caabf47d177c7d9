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
def passages() -> Passages:
    usages = [
        Usage(f"u{at}", "bank", text, text.index("bank"), text.index("bank") + 4) for at, text in enumerate(TEXTS)
    ]
    return analyse_passages(usages, Simple(lemmatise=False))["bank"]


def cosines(rows: Any) -> Floats:
    dense = np.asarray(rows.toarray() if hasattr(rows, "toarray") else rows)
    return np.asarray(dense @ dense.T)


def test_products_are_weighted_sums_of_cosines(passages: Passages) -> None:
    joined = Joined((WORDS, PAIRS), (1.0, 0.25)).fit(passages)
    words, pairs = (cosines(unit_rows(part.fit(passages)(passages))) for part in (WORDS, PAIRS))
    assert np.allclose(cosines(joined(passages)), words + 0.25 * pairs)
    assert np.allclose(cosines(Joined((WORDS, WORDS)).fit(passages)(passages)), 2 * words)


def test_restored_representations_are_the_same(passages: Passages) -> None:
    spec = Joined((WORDS, PAIRS), (1.0, 0.5))
    fitted = spec.fit(passages)
    again = spec.restore(dict(fitted.state))
    assert np.allclose(cosines(again(passages)), cosines(fitted(passages)))


def test_models_with_joined_representations_are_saved_and_loaded(passages: Passages, tmp_path: Path) -> None:
    inducer = Pipeline(Joined((WORDS, PAIRS)), number=2)
    model = inducer.fit(list(passages.usages), ["bank"], analyser=Simple(lemmatise=False))
    model.save(tmp_path / "m")
    again = SenseModel.load(tmp_path / "m")
    assert again.inducer == inducer
    assert again.label(passages.usages) == model.label(passages.usages)


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
        ("Joined((Bag(),), (0.0,))", "above 0"),
        ("Joined((Bag(),), ('a',))", "must be of type tuple"),
    ],
)
def test_wrong_options_are_refused(specification: str, problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        build(specification)
