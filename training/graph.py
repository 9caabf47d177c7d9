"""Stage 7: the trained encoder as a file for onnxruntime, its weights in 8 bits.

Run with ``python -m training.graph WEIGHTS SHARDS --output FOLDER``. The graph has the inputs and outputs that
:mod:`polyseme.lm.onnx` says, and the numbers of ``training.encoder``. In the layers, both sides of a
product are 8-bit integers. Every row of activations is scaled by its own maximum, so that the result of a row does not
depend on the rest of its batch. Before that, dimensions with large activations are divided, and their weights
multiplied (SmoothQuant, Xiao et al. 2023), by factors measured on held-out text. Where rounding costs most
(:func:`~training.rounding.keeps_precision`) only the weights are in 8 bits. The embeddings are stored once, for look-up
and for the head. With ``--single`` everything is in single precision, for comparison.
"""

from __future__ import annotations

import argparse
import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper
from training.batches import CLS, SEP
from training.encoder import Shape, Weights, bucket_distances
from training.rounding import (
    CALIBRATION_ROWS,
    LARGEST_BYTE,
    LARGEST_WEIGHT,
    keeps_precision,
    round_to_integers,
    shrink_outliers,
)
from training.weight_files import read_parts, unpack_weights

WIDTH = 64
"""The width of the windows on which ranges are measured."""

OWN = "com.microsoft"
OPSETS = {"": 17, OWN: 1}
"""The versions of the operators: the standard ones, and onnxruntime's own."""

Array = NDArray[Any]

Precision = Literal["single", "weights", "bytes"]
"""The precision of a product: single; weights in 8 bits; both sides in 8 bits."""


