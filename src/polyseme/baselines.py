"""Baselines: labellings that do not depend on the context.

A baseline is called with usages or a gold labelling, and with an inventory of senses, such as WordNet. Of a gold
labelling it uses only the usages and their lemmas. Without an inventory it also uses the senses of the gold labelling,
most frequent first. Stochastic baselines take a random seed and give the same answer for it every time.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Protocol

import numpy as np

from polyseme.clustering.clusterer import check_number
from polyseme.errors import InputError
from polyseme.inventory import Inventory, Sense
from polyseme.labelling import Labelling
from polyseme.usage import Usage

Usages = Labelling | Iterable[Usage]
Weights = dict[str, float]


class Baseline(Protocol):
    """Labels usages without their contexts."""

    def __call__(self, usages: Usages, inventory: Inventory | None = None) -> Labelling:
        """Label the usages."""
        ...


# -- clusterings ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class OneCluster:
    """All usages of a lemma in one cluster; SemEval-2010 calls it MFS. (Jurgens & Klapaftis 2013, §3.3)

    >>> gold = Labelling.hard(["x.1", "x.2"], list("ab"), lemma="x")
    >>> dict(OneCluster()(gold))
    {'x.1': {'x.one': 1.0}, 'x.2': {'x.one': 1.0}}
    """

    kind: ClassVar[str] = "baseline"

    def __call__(self, usages: Usages, inventory: Inventory | None = None) -> Labelling:
        """Label the usages."""
        return Labelling((lemma, usage, {f"{lemma}.one": 1.0}) for lemma, usage in _list_usages(usages))


@dataclass(frozen=True)
class OneClusterEach:
    """Every usage in a cluster of its own, "1c1inst". (Jurgens & Klapaftis 2013, §3.3; Manandhar et al. 2010)

    >>> gold = Labelling.hard(["x.1", "x.2"], list("ab"), lemma="x")
    >>> dict(OneClusterEach()(gold))
    {'x.1': {'x.1': 1.0}, 'x.2': {'x.2': 1.0}}
    """

    kind: ClassVar[str] = "baseline"

    def __call__(self, usages: Usages, inventory: Inventory | None = None) -> Labelling:
        """Label the usages."""
        return Labelling((lemma, usage, {usage: 1.0}) for lemma, usage in _list_usages(usages))


@dataclass(frozen=True)
class RandomClusters:
    """Each usage in one of a few clusters at random; SemEval-2010 used 4, and the mean of 5 runs.

    Args:
        clusters: The number of clusters of a lemma. ``None``: as many as the lemma has senses; SemEval-2013 used that,
            2 and 3.
        seed: The random seed.

    (Manandhar et al. 2010, §4; Jurgens & Klapaftis 2013)

    >>> gold = Labelling.hard([f"x.{i}" for i in range(8)], list("abababab"), lemma="x")
    >>> RandomClusters(seed=1)(gold) == RandomClusters(seed=1)(gold)
    True
    """

    clusters: int | None = 4
    seed: int = 0
    kind: ClassVar[str] = "baseline"

    def __call__(self, usages: Usages, inventory: Inventory | None = None) -> Labelling:
        """Label the usages."""
        check_number(self, "clusters")
        labelled = _list_usages(usages)
        sizes = dict.fromkeys((lemma for lemma, _ in labelled), self.clusters or 1)
        if self.clusters is None:
            senses = _get_inventory(usages, inventory)
            sizes = {lemma: len(senses.get(lemma, ())) or 1 for lemma in sizes}
        numbers = _make_generator(self, self.seed).random(len(labelled)).tolist()
        return Labelling(
            (lemma, usage, {f"{lemma}.random.{int(number * sizes[lemma])}": 1.0})
            for (lemma, usage), number in zip(labelled, numbers, strict=True)
        )


# -- senses by frequency -------------------------------------------------------------------------------------------


class _SenseBaseline(ABC):
    """A baseline that weighs the senses of a lemma, the most frequent first, for each usage."""

    kind: ClassVar[str] = "baseline"

    @abstractmethod
    def weigh(self, senses: Sequence[str], rng: np.random.Generator) -> Weights:
        """Return the weights of a usage's senses."""

    def list_senses(self, usages: Usages, inventory: Inventory | None) -> Callable[[str], Sequence[Sense]]:
        """Return the function that lists the senses of a lemma."""
        senses = _get_inventory(usages, inventory)
        return lambda lemma: senses.by_frequency(lemma) if lemma in senses else ()

    def __call__(self, usages: Usages, inventory: Inventory | None = None) -> Labelling:
        """Label the usages."""
        rng = _make_generator(self, getattr(self, "seed", 0))
        labelled, list_senses = _list_usages(usages), self.list_senses(usages, inventory)
        names = {lemma: [sense.id for sense in list_senses(lemma)] for lemma in dict(labelled)}
        return Labelling(
            (lemma, usage, self.weigh(names[lemma], rng) if names[lemma] else {}) for lemma, usage in labelled
        )


