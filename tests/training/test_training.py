"""The stages of training, on words made up so that all can be checked by hand or against another program."""

import importlib.util
import json
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

if importlib.util.find_spec("torch") is None:
    pytest.skip("training needs torch: pip install 'polyseme[lm]'", allow_module_level=True)

import torch
from torch.nn import functional

sys.path.insert(0, str(Path(__file__).parents[2]))

from training.batch_sources import choose_source
from training.batches import (
    MASK,
    SEP,
    SPECIAL,
    TokenStream,
    WindowOrder,
    find_sentence_starts,
    find_special_pieces,
    mask_words,
)
from training.encoder import Encoder, Shape, add_head
from training.export import export_model
from training.hugging_face import from_hugging_face, to_hugging_face
from training.optimiser import build_optimisers, orthogonalise
from training.recipe import Recipe, learning_rate
from training.weight_files import pack_weights, read_parts, unpack_weights, write_parts

CPU = torch.device("cpu")
VOCABULARY = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", ".", '"', "##s", *(f"w{number}" for number in range(8))]
SMALL = Shape(len(VOCABULARY), layers=2, width=64, inner=256, heads=2, positions=32)


def text(size: int) -> np.ndarray[Any, np.dtype[np.uint16]]:
    """Words each of which mostly follows another, some in two pieces, with full stops and ends of documents."""
    rng = np.random.default_rng(size)
    pieces = []
    word = 0
    for _ in range(size):
        word = (word + 1) % 8 if rng.random() < 0.95 else int(rng.integers(8))
        pieces += [8 + word]
        pieces += [[7], [5], [SEP], []][int(rng.choice(4, p=[0.1, 0.05, 0.01, 0.84]))]
    return np.array(pieces, np.uint16)


def run(root: Path, *arguments: object) -> None:
    """Run a stage."""
    command = [sys.executable, "-m", *map(str, arguments)]
    ran = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr


def test_windows_begin_with_sentences() -> None:
    marks = find_special_pieces(VOCABULARY, CPU)
    pieces = torch.tensor([8, 9, 5, 6, 10, 11, 5, 12, 13, 14, 15])
    assert find_sentence_starts(pieces, marks, 3).tolist() == [0, 0, 0, 0, 4, 4, 4, 7, 7, 7, 7]
    assert find_sentence_starts(pieces, marks, 2).tolist()[-1] == 10
    windows = TokenStream.from_pieces(pieces, marks, 3).windows(torch.tensor([5, 7]), 5)
    assert windows.tolist() == [[2, 10, 11, 5, 3], [2, 12, 13, 14, 3]]


def test_an_epoch_has_every_window_once_and_the_next_one_others() -> None:
    order = WindowOrder(1000, 4, 12, seed=1, device=CPU)
    epochs = [torch.cat([order.places(step + epoch * order.steps) for step in range(order.steps)]) for epoch in (0, 1)]
    assert len(set(epochs[0].tolist())) == order.steps * 4
    assert int(epochs[0].max()) + 20 <= 1000
    assert epochs[0].tolist() != epochs[1].tolist()
    again = WindowOrder(1000, 4, 12, seed=1, device=CPU)
    assert again.places(order.steps).tolist() == epochs[1][:4].tolist()


def test_words_are_masked_as_a_whole() -> None:
    marks = find_special_pieces(VOCABULARY, CPU)
    pieces = torch.from_numpy(text(4000)[:4000].astype(np.int64)).view(-1, 40)
    batch = mask_words(pieces, marks.continues, 0.2, torch.Generator().manual_seed(1))
    chosen = torch.zeros(4000, dtype=torch.bool)
    real = batch.answers >= 0
    chosen[batch.places[real]] = True
    assert torch.equal(batch.answers[real], pieces.flatten()[batch.places[real]])
    assert not chosen[(pieces < SPECIAL).flatten()].any()
    rest = chosen.view(-1, 40)[:, 1:], marks.continues[pieces[:, 1:]], chosen.view(-1, 40)[:, :-1]
    assert torch.equal(rest[0][rest[1]], rest[2][rest[1]])
    assert 0.17 < chosen.float().mean() < 0.23
    hidden = batch.pieces.flatten()[batch.places[real]] == MASK
    assert 0.7 < hidden.float().mean() < 0.9
    assert torch.equal(hidden, batch.hidden[real])
    assert torch.equal(batch.pieces.flatten()[~chosen], pieces.flatten()[~chosen])


def test_singular_values_become_about_one() -> None:
    values = torch.linalg.svdvals(orthogonalise(torch.randn(3, 40, 16, generator=torch.Generator().manual_seed(0))))
    assert float(values.min()) > 0.6
    assert float(values.max()) < 1.3


@pytest.mark.parametrize("name", ["muon", "adamw"])
def test_every_weight_is_changed_once(name: str) -> None:
    model = Encoder(SMALL)
    optimisers = build_optimisers(model, name, 0.1)
    parameters = [p for optimiser in optimisers for group in optimiser.param_groups for p in group["params"]]
    assert len(parameters) == len(set(map(id, parameters))) == len(list(model.parameters()))