class OnnxGraph:
    """A graph under construction: its operators in order, and their arrays."""

    def __init__(self, weights: Weights, shape: Shape, largest: Mapping[str, Array] | None = None) -> None:
        self.weights = {name: value.float().numpy() for name, value in weights.items()}
        self.shape, self.largest = shape, largest
        self.nodes: list[onnx.NodeProto] = []
        self.arrays: dict[str, onnx.TensorProto] = {}
        self.multiplied: dict[str, str] = {}
        """The activations that a matrix of the layers is multiplied with."""
        self._rounded: dict[str, tuple[str, str]] = {}

    @property
    def single(self) -> bool:
        """Whether everything is in single precision, as no ranges are available."""
        return self.largest is None

    def array(self, name: str, value: Array) -> str:
        """Add an array; returns its name."""
        self.arrays[name] = numpy_helper.from_array(np.ascontiguousarray(value), name)
        return name

    def weight(self, name: str) -> str:
        """Add a vector of the encoder."""
        return self.array(name, self.weights[name])

    def op(self, kind: str, *activations: str, domain: str = "", **options: Any) -> str:
        """Add an operator; returns the name of its result."""
        name = f"{kind}{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, list(activations), [name], name, domain=domain, **options))
        return name

    def linear(self, name: str, activations: str) -> str:
        """Compute x · weightᵀ + bias."""
        methods = {"single": self._exact, "weights": self._weights_in_bytes, "bytes": self._in_bytes}
        product = methods[self.precision(name)](name, activations)
        self.multiplied[name] = activations
        return self.op("Add", product, self.weight(f"{name}.bias"))

    def precision(self, name: str) -> Precision:
        """The precision of a product with a matrix, or with the embeddings (``pieces``)."""
        if self.single or name == "dense":
            return "single"
        if name == "pieces":
            return "weights"
        _, layer, part = name.split(".")
        return "weights" if part == "down" and keeps_precision(int(layer), self.shape.layers) else "bytes"

    def _exact(self, name: str, activations: str) -> str:
        """Compute x · weightᵀ."""
        return self.op("MatMul", activations, self.array(f"{name}.weight", self.weights[f"{name}.weight"].T))

    def _weights_in_bytes(self, name: str, activations: str) -> str:
        """Compute x · weightᵀ with integer weights, which onnxruntime converts when it loads the graph."""
        rounded, scales = quantise(self.weights[f"{name}.weight"], LARGEST_BYTE)
        matrix = self.op("Cast", self.array(f"{name}.bytes", rounded.T), to=TensorProto.FLOAT)
        return self.op("Mul", self.op("MatMul", activations, matrix), self.array(f"{name}.scales", scales))

    def _in_bytes(self, name: str, activations: str) -> str:
        """Compute x · weightᵀ in integers."""
        divisors = self._smoothing(name)
        bytes_, heights = self._rows_in_bytes(activations, divisors)
        rounded, scales = quantise(self.weights[f"{name}.weight"] * divisors, LARGEST_WEIGHT)
        parts = (self.array(f"{name}.bytes", rounded.T), "row.scale", self.array(f"{name}.scales", scales))
        product = self.op("MatMulIntegerToFloat", bytes_, *parts, "row.zero", domain=OWN)
        return self.op("Mul", product, heights)

    def _smoothing(self, name: str) -> Array:
        """The divisors of activations; matrices with the same input share them."""
        assert self.largest is not None
        layer, part = name.rsplit(".", 1)
        matrix = self.weights[f"{layer}.{'qkv' if part in 'qkv' else part}.weight"]
        maxima = (torch.from_numpy(numbers) for numbers in (self.largest[name], np.abs(matrix).max(axis=0)))
        divisors: Array = shrink_outliers(*maxima).numpy()
        return divisors

    def _rows_in_bytes(self, activations: str, divisors: Array) -> tuple[str, str]:
        """Activations as bytes around 128, scaled by the maximum of their row; and these maxima."""
        if activations not in self._rounded:
            smoothed = self.op("Mul", activations, self.array(f"{activations}.less", 1 / divisors))
            heights = self.op("ReduceMax", self.op("Abs", smoothed), axes=[-1], keepdims=1)
            scale = self.array("row.scale", np.array(1 / LARGEST_BYTE, np.float32))
            zero = self.array("row.zero", np.array(128, np.uint8))
            bytes_ = self.op("QuantizeLinear", self.op("Div", smoothed, heights), scale, zero)
            self._rounded[activations] = bytes_, heights
        return self._rounded[activations]

    def normal(self, name: str, activations: str, other: str = "") -> str:
        """Add two tensors and normalise the sum."""
        scale, bias = self.weight(f"{name}.weight"), self.weight(f"{name}.bias")
        if not other:
            return self.op("LayerNormalization", activations, scale, bias, axis=-1, epsilon=self.shape.epsilon)
        epsilon = self.shape.epsilon
        return self.op("SkipLayerNormalization", activations, other, scale, bias, domain=OWN, epsilon=epsilon)

    def gelu(self, activations: str) -> str:
        """Compute x · Φ(x)."""
        return self.op("Gelu", activations, domain=OWN)

    def embeddings(self) -> tuple[str, str]:
        """The embeddings of all pieces in single precision, and the rows of the input pieces."""
        name, value = "pieces", self.weights["pieces.weight"]
        if self.precision(name) == "single":
            table = self.array(name, value)
            return table, self.op("Gather", table, "tokens")
        numbers, scales = quantise(value, LARGEST_BYTE)
        rounded, sizes = self.array(f"{name}.bytes", numbers), self.array(f"{name}.scales", scales)
        zero = self.array(f"{name}.zeros", np.zeros(len(scales), np.int8))
        rows = self.op("Cast", self.op("Gather", rounded, "tokens"), to=TensorProto.FLOAT)
        last = self.array("last", np.array([-1]))
        vectors = self.op("Mul", rows, self.op("Unsqueeze", self.op("Gather", sizes, "tokens"), last))
        return self.op("DequantizeLinear", rounded, sizes, zero, axis=0), vectors

    def layer(self, number: int, hidden: str, attended: str) -> str:
        """Attention and a feed-forward net."""
        name = f"layers.{number}"
        for kind in ("weight", "bias"):
            for part, value in zip("qkv", np.split(self.weights[f"{name}.qkv.{kind}"], 3), strict=True):
                self.weights[f"{name}.{part}.{kind}"] = value
        parts = [self.linear(f"{name}.{part}", hidden) for part in "qkv"]
        bias = self.distances(f"{name}.apart") if self.shape.buckets else ""
        mixed = self.op("MultiHeadAttention", *parts, "", attended, bias, domain=OWN, num_heads=self.shape.heads)
        hidden = self.normal(f"{name}.out_norm", hidden, self.linear(f"{name}.out", mixed))
        inner = self.gelu(self.linear(f"{name}.up", hidden))
        return self.normal(f"{name}.down_norm", hidden, self.linear(f"{name}.down", inner))

    def distances(self, name: str) -> str:
        """The biases of attention scores by distance, heads × positions × positions."""
        table = self.array(name, self.weights[f"{name}.weight"].T)
        return self.op("Unsqueeze", self.op("Gather", table, "buckets", axis=1), self.array("zero", np.array([0])))

    def build(self) -> onnx.ModelProto:
        """Build the whole graph."""
        table, rows = self.embeddings()
        length = self.op("Gather", self.op("Shape", "tokens"), self.array("second", np.array([1])))
        zero, one = self.array("zero", np.array([0])), self.array("one", np.array([1]))
        places = self.op("Slice", self.array("positions", self.weights["places.weight"]), zero, length, zero, one)
        if self.shape.buckets:
            buckets = bucket_distances(torch.arange(self.shape.positions), self.shape.buckets).numpy()
            both, ends = self.array("both", np.array([0, 1])), self.op("Concat", length, length, axis=0)
            zeros, every = self.array("zeros", np.array([0, 0])), self.array("every bucket", buckets)
            self.nodes.append(helper.make_node("Slice", [every, zeros, ends, both], ["buckets"]))
        hidden = self.normal("norm", self.op("Add", rows, places))
        attended = self.op("Cast", "there", to=TensorProto.INT32)
        for number in range(self.shape.layers):
            hidden = self.layer(number, hidden, attended)
        self.nodes.append(helper.make_node("Identity", [hidden], ["vectors"]))
        wide = self.op("Unsqueeze", "places", self.array("ends", np.array([1])))
        masked = self.op("GatherND", hidden, wide, batch_dims=1)
        guess = self.normal("dense_norm", self.gelu(self.linear("dense", masked)))
        scores = self.op("Gemm", guess, table, self.weight("bias"), transB=1)
        self.nodes.append(helper.make_node("Identity", [scores], ["scores"]))
        return self._model()

    def _model(self) -> onnx.ModelProto:
        whole, single = TensorProto.INT64, TensorProto.FLOAT
        inputs = [helper.make_tensor_value_info(name, whole, ["rows", "width"]) for name in ("tokens", "there")]
        inputs.append(helper.make_tensor_value_info("places", whole, ["rows"]))
        outputs = [
            helper.make_tensor_value_info("scores", single, ["rows", self.shape.vocabulary]),
            helper.make_tensor_value_info("vectors", single, ["rows", "width", self.shape.width]),
        ]
        graph = helper.make_graph(self.nodes, "encoder", inputs, outputs, list(self.arrays.values()))
        versions = [helper.make_opsetid(domain, version) for domain, version in OPSETS.items()]
        return helper.make_model(graph, opset_imports=versions, ir_version=9, producer_name="polyseme")


