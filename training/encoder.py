"""BERT as a plain PyTorch module: an encoder with a masked-language-model head that shares its embeddings.

Its numbers are those of ``BertForMaskedLM`` of Hugging Face (Devlin et al. 2019), without dropout; ``training.export``
turns one into the other. Queries, keys and values are one product, and the head looks at masked places only.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional


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


class Layer(nn.Module):  # type: ignore[misc]
    """Attention and a feed-forward net, each added to its input and then normalised."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.heads = shape.heads
        self.qkv = nn.Linear(shape.width, 3 * shape.width)
        self.out = nn.Linear(shape.width, shape.width)
        self.out_norm = nn.LayerNorm(shape.width, shape.epsilon)
        self.up = nn.Linear(shape.width, shape.inner)
        self.down = nn.Linear(shape.inner, shape.width)
        self.down_norm = nn.LayerNorm(shape.width, shape.epsilon)

    def forward(self, hidden: Tensor, there: Tensor | None = None) -> Tensor:
        """Vectors of the next layer, as (sequences, places, width); places that are not there are not looked at."""
        rows, places, width = hidden.shape
        parts = self.qkv(hidden).view(rows, places, 3, self.heads, width // self.heads)
        query, key, value = parts.permute(2, 0, 3, 1, 4).unbind(0)
        mixed = functional.scaled_dot_product_attention(query, key, value, there)
        attended = self.out(mixed.transpose(1, 2).reshape(rows, places, width))
        # Where products are in bf16, what goes from layer to layer is too: that is half of the bytes.
        hidden = self.out_norm(hidden + attended).to(attended.dtype)
        return self.down_norm(hidden + self.down(functional.gelu(self.up(hidden)))).to(attended.dtype)


class Encoder(nn.Module):  # type: ignore[misc]
    """Pieces to vectors, and vectors of masked places to scores of pieces."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        self.pieces = nn.Embedding(shape.vocabulary, shape.width)
        self.places = nn.Embedding(shape.positions, shape.width)
        self.norm = nn.LayerNorm(shape.width, shape.epsilon)
        self.layers = nn.ModuleList(Layer(shape) for _ in range(shape.layers))
        self.dense = nn.Linear(shape.width, shape.width)
        self.dense_norm = nn.LayerNorm(shape.width, shape.epsilon)
        self.bias = nn.Parameter(torch.zeros(shape.vocabulary))
        self.apply(_start)

    def forward(self, pieces: Tensor, there: Tensor | None = None) -> Tensor:
        """The vectors of the last layer; ``there`` says where pieces are, if not everywhere."""
        hidden = self.norm(self.pieces(pieces) + self.places.weight[: pieces.shape[1]])
        if torch.is_autocast_enabled(hidden.device.type):
            hidden = hidden.to(torch.get_autocast_dtype(hidden.device.type))
        for layer in self.layers:
            hidden = layer(hidden) if there is None else layer(hidden, there[:, None, None])
        return hidden

    def scores(self, hidden: Tensor) -> Tensor:
        """The scores of all pieces at some places, from their vectors (places, width)."""
        transformed = self.dense_norm(functional.gelu(self.dense(hidden)))
        return functional.linear(transformed, self.pieces.weight, self.bias)


def _start(module: nn.Module) -> None:
    if isinstance(module, nn.Linear | nn.Embedding):
        nn.init.normal_(module.weight, std=0.02)
    if isinstance(module, nn.Linear):
        nn.init.zeros_(module.bias)


PARTS = {
    "out": "attention.output.dense",
    "out_norm": "attention.output.LayerNorm",
    "up": "intermediate.dense",
    "down": "output.dense",
    "down_norm": "output.LayerNorm",
}
"""The parts of a layer, and what Hugging Face calls them."""

OUTSIDE = {
    "pieces.weight": "bert.embeddings.word_embeddings.weight",
    "places.weight": "bert.embeddings.position_embeddings.weight",
    "norm.weight": "bert.embeddings.LayerNorm.weight",
    "norm.bias": "bert.embeddings.LayerNorm.bias",
    "dense.weight": "cls.predictions.transform.dense.weight",
    "dense.bias": "cls.predictions.transform.dense.bias",
    "dense_norm.weight": "cls.predictions.transform.LayerNorm.weight",
    "dense_norm.bias": "cls.predictions.transform.LayerNorm.bias",
    "bias": "cls.predictions.bias",
}
"""What is outside the layers."""

Weights = dict[str, Tensor]


def from_hugging_face(theirs: Weights, positions: int) -> Weights:
    """Weights by our names from those of a BERT, which may have no head."""
    theirs = {name.removeprefix("bert."): value for name, value in theirs.items()}
    names = ((ours, name.removeprefix("bert.")) for ours, name in OUTSIDE.items())
    found = {ours: theirs[name] for ours, name in names if name in theirs}
    # The type of a segment is always the first one here, so that it is a part of the place.
    found["places.weight"] = (found["places.weight"] + theirs["embeddings.token_type_embeddings.weight"][0])[:positions]
    for layer in range(1 + max(int(name.split(".")[2]) for name in theirs if name.startswith("encoder.layer."))):
        found |= _layer_from(theirs, layer)
    return found


def _layer_from(theirs: Weights, layer: int) -> Weights:
    their, our = f"encoder.layer.{layer}.", f"layers.{layer}."
    found = {}
    for kind in ("weight", "bias"):
        parts = [theirs[f"{their}attention.self.{part}.{kind}"] for part in ("query", "key", "value")]
        found[f"{our}qkv.{kind}"] = torch.cat(parts)
        found |= {f"{our}{part}.{kind}": theirs[f"{their}{name}.{kind}"] for part, name in PARTS.items()}
    return found


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


def to_hugging_face(ours: Weights, layers: int) -> Weights:
    """The weights of a ``BertForMaskedLM``."""
    found = {name: ours[our] for our, name in OUTSIDE.items()}
    width = ours["pieces.weight"].shape[1]
    found["bert.embeddings.token_type_embeddings.weight"] = torch.zeros(2, width, dtype=ours["pieces.weight"].dtype)
    for layer in range(layers):
        our, their = f"layers.{layer}.", f"bert.encoder.layer.{layer}."
        for kind in ("weight", "bias"):
            for part, value in zip(("query", "key", "value"), ours[f"{our}qkv.{kind}"].chunk(3), strict=True):
                found[f"{their}attention.self.{part}.{kind}"] = value.clone()
            found |= {f"{their}{name}.{kind}": ours[f"{our}{part}.{kind}"] for part, name in PARTS.items()}
    return found


def configuration(shape: Shape) -> dict[str, Any]:
    """The ``config.json`` of a ``BertForMaskedLM``."""
    return {
        "architectures": ["BertForMaskedLM"],
        "model_type": "bert",
        "vocab_size": shape.vocabulary,
        "hidden_size": shape.width,
        "num_hidden_layers": shape.layers,
        "num_attention_heads": shape.heads,
        "intermediate_size": shape.inner,
        "max_position_embeddings": shape.positions,
        "hidden_act": "gelu",
        "layer_norm_eps": shape.epsilon,
        "type_vocab_size": 2,
        "pad_token_id": 0,
        "tie_word_embeddings": True,
    }
