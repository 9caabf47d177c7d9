"""A larger model that has learnt already, and what a smaller one takes from it. (Hinton et al. 2015; Sanh et al. 2019)

The smaller one is to say at masked places what the larger one says, and to have vectors from which a matrix makes those
of the larger one; that matrix is learnt beside it and not kept. Usages of a word are to be as similar to one another as
they are by the larger one's vectors, which no matrix comes between. (After Fang et al. 2021, SEED)
"""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional
from training.batches import Masked
from training.contrast import TEMPERATURE
from training.encoder import Encoder, Shape, Weights

COMPARED = 4096
"""How many places of a batch are compared with others of the same word, at most."""


class Teacher:
    """A model that does not change, and the matrix from a smaller one's vectors to its own."""

    def __init__(self, weights: Weights, shape: Shape, width: int, device: torch.device) -> None:
        self.model = Encoder(shape).eval().requires_grad_(False)
        self.model.load_state_dict(weights)
        self.model.to(device, torch.bfloat16 if device.type == "cuda" else torch.float32)
        self.bridge = nn.Linear(width, shape.width).to(device)

    def says(self, batch: Masked) -> tuple[Tensor, Tensor]:
        """The scores of pieces at the places that are to be guessed, and the vectors of all places."""
        with torch.no_grad():
            hidden = self.model(batch.pieces)
            return self.model.scores(hidden.flatten(0, 1)[batch.places]), hidden

    def optimiser(self) -> torch.optim.Optimizer:
        """What changes the matrix. The rate is set at each step."""
        return torch.optim.AdamW(self.bridge.parameters(), lr=0.0, betas=(0.9, 0.98), weight_decay=0.0)

    def far(self, hidden: Tensor, theirs: Tensor) -> Tensor:
        """How far a smaller model's vectors are from the larger one's: 1 − cos, in the mean."""
        return distance(self.bridge(hidden), theirs)


def surprise(scores: Tensor, told: Tensor, answers: Tensor) -> Tensor:
    """−Σ p(piece) log q(piece), in the mean of the places that are to be guessed; p is what the teacher says.

    >>> told, answers = torch.tensor([[0.0, 0.0], [9.0, 0.0]]), torch.tensor([1, -100])
    >>> round(surprise(torch.zeros(2, 2), told, answers).item(), 3)
    0.693
    """
    each = -(told.float().softmax(1) * scores.log_softmax(1)).sum(1)
    real = answers >= 0
    return (each * real).sum() / real.sum()


def distance(ours: Tensor, theirs: Tensor) -> Tensor:
    """1 − cos, in the mean."""
    return 1 - functional.cosine_similarity(ours.float(), theirs.float(), dim=-1).mean()


def same_words(pieces: Tensor, telling: Tensor, generator: torch.Generator) -> Tensor:
    """Places, in the flattened pieces, that begin some words that are telling: all of each word, but for the last one.

    A word is what begins with one piece, whatever it goes on with.

    >>> pieces, drawn = torch.tensor([[5, 6, 5], [7, 6, 5]]), torch.Generator().manual_seed(0)
    >>> sorted(same_words(pieces, torch.tensor([False] * 5 + [True, False, True]), drawn).tolist())
    [0, 2, 3, 5]
    """
    lots = torch.rand(len(telling), device=pieces.device, generator=generator)
    lots = torch.where(telling, lots, 2.0)[pieces.flatten()]
    found = lots.argsort()[:COMPARED]
    return found[lots[found] < 1]


def unlike(ours: Tensor, theirs: Tensor, words: Tensor, temperature: float = TEMPERATURE) -> Tensor:
    """How otherwise similar usages of a word are by our vectors than by theirs: Σ p log p / q, in the mean of usages.

    p(b | a) = exp(cos(a, b) / t) / Σ exp(cos(a, b′) / t) over all other usages b′ of the same word, by their vectors,
    and q by ours.

    >>> words, theirs = torch.tensor([1, 1, 1, 2]), torch.eye(4)
    >>> unlike(theirs @ theirs, theirs, words).item()
    0.0
    >>> ours = torch.tensor([[1.0, 0], [1, 0], [0, 1], [1, 1]])
    >>> round(unlike(ours, theirs, words, temperature=1).item(), 3)
    0.08
    """
    same = (words[:, None] == words) & ~torch.eye(len(words), dtype=torch.bool, device=words.device)
    logs = [_similar(each, same, temperature) for each in (theirs, ours)]
    wrong = torch.where(same, logs[0].exp() * (logs[0] - logs[1]), 0.0).sum(1)
    several = same.any(1)
    return (wrong * several).sum() / several.sum().clamp(min=1)


def _similar(vectors: Tensor, same: Tensor, temperature: float) -> Tensor:
    """The logarithms of p; anything where two words differ."""
    # In single precision: in that of the layers, cosines would differ by .004 or not at all.
    with torch.autocast(vectors.device.type, enabled=False):
        unit = functional.normalize(vectors.float(), dim=1)
        # Not −∞: a row of that alone would be no number, and so would be what is learnt from it.
        return (unit @ unit.T / temperature).masked_fill(~same, -1e4).log_softmax(1)
