"""How labellings with a dictionary's senses are scored, without mapping, by the name of the task."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from functools import partial

from polyseme.datasets import DataSet
from polyseme.errors import InputWarning
from polyseme.experiments.data import UserFiles
from polyseme.inventory import Inventory
from polyseme.labelling import Labelling
from polyseme.tasks import protocols
from polyseme.tasks.all_words import all_words
from polyseme.tasks.result import TaskResult
from polyseme.tasks.wssim import applicability, score_annotators, wssim

Figures = Mapping[str, float]
Groups = Mapping[str, Collection[str]]
"""Usages under the names of groups."""

SINGLE, SEVERAL = "single", "several"
OFFICIAL = {SINGLE: "all.singlesense", SEVERAL: "all.multisense"}
"""The gold keys of usages with one sense and with several, in the data of SemEval-2013 Task 13."""


@dataclass(frozen=True)
class Scoring:
    """Which usages are scored, and how; ``people`` are the figures of annotators, to stand beside the models'."""

    gold: Labelling
    result: Callable[[Labelling], TaskResult]
    people: Mapping[str, Figures] = field(default_factory=dict)

    def score(self, system: Labelling) -> Figures:
        """The figures of a labelling."""
        return self.result(system).figures()


Wanted = Callable[[Collection[str]], Collection[str]]
"""Of lemmas those that are to be scored."""


def task_13(data: DataSet | UserFiles, wanted: Wanted, _: Inventory) -> Scoring:
    """SemEval-2013 Task 13: all usages, those with a single sense and those with several."""
    gold = _of_lemmas(data.gold, wanted)
    return Scoring(gold, partial(task_13_result, gold, by_number_of_senses(data, gold)))


def task_13_result(gold: Labelling, groups: Groups, system: Labelling) -> TaskResult:
    """The scores of all usages, and of each group.

    Of usages with a single sense the heaviest sense is scored, as in Table 4 of the task: F1 is ``single.jaccard.f1``.
    (Jurgens & Klapaftis 2013)
    """
    found = protocols.semeval_2013(gold, system, mapping=False)
    scores, extra = dict(found.scores), dict(found.extra)
    for name, some in ((name, gold.restrict(usages)) for name, usages in groups.items()):
        if any(usage in some for usage in system):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", InputWarning)  # most usages are in the other group
                part = protocols.semeval_2013(some, system, mapping=False, single_sense=name == SINGLE)
            scores |= {f"{name}.{figure}": each for figure, each in part.scores.items()}
            extra |= {f"{name}.{figure}": value for figure, value in part.extra.items()}
    return replace(found, scores=scores, extra=extra)


def by_number_of_senses(data: DataSet | UserFiles, gold: Labelling) -> dict[str, list[str]]:
    """The usages with a single sense and with several: as the data set has them, or as its gold standard has."""
    if isinstance(data, DataSet) and "golds" in data.entry.contents and set(OFFICIAL.values()) <= set(data.golds):
        return {name: [usage for usage in data.golds[key] if usage in gold] for name, key in OFFICIAL.items()}
    sizes = {usage: sum(weight > 0 for weight in senses.values()) for usage, senses in gold.items()}
    return {
        SINGLE: [usage for usage, size in sizes.items() if size == 1],
        SEVERAL: [usage for usage, size in sizes.items() if size > 1],
    }


def every_word(data: DataSet | UserFiles, wanted: Wanted, _: Inventory) -> Scoring:
    """All words: together, by part of speech, and by the text that usages are of, if their ``meta`` names several."""
    gold = _of_lemmas(data.gold, wanted)
    groups: dict[str, list[str]] = {}
    for usage in data.usages:
        if usage.id in gold:
            groups.setdefault(f"pos.{usage.pos or usage.lemma.rpartition('.')[2]}", []).append(usage.id)
            groups.setdefault(f"sets.{usage.meta.get('source', '')}", []).append(usage.id)
    sets = [name for name in groups if name.startswith("sets.")]
    kept = {name: usages for name, usages in groups.items() if len(sets) > 1 or name not in sets}
    return Scoring(gold, partial(all_words_result, gold, kept))


def all_words_result(gold: Labelling, groups: Groups, system: Labelling) -> TaskResult:
    """Precision, recall and F1 of all usages, and F1 of each group."""
    found = all_words(gold, system)
    parts = {name: part.scores["f1"] for name, part in found.by_usages(groups).items()}
    return replace(found, scores={**found.scores, **parts})


def rated_senses(data: DataSet | UserFiles, wanted: Wanted, dictionary: Inventory) -> Scoring:
    """Graded ratings of senses, with what annotators score themselves; other tasks of the data set are left out."""
    graded = data.ratings.where(lambda row: row.task.lower() == "wssim")
    lemmas = set(wanted(graded.lemmas))
    ratings = graded.where(lambda row: row.lemma in lemmas)
    beside = score_annotators(ratings, dictionary) if len(ratings.annotators) > 1 else {}
    gold = applicability(ratings, dictionary)
    return Scoring(gold, lambda system: wssim(ratings, system, dictionary), beside)


def _of_lemmas(gold: Labelling, wanted: Wanted) -> Labelling:
    lemmas = set(wanted(gold.lemmas))
    return gold.restrict(usage for usage in gold if gold.lemma(usage) in lemmas)


SCORINGS: dict[str, Callable[[DataSet | UserFiles, Wanted, Inventory], Scoring]] = {
    "semeval-2013": task_13,
    "all-words": every_word,
    "wssim": rated_senses,
}
TASKS = tuple(SCORINGS)
