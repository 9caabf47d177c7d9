"""To train on what is shipped: the weights of a graph for onnxruntime, as ``training.train --start`` takes them.

Run with ``python -m training.reopen FOLDER --output shipped.packed``, where FOLDER has what ``training.graph`` wrote,
such as ``models/small/src/polyseme_small``. What was rounded to 8 bits stays so.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import numpy_helper
from training.encoder import Shape, Weights
from training.hugging_face import shape_of
from training.state import packed, write_parts

Array = NDArray[Any]


def weights_of(graph: onnx.GraphProto, shape: Shape) -> Weights:
    """The weights of a graph by the names of ``training.encoder``."""
    arrays = {each.name: numpy_helper.to_array(each) for each in graph.initializer}
    nodes = {node.output[0]: node for node in graph.node}
    found = {name: arrays[name] for name in arrays if name.endswith((".bias", "norm.weight")) or name == "bias"}
    found["places.weight"] = arrays["positions"]
    if "pieces" in arrays:
        found["pieces.weight"] = arrays["pieces"]
    else:
        found["pieces.weight"] = arrays["pieces.bytes"] * arrays["pieces.scales"][:, None]
    for node in graph.node:
        if node.op_type in ("MatMul", "MatMulIntegerToFloat"):
            stored = _stored(node.input[1], nodes)
            name = stored.removesuffix(".bytes").removesuffix(".weight")
            found[f"{name}.weight"] = _matrix(node, stored, nodes, arrays)
    for layer in range(shape.layers):
        for kind in ("weight", "bias"):
            parts = [found.pop(f"layers.{layer}.{part}.{kind}") for part in "qkv"]
            found[f"layers.{layer}.qkv.{kind}"] = np.concatenate(parts)
    return {name: torch.from_numpy(np.array(value, np.float32)) for name, value in found.items()}


def _stored(name: str, nodes: dict[str, onnx.NodeProto]) -> str:
    """The array that a matrix is made of."""
    return nodes[name].input[0] if name in nodes else name


def _matrix(node: onnx.NodeProto, stored: str, nodes: dict[str, onnx.NodeProto], arrays: dict[str, Array]) -> Array:
    """The matrix that a product multiplies with; of one in bytes, what the numbers were divided by is put back."""
    matrix: Array = arrays[stored].T
    if not stored.endswith(".bytes"):
        return matrix
    matrix = matrix * arrays[f"{stored.removesuffix('.bytes')}.scales"][:, None]
    if node.op_type == "MatMul":
        return matrix
    divided = nodes[nodes[node.input[0]].input[0]]
    smoothed = nodes[divided.input[0]]
    found: Array = matrix * arrays[smoothed.input[1]]
    return found


def main() -> None:
    """Write the weights."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("graph", type=Path, help="a folder with model.onnx and config.json")
    parser.add_argument("--output", type=Path, required=True, help="a file")
    options = parser.parse_args()
    configured = json.loads((options.graph / "config.json").read_text("utf-8"))
    shape = shape_of(configured, configured["max_position_embeddings"])
    weights = weights_of(onnx.load(options.graph / "model.onnx").graph, shape)
    write_parts(packed(weights, {"shape": asdict(shape)}), options.output, 1 << 40)


if __name__ == "__main__":
    main()
