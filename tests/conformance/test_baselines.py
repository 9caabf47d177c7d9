"""Every baseline labels gold's usages without their contexts, with weights as documented."""

import dataclasses
import math
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from polyseme import parts
from polyseme.baselines import RandomClusters
from polyseme.errors import InputError
from polyseme.inventory import Inventory, Sense
from polyseme.labelling import Labelling
from polyseme.usage import Usage
from rules import check_every
from strategies import labellings

Labels = dict[str, float]


def has_rank_weights(labels: Labels) -> bool:
    """The i-th of n senses weighs (n − i + 1) / Σk."""
    n = len(labels)
    return list(labels.values()) == pytest.approx([2 * (n - i) / (n * (n + 1)) for i in range(n)])


WEIGHTS: dict[str, Callable[[Labels, str, Sequence[str]], bool]] = {
    "OneCluster": lambda labels, _usage, _senses: list(labels.values()) == [1.0],
    "OneClusterEach": lambda labels, usage, _senses: labels == {usage: 1.0},
    "RandomClusters": lambda labels, _usage, _senses: list(labels.values()) == [1.0],
    "MFS": lambda labels, _usage, senses: labels == {senses[0]: 1.0},
    "RS": lambda labels, _usage, senses: list(labels.values()) == [1.0] and set(labels) <= set(senses),
    "ASF": lambda labels, _usage, senses: has_rank_weights(labels) and list(labels) == list(senses),
    "ASR": lambda labels, _usage, senses: has_rank_weights(labels) and sorted(labels) == sorted(senses),
    "ASE": lambda labels, _usage, senses: labels == pytest.approx(dict.fromkeys(senses, 1 / len(senses))),
    "RSM": lambda labels, _usage, senses: has_rank_weights(labels) and set(labels) <= set(senses),
    "AllSenses": lambda labels, _usage, senses: labels == dict.fromkeys(senses, 1.0),
    "SemCorMFS": lambda labels, _usage, _senses: labels == {"rare": 1.0},
    "SemCorRanked": lambda labels, _usage, _senses: labels == {"rare": 1.0, "usual": 2 / 3, "other": 1 / 3},
    "Synonyms": lambda labels, _usage, _senses: (
        labels == {"word of rare": 1.0, "word of usual": 0.5, "word of other": 1 / 3}
    ),
}
"""Whether the labels of a usage are those of the baseline; senses are the most frequent first."""

NEEDS_DICTIONARY = ("SemCorMFS", "SemCorRanked", "Synonyms")
"""Those that do not work without one."""

UNNORMALISED = ("AllSenses", "SemCorRanked", "Synonyms")
"""Those whose weights do not sum to 1."""

BASELINES: list[Any] = [part() for part in parts.parts_by_name().values() if part.kind == "baseline"]
STOCHASTIC = [baseline for baseline in BASELINES if hasattr(baseline, "seed")]
few_examples = settings(max_examples=30, deadline=None)

INVENTORY = Inventory(
    Sense(sense, lemma, frequency=frequency, synonyms=(f"word of {sense}",))
    for lemma in ("add.v", "cat.n", "win.v")
    for sense, frequency in (("rare", 1.0), ("usual", 9.0), ("other", 3.0))
)


def test_every_baseline_is_classified() -> None:
    assert {type(baseline).__name__ for baseline in BASELINES} == set(WEIGHTS)


def test_a_baseline_is_a_value() -> None:
    def check(baseline: Any) -> None:
        assert parts.build(repr(baseline), "baseline") == baseline
        assert hash(parts.build(repr(baseline))) == hash(baseline)
        with pytest.raises(dataclasses.FrozenInstanceError):
            baseline.kind = "measure"

    check_every(BASELINES, check)


def label_gold(baseline: Any, gold: Labelling) -> list[Labelling]:
    """Label with an inventory, and without one if that is allowed."""
    without = [] if type(baseline).__name__ in NEEDS_DICTIONARY else [baseline(gold)]
    return [baseline(gold, INVENTORY), *without]


@few_examples
@given(gold=labellings())
def test_the_usages_of_gold_are_labelled(gold: Labelling) -> None:
    def check(baseline: Any) -> None:
        for labelling in label_gold(baseline, gold):
            assert [(lemma, usage) for lemma, usage, _ in labelling.rows()] == [
                (lemma, usage) for lemma, usage, _ in gold.rows()
            ]
            if type(baseline).__name__ not in UNNORMALISED:
                assert all(math.isclose(sum(senses.values()), 1.0) for senses in labelling.values())

    check_every(BASELINES, check)


