"""Two views of a word in one sense, to be drawn together, and all others of a batch, to be told apart."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional
from training.batches import MASK, SPECIAL, Marks

LONGER = 4
"""Letters that a piece has at least whose word is looked at: shorter ones mostly do grammar."""

TEMPERATURE = 0.05
"""What cosines are divided by (Gao et al. 2021)."""


class Views(NamedTuple):
    """First views and then second ones, as many; the two of a pair are as far apart as there are pairs."""

    pieces: Tensor
    """2 · pairs × places; 0 behind the end of a text."""
    spans: Tensor
    """2 · pairs × 2: the first piece of the word and the one after its last."""
    senses: Tensor
    """Which pairs are of one sense; pairs × 1."""

    def joined(self, other: Views) -> Views:
        """The pairs of both."""
        size, more = len(self.senses), len(other.senses)
        pieces, spans = (
            torch.cat([one[:size], another[:more], one[size:], another[more:]])
            for one, another in zip(self[:2], other[:2], strict=True)
        )
        return Views(pieces, spans, torch.cat([self.senses, other.senses]))


def contrasted(hidden: Tensor, views: Views, temperature: float = TEMPERATURE) -> Tensor:
    """How well the second view of each pair is found by the first, and the first by the second. (van den Oord 2018)

    −log exp(cos(a, b) / t) / Σ exp(cos(a, b′) / t), over all second views b′ of the batch but those of the same sense;
    a and b are the means of the vectors of the word's pieces.

    >>> pieces, spans = torch.ones(4, 3, dtype=torch.long), torch.tensor([[0, 1]] * 4)
    >>> views = Views(pieces, spans, torch.tensor([7, 8]))
    >>> same = torch.eye(2).repeat(2, 1)[:, None].repeat(1, 3, 1)
    >>> round(contrasted(same, views, temperature=1).item(), 3)
    0.313
    """
    places = torch.arange(hidden.shape[1], device=hidden.device)
    inside = (places >= views.spans[:, :1]) & (places < views.spans[:, 1:])
    means = torch.einsum("rpd,rp->rd", hidden.float(), inside.float())
    first, second = functional.normalize(means, dim=1).chunk(2)
    with torch.autocast(hidden.device.type, enabled=False):  # in single precision, as they are divided by little
        cosines = first @ second.T / temperature
    size = len(views.senses)
    right = torch.arange(size, device=hidden.device)
    same = (views.senses[:, None] == views.senses) & ~torch.eye(size, dtype=torch.bool, device=hidden.device)
    cosines = cosines.masked_fill(same, -torch.inf)
    return (functional.cross_entropy(cosines, right) + functional.cross_entropy(cosines.T, right)) / 2


@dataclass(frozen=True)
class Pairs:
    """What ``training.pairs`` wrote, on a device."""

    pieces: Tensor
    spans: Tensor
    senses: Tensor
    words: Tensor

    @classmethod
    def read(cls, path: Path, device: torch.device) -> Pairs:
        """The pairs of a file."""
        with np.load(path) as found:
            names = ("pieces", "spans", "senses", "words")
            return cls(*(torch.from_numpy(found[name].astype(np.int64)).to(device) for name in names))

    def views(self, step: int, size: int, seed: int) -> Views:
        """The pairs of a step; those of a word stand together, so that its senses are to be told from one another."""
        epoch, step = divmod(step, max(len(self.words) // size, 1))
        generator = torch.Generator(self.words.device).manual_seed(seed * 1_000_003 + epoch)
        lots = torch.rand(int(self.words.max()) + 1, generator=generator, device=self.words.device)
        rows = lots[self.words].argsort(stable=True)[step * size : (step + 1) * size]
        pieces, spans = self.pieces[rows], self.spans[rows]
        return Views(torch.cat([*pieces.unbind(1)]), torch.cat([*spans.unbind(1)]), self.senses[rows])


def seldom_grammar(vocabulary: list[str], device: torch.device) -> Tensor:
    """Which pieces begin a word that is worth looking at."""
    return torch.tensor([piece.isalpha() and len(piece) >= LONGER for piece in vocabulary], device=device)


def views_of(pieces: Tensor, marks: Marks, worth: Tensor, share: float, generator: torch.Generator) -> Views:
    """A word of each window as it is, and again with a share of the other words hidden. (Liu et al. 2021)"""
    continues = marks.continues[pieces]
    chance = torch.rand(2, *pieces.shape, device=pieces.device, generator=generator)
    start = (chance[0] * worth[pieces] * ~continues).argmax(1)
    words = (~continues).long().cumsum(1)
    own = words == words.gather(1, start[:, None])
    spans = torch.stack([start, start + own.sum(1)], 1)
    hidden = (chance[1].gather(1, words - words[:, :1]) < share) & (pieces >= SPECIAL) & ~own
    senses = -1 - torch.arange(len(pieces), device=pieces.device)
    return Views(torch.cat([pieces, pieces.masked_fill(hidden, MASK)]), spans.repeat(2, 1), senses)