def quantise(matrix: Array, largest: int) -> tuple[Array, Array]:
    """Round a matrix to integers up to the largest; also the scale of every row.

    >>> [array.tolist() for array in quantise(np.array([[50.0, -6.4], [0.0, 100.0]]), 100)]
    [[[100, -13], [0, 100]], [0.5, 1.0]]
    """
    numbers, ones = round_to_integers(torch.from_numpy(matrix), largest)
    return numbers.numpy().astype(np.int8), ones[:, 0].numpy().astype(np.float32)


def sample_windows(text: Array, width: int) -> Array:
    """Sample the windows on which ranges are measured."""
    starts = np.random.default_rng(0).integers(0, len(text) - width, CALIBRATION_ROWS)
    inside = text[starts[:, None] + np.arange(width - 2)].astype(np.int64)
    return np.hstack([np.full((CALIBRATION_ROWS, 1), CLS), inside, np.full((CALIBRATION_ROWS, 1), SEP)])


def measure_ranges(weights: Weights, shape: Shape, text: Array) -> dict[str, Array]:
    """Measure the largest activations that every matrix of the layers is multiplied with, by dimension, on a text."""
    import onnxruntime

    graph = OnnxGraph(weights, shape)
    model = graph.build()
    names = [name for name in graph.multiplied if name.startswith("layers.")]
    for activation in dict.fromkeys(graph.multiplied[name] for name in names):
        model.graph.output.append(helper.make_tensor_value_info(activation, TensorProto.FLOAT, None))
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    tokens = sample_windows(text, min(WIDTH, shape.positions))
    places = {"tokens": tokens, "there": np.ones_like(tokens), "places": np.zeros(CALIBRATION_ROWS, np.int64)}
    activations = session.run([graph.multiplied[name] for name in names], places)
    return {name: np.abs(numbers).max(axis=(0, 1)) for name, numbers in zip(names, activations, strict=True)}


def write_graph(
    weights: Weights, about: dict[str, Any], shards: Path, output: Path, single: bool, kind: type[OnnxGraph] = OnnxGraph
) -> None:
    """Write the folder."""
    shape = Shape(**about["shape"])
    output.mkdir(parents=True, exist_ok=True)
    largest = None if single else measure_ranges(weights, shape, np.fromfile(shards / "validation.bin", np.uint16))
    onnx.save(kind(weights, shape, largest).build(), output / "model.onnx")
    shutil.copyfile(shards / "tokenizer.json", output / "tokenizer.json")
    sizes = {"hidden_size": shape.width, "max_position_embeddings": shape.positions}
    (output / "config.json").write_text(json.dumps({**sizes, "shape": about["shape"]}, indent=2) + "\n")


def main() -> None:
    """Write the folder."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("weights", type=Path, help="the file weights.packed")
    parser.add_argument("shards", type=Path, help="the folder that training.shards wrote")
    parser.add_argument("--output", type=Path, required=True, help="a folder")
    parser.add_argument("--single", action="store_true", help="in single precision")
    options = parser.parse_args()
    weights, about = unpack_weights(read_parts(options.weights))
    write_graph(weights, about, options.shards, options.output, options.single)


if __name__ == "__main__":
    main()
