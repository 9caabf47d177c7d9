"""Stage 5: the trained encoder as a folder that Hugging Face's ``BertForMaskedLM`` and tokenisers read.

Run with ``python -m training.export WEIGHTS SHARDS --output FOLDER``, where WEIGHTS is the file ``weights.packed``
(or the name before .0, .1, … of its parts) that ``training.train`` wrote.
"""

from __future__ import annotations

import argparse
import json
import shutil
from pathlib import Path
from typing import Any

import torch
from training.encoder import Shape, Weights, configuration, to_hugging_face
from training.state import read_parts, unpacked

TOKENISER = {
    "tokenizer_class": "BertTokenizer",
    "do_lower_case": True,
    "pad_token": "[PAD]",
    "unk_token": "[UNK]",
    "cls_token": "[CLS]",
    "sep_token": "[SEP]",
    "mask_token": "[MASK]",
}


def export(weights: Weights, about: dict[str, Any], shards: Path, output: Path, dtype: torch.dtype) -> None:
    """Write the folder."""
    from safetensors.torch import save_file

    shape = Shape(**about["shape"])
    output.mkdir(parents=True, exist_ok=True)
    theirs = {name: value.to(dtype).contiguous() for name, value in to_hugging_face(weights, shape.layers).items()}
    save_file(theirs, output / "model.safetensors", {"format": "pt"})
    for name in ("tokenizer.json", "vocab.txt"):
        shutil.copyfile(shards / name, output / name)
    texts = {
        "config.json": configuration(shape),
        "tokenizer_config.json": {**TOKENISER, "model_max_length": shape.positions},
        "training.json": about,
    }
    for name, text in texts.items():
        (output / name).write_text(json.dumps(text, indent=2) + "\n")


def main() -> None:
    """Write the folder."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("weights", type=Path, help="the file weights.packed")
    parser.add_argument("shards", type=Path, help="the folder that training.shards wrote")
    parser.add_argument("--output", type=Path, required=True, help="a folder")
    parser.add_argument("--half", action="store_true", help="in half precision")
    options = parser.parse_args()
    weights, about = unpacked(read_parts(options.weights))
    export(weights, about, options.shards, options.output, torch.float16 if options.half else torch.float32)


if __name__ == "__main__":
    main()
