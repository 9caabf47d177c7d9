"""SemEval-2007 Task 10: lexical substitution (McCarthy & Navigli 2007)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

import numpy as np

from polyseme.baselines import ASE, ASF
from polyseme.datasets import DataSet
from polyseme.errors import InputError
from polyseme.inventory import Inventory
from polyseme.labelling import Labelling
from polyseme.measures.alignment import check_and_order
from polyseme.measures.lexical_substitution import BestGuess, GeneralisedAveragePrecision, OutOfTen, PrecisionAt
from polyseme.measures.protocol import Measure
from polyseme.tasks.columns import ScoreColumn
from polyseme.tasks.data import EvaluationData, has_content
from polyseme.tasks.result import TaskResult
from polyseme.tasks.task import BaselineGroup, EvaluationSet, LabelKind, LabellingTask, SelectLemmas, restrict_to_lemmas

PROPER_NAME = "pn"
"""The answer of annotators where the target is part of a proper name; it is no substitute."""

MINIMUM_RESPONSES = 2
"""Usages with fewer responses are not scored."""

SUBSTITUTE_BASELINES: BaselineGroup = {"ASF": (ASF(),), "ASE": (ASE(),)}
"""Gold's own substitutes of the lemma, whatever the context: the most frequent first; all with the same weight."""

TEST = "test"
"""The part of a data set whose figures have no prefix."""


@dataclass(frozen=True)
class LexSub(LabellingTask):
    """*best* and *oot*, each also scored against the mode; GAP, P@1 and P@3.

    The usages of :func:`select_scored_usages` are scored. GAP ranks the candidates of the lemma that are one word,
    because single-word models cannot rank the others. A usage whose gold substitutes are all multi-word expressions is
    left out of GAP. GAP, P@1 and P@3 are means over all usages; an unlabelled one counts 0. (McCarthy & Navigli 2007;
    Kishida 2005; Thater, Fürstenau & Pinkal 2010)

    >>> gold = Labelling.from_dict({"u1": {"clever": 3, "smart": 1}, "u2": {"shiny": 2, "lit up": 1}}, lemma="bright.a")
    >>> system = Labelling.from_dict({"u1": {"clever": 0.7, "shiny": 0.3}, "u2": {"clever": 1}}, lemma="bright.a")
    >>> {name: round(value, 3) for name, value in LexSub().score(gold, system).figures().items() if "." not in name}
    {'gap': 0.642, 'p_at_1': 0.5, 'p_at_3': 0.167}
    """

    name: ClassVar[str] = "lexsub"
    labels: ClassVar[tuple[LabelKind, ...]] = ("substitutes",)
    headline: ClassVar[str] = "best.recall"
    columns: ClassVar[tuple[ScoreColumn, ...]] = (
        ScoreColumn("Best", "best.recall"),
        ScoreColumn("Best mode", "best_mode.recall"),
        ScoreColumn("OOT", "oot.recall"),
        ScoreColumn("OOT mode", "oot_mode.recall"),
        ScoreColumn("GAP", "gap"),
        ScoreColumn("P@1", "p_at_1"),
        ScoreColumn("P@3", "p_at_3"),
    )

    def score(self, gold: Labelling, system: Labelling) -> TaskResult:
        """Score substitutes against gold.

        Args:
            gold: Substitutes with the number of annotators who gave each.
            system: Substitutes, a better one with a greater weight. The guesses of *best* are the heaviest ones: those
                of equal weight, as a file for *best* has them, share the credit. If it is ``ordered``, other measures
                rank substitutes as they are listed.

        Raises:
            polyseme.errors.InputError: If gold has no usage with two responses, or shares none with the system.
        """
        gold, system = check_and_order(gold, system)
        gold = select_scored_usages(gold)
        ranked = _weigh_by_rank(system) if system.ordered else system
        official: dict[str, Measure] = {
            "best_mode": BestGuess(mode=True),
            "oot": OutOfTen(),
            "oot_mode": OutOfTen(mode=True),
        }
        means: dict[str, Measure] = {"p_at_1": PrecisionAt(1), "p_at_3": PrecisionAt(3)}
        single_words = _filter_substitutes(gold, lambda name: " " not in name)
        return TaskResult(
            {"best": BestGuess()(gold, system)}
            | {name: measure(gold, ranked) for name, measure in official.items()}
            | {"gap": GeneralisedAveragePrecision()(single_words, ranked).only("recall")}
            | {name: measure(gold, ranked).only("recall") for name, measure in means.items()}
        )

    def baselines(self) -> list[tuple[BaselineGroup, LabellingTask]]:
        """Return baselines that use gold's own substitutes."""
        return [(SUBSTITUTE_BASELINES, self)]

    def make_evaluation_set(
        self, data: EvaluationData, select: SelectLemmas, dictionary: Inventory | None = None
    ) -> EvaluationSet:
        """Return the evaluation set: the test part of a data set, and its other parts under their names."""
        golds = _get_golds(data)
        lemmas = set(select([lemma for gold in golds.values() for lemma in gold.lemmas]))
        golds = {part: restrict_to_lemmas(gold, lambda _: lemmas) for part, gold in golds.items()}
        golds = {part: gold for part, gold in golds.items() if len(gold)}
        return EvaluationSet(
            self,
            next(iter(golds.values())),
            [usage for usage in data.usages if any(usage.id in gold for gold in golds.values())],
            partial(self.score_parts, golds),
            {
                name: [partial(_join, [baseline(gold) for gold in golds.values()])]
                for name, (baseline,) in SUBSTITUTE_BASELINES.items()
            },
            candidates=Inventory.from_labelling(_join(golds.values())),
        )

    def score_parts(self, golds: Mapping[str, Labelling], system: Labelling) -> TaskResult:
        """Score substitutes on the first part, and on the others under their names: ``trial.best``."""
        first = next(iter(golds))
        answers = {part: system.restrict(gold) for part, gold in golds.items()}
        results = {part: self.score(golds[part], answer) for part, answer in answers.items() if len(answer)}
        return TaskResult(
            {
                name if part == first else f"{part}.{name}": scores
                for part, result in results.items()
                for name, scores in result.scores.items()
            }
        )