@dataclass(frozen=True)
class MFS(_SenseBaseline):
    """The lemma's most frequent sense. (Jurgens 2012, §5.3; Jurgens & Klapaftis 2013, §3.3)

    >>> gold = Labelling.hard(["x.1", "x.2", "x.3"], list("abb"), lemma="x")
    >>> MFS()(gold)["x.1"]
    {'b': 1.0}
    """

    def weigh(self, senses: Sequence[str], rng: np.random.Generator) -> Weights:
        """Return the first sense."""
        return {senses[0]: 1.0}


@dataclass(frozen=True)
class RS(_SenseBaseline):
    """A single sense, drawn at random. (Jurgens 2012, §5.3)

    Args:
        seed: The random seed.

    >>> gold = Labelling.hard(["x.1", "x.2"], list("ab"), lemma="x")
    >>> len(RS(seed=3)(gold)["x.1"])
    1
    """

    seed: int = 0

    def weigh(self, senses: Sequence[str], rng: np.random.Generator) -> Weights:
        """Return a random sense."""
        return {senses[int(rng.integers(len(senses)))]: 1.0}


@dataclass(frozen=True)
class ASF(_SenseBaseline):
    """All senses, ranked by frequency; the i-th of n weighs (n − i + 1) / Σk. (Jurgens 2012, §5.3)

    >>> gold = Labelling.hard(["x.1", "x.2", "x.3"], list("abb"), lemma="x")
    >>> ASF()(gold)["x.1"]
    {'b': 0.6666666666666666, 'a': 0.3333333333333333}
    """

    def weigh(self, senses: Sequence[str], rng: np.random.Generator) -> Weights:
        """Return all senses by rank."""
        return rank_weights(senses)


@dataclass(frozen=True)
class ASR(_SenseBaseline):
    """All senses, ranked at random for each usage. (Jurgens 2012, §5.3)

    Args:
        seed: The random seed.

    >>> gold = Labelling.hard(["x.1", "x.2"], list("ab"), lemma="x")
    >>> sorted(ASR(seed=3)(gold)["x.1"])
    ['a', 'b']
    """

    seed: int = 0

    def weigh(self, senses: Sequence[str], rng: np.random.Generator) -> Weights:
        """Return all senses by random ranks."""
        return rank_weights([senses[position] for position in rng.permutation(len(senses))])


@dataclass(frozen=True)
class ASE(_SenseBaseline):
    """All senses, ranked equally. (Jurgens 2012, §5.3)

    >>> gold = Labelling.hard(["x.1", "x.2"], list("ab"), lemma="x")
    >>> ASE()(gold)["x.1"]
    {'a': 0.5, 'b': 0.5}
    """

    def weigh(self, senses: Sequence[str], rng: np.random.Generator) -> Weights:
        """Return all senses with equal shares."""
        return dict.fromkeys(senses, 1 / len(senses))


@dataclass(frozen=True)
class RSM(_SenseBaseline):
    """A random number of senses (1 to all), drawn and ranked at random. (Jurgens 2012, §5.3)

    The paper does not say how the number is drawn; here every number is equally likely.

    Args:
        seed: The random seed.
        equal: Give the drawn senses equal weights. This reproduces the printed figures within chance; ranks, as in the
            paper, do not.

    >>> gold = Labelling.hard(["x.1", "x.2"], list("ab"), lemma="x")
    >>> 1 <= len(RSM(seed=3)(gold)["x.1"]) <= 2
    True
    """

    seed: int = 0
    equal: bool = False

    def weigh(self, senses: Sequence[str], rng: np.random.Generator) -> Weights:
        """Return random senses."""
        order = rng.permutation(len(senses))
        sample = [senses[position] for position in order[: rng.integers(1, len(senses) + 1)]]
        return dict.fromkeys(sample, 1 / len(sample)) if self.equal else rank_weights(sample)


@dataclass(frozen=True)
class AllSenses(_SenseBaseline):
    """All senses, each with weight 1. (Jurgens & Klapaftis 2013, §3.3)

    >>> gold = Labelling.hard(["x.1", "x.2"], list("ab"), lemma="x")
    >>> AllSenses()(gold)["x.1"]
    {'a': 1.0, 'b': 1.0}
    """

    def weigh(self, senses: Sequence[str], rng: np.random.Generator) -> Weights:
        """Return all senses with weight 1."""
        return dict.fromkeys(senses, 1.0)


# -- dictionaries --------------------------------------------------------------------------------------------------


class _DictionaryBaseline(_SenseBaseline):
    """A baseline that weighs the senses of a lemma in the order of a dictionary."""

    def list_senses(self, usages: Usages, inventory: Inventory | None) -> Callable[[str], Sequence[Sense]]:
        """Return the function that lists the senses of a lemma."""
        dictionary = _check_dictionary(self, inventory)
        return lambda lemma: dictionary.get(lemma, ())


