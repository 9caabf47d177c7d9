"""Weights of an encoder by our names, and by those of ``BertForMaskedLM`` and ``MPNetForMaskedLM``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import torch
from training.encoder import Shape, Weights


@dataclass(frozen=True)
class WeightNames:
    """The names of the weights in a kind of model.

    Args:
        model: The class of the model.
        kind: The type of the model, which is the prefix of all names but those of the head.
        qkv: Queries, keys and values.
        layer: The other parts of a layer, by our names.
        head: The head, by our names.
        first: The number of the first position of a text.
        special: The special pieces, in our order.
    """

    model: str
    kind: str
    qkv: tuple[str, str, str]
    layer: Mapping[str, str]
    head: Mapping[str, str]
    first: int = 0
    special: tuple[str, ...] = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")

    def outside(self) -> dict[str, str]:
        """The weights outside the layers, by our names."""
        return {
            "pieces.weight": f"{self.kind}.embeddings.word_embeddings.weight",
            "places.weight": f"{self.kind}.embeddings.position_embeddings.weight",
            "norm.weight": f"{self.kind}.embeddings.LayerNorm.weight",
            "norm.bias": f"{self.kind}.embeddings.LayerNorm.bias",
            **self.head,
        }


BERT = WeightNames(
    "BertForMaskedLM",
    "bert",
    ("attention.self.query", "attention.self.key", "attention.self.value"),
    {
        "out": "attention.output.dense",
        "out_norm": "attention.output.LayerNorm",
        "up": "intermediate.dense",
        "down": "output.dense",
        "down_norm": "output.LayerNorm",
    },
    {
        "dense.weight": "cls.predictions.transform.dense.weight",
        "dense.bias": "cls.predictions.transform.dense.bias",
        "dense_norm.weight": "cls.predictions.transform.LayerNorm.weight",
        "dense_norm.bias": "cls.predictions.transform.LayerNorm.bias",
        "bias": "cls.predictions.bias",
    },
)

MPNET = WeightNames(
    "MPNetForMaskedLM",
    "mpnet",
    ("attention.attn.q", "attention.attn.k", "attention.attn.v"),
    {**BERT.layer, "out": "attention.attn.o", "out_norm": "attention.LayerNorm"},
    {
        "dense.weight": "lm_head.dense.weight",
        "dense.bias": "lm_head.dense.bias",
        "dense_norm.weight": "lm_head.layer_norm.weight",
        "dense_norm.bias": "lm_head.layer_norm.bias",
        "bias": "lm_head.bias",
    },
    first=2,
    special=("<pad>", "[UNK]", "<s>", "</s>", "<mask>"),
)

DISTANCES = "encoder.relative_attention_bias.weight"
"""The attention biases by distance, which all layers of MPNet share."""

KINDS = {names.kind: names for names in (BERT, MPNET)}


def choose_names(shape: Shape) -> WeightNames:
    """The names for an encoder of this shape."""
    return MPNET if shape.buckets else BERT


def read_shape(configured: Mapping[str, Any], positions: int) -> Shape:
    """Read the shape of a ``config.json``, for texts of at most ``positions`` pieces."""
    return Shape(
        vocabulary=configured["vocab_size"],
        layers=configured["num_hidden_layers"],
        width=configured["hidden_size"],
        inner=configured["intermediate_size"],
        heads=configured["num_attention_heads"],
        positions=positions,
        epsilon=configured["layer_norm_eps"],
        buckets=configured.get("relative_attention_num_buckets", 0),
    )


def from_hugging_face(theirs: Weights, positions: int, names: WeightNames = BERT) -> Weights:
    """Convert weights of a model, with or without a head, to our names."""
    theirs = {name.removeprefix(f"{names.kind}."): value for name, value in theirs.items()}
    outside = ((ours, name.removeprefix(f"{names.kind}.")) for ours, name in names.outside().items())
    weights = {ours: theirs[name] for ours, name in outside if name in theirs}
    weights["places.weight"] = weights["places.weight"][names.first : names.first + positions]
    segments = theirs.get("embeddings.token_type_embeddings.weight")
    if segments is not None:
        # The segment type is always 0 here, so that its vector is a part of the position's.
        weights["places.weight"] = weights["places.weight"] + segments[0]
    for layer in range(1 + max(int(name.split(".")[2]) for name in theirs if name.startswith("encoder.layer."))):
        their, our = f"encoder.layer.{layer}.", f"layers.{layer}."
        for kind in ("weight", "bias"):
            weights[f"{our}qkv.{kind}"] = torch.cat([theirs[f"{their}{part}.{kind}"] for part in names.qkv])
            weights |= {f"{our}{part}.{kind}": theirs[f"{their}{name}.{kind}"] for part, name in names.layer.items()}
        if DISTANCES in theirs:
            weights[f"{our}apart.weight"] = theirs[DISTANCES]
    return weights


def to_hugging_face(ours: Weights, layers: int, names: WeightNames = BERT) -> Weights:
    """Convert our weights to the names of a model, which has as many attention heads as its width allows."""
    rows, columns = ours["layers.0.out.weight"].shape
    ours = restore_heads(ours, layers) if columns < rows else ours
    weights = {name: ours[our] for our, name in names.outside().items() if our in ours}
    places = f"{names.kind}.embeddings.position_embeddings.weight"
    weights[places] = torch.cat([weights[places].new_zeros(names.first, weights[places].shape[1]), weights[places]])
    if names is BERT:
        width, dtype = ours["pieces.weight"].shape[1], ours["pieces.weight"].dtype
        weights["bert.embeddings.token_type_embeddings.weight"] = torch.zeros(2, width, dtype=dtype)
    for layer in range(layers):
        our, their = f"layers.{layer}.", f"{names.kind}.encoder.layer.{layer}."
        for kind in ("weight", "bias"):
            for part, value in zip(names.qkv, ours[f"{our}qkv.{kind}"].chunk(3), strict=True):
                weights[f"{their}{part}.{kind}"] = value.clone()
            weights |= {f"{their}{name}.{kind}": ours[f"{our}{part}.{kind}"] for part, name in names.layer.items()}
    if "layers.0.apart.weight" in ours:
        weights[f"{names.kind}.{DISTANCES}"] = ours["layers.0.apart.weight"]
    return weights


def restore_heads(weights: Weights, layers: int) -> Weights:
    """Put heads of zeros where pruning removed some, so that all layers share one table of distances.

    The biases of a head are never trained, so they tell which head of the unpruned model it was.
    """
    tables = [weights[f"layers.{layer}.apart.weight"] for layer in range(layers)]
    width = weights["layers.0.out.weight"].shape[1] // tables[0].shape[1]
    whole = weights["layers.0.out.weight"].shape[0] // width
    distinct = torch.unique(torch.cat(tables, 1), dim=1)
    table = torch.nn.functional.pad(distinct, (0, max(whole - distinct.shape[1], 0)))
    if table.shape[1] > whole:
        raise SystemExit(f"{table.shape[1]} heads differ in their attention by distance; MPNet has {whole} here")
    restored = dict(weights)
    for layer, own in enumerate(tables):
        name, free = f"layers.{layer}", list(range(whole))
        slots = []
        for column in own.unbind(1):
            slots.append(next(slot for slot in free if torch.equal(table[:, slot], column)))
            free.remove(slots[-1])
        places = (torch.tensor(slots)[:, None] * width + torch.arange(width)).flatten()
        for kind in ("weight", "bias"):
            parts = [_spread(part, places, whole * width) for part in weights[f"{name}.qkv.{kind}"].chunk(3)]
            restored[f"{name}.qkv.{kind}"] = torch.cat(parts)
        restored[f"{name}.out.weight"] = _spread(weights[f"{name}.out.weight"].T, places, whole * width).T
        restored[f"{name}.apart.weight"] = table
    return restored


def _spread(rows: torch.Tensor, places: torch.Tensor, size: int) -> torch.Tensor:
    """Put rows at their places among rows of zeros."""
    spread = rows.new_zeros(size, *rows.shape[1:])
    spread[places] = rows
    return spread


def build_configuration(shape: Shape) -> dict[str, Any]:
    """Build the ``config.json`` of a model."""
    names = choose_names(shape)
    common = {
        "architectures": [names.model],
        "model_type": names.kind,
        "vocab_size": shape.vocabulary,
        "hidden_size": shape.width,
        "num_hidden_layers": shape.layers,
        "num_attention_heads": shape.width // shape.head_width if shape.head_width else shape.heads,
        "intermediate_size": shape.inner,
        "max_position_embeddings": names.first + shape.positions,
        "hidden_act": "gelu",
        "layer_norm_eps": shape.epsilon,
        "tie_word_embeddings": True,
    }
    if names is BERT:
        return {**common, "type_vocab_size": 2, "pad_token_id": 0}
    return {**common, "relative_attention_num_buckets": shape.buckets, "pad_token_id": 1}


def swap_first_pieces(weights: Weights) -> Weights:
    """Swap the first two pieces, ``[PAD]`` and ``[UNK]``: MPNet numbers positions of pieces other than 1."""
    order = torch.arange(len(weights["bias"]))
    order[:2] = torch.tensor([1, 0])
    return {**weights, **{name: weights[name][order] for name in ("pieces.weight", "bias")}}
