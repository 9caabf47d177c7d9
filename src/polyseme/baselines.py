"""What a system must beat: labellings that know nothing of the context.

A baseline is called with usages, or with the gold labelling, from which it takes only the usages and their lemmas; and
with an inventory of senses, as WordNet is. Without one it uses the senses that the gold labelling shows, most frequent
first. Random ones take a seed and give the same answer for it every time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Protocol

import numpy as np

from polyseme.errors import InputError
from polyseme.inventory import Inventory, Sense
from polyseme.labelling import Labelling
from polyseme.tasks.result import TaskResult
from polyseme.usage import Usage

Senses = Sequence[str]
Usages = Labelling | Iterable[Usage]


class Baseline(Protocol):
    """What labels usages without looking at them."""

    def __call__(self, usages: Usages, inventory: Inventory | None = None) -> Labelling:
        """Label the usages."""
        ...


def _units(usages: Usages) -> list[tuple[str, str]]:
    """Lemma and name of each usage."""
    if isinstance(usages, Labelling):
        return list(zip(usages.usage_lemmas, usages.usages, strict=True))
    return [(usage.lemma, usage.id) for usage in usages]


def rank_weights(senses: Senses) -> dict[str, float]:
    """Weights for n ranked senses: (n − i + 1) / Σk for the i-th. (Jurgens 2012, §5.3)

    >>> rank_weights(["a", "b"])
    {'a': 0.6666666666666666, 'b': 0.3333333333333333}
    """
    n = len(senses)
    total = n * (n + 1) / 2
    return {sense: (n - place) / total for place, sense in enumerate(senses)}


def equal_weights(senses: Senses) -> dict[str, float]:
    """The same weight for each sense, 1 in all."""
    return {sense: 1 / len(senses) for sense in senses}


def _from_senses(
    usages: Usages, inventory: Inventory | None, choose: Callable[[Senses], dict[str, float]]
) -> Labelling:
    """Label each usage with what ``choose`` makes of its lemma's senses, most frequent first."""
    senses = _given(usages, inventory)
    return _ordered(usages, senses, senses.by_frequency, choose)


def _ordered(
    usages: Usages,
    inventory: Inventory,
    order: Callable[[str], Sequence[Sense]],
    choose: Callable[[Senses], dict[str, float]],
) -> Labelling:
    """The same for senses in any order."""
    units = _units(usages)
    lemmas = dict.fromkeys(lemma for lemma, _ in units)
    names = {lemma: [sense.id for sense in order(lemma)] for lemma in lemmas if lemma in inventory}
    return Labelling((lemma, usage, choose(names.get(lemma, []))) for lemma, usage in units)


def _first(senses: Senses) -> dict[str, float]:
    return dict.fromkeys(senses[:1], 1.0)


def _random(baseline: RandomClusters | RS | ASR | RSM) -> np.random.Generator:
    if baseline.seed < 0:
        raise InputError(f"{baseline!r}: a seed is 0 or more")
    return np.random.default_rng(baseline.seed)


def _given(usages: Usages, inventory: Inventory | None) -> Inventory:
    if inventory is not None:
        return inventory
    if isinstance(usages, Labelling):
        return Inventory.observed(usages)
    raise InputError("usages without labels show no senses: give an inventory too, as polyseme.wordnet.load() is one")


def _dictionary(baseline: object, inventory: Inventory | None) -> Inventory:
    if inventory is None:
        raise InputError(f"{baseline!r} needs a dictionary: give an inventory, as polyseme.wordnet.load() is one")
    return inventory


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
        return Labelling((lemma, usage, {f"{lemma}.one": 1.0}) for lemma, usage in _units(usages))


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
        return Labelling((lemma, usage, {usage: 1.0}) for lemma, usage in _units(usages))


@dataclass(frozen=True)
class RandomClusters:
    """Each usage in one of a few clusters at random; SemEval-2010 used 4, and the mean of 5 runs.

    With ``clusters=None`` a lemma has as many as it has senses; SemEval-2013 used that, 2 and 3. (Manandhar et al.
    2010, §4; Jurgens & Klapaftis 2013)

    >>> gold = Labelling.hard([f"x.{i}" for i in range(8)], list("abababab"), lemma="x")
    >>> RandomClusters(seed=1)(gold) == RandomClusters(seed=1)(gold)
    True
    """

    clusters: int | None = 4
    seed: int = 0
    kind: ClassVar[str] = "baseline"

    def __call__(self, usages: Usages, inventory: Inventory | None = None) -> Labelling:
        """Label the usages."""
        if self.clusters is not None and self.clusters < 1:
            raise InputError(f"{self!r}: there must be at least one cluster")
        units = _units(usages)
        sizes = dict.fromkeys((lemma for lemma, _ in units), self.clusters or 1)
        if self.clusters is None:
            senses = _given(usages, inventory)
            sizes = {lemma: len(senses.get(lemma, ())) or 1 for lemma in sizes}
        drawn = _random(self).random(len(units)).tolist()
        return Labelling(
            (lemma, usage, {f"{lemma}.random.{int(number * sizes[lemma])}": 1.0})
            for (lemma, usage), number in zip(units, drawn, strict=True)
        )


