"""A larger model that has learnt already, and what a smaller one takes from it. (Hinton et al. 2015; Sanh et al. 2019)

The smaller one is to say at masked places what the larger one says, and to have vectors from which a matrix makes those
of the larger one; that matrix is learnt beside it and not kept.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional
from training.batches import Masked
from training.encoder import Encoder, Shape, Weights


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
