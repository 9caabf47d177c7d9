"""Recover weights from a graph for onnxruntime, to train on with ``training.train --start``.

Run with ``python -m training.weight_recovery FOLDER --output shipped.packed``, where FOLDER is an output of
``training.graph``, such as ``models/small/src/polyseme_small``. The weights stay rounded to 8 bits.
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
from training.weight_files import pack_weights, write_parts

Array = NDArray[Any]


def recover_weights(graph: onnx.GraphProto, shape: Shape) -> Weights:
    """Recover the weights of a graph, by the names of ``training.encoder``."""
    arrays = {array.name: numpy_helper.to_array(array) for array in graph.initializer}
    nodes = {node.output[0]: node for node in graph.node}
    weights = {name: arrays[name] for name in arrays if name.endswith((".bias", "norm.weight")) or name == "bias"}
    weights["places.weight"] = arrays["positions"]
    weights |= {f"{name}.weight": value.T for name, value in arrays.items() if name.endswith(".apart")}
    if "pieces" in arrays:
        weights["pieces.weight"] = arrays["pieces"]
    else:
        weights["pieces.weight"] = arrays["pieces.bytes"] * arrays["pieces.scales"][:, None]
    for node in graph.node:
        if node.op_type in ("MatMul", "MatMulIntegerToFloat"):
            stored = _find_array(node.input[1], nodes)
            name = stored.removesuffix(".bytes").removesuffix(".weight")
            weights[f"{name}.weight"] = _matrix(node, stored, nodes, arrays)
    for layer in range(shape.layers):
        for kind in ("weight", "bias"):
            parts = [weights.pop(f"layers.{layer}.{part}.{kind}") for part in "qkv"]
            weights[f"layers.{layer}.qkv.{kind}"] = np.concatenate(parts)
    return {name: torch.from_numpy(np.array(value, np.float32)) for name, value in weights.items()}


def _find_array(name: str, nodes: dict[str, onnx.NodeProto]) -> str:
    """The array behind a matrix."""
    return nodes[name].input[0] if name in nodes else name


def _matrix(node: onnx.NodeProto, stored: str, nodes: dict[str, onnx.NodeProto], arrays: dict[str, Array]) -> Array:
    """The matrix of a product; for one in bytes, with scales and smoothing applied."""
    matrix: Array = arrays[stored].T
    if not stored.endswith(".bytes"):
        return matrix
    matrix = matrix * arrays[f"{stored.removesuffix('.bytes')}.scales"][:, None]
    if node.op_type == "MatMul":
        return matrix
    divided = nodes[nodes[node.input[0]].input[0]]
    smoothed = nodes[divided.input[0]]
    weights: Array = matrix * arrays[smoothed.input[1]]
    return weights


def main() -> None:
    """Write the weights."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("graph", type=Path, help="a folder with model.onnx and config.json")
    parser.add_argument("--output", type=Path, required=True, help="a file")
    options = parser.parse_args()
    shape = Shape(**json.loads((options.graph / "config.json").read_text("utf-8"))["shape"])
    weights = recover_weights(onnx.load(options.graph / "model.onnx").graph, shape)
    write_parts(pack_weights(weights, {"shape": asdict(shape)}), options.output, 1 << 40)


if __name__ == "__main__":
    main()
