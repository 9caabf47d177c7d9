"""Trying an inducer's grid of options: chosen on some lemmas, tested on others.

Options are shared by all lemmas, and a mapping is learnt lemma by lemma; so folds are of lemmas. The options for a fold
are those that do best, by the criterion, on the lemmas of the other folds: what is reported for its own lemmas was
never looked at before.

The criterion is a figure of the task, or the product of several: ``perception`` alone favours options with which hardly
any usage is labelled, and ``perception*recall`` does not. Where it is undefined, as for lemmas of which no usage is
labelled, that is worse than any number.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from itertools import product
from math import nan, prod
from typing import Any, NamedTuple

import numpy as np

from polyseme.corpus.analysers import as_analyser
from polyseme.corpus.content_words import select_content_words
from polyseme.corpus.context_bags import ContextBags, read_context_bags
from polyseme.corpus.cooccurrence import count_contexts_by_word
from polyseme.corpus.index import Index
from polyseme.corpus.windows import Window
from polyseme.errors import InputError, TooLittleData, count_noun
from polyseme.experiments.induction import count_labels
from polyseme.experiments.scoring import NothingMappedError, Scorer
from polyseme.induction.graph_induction import rank_senses
from polyseme.induction.model import SenseModel
from polyseme.induction.usage_sources import match_lemmas
from polyseme.inventory import Inventory, Sense
from polyseme.labelling import Labelling
from polyseme.tasks.result import TaskResult
from polyseme.usage import Usage

COUNTS = ("clusters", "senses")
"""Figures of which more is not better."""


class GridTrial(NamedTuple):
    """An inducer of the grid: the criterion over all lemmas, and over those of each fold; and what it labels."""

    inducer: Any
    overall: float
    by_fold: tuple[float, ...]
    facts: Mapping[str, float]


class GridSearch(NamedTuple):
    """All that were tried, the best over all; and for each fold the one chosen on the others, and its value there."""

    tried: tuple[GridTrial, ...]
    best: GridTrial
    folds: tuple[tuple[str, ...], ...]
    choices: tuple[tuple[Any, float], ...]

    @property
    def held_out(self) -> float:
        """The mean over folds, by how many lemmas each has; 0 where what was chosen on the others is undefined.

        So it is if the options label no usage of the fold's lemmas: they were of no use there.
        """
        sizes = [len(fold) for fold in self.folds]
        values = [0.0 if np.isnan(value) else value for _, value in self.choices]
        return float(np.average(values, weights=sizes))


def get_grid(inducer: Any, grid: Mapping[str, Sequence[Any]] | None = None) -> dict[str, Sequence[Any]]:
    """The options that are tried: those given, or those of the paper."""
    return dict(getattr(inducer, "grid", {}) if grid is None else grid)


def list_variants(inducer: Any, grid: Mapping[str, Sequence[Any]] | None = None) -> list[Any]:
    """The inducer with each combination of the options of its grid.

    >>> from polyseme.induction.link import Link
    >>> [each.tau for each in list_variants(Link(), {"tau": (400.0, 500.0)})]
    [400.0, 500.0]
    """
    chosen = get_grid(inducer, grid)
    known = {option.name for option in fields(inducer)}
    if wrong := [name for name in chosen if name not in known]:
        raise InputError(
            f"{type(inducer).__name__} has no option {', '.join(wrong)}; it has {', '.join(sorted(known))}"
        )
    return [replace(inducer, **dict(zip(chosen, values, strict=True))) for values in product(*chosen.values())]


def search_grid(
    inducer: Any,
    index: Index,
    usages: Sequence[Usage],
    gold: Labelling,
    score: Scorer,
    criterion: str,
    *,
    grid: Mapping[str, Sequence[Any]] | None = None,
    folds: int = 5,
    show: Callable[[int, int], object] = lambda *_: None,
) -> GridSearch:
    """Try all variants; ``criterion`` names a figure of what ``score`` gives, of which more is better, or a product.

    Of gold, what is not of the usages is left out.
    """
    if not hasattr(inducer, "weigh"):
        problem = f"{type(inducer).__name__} cannot be tried in a grid"
        raise InputError(f"{problem}; those can that gather, induce and weigh words, such as Squares")
    every = list_variants(inducer, grid)
    chosen = get_grid(inducer, grid)
    gold = gold.restrict(usage.id for usage in usages)
    names = _figures(criterion, score(gold, gold))
    parts = split_into_folds(gold.lemmas, folds)
    tried = []
    for done, (variant, labelling) in enumerate(label_variants(every, index, usages, chosen), start=1):
        tried.append(_tried(variant, labelling, gold, score, names, parts))
        show(done, len(every))
    choices = [_choice(tried, at, [len(part) for part in parts]) for at in range(len(parts))]
    best = max(tried, key=lambda each: -np.inf if np.isnan(each.overall) else each.overall)
    return GridSearch(tuple(tried), best, tuple(parts), tuple(choices))


def split_into_folds(lemmas: Sequence[str], folds: int) -> list[tuple[str, ...]]:
    """The lemmas, dealt out in turn; never more folds than lemmas.

    >>> split_into_folds(["a", "b", "c"], 2)
    [('a', 'c'), ('b',)]
    """
    count = min(folds, len(lemmas))
    if count < 2:
        given = f"{count_noun(len(lemmas), 'lemma')} and {count_noun(folds, 'fold')}"
        raise InputError(f"a grid needs two folds of lemmas or more; {given} were given")
    return [tuple(lemmas[start::count]) for start in range(count)]


def label_variants(
    every: Sequence[Any], index: Index, usages: Sequence[Usage], grid: Mapping[str, Sequence[Any]]
) -> Iterator[tuple[Any, Labelling]]:
    """How the model of each variant of a grid labels the usages; what several have in common is counted once."""
    lemmas, analysed_by = list(dict.fromkeys(usage.lemma for usage in usages)), str(index.manifest["analyser"])
    called, _ = match_lemmas(index, lemmas)
    given = read_context_bags([usage for usage in usages if usage.lemma in called], as_analyser(analysed_by))
    words = list(dict.fromkeys(called.values()))
    needs = [_gathering(each, every[0], grid) for each in every]
    gathered = _Shared(lambda inducer: inducer.gather(index, words), needs)
    around = _Shared(lambda window: _contexts(index, words, window), [each.context for each in every])
    for variant, need in zip(every, needs, strict=True):
        material, contexts = gathered[need], around[variant.context]
        senses = [
            sense
            for lemma, word in called.items()
            for sense in _senses(variant, lemma, word, material[word], contexts[word])
        ]
        yield variant, SenseModel(variant, analysed_by, Inventory(senses)).label_bags(given)


def _gathering(variant: Any, like: Any, grid: Mapping[str, Sequence[Any]]) -> Any:
    """The inducer that gathers what a variant needs: the same one for all that can do with the same.

    It has the variant's options, loosened as it says, as far as gathering depends on them: on all, unless the inducer
    says on which (``gathered_by``). The others are those of another variant.
    """
    loosest = variant.loosest(grid) if hasattr(variant, "loosest") else variant
    needed = getattr(variant, "gathered_by", [option.name for option in fields(variant)])
    return replace(like, **{name: getattr(loosest, name) for name in needed})


class _Shared:
    """What is made of keys, each of which is asked for as often as it is given; kept as long as it is needed."""

    def __init__(self, make: Callable[[Any], Any], keys: Sequence[Any]) -> None:
        self._make, self._left = make, Counter(keys)
        self._made: dict[Any, Any] = {}

    def __getitem__(self, key: Any) -> Any:
        self._left[key] -= 1
        found = self._made.pop(key) if key in self._made else self._make(key)
        if self._left[key]:
            self._made[key] = found
        return found


def _contexts(index: Index, words: Sequence[str], window: Window) -> dict[str, ContextBags]:
    """The contexts of words in the corpus, by which their senses are ordered."""
    found = count_contexts_by_word(index, words, window, select_content_words(index.vocabulary))
    return {word: ContextBags.from_contexts(each) for word, each in found.items()}


def _senses(inducer: Any, lemma: str, word: str, material: Any, contexts: ContextBags) -> list[Sense]:
    """The senses of a lemma, named as those of a model that is written."""
    try:
        induced = inducer.induce(word, material)
    except TooLittleData:
        induced = []
    found = rank_senses(inducer, induced, contexts).senses if induced else []
    return [Sense(f"{lemma}.s{at}", lemma, features=tuple(each.items())) for at, each in enumerate(found, start=1)]


def _figures(criterion: str, result: TaskResult) -> tuple[str, ...]:
    """The figures that a criterion is made of; each must be one that some lemmas have by themselves, and no count."""
    there = [name for name in result.figures() if name not in (*result.extra, *COUNTS)]
    names = tuple(name.strip() for name in criterion.split("*"))
    for name in names:
        if name not in there:
            raise InputError(f"there is no figure {name!r} to choose by; there are {', '.join(there)}")
    return names


def _value(result: TaskResult, names: Sequence[str]) -> float:
    """The product of some figures."""
    figures = result.figures()
    return prod(figures[name] for name in names)


def _tried(
    inducer: Any,
    labelling: Labelling,
    gold: Labelling,
    score: Scorer,
    names: Sequence[str],
    parts: Sequence[tuple[str, ...]],
) -> GridTrial:
    about = count_labels(gold, labelling)
    nothing = GridTrial(inducer, nan, (nan,) * len(parts), about)
    if not about["labelled"]:
        return nothing
    try:
        result = score(gold, labelling)
    except NothingMappedError:
        return nothing
    groups = {str(at): part for at, part in enumerate(parts)}
    by_fold = tuple(_value(each, names) for each in result.by_lemmas(groups).values())
    return GridTrial(inducer, _value(result, names), by_fold, about)


def _choice(tried: Sequence[GridTrial], test: int, sizes: Sequence[int]) -> tuple[Any, float]:
    """What does best on all folds but one, and how it does on that one.

    First, what is defined for most lemmas there; of these, what is best on the mean.
    """
    weights = np.array([size if at != test else 0 for at, size in enumerate(sizes)], float)

    def elsewhere(each: GridTrial) -> tuple[float, float]:
        defined = weights * ~np.isnan(each.by_fold)
        return float(defined.sum()), float(defined @ np.nan_to_num(each.by_fold))

    best = max(tried, key=elsewhere)
    return best.inducer, best.by_fold[test]
