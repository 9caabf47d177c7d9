"""Models of onnxruntime: the same numbers as PyTorch's, whatever else is in a batch; and clear errors."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from polyseme.errors import InputError
from polyseme.lm.language_model import load_masked_model
from polyseme.lm.masked import MaskedLM
from polyseme.lm.onnx import OnnxModel
from polyseme.usage import Usage
from polyseme.vectors.encoders import TokenEncoder

pytest.importorskip("onnx", reason="onnx is not installed; type: pip install 'polyseme[training]'")
torch: Any = pytest.importorskip("torch", reason="torch is not installed; type: pip install 'polyseme[lm]'")

SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
TEXT = "the a bank banks shop lends floods river money raised its rates . and or even ( )"
WORDS = TEXT.split()
ROWS = [[2, 5, 7, 10, 13, 3], [2, 6, 12, 7, 11, 15, 16, 17, 3]]


class EncoderFolders:
    """An encoder with random weights, and the folders that hold it in single precision and in bytes."""

    def __init__(self, folder: Path) -> None:
        import tokenizers
        from training.encoder import Encoder, Shape
        from training.graph import write_graph

        names = [*SPECIAL, *WORDS]
        shape = Shape(len(names), layers=3, width=64, inner=128, heads=2, positions=24)
        torch.manual_seed(0)
        self.encoder = Encoder(shape).eval()
        with torch.no_grad():
            for weights in self.encoder.parameters():
                weights += 0.1 * torch.randn_like(weights)
        tokenizer = tokenizers.Tokenizer(
            tokenizers.models.WordPiece({w: n for n, w in enumerate(names)}, unk_token="[UNK]")
        )
        tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.BertPreTokenizer()
        marks = [("[CLS]", 2), ("[SEP]", 3)]
        tokenizer.post_processor = tokenizers.processors.TemplateProcessing("[CLS] $A [SEP]", special_tokens=marks)
        tokenizer.save(str(folder / "tokenizer.json"))
        np.random.default_rng(0).integers(5, len(names), 400).astype(np.uint16).tofile(folder / "validation.bin")
        self.single, self.bytes = folder / "single", folder / "bytes"
        about = {"shape": vars(shape)}
        for target in (self.single, self.bytes):
            write_graph(dict(self.encoder.state_dict()), about, folder, target, single=target is self.single)

    def compute(self, row: list[int], position: int) -> tuple[Any, Any]:
        """Compute the scores at a position and the vectors of all by PyTorch."""
        with torch.no_grad():
            hidden = self.encoder(torch.tensor([row]))
            return self.encoder.scores(hidden[0, position]).numpy(), hidden[0].numpy()


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> EncoderFolders:
    return EncoderFolders(tmp_path_factory.mktemp("onnx"))


@pytest.mark.parametrize("form, near", [("single", 1e-4), ("bytes", 0.2)])
def test_scores_and_vectors_are_those_of_pytorch(folders: EncoderFolders, form: str, near: float) -> None:
    model = OnnxModel.load(str(getattr(folders, form)))
    scores, vectors = model.scores(ROWS, [2, 3]), model.vectors(ROWS)
    for at, (row, position) in enumerate(zip(ROWS, (2, 3), strict=True)):
        expected, hidden = folders.compute(row, position)
        assert np.abs(scores[at] - expected).max() < near
        assert np.abs(vectors[at, : len(row)] - hidden).max() < near


def test_training_in_bytes_computes_what_the_graph_does(
    tmp_path: Path, folders: EncoderFolders, monkeypatch: pytest.MonkeyPatch
) -> None:
    # How large numbers get is seen on other texts in training, and a little more or less rounds many to the next one.
    for module in ("rounding", "graph"):
        monkeypatch.setattr(f"training.{module}.shrink_outliers", lambda numbers, _: torch.ones_like(numbers))
    again = EncoderFolders(tmp_path)
    graph, exact = OnnxModel.load(str(again.bytes)), OnnxModel.load(str(folders.single))
    again.encoder.use_bytes()
    rows = np.random.default_rng(1).integers(5, len(WORDS), (16, 20)).tolist()
    with torch.no_grad():
        hidden = again.encoder(torch.tensor(rows))
        scores = again.encoder.scores(hidden[:, 3]).numpy()
    for values, expected, single in (
        (hidden.numpy(), graph.vectors(rows), exact.vectors(rows)),
        (scores, graph.scores(rows, [3] * 16), exact.scores(rows, [3] * 16)),
    ):
        assert np.linalg.norm(values - expected) < 0.25 * np.linalg.norm(expected - single)


@pytest.mark.parametrize("name", ["apply_rounded_linear", "apply_rounded_weights"])
def test_gradients_pass_through_rounding(name: str) -> None:
    from training import rounding

    torch.manual_seed(0)
    inputs, weight, bias = torch.randn(9, 5, 64), torch.randn(32, 64), torch.randn(32)
    slopes = []
    for product in (getattr(rounding, name), torch.nn.functional.linear):
        tensors = [tensor.clone().requires_grad_() for tensor in (inputs, weight, bias)]
        product(*tensors).square().sum().backward()
        slopes.append([tensor.grad for tensor in tensors])
    for rounded, exact in zip(*slopes, strict=True):
        assert (rounded - exact).norm() < 0.02 * exact.norm()


def test_a_row_has_the_same_numbers_in_any_batch(folders: EncoderFolders) -> None:
    model = OnnxModel.load(str(folders.bytes))
    alone, beside = model.scores(ROWS[:1], [2]), model.scores(ROWS, [2, 3])
    assert np.abs(alone[0] - beside[0]).max() < 1e-5


def test_substitutes_and_vectors_come_from_onnx_models(folders: EncoderFolders) -> None:
    usages = [
        Usage("1", "bank.n", "the bank raised its rates .", 4, 8),
        Usage("2", "bank.n", "a river bank floods .", 8, 12),
    ]
    part = MaskedLM(str(folders.single), own=False, lemmas=True, pattern="T and _")
    results = part.substitutes(usages, 5)
    assert all(len(substitutes) == 5 for substitutes in results)
    assert not {"bank", "banks"} & {word for substitutes in results for word in substitutes.words}
    alone = [part.substitutes([usage], 5)[0] for usage in usages]
    for one, other in zip(results, alone, strict=True):
        assert one.words == other.words
        assert one.probabilities == pytest.approx(other.probabilities, abs=1e-5)
    vectors = TokenEncoder(str(folders.single), centred=False).vectors(usages)
    assert vectors.shape == (2, 64)
    assert TokenEncoder(str(folders.single)).vectors([]).shape == (0, 64)
    hidden = folders.compute(load_masked_model(str(folders.single)).tokenise_texts([usages[0].text])[0].tokens, 0)[1][2]
    assert vectors[0] == pytest.approx(hidden / np.linalg.norm(hidden), abs=1e-4)


def test_long_texts_are_cut(folders: EncoderFolders) -> None:
    texts = OnnxModel.load(str(folders.single)).tokenise_texts(["the bank " * 40, "the bank"])
    assert [len(text.tokens) for text in texts] == [24, 4]
    assert texts[0].tokens[-1] == 3
    assert texts[0].special.tolist() == [True, *[False] * 22, True]


def test_layers_devices_and_damaged_files_are_refused(folders: EncoderFolders, tmp_path: Path) -> None:
    model = OnnxModel.load(str(folders.single))
    with pytest.raises(InputError, match="the last one only"):
        model.vectors(ROWS, -2)
    with pytest.raises(InputError, match="on a CPU"):
        load_masked_model(str(folders.single), "cuda")
    (tmp_path / "model.onnx").write_bytes(b"nothing")
    (tmp_path / "config.json").write_text(json.dumps({"max_position_embeddings": 8, "hidden_size": 4}))
    with pytest.raises(InputError, match="cannot be loaded"):
        load_masked_model(str(tmp_path))


@pytest.mark.parametrize("kind, near", [("single", 1e-3), ("bytes", 0.02)])
def test_the_weights_of_a_graph_can_be_recovered(
    folders: EncoderFolders, kind: str, near: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from training.encoder import Encoder, Shape
    from training.weight_files import read_parts, unpack_weights
    from training.weight_recovery import main

    output = tmp_path / "again.packed"
    monkeypatch.setattr("sys.argv", ["reopen", str(getattr(folders, kind)), "--output", str(output)])
    main()
    weights, about = unpack_weights(read_parts(output))
    assert Shape(**about["shape"]) == folders.encoder.shape
    Encoder(folders.encoder.shape).load_state_dict(weights)
    for name, value in folders.encoder.state_dict().items():
        assert (weights[name] - value).norm() <= near * value.norm(), name
