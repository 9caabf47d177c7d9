"""Hard clusterings: each usage's heaviest sense."""

import math

import numpy as np
import pytest
import sklearn.metrics
from hypothesis import given, settings
from hypothesis import strategies as st

import references
from pairs import Pair, pairs
from polyseme.labelling import Labelling
from polyseme.measures.partitions import (
    AdjustedMutualInformation,
    AdjustedRand,
    BCubed,
    PairedF,
    VMeasure,
    expected_information,
)

few_examples = settings(max_examples=60, deadline=None)
hard_pairs = pairs(outside=2, max_size=14)


def weighted(gold: Labelling, values: dict[str, float]) -> float:
    """The mean over lemmas, weighted by their usages."""
    return sum(len(gold.for_lemma(lemma)) * value for lemma, value in values.items()) / len(gold)


def clusterings(pair: Pair) -> dict[str, tuple[list[str], list[str]]]:
    return {lemma: references.clusters(ours, theirs) for lemma, ours, theirs in references.lemmas_of(*pair)}


@few_examples
@given(pair=hard_pairs)
def test_v_measure_follows_its_definition(pair: Pair) -> None:
    scores = VMeasure()(*pair)
    for lemma, labels in clusterings(pair).items():
        homogeneity, completeness, v = references.v_measure(*labels)
        assert scores.per_unit()[lemma] == pytest.approx(
            {"homogeneity": homogeneity, "completeness": completeness, "score": v}, abs=1e-9
        )
        assert v == pytest.approx(sklearn.metrics.v_measure_score(*labels), abs=1e-9)
    expected = {lemma: references.v_measure(*labels)[2] for lemma, labels in clusterings(pair).items()}
    assert scores.figure() == pytest.approx(weighted(pair[0], expected), abs=1e-9)


@few_examples
@given(pair=hard_pairs)
def test_paired_f_follows_its_definition(pair: Pair) -> None:
    scores = PairedF()(*pair)
    expected = {}
    for lemma, labels in clusterings(pair).items():
        precision, recall = references.paired(*labels)
        expected[lemma] = references.f_of(precision, recall)
        assert scores.per_unit()[lemma] == pytest.approx(
            {"precision": precision, "recall": recall, "f1": expected[lemma]}, abs=1e-9
        )
    assert scores.figure() == pytest.approx(weighted(pair[0], expected), abs=1e-9)


@few_examples
@given(pair=hard_pairs)
def test_bcubed_follows_its_definition(pair: Pair) -> None:
    scores = BCubed()(*pair)
    expected = {}
    for lemma, labels in clusterings(pair).items():
        precision, recall = references.bcubed(*labels)
        expected[lemma] = references.f_of(precision, recall)
        assert scores.per_unit()[lemma] == pytest.approx(
            {"precision": precision, "recall": recall, "f1": expected[lemma]}, abs=1e-9
        )
    assert scores.figure() == pytest.approx(weighted(pair[0], expected), abs=1e-9)


@few_examples
@given(pair=hard_pairs)
def test_adjusted_measures_follow_their_definitions(pair: Pair) -> None:
    rand, arithmetic, largest = (
        measure(*pair).per_unit()
        for measure in (AdjustedRand(), AdjustedMutualInformation(), AdjustedMutualInformation("max"))
    )
    for lemma, labels in clusterings(pair).items():
        assert rand[lemma]["score"] == pytest.approx(sklearn.metrics.adjusted_rand_score(*labels), abs=1e-9)
        for scores, average in ((arithmetic, "arithmetic"), (largest, "max")):
            expected = sklearn.metrics.adjusted_mutual_info_score(*labels, average_method=average)
            assert scores[lemma]["score"] == pytest.approx(expected, abs=1e-9)


def test_adjusted_mutual_information_of_many_usages_agrees_with_sklearn() -> None:
    rng = np.random.default_rng(0)
    labels = rng.integers(30, size=3000), rng.integers(70, size=3000)
    usages = [f"x.{number}" for number in range(3000)]
    gold, system = (Labelling.hard(usages, side, lemma="x") for side in labels)
    expected = sklearn.metrics.adjusted_mutual_info_score(*labels)
    assert AdjustedMutualInformation()(gold, system).figure() == pytest.approx(expected, abs=1e-9)


sizes = st.lists(st.integers(1, 8), min_size=1, max_size=6)


@few_examples
@given(classes=sizes, clusters=sizes)
def test_expected_information_follows_its_definition(classes: list[int], clusters: list[int]) -> None:
    missing = sum(classes) - sum(clusters)
    classes, clusters = classes + [1] * max(-missing, 0), clusters + [1] * max(missing, 0)
    scores = expected_information(np.array(classes, np.float64), np.array(clusters, np.float64))
    assert scores == pytest.approx(references.expected_information(classes, clusters), abs=1e-9)


def test_unlabelled_usages_are_one_cluster_and_outside_ones_nothing() -> None:
    gold = Labelling.hard(["u1", "u2", "u3", "u4"], list("aabb"), lemma="x")
    system = Labelling.hard(["u1", "u2", "v1", "v2"], list("ccdd"), lemma="x")
    for measure in (VMeasure(), PairedF(), BCubed(), AdjustedRand(), AdjustedMutualInformation()):
        assert measure(gold, system).figure() == pytest.approx(1.0)


def test_components_are_one_where_there_is_no_entropy() -> None:
    one = Labelling.hard(["u1", "u2"], list("aa"), lemma="x")
    two = Labelling.hard(["u1", "u2"], list("ab"), lemma="x")
    assert VMeasure()(one, two).total() == {"homogeneity": 1.0, "completeness": 0.0, "score": 0.0}
    assert VMeasure()(two, one).total() == {"homogeneity": 0.0, "completeness": 1.0, "score": 0.0}
    assert not math.isnan(VMeasure()(one, one).figure())
