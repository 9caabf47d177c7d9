"""The usages of a word that are most similar to one of them."""

from __future__ import annotations

import numpy as np

from polyseme.errors import InputError, quote_value
from polyseme.usage import Usage
from polyseme.words.contexts import context_vectors
from polyseme.words.profile import WordProfile


def find_similar_usages(profile: WordProfile, usage: str, count: int = 10) -> list[tuple[Usage, float]]:
    """Find the usages most similar to one usage; no two of them have the same text.

    The similarity is the mean of two: the cosine of the contexts' tf-idf vectors, and the Bhattacharyya coefficient of
    the sense weights, Σ √(v w), which is 1 for equal weights.

    Args:
        profile: The word.
        usage: The id of the usage to compare with.
        count: The number of usages to return, at most.

    Returns:
        Usages with their similarity, from 0 to 1, most similar first.

    Raises:
        InputError: The profile has no such usage.
    """
    if usage not in profile.rows:
        raise InputError(f"{profile.lemma} has no usage {quote_value(usage)} here")
    row = profile.rows[usage]
    vectors = context_vectors(profile.usages)
    cosines = np.asarray((vectors @ vectors[[row]].T).todense()).ravel()
    coefficients = np.sqrt(profile.weights) @ np.sqrt(profile.weights[row])
    similarities = np.clip((cosines + coefficients) / 2, 0.0, 1.0)
    similar: dict[str, tuple[Usage, float]] = {}
    for other in np.argsort(-similarities, kind="stable").tolist():
        text = profile.usages[other].text
        if text != profile.usages[row].text and len(similar) < count:
            similar.setdefault(text, (profile.usages[other], float(similarities[other])))
    return list(similar.values())