@dataclass(frozen=True)
class MFS:
    """The lemma's most frequent sense. (Jurgens 2012, §5.3; Jurgens & Klapaftis 2013, §3.3)

    >>> gold = Labelling.hard(["x.1", "x.2", "x.3"], list("abb"), lemma="x")
    >>> MFS()(gold)["x.1"]
    {'b': 1.0}
    """

    kind: ClassVar[str] = "baseline"

    def __call__(self, usages: Usages, inventory: Inventory | None = None) -> Labelling:
        """Label the usages."""
        return _from_senses(usages, inventory, _first)


@dataclass(frozen=True)
class RS:
    """A single sense, drawn at random. (Jurgens 2012, §5.3)

    >>> gold = Labelling.hard(["x.1", "x.2"], list("ab"), lemma="x")
    >>> len(RS(seed=3)(gold)["x.1"])
    1
    """

    seed: int = 0
    kind: ClassVar[str] = "baseline"

    def __call__(self, usages: Usages, inventory: Inventory | None = None) -> Labelling:
        """Label the usages."""
        rng = _random(self)
        return _from_senses(
            usages, inventory, lambda senses: {senses[int(rng.integers(len(senses)))]: 1.0} if senses else {}
        )


@dataclass(frozen=True)
class ASF:
    """All senses, ranked by frequency; the i-th of n weighs (n − i + 1) / Σk. (Jurgens 2012, §5.3)

    >>> gold = Labelling.hard(["x.1", "x.2", "x.3"], list("abb"), lemma="x")
    >>> ASF()(gold)["x.1"]
    {'b': 0.6666666666666666, 'a': 0.3333333333333333}
    """

    kind: ClassVar[str] = "baseline"

    def __call__(self, usages: Usages, inventory: Inventory | None = None) -> Labelling:
        """Label the usages."""
        return _from_senses(usages, inventory, rank_weights)


@dataclass(frozen=True)
class ASR:
    """All senses, ranked at random for each usage. (Jurgens 2012, §5.3)

    >>> gold = Labelling.hard(["x.1", "x.2"], list("ab"), lemma="x")
    >>> sorted(ASR(seed=3)(gold)["x.1"])
    ['a', 'b']
    """

    seed: int = 0
    kind: ClassVar[str] = "baseline"

    def __call__(self, usages: Usages, inventory: Inventory | None = None) -> Labelling:
        """Label the usages."""
        rng = _random(self)
        return _from_senses(
            usages, inventory, lambda senses: rank_weights([senses[at] for at in rng.permutation(len(senses))])
        )


@dataclass(frozen=True)
class ASE:
    """All senses, ranked equally. (Jurgens 2012, §5.3)

    >>> gold = Labelling.hard(["x.1", "x.2"], list("ab"), lemma="x")
    >>> ASE()(gold)["x.1"]
    {'a': 0.5, 'b': 0.5}
    """

    kind: ClassVar[str] = "baseline"

    def __call__(self, usages: Usages, inventory: Inventory | None = None) -> Labelling:
        """Label the usages."""
        return _from_senses(usages, inventory, equal_weights)


@dataclass(frozen=True)
class RSM:
    """A random number of senses (1 to all), drawn and ranked at random. (Jurgens 2012, §5.3)

    The paper does not say how the number is drawn; here every number is equally likely. With ``equal`` the senses drawn
    weigh the same, which gives what the paper prints within chance; ranked, as it says, they do not.

    >>> gold = Labelling.hard(["x.1", "x.2"], list("ab"), lemma="x")
    >>> 1 <= len(RSM(seed=3)(gold)["x.1"]) <= 2
    True
    """

    seed: int = 0
    equal: bool = False
    kind: ClassVar[str] = "baseline"

    def __call__(self, usages: Usages, inventory: Inventory | None = None) -> Labelling:
        """Label the usages."""
        rng = _random(self)
        weigh = equal_weights if self.equal else rank_weights

        def some(senses: Senses) -> dict[str, float]:
            order = rng.permutation(len(senses))
            return weigh([senses[at] for at in order[: rng.integers(1, len(senses) + 1)]]) if senses else {}

        return _from_senses(usages, inventory, some)