@few_examples
@given(gold=labellings())
def test_weights_are_as_documented(gold: Labelling) -> None:
    def check(baseline: Any) -> None:
        weighs = WEIGHTS[type(baseline).__name__]
        for usage, labels in baseline(gold, INVENTORY).items():
            assert weighs(labels, usage, ("usual", "other", "rare"))
        if type(baseline).__name__ in NEEDS_DICTIONARY:
            return
        observed = Inventory.from_labelling(gold)
        for lemma, usage, labels in baseline(gold).rows():
            assert weighs(labels, usage, [sense.id for sense in observed[lemma]])

    check_every(BASELINES, check)


@few_examples
@given(gold=labellings(), other=st.sampled_from(["a", "z"]))
def test_labels_depend_on_usages_and_lemmas_only(gold: Labelling, other: str) -> None:
    """With an inventory, gold's senses and weights do not matter."""

    def check(baseline: Any) -> None:
        changed = Labelling((lemma, usage, {other: 1.0}) for lemma, usage, _ in gold.rows())
        assert baseline(gold, INVENTORY) == baseline(changed, INVENTORY)

    check_every(BASELINES, check)


@few_examples
@given(gold=labellings())
def test_labels_are_the_same_every_time(gold: Labelling) -> None:
    def check(baseline: Any) -> None:
        assert label_gold(baseline, gold) == label_gold(baseline, gold) == label_gold(parts.build(repr(baseline)), gold)

    check_every(BASELINES, check)


@few_examples
@given(gold=labellings())
def test_usages_can_replace_gold(gold: Labelling) -> None:
    def check(baseline: Any) -> None:
        usages = [Usage(usage, lemma, "", 0, 0) for lemma, usage, _ in gold.rows()]
        assert baseline(usages, INVENTORY) == baseline(gold, INVENTORY)

    check_every(BASELINES, check)


def test_usages_without_labels_need_an_inventory() -> None:
    def check(baseline: Any) -> None:
        usages = [Usage("win.v.1", "win.v", "We won.", 3, 6)]
        if "Cluster" in type(baseline).__name__:
            assert list(baseline(usages)) == ["win.v.1"]
        else:
            with pytest.raises(InputError, match="inventory"):
                baseline(usages)

    check_every(BASELINES, check)


def test_another_seed_gives_another_answer() -> None:
    def check(baseline: Any) -> None:
        gold = Labelling.hard([f"x.{number}" for number in range(50)], list("abcde" * 10), lemma="x")
        labellings_by_seed = [dataclasses.replace(baseline, seed=seed)(gold) for seed in range(4)]
        assert all(labellings_by_seed[a] != labellings_by_seed[b] for a in range(4) for b in range(a))

    check_every(STOCHASTIC, check)


def test_random_clusters_are_evenly_filled_and_apart_by_lemma() -> None:
    gold = Labelling((lemma, f"{lemma}.{number}", {"a": 1.0}) for lemma in ("x", "y") for number in range(2000))
    labelling = parts.build("RandomClusters(clusters=4, seed=7)")(gold)
    assert len(labelling.columns) == 8
    assert all(400 < count < 600 for count in labelling.column_counts().tolist())


def test_the_number_of_random_senses_is_uniform() -> None:
    gold = Labelling.hard([f"x.{number}" for number in range(3000)], list("abcde" * 600), lemma="x")
    sizes = parts.build("RSM(seed=1)")(gold).sizes.tolist()
    assert all(500 < sizes.count(size) < 700 for size in range(1, 6))


def test_a_lemma_without_senses_stays_unlabelled() -> None:
    gold = Labelling([("add.v", "u1", {"a": 1.0}), ("new.n", "u2", {"a": 1.0})])
    for name in ("MFS", "RS", "ASF", "ASR", "ASE", "RSM", "AllSenses", "SemCorMFS", "SemCorRanked", "Synonyms"):
        assert list(parts.build(name)(gold, INVENTORY)) == ["u1"]


def test_random_clusters_can_be_as_many_as_senses() -> None:
    gold = Labelling.hard([f"x.{number}" for number in range(60)], list("abc") * 20, lemma="x")
    assert len(RandomClusters(None)(gold).columns) == 3
    with pytest.raises(InputError, match="from 1 to 1000"):
        RandomClusters(0)(gold)


def test_random_senses_can_have_equal_weights() -> None:
    gold = Labelling.hard([f"x.{number}" for number in range(200)], list("abcde" * 40), lemma="x")
    labelling = parts.build("RSM(seed=1, equal=True)")(gold)
    assert all(labels == pytest.approx(dict.fromkeys(labels, 1 / len(labels))) for labels in labelling.values())
    assert len({len(labels) for labels in labelling.values()}) == 5
