"""Every baseline labels gold's usages, knows nothing of their contexts, and weighs as documented."""

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
from strategies import labellings

Labels = dict[str, float]


def ranked(labels: Labels) -> bool:
    """The i-th of n senses weighs (n − i + 1) / Σk."""
    n = len(labels)
    return list(labels.values()) == pytest.approx([2 * (n - i) / (n * (n + 1)) for i in range(n)])


WEIGHTS: dict[str, Callable[[Labels, str, Sequence[str]], bool]] = {
    "OneCluster": lambda labels, _usage, _senses: list(labels.values()) == [1.0],
    "OneClusterEach": lambda labels, usage, _senses: labels == {usage: 1.0},
    "RandomClusters": lambda labels, _usage, _senses: list(labels.values()) == [1.0],
    "MFS": lambda labels, _usage, senses: labels == {senses[0]: 1.0},
    "RS": lambda labels, _usage, senses: list(labels.values()) == [1.0] and set(labels) <= set(senses),
    "ASF": lambda labels, _usage, senses: ranked(labels) and list(labels) == list(senses),
    "ASR": lambda labels, _usage, senses: ranked(labels) and sorted(labels) == sorted(senses),
    "ASE": lambda labels, _usage, senses: labels == pytest.approx(dict.fromkeys(senses, 1 / len(senses))),
    "RSM": lambda labels, _usage, senses: ranked(labels) and set(labels) <= set(senses),
    "AllSenses": lambda labels, _usage, senses: labels == dict.fromkeys(senses, 1.0),
    "SemCorMFS": lambda labels, _usage, _senses: labels == {"rare": 1.0},
    "SemCorRanked": lambda labels, _usage, _senses: labels == {"rare": 1.0, "usual": 2 / 3, "other": 1 / 3},
    "Synonyms": lambda labels, _usage, _senses: (
        labels == {"word of rare": 1.0, "word of usual": 0.5, "word of other": 1 / 3}
    ),
}
"""What each baseline gives a usage whose lemma has these senses, most frequent first, or in the dictionary's order."""

OF_A_DICTIONARY = ("SemCorMFS", "SemCorRanked", "Synonyms")
"""Those that do not work without one."""

UNNORMALISED = ("AllSenses", "SemCorRanked", "Synonyms")
"""Those whose weights do not sum to 1."""

BASELINES: list[Any] = [part() for part in parts.parts_by_name().values() if part.kind == "baseline"]
every_baseline = pytest.mark.parametrize("baseline", BASELINES, ids=repr)
random_baselines = [baseline for baseline in BASELINES if hasattr(baseline, "seed")]
some = settings(max_examples=30, deadline=None)

INVENTORY = Inventory(
    Sense(sense, lemma, frequency=frequency, synonyms=(f"word of {sense}",))
    for lemma in ("add.v", "cat.n", "win.v")
    for sense, frequency in (("rare", 1.0), ("usual", 9.0), ("other", 3.0))
)


def test_every_baseline_is_classified() -> None:
    assert {type(baseline).__name__ for baseline in BASELINES} == set(WEIGHTS)


@every_baseline
def test_a_baseline_is_a_value(baseline: Any) -> None:
    assert parts.build(repr(baseline), "baseline") == baseline
    assert hash(parts.build(repr(baseline))) == hash(baseline)
    with pytest.raises(dataclasses.FrozenInstanceError):
        baseline.kind = "measure"


def answers(baseline: Any, gold: Labelling) -> list[Labelling]:
    """With an inventory, and without one if that is allowed."""
    without = [] if type(baseline).__name__ in OF_A_DICTIONARY else [baseline(gold)]
    return [baseline(gold, INVENTORY), *without]


@every_baseline
@some
@given(gold=labellings())
def test_it_labels_the_usages_of_gold(baseline: Any, gold: Labelling) -> None:
    for found in answers(baseline, gold):
        assert [(lemma, usage) for lemma, usage, _ in found.rows()] == [
            (lemma, usage) for lemma, usage, _ in gold.rows()
        ]
        if type(baseline).__name__ not in UNNORMALISED:
            assert all(math.isclose(sum(senses.values()), 1.0) for senses in found.values())


