"""What a model of sentence-transformers does with the vectors of tokens: pooling and dense layers.

Such a model is a folder with ``modules.json``, which lists the steps after the encoder (Reimers & Gurevych 2019).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from polyseme.arrays import Floats
from polyseme.errors import InputError
from polyseme.formats.checkpoint import DAMAGE

MODULE_LIST = "modules.json"
"""The file that lists the modules of a model."""

POOLING_FLAG = "pooling_mode_"
"""The prefix of the options that older models have instead of ``pooling_mode``."""

ACTIVATIONS: Mapping[str, Callable[[Floats], Floats]] = {"Identity": np.asarray, "Tanh": np.tanh}
"""The activations of dense layers, by the name of the class in PyTorch."""


class DenseLayer(NamedTuple):
    """A linear map with an activation: the weights, outputs × inputs, the bias, and the name of the activation."""

    weights: Floats
    bias: Floats
    activation: str


class SentenceModules(NamedTuple):
    """The modules after the encoder.

    Args:
        pooling: The ways in which vectors of tokens become one of the text; several are put side by side.
        dense: The dense layers, in order.
        max_tokens: The greatest number of tokens that are read.
    """

    pooling: tuple[str, ...] = ("mean",)
    dense: tuple[DenseLayer, ...] = ()
    max_tokens: int | None = None

    def __call__(self, states: Floats, mask: Floats) -> Floats:
        """Compute the vectors of texts.

        Args:
            states: Texts × tokens × dimensions.
            mask: Texts × tokens: 1 for a token, 0 behind the end of a text.

        >>> states = np.array([[[2.0, 0.0], [4.0, 2.0], [9.0, 9.0]]])
        >>> SentenceModules(("cls", "mean"))(states, np.array([[1.0, 1.0, 0.0]])).tolist()
        [[2.0, 0.0, 3.0, 1.0]]
        """
        vectors = np.concatenate([POOLINGS[name](states, mask) for name in self.pooling], axis=1)
        for weights, bias, activation in self.dense:
            vectors = ACTIVATIONS[activation](vectors @ weights.T + bias)
        return vectors


def _pool_mean(states: Floats, mask: Floats) -> Floats:
    means: Floats = np.einsum("rpd,rp->rd", states, mask) / np.maximum(mask.sum(axis=1), 1)[:, None]
    return means


def _pool_first(states: Floats, _: Floats) -> Floats:
    return np.asarray(states[:, 0])


def _pool_max(states: Floats, mask: Floats) -> Floats:
    greatest: Floats = np.where(mask[:, :, None] > 0, states, -np.inf).max(axis=1)
    return greatest


def _pool_last(states: Floats, mask: Floats) -> Floats:
    last = mask.shape[1] - 1 - np.argmax(mask[:, ::-1] > 0, axis=1)
    return np.asarray(states[np.arange(len(states)), last])


POOLINGS: Mapping[str, Callable[[Floats, Floats], Floats]] = {
    "cls": _pool_first,
    "mean": _pool_mean,
    "max": _pool_max,
    "lasttoken": _pool_last,
}
"""The ways to pool, by their names in sentence-transformers."""


def read_sentence_modules(folder: Path) -> SentenceModules | None:
    """Read the modules of a model; ``None`` if it is not one of sentence-transformers.

    Raises:
        InputError: The model has a module that is not supported, or is damaged.
    """
    path = folder / MODULE_LIST
    if not path.is_file():
        return None
    pooling: tuple[str, ...] = ("mean",)
    dense: list[DenseLayer] = []
    try:
        for module in json.loads(path.read_text("utf-8")):
            kind, own = module["type"].rpartition(".")[2], folder / module["path"]
            if kind == "Pooling":
                pooling = _read_pooling(_read_config(own / "config.json"))
            elif kind == "Dense":
                dense.append(_read_dense(own))
            elif kind not in ("Transformer", "Normalize"):
                raise _unsupported(f"the module {kind}", folder)
        settings = _read_config(folder / "sentence_bert_config.json")
    except DAMAGE as error:
        raise InputError(f"this model of sentence-transformers is damaged: {error}", path=folder) from None
    return SentenceModules(pooling, tuple(dense), settings.get("max_seq_length"))


def _read_config(path: Path) -> Mapping[str, Any]:
    config: Mapping[str, Any] = json.loads(path.read_text("utf-8")) if path.is_file() else {}
    return config


def _read_pooling(config: Mapping[str, Any]) -> tuple[str, ...]:
    flags = [
        name.removeprefix(POOLING_FLAG).removesuffix("_token").removesuffix("_tokens")
        for name in config
        if name.startswith(POOLING_FLAG) and config[name]
    ]
    modes = config.get("pooling_mode", flags or "mean")
    pooling = (modes,) if isinstance(modes, str) else tuple(modes)
    for name in pooling:
        if name not in POOLINGS:
            raise _unsupported(f"the pooling {name!r}")
    return pooling


def _read_dense(folder: Path) -> DenseLayer:
    from safetensors.numpy import load_file

    activation = str(_read_config(folder / "config.json").get("activation_function", "Identity")).rpartition(".")[2]
    path = folder / "model.safetensors"
    if activation not in ACTIVATIONS or not path.is_file():
        raise _unsupported(f"a dense layer with {activation}", folder)
    arrays = load_file(path)
    weights = np.asarray(arrays["linear.weight"], np.float64)
    return DenseLayer(weights, np.asarray(arrays.get("linear.bias", np.zeros(len(weights))), np.float64), activation)


def _unsupported(name: str, folder: Path | None = None) -> InputError:
    remedy = "give the model itself, as in SentenceEncoder(SentenceTransformer(FOLDER))"
    return InputError(f"{name} of sentence-transformers is not supported; in Python, {remedy}", path=folder)