def test_the_rate_rises_and_falls() -> None:
    rates = [learning_rate(point / 100, Recipe(rate=1.0, warm=0.1)) for point in range(101)]
    assert rates[0] == 0
    assert max(rates) == rates[10] == 1
    assert all(later <= earlier for earlier, later in pairwise(rates[10:]))


def test_weights_are_packed_and_unpacked(tmp_path: Path) -> None:
    weights = Encoder(SMALL).state_dict()
    data = pack_weights(weights, {"point": 1})
    assert len(data) < 2 * sum(value.numel() for value in weights.values())
    paths = write_parts(data, tmp_path / "weights.packed", 50_000)
    assert len(paths) > 1
    weights, about = unpack_weights(read_parts(tmp_path / "weights.packed"))
    assert about == {"point": 1}
    assert {name: value.shape for name, value in weights.items()} == {
        name: value.shape for name, value in weights.items()
    }
    assert all(torch.equal(weights[name], weights[name].half().float()) for name in weights)


def test_weights_without_a_head_get_one() -> None:
    weights = {
        name: value for name, value in Encoder(SMALL).state_dict().items() if not name.startswith(("dense", "bias"))
    }
    model = Encoder(SMALL)
    model.load_state_dict(add_head(weights))
    assert torch.equal(model.dense.weight, torch.eye(64))
    assert torch.equal(add_head(model.state_dict())["bias"], model.bias)


