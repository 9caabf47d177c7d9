"""Disambiguation of all words of a text, as the unified framework scores it: is the best sense among the gold ones?"""

from __future__ import annotations

import numpy as np

from polyseme.labelling import Labelling
from polyseme.measures.alignment import check_and_order
from polyseme.measures.melamed_resnik import MelamedResnik
from polyseme.tasks.result import TaskResult


def all_words(gold: Labelling, system: Labelling) -> TaskResult:
    """Precision, recall and F1 of each usage's heaviest sense, over all usages together.

    An answer is right if it is any of the gold senses; of equal weights the first listed counts. Precision is the share
    of right answers among the answered usages, recall among all. (Raganato, Camacho-Collados & Navigli 2017)

    >>> gold = Labelling.from_dict({"u1": {"a": 1, "b": 1}, "u2": {"a": 1}, "u3": {"c": 1}}, lemma="x")
    >>> all_words(gold, Labelling.from_dict({"u1": {"b": 0.6, "c": 0.4}, "u2": {"b": 1}}, lemma="x")).figures()
    {'precision': 0.5, 'recall': 0.3333333333333333, 'f1': 0.4}
    """
    gold, system = check_and_order(gold, system)
    best = system.top()
    found = MelamedResnik()(gold, best.with_weights(np.ones(len(best.weights))))
    return TaskResult({figure: found.only(figure) for figure in ("precision", "recall", "f1")})
