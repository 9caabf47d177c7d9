"""Stage 6: the trained encoder as a file for onnxruntime, its weights in 8 bits.

Run with ``python -m training.graph WEIGHTS SHARDS --output FOLDER``. The graph has the inputs and outputs that
:mod:`polyseme.lm.onnx` says, and the numbers of ``training.encoder``. In the layers, both sides of a
product are whole numbers of 8 bits: each row of what is multiplied is divided by its greatest number first, so that
what comes of a row does not depend on what else is in its batch. Before that, numbers that are always large in some
dimension are made smaller there, and the weights that they meet larger (Xiao et al. 2023): how large they are is seen
on held-out text. Where that costs most (:func:`~training.rounding.finely`) only the weights are in 8 bits. The
embeddings are there once: rows of them are looked up, and the head multiplies with them. With ``--single`` everything
is in single precision, to compare with.
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
from training.encoder import Shape, Weights
from training.hugging_face import configuration
from training.rounding import HEAVIEST, LARGEST, SEEN, finely, smaller, whole
from training.state import read_parts, unpacked

WIDTH = 64
"""How wide the windows are of which numbers are seen to find out how large they are."""

OWN = "com.microsoft"
OPSETS = {"": 17, OWN: 1}
"""The versions of the operators: the standard ones, and onnxruntime's own."""

Array = NDArray[Any]

Way = Literal["single", "weights", "bytes"]
"""How a product is computed: in single precision; with its weights in 8 bits; with both sides in 8 bits."""


