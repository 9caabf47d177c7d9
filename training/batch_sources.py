"""The batches of a training, step by step, from all its sources."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import Tensor
from training.batches import MaskedBatch, SpecialPieces, TokenStream, WindowOrder, mask_words
from training.contrast import SensePairs, ViewPair, draw_views
from training.pattern_distillation import PatternDistillation

if TYPE_CHECKING:
    from training.train import Trainer


def choose_source(step: int, **shares: float) -> tuple[str, int]:
    """Choose the source of a step; also how many earlier steps had it.

    A share is of the steps that earlier sources left.

    >>> [choose_source(step, dictionary=0.5) for step in range(4)]
    [('train', 0), ('dictionary', 0), ('train', 1), ('dictionary', 1)]
    >>> choose_source(99, dictionary=0.0)
    ('train', 99)
    >>> choose_source(98, pairs=0.5, dictionary=0.1), choose_source(99, pairs=0.5, dictionary=0.1)
    (('dictionary', 4), ('pairs', 49))
    """
    for name, share in shares.items():
        # A little more than the share, so that ten tenths are one.
        before, after = (int(steps * share + 1e-6) for steps in (step, step + 1))
        if after > before:
            return name, before
        step -= before
    return "train", step


class BatchSources:
    """The sources of batches; the windows, masks and pairs of a step depend on the seed and the step alone."""

    def __init__(self, trainer: Trainer, texts: dict[str, TokenStream], pairs: SensePairs | None = None) -> None:
        self.trainer, self.texts, self.pairs = trainer, texts, pairs
        recipe, self.longest = trainer.recipe, max(trainer.recipe.lengths)
        self.orders = {
            name: WindowOrder(len(text.pieces), recipe.batch, self.longest, recipe.seed, trainer.device)
            for name, text in texts.items()
        }
        self.patterns = PatternDistillation(trainer.vocabulary, trainer.marks, trainer.targets) if recipe.ask else None
        if self.patterns:
            # Other windows than those whose words are masked at the same time.
            size, seed = len(texts["train"].pieces), recipe.seed + 1
            self.orders["asked"] = WindowOrder(size, recipe.batch, self.longest, seed, trainer.device)

    def batch(self, step: int) -> MaskedBatch | ViewPair:
        """The batch of a step."""
        recipe, device = self.trainer.recipe, self.trainer.device
        name, turn = choose_source(step, pairs=recipe.contrast, asked=recipe.ask, dictionary=recipe.mix)
        generator = torch.Generator(device).manual_seed(recipe.seed * 1_000_003 + step)
        if name == "pairs":
            return self._views(turn, generator)
        if self.patterns and name == "asked":
            return self.patterns.batch(self.texts["train"], self.orders[name].places(turn), self.longest, generator)
        windows = self._windows(name, turn, recipe.lengths[step % len(recipe.lengths)])
        return mask_words(windows, self.trainer.marks.continues, recipe.share, generator)

    def _windows(self, name: str, turn: int, length: int) -> Tensor:
        # Shorter windows are parts of a long one, so that every step has the same number of pieces.
        parts = torch.arange(self.longest // length, device=self.trainer.device) * (length - 2)
        places = (self.orders[name].places(turn)[:, None] + parts).flatten()
        return self.texts[name].windows(places, length)

    def _views(self, turn: int, generator: torch.Generator) -> ViewPair:
        """Pairs of the dictionary and of the text, with as many pieces as in other steps."""
        assert self.pairs is not None
        recipe, trainer = self.trainer.recipe, self.trainer
        length = self.pairs.pieces.shape[2]
        size = recipe.batch * self.longest // length // 2
        drawn = int(size * recipe.views)
        views = self.pairs.views(turn, size - drawn, recipe.seed)
        windows = self._windows("train", turn, length)[:drawn]
        return views.concatenate(draw_views(windows, trainer.marks, trainer.content, recipe.share, generator))


def load_stream(path: Path, marks: SpecialPieces, within: int) -> TokenStream:
    """Load the pieces of a file to the device of the marks; see :meth:`TokenStream.from_pieces`."""
    pieces = torch.from_numpy(np.fromfile(path, np.uint16).astype(np.int32)).to(marks.continues.device)
    return TokenStream.from_pieces(pieces, marks, within)
