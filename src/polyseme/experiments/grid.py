"""Search of an inducer's options: chosen on some lemmas, tested on others.

All lemmas share the options, and a mapping is learnt lemma by lemma; so folds are of lemmas. The options for a fold are
those that do best, by the criterion, on the lemmas of the other folds: the result for its own lemmas is held out.

The criterion is a figure of the task, or the product of several: ``perception`` alone favours options with which hardly
any usage is labelled, and ``perception*recall`` does not. Where it is undefined, as for lemmas without a labelled
usage, it is worse than any number.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from itertools import product
from math import nan, prod
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from polyseme.corpus.analysers import as_analyser
from polyseme.corpus.content_words import select_content_words
from polyseme.corpus.context_bags import ContextBags, read_context_bags
from polyseme.corpus.cooccurrence import count_contexts_by_word
from polyseme.corpus.index import Index
from polyseme.corpus.windows import Window
from polyseme.datasets import load
from polyseme.datasets.opening import open_usages
from polyseme.errors import InputError, TooLittleData, count_noun, quote_value
from polyseme.experiments.plan import INDUCERS
from polyseme.experiments.results import count_labels
from polyseme.formats import read_labelling
from polyseme.induction.graph_induction import rank_senses
from polyseme.induction.model import SenseModel
from polyseme.induction.usage_sources import match_lemmas
from polyseme.inventory import Inventory, Sense
from polyseme.labelling import Labelling
from polyseme.tasks.columns import COUNT_FIGURES, split_figure
from polyseme.tasks.result import TaskResult
from polyseme.tasks.task import LabellingTask, NothingMappedError
from polyseme.usage import Usage

Scorer = Callable[[Labelling, Labelling], TaskResult]
"""Scores (gold, system)."""
Grid = Mapping[str, Sequence[Any]]
"""The values to try of each option."""


class GridTrial(NamedTuple):
    """An inducer of the grid.

    Args:
        inducer: The inducer.
        overall: The criterion over all lemmas.
        by_fold: The criterion over the lemmas of each fold.
        facts: How many usages it labels, with how many senses.
    """

    inducer: Any
    overall: float
    by_fold: tuple[float, ...]
    facts: Mapping[str, float]


class GridSearch(NamedTuple):
    """The result of a search.

    Args:
        trials: All inducers of the grid.
        best: The best over all lemmas.
        folds: The lemmas of each fold.
        choices: For each fold the inducer that is best on the others, and its value on this one.
    """

    trials: tuple[GridTrial, ...]
    best: GridTrial
    folds: tuple[tuple[str, ...], ...]
    choices: tuple[tuple[Any, float], ...]

    @property
    def held_out(self) -> float:
        """The mean over folds, weighted by their numbers of lemmas; an undefined value counts 0.

        A value is undefined if the chosen options label no usage of the fold's lemmas.
        """
        sizes = [len(fold) for fold in self.folds]
        values = [0.0 if np.isnan(value) else value for _, value in self.choices]
        return float(np.average(values, weights=sizes))


def get_grid_task(name: str, mapping: str = "Distribution") -> LabellingTask:
    """Return the task that scores induced senses, by its name.

    >>> get_grid_task("jurgens-2012")
    Jurgens2012(mapping='Distribution')
    """
    tasks = INDUCERS.tasks
    if name not in tasks:
        raise InputError(f"task is {quote_value(name)}; allowed are {', '.join(tasks)}")
    return next(iter(tasks[name].list_variants(INDUCERS.labels, (mapping,)).values()))


def get_grid(inducer: Any, grid: Grid | None = None) -> dict[str, Sequence[Any]]:
    """Return the options to try; by default those of the inducer's paper."""
    return dict(getattr(inducer, "grid", {}) if grid is None else grid)


def expand_grid(inducer: Any, grid: Grid | None = None) -> list[Any]:
    """Return the inducer with each combination of the options of its grid.

    >>> from polyseme.induction.link import Link
    >>> [link.tau for link in expand_grid(Link(), {"tau": (400.0, 500.0)})]
    [400.0, 500.0]
    """
    options = get_grid(inducer, grid)
    names = {option.name for option in fields(inducer)}
    if unknown := [name for name in options if name not in names]:
        problem = f"{type(inducer).__name__} has no option {', '.join(unknown)}"
        raise InputError(f"{problem}; it has {', '.join(sorted(names))}")
    return [replace(inducer, **dict(zip(options, values, strict=True))) for values in product(*options.values())]


