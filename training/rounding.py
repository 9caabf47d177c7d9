"""Products as the graph in 8 bits has them, so that a training can learn to do with them. (Jacob et al. 2018)

What ``training.graph`` does to the numbers and to the weights of a product is done here, too; only that the whole
numbers are stored as others are. Rounding has no slope: what is learnt goes through it as if it were not there
(Bengio et al. 2013).
"""

from __future__ import annotations

from torch import Tensor
from torch.nn import functional

LARGEST = 127
"""The greatest whole number of 8 bits with a sign."""

HEAVIEST = 100
"""The greatest that a weight becomes: processors without VNNI add two products in 16 bits, which so seldom overflow."""

HALFWAY = 0.5
"""How much of what is large in the numbers goes over to the weights."""

LAST = 3
"""In the last third of the layers what goes into the matrix ``down`` is not rounded: half of what 8 bits cost the
vectors was lost there."""

SEEN = 64
"""On how many rows of a batch it is seen how large numbers get."""


def finely(layer: int, layers: int) -> bool:
    """Whether what goes into the matrix ``down`` of a layer is not rounded.

    >>> [layer for layer in range(12) if finely(layer, 12)]
    [8, 9, 10, 11]
    """
    return layer >= layers - layers // LAST


def smaller(numbers: Tensor, weights: Tensor) -> Tensor:
    """What numbers are divided by, and weights multiplied with, in each dimension; 1 on average. (Xiao et al. 2023)

    Both are given as the greatest that there are in each dimension.

    >>> import torch
    >>> [round(each, 3) for each in smaller(torch.tensor([4.0, 1.0]), torch.tensor([1.0, 1.0])).tolist()]
    [1.414, 0.707]
    """
    ratio = numbers.clamp(min=1e-5).log() * HALFWAY - weights.clamp(min=1e-5).log() * (1 - HALFWAY)
    return (ratio - ratio.mean()).exp()


def whole(numbers: Tensor, largest: int) -> tuple[Tensor, Tensor]:
    """Rows as whole numbers up to the largest one, and what 1 stands for in each row.

    >>> import torch
    >>> numbers, ones = whole(torch.tensor([[50.0, -6.4], [0.0, 100.0]]), 100)
    >>> numbers.tolist(), ones.tolist()
    ([[100.0, -13.0], [0.0, 100.0]], [[0.5], [1.0]])
    """
    ones = numbers.detach().abs().amax(-1, keepdim=True).clamp(min=1e-12) / largest
    scaled = numbers / ones
    return scaled + (scaled.round() - scaled).detach(), ones


def rounded_rows(table: Tensor) -> Tensor:
    """A table whose rows are in 8 bits.

    >>> import torch
    >>> rounded_rows(torch.tensor([[127.0, 10.4], [254.0, 10.4]])).tolist()
    [[127.0, 10.0], [254.0, 10.0]]
    """
    numbers, ones = whole(table, LARGEST)
    return numbers * ones


def rounded_weights(given: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
    """Given · weightᵀ + bias, with the weights in 8 bits.

    >>> import torch
    >>> drawn = torch.Generator().manual_seed(0)
    >>> given, weight = torch.randn(2, 7, 8, generator=drawn), torch.randn(5, 8, generator=drawn)
    >>> exact = functional.linear(given, weight)
    >>> bool((rounded_weights(given, weight, torch.zeros(5)) - exact).norm() < 0.01 * exact.norm())
    True
    """
    weights, scales = whole(weight, LARGEST)
    product = functional.linear(given, weights)
    return (product * scales[:, 0] + bias).to(product.dtype)


def rounded_linear(given: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
    """Given · weightᵀ + bias, with both sides of the product in 8 bits.

    >>> import torch
    >>> drawn = torch.Generator().manual_seed(0)
    >>> given, weight = torch.randn(2, 7, 8, generator=drawn), torch.randn(5, 8, generator=drawn)
    >>> exact = functional.linear(given, weight)
    >>> bool((rounded_linear(given, weight, torch.zeros(5)) - exact).norm() < 0.02 * exact.norm())
    True
    """
    highest = given.detach()[:SEEN].float().abs().amax(tuple(range(given.dim() - 1)))
    less = smaller(highest, weight.detach().abs().amax(0))
    numbers, heights = whole(given.float() / less, LARGEST)
    weights, scales = whole(weight * less, HEAVIEST)
    # Whole numbers as small as these are exact in bf16, too.
    product = functional.linear(numbers, weights)
    return (product * heights * scales[:, 0] + bias).to(product.dtype)
