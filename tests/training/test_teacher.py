"""A larger encoder in the place of MiniLM: MPNet, which looks at how far apart places are, and learning from it."""

import importlib.util
import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

if importlib.util.find_spec("torch") is None or importlib.util.find_spec("transformers") is None:
    pytest.skip("training needs torch and transformers: pip install 'polyseme[lm]'", allow_module_level=True)

import torch
import transformers

sys.path.insert(0, str(Path(__file__).parents[2]))

from training.batches import MASK, MaskedBatch
from training.encoder import Encoder, Shape
from training.export import export_model
from training.hugging_face import MPNET, from_hugging_face, to_hugging_face
from training.initialisation import initialise_weights
from training.recipe import Recipe
from training.train import Trainer, choose_shape

CPU = torch.device("cpu")
OURS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "the", "bank", "river", "##s", "."]
THEIRS = ["<s>", "<pad>", "</s>", "[UNK]", "rare", "river", "##s", ".", "the", "bank", "<mask>"]


@pytest.fixture(scope="module")
def mpnet() -> Any:
    """A tiny one with random weights."""
    torch.manual_seed(0)
    described = transformers.MPNetConfig(
        vocab_size=len(THEIRS),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=4,
        intermediate_size=64,
        max_position_embeddings=42,
        relative_attention_num_buckets=32,
        layer_norm_eps=1e-5,
    )
    model = transformers.MPNetForMaskedLM(described).eval()
    with torch.no_grad():  # as it is random, it would not tell near places from far ones
        model.mpnet.encoder.relative_attention_bias.weight.normal_(std=2.0)
        model.lm_head.bias.normal_()
    return model


