"""A map of usages: those with similar contexts and senses lie near each other."""

from __future__ import annotations

import numpy as np

from polyseme.arrays import Floats, Ints
from polyseme.words.contexts import context_vectors
from polyseme.words.profile import WordProfile

DIMENSIONS = 30
"""To so many dimensions contexts are reduced before they are laid out."""
SENSES = 1.5
"""How much farther two different senses lie apart than two different contexts."""


def sample_rows(portrait: WordProfile, most: int = 1500, seed: int = 0) -> Ints:
    """The rows of the labelled usages, in order; of so many at most, drawn at random."""
    rows = portrait.labelled
    if len(rows) <= most:
        return rows
    return np.sort(np.random.default_rng(seed).choice(rows, most, replace=False))


def lay_out_usages(portrait: WordProfile, seed: int = 0, most: int = 1500) -> Floats:
    """Places of the usages that :func:`drawn` gives, usages × 2, from −1 to 1: a t-SNE of contexts and weights.

    Contexts are tf-idf vectors, reduced by a singular value decomposition; the weights of the senses, as square roots,
    so that their distance is that of Hellinger, stand beside them. (van der Maaten & Hinton 2008)
    """
    rows = sample_rows(portrait, most, seed)
    if len(rows) < 4:
        return np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])[: len(rows)]
    from sklearn.manifold import TSNE
    from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

    contexts = _reduce_contexts(portrait, rows, seed)
    joined = np.hstack([contexts, SENSES * np.sqrt(portrait.weights[rows])])
    kept = _principal_components(joined)
    perplexity = min(30.0, max(2.0, len(rows) / 8))
    start = kept[:, :2] / max(float(kept[:, 0].std()), 1e-9) * 1e-4
    with threadpool_limits(1):  # more threads that wait for each other can take ten times as long on a busy machine
        found = TSNE(2, perplexity=perplexity, init=start, max_iter=500, random_state=seed).fit_transform(kept)
    return _fit_square(np.asarray(found, float))


def _reduce_contexts(portrait: WordProfile, rows: Ints, seed: int) -> Floats:
    """The contexts in few dimensions, of length 1."""
    from sklearn.decomposition import TruncatedSVD

    vectors = context_vectors([portrait.usages[row] for row in rows.tolist()])
    count = min(DIMENSIONS, vectors.shape[1] - 1, vectors.shape[0] - 1)
    if count < 1:
        return np.zeros((len(rows), 1))
    found = TruncatedSVD(count, random_state=seed).fit_transform(vectors)
    length = np.linalg.norm(found, axis=1, keepdims=True)
    units: Floats = np.divide(found, length, out=np.zeros_like(found), where=length > 1e-9)
    return units


def _principal_components(given: Floats) -> Floats:
    """The rows on their principal axes, at least two."""
    centred = given - given.mean(axis=0)
    left, values, _ = np.linalg.svd(centred, full_matrices=False)
    found = left * values
    return np.hstack([found, np.zeros((len(found), max(0, 2 - found.shape[1])))])


def _fit_square(given: Floats) -> Floats:
    """Within a square from −1 to 1, without stretching either side; outliers do not decide."""
    low, high = np.quantile(given, [0.005, 0.995], axis=0)
    middle = (low + high) / 2
    reach = float((high - low).max()) / 2 or 1.0
    found: Floats = np.clip((given - middle) / reach, -1.0, 1.0)
    return found
