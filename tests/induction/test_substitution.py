"""Substitution: kernels of several patterns, clusters, graded senses; with a tiny model of random weights."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from polyseme.clustering.agglomerative import Agglomerative
from polyseme.clustering.consensus import Consensus
from polyseme.clustering.number_of_clusters import AdaptedGap
from polyseme.errors import InputError, InputWarning
from polyseme.induction.model import SenseModel
from polyseme.induction.same_sense import SameSense
from polyseme.induction.storage import sense_from_json, sense_to_json
from polyseme.induction.substitution import Substitution
from polyseme.induction.usage_similarity import compare_usages
from polyseme.inventory import Sense
from polyseme.parts import build
from polyseme.usage import Usage
from polyseme.words.runs import seed_variants

TEXTS = ["the bank lends money", "a bank lends cash", "the river bank floods", "a wide river bank floods"]


@pytest.fixture
def usages() -> list[Usage]:
    starts = [text.index("bank") for text in TEXTS]
    return [Usage(f"u{at}", "bank.n", TEXTS[at], start, start + 4) for at, start in enumerate(starts)]


def test_a_loaded_model_gives_the_same_labels(masked_model: str, usages: list[Usage], tmp_path: Path) -> None:
    inducer = Substitution(masked_model, number=2, smallest=1, count=10)
    model = inducer.fit(usages, ["bank.n"], usages=usages)
    labels = model.label(usages)
    assert list(labels) == [usage.id for usage in usages]
    assert all(sum(weights.values()) == pytest.approx(1) for weights in labels.values())
    model.save(tmp_path / "m")
    again = SenseModel.load(tmp_path / "m")
    assert again.label(usages) == labels
    assert again.inducer == inducer


def test_a_single_sense_has_a_description(masked_model: str, usages: list[Usage]) -> None:
    model = Substitution(masked_model, number=1, count=10).fit(usages, ["bank.n"], usages=usages)
    [sense] = model.inventory["bank.n"]
    assert sense.features
    assert all(weight > 0 for _, weight in sense.features)


def test_patterns_and_vectors_have_separate_kernels(masked_model: str) -> None:
    joined: Any = Substitution(masked_model, patterns=("_", "T"), encoder=masked_model).representation()
    assert len(joined.of) == 4
    assert joined.weights == (1.0, 1.0, 2.0, 2.0)
    assert not any(encoder.centred for encoder in joined.of[2:])
    assert len(Substitution(masked_model, patterns=("_",), vectors=0).representation().of) == 1  # type: ignore[attr-defined]


def test_a_saved_model_has_the_recurrence_of_its_senses(masked_model: str, usages: list[Usage], tmp_path: Path) -> None:
    many = [replace(usage, id=f"{usage.id}-{number}") for number in range(3) for usage in usages]
    model = Substitution(masked_model, probability=0.9, count=10).fit(many, ["bank.n"], usages=many)
    shares = [sense.recurrence for sense in model.inventory["bank.n"]]
    assert all(share is not None and 0 <= share <= 1 for share in shares)
    model.save(tmp_path / "m")
    assert [sense.recurrence for sense in SenseModel.load(tmp_path / "m").inventory["bank.n"]] == shares


def test_senses_of_older_models_have_no_recurrence() -> None:
    row = sense_to_json(Sense("bank.n.s1", "bank.n", recurrence=0.85))
    assert sense_from_json(row).recurrence == 0.85
    del row["recurrence"]
    assert sense_from_json(row).recurrence is None


def test_probabilities_choose_the_number_or_many_clusterings_agree_on_it() -> None:
    assert Substitution("a-model", probability=0.6, seed=2).steps().cluster == SameSense(0.6, seed=2)
    assert Substitution("a-model", number=3).steps().cluster == Consensus(Agglomerative("average", "cosine"), 100)
    assert Substitution("a-model", number=3, draws=0).steps().cluster == Agglomerative("average", "cosine")


def test_a_higher_probability_makes_finer_senses(masked_model: str, usages: list[Usage]) -> None:
    numbers = []
    for probability in (0.01, 0.99):
        inducer = Substitution(masked_model, probability=probability, count=10)
        numbers.append(len(inducer.fit(usages, ["bank.n"], usages=usages).inventory["bank.n"]))
    assert numbers[0] == 1
    assert numbers[1] > 1


def test_the_seed_is_that_of_clusterings_and_criterion() -> None:
    steps: Any = Substitution("a-model", number=AdaptedGap(seed=2), seed=3).steps()
    assert (steps.cluster.seed, steps.number.seed) == (3, 5)
    assert Substitution("a-model", number=4, seed=3).steps().number == 4
    first, second = seed_variants(Substitution("a-model", number=4), 2)
    assert first.steps().cluster != second.steps().cluster
    assert len(seed_variants(Substitution("a-model", number=4, draws=0), 2)) == 1


def test_a_specification_is_read_back() -> None:
    part = Substitution("a-model", patterns=("T and _",), number=3)
    assert build(repr(part)) == part


@pytest.mark.parametrize(
    "options",
    ["patterns=('and',)", "count=0", "temperature=0", "patterns='_'", "smallest=-1", "draws=-1", "probability=1"],
)
def test_wrong_options_are_refused(options: str) -> None:
    with pytest.raises(InputError):
        build(f"Substitution({options})")


def test_probabilities_of_pairs_are_those_that_are_clustered(masked_model: str, usages: list[Usage]) -> None:
    inducer = Substitution(masked_model, count=10)
    cosines = [pair.similarity for pair in compare_usages(inducer, usages)]
    with pytest.warns(InputWarning, match=r"is calibrated for Substitution\(\), not for Substitution\(model="):
        probabilities = [pair.similarity for pair in compare_usages(inducer, usages, probability=True)]
    threshold = SameSense(inducer.probability).for_usages(usages).threshold
    assert [cosine > threshold for cosine in cosines] == [share > inducer.probability for share in probabilities]
