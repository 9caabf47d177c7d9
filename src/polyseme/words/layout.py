"""A map of usages: usages with similar contexts and senses lie near each other."""

from __future__ import annotations

import numpy as np

from polyseme.arrays import Floats, Ints
from polyseme.words.contexts import context_vectors
from polyseme.words.profile import WordProfile

DIMENSIONS = 30
"""The number of dimensions that contexts are reduced to."""
SENSE_WEIGHT = 1.5
"""The distance of two different senses, relative to that of two different contexts."""


def sample_rows(profile: WordProfile, limit: int = 1500, seed: int = 0) -> Ints:
    """The rows of the labelled usages in order, or a random sample of them."""
    rows = profile.labelled
    if len(rows) <= limit:
        return rows
    return np.sort(np.random.default_rng(seed).choice(rows, limit, replace=False))


def lay_out_usages(profile: WordProfile, seed: int = 0, limit: int = 1500) -> Floats:
    """Place the usages of :func:`sample_rows` on a map by t-SNE (van der Maaten & Hinton 2008).

    Contexts are tf-idf vectors, reduced by a singular value decomposition. The square roots of the sense weights stand
    beside them, so that their distance is the Hellinger distance.

    Returns:
        A matrix of usages × 2, with values from −1 to 1.
    """
    rows = sample_rows(profile, limit, seed)
    if len(rows) < 4:
        return np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])[: len(rows)]
    from sklearn.manifold import TSNE
    from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

    contexts = _reduce_contexts(profile, rows, seed)
    components = _principal_components(np.hstack([contexts, SENSE_WEIGHT * np.sqrt(profile.weights[rows])]))
    perplexity = min(30.0, max(2.0, len(rows) / 8))
    start = components[:, :2] / max(float(components[:, 0].std()), 1e-9) * 1e-4
    with threadpool_limits(1):  # several threads that wait for each other can take ten times as long on a busy machine
        tsne = TSNE(2, perplexity=perplexity, init=start, max_iter=500, random_state=seed)
        return _fit_square(np.asarray(tsne.fit_transform(components), float))


def _reduce_contexts(profile: WordProfile, rows: Ints, seed: int) -> Floats:
    """The contexts in few dimensions, as vectors of length 1."""
    from sklearn.decomposition import TruncatedSVD

    vectors = context_vectors([profile.usages[row] for row in rows.tolist()])
    count = min(DIMENSIONS, vectors.shape[1] - 1, vectors.shape[0] - 1)
    if count < 1:
        return np.zeros((len(rows), 1))
    reduced = TruncatedSVD(count, random_state=seed).fit_transform(vectors)
    length = np.linalg.norm(reduced, axis=1, keepdims=True)
    units: Floats = np.divide(reduced, length, out=np.zeros_like(reduced), where=length > 1e-9)
    return units


def _principal_components(vectors: Floats) -> Floats:
    """The vectors on their principal axes, at least two."""
    left, values, _ = np.linalg.svd(vectors - vectors.mean(axis=0), full_matrices=False)
    components = left * values
    return np.hstack([components, np.zeros((len(components), max(0, 2 - components.shape[1])))])


def _fit_square(positions: Floats) -> Floats:
    """Scale positions into a square from −1 to 1, both axes by the same factor; outliers do not decide the factor."""
    low, high = np.quantile(positions, [0.005, 0.995], axis=0)
    reach = float((high - low).max()) / 2 or 1.0
    scaled: Floats = np.clip((positions - (low + high) / 2) / reach, -1.0, 1.0)
    return scaled
