"""Learning from a teacher what is asked later: substitutes in their pattern, and how similar usages of a word are."""

import importlib.util
import sys
from pathlib import Path

import pytest

if importlib.util.find_spec("torch") is None:
    pytest.skip("training needs torch: pip install 'polyseme[lm]'", allow_module_level=True)

import torch

sys.path.insert(0, str(Path(__file__).parents[2]))

from training.batch_sources import BatchSources
from training.batches import MASK, MaskedBatch, TokenStream, find_special_pieces
from training.contrast import find_content_pieces
from training.encoder import Encoder, Shape
from training.pattern_distillation import PatternDistillation, select_target_pieces
from training.recipe import Recipe
from training.teacher import pair_same_words, similarity_loss
from training.train import Trainer

from training import pattern_distillation

CPU = torch.device("cpu")
WORDS = "( ) or even the of . bank river water ##s ##man"
VOCABULARY = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *WORDS.split()]
NUMBER = {piece: number for number, piece in enumerate(VOCABULARY)}
TEXT = "the bank ##s of the river ##man ##s of the water . the of the of the of the . . ."
SENTENCE = TEXT.split()


@pytest.fixture(autouse=True)
def common(monkeypatch: pytest.MonkeyPatch) -> None:
    """A text as small as these has few pieces that could be common."""
    monkeypatch.setattr(pattern_distillation, "COMMON_PIECES", 1)


def text(times: int) -> TokenStream:
    """A sentence again and again."""
    pieces = torch.tensor([NUMBER[piece] for piece in SENTENCE * times])
    return TokenStream.from_pieces(pieces, find_special_pieces(VOCABULARY, CPU), within=1)


def draw_batch(places: list[int], length: int = 47, seed: int = 0) -> MaskedBatch:
    read, worth = text(20), find_content_pieces(VOCABULARY, CPU)
    distillation = PatternDistillation(
        VOCABULARY, find_special_pieces(VOCABULARY, CPU), select_target_pieces(read.pieces, worth)
    )
    return distillation.batch(read, torch.tensor(places), length, torch.Generator().manual_seed(seed))


def test_a_pattern_stands_behind_whole_words() -> None:
    seen = set()
    for seed in range(30):
        batch = draw_batch([0, 22, 44], seed=seed)
        assert batch.is_soft
        assert batch.pieces.shape == (3, 47)
        for row in batch.pieces.tolist():
            text = " ".join(VOCABULARY[number] for number in row)
            assert "[MASK] ) ##" not in text
            without = text.replace(" ( or even [MASK] )", "").split()
            assert without == ["[CLS]", *(SENTENCE * 3)[:30], "[SEP]"]
        for place, answer in zip(batch.places.tolist(), batch.answers.tolist(), strict=True):
            assert batch.pieces.flatten()[place] == MASK
            seen.add(answer)
    assert seen - {-100} == {NUMBER[word] for word in ("bank", "river", "water")}


def test_where_no_word_is_worth_it_nothing_is_asked() -> None:
    batch = draw_batch([12])
    assert batch.answers[0] == -100
    assert batch.answers[1] >= 0


def test_a_word_that_goes_on_in_the_next_part_is_not_learnt_from() -> None:
    pieces = ["the"] * 6 + ["bank", *["##s"] * 8, *["of"] * 15]
    read = TokenStream.from_pieces(
        torch.tensor([NUMBER[piece] for piece in pieces * 2]), find_special_pieces(VOCABULARY, CPU), within=0
    )
    worth = find_content_pieces(VOCABULARY, CPU)
    distillation = PatternDistillation(
        VOCABULARY, find_special_pieces(VOCABULARY, CPU), select_target_pieces(read.pieces, worth)
    )
    batch = distillation.batch(read, torch.tensor([0]), 47, torch.Generator().manual_seed(0))
    assert batch.answers.tolist() == [-100] * 3


def test_common_words_are_not_asked_about() -> None:
    worth = torch.tensor([False, True, True, True])
    assert select_target_pieces(torch.tensor([0, 0, 0, 1, 1, 2]), worth).tolist() == [False, True, True, True]
    assert select_target_pieces(torch.tensor([1, 1, 0, 2]), worth).tolist() == [False, False, True, True]


def test_places_of_one_word_are_drawn_together() -> None:
    pieces = torch.randint(5, 17, (8, 32), generator=torch.Generator().manual_seed(0))
    telling_ = torch.arange(17) > 11
    positions = pair_same_words(pieces, telling_, torch.Generator().manual_seed(1))
    assert sorted(positions.tolist()) == torch.nonzero(pieces.flatten() > 11)[:, 0].tolist()
    drawn = pieces.flatten()[positions]
    assert len(torch.unique_consecutive(drawn)) == len(torch.unique(drawn)) == 5


def test_similarities_are_compared_within_a_word_alone() -> None:
    ours, theirs = (torch.randn(6, 8, generator=torch.Generator().manual_seed(seed)) for seed in (0, 1))
    words = torch.tensor([1, 1, 1, 2, 2, 2])
    whole = similarity_loss(ours, theirs, words)
    parts = [similarity_loss(ours[part], theirs[part], words[part]) for part in (slice(0, 3), slice(3, 6))]
    assert whole.item() == pytest.approx((parts[0] + parts[1]).item() / 2)
    assert whole > 0.1
    assert similarity_loss(3 * theirs, theirs, words).item() == pytest.approx(0, abs=1e-6)
    assert similarity_loss(ours[:2], theirs[:2], torch.tensor([1, 2])).item() == 0


def test_a_smaller_model_learns_what_a_teacher_says_where_it_is_asked() -> None:
    shape = Shape(len(VOCABULARY), layers=1, width=32, inner=64, heads=1, positions=47)
    torch.manual_seed(2)
    wider = Encoder(Shape(len(VOCABULARY), layers=1, width=64, inner=64, heads=2, positions=47)).eval()
    with torch.no_grad():
        for weights in wider.parameters():
            weights += 0.3 * torch.randn_like(weights)
    recipe = Recipe(
        layers=1,
        batch=8,
        lengths=(47,),
        soft=0.5,
        near=0.0,
        alike=1.0,
        ask=0.5,
        rate=0.01,
        warm=0.0,
        optimiser="adamw",
    )
    trainer = Trainer(recipe, shape, VOCABULARY, CPU)
    trainer.learn_from(wider.state_dict(), wider.shape)
    trainer.place(compiled=False)
    read = text(60)
    trainer.targets = select_target_pieces(read.pieces, trainer.content)
    material = BatchSources(trainer, {"train": read, "validation": read})
    kinds = [material.batch(step).is_soft for step in range(4)]  # type: ignore[union-attr]
    assert kinds == [False, True, False, True]
    batch = draw_batch([0, 22, 44, 66])

    def far() -> tuple[float, float]:
        with torch.no_grad():
            hidden, theirs = trainer.model(batch.pieces), wider(batch.pieces)
            ours, others = (
                model.scores(vectors.flatten(0, 1)[batch.places]).softmax(1)
                for model, vectors in ((trainer.model, hidden), (wider, theirs))
            )
            places = pair_same_words(batch.pieces, trainer.targets, torch.Generator().manual_seed(0))
            words = batch.pieces.flatten()[places]
            alike = similarity_loss(hidden.flatten(0, 1)[places], theirs.flatten(0, 1)[places], words)
            return float((ours - others).abs().sum(1).mean()), float(alike)

    before = far()
    for step in range(150):
        trainer.step(material.batch(step))
    after = far()
    assert after[0] < before[0] / 2
    assert after[1] < before[1] / 2