def search_grid(
    inducer: Any,
    index: Index,
    usages: Sequence[Usage],
    gold: Labelling,
    score: Scorer,
    criterion: str,
    *,
    grid: Grid | None = None,
    folds: int = 5,
    show: Callable[[int, int], object] = lambda *_: None,
) -> GridSearch:
    """Try all variants of an inducer.

    Args:
        inducer: The inducer.
        index: The corpus.
        usages: The usages to label.
        gold: Their gold labelling; other usages of it are left out.
        score: Scores (gold, system).
        criterion: The figure of the scores to maximise, or a product of figures.
        grid: The options to try; by default those of the inducer's paper.
        folds: The number of folds.
        show: Receives the number of variants that are done, and of all.
    """
    if not hasattr(inducer, "weigh"):
        problem = f"{type(inducer).__name__} cannot be tried in a grid"
        raise InputError(f"{problem}; those can that gather, induce and weigh words, such as Squares")
    variants = expand_grid(inducer, grid)
    gold = gold.restrict(usage.id for usage in usages)
    figures = _parse_criterion(criterion, score(gold, gold))
    parts = split_into_folds(gold.lemmas, folds)
    trials = []
    labellings = label_variants(variants, index, usages, get_grid(inducer, grid))
    for done, (variant, labelling) in enumerate(labellings, start=1):
        trials.append(_score_variant(variant, labelling, gold, score, figures, parts))
        show(done, len(variants))
    choices = [_choose_for_fold(trials, fold, [len(part) for part in parts]) for fold in range(len(parts))]
    best = max(trials, key=lambda trial: -np.inf if np.isnan(trial.overall) else trial.overall)
    return GridSearch(tuple(trials), best, tuple(parts), tuple(choices))


def split_into_folds(lemmas: Sequence[str], folds: int) -> list[tuple[str, ...]]:
    """Deal lemmas out in turn; there are never more folds than lemmas.

    >>> split_into_folds(["a", "b", "c"], 2)
    [('a', 'c'), ('b',)]
    """
    count = min(folds, len(lemmas))
    if count < 2:
        numbers = f"{count_noun(len(lemmas), 'lemma')} and {count_noun(folds, 'fold')}"
        raise InputError(f"a grid needs two folds of lemmas or more; {numbers} were given")
    return [tuple(lemmas[start::count]) for start in range(count)]


def label_variants(
    variants: Sequence[Any], index: Index, usages: Sequence[Usage], grid: Grid
) -> Iterator[tuple[Any, Labelling]]:
    """Yield how each variant labels the usages; material that several variants share is gathered once."""
    analyser = str(index.manifest["analyser"])
    words_by_lemma, _ = match_lemmas(index, list(dict.fromkeys(usage.lemma for usage in usages)))
    bags = read_context_bags([usage for usage in usages if usage.lemma in words_by_lemma], as_analyser(analyser))
    words = list(dict.fromkeys(words_by_lemma.values()))
    gatherers = [_make_gatherer(variant, variants[0], grid) for variant in variants]
    material = _SharedValues(lambda gatherer: gatherer.gather(index, words), gatherers)
    contexts = _SharedValues(
        lambda window: _count_contexts(index, words, window), [variant.context for variant in variants]
    )
    for variant, gatherer in zip(variants, gatherers, strict=True):
        gathered, contexts_by_word = material[gatherer], contexts[variant.context]
        senses = [
            sense
            for lemma, word in words_by_lemma.items()
            for sense in _induce_senses(variant, lemma, word, gathered[word], contexts_by_word[word])
        ]
        yield variant, SenseModel(variant, analyser, Inventory(senses)).label_bags(bags)


def _make_gatherer(variant: Any, first: Any, grid: Grid) -> Any:
    """Return the inducer that gathers the material of a variant: the same one for all that share material.

    It has the variant's options, loosened by ``loosest``, as far as gathering depends on them (``gathered_by``; by
    default on all). The other options are those of the first variant.
    """
    loosest = variant.loosest(grid) if hasattr(variant, "loosest") else variant
    names = getattr(variant, "gathered_by", [option.name for option in fields(variant)])
    return replace(first, **{name: getattr(loosest, name) for name in names})