@pytest.fixture(scope="module")
def shards(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A vocabulary, and a tokeniser of it."""
    from tokenizers import Tokenizer, models, pre_tokenizers

    folder = tmp_path_factory.mktemp("shards")
    (folder / "vocab.txt").write_text("".join(f"{piece}\n" for piece in OURS))
    tokeniser = Tokenizer(models.WordPiece({piece: at for at, piece in enumerate(OURS)}, unk_token="[UNK]"))
    tokeniser.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokeniser.add_special_tokens(OURS[:5])
    tokeniser.save(str(folder / "tokenizer.json"))
    return folder


def test_places_that_are_far_apart_count_as_in_mpnet(mpnet: Any) -> None:
    weights = from_hugging_face(mpnet.state_dict(), 40, MPNET)
    shape = Shape(len(THEIRS), layers=2, width=32, inner=64, heads=4, positions=40, epsilon=1e-5, buckets=32)
    ours = Encoder(shape).eval()
    ours.load_state_dict(weights)
    pieces = torch.randint(4, len(THEIRS), (2, 40))
    pieces[1, 30:] = 1  # their padding
    attended = pieces != 1
    with torch.no_grad():
        theirs = mpnet(pieces, attention_mask=attended.long()).logits
        scores = ours.scores(ours(pieces, attended))
    assert torch.allclose(theirs[0], scores[0], atol=1e-5)
    assert torch.allclose(theirs[1, :30], scores[1, :30], atol=1e-5)
    with torch.no_grad():
        for layer in ours.layers:
            layer.apart.weight.zero_()
        assert not torch.allclose(theirs[0], ours.scores(ours(pieces))[0], atol=1e-4)
    back = to_hugging_face(weights, 2, MPNET)
    state = mpnet.state_dict()
    assert set(back) <= set(state)
    for name, value in back.items():
        first = 2 if "position" in name else 0  # those that stand for no place of a text
        assert torch.equal(value[first:], state[name][first:])


def test_it_is_started_from_with_our_pieces_and_exported(mpnet: Any, shards: Path, tmp_path: Path) -> None:
    folder = tmp_path / "mpnet"
    mpnet.mpnet.save_pretrained(folder)  # without its head
    (folder / "vocab.txt").write_text("".join(f"{piece}\n" for piece in THEIRS))
    weights, shape = initialise_weights(folder, shards, 24)
    assert (shape.vocabulary, shape.positions, shape.buckets) == (len(OURS), 24, 32)
    embeddings = mpnet.mpnet.embeddings.word_embeddings.weight
    for ours, theirs in (("[MASK]", "<mask>"), ("[CLS]", "<s>"), ("bank", "bank"), ("##s", "##s")):
        assert torch.equal(weights["pieces.weight"][OURS.index(ours)], embeddings[THEIRS.index(theirs)])
    recipe = Recipe(layers=2)
    trainer = Trainer(recipe, choose_shape(recipe, len(OURS), {"shape": asdict(shape)}), OURS, CPU)
    trainer.model.load_state_dict(weights, strict=False)
    torch.nn.init.normal_(trainer.model.bias)
    trained = trainer.model.state_dict()
    export_model(trained, {"shape": asdict(trainer.model.shape)}, shards, tmp_path / "out", torch.float32)
    again = transformers.AutoModelForMaskedLM.from_pretrained(tmp_path / "out").eval()
    tokens = transformers.AutoTokenizer.from_pretrained(tmp_path / "out")
    assert type(again).__name__ == "MPNetForMaskedLM"
    names = ["[CLS]", "the", "bank", "##s", "[MASK]", "river", ".", "[SEP]", "[PAD]"]
    assert tokens.convert_tokens_to_ids(["[PAD]", "[UNK]"]) == [1, 0]
    ids = torch.tensor([tokens.convert_tokens_to_ids(names)])
    pieces = torch.tensor([[OURS.index(name) for name in names]])
    with torch.no_grad():
        theirs = again(ids, attention_mask=(ids != 1).long()).logits[0, :-1]
        ours = trainer.model.eval().scores(trainer.model(pieces, pieces > 0))[0, :-1]
    assert torch.allclose(theirs[:, 2:], ours[:, 2:], atol=1e-4)
    assert torch.allclose(theirs[:, :2], ours[:, [1, 0]], atol=1e-4)
    assert json.loads((tmp_path / "out" / "config.json").read_text())["model_type"] == "mpnet"


def test_it_is_started_from_with_its_head(mpnet: Any, shards: Path, tmp_path: Path) -> None:
    mpnet.save_pretrained(tmp_path)
    (tmp_path / "vocab.txt").write_text("".join(f"{piece}\n" for piece in THEIRS))
    weights, shape = initialise_weights(tmp_path, shards, 24)
    Encoder(shape).load_state_dict(weights)
    assert weights["bias"].tolist() == mpnet.lm_head.bias[torch.tensor([1, 3, 0, 2, 10, 8, 9, 5, 6, 7])].tolist()


def test_a_vocabulary_that_lacks_a_piece_is_told(mpnet: Any, shards: Path, tmp_path: Path) -> None:
    mpnet.mpnet.save_pretrained(tmp_path)
    (tmp_path / "vocab.txt").write_text("".join(f"{piece}\n" for piece in THEIRS if piece != "river"))
    with pytest.raises(SystemExit, match="no piece 'river'"):
        initialise_weights(tmp_path, shards, 24)


def test_what_a_teacher_says_counts() -> None:
    shape = Shape(len(OURS), layers=1, width=32, inner=64, heads=1, positions=8)
    torch.manual_seed(1)
    teacher = Encoder(shape)
    batch = MaskedBatch(
        torch.tensor([[2, 5, MASK, 8, 9, 3, 0, 0]]),
        torch.tensor([2, 3]),
        torch.tensor([6, -100]),
        torch.tensor([True] * 2),
    )
    losses = {}
    for soft in (0.0, 0.5, 1.0):
        trainer = Trainer(
            Recipe(layers=1, soft=soft, near=0.0, rate=0.01, warm=0.0, optimiser="adamw"), shape, OURS, CPU
        )
        trainer.learn_from(teacher.state_dict(), shape)
        trainer.place(compiled=False)
        losses[soft] = trainer.loss(batch).item()
    assert losses[0.5] == pytest.approx((losses[0.0] + losses[1.0]) / 2)
    for _ in range(100):
        trainer.step(batch)
    with torch.no_grad():
        ours, theirs = (model.scores(model(batch.pieces))[0, 2].softmax(0) for model in (trainer.model, teacher))
    # The answer is piece 6; what is learnt is what the teacher says instead.
    assert torch.allclose(ours, theirs, atol=0.02)
    state = trainer.teacher.model.state_dict() if trainer.teacher else {}
    assert all(torch.equal(state[name], value) for name, value in teacher.state_dict().items())


def test_vectors_come_near_to_those_of_a_teacher() -> None:
    shape = Shape(len(OURS), layers=1, width=32, inner=64, heads=1, positions=8)
    torch.manual_seed(2)
    wider = Encoder(Shape(len(OURS), layers=1, width=64, inner=64, heads=2, positions=8)).eval()
    pieces = torch.randint(5, len(OURS), (16, 8))
    batch = MaskedBatch(pieces, torch.tensor([2, 3]), torch.tensor([6, 7]), torch.tensor([True] * 2))
    trainer = Trainer(Recipe(layers=1, soft=1.0, near=1.0, rate=0.01, warm=0.0, optimiser="adamw"), shape, OURS, CPU)
    trainer.learn_from(wider.state_dict(), wider.shape)
    trainer.place(compiled=False)
    assert trainer.teacher

    def far() -> float:
        assert trainer.teacher
        with torch.no_grad():
            return float(trainer.teacher.distance(trainer.model(pieces), wider(pieces)))

    before = far()
    for _ in range(60):
        trainer.step(batch)
    assert before > 0.8
    assert far() < before / 3
