"""A smaller model from a trained one, and its forms for onnxruntime and for Hugging Face."""

import importlib.util
import json
import subprocess
import sys
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import pytest

if importlib.util.find_spec("torch") is None or importlib.util.find_spec("transformers") is None:
    pytest.skip("training needs torch and transformers: pip install 'polyseme[lm]'", allow_module_level=True)

import torch

sys.path.insert(0, str(Path(__file__).parents[2]))

from training.batches import TokenStream, find_special_pieces
from training.encoder import Encoder, Shape
from training.export import export_model
from training.hugging_face import restore_heads
from training.pruning import build_batches, drop_layers, measure_importance, prune
from training.weight_files import pack_weights, read_parts, unpack_weights, write_parts

CPU = torch.device("cpu")
VOCABULARY = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", ".", "##s", *(f"w{number}" for number in range(9))]
WHOLE = Shape(len(VOCABULARY), layers=3, width=32, inner=64, heads=4, positions=40, buckets=32)
PRUNED = replace(WHOLE, layers=2, inner=24, heads=2, head_width=8)
IDLE_LAYER, IDLE_HEADS, BUSY = 1, (0, 2), range(10, 34)


@pytest.fixture
def model() -> Encoder:
    """A model in which one layer, two heads of the others, and 40 inner dimensions do nothing."""
    torch.manual_seed(3)
    model = Encoder(WHOLE)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.normal_(std=0.3)
        for number, layer in enumerate(model.layers):
            layer.apart.weight.copy_(model.layers[0].apart.weight)
            if number == IDLE_LAYER:
                for part in (layer.out, layer.down):
                    part.weight.zero_()
                    part.bias.zero_()
            for head in IDLE_HEADS:
                layer.out.weight[:, 8 * head : 8 * head + 8] = 0
            layer.down.weight[:, [place for place in range(64) if place not in BUSY]] = 0
            for norm in (layer.out_norm, layer.down_norm):
                norm.weight.fill_(1)
                norm.bias.zero_()
    return model


@pytest.fixture
def text() -> TokenStream:
    """A random text."""
    pieces = torch.from_numpy(np.random.default_rng(0).integers(5, len(VOCABULARY), 900))
    return TokenStream.from_pieces(pieces, find_special_pieces(VOCABULARY, CPU), 9)


def test_what_does_nothing_is_pruned(model: Encoder, text: TokenStream) -> None:
    batches = build_batches(text, find_special_pieces(VOCABULARY, CPU), 2, 40)
    assert [batch.pieces.shape for batch in batches] == [(32, 40), (32, 40)]
    with torch.no_grad():
        before = model.scores(model(batches[0].pieces))
    weights, layers = prune(model, batches, PRUNED)
    assert layers == [0, 2]
    smaller = Encoder(PRUNED)
    smaller.load_state_dict(weights)
    with torch.no_grad():
        after = smaller.scores(smaller(batches[0].pieces))
    # A normalised vector that is normalised again is the same, so the idle layer changes nothing.
    assert torch.allclose(before, after, atol=1e-3)


def test_importance_is_the_effect_on_the_loss(model: Encoder, text: TokenStream) -> None:
    batches = build_batches(text, find_special_pieces(VOCABULARY, CPU), 1, 40)
    assert drop_layers(model, batches, 3) == [0, 1, 2]
    heads, inner = measure_importance(model, batches)
    assert (heads.shape, inner.shape) == ((3, 4), (3, 64))
    assert bool((heads[:, list(IDLE_HEADS)] == 0).all())
    assert bool((heads[0, [1, 3]] > 0).all())
    assert bool((inner[0, list(BUSY)] > 0).all())


