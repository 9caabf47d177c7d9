"""What each kind of matrix in 8 bits costs a masked language model, and what that gains in speed.

Run with ``python bench/rounding.py WEIGHTS SHARDS [--windows 192]`` in the repository: WEIGHTS is the file that
``training.train`` wrote, SHARDS the folder of ``training.shards``. Graphs are made with one kind of matrix in 8 bits
and all others in single precision, and with all but one kind; what they say at masked places of held-out text, and
their vectors, are compared with single precision as ``bench/fidelity.py`` does. Pieces a second are the best of three
rounds in which each graph has its turn, and so is their ratio to single precision.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from training.graph import OnnxGraph, Precision, write_graph
from training.weight_files import read_parts, unpack_weights

from fidelity import Windows, coefficients, cosines, predict, seen, windows
from polyseme.lm.onnx import OnnxModel
from timing import time_best

Choice = Callable[[str, Precision], Precision]
"""How a product is computed, from the name of its matrix and from how the shipped graph computes it."""


def only(*parts: str) -> Choice:
    """These in 8 bits, both sides, and all others in single precision."""
    return lambda name, shipped: shipped if name == "pieces" in parts else _both(name, parts)


def _both(name: str, parts: tuple[str, ...]) -> Precision:
    return "bytes" if name.startswith("layers.") and name.rpartition(".")[2] in parts else "single"


def rounded(name: str, shipped: Precision) -> Precision:
    """Both sides in 8 bits, wherever the shipped graph has any."""
    return "bytes" if name.startswith("layers.") else shipped


def weights_of(*parts: str) -> Choice:
    """The same, but for these, of which the weights alone are in 8 bits."""
    return lambda name, shipped: "weights" if name.rpartition(".")[2] in parts else rounded(name, shipped)


KINDS: dict[str, Choice] = {
    "single precision": only(),
    "qkv": only("q", "k", "v"),
    "out": only("out"),
    "up": only("up"),
    "down": only("down"),
    "embeddings": only("pieces"),
    "all": rounded,
    "all, as shipped": lambda _, shipped: shipped,
    "all, down by its weights alone": weights_of("down"),
    "the weights alone": weights_of("q", "k", "v", "out", "up", "down"),
}
"""What is compared, by what is in 8 bits."""


def build_model(choice: Choice, weights: Path, shards: Path, folder: Path) -> OnnxModel:
    """A model whose products are computed as is chosen."""

    class Chosen(OnnxGraph):
        """A graph of this kind; the one that it is seen with how large numbers get is in single precision."""

        def precision(self, name: str) -> Precision:
            return choice(name, super().precision(name))

    values, about = unpack_weights(read_parts(weights))
    write_graph(values, about, shards, folder, single=False, kind=Chosen)
    return OnnxModel.load(str(folder))


def compared(models: dict[str, OnnxModel], drawn: Windows) -> None:
    """Print how near each model is to the first, and how fast."""
    exact = next(iter(models.values()))
    logits, vectors = predict(exact, drawn), seen(exact, drawn)
    rounds = [{name: time_best(partial(predict, model, drawn), 1) for name, model in models.items()} for _ in range(3)]
    seconds = {name: min(each[name] for each in rounds) for name in models}
    slowest = seconds[next(iter(models))]
    print("| in 8 bits | Bhattacharyya | apart | pieces a second | times |\n|---|--:|--:|--:|--:|")
    for name, model in models.items():
        near = coefficients(logits, predict(model, drawn)).mean()
        apart = 1 - cosines(vectors, seen(model, drawn)).mean()
        speed = f"{drawn.rows.size / seconds[name]:,.0f} | {slowest / seconds[name]:.2f}"
        print(f"| {name} | {near:.4f} | {apart:.4f} | {speed} |", flush=True)


def main() -> int:
    """Make the graphs, print the table."""
    if len(sys.argv) == 1:  # as ``make bench`` runs it: neither is in the repository
        print("WEIGHTS and SHARDS are not named, so that nothing can be compared; see --help")
        return 0
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("weights", type=Path, help="the file weights.packed")
    parser.add_argument("shards", type=Path, help="the folder that training.shards wrote")
    parser.add_argument("--windows", type=int, default=192, help="how many")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        models = {
            name: build_model(choice, options.weights, options.shards, Path(folder, str(number)))
            for number, (name, choice) in enumerate(KINDS.items())
        }
        text = np.fromfile(options.shards / "validation.bin", np.uint16)
        compared(models, windows(text, models["single precision"].special_tokens, options.windows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
