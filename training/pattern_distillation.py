"""Distillation of substitutes: batches in the pattern with which sense induction queries the model.

``training.train --ask 0.3`` takes this share of its steps (of those without pairs) from here. Such a position has no
correct word, so the model learns the teacher's distribution only.
"""

from __future__ import annotations

import torch
from torch import Tensor
from training.batches import MASK, MaskedBatch, SpecialPieces, TokenStream

BEFORE, AFTER = ("(", "or", "even"), (")",)
"""The pattern before and after the masked position; it follows the target word."""

TARGETS = 3
"""Target words in a window, one in each segment of it."""

EDGE = 3
"""Pieces at the end of a segment that are no targets, as their word may continue in the next segment."""

COMMON_PIECES = 200
"""The most frequent pieces, which are no targets: most of them are function words."""


def select_target_pieces(text: Tensor, content: Tensor) -> Tensor:
    """Select the pieces that begin a target word: content pieces without the most frequent ones.

    >>> bool(select_target_pieces(torch.arange(300), torch.ones(300, dtype=torch.bool)).sum() == 300 - COMMON_PIECES)
    True
    """
    counts = torch.bincount(text.long(), minlength=len(content))
    targets = content.clone()
    targets[counts.argsort(descending=True)[:COMMON_PIECES]] = False
    return targets


class PatternDistillation:
    """Inserts the pattern after target words of a text."""

    def __init__(self, vocabulary: list[str], marks: SpecialPieces, targets: Tensor) -> None:
        numbers = {piece: number for number, piece in enumerate(vocabulary)}
        pattern = [*(numbers[piece] for piece in BEFORE), MASK, *(numbers[piece] for piece in AFTER)]
        self.pattern = torch.tensor(pattern, device=targets.device)
        self.marks, self.targets = marks, targets

    def batch(self, text: TokenStream, places: Tensor, length: int, generator: torch.Generator) -> MaskedBatch:
        """Build a batch of windows near these positions, of this length with the patterns."""
        size = len(self.pattern)
        inside = (length - 2) // TARGETS - size
        windows = text.windows(places, TARGETS * inside + 2)
        segments, masks, words = self._insert_patterns(windows[:, 1:-1].reshape(-1, inside), generator)
        pieces = torch.cat([windows[:, :1], segments.reshape(len(windows), -1), windows[:, -1:]], 1)
        rows = torch.arange(len(windows), device=pieces.device)[:, None] * pieces.shape[1] + 1
        starts = torch.arange(TARGETS, device=pieces.device) * (inside + size)
        return MaskedBatch(
            pieces, (rows + starts).flatten() + masks, words, torch.ones_like(masks, dtype=torch.bool), is_soft=True
        )

    def _insert_patterns(self, segments: Tensor, generator: torch.Generator) -> tuple[Tensor, Tensor, Tensor]:
        """Insert the pattern after one word of every segment; also the masked positions and the words (−100: none)."""
        continues = self.marks.continues[segments]
        fits = self.targets[segments] & ~continues
        fits[:, -EDGE:] = False
        start = (torch.rand(segments.shape, device=segments.device, generator=generator) * fits).argmax(1, keepdim=True)
        words = (~continues).long().cumsum(1)
        end = start + (words == words.gather(1, start)).sum(1, keepdim=True)
        size = len(self.pattern)
        places = torch.arange(segments.shape[1] + size, device=segments.device).expand(len(segments), -1)
        text = segments.gather(1, torch.where(places < end, places, places - size).clamp(0, segments.shape[1] - 1))
        inside = (places >= end) & (places < end + size)
        pieces = torch.where(inside, self.pattern[(places - end).clamp(0, size - 1)], text)
        whole = fits.gather(1, start) & (end < segments.shape[1])
        answers = torch.where(whole, segments.gather(1, start), -100)
        return pieces, end[:, 0] + len(BEFORE), answers[:, 0]