@pytest.fixture(scope="module")
def trained(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of shards and one of a training in two runs."""
    folder = tmp_path_factory.mktemp("training")
    (folder / "shards").mkdir()
    (folder / "shards" / "vocab.txt").write_text("".join(f"{piece}\n" for piece in VOCABULARY))
    (folder / "shards" / "tokenizer.json").write_text("{}")
    for name, size in (("train", 20_000), ("validation", 2_000)):
        text(size).tofile(folder / "shards" / f"{name}.bin")
    shape = ["--layers", 2, "--width", 64, "--batch", 32, "--lengths", "32,16"]
    recipe = [*shape, "--rate", 0.005, "--optimiser", "adamw", "--plain"]
    first, second = folder / "first", folder / "second"
    run(root, "training.train", folder / "shards", "--output", first, "--steps", 150, "--until", 0.5, *recipe)
    run(root, "training.train", folder / "shards", "--resume", first, "--output", second, "--steps", 150, *recipe)
    return folder


def lines(path: Path) -> list[dict[str, float]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_training_learns_and_goes_on_where_it_was(trained: Path) -> None:
    first, second = (lines(trained / name / "log.jsonl") for name in ("first", "second"))
    assert first[-1]["progress"] == 0.5
    assert first[-1]["step"] == 150
    assert second[-1]["progress"] == 1
    assert second[-1]["step"] == 300
    assert second[-1]["validation_loss"] < first[-1]["validation_loss"] < first[1]["loss"] - 0.1
    assert second[-1]["validation_accuracy"] > 0.4
    about = unpack_weights(read_parts(trained / "second" / "weights.packed"))[1]
    assert about["point"]["step"] == 300
    assert about["shape"]["layers"] == 2


def test_the_last_run_learns_in_8_bits(root: Path, trained: Path, tmp_path: Path) -> None:
    recipe = ["--layers", 2, "--width", 64, "--batch", 32, "--lengths", "32,16", "--rate", 0.005, "--plain"]
    again = ["--resume", trained / "first", "--steps", 150, "--optimiser", "adamw", "--bytes"]
    run(root, "training.train", trained / "shards", "--output", tmp_path, *again, *recipe)
    rounded, before = (lines(path / "log.jsonl")[-1]["validation_loss"] for path in (tmp_path, trained / "first"))
    assert rounded < before - 0.05
    weights, about = unpack_weights(read_parts(tmp_path / "weights.packed"))
    model = Encoder(Shape(**about["shape"])).eval()
    model.load_state_dict(weights)
    pieces = torch.from_numpy(text(60)[:24].astype(np.int64))[None]
    with torch.no_grad():
        exact = model(pieces)
        model.use_bytes()
        near = functional.cosine_similarity(exact, model(pieces), dim=-1).min()
    assert 0.99 < float(near) < 1 - 1e-6


def test_a_share_of_the_steps_takes_the_dictionary() -> None:
    sources = [choose_source(step, dictionary=0.3) for step in range(1000)]
    assert sources[:7] == [
        *(("train", at) for at in (0, 1, 2)),
        ("dictionary", 0),
        ("train", 3),
        ("train", 4),
        ("dictionary", 1),
    ]
    for name, count in (("dictionary", 300), ("train", 700)):
        assert [turn for which, turn in sources if which == name] == list(range(count))
    assert [choose_source(step, dictionary=0.0) for step in range(9)] == [("train", step) for step in range(9)]


def test_a_new_schedule_starts_from_trained_weights_with_a_dictionary(
    root: Path, trained: Path, tmp_path: Path
) -> None:
    np.random.default_rng(0).integers(8, 16, 3_000, np.uint16).tofile(tmp_path / "dictionary.bin")
    recipe = ["--layers", 2, "--width", 64, "--batch", 32, "--lengths", "32,16", "--rate", 0.001, "--plain"]
    start = ["--start", trained / "second" / "weights.packed", "--steps", 4, "--seed", 1]
    mixed = ["--dictionary", tmp_path / "dictionary.bin", "--mix", 0.5]
    for name, more in (("control", []), ("mixed", mixed)):
        run(root, "training.train", trained / "shards", "--output", tmp_path / name, *start, *recipe, *more)
    control, other = (lines(tmp_path / name / "log.jsonl") for name in ("control", "mixed"))
    before = lines(trained / "second" / "log.jsonl")[-1]["validation_loss"]
    assert abs(control[-1]["validation_loss"] - before) < 0.05
    assert (other[-1]["step"], other[-1]["progress"]) == (4, 1)
    assert other[1]["loss"] == control[1]["loss"]
    assert other[2]["loss"] > control[2]["loss"] + 0.5
    assert unpack_weights(read_parts(tmp_path / "mixed" / "weights.packed"))[1]["recipe"]["mix"] == 0.5


def test_training_draws_pairs_together(root: Path, trained: Path, tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    pieces = rng.integers(8, 16, (64, 1, 16)).repeat(2, axis=1)
    pieces[:, :, 0], pieces[:, :, -1] = 2, SEP
    pieces[:, 1, 8:] = 0
    spans = np.full((64, 2, 2), (3, 4))
    arrays = {"pieces": pieces, "spans": spans, "senses": np.arange(64), "words": np.arange(64) // 4}
    np.savez(tmp_path / "pairs.npz", **arrays)  # type: ignore[arg-type]
    recipe = ["--layers", 2, "--width", 64, "--batch", 32, "--lengths", "32,16", "--rate", 0.001, "--plain"]
    start = ["--start", trained / "second" / "weights.packed", "--steps", 100, "--optimiser", "adamw"]
    more = ["--pairs", tmp_path / "pairs.npz", "--contrast", 0.5]
    run(root, "training.train", trained / "shards", "--output", tmp_path / "run", *start, *recipe, *more)
    logged = lines(tmp_path / "run" / "log.jsonl")
    losses = [line["contrast"] for line in logged if "contrast" in line]
    assert losses[-1] < losses[0] / 2
    before = lines(trained / "second" / "log.jsonl")[-1]["validation_loss"]
    assert logged[-1]["validation_loss"] < before + 0.5


def test_the_exported_model_gives_the_same_scores(trained: Path, tmp_path: Path) -> None:
    transformers = pytest.importorskip("transformers", reason="needs transformers: pip install 'polyseme[lm]'")
    weights, about = unpack_weights(read_parts(trained / "second" / "weights.packed"))
    export_model(weights, about, trained / "shards", tmp_path, torch.float32)
    theirs = transformers.BertForMaskedLM.from_pretrained(tmp_path).eval()
    ours = Encoder(Shape(**about["shape"])).eval()
    ours.load_state_dict(weights)
    pieces = torch.from_numpy(text(60)[:24].astype(np.int64))[None]
    with torch.no_grad():
        assert torch.allclose(theirs(pieces).logits, ours.scores(ours(pieces)), atol=1e-4)
    back = from_hugging_face(to_hugging_face(weights, 2), 32)
    assert all(torch.equal(back[name], weights[name]) for name in weights)


def test_a_smaller_model_learns_from_a_larger_one_and_goes_on(root: Path, trained: Path, tmp_path: Path) -> None:
    shape = ["--layers", 1, "--width", 32, "--batch", 32, "--lengths", "32,16"]
    recipe = [*shape, "--rate", 0.005, "--optimiser", "adamw", "--plain"]
    learn = ["--teacher", trained / "second" / "weights.packed", "--soft", 0.7, *recipe]
    place = trained / "shards"
    run(root, "training.train", place, "--output", tmp_path, "--steps", 100, "--until", 0.5, *learn)
    run(root, "training.train", place, "--resume", tmp_path, "--output", tmp_path, "--steps", 100, *learn)
    logged = [line for line in lines(tmp_path / "log.jsonl") if "validation_loss" in line]
    assert logged[-1]["step"] == 200
    assert logged[-1]["validation_loss"] < logged[0]["validation_loss"] - 0.1
    about = unpack_weights(read_parts(tmp_path / "weights.packed"))[1]
    assert (about["shape"]["width"], about["recipe"]["soft"]) == (32, 0.7)
    command = [sys.executable, "-m", "training.train", str(place), "--output", str(tmp_path), "--soft", "0.7"]
    ran = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    assert ran.returncode == 2
    assert ran.stderr.endswith("error: --soft and --teacher need one another\n")
    ran = subprocess.run([*command[:-2], "--ask", "0.5"], cwd=root, capture_output=True, text=True, check=False)
    assert ran.returncode == 2
    assert ran.stderr.endswith("error: --alike and --ask need --teacher\n")