@every_baseline
@some
@given(gold=labellings())
def test_weights_are_as_documented(baseline: Any, gold: Labelling) -> None:
    weighs = WEIGHTS[type(baseline).__name__]
    for usage, labels in baseline(gold, INVENTORY).items():
        assert weighs(labels, usage, ("usual", "other", "rare"))
    if type(baseline).__name__ in OF_A_DICTIONARY:
        return
    observed = Inventory.observed(gold)
    for lemma, usage, labels in baseline(gold).rows():
        assert weighs(labels, usage, [sense.id for sense in observed[lemma]])


@every_baseline
@some
@given(gold=labellings(), other=st.sampled_from(["a", "z"]))
def test_it_knows_only_usages_and_lemmas(baseline: Any, gold: Labelling, other: str) -> None:
    """With an inventory, gold's senses and weights do not matter."""
    changed = Labelling((lemma, usage, {other: 1.0}) for lemma, usage, _ in gold.rows())
    assert baseline(gold, INVENTORY) == baseline(changed, INVENTORY)


@every_baseline
@some
@given(gold=labellings())
def test_it_is_the_same_every_time(baseline: Any, gold: Labelling) -> None:
    assert answers(baseline, gold) == answers(baseline, gold) == answers(parts.build(repr(baseline)), gold)


@every_baseline
@some
@given(gold=labellings())
def test_usages_do_as_well_as_gold(baseline: Any, gold: Labelling) -> None:
    usages = [Usage(usage, lemma, "", 0, 0) for lemma, usage, _ in gold.rows()]
    assert baseline(usages, INVENTORY) == baseline(gold, INVENTORY)


@every_baseline
def test_senses_must_come_from_somewhere(baseline: Any) -> None:
    usages = [Usage("win.v.1", "win.v", "We won.", 3, 6)]
    if "Cluster" in type(baseline).__name__:
        assert list(baseline(usages)) == ["win.v.1"]
    else:
        with pytest.raises(InputError, match="inventory"):
            baseline(usages)


@pytest.mark.parametrize("baseline", random_baselines, ids=repr)
def test_another_seed_gives_another_answer(baseline: Any) -> None:
    gold = Labelling.hard([f"x.{number}" for number in range(50)], list("abcde" * 10), lemma="x")
    given = [dataclasses.replace(baseline, seed=seed)(gold) for seed in range(4)]
    assert all(given[a] != given[b] for a in range(4) for b in range(a))


def test_random_clusters_are_evenly_filled_and_apart_by_lemma() -> None:
    gold = Labelling((lemma, f"{lemma}.{number}", {"a": 1.0}) for lemma in ("x", "y") for number in range(2000))
    found = parts.build("RandomClusters(clusters=4, seed=7)")(gold)
    assert len(found.columns) == 8
    assert all(400 < count < 600 for count in found.column_counts().tolist())


def test_a_random_number_of_random_senses() -> None:
    gold = Labelling.hard([f"x.{number}" for number in range(3000)], list("abcde" * 600), lemma="x")
    sizes = parts.build("RSM(seed=1)")(gold).sizes.tolist()
    assert all(500 < sizes.count(size) < 700 for size in range(1, 6))


def test_a_lemma_without_senses_stays_unlabelled() -> None:
    gold = Labelling([("add.v", "u1", {"a": 1.0}), ("new.n", "u2", {"a": 1.0})])
    for name in ("MFS", "RS", "ASF", "ASR", "ASE", "RSM", "AllSenses", "SemCorMFS", "SemCorRanked", "Synonyms"):
        assert list(parts.build(name)(gold, INVENTORY)) == ["u1"]


def test_as_many_random_clusters_as_senses() -> None:
    gold = Labelling.hard([f"x.{number}" for number in range(60)], list("abc") * 20, lemma="x")
    assert len(RandomClusters(None)(gold).columns) == 3
    with pytest.raises(InputError, match="at least one cluster"):
        RandomClusters(0)(gold)


def test_random_senses_that_weigh_the_same() -> None:
    gold = Labelling.hard([f"x.{number}" for number in range(200)], list("abcde" * 40), lemma="x")
    found = parts.build("RSM(seed=1, equal=True)")(gold)
    assert all(labels == pytest.approx(dict.fromkeys(labels, 1 / len(labels))) for labels in found.values())
    assert len({len(labels) for labels in found.values()}) == 5
