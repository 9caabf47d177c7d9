"""What a training learns from, step by step."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import Tensor
from training.asking import Asking
from training.batches import Masked, Order, Text, masked
from training.contrast import Pairs, Views, views_of

if TYPE_CHECKING:
    from training.train import Trainer


def source(step: int, **shares: float) -> tuple[str, int]:
    """What a step learns from, and how many steps before it did so too; a share is of what those before it left.

    >>> [source(step, dictionary=0.5) for step in range(4)]
    [('train', 0), ('dictionary', 0), ('train', 1), ('dictionary', 1)]
    >>> source(99, dictionary=0.0), source(98, pairs=0.5, dictionary=0.1), source(99, pairs=0.5, dictionary=0.1)
    (('train', 99), ('dictionary', 4), ('pairs', 49))
    """
    for name, share in shares.items():
        # A little more than the share, so that a tenth ten times is one.
        before, after = (int(steps * share + 1e-6) for steps in (step, step + 1))
        if after > before:
            return name, before
        step -= before
    return "train", step


class Material:
    """What a training learns from; which windows, masks and pairs a step has depends on the seed and the step alone."""

    def __init__(self, trainer: Trainer, texts: dict[str, Text], pairs: Pairs | None = None) -> None:
        self.trainer, self.texts, self.pairs = trainer, texts, pairs
        recipe, self.longest = trainer.recipe, max(trainer.recipe.lengths)
        self.orders = {
            name: Order(len(text.pieces), recipe.batch, self.longest, recipe.seed, trainer.device)
            for name, text in texts.items()
        }
        self.asking = Asking(trainer.vocabulary, trainer.marks, trainer.telling) if recipe.ask else None
        if self.asking:
            # Other windows than those whose words are guessed at the same time.
            size, seed = len(texts["train"].pieces), recipe.seed + 1
            self.orders["asked"] = Order(size, recipe.batch, self.longest, seed, trainer.device)

    def batch(self, step: int) -> Masked | Views:
        """What a step learns from."""
        recipe, device = self.trainer.recipe, self.trainer.device
        name, turn = source(step, pairs=recipe.contrast, asked=recipe.ask, dictionary=recipe.mix)
        generator = torch.Generator(device).manual_seed(recipe.seed * 1_000_003 + step)
        if name == "pairs":
            return self._views(turn, generator)
        if self.asking and name == "asked":
            return self.asking.batch(self.texts["train"], self.orders[name].places(turn), self.longest, generator)
        windows = self._windows(name, turn, recipe.lengths[step % len(recipe.lengths)])
        return masked(windows, self.trainer.marks.continues, recipe.share, generator)

    def _windows(self, name: str, turn: int, length: int) -> Tensor:
        # A shorter window is a part of a longer one, so that every step has as many pieces.
        parts = torch.arange(self.longest // length, device=self.trainer.device) * (length - 2)
        places = (self.orders[name].places(turn)[:, None] + parts).flatten()
        return self.texts[name].windows(places, length)

    def _views(self, turn: int, generator: torch.Generator) -> Views:
        """Pairs of the dictionary and of the text, in as many pieces as any step has."""
        assert self.pairs is not None
        recipe, trainer = self.trainer.recipe, self.trainer
        length = self.pairs.pieces.shape[2]
        size = recipe.batch * self.longest // length // 2
        seen = int(size * recipe.views)
        views = self.pairs.views(turn, size - seen, recipe.seed)
        windows = self._windows("train", turn, length)[:seen]
        return views.joined(views_of(windows, trainer.marks, trainer.worth, recipe.share, generator))


def text_of(path: Path, trainer: Trainer) -> Text:
    """The pieces of a file, on the device."""
    pieces = torch.from_numpy(np.fromfile(path, np.uint16).astype(np.int32)).to(trainer.device)
    return Text.of(pieces, trainer.marks, within=max(trainer.recipe.lengths) // 3)
