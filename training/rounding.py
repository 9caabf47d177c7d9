"""Quantisation-aware training: products as the 8-bit graph computes them. (Jacob et al. 2018)

Activations and weights are rounded as in ``training.graph``, but stored as floats. Rounding has no gradient: the
straight-through estimator ignores it (Bengio et al. 2013).
"""

from __future__ import annotations

from torch import Tensor
from torch.nn import functional

LARGEST_BYTE = 127
"""The greatest signed 8-bit integer."""

LARGEST_WEIGHT = 100
"""The greatest 8-bit weight: processors without VNNI add two products in 16 bits, which then seldom overflow."""

SHIFT = 0.5
"""The α of SmoothQuant: the share of the range that moves from activations to weights."""

PRECISE_SHARE = 3
"""In the last third of the layers the input of the matrix ``down`` is not rounded: half of the loss was there."""

CALIBRATION_ROWS = 64
"""Rows of a batch on which ranges are measured."""


def keeps_precision(layer: int, layers: int) -> bool:
    """Whether the input of the matrix ``down`` of a layer stays unrounded.

    >>> [layer for layer in range(12) if keeps_precision(layer, 12)]
    [8, 9, 10, 11]
    """
    return layer >= layers - layers // PRECISE_SHARE


def shrink_outliers(numbers: Tensor, weights: Tensor) -> Tensor:
    """The divisors of activations, by which weights are multiplied, by dimension; 1 on average. (Xiao et al. 2023)

    Args:
        numbers: The largest activations, by dimension.
        weights: The largest weights, by dimension.

    >>> import torch
    >>> [round(factor, 3) for factor in shrink_outliers(torch.tensor([4.0, 1.0]), torch.tensor([1.0, 1.0])).tolist()]
    [1.414, 0.707]
    """
    ratio = numbers.clamp(min=1e-5).log() * SHIFT - weights.clamp(min=1e-5).log() * (1 - SHIFT)
    return (ratio - ratio.mean()).exp()


def round_to_integers(numbers: Tensor, largest: int) -> tuple[Tensor, Tensor]:
    """Round rows to integers up to the largest; also the scale of every row.

    >>> import torch
    >>> numbers, scales = round_to_integers(torch.tensor([[50.0, -6.4], [0.0, 100.0]]), 100)
    >>> numbers.tolist(), scales.tolist()
    ([[100.0, -13.0], [0.0, 100.0]], [[0.5], [1.0]])
    """
    scales = numbers.detach().abs().amax(-1, keepdim=True).clamp(min=1e-12) / largest
    scaled = numbers / scales
    return scaled + (scaled.round() - scaled).detach(), scales


def round_rows(table: Tensor) -> Tensor:
    """Round the rows of a table to 8 bits.

    >>> import torch
    >>> round_rows(torch.tensor([[127.0, 10.4], [254.0, 10.4]])).tolist()
    [[127.0, 10.0], [254.0, 10.0]]
    """
    numbers, scales = round_to_integers(table, LARGEST_BYTE)
    return numbers * scales


def apply_rounded_weights(vectors: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
    """Compute x · weightᵀ + bias, with the weights in 8 bits.

    >>> import torch
    >>> drawn = torch.Generator().manual_seed(0)
    >>> vectors, weight = torch.randn(2, 7, 8, generator=drawn), torch.randn(5, 8, generator=drawn)
    >>> exact = functional.linear(vectors, weight)
    >>> bool((apply_rounded_weights(vectors, weight, torch.zeros(5)) - exact).norm() < 0.01 * exact.norm())
    True
    """
    weights, scales = round_to_integers(weight, LARGEST_BYTE)
    product = functional.linear(vectors, weights)
    return (product * scales[:, 0] + bias).to(product.dtype)


def apply_rounded_linear(vectors: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
    """Compute x · weightᵀ + bias, with both sides of the product in 8 bits.

    >>> import torch
    >>> drawn = torch.Generator().manual_seed(0)
    >>> vectors, weight = torch.randn(2, 7, 8, generator=drawn), torch.randn(5, 8, generator=drawn)
    >>> exact = functional.linear(vectors, weight)
    >>> bool((apply_rounded_linear(vectors, weight, torch.zeros(5)) - exact).norm() < 0.02 * exact.norm())
    True
    """
    highest = vectors.detach()[:CALIBRATION_ROWS].float().abs().amax(tuple(range(vectors.dim() - 1)))
    divisors = shrink_outliers(highest, weight.detach().abs().amax(0))
    numbers, heights = round_to_integers(vectors.float() / divisors, LARGEST_BYTE)
    weights, scales = round_to_integers(weight * divisors, LARGEST_WEIGHT)
    # Integers as small as these are exact in bf16, too.
    product = functional.linear(numbers, weights)
    return (product * heights * scales[:, 0] + bias).to(product.dtype)
