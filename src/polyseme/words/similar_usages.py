"""Other usages like one."""

from __future__ import annotations

import numpy as np

from polyseme.errors import InputError, quote_value
from polyseme.usage import Usage
from polyseme.words.contexts import context_vectors
from polyseme.words.profile import WordProfile


def find_similar_usages(portrait: WordProfile, usage: str, count: int = 10) -> list[tuple[Usage, float]]:
    """The usages most like one, with how like it they are, from 0 to 1.

    That is the mean of two likenesses: the cosine of the contexts' tf-idf vectors, and Σ √(v w) over the senses'
    weights, the coefficient of Bhattacharyya, which is 1 where the weights are the same.
    """
    names = [each.id for each in portrait.usages]
    if usage not in names:
        raise InputError(f"there is no usage {quote_value(usage)} of {portrait.lemma} here")
    row = names.index(usage)
    vectors = context_vectors(portrait.usages)
    contexts = np.asarray((vectors @ vectors[[row]].T).todense()).ravel()
    senses = np.sqrt(portrait.weights) @ np.sqrt(portrait.weights[row])
    likeness = np.clip((contexts + senses) / 2, 0.0, 1.0)
    found: list[tuple[Usage, float]] = []
    seen = {portrait.usages[row].text}
    for at in np.argsort(-likeness, kind="stable").tolist():
        if portrait.usages[at].text not in seen and len(found) < count:
            seen.add(portrait.usages[at].text)
            found.append((portrait.usages[at], float(likeness[at])))
    return found
