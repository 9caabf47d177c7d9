"""Stage 7: the trained encoder as a folder that Hugging Face's ``MPNetForMaskedLM`` (or BERT's) and tokenisers read.

Run with ``python -m training.export WEIGHTS SHARDS --output FOLDER``, where WEIGHTS is the file ``weights.packed``
(or the name before .0, .1, … of its parts) that ``training.train`` wrote. ``--card models/small`` adds the model card
with its licence and notice.
"""

from __future__ import annotations

import argparse
import json
import shutil
from pathlib import Path
from typing import Any

import torch
from training.encoder import Shape, Weights
from training.hugging_face import BERT, build_configuration, choose_names, swap_first_pieces, to_hugging_face
from training.weight_files import read_parts, unpack_weights

CARD_FILES = ("README.md", "LICENSE", "NOTICE")
"""The model card, and the terms."""

TOKENISER = {
    "tokenizer_class": "BertTokenizer",
    "do_lower_case": True,
    "pad_token": "[PAD]",
    "unk_token": "[UNK]",
    "cls_token": "[CLS]",
    "sep_token": "[SEP]",
    "mask_token": "[MASK]",
}


def export_model(weights: Weights, about: dict[str, Any], shards: Path, output: Path, dtype: torch.dtype) -> None:
    """Write the folder."""
    from safetensors.torch import save_file

    shape = Shape(**about["shape"])
    names = choose_names(shape)
    output.mkdir(parents=True, exist_ok=True)
    ours = weights if names is BERT else swap_first_pieces(weights)
    theirs = {name: value.to(dtype).contiguous() for name, value in to_hugging_face(ours, shape.layers, names).items()}
    save_file(theirs, output / "model.safetensors", {"format": "pt"})
    pieces = (shards / "vocab.txt").read_text("utf-8").splitlines()
    if names is not BERT:
        pieces[:2] = pieces[1::-1]
    (output / "vocab.txt").write_text("".join(f"{piece}\n" for piece in pieces), "utf-8")
    (output / "tokenizer.json").write_text(
        renumber_tokeniser((shards / "tokenizer.json").read_text("utf-8"), pieces), "utf-8"
    )
    texts = {
        "config.json": build_configuration(shape),
        "tokenizer_config.json": {**TOKENISER, "model_max_length": shape.positions},
        "training.json": about,
    }
    for name, text in texts.items():
        (output / name).write_text(json.dumps(text, indent=2) + "\n")


def renumber_tokeniser(tokeniser: str, pieces: list[str]) -> str:
    """A tokeniser's file with the pieces in this order."""
    described = json.loads(tokeniser)
    numbers = {piece: number for number, piece in enumerate(pieces)}
    if "model" in described:
        described["model"]["vocab"] = numbers
    for token in described.get("added_tokens", ()):
        token["id"] = numbers[token["content"]]
    return json.dumps(described, ensure_ascii=False)


def main() -> None:
    """Write the folder."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("weights", type=Path, help="the file weights.packed")
    parser.add_argument("shards", type=Path, help="the folder that training.shards wrote")
    parser.add_argument("--output", type=Path, required=True, help="a folder")
    parser.add_argument("--card", type=Path, help="a folder with README.md, LICENSE and NOTICE, which are copied")
    parser.add_argument("--half", action="store_true", help="in half precision")
    options = parser.parse_args()
    weights, about = unpack_weights(read_parts(options.weights))
    export_model(weights, about, options.shards, options.output, torch.float16 if options.half else torch.float32)
    for name in CARD_FILES if options.card else ():
        shutil.copyfile(options.card / name, options.output / name)


if __name__ == "__main__":
    main()