@dataclass(frozen=True)
class SemCorMFS(_DictionaryBaseline):
    """The sense that a dictionary puts first; WordNet orders senses by how often they are tagged in SemCor.

    (Jurgens & Klapaftis 2013, §3.3)

    >>> usages = [Usage("win.v.1", "win.v", "We won.", 3, 6)]
    >>> dict(SemCorMFS()(usages, Inventory([Sense("first", "win.v"), Sense("second", "win.v")])))
    {'win.v.1': {'first': 1.0}}
    """

    def weigh(self, senses: Sequence[str], rng: np.random.Generator) -> Weights:
        """Return the first sense."""
        return {senses[0]: 1.0}


@dataclass(frozen=True)
class SemCorRanked(_DictionaryBaseline):
    """All senses in a dictionary's order; the i-th of n weighs (n − i + 1) / n. (Jurgens & Klapaftis 2013, §3.3)

    >>> usages = [Usage("win.v.1", "win.v", "We won.", 3, 6)]
    >>> dict(SemCorRanked()(usages, Inventory([Sense("first", "win.v"), Sense("second", "win.v")])))
    {'win.v.1': {'first': 1.0, 'second': 0.5}}
    """

    def weigh(self, senses: Sequence[str], rng: np.random.Generator) -> Weights:
        """Return all senses, from 1 down to 1/n in equal steps."""
        return {sense: (len(senses) - number) / len(senses) for number, sense in enumerate(senses)}


@dataclass(frozen=True)
class Synonyms:
    """Substitutes chosen without the context: the synonyms of the lemma's senses, in a dictionary's order.

    The i-th weighs 1/i. (After the WordNet baseline of McCarthy & Navigli 2007, §4, which adds hypernyms and related
    words, and orders the words of each step by their frequency in a corpus)

    >>> usages = [Usage("win.v.1", "win.v", "We won.", 3, 6)]
    >>> senses = Sense("a", "win.v", synonyms=("prevail",)), Sense("b", "win.v", synonyms=("gain", "prevail"))
    >>> Synonyms()(usages, Inventory(senses))["win.v.1"]
    {'prevail': 1.0, 'gain': 0.5}
    """

    kind: ClassVar[str] = "baseline"

    def __call__(self, usages: Usages, inventory: Inventory | None = None) -> Labelling:
        """Label the usages."""
        dictionary = _check_dictionary(self, inventory)

        def weigh_synonyms(lemma: str) -> Weights:
            words = dict.fromkeys(word for sense in dictionary.get(lemma, ()) for word in sense.synonyms)
            return {word: 1 / rank for rank, word in enumerate(words, start=1)}

        return Labelling((lemma, usage, weigh_synonyms(lemma)) for lemma, usage in _list_usages(usages))


# -- what they share -----------------------------------------------------------------------------------------------


def rank_weights(senses: Sequence[str]) -> Weights:
    """Return weights for n ranked senses: (n − i + 1) / Σk for the i-th. (Jurgens 2012, §5.3)

    >>> rank_weights(["a", "b"])
    {'a': 0.6666666666666666, 'b': 0.3333333333333333}
    """
    n = len(senses)
    total = n * (n + 1) / 2
    return {sense: (n - rank) / total for rank, sense in enumerate(senses)}


def _list_usages(usages: Usages) -> list[tuple[str, str]]:
    """Return the lemma and identifier of each usage."""
    if isinstance(usages, Labelling):
        return list(zip(usages.usage_lemmas, usages.usages, strict=True))
    return [(usage.lemma, usage.id) for usage in usages]


def _get_inventory(usages: Usages, inventory: Inventory | None) -> Inventory:
    if inventory is not None:
        return inventory
    if isinstance(usages, Labelling):
        return Inventory.from_labelling(usages)
    raise InputError("usages without labels have no senses: give an inventory too, as polyseme.wordnet.load() is one")


def _check_dictionary(baseline: object, inventory: Inventory | None) -> Inventory:
    if inventory is None:
        raise InputError(f"{baseline!r} needs a dictionary: give an inventory, as polyseme.wordnet.load() is one")
    return inventory


def _make_generator(baseline: object, seed: int) -> np.random.Generator:
    if seed < 0:
        raise InputError(f"{baseline!r}: a seed is 0 or more")
    return np.random.default_rng(seed)


CLUSTER_BASELINES: Mapping[str, Sequence[Baseline]] = {
    "one cluster": (OneCluster(),),
    "one cluster each": (OneClusterEach(),),
    "random, 4 clusters (mean of 5)": tuple(RandomClusters(4, seed) for seed in range(5)),
}
"""Baselines whose clusters have arbitrary names, with the runs that are averaged."""

MOST_FREQUENT_BASELINE: Mapping[str, Sequence[Baseline]] = {"MFS": (MFS(),)}
"""The baseline to beat among those that use gold's own senses."""

SENSE_BASELINES: Mapping[str, Sequence[Baseline]] = {
    **MOST_FREQUENT_BASELINE,
    "RS (mean of 5)": tuple(RS(seed) for seed in range(5)),
    "ASF": (ASF(),),
    "ASR (mean of 5)": tuple(ASR(seed) for seed in range(5)),
    "ASE": (ASE(),),
    "RSM (mean of 5)": tuple(RSM(seed) for seed in range(5)),
}
"""Baselines that use gold's own senses, by their frequency in it."""
