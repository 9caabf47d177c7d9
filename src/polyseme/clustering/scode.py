"""S-CODE: pairs of things that occur together become points on a sphere, near each other if they often do."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import inf
from typing import Any, ClassVar, NamedTuple

import numpy as np

from polyseme.arrays import Floats, Ints
from polyseme.errors import InputError
from polyseme.parts import CheckedOptions, Ranges


class PairEmbedding(NamedTuple):
    """The unit vectors of each x and of each y."""

    x: Floats
    y: Floats


@dataclass(frozen=True)
class SCode(CheckedOptions):
    """Embed pairs (x, y) on a sphere by stochastic gradient ascent of their likelihood. (Maron et al. 2010)

    The model (Globerson et al. 2007) is p(x, y) = p̂(x) p̂(y) exp(−|φ(x) − ψ(y)|²) / Z with the shares p̂ of x and y among
    the pairs. For each pair, with a y′ and an x′ of two random pairs,

        φ(x) ← φ(x) + η [ψ(y) − φ(x) + exp(−|φ(x) − ψ(y′)|²)/Z (φ(x) − ψ(y′))],

    scaled to length 1 again, and ψ(y) likewise with x′. The step is η = η₀φ₀/(φ₀ + n) when x has moved n times. Each
    pass takes the pairs in another random order. The defaults are the published ones (Yatbaz et al. 2012; Baskaya et
    al. 2013). numba compiles the loop if it is installed.

    Args:
        dimensions: The dimensions of the vectors.
        z: The constant Z.
        phi: φ₀.
        eta: η₀.
        passes: How often all pairs are taken.
        seed: The random seed.

    >>> x, y = np.array([0, 0, 1, 1] * 20), np.array([0, 1, 2, 3] * 20)
    >>> embedding = SCode(dimensions=5)(x, y)
    >>> products = embedding.x @ embedding.y.T
    >>> bool(products[0, :2].min() > products[0, 2:].max())
    True
    """

    kind: ClassVar[str] = "embedding"
    ranges: ClassVar[Ranges] = {
        **dict.fromkeys(("z", "phi"), (1e-9, inf)),
        **dict.fromkeys(("eta", "passes", "seed"), (0, inf)),
        "dimensions": (1, inf),
    }
    dimensions: int = 25
    z: float = 0.166
    phi: float = 50.0
    eta: float = 0.2
    passes: int = 50
    seed: int = 0

    def __call__(self, x: Any, y: Any, sizes: tuple[int, int] | None = None) -> PairEmbedding:
        """The vectors of all x and y after the last pass."""
        *_, embedding = self.steps(x, y, sizes)
        return embedding

    def steps(self, x: Any, y: Any, sizes: tuple[int, int] | None = None) -> Iterator[PairEmbedding]:
        """Yield the vectors before the first pass and after each pass; the caller may stop at any time.

        Args:
            x: The first things of the pairs, as numbers from 0 on.
            y: The second things.
            sizes: How many x and y there are, if there are more. Those without a pair stay at their random points.
        """
        from polyseme.clustering._scode_loop import run_pass

        first, second, counts = _check_pairs(x, y, sizes)
        rng = np.random.default_rng(self.seed)
        x_vectors, y_vectors = (_random_unit_vectors(rng, count, self.dimensions) for count in counts)
        moves = np.zeros(counts[0], np.int64), np.zeros(counts[1], np.int64)
        yield PairEmbedding(x_vectors.copy(), y_vectors.copy())
        for _ in range(self.passes):
            order = rng.permutation(len(first))
            strangers = first[_draw_pairs(rng, len(first))], second[_draw_pairs(rng, len(first))]
            pairs = first[order], second[order]
            run_pass((x_vectors, y_vectors), moves, pairs, strangers, self.z, self.phi, self.eta)
            yield PairEmbedding(x_vectors.copy(), y_vectors.copy())


def _check_pairs(x: Any, y: Any, sizes: tuple[int, int] | None) -> tuple[Ints, Ints, tuple[int, int]]:
    first, second = np.asarray(x, np.intp), np.asarray(y, np.intp)
    least = int(first.max(initial=-1)) + 1, int(second.max(initial=-1)) + 1
    if first.ndim != 1 or first.shape != second.shape or min(first.min(initial=0), second.min(initial=0)) < 0:
        raise InputError("pairs are two columns of the same length, of numbers from 0 on")
    if sizes is not None and (sizes[0] < least[0] or sizes[1] < least[1]):
        raise InputError(f"the pairs have {least[0]} x and {least[1]} y; sizes says {sizes[0]} and {sizes[1]}")
    return first, second, sizes or least


def _draw_pairs(rng: np.random.Generator, size: int) -> Ints:
    """Draw as many random pairs as there are."""
    return rng.integers(max(size, 1), size=size)


def _random_unit_vectors(rng: np.random.Generator, count: int, dimensions: int) -> Floats:
    vectors = rng.normal(size=(count, dimensions))
    units: Floats = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return units


def log_likelihood(embedding: PairEmbedding, x: Any, y: Any, z: float | None = None) -> float:
    """Compute the mean log p(x, y) of pairs: log p̂(x) + log p̂(y) − |φ(x) − ψ(y)|² − log Z.

    Args:
        embedding: The vectors.
        x: The first things of the pairs.
        y: The second things.
        z: The constant Z of :class:`SCode`, for an approximate value. Without it, Z is exact:
            Σ p̂(x) p̂(y) exp(−|φ(x) − ψ(y)|²) over all x and y.

    >>> identity = PairEmbedding(np.eye(2), np.eye(2))
    >>> round(log_likelihood(identity, [0, 1], [0, 1]), 3), round(log_likelihood(identity, [0, 1], [0, 1], z=0.166), 3)
    (-0.82, 0.409)
    """
    first, second, counts = _check_pairs(x, y, (len(embedding.x), len(embedding.y)))
    x_shares, y_shares = (
        np.bincount(column, minlength=count) / len(first) for column, count in zip((first, second), counts, strict=True)
    )
    distances = ((embedding.x[first] - embedding.y[second]) ** 2).sum(axis=1)
    values = np.log(x_shares[first]) + np.log(y_shares[second]) - distances
    if z is None:
        z = float(x_shares @ np.exp(2 * (embedding.x @ embedding.y.T) - 2) @ y_shares)
    return float(values.mean() - np.log(z))
