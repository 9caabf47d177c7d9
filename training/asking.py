"""Texts in which a model is asked for substitutes as it is asked when senses are made, for learning from a teacher.

``training.train --ask 0.3`` takes so large a share of the steps, of those that compare no pairs, from here. Nobody
knows what ought to stand in such a place, so that only a teacher's answer is learnt there.
"""

from __future__ import annotations

import torch
from torch import Tensor
from training.batches import MASK, Marks, Masked, Text

BEFORE, AFTER = ("(", "or", "even"), (")",)
"""What stands before the place that is asked about, and after it; the word itself is before all that."""

TIMES = 3
"""How many words of a window are asked about, each in a part of its own."""

EDGE = 3
"""No word is asked about that begins so near to the end of its part, as it might go on in the next; nor is one learnt
from that ends there all the same."""

COMMON = 200
"""So many pieces, the most frequent ones, are asked about in no text: most of them do grammar."""


def telling(text: Tensor, worth: Tensor) -> Tensor:
    """Which pieces begin a word that is asked about: of those that are worth it, all that are not common in a text.

    >>> bool(telling(torch.arange(300), torch.ones(300, dtype=torch.bool)).sum() == 300 - COMMON)
    True
    """
    counts = torch.bincount(text.long(), minlength=len(worth))
    found = worth.clone()
    found[counts.argsort(descending=True)[:COMMON]] = False
    return found


class Asking:
    """Puts a pattern behind some words of a text."""

    def __init__(self, vocabulary: list[str], marks: Marks, telling: Tensor) -> None:
        numbers = {piece: number for number, piece in enumerate(vocabulary)}
        pattern = [*(numbers[piece] for piece in BEFORE), MASK, *(numbers[piece] for piece in AFTER)]
        self.pattern = torch.tensor(pattern, device=telling.device)
        self.marks, self.telling = marks, telling

    def batch(self, text: Text, places: Tensor, length: int, generator: torch.Generator) -> Masked:
        """Windows at about these places of a text, so long with the patterns; in each, some words are asked about."""
        size = len(self.pattern)
        inside = (length - 2) // TIMES - size
        windows = text.windows(places, TIMES * inside + 2)
        parts, at, words = self._asked(windows[:, 1:-1].reshape(-1, inside), generator)
        pieces = torch.cat([windows[:, :1], parts.reshape(len(windows), -1), windows[:, -1:]], 1)
        rows = torch.arange(len(windows), device=pieces.device)[:, None] * pieces.shape[1] + 1
        starts = torch.arange(TIMES, device=pieces.device) * (inside + size)
        return Masked(pieces, (rows + starts).flatten() + at, words, torch.ones_like(at, dtype=torch.bool), told=True)

    def _asked(self, parts: Tensor, generator: torch.Generator) -> tuple[Tensor, Tensor, Tensor]:
        """Each part with the pattern behind one of its words; where it is masked; the word, or −100 where none is."""
        continues = self.marks.continues[parts]
        fits = self.telling[parts] & ~continues
        fits[:, -EDGE:] = False
        start = (torch.rand(parts.shape, device=parts.device, generator=generator) * fits).argmax(1, keepdim=True)
        words = (~continues).long().cumsum(1)
        end = start + (words == words.gather(1, start)).sum(1, keepdim=True)
        size = len(self.pattern)
        places = torch.arange(parts.shape[1] + size, device=parts.device).expand(len(parts), -1)
        shown = parts.gather(1, torch.where(places < end, places, places - size).clamp(0, parts.shape[1] - 1))
        inside = (places >= end) & (places < end + size)
        made = torch.where(inside, self.pattern[(places - end).clamp(0, size - 1)], shown)
        whole = fits.gather(1, start) & (end < parts.shape[1])
        answers = torch.where(whole, parts.gather(1, start), -100)
        return made, end[:, 0] + len(BEFORE), answers[:, 0]
