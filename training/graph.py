"""Stage 6: the trained encoder as a file for onnxruntime, its weights in 8 bits.

Run with ``python -m training.graph WEIGHTS SHARDS --output FOLDER``. The graph has the inputs and outputs that
:mod:`polyseme.induce.language.onnx` says, and the numbers of ``training.encoder``. Matrices are in 8 bits, each block
of ``BLOCK`` weights of a row with a scale of its own; a product rounds what is multiplied with them to 8 bits by blocks
too, so that a row's numbers do not depend on what else is in its batch. The embeddings are there once: rows of them are
looked up, and the head multiplies with them. With ``--single`` everything is in single precision, to compare with.
"""

from __future__ import annotations

import argparse
import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper
from training.encoder import Shape, Weights, configuration
from training.state import read_parts, unpacked

BLOCK = 64
"""How many weights of a row have one scale."""

OWN = "com.microsoft"
OPSETS = {"": 17, OWN: 1}
"""The versions of the operators: the standard ones, and onnxruntime's own."""

Array = NDArray[Any]


class Graph:
    """Operators one after the other, and the arrays that they take."""

    def __init__(self, weights: Weights, shape: Shape, single: bool) -> None:
        self.weights = {name: value.float().numpy() for name, value in weights.items()}
        self.shape, self.single = shape, single
        self.nodes: list[onnx.NodeProto] = []
        self.arrays: dict[str, onnx.TensorProto] = {}

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
        weight = self.weights[f"{name}.weight"]
        if self.single:
            product = self.op("MatMul", given, self.array(f"{name}.weight", weight.T))
        else:
            rounded, scales = in_bytes(weight)
            rows, blocks, size = rounded.shape
            product = self.op(
                "MatMulNBits",
                given,
                self.array(f"{name}.bytes", rounded),
                self.array(f"{name}.scales", scales.reshape(-1)),
                domain=OWN,
                K=blocks * size,
                N=rows,
                bits=8,
                block_size=size,
                accuracy_level=4,
            )
        return self.op("Add", product, self.weight(f"{name}.bias"))

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
        if self.single:
            table = self.array(name, value)
            return table, self.op("Gather", table, "tokens")
        scales = np.abs(value).max(axis=1) / 127
        rounded = self.array(f"{name}.bytes", np.rint(value / scales[:, None]).astype(np.int8))
        sizes = self.array(f"{name}.scales", scales.astype(np.float32))
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


def in_bytes(weight: Array) -> tuple[Array, Array]:
    """A matrix as bytes around 128, rows × blocks × weights, and the scale of each block."""
    blocks = weight.reshape(len(weight), -1, BLOCK)
    scales = np.maximum(np.abs(blocks).max(axis=2), 1e-12) / 127
    return (np.rint(blocks / scales[:, :, None]) + 128).astype(np.uint8), scales.astype(np.float32)


def write(weights: Weights, about: dict[str, Any], shards: Path, output: Path, single: bool) -> None:
    """Write the folder."""
    shape = Shape(**about["shape"])
    output.mkdir(parents=True, exist_ok=True)
    onnx.save(Graph(weights, shape, single).made(), output / "model.onnx")
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