@dataclass(frozen=True)
class AllSenses:
    """All senses, each applying fully. (Jurgens & Klapaftis 2013, §3.3)

    >>> gold = Labelling.hard(["x.1", "x.2"], list("ab"), lemma="x")
    >>> AllSenses()(gold)["x.1"]
    {'a': 1.0, 'b': 1.0}
    """

    kind: ClassVar[str] = "baseline"

    def __call__(self, usages: Usages, inventory: Inventory | None = None) -> Labelling:
        """Label the usages."""
        return _from_senses(usages, inventory, lambda senses: dict.fromkeys(senses, 1.0))


@dataclass(frozen=True)
class SemCorMFS:
    """The sense that a dictionary puts first; WordNet orders senses by how often they are tagged in SemCor.

    (Jurgens & Klapaftis 2013, §3.3)

    >>> usages = [Usage("win.v.1", "win.v", "We won.", 3, 6)]
    >>> dict(SemCorMFS()(usages, Inventory([Sense("first", "win.v"), Sense("second", "win.v")])))
    {'win.v.1': {'first': 1.0}}
    """

    kind: ClassVar[str] = "baseline"

    def __call__(self, usages: Usages, inventory: Inventory | None = None) -> Labelling:
        """Label the usages."""
        dictionary = _dictionary(self, inventory)
        return _ordered(usages, dictionary, dictionary.__getitem__, _first)


@dataclass(frozen=True)
class SemCorRanked:
    """All senses in a dictionary's order; the i-th of n weighs (n − i + 1) / n. (Jurgens & Klapaftis 2013, §3.3)

    >>> usages = [Usage("win.v.1", "win.v", "We won.", 3, 6)]
    >>> dict(SemCorRanked()(usages, Inventory([Sense("first", "win.v"), Sense("second", "win.v")])))
    {'win.v.1': {'first': 1.0, 'second': 0.5}}
    """

    kind: ClassVar[str] = "baseline"

    def __call__(self, usages: Usages, inventory: Inventory | None = None) -> Labelling:
        """Label the usages."""
        dictionary = _dictionary(self, inventory)
        return _ordered(usages, dictionary, dictionary.__getitem__, _downwards)


@dataclass(frozen=True)
class Synonyms:
    """Substitutes without a look at the context: the synonyms of the lemma's senses in a dictionary's order.

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
        dictionary = _dictionary(self, inventory)

        def synonyms(lemma: str) -> dict[str, float]:
            words = dict.fromkeys(word for sense in dictionary.get(lemma, ()) for word in sense.synonyms)
            return {word: 1 / place for place, word in enumerate(words, start=1)}

        return Labelling((lemma, usage, synonyms(lemma)) for lemma, usage in _units(usages))


def _downwards(senses: Senses) -> dict[str, float]:
    """From 1 down to 1/n in equal steps."""
    return {sense: (len(senses) - place) / len(senses) for place, sense in enumerate(senses)}


CLUSTER_BASELINES: dict[str, tuple[Baseline, ...]] = {
    "one cluster": (OneCluster(),),
    "one cluster each": (OneClusterEach(),),
    "random, 4 clusters (mean of 5)": tuple(RandomClusters(4, seed) for seed in range(5)),
}
"""Baselines whose clusters have no names that mean anything, and the runs of which the mean is taken."""

MOST_FREQUENT_BASELINE: dict[str, tuple[Baseline, ...]] = {"MFS": (MFS(),)}
"""The baseline to beat among those that use gold's own senses."""

SENSE_BASELINES: dict[str, tuple[Baseline, ...]] = {
    **MOST_FREQUENT_BASELINE,
    "RS (mean of 5)": tuple(RS(seed) for seed in range(5)),
    "ASF": (ASF(),),
    "ASR (mean of 5)": tuple(ASR(seed) for seed in range(5)),
    "ASE": (ASE(),),
    "RSM (mean of 5)": tuple(RSM(seed) for seed in range(5)),
}
"""Baselines that use gold's own senses, by their frequency in it."""


def score_baselines(
    gold: Labelling, baselines: Mapping[str, Sequence[Baseline]], protocol: Callable[[Labelling, Labelling], TaskResult]
) -> dict[str, dict[str, float]]:
    """Each baseline under a protocol; of several runs the mean."""
    runs = {name: [protocol(gold, run(gold)).figures() for run in of_name] for name, of_name in baselines.items()}
    return {
        name: {figure: sum(run[figure] for run in each) / len(each) for figure in each[0]}
        for name, each in runs.items()
    }