def _get_golds(data: EvaluationData) -> dict[str, Labelling]:
    """Return the gold of each part of the data, the test part first; a user's files have one part."""
    if not isinstance(data, DataSet):
        return {TEST: data.gold}
    if not has_content(data, "golds") or TEST not in data.golds:
        problem = f"{data.entry.name} has no gold of a part called {TEST!r}"
        raise InputError(f"{problem}, as lexsub has; give usages and gold of your own instead")
    return {TEST: data.golds[TEST], **data.golds}


def _join(labellings: Iterable[Labelling]) -> Labelling:
    return Labelling(row for labelling in labellings for row in labelling.rows())


def _weigh_by_rank(system: Labelling) -> Labelling:
    """Return the same substitutes, the i-th of a usage with the weight 1/i."""
    first = np.repeat(system.indptr[:-1], system.sizes)
    return system.with_weights(1 / (np.arange(len(system.weights)) - first + 1))


def select_scored_usages(gold: Labelling) -> Labelling:
    """Return the usages with at least two responses that are no proper names, and these responses.

    >>> counts = {"u1": {"clever": 1, "smart": 1}, "u2": {"clever": 1}, "u3": {"clever": 1, "pn": 4}}
    >>> list(select_scored_usages(Labelling.from_dict(counts, lemma="bright.a")))
    ['u1']
    """
    words = _filter_substitutes(gold, lambda name: name != PROPER_NAME)
    scored = words.restrict(usage for usage, counts in words.items() if sum(counts.values()) >= MINIMUM_RESPONSES)
    if not len(scored):
        problem = f"no usage of the gold key has {MINIMUM_RESPONSES} responses"
        raise InputError(f"{problem}; gold holds how many annotators gave each substitute, as 'clever 3;smart 1;'")
    return scored


def _filter_substitutes(gold: Labelling, condition: Callable[[str], bool]) -> Labelling:
    """Return the substitutes that meet a condition; usages without any are left out."""
    rows = (
        (lemma, usage, {name: count for name, count in counts.items() if condition(name)})
        for lemma, usage, counts in gold.rows()
    )
    return Labelling(row for row in rows if row[2])
