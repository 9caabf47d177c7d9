"""Windows of a stream of pieces, and masks of whole words, all on the training device."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor

CLS, SEP, MASK = 2, 3, 4
"""Numbers of special pieces."""

SPECIAL = 5
"""How many special pieces there are; they have the first numbers."""


class SpecialPieces(NamedTuple):
    """Properties of the pieces of a vocabulary, a boolean for every piece."""

    continues: Tensor
    """Whether it continues a word."""
    ends: Tensor
    """Whether it can end a sentence or a document."""
    closes: Tensor
    """Whether it can follow the end of a sentence and belong to it: quotes, brackets."""


def find_special_pieces(vocabulary: list[str], device: torch.device) -> SpecialPieces:
    """Read the properties of pieces off their spelling."""
    continues = [piece.startswith("##") for piece in vocabulary]
    ends = [piece in {".", "!", "?", "[SEP]"} for piece in vocabulary]
    closes = [piece in {'"', "'", ")", "”", "’"} for piece in vocabulary]
    return SpecialPieces(*(torch.tensor(flags, device=device) for flags in (continues, ends, closes)))


def find_sentence_starts(pieces: Tensor, marks: SpecialPieces, within: int) -> Tensor:
    """Find the sentence start at or before every position; the position itself if that is farther than ``within``.

    >>> marks = find_special_pieces(["a", ".", '"'], torch.device("cpu"))
    >>> find_sentence_starts(torch.tensor([0, 1, 2, 0, 0, 0]), marks, within=2).tolist()
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
class TokenStream:
    """A stream of pieces on a device, with the sentence start of every position."""

    pieces: Tensor
    starts: Tensor

    @classmethod
    def from_pieces(cls, pieces: Tensor, marks: SpecialPieces, within: int) -> TokenStream:
        """A stream whose windows begin at a sentence start if one is near."""
        return cls(pieces, find_sentence_starts(pieces, marks, within))

    def windows(self, places: Tensor, length: int) -> Tensor:
        """Windows near these positions, between ``[CLS]`` and ``[SEP]``."""
        inside = torch.arange(length - 2, device=places.device)
        rows = self.pieces[self.starts[places].long()[:, None] + inside].long()
        edge = rows.new_ones(len(rows), 1)
        return torch.cat([edge * CLS, rows, edge * SEP], 1)


class WindowOrder:
    """The order of windows: all of them once in an epoch, with other borders and another order in every epoch."""

    def __init__(self, size: int, batch: int, length: int, seed: int, device: torch.device) -> None:
        self.size, self.batch, self.stride, self.seed, self.device = size, batch, length - 2, seed, device
        # A window may begin anywhere in its stretch and must end within the text.
        self.steps = max((size - 2 * self.stride) // self.stride // batch, 1)
        self._epoch, self._places = -1, torch.empty(0)

    def places(self, step: int) -> Tensor:
        """The positions at which the windows of a step begin."""
        epoch, step = divmod(step, self.steps)
        if epoch != self._epoch:
            generator = torch.Generator(self.device).manual_seed(self.seed * 1_000_003 + epoch)
            shift = torch.randint(self.stride, (1,), generator=generator, device=self.device)
            count = (self.size - 2 * self.stride) // self.stride
            self._places = torch.randperm(count, generator=generator, device=self.device) * self.stride + shift
            self._epoch = epoch
        return self._places[step * self.batch : (step + 1) * self.batch]


class MaskedBatch(NamedTuple):
    """Pieces with masked words, and the answers."""

    pieces: Tensor
    places: Tensor
    """Positions in the flattened pieces that the model predicts."""
    answers: Tensor
    """The original pieces; −100 for padding."""
    hidden: Tensor
    """Whether a position has ``[MASK]``; others have the original piece or a random one."""
    is_soft: bool = False
    """Whether only the teacher's distribution counts; the answers then only mark the positions."""


def mask_words(
    pieces: Tensor, continues: Tensor, share: float, generator: torch.Generator, unmasked: float = 0.2
) -> MaskedBatch:
    """Mask whole words.

    Args:
        pieces: Windows of pieces.
        continues: Whether a piece continues a word.
        share: The share of words to mask.
        generator: The source of randomness.
        unmasked: The share of masked words that keep their pieces (half) or get random ones (half).
    """
    starts = ~continues[pieces]
    words = starts.long().cumsum(1)
    chance = torch.rand(2, pieces.shape[0], pieces.shape[1] + 1, device=pieces.device, generator=generator)
    chosen = (chance[0].gather(1, words) < share) & (pieces >= SPECIAL)
    how = chance[1].gather(1, words)
    others = torch.randint(SPECIAL, len(continues), pieces.shape, device=pieces.device, generator=generator)
    guess = torch.where(how < unmasked / 2, pieces, torch.where(how < unmasked, others, MASK))
    # Every step has as many positions, so that shapes are static: padding fills up, or a few are dropped.
    size = min(int(pieces.numel() * share * 1.1) + 8, pieces.numel())
    places = chosen.flatten().to(torch.int8).argsort(descending=True, stable=True)[:size]
    answers = torch.where(chosen.flatten()[places], pieces.flatten()[places], -100)
    return MaskedBatch(torch.where(chosen, guess, pieces), places, answers, (how >= unmasked).flatten()[places])
