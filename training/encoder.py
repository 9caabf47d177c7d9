"""BERT as a plain PyTorch module: an encoder with a masked-language-model head that shares its embeddings.

Its numbers are those of ``BertForMaskedLM`` of Hugging Face (Devlin et al. 2019), or of ``MPNetForMaskedLM`` if it has
relative positions (Song et al. 2020), without dropout; ``training.hugging_face`` converts the weights. Queries,
keys and values are one product, and the head scores masked positions only.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional
from training.rounding import apply_rounded_linear, apply_rounded_weights, keeps_precision, round_rows


@dataclass(frozen=True)
class Shape:
    """The size of an encoder.

    Args:
        vocabulary: The number of pieces.
        layers: The number of layers.
        width: The width of vectors.
        inner: The width inside the feed-forward net.
        heads: The number of attention heads.
        positions: The longest text in pieces.
        epsilon: The ε of layer normalisation.
        buckets: The number of relative-position buckets (MPNet); 0 for absolute positions only (BERT).
        head_width: The width of an attention head; 0 for ``width / heads``. Pruning leaves fewer heads of this width.
    """

    vocabulary: int
    layers: int = 12
    width: int = 384
    inner: int = 1536
    heads: int = 12
    positions: int = 128
    epsilon: float = 1e-12
    buckets: int = 0
    head_width: int = 0

    @property
    def attention_width(self) -> int:
        """The width of all queries of a position.

        >>> Shape(100).attention_width, Shape(100, width=768, heads=6, head_width=64).attention_width
        (384, 384)
        """
        return self.heads * (self.head_width or self.width // self.heads)


LONGEST_DISTANCE = 128
"""The distance from which on all positions share a bucket."""

Weights = dict[str, Tensor]


class Layer(nn.Module):  # type: ignore[misc]
    """Attention and a feed-forward net, each added to its input and then normalised."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.heads, self.rounded, self.fine = shape.heads, False, False
        self.qkv = nn.Linear(shape.width, 3 * shape.attention_width)
        self.out = nn.Linear(shape.attention_width, shape.width)
        self.out_norm = nn.LayerNorm(shape.width, shape.epsilon)
        self.up = nn.Linear(shape.width, shape.inner)
        self.down = nn.Linear(shape.inner, shape.width)
        self.down_norm = nn.LayerNorm(shape.width, shape.epsilon)
        if shape.buckets:
            # Frozen: training them changes little and costs much.
            self.apart = nn.Embedding(shape.buckets, shape.heads).requires_grad_(False)

    def forward(self, hidden: Tensor, mask: Tensor | None = None) -> Tensor:
        """Compute the vectors of the next layer.

        Args:
            hidden: Sequences × positions × width.
            mask: The attention mask: booleans, or a bias that is added to the scores.
        """
        rows, places, _ = hidden.shape
        parts = self._product(self.qkv, hidden).view(rows, places, 3, self.heads, -1)
        query, key, value = parts.permute(2, 0, 3, 1, 4).unbind(0)
        mixed = functional.scaled_dot_product_attention(query, key, value, mask)
        attended = self._product(self.out, mixed.transpose(1, 2).flatten(2))
        # If products are in bf16, hidden vectors are too, which halves the memory.
        hidden = self.out_norm(hidden + attended).to(attended.dtype)
        inner = functional.gelu(self._product(self.up, hidden))
        return self.down_norm(hidden + self._product(self.down, inner, self.fine)).to(attended.dtype)

    def _product(self, linear: nn.Linear, vectors: Tensor, fine: bool = False) -> Tensor:
        if not self.rounded:
            return linear(vectors)
        return (apply_rounded_weights if fine else apply_rounded_linear)(vectors, linear.weight, linear.bias)


