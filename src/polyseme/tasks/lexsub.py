"""The protocol of SemEval-2007 Task 10, lexical substitution: which usages count, and what is measured on them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from polyseme.baselines import ASE, ASF, Baseline
from polyseme.errors import InputError
from polyseme.labelling import Labelling
from polyseme.measures.alignment import check_and_order
from polyseme.measures.lexical_substitution import BestGuess, GeneralisedAveragePrecision, OutOfTen, PrecisionAt
from polyseme.measures.protocol import Measure
from polyseme.tasks.result import TaskResult

PROPER_NAME = "pn"
"""What annotators wrote where the target is part of a proper name; it is no substitute."""

MINIMUM_RESPONSES = 2
"""Fewer responses than this say too little of a usage to score it."""

SUBSTITUTE_BASELINES: dict[str, tuple[Baseline, ...]] = {"ASF": (ASF(),), "ASE": (ASE(),)}
"""Gold's own substitutes of the lemma, whatever the context: the most frequent first; all alike, a random ranking."""


def lexsub(gold: Labelling, system: Labelling) -> TaskResult:
    """SemEval-2007 Task 10: *best*, *oot*, both also against the mode; GAP, P@1 and P@3.

    Scored are the usages of :func:`scored_usages`. GAP ranks the candidates of the lemma that are one word, as is usual
    since single-word models cannot rank the others; a usage whose gold substitutes are all expressions is left out of
    it. GAP, P@1 and P@3 are means over all usages, of which an unlabelled one counts 0.
    (McCarthy & Navigli 2007; Kishida 2005; Thater, Fürstenau & Pinkal 2010)

    Args:
        gold: Substitutes with the number of annotators who gave each.
        system: Substitutes, a better one with a greater weight. The guesses of *best* are the heaviest ones: those of
            equal weight, as a file for *best* has them, share the credit. If it is ``ordered``, other measures rank
            substitutes as they are listed.

    Raises:
        polyseme.errors.InputError: If gold has no usage with two responses, or shares none with the system.

    >>> gold = Labelling.from_dict({"u1": {"clever": 3, "smart": 1}, "u2": {"shiny": 2, "lit up": 1}}, lemma="bright.a")
    >>> system = Labelling.from_dict({"u1": {"clever": 0.7, "shiny": 0.3}, "u2": {"clever": 1}}, lemma="bright.a")
    >>> {name: round(value, 3) for name, value in lexsub(gold, system).figures().items() if "." not in name}
    {'gap': 0.642, 'p_at_1': 0.5, 'p_at_3': 0.167}
    """
    gold, system = check_and_order(gold, system)
    gold = select_scored_usages(gold)
    ranked = _by_rank(system) if system.ordered else system
    official: dict[str, Measure] = {
        "best_mode": BestGuess(mode=True),
        "oot": OutOfTen(),
        "oot_mode": OutOfTen(mode=True),
    }
    means: dict[str, Measure] = {"p_at_1": PrecisionAt(1), "p_at_3": PrecisionAt(3)}
    gap = GeneralisedAveragePrecision()(_filtered(gold, lambda name: " " not in name), ranked)
    return TaskResult(
        {"best": BestGuess()(gold, system)}
        | {name: measure(gold, ranked) for name, measure in official.items()}
        | {"gap": gap.only("recall")}
        | {name: measure(gold, ranked).only("recall") for name, measure in means.items()}
    )


def _by_rank(system: Labelling) -> Labelling:
    """The same substitutes, the i-th of a usage with the weight 1/i."""
    first = np.repeat(system.indptr[:-1], system.sizes)
    return system.with_weights(1 / (np.arange(len(system.weights)) - first + 1))


def select_scored_usages(gold: Labelling) -> Labelling:
    """The usages of a gold labelling with at least two responses that are no proper names, and these responses.

    >>> counts = {"u1": {"clever": 1, "smart": 1}, "u2": {"clever": 1}, "u3": {"clever": 1, "pn": 4}}
    >>> list(select_scored_usages(Labelling.from_dict(counts, lemma="bright.a")))
    ['u1']
    """
    words = _filtered(gold, lambda name: name != PROPER_NAME)
    enough = words.restrict(usage for usage, counts in words.items() if sum(counts.values()) >= MINIMUM_RESPONSES)
    if not len(enough):
        problem = f"no usage of the gold key has {MINIMUM_RESPONSES} responses"
        raise InputError(f"{problem}; gold holds how many annotators gave each substitute, as 'clever 3;smart 1;'")
    return enough


def _filtered(gold: Labelling, is_kept: Callable[[str], bool]) -> Labelling:
    """A labelling with some substitutes only; usages that have none left are left out."""
    rows = (
        (lemma, usage, {name: count for name, count in counts.items() if is_kept(name)})
        for lemma, usage, counts in gold.rows()
    )
    return Labelling(row for row in rows if row[2])
