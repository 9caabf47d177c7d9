"""S-CODE: pairs of things that occur together become points on a sphere, near where they often do."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import inf
from typing import Any, ClassVar, NamedTuple

import numpy as np

from polyseme.arrays import Floats, Ints
from polyseme.errors import InputError
from polyseme.parts import check_options, check_ranges


class PairEmbedding(NamedTuple):
    """Unit vectors: of each x, of each y."""

    x: Floats
    y: Floats


@dataclass(frozen=True)
class SCode:
    """Embed pairs (x, y) on a sphere by stochastic gradient ascent of their likelihood. (Maron et al. 2010)

    The model (Globerson et al. 2007) is p(x, y) = p̂(x) p̂(y) exp(−|φ(x) − ψ(y)|²) / Z with the shares p̂ of x and y among
    the pairs. For each pair, with a y′ and an x′ of two random pairs,

        φ(x) ← φ(x) + η [ψ(y) − φ(x) + exp(−|φ(x) − ψ(y′)|²)/Z (φ(x) − ψ(y′))],

    made a unit vector again, and ψ(y) likewise with x′. Z is a constant. The step is η = η₀φ₀/(φ₀ + n), with
    ``eta`` η₀ and ``phi`` φ₀, when x has moved n times. Defaults are the published ones (Yatbaz et al. 2012; Baskaya et
    al. 2013). Pairs come in another random order in each pass. The loop is compiled where numba is installed.

    >>> x, y = np.array([0, 0, 1, 1] * 20), np.array([0, 1, 2, 3] * 20)
    >>> found = SCode(dimensions=5)(x, y)
    >>> near = found.x @ found.y.T
    >>> bool(near[0, :2].min() > near[0, 2:].max())
    True
    """

    kind: ClassVar[str] = "embedding"
    dimensions: int = 25
    z: float = 0.166
    phi: float = 50.0
    eta: float = 0.2
    passes: int = 50
    seed: int = 0

    def __post_init__(self) -> None:
        check_options(self)
        check_ranges(self, dimensions=(1, inf), z=(1e-9, inf), phi=(1e-9, inf), eta=(0, inf), passes=(0, inf))
        check_ranges(self, seed=(0, inf))

    def __call__(self, x: Any, y: Any, sizes: tuple[int, int] | None = None) -> PairEmbedding:
        """The vectors of all x and y after the last pass."""
        for found in self.steps(x, y, sizes):  # noqa: B007
            pass
        return found

    def steps(self, x: Any, y: Any, sizes: tuple[int, int] | None = None) -> Iterator[PairEmbedding]:
        """The vectors before the first pass and after each: who takes the last that came may stop at any time.

        Pairs are two columns of numbers from 0 on; ``sizes`` says how many x and y there are, if there are more. Those
        that no pair has stay where they were at random.
        """
        from polyseme.clustering._scode_loop import run_pass

        one, other, counts = _check_pairs(x, y, sizes)
        rng = np.random.default_rng(self.seed)
        x_vectors, y_vectors = (_random_unit_vectors(rng, count, self.dimensions) for count in counts)
        x_seen, y_seen = (np.zeros(count, np.int64) for count in counts)
        yield PairEmbedding(x_vectors.copy(), y_vectors.copy())
        for _ in range(self.passes):
            order = rng.permutation(len(one))
            pairs = one[order], other[order], one[_draw_pairs(rng, len(one))], other[_draw_pairs(rng, len(one))]
            run_pass(x_vectors, y_vectors, x_seen, y_seen, *pairs, self.z, self.phi, self.eta)
            yield PairEmbedding(x_vectors.copy(), y_vectors.copy())


def _check_pairs(x: Any, y: Any, sizes: tuple[int, int] | None) -> tuple[Ints, Ints, tuple[int, int]]:
    one, other = np.asarray(x, np.intp), np.asarray(y, np.intp)
    least = int(one.max(initial=-1)) + 1, int(other.max(initial=-1)) + 1
    if one.ndim != 1 or one.shape != other.shape or min(one.min(initial=0), other.min(initial=0)) < 0:
        raise InputError("pairs are two columns of the same length, of numbers from 0 on")
    if sizes is not None and (sizes[0] < least[0] or sizes[1] < least[1]):
        raise InputError(f"the pairs have {least[0]} x and {least[1]} y; sizes says {sizes[0]} and {sizes[1]}")
    return one, other, sizes or least


def _draw_pairs(rng: np.random.Generator, size: int) -> Ints:
    """As many random pairs as there are."""
    return rng.integers(max(size, 1), size=size)


def _random_unit_vectors(rng: np.random.Generator, count: int, dimensions: int) -> Floats:
    found = rng.normal(size=(count, dimensions))
    made: Floats = found / np.linalg.norm(found, axis=1, keepdims=True)
    return made


def log_likelihood(embedding: PairEmbedding, x: Any, y: Any, z: float | None = None) -> float:
    """The mean log p(x, y) of pairs: log p̂(x) + log p̂(y) − |φ(x) − ψ(y)|² − log Z.

    With ``z`` that is the constant Z, as :class:`SCode` takes it, and the value is approximate; without, Z is what it
    should be, Σ p̂(x) p̂(y) exp(−|φ(x) − ψ(y)|²) over all x and y.

    >>> found = PairEmbedding(np.eye(2), np.eye(2))
    >>> round(log_likelihood(found, [0, 1], [0, 1]), 3), round(log_likelihood(found, [0, 1], [0, 1], z=0.166), 3)
    (-0.82, 0.409)
    """
    one, other, counts = _check_pairs(x, y, (len(embedding.x), len(embedding.y)))
    shares = [np.bincount(each, minlength=count) / len(one) for each, count in zip((one, other), counts, strict=True)]
    far = ((embedding.x[one] - embedding.y[other]) ** 2).sum(axis=1)
    found = np.log(shares[0][one]) + np.log(shares[1][other]) - far
    return float(found.mean() - np.log(_total(embedding, shares) if z is None else z))


def _total(embedding: PairEmbedding, shares: list[Floats]) -> float:
    near = np.exp(2 * (embedding.x @ embedding.y.T) - 2)
    return float(shares[0] @ near @ shares[1])