class Encoder(nn.Module):  # type: ignore[misc]
    """Maps pieces to vectors, and vectors of masked positions to scores of pieces."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape, self.rounded = shape, False
        self.pieces = nn.Embedding(shape.vocabulary, shape.width)
        self.places = nn.Embedding(shape.positions, shape.width)
        self.norm = nn.LayerNorm(shape.width, shape.epsilon)
        self.layers = nn.ModuleList(Layer(shape) for _ in range(shape.layers))
        self.dense = nn.Linear(shape.width, shape.width)
        self.dense_norm = nn.LayerNorm(shape.width, shape.epsilon)
        self.bias = nn.Parameter(torch.zeros(shape.vocabulary))
        self.apply(_initialise)

    def use_bytes(self) -> None:
        """Compute like the 8-bit graph from now on."""
        self.rounded = True
        for number, layer in enumerate(self.layers):
            layer.rounded, layer.fine = True, keeps_precision(number, self.shape.layers)

    def _table(self) -> Tensor:
        return round_rows(self.pieces.weight) if self.rounded else self.pieces.weight

    def forward(self, pieces: Tensor, attended: Tensor | None = None) -> Tensor:
        """Compute the vectors of the last layer; ``attended`` marks positions with pieces (default: all)."""
        hidden = self.norm(functional.embedding(pieces, self._table()) + self.places.weight[: pieces.shape[1]])
        if torch.is_autocast_enabled(hidden.device.type):
            hidden = hidden.to(torch.get_autocast_dtype(hidden.device.type))
        mask = None if attended is None else attended[:, None, None]
        buckets = bucket_distances(torch.arange(pieces.shape[1], device=hidden.device), self.shape.buckets or 4)
        for layer in self.layers:
            bias = self._add_distances(layer, buckets, mask, hidden.dtype) if self.shape.buckets else mask
            hidden = layer(hidden) if bias is None else layer(hidden, bias)
        return hidden

    @staticmethod
    def _add_distances(layer: Layer, buckets: Tensor, mask: Tensor | None, dtype: torch.dtype) -> Tensor:
        """The bias of a layer's attention scores: by distance, and −∞ where there is nothing."""
        bias = layer.apart(buckets).permute(2, 0, 1)[None].to(dtype)
        return bias if mask is None else bias.masked_fill(~mask, -torch.inf)

    def scores(self, hidden: Tensor) -> Tensor:
        """Score all pieces at positions, given their vectors (positions × width)."""
        transformed = self.dense_norm(functional.gelu(self.dense(hidden)))
        return functional.linear(transformed, self._table(), self.bias)


def _initialise(module: nn.Module) -> None:
    if isinstance(module, nn.Linear | nn.Embedding):
        nn.init.normal_(module.weight, std=0.02)
    if isinstance(module, nn.Linear):
        nn.init.zeros_(module.bias)


def bucket_distances(positions: Tensor, buckets: int) -> Tensor:
    """The bucket of the distance between every two positions, as in T5. (Raffel et al. 2020)

    Half of the buckets are for earlier positions, half for later ones. Short distances have a bucket each; longer ones
    share buckets on a logarithmic scale.

    >>> bucket_distances(torch.arange(4), 32)[1].tolist()
    [1, 0, 17, 18]
    >>> bucket_distances(torch.arange(200), 32)[0, [7, 8, 20, 127, 199]].tolist()
    [23, 24, 26, 31, 31]
    """
    offsets = positions[None] - positions[:, None]
    half, near = buckets // 2, buckets // 4
    distances = offsets.abs()
    logarithmic = near + torch.log(distances.clamp(min=1) / near) / math.log(LONGEST_DISTANCE / near) * (half - near)
    return (offsets > 0) * half + torch.where(distances < near, distances, logarithmic.long().clamp(max=half - 1))


def add_head(weights: Weights) -> Weights:
    """Give weights without a head one that is close to the identity."""
    vocabulary, width = weights["pieces.weight"].shape
    head = {"dense.weight": torch.eye(width), "dense.bias": torch.zeros(width), "bias": torch.zeros(vocabulary)}
    return head | {"dense_norm.weight": torch.ones(width), "dense_norm.bias": torch.zeros(width)} | weights
