"""Windows of a row of pieces, and whole words that are masked in them; all on the device that trains."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor

CLS, SEP, MASK = 2, 3, 4
"""Numbers of special pieces."""

SPECIAL = 5
"""How many special pieces there are; they have the first numbers."""


class Marks(NamedTuple):
    """What is known of each piece of a vocabulary."""

    continues: Tensor
    """Whether it goes on with a word."""
    ends: Tensor
    """Whether a sentence, or a document, may end with it."""
    closes: Tensor
    """Whether it may stand after the end of a sentence and yet belong to it."""


def marks_of(vocabulary: list[str], device: torch.device) -> Marks:
    """What is known of the pieces by how they are written."""
    continues = [piece.startswith("##") for piece in vocabulary]
    ends = [piece in {".", "!", "?", "[SEP]"} for piece in vocabulary]
    closes = [piece in {'"', "'", ")", "”", "’"} for piece in vocabulary]
    return Marks(*(torch.tensor(each, device=device) for each in (continues, ends, closes)))


def sentence_starts(pieces: Tensor, marks: Marks, within: int) -> Tensor:
    """For each place the sentence start at or before it, or the place itself where that is too far.

    >>> marks = marks_of(["a", ".", '"'], torch.device("cpu"))
    >>> sentence_starts(torch.tensor([0, 1, 2, 0, 0, 0]), marks, within=2).tolist()
    [0, 0, 0, 3, 3, 3]
    """
    ends, closes = marks.ends[pieces], marks.closes[pieces]
    after = torch.zeros_like(ends)
    after[0] = True
    after[1:] = ends[:-1] & ~closes[1:]
    after[2:] |= ends[:-2] & closes[1:-1]
    places = torch.arange(len(pieces), dtype=torch.int32, device=pieces.device)
    starts = torch.cummax(torch.where(after, places, 0), 0).values
    return torch.where(places - starts <= within, starts, places)


@dataclass(frozen=True)
class Text:
    """A row of pieces on a device, and where the sentences start."""

    pieces: Tensor
    starts: Tensor

    @classmethod
    def of(cls, pieces: Tensor, marks: Marks, within: int) -> Text:
        """A row of pieces; windows begin at a sentence's start where one is near."""
        return cls(pieces, sentence_starts(pieces, marks, within))

    def windows(self, places: Tensor, length: int) -> Tensor:
        """Windows at about these places, each with ``[CLS]`` before it and ``[SEP]`` after it."""
        inside = torch.arange(length - 2, device=places.device)
        rows = self.pieces[self.starts[places].long()[:, None] + inside].long()
        edge = rows.new_ones(len(rows), 1)
        return torch.cat([edge * CLS, rows, edge * SEP], 1)


class Order:
    """Every window once in an epoch, in an order and with borders that differ from epoch to epoch."""

    def __init__(self, size: int, batch: int, length: int, seed: int, device: torch.device) -> None:
        self.size, self.batch, self.stride, self.seed, self.device = size, batch, length - 2, seed, device
        # A window may begin anywhere in its stretch and must end within the text.
        self.steps = max((size - 2 * self.stride) // self.stride // batch, 1)
        self._epoch, self._places = -1, torch.empty(0)

    def places(self, step: int) -> Tensor:
        """Where the windows of a step begin."""
        epoch, step = divmod(step, self.steps)
        if epoch != self._epoch:
            generator = torch.Generator(self.device).manual_seed(self.seed * 1_000_003 + epoch)
            shift = torch.randint(self.stride, (1,), generator=generator, device=self.device)
            count = (self.size - 2 * self.stride) // self.stride
            self._places = torch.randperm(count, generator=generator, device=self.device) * self.stride + shift
            self._epoch = epoch
        return self._places[step * self.batch : (step + 1) * self.batch]


class Masked(NamedTuple):
    """Pieces some of which are hidden, and what was there."""

    pieces: Tensor
    places: Tensor
    """Places in the flattened pieces that are to be guessed."""
    answers: Tensor
    """The pieces there; −100 for a place that is only there to fill up."""
    hidden: Tensor
    """Whether a place shows ``[MASK]``; at others a piece, the right one or any other, is shown."""
    told: bool = False
    """Whether only a teacher knows what may be there: the answers then only say which places are to be guessed."""


def masked(pieces: Tensor, continues: Tensor, share: float, generator: torch.Generator, shown: float = 0.2) -> Masked:
    """Hide whole words: so many of them, most behind ``[MASK]``; half of the rest are shown, half are other pieces."""
    starts = ~continues[pieces]
    words = starts.long().cumsum(1)
    chance = torch.rand(2, pieces.shape[0], pieces.shape[1] + 1, device=pieces.device, generator=generator)
    chosen = (chance[0].gather(1, words) < share) & (pieces >= SPECIAL)
    how = chance[1].gather(1, words)
    others = torch.randint(SPECIAL, len(continues), pieces.shape, device=pieces.device, generator=generator)
    guess = torch.where(how < shown / 2, pieces, torch.where(how < shown, others, MASK))
    # As many places at each step, so that shapes are known beforehand: some fill up, or a few are left out.
    size = min(int(pieces.numel() * share * 1.1) + 8, pieces.numel())
    places = chosen.flatten().to(torch.int8).argsort(descending=True, stable=True)[:size]
    answers = torch.where(chosen.flatten()[places], pieces.flatten()[places], -100)
    return Masked(torch.where(chosen, guess, pieces), places, answers, (how >= shown).flatten()[places])
