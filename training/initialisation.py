"""Stage 3: the initial weights of training, from an encoder of Hugging Face, restricted to our pieces.

Run with ``python -m training.initialisation SHARDS --encoder FOLDER --output start.packed``. FOLDER has an MPNet (Song
et al. 2020) or a BERT whose pieces are those of BERT in lower case: they are matched by their spelling.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict, replace
from pathlib import Path

import torch
from training.batches import SPECIAL
from training.encoder import Shape, Weights
from training.hugging_face import KINDS, WeightNames, from_hugging_face, read_shape
from training.weight_files import SIGNIFICANT_BITS, pack_weights, write_parts


def initialise_weights(encoder: Path, shards: Path, positions: int) -> tuple[Weights, Shape]:
    """The encoder's weights by our names, with the embeddings of our pieces, and its shape."""
    from safetensors.torch import load_file

    configured = json.loads((encoder / "config.json").read_text("utf-8"))
    names = KINDS[configured["model_type"]]
    weights = from_hugging_face(load_file(encoder / "model.safetensors"), positions, names)
    ours, theirs = ((folder / "vocab.txt").read_text("utf-8").splitlines() for folder in (shards, encoder))
    rows = torch.tensor(match_pieces(ours, theirs, names))
    shape = replace(read_shape(configured, positions), vocabulary=len(rows))
    # The bias of a head has a number for every piece, too.
    return weights | {name: weights[name][rows] for name in ("pieces.weight", "bias") if name in weights}, shape


def match_pieces(ours: list[str], theirs: list[str], names: WeightNames) -> list[int]:
    """The numbers of our pieces in another vocabulary.

    >>> from training.hugging_face import MPNET
    >>> ours = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "cat"]
    >>> match_pieces(ours, ["<s>", "<pad>", "</s>", "[UNK]", "cat", "<mask>"], MPNET)
    [1, 3, 0, 2, 5, 4]
    """
    numbers = {piece: number for number, piece in enumerate(theirs)}
    pieces = [*names.special, *ours[SPECIAL:]]
    missing = [piece for piece in pieces if piece not in numbers]
    if missing:
        raise SystemExit(f"the encoder has no piece {missing[0]!r}, and {len(missing) - 1} more are missing")
    return [numbers[piece] for piece in pieces]


def main() -> None:
    """Write the weights."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("shards", type=Path, help="the folder that training.shards wrote")
    parser.add_argument("--output", type=Path, required=True, help="a file")
    parser.add_argument("--encoder", type=Path, required=True, help="a folder of Hugging Face")
    parser.add_argument("--positions", type=int, default=128, help="the longest text, in pieces (default: %(default)s)")
    parser.add_argument("--bits", type=int, default=SIGNIFICANT_BITS, help="significant bits of the saved matrices")
    parser.add_argument("--part", type=int, default=1 << 40, help="bytes in a part of the weights, at most")
    options = parser.parse_args()
    weights, shape = initialise_weights(options.encoder, options.shards, options.positions)
    data = pack_weights(weights, {"shape": asdict(shape)}, options.bits)
    write_parts(data, options.output, options.part)
    print(f"{sum(value.numel() for value in weights.values()):,} numbers in {len(data):,} bytes")


if __name__ == "__main__":
    main()
