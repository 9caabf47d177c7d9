"""Contrastive learning: two views of a word in one sense attract, all others in the batch repel."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional
from training.batches import MASK, SPECIAL, SpecialPieces

SHORTEST_PIECE = 4
"""The least number of letters of a content piece: shorter ones are mostly function words."""

TEMPERATURE = 0.05
"""The temperature of cosines (Gao et al. 2021)."""


class ViewPair(NamedTuple):
    """Pairs of views: all first views, then all second views in the same order."""

    pieces: Tensor
    """2 · pairs × positions; 0 after the end of a text."""
    spans: Tensor
    """2 · pairs × 2: the first piece of the word and the one after its last."""
    senses: Tensor
    """Which pairs are of one sense; pairs × 1."""

    def concatenate(self, other: ViewPair) -> ViewPair:
        """The pairs of both batches."""
        size, more = len(self.senses), len(other.senses)
        pieces, spans = (
            torch.cat([one[:size], another[:more], one[size:], another[more:]])
            for one, another in zip(self[:2], other[:2], strict=True)
        )
        return ViewPair(pieces, spans, torch.cat([self.senses, other.senses]))


def contrastive_loss(hidden: Tensor, views: ViewPair, temperature: float = TEMPERATURE) -> Tensor:
    """The contrastive loss of pairs of views, in both directions. (van den Oord et al. 2018)

    −log exp(cos(a, b) / t) / Σ exp(cos(a, b′) / t), over all second views b′ of the batch but those of the same sense;
    a and b are the means of the vectors of the word's pieces.

    >>> pieces, spans = torch.ones(4, 3, dtype=torch.long), torch.tensor([[0, 1]] * 4)
    >>> views = ViewPair(pieces, spans, torch.tensor([7, 8]))
    >>> same = torch.eye(2).repeat(2, 1)[:, None].repeat(1, 3, 1)
    >>> round(contrastive_loss(same, views, temperature=1).item(), 3)
    0.313
    """
    places = torch.arange(hidden.shape[1], device=hidden.device)
    inside = (places >= views.spans[:, :1]) & (places < views.spans[:, 1:])
    means = torch.einsum("rpd,rp->rd", hidden.float(), inside.float())
    first, second = functional.normalize(means, dim=1).chunk(2)
    with torch.autocast(hidden.device.type, enabled=False):  # single precision, as the temperature is small
        cosines = first @ second.T / temperature
    size = len(views.senses)
    right = torch.arange(size, device=hidden.device)
    same = (views.senses[:, None] == views.senses) & ~torch.eye(size, dtype=torch.bool, device=hidden.device)
    cosines = cosines.masked_fill(same, -torch.inf)
    return (functional.cross_entropy(cosines, right) + functional.cross_entropy(cosines.T, right)) / 2


@dataclass(frozen=True)
class SensePairs:
    """The pairs that ``training.pairs`` wrote, on a device."""

    pieces: Tensor
    spans: Tensor
    senses: Tensor
    words: Tensor

    @classmethod
    def read(cls, path: Path, device: torch.device) -> SensePairs:
        """Read the pairs of a file."""
        with np.load(path) as arrays:
            names = ("pieces", "spans", "senses", "words")
            return cls(*(torch.from_numpy(arrays[name].astype(np.int64)).to(device) for name in names))

    def views(self, step: int, size: int, seed: int) -> ViewPair:
        """The pairs of a step; those of a word are in one batch, so that its senses repel each other."""
        epoch, step = divmod(step, max(len(self.words) // size, 1))
        generator = torch.Generator(self.words.device).manual_seed(seed * 1_000_003 + epoch)
        keys = torch.rand(int(self.words.max()) + 1, generator=generator, device=self.words.device)
        rows = keys[self.words].argsort(stable=True)[step * size : (step + 1) * size]
        pieces, spans = self.pieces[rows], self.spans[rows]
        return ViewPair(torch.cat([*pieces.unbind(1)]), torch.cat([*spans.unbind(1)]), self.senses[rows])


def find_content_pieces(vocabulary: list[str], device: torch.device) -> Tensor:
    """Whether a piece begins a content word, for every piece."""
    return torch.tensor([piece.isalpha() and len(piece) >= SHORTEST_PIECE for piece in vocabulary], device=device)


def draw_views(
    pieces: Tensor, marks: SpecialPieces, content: Tensor, share: float, generator: torch.Generator
) -> ViewPair:
    """Draw a word of every window; its second view has a share of the other words masked. (Liu et al. 2021)"""
    continues = marks.continues[pieces]
    chance = torch.rand(2, *pieces.shape, device=pieces.device, generator=generator)
    start = (chance[0] * content[pieces] * ~continues).argmax(1)
    words = (~continues).long().cumsum(1)
    own = words == words.gather(1, start[:, None])
    spans = torch.stack([start, start + own.sum(1)], 1)
    hidden = (chance[1].gather(1, words - words[:, :1]) < share) & (pieces >= SPECIAL) & ~own
    senses = -1 - torch.arange(len(pieces), device=pieces.device)
    return ViewPair(torch.cat([pieces, pieces.masked_fill(hidden, MASK)]), spans.repeat(2, 1), senses)
