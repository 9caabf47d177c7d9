"""How near a masked language model in 8 bits is to the same weights in single precision, and how much faster.

Run with ``python bench/fidelity.py SINGLE SHARDS [MODEL] [--windows 384]``. SINGLE is a folder that
``python -m training.graph … --single`` wrote, SHARDS the one of ``training.shards``, MODEL the one in 8 bits: ours, if
none is named. Windows of held-out text are drawn with a fixed seed, and one place of each is masked. Printed are the
mean Bhattacharyya coefficient, Σ √(p q), of what both say there and how often they guess the same word first; the
cosines of their vectors of all pieces, with nothing masked; and how many pieces a second they take, three times in
turns, as other work on the machine slows down both.

Processors without VNNI multiply bytes with ``vpmaddubsw``: two products of a byte without a sign and a weight with one
are added in 16 bits, and what does not fit becomes the greatest or the least that does. How often that would be so is
counted here on any processor. What goes into each product of 8 bits in the graph is computed for the first windows;
some of its rows are drawn; and for each such row and each column of the weights, the bytes 2k and 2k + 1 times theirs
are added in full, for all k, as onnxruntime does it: the zero point of the bytes (128) is not taken off before, but
from the sums. Printed is the share of these sums beyond 16 bits, of all matrices and of the one where it is greatest.
What goes into a product is as it is without overflows before it: what they would do to later layers is not followed.

Status 1 if the Bhattacharyya coefficient is below .995, or if a share of sums beyond 16 bits is above 1e-4.
"""

from __future__ import annotations

import argparse
import sys
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import softmax

from polyseme.errors import InputError, MissingExtra
from polyseme.lm.language_model import ONNX_FILE, SMALL_MODEL, SpecialTokens, locate_model
from polyseme.lm.onnx import OnnxModel
from timing import time_best

LEAST, MOST = 0.995, 1e-4
"""The least that the Bhattacharyya coefficient may be, and the greatest share of sums beyond 16 bits."""

WINDOWS, WIDTH, SEED = 384, 64, 0
BATCH = 32
"""How many windows a model is given at once."""

DRAWN = 64
"""How many rows of what is multiplied are looked at; they are of the windows of one batch."""

PRODUCTS = ("MatMulInteger", "MatMulIntegerToFloat")
"""Operators that multiply whole numbers, the first of what they take with the second."""

Array = NDArray[Any]


class Windows(NamedTuple):
    """Rows of pieces with marks around them, the same with one place masked, and these places."""

    rows: Array
    masked: Array
    places: Array


def windows(pieces: Array, marks: SpecialTokens, count: int) -> Windows:
    """Windows of a text, drawn; places are those of text, and not of a mark between two documents."""
    draw = np.random.default_rng(SEED)
    around = len(marks.first) + len(marks.last)
    starts = draw.integers(0, len(pieces) - (WIDTH - around) + 1, count)
    inside = pieces[starts[:, None] + np.arange(WIDTH - around)].astype(np.int64)
    first, last = (np.tile(np.array(each, np.int64), (count, 1)) for each in (marks.first, marks.last))
    rows = np.hstack([first, inside, last])
    text = ~np.isin(rows, [*marks.first, *marks.last])
    places = np.array([draw.choice(np.flatnonzero(each)) for each in text])
    masked = rows.copy()
    masked[np.arange(count), places] = marks.mask
    return Windows(rows, masked, places)


def coefficients(one: Array, other: Array) -> Array:
    """Bhattacharyya coefficients of rows of logits."""
    affinity: Array = np.sqrt(softmax(one.astype(float), axis=-1) * softmax(other.astype(float), axis=-1)).sum(axis=-1)
    return affinity


def cosines(one: Array, other: Array) -> Array:
    """Those of the vectors in two arrays."""
    lengths = np.linalg.norm(one, axis=-1) * np.linalg.norm(other, axis=-1)
    cosines: Array = (one * other).sum(axis=-1) / lengths
    return cosines


def beyond(numbers: Array, weights: Array) -> float:
    """The share of sums of two products that do not fit into 16 bits: of rows × inner and inner × columns."""
    pairs = numbers.reshape(len(numbers), -1, 2).swapaxes(0, 1)
    columns = weights.reshape(-1, 2, weights.shape[-1])
    sums = pairs.astype(np.float32) @ columns.astype(np.float32)  # whole numbers as small as these are exact in it
    fits = np.iinfo(np.int16)
    return float(np.mean((sums < fits.min) | (sums > fits.max)))


