"""Views of words that are drawn together and told apart."""

import doctest
import importlib.util
import sys
from pathlib import Path

import numpy as np
import pytest

if importlib.util.find_spec("torch") is None:
    pytest.skip("training needs torch: pip install 'polyseme[lm]'", allow_module_level=True)

import torch

sys.path.insert(0, str(Path(__file__).parents[2]))

from training.batches import MASK, find_special_pieces
from training.contrast import SensePairs, ViewPair, contrastive_loss, draw_views, find_content_pieces
from training.encoder import Encoder, Shape

from training import contrast, train

CPU = torch.device("cpu")
VOCABULARY = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "bank", "lend", "##er", "the", "river"]


def test_examples() -> None:
    assert not doctest.testmod(contrast).failed
    assert not doctest.testmod(train).failed


def test_pairs_of_one_sense_are_no_wrong_answers() -> None:
    hidden = torch.eye(3)[[0, 0, 1, 0, 0, 1]][:, None]
    spans = torch.tensor([[0, 1]] * 6)
    pieces = torch.ones(6, 1, dtype=torch.long)
    apart = contrastive_loss(hidden, ViewPair(pieces, spans, torch.tensor([1, 2, 3])))
    together = contrastive_loss(hidden, ViewPair(pieces, spans, torch.tensor([1, 1, 3])))
    assert together.item() < 1e-6
    assert apart.item() == pytest.approx(2 / 3 * np.log(2), abs=1e-6)


def test_a_window_is_seen_twice_with_its_word_in_both() -> None:
    windows = torch.tensor([[2, 8, 6, 7, 8, 8, 8, 8, 8, 8, 3], [2, 8, 8, 8, 8, 8, 8, 8, 8, 9, 3]])
    worth = find_content_pieces(VOCABULARY, CPU)
    assert worth.tolist() == [False] * 5 + [True, True, False, False, True]
    views = draw_views(windows, find_special_pieces(VOCABULARY, CPU), worth, 0.5, torch.Generator().manual_seed(0))
    assert views.spans.tolist() == [[2, 4], [9, 10], [2, 4], [9, 10]]
    assert torch.equal(views.pieces[:2], windows)
    changed = views.pieces[2:] != windows
    assert (views.pieces[2:][changed] == MASK).all()
    assert 0 < changed.sum() < changed.numel() - 6
    assert not changed[0, 2:4].any()
    assert not changed[:, [0, -1]].any()
    assert len(set(views.senses.tolist())) == 2


def test_every_pair_comes_once_in_an_epoch_with_those_of_its_word(tmp_path: Path) -> None:
    words = np.repeat(np.arange(8), 4)
    pieces = np.arange(32)[:, None, None] + np.array([[100], [200]])
    arrays = {"pieces": pieces, "spans": np.zeros((32, 2, 2)), "senses": np.arange(32), "words": words}
    np.savez(tmp_path / "pairs.npz", **arrays)
    pairs = SensePairs.read(tmp_path / "pairs.npz", CPU)
    steps = [pairs.views(step, 8, seed=3) for step in range(8)]
    for epoch in (steps[:4], steps[4:]):
        assert sorted(torch.cat([each.senses for each in epoch]).tolist()) == list(range(32))
    assert all(len(set(words[each.senses.numpy()].tolist())) == 2 for each in steps)
    assert steps[0].senses.tolist() != steps[4].senses.tolist()
    assert steps[0].pieces[:, 0].tolist() == [*(steps[0].senses + 100).tolist(), *(steps[0].senses + 200).tolist()]


def test_what_is_not_there_is_not_looked_at() -> None:
    model = Encoder(Shape(len(VOCABULARY), layers=2, width=64, inner=256, heads=2, positions=32)).eval()
    short, padded = torch.tensor([[2, 5, 6, 3]]), torch.tensor([[2, 5, 6, 3, 0, 0]])
    with torch.no_grad():
        alone, beside = model(short), model(padded, padded > 0)
    assert torch.allclose(alone, beside[:, :4], atol=1e-5)
    assert not torch.allclose(alone, model(padded)[:, :4], atol=1e-5)