def test_the_stage_writes_weights_to_train_on(model: Encoder, text: TokenStream, root: Path, tmp_path: Path) -> None:
    (tmp_path / "vocab.txt").write_text("".join(f"{piece}\n" for piece in VOCABULARY))
    text.pieces.numpy().astype(np.uint16).tofile(tmp_path / "train.bin")
    write_parts(pack_weights(model.state_dict(), {"shape": asdict(WHOLE)}), tmp_path / "whole.packed", 1 << 40)
    places = ["--weights", str(tmp_path / "whole.packed"), "--output", str(tmp_path / "pruned.packed")]
    shape = ["--layers", "2", "--heads", "2", "--inner", "24", "--batches", "1", "--device", "cpu"]
    command = [sys.executable, "-m", "training.pruning", str(tmp_path), *places, *shape]
    ran = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    weights, about = unpack_weights(read_parts(tmp_path / "pruned.packed"))
    assert ran.stdout.startswith(f"layers 0, 2; {sum(value.numel() for value in weights.values()):,} numbers; loss ")
    assert (Shape(**about["shape"]), about["layers"]) == (PRUNED, [0, 2])
    Encoder(PRUNED).load_state_dict(weights)


@pytest.mark.parametrize("bits, near", [(11, 0.001), (8, 0.005), (2, 0.3)])
def test_weights_are_packed_in_fewer_bits(model: Encoder, bits: int, near: float) -> None:
    weights, about = unpack_weights(pack_weights(model.state_dict(), {"bits": bits}, bits))
    assert about == {"bits": bits}
    for name, value in model.state_dict().items():
        assert bool(((weights[name] - value).abs() <= near * value.abs() + 1e-5).all()), name


def test_a_pruned_model_is_the_same_in_all_forms(model: Encoder, text: TokenStream, tmp_path: Path) -> None:
    onnxruntime = pytest.importorskip("onnxruntime")
    pytest.importorskip("onnx", reason="needs onnx: pip install 'polyseme[training]'")
    transformers = pytest.importorskip("transformers")
    from training.graph import write_graph

    with torch.no_grad():
        for layer in model.layers:  # other heads in every layer
            layer.out.weight.normal_()
    weights, _ = prune(model, build_batches(text, find_special_pieces(VOCABULARY, CPU), 1, 40), PRUNED)
    weights["layers.0.qkv.bias"] += 0.1
    smaller, about = Encoder(PRUNED).eval(), {"shape": asdict(PRUNED)}
    smaller.load_state_dict(weights)
    (tmp_path / "vocab.txt").write_text("".join(f"{piece}\n" for piece in VOCABULARY))
    (tmp_path / "tokenizer.json").write_text("{}")
    text.pieces.numpy().astype(np.uint16).tofile(tmp_path / "validation.bin")
    pieces = torch.tensor([[2, 7, 8, 4, 9, 3, 0], [2, 9, 10, 11, 12, 5, 3]])
    with torch.no_grad():
        vectors = smaller(pieces, pieces > 0)
        scores = smaller.scores(vectors[:, 3])
    write_graph(weights, about, tmp_path, tmp_path / "graph", single=True)
    session = onnxruntime.InferenceSession(str(tmp_path / "graph" / "model.onnx"))
    inputs = {"tokens": pieces.numpy(), "there": (pieces > 0).long().numpy(), "places": np.array([3, 3])}
    theirs = session.run(["scores", "vectors"], inputs)
    assert np.allclose(theirs[0], scores.numpy(), atol=1e-4)
    assert np.allclose(theirs[1][0, :6], vectors[0, :6].numpy(), atol=1e-4)
    assert json.loads((tmp_path / "graph" / "config.json").read_text())["shape"]["head_width"] == 8
    export_model(weights, about, tmp_path, tmp_path / "hf", torch.float32)
    again = transformers.MPNetForMaskedLM.from_pretrained(tmp_path / "hf").eval()
    assert again.config.num_attention_heads == 4
    ids = torch.where(pieces < 2, 1 - pieces, pieces)
    with torch.no_grad():
        logits = again(ids, attention_mask=(pieces > 0).long()).logits[:, 3]
    assert torch.allclose(logits[:, 2:], scores[:, 2:], atol=1e-4)
    others = {f"layers.{layer}.apart.weight": torch.randn(32, 3) for layer in range(2)}
    with pytest.raises(SystemExit, match="heads differ"):
        restore_heads({**weights, **others, "layers.0.out.weight": torch.zeros(32, 24)}, 2)