def overflows(place: str, rows: Array) -> dict[str, tuple[int, float]]:
    """By the weights in 8 bits of a graph: how many sums of two products were looked at, and which share is beyond."""
    try:
        import onnx
    except ImportError:
        raise MissingExtra("training", "onnx") from None
    import onnxruntime

    graph = onnx.load(Path(place, ONNX_FILE))
    arrays = {each.name: each for each in graph.graph.initializer if each.data_type == onnx.TensorProto.INT8}
    inputs = {node.input[1]: node.input[0] for node in graph.graph.node if node.op_type in PRODUCTS}
    inputs = {weights: activations for weights, activations in inputs.items() if weights in arrays}
    names = list(dict.fromkeys(inputs.values()))
    if not names:
        return {}
    outputs = [onnx.helper.make_tensor_value_info(name, onnx.TensorProto.UINT8, None) for name in names]
    graph.graph.output.extend(outputs)
    session = onnxruntime.InferenceSession(graph.SerializeToString(), providers=["CPUExecutionProvider"])
    feed = {"tokens": rows, "there": np.ones_like(rows), "places": np.zeros(len(rows), np.int64)}
    drawn = np.random.default_rng(SEED).permutation(rows.size)[:DRAWN]
    computed = zip(names, session.run(names, feed), strict=True)
    numbers = {name: each.reshape(rows.size, -1)[drawn] for name, each in computed}
    shares = {}
    for name, activations in inputs.items():
        weights = onnx.numpy_helper.to_array(arrays[name])
        shares[name] = len(drawn) * weights.size // 2, beyond(numbers[activations], weights)
    return shares


def predict(model: OnnxModel, drawn: Windows) -> Array:
    """The logits of all pieces at the masked places."""
    parts = _batches(len(drawn.rows))
    return np.concatenate([model.scores(drawn.masked[part].tolist(), drawn.places[part].tolist()) for part in parts])


def seen(model: OnnxModel, drawn: Windows) -> Array:
    """The vectors of all pieces, with nothing masked; not those of the marks."""
    around = slice(len(model.special_tokens.first), -len(model.special_tokens.last))
    parts = _batches(len(drawn.rows))
    return np.concatenate([model.vectors(drawn.rows[part].tolist())[:, around] for part in parts])


def _batches(count: int) -> list[slice]:
    return [slice(start, start + BATCH) for start in range(0, count, BATCH)]


def compared(models: tuple[OnnxModel, OnnxModel], drawn: Windows) -> float:
    """Print how near two models are, and how fast; the mean Bhattacharyya coefficient."""
    logits = [predict(model, drawn) for model in models]
    near = float(coefficients(*logits).mean())
    same = float(np.mean(logits[0].argmax(axis=1) == logits[1].argmax(axis=1)))
    print(f"{len(logits[0]):,} masked places: Bhattacharyya {near:.4f}, the same first guess at {100 * same:.1f} %")
    angles = cosines(*(seen(model, drawn) for model in models))
    low = np.quantile(angles, 0.01)
    print(f"{angles.size:,} vectors: cosine {angles.mean():.4f} in the mean, {low:.4f} or less for the lowest 1 %")
    rounds = [[time_best(partial(predict, model, drawn), 1) for model in models] for _ in range(3)]
    single, ours = (drawn.rows.size / min(each) for each in zip(*rounds, strict=True))
    print(f"Pieces a second: {single:,.0f} in single precision, {ours:,.0f} in 8 bits ({ours / single:.1f} times)")
    return near


def main() -> int:
    """Measure and print; the status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("single", help="the folder of a model in single precision")
    parser.add_argument("shards", type=Path, help="the folder that training.shards wrote")
    parser.add_argument("model", nargs="?", default=SMALL_MODEL, help="the same in 8 bits; ours, if none is named")
    parser.add_argument("--windows", type=int, default=WINDOWS, help="how many")
    if len(sys.argv) == 1:  # as ``make bench`` runs it: neither folder is in the repository
        print("SINGLE and SHARDS are not named, so that nothing can be compared; see --help")
        return 0
    options = parser.parse_args()
    place = locate_model(options.model)
    models = OnnxModel.load(options.single), OnnxModel.load(place)
    pieces = type(models[0].tokenizer).from_file(str(options.shards / "tokenizer.json")).get_vocab()
    if any(model.tokenizer.get_vocab() != pieces for model in models):
        raise InputError("the models do not both have the pieces of this text", path=options.shards / "tokenizer.json")
    text = np.fromfile(options.shards / "validation.bin", np.uint16)
    drawn = windows(text, models[0].special_tokens, options.windows)
    near = compared(models, drawn)
    shares = overflows(place, drawn.rows[:BATCH])
    sums = sum(number for number, _ in shares.values())
    over = sum(number * share for number, share in shares.values()) / max(sums, 1)
    worst, (_, most) = max(shares.items(), key=lambda pair: pair[1][1], default=("none", (0, 0.0)))
    print(f"{sums:,} sums of two products: {over:.1e} beyond 16 bits, {most:.1e} for {worst}")
    return int(near < LEAST or max(over, most) > MOST)


if __name__ == "__main__":
    sys.exit(main())