class _SharedValues:
    """Values by key, computed when they are needed first and dropped after they are needed last.

    Args:
        compute: Computes the value of a key.
        keys: All keys, each as often as its value is needed.
    """

    def __init__(self, compute: Callable[[Any], Any], keys: Sequence[Any]) -> None:
        self._compute, self._uses = compute, Counter(keys)
        self._values: dict[Any, Any] = {}

    def __getitem__(self, key: Any) -> Any:
        self._uses[key] -= 1
        value = self._values.pop(key) if key in self._values else self._compute(key)
        if self._uses[key]:
            self._values[key] = value
        return value


def _count_contexts(index: Index, words: Sequence[str], window: Window) -> dict[str, ContextBags]:
    """Return the contexts of words in the corpus, which order their senses."""
    contexts = count_contexts_by_word(index, words, window, select_content_words(index.vocabulary))
    return {word: ContextBags.from_contexts(rows) for word, rows in contexts.items()}


def _induce_senses(inducer: Any, lemma: str, word: str, material: Any, contexts: ContextBags) -> list[Sense]:
    """Return the senses of a lemma, with the names that a saved model gives them."""
    try:
        induced = inducer.induce(word, material)
    except TooLittleData:
        induced = []
    senses = rank_senses(inducer, induced, contexts).senses if induced else []
    return [
        Sense(f"{lemma}.s{number}", lemma, features=tuple(sense.items()))
        for number, sense in enumerate(senses, start=1)
    ]


def _parse_criterion(criterion: str, result: TaskResult) -> list[str]:
    """Return the figures of a criterion; each must be additive over lemmas, and no count."""
    allowed = [name for name in result.figures() if name not in (*result.extra, *COUNT_FIGURES)]
    names = [name.strip() for name in split_figure(criterion)]
    for name in names:
        if name not in allowed:
            raise InputError(f"there is no figure {name!r} to choose by; there are {', '.join(allowed)}")
    return names


def _score_variant(
    inducer: Any,
    labelling: Labelling,
    gold: Labelling,
    score: Scorer,
    names: Sequence[str],
    folds: Sequence[tuple[str, ...]],
) -> GridTrial:
    facts = count_labels(gold, labelling)
    undefined = GridTrial(inducer, nan, (nan,) * len(folds), facts)
    if not facts["labelled"]:
        return undefined
    try:
        result = score(gold, labelling)
    except NothingMappedError:
        return undefined
    parts = result.by_lemmas({str(number): fold for number, fold in enumerate(folds)})
    overall, *by_fold = (prod(map(part.figures().__getitem__, names)) for part in (result, *parts.values()))
    return GridTrial(inducer, overall, tuple(by_fold), facts)


def _choose_for_fold(trials: Sequence[GridTrial], fold: int, sizes: Sequence[int]) -> tuple[Any, float]:
    """Return the inducer that is best on all folds but one, and its value on that one.

    The best is defined for most lemmas; among equals the mean decides.
    """
    weights = np.array([size if number != fold else 0 for number, size in enumerate(sizes)], float)

    def rank(trial: GridTrial) -> tuple[float, float]:
        defined = weights * ~np.isnan(trial.by_fold)
        return float(defined.sum()), float(defined @ np.nan_to_num(trial.by_fold))

    best = max(trials, key=rank)
    return best.inducer, best.by_fold[fold]


def open_grid_benchmark(task: str, usages: str, gold: Path | None = None) -> tuple[list[Usage], Labelling, Scorer]:
    """Open the usages by which options are chosen, their gold labelling, and how labellings are scored.

    Args:
        task: The name of the task.
        usages: A data set or, with ``gold``, a file or folder of usages.
        gold: The gold labelling of a file.
    """
    protocol = get_grid_task(task)
    if gold is None:
        evaluation_set = protocol.make_evaluation_set(load(usages), lambda lemmas: lemmas)
        answers, score = evaluation_set.gold, evaluation_set.task.score_mapped
    else:
        answers, score = read_labelling(gold), protocol.score_mapped
    labelled = [usage for usage in open_usages(usages) if usage.id in answers]
    if not labelled:
        raise InputError(f"none of its usages is in {gold}; options are chosen by usages with gold", path=usages)
    return labelled, answers, score
