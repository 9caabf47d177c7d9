"""BERT as a plain PyTorch module: an encoder with a masked-language-model head that shares its embeddings.

Its numbers are those of ``BertForMaskedLM`` of Hugging Face (Devlin et al. 2019), or of ``MPNetForMaskedLM`` where it
looks at how far apart places are (Song et al. 2020), without dropout; ``training.hugging_face`` turns one into the
other. Queries, keys and values are one product, and the head looks at masked places only.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional
from training.rounding import finely, rounded_linear, rounded_rows, rounded_weights


@dataclass(frozen=True)
class Shape:
    """How large an encoder is."""

    vocabulary: int
    layers: int = 12
    width: int = 384
    inner: int = 1536
    heads: int = 12
    positions: int = 128
    epsilon: float = 1e-12
    buckets: int = 0
    """Into how many kinds the ways from place to place fall; none: they are not looked at."""


FARTHEST = 128
"""Places that are farther apart than this are as far apart as can be."""

Weights = dict[str, Tensor]


class Layer(nn.Module):  # type: ignore[misc]
    """Attention and a feed-forward net, each added to its input and then normalised."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.heads, self.rounded, self.fine = shape.heads, False, False
        self.qkv = nn.Linear(shape.width, 3 * shape.width)
        self.out = nn.Linear(shape.width, shape.width)
        self.out_norm = nn.LayerNorm(shape.width, shape.epsilon)
        self.up = nn.Linear(shape.width, shape.inner)
        self.down = nn.Linear(shape.inner, shape.width)
        self.down_norm = nn.LayerNorm(shape.width, shape.epsilon)

    def forward(self, hidden: Tensor, looks: Tensor | None = None) -> Tensor:
        """Vectors of the next layer, as (sequences, places, width).

        ``looks`` says which places are looked at, or how much more than by their vectors each one is.
        """
        rows, places, width = hidden.shape
        parts = self._product(self.qkv, hidden).view(rows, places, 3, self.heads, width // self.heads)
        query, key, value = parts.permute(2, 0, 3, 1, 4).unbind(0)
        mixed = functional.scaled_dot_product_attention(query, key, value, looks)
        attended = self._product(self.out, mixed.transpose(1, 2).reshape(rows, places, width))
        # Where products are in bf16, what goes from layer to layer is too: that is half of the bytes.
        hidden = self.out_norm(hidden + attended).to(attended.dtype)
        inner = functional.gelu(self._product(self.up, hidden))
        return self.down_norm(hidden + self._product(self.down, inner, self.fine)).to(attended.dtype)

    def _product(self, linear: nn.Linear, given: Tensor, fine: bool = False) -> Tensor:
        if not self.rounded:
            return linear(given)
        return (rounded_weights if fine else rounded_linear)(given, linear.weight, linear.bias)


class Encoder(nn.Module):  # type: ignore[misc]
    """Pieces to vectors, and vectors of masked places to scores of pieces."""

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
        if shape.buckets:
            # As they were learnt: what they are worth changes little, and to change them costs much.
            self.apart = nn.Embedding(shape.buckets, shape.heads).requires_grad_(False)
        self.apply(_start)

    def in_bytes(self) -> None:
        """From now on compute as the graph in 8 bits does."""
        self.rounded = True
        for number, layer in enumerate(self.layers):
            layer.rounded, layer.fine = True, finely(number, self.shape.layers)

    def _table(self) -> Tensor:
        return rounded_rows(self.pieces.weight) if self.rounded else self.pieces.weight

    def forward(self, pieces: Tensor, there: Tensor | None = None) -> Tensor:
        """The vectors of the last layer; ``there`` says where pieces are, if not everywhere."""
        hidden = self.norm(functional.embedding(pieces, self._table()) + self.places.weight[: pieces.shape[1]])
        if torch.is_autocast_enabled(hidden.device.type):
            hidden = hidden.to(torch.get_autocast_dtype(hidden.device.type))
        looks = self._looks(pieces.shape[1], None if there is None else there[:, None, None], hidden)
        for layer in self.layers:
            hidden = layer(hidden) if looks is None else layer(hidden, looks)
        return hidden

    def _looks(self, places: int, there: Tensor | None, hidden: Tensor) -> Tensor | None:
        if not self.shape.buckets:
            return there
        kinds = bucket(torch.arange(places, device=hidden.device), self.shape.buckets)
        more = self.apart(kinds).permute(2, 0, 1)[None].to(hidden.dtype)
        return more if there is None else more.masked_fill(~there, -torch.inf)

    def scores(self, hidden: Tensor) -> Tensor:
        """The scores of all pieces at some places, from their vectors (places, width)."""
        transformed = self.dense_norm(functional.gelu(self.dense(hidden)))
        return functional.linear(transformed, self._table(), self.bias)


def _start(module: nn.Module) -> None:
    if isinstance(module, nn.Linear | nn.Embedding):
        nn.init.normal_(module.weight, std=0.02)
    if isinstance(module, nn.Linear):
        nn.init.zeros_(module.bias)


def bucket(places: Tensor, buckets: int) -> Tensor:
    """The kind of the way from each place to each, as T5 has them. (Raffel et al. 2020)

    Half of the kinds are of ways back, half of ways forward; near places have one each, others share more and more.

    >>> bucket(torch.arange(4), 32)[1].tolist(), bucket(torch.arange(200), 32)[0, [7, 8, 20, 127, 199]].tolist()
    ([1, 0, 17, 18], [23, 24, 26, 31, 31])
    """
    ways = places[None] - places[:, None]
    half, near = buckets // 2, buckets // 4
    far = ways.abs()
    grown = near + torch.log(far.clamp(min=1) / near) / math.log(FARTHEST / near) * (half - near)
    return (ways > 0) * half + torch.where(far < near, far, grown.long().clamp(max=half - 1))


def deepened(weights: Weights, layers: int) -> Weights:
    """The weights with each layer repeated: twelve layers from six are 0, 0, 1, 1, …, 5, 5.

    Without a head they get one that changes little, as there is none that is known to be better.
    """
    inside = {name: value for name, value in weights.items() if name.startswith("layers.")}
    depth = 1 + max(int(name.split(".")[1]) for name in inside)
    found = {name: value for name, value in weights.items() if name not in inside}
    for layer in range(layers):
        source = f"layers.{layer * depth // layers}."
        own = ((name.removeprefix(source), value) for name, value in inside.items() if name.startswith(source))
        found |= {f"layers.{layer}.{name}": value for name, value in own}
    vocabulary, width = found["pieces.weight"].shape
    head = {"dense.weight": torch.eye(width), "dense.bias": torch.zeros(width), "bias": torch.zeros(vocabulary)}
    return head | {"dense_norm.weight": torch.ones(width), "dense_norm.bias": torch.zeros(width)} | found