class Graph:
    """Operators one after the other, and the arrays that they take."""

    def __init__(self, weights: Weights, shape: Shape, largest: Mapping[str, Array] | None = None) -> None:
        self.weights = {name: value.float().numpy() for name, value in weights.items()}
        self.shape, self.largest = shape, largest
        self.nodes: list[onnx.NodeProto] = []
        self.arrays: dict[str, onnx.TensorProto] = {}
        self.multiplied: dict[str, str] = {}
        """What each matrix of the layers is multiplied with."""
        self._rounded: dict[str, tuple[str, str]] = {}

    @property
    def single(self) -> bool:
        """Whether all is in single precision: how large the numbers are is not known."""
        return self.largest is None

    def array(self, name: str, value: Array) -> str:
        """An array by its name."""
        self.arrays[name] = numpy_helper.from_array(np.ascontiguousarray(value), name)
        return name

    def weight(self, name: str) -> str:
        """A vector of the encoder."""
        return self.array(name, self.weights[name])

    def op(self, kind: str, *given: str, domain: str = "", **options: Any) -> str:
        """The result of an operator."""
        name = f"{kind}{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, list(given), [name], name, domain=domain, **options))
        return name

    def linear(self, name: str, given: str) -> str:
        """Given · weightᵀ + bias."""
        ways = {"single": self._exact, "weights": self._weights_in_bytes, "bytes": self._in_bytes}
        product = ways[self.way(name)](name, given)
        self.multiplied[name] = given
        return self.op("Add", product, self.weight(f"{name}.bias"))

    def way(self, name: str) -> Way:
        """How a product with a matrix, or with the embeddings (``pieces``), is computed."""
        if self.single or name == "dense":
            return "single"
        if name == "pieces":
            return "weights"
        _, layer, part = name.split(".")
        return "weights" if part == "down" and finely(int(layer), self.shape.layers) else "bytes"

    def _exact(self, name: str, given: str) -> str:
        """Given · weightᵀ."""
        return self.op("MatMul", given, self.array(f"{name}.weight", self.weights[f"{name}.weight"].T))

    def _weights_in_bytes(self, name: str, given: str) -> str:
        """Given · weightᵀ with whole numbers as weights, of which onnxruntime makes others when it loads the graph."""
        rounded, scales = in_bytes(self.weights[f"{name}.weight"], LARGEST)
        matrix = self.op("Cast", self.array(f"{name}.bytes", rounded.T), to=TensorProto.FLOAT)
        return self.op("Mul", self.op("MatMul", given, matrix), self.array(f"{name}.scales", scales))

    def _in_bytes(self, name: str, given: str) -> str:
        """Given · weightᵀ in whole numbers."""
        less = self._less(name)
        bytes_, heights = self._rows_in_bytes(given, less)
        rounded, scales = in_bytes(self.weights[f"{name}.weight"] * less, HEAVIEST)
        parts = (self.array(f"{name}.bytes", rounded.T), "row.scale", self.array(f"{name}.scales", scales))
        product = self.op("MatMulIntegerToFloat", bytes_, *parts, "row.zero", domain=OWN)
        return self.op("Mul", product, heights)

    def _less(self, name: str) -> Array:
        """What numbers are divided by; matrices that are multiplied with the same numbers have it together."""
        assert self.largest is not None
        layer, part = name.rsplit(".", 1)
        matrix = self.weights[f"{layer}.{'qkv' if part in 'qkv' else part}.weight"]
        highest = (torch.from_numpy(each) for each in (self.largest[name], np.abs(matrix).max(axis=0)))
        found: Array = smaller(*highest).numpy()
        return found

    def _rows_in_bytes(self, given: str, less: Array) -> tuple[str, str]:
        """Numbers as bytes around 128, of which 1 is the greatest of a row; and these greatest ones."""
        if given not in self._rounded:
            smoothed = self.op("Mul", given, self.array(f"{given}.less", 1 / less))
            heights = self.op("ReduceMax", self.op("Abs", smoothed), axes=[-1], keepdims=1)
            scale = self.array("row.scale", np.array(1 / LARGEST, np.float32))
            zero = self.array("row.zero", np.array(128, np.uint8))
            bytes_ = self.op("QuantizeLinear", self.op("Div", smoothed, heights), scale, zero)
            self._rounded[given] = bytes_, heights
        return self._rounded[given]

    def normal(self, name: str, given: str, other: str = "") -> str:
        """The sum of two, normalised."""
        scale, bias = self.weight(f"{name}.weight"), self.weight(f"{name}.bias")
        if not other:
            return self.op("LayerNormalization", given, scale, bias, axis=-1, epsilon=self.shape.epsilon)
        epsilon = self.shape.epsilon
        return self.op("SkipLayerNormalization", given, other, scale, bias, domain=OWN, epsilon=epsilon)

    def gelu(self, given: str) -> str:
        """X · Φ(x)."""
        return self.op("Gelu", given, domain=OWN)

    def embeddings(self) -> tuple[str, str]:
        """All pieces × width, in single precision; and the rows of the given ones."""
        name, value = "pieces", self.weights["pieces.weight"]
        if self.way(name) == "single":
            table = self.array(name, value)
            return table, self.op("Gather", table, "tokens")
        numbers, scales = in_bytes(value, LARGEST)
        rounded, sizes = self.array(f"{name}.bytes", numbers), self.array(f"{name}.scales", scales)
        zero = self.array(f"{name}.zeros", np.zeros(len(scales), np.int8))
        rows = self.op("Cast", self.op("Gather", rounded, "tokens"), to=TensorProto.FLOAT)
        last = self.array("last", np.array([-1]))
        shown = self.op("Mul", rows, self.op("Unsqueeze", self.op("Gather", sizes, "tokens"), last))
        return self.op("DequantizeLinear", rounded, sizes, zero, axis=0), shown

    def layer(self, number: int, hidden: str, there: str) -> str:
        """Attention and a feed-forward net."""
        name, width = f"layers.{number}", self.shape.width
        for kind in ("weight", "bias"):
            for part, value in zip("qkv", np.split(self.weights[f"{name}.qkv.{kind}"], 3), strict=True):
                self.weights[f"{name}.{part}.{kind}"] = value
        parts = [self.linear(f"{name}.{part}", hidden) for part in "qkv"]
        mixed = self.op("MultiHeadAttention", *parts, "", there, domain=OWN, num_heads=self.shape.heads)
        hidden = self.normal(f"{name}.out_norm", hidden, self.linear(f"{name}.out", mixed))
        inner = self.gelu(self.linear(f"{name}.up", hidden))
        assert width == self.weights[f"{name}.down.weight"].shape[0]
        return self.normal(f"{name}.down_norm", hidden, self.linear(f"{name}.down", inner))

    def made(self) -> onnx.ModelProto:
        """The whole of it."""
        table, rows = self.embeddings()
        length = self.op("Gather", self.op("Shape", "tokens"), self.array("second", np.array([1])))
        zero, one = self.array("zero", np.array([0])), self.array("one", np.array([1]))
        places = self.op("Slice", self.array("positions", self.weights["places.weight"]), zero, length, zero, one)
        hidden = self.normal("norm", self.op("Add", rows, places))
        there = self.op("Cast", "there", to=TensorProto.INT32)
        for number in range(self.shape.layers):
            hidden = self.layer(number, hidden, there)
        self.nodes.append(helper.make_node("Identity", [hidden], ["vectors"]))
        wide = self.op("Unsqueeze", "places", self.array("ends", np.array([1])))
        at = self.op("GatherND", hidden, wide, batch_dims=1)
        guess = self.normal("dense_norm", self.gelu(self.linear("dense", at)))
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


def in_bytes(matrix: Array, largest: int) -> tuple[Array, Array]:
    """A matrix in whole numbers up to the largest, and the scale of each row.

    >>> [each.tolist() for each in in_bytes(np.array([[50.0, -6.4], [0.0, 100.0]]), 100)]
    [[[100, -13], [0, 100]], [0.5, 1.0]]
    """
    numbers, ones = whole(torch.from_numpy(matrix), largest)
    return numbers.numpy().astype(np.int8), ones[:, 0].numpy().astype(np.float32)


def seen(text: Array, width: int) -> Array:
    """The windows of a text on which it is seen how large numbers get."""
    starts = np.random.default_rng(0).integers(0, len(text) - width, SEEN)
    inside = text[starts[:, None] + np.arange(width - 2)].astype(np.int64)
    return np.hstack([np.full((SEEN, 1), CLS), inside, np.full((SEEN, 1), SEP)])


def largest_numbers(weights: Weights, shape: Shape, text: Array) -> dict[str, Array]:
    """How large the numbers get that each matrix of the layers is multiplied with, in each dimension, on a text."""
    import onnxruntime

    graph = Graph(weights, shape)
    made = graph.made()
    names = [name for name in graph.multiplied if name.startswith("layers.")]
    for given in dict.fromkeys(graph.multiplied[name] for name in names):
        made.graph.output.append(helper.make_tensor_value_info(given, TensorProto.FLOAT, None))
    session = onnxruntime.InferenceSession(made.SerializeToString(), providers=["CPUExecutionProvider"])
    tokens = seen(text, min(WIDTH, shape.positions))
    places = {"tokens": tokens, "there": np.ones_like(tokens), "places": np.zeros(SEEN, np.int64)}
    found = session.run([graph.multiplied[name] for name in names], places)
    return {name: np.abs(numbers).max(axis=(0, 1)) for name, numbers in zip(names, found, strict=True)}


def write(
    weights: Weights, about: dict[str, Any], shards: Path, output: Path, single: bool, kind: type[Graph] = Graph
) -> None:
    """Write the folder."""
    shape = Shape(**about["shape"])
    if shape.buckets:
        raise SystemExit("a graph is made of a BERT, and this is an MPNet; type: python -m training.export")
    output.mkdir(parents=True, exist_ok=True)
    largest = None if single else largest_numbers(weights, shape, np.fromfile(shards / "validation.bin", np.uint16))
    onnx.save(kind(weights, shape, largest).made(), output / "model.onnx")
    shutil.copyfile(shards / "tokenizer.json", output / "tokenizer.json")
    (output / "config.json").write_text(json.dumps(configuration(shape), indent=2) + "\n")


def main() -> None:
    """Write the folder."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("weights", type=Path, help="the file weights.packed")
    parser.add_argument("shards", type=Path, help="the folder that training.shards wrote")
    parser.add_argument("--output", type=Path, required=True, help="a folder")
    parser.add_argument("--single", action="store_true", help="in single precision")
    options = parser.parse_args()
    weights, about = unpacked(read_parts(options.weights))
    write(weights, about, options.shards, options.output, options.single)


if __name__ == "__main__":
    main()
