"""Distillation from a larger, trained model, the teacher. (Hinton et al. 2015; Sanh et al. 2019)

The student learns the teacher's distributions at masked positions, and vectors that a linear map turns into the
teacher's; the map is trained beside the student and then dropped. The student also learns the teacher's similarities
between usages of a word. (After Fang et al. 2021, SEED)
"""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional
from training.batches import MaskedBatch
from training.contrast import TEMPERATURE
from training.encoder import Encoder, Shape, Weights

COMPARED_POSITIONS = 4096
"""The most positions of a batch that are compared with others of the same word."""


class Teacher:
    """A frozen model, and the linear map from the student's vectors to its own."""

    def __init__(self, weights: Weights, shape: Shape, width: int, device: torch.device) -> None:
        self.model = Encoder(shape).eval().requires_grad_(False)
        self.model.load_state_dict(weights)
        self.model.to(device, torch.bfloat16 if device.type == "cuda" else torch.float32)
        self.bridge = nn.Linear(width, shape.width)
        if width == shape.width:
            nn.init.eye_(self.bridge.weight)
            nn.init.zeros_(self.bridge.bias)
        self.bridge.to(device)

    def predict(self, batch: MaskedBatch) -> tuple[Tensor, Tensor]:
        """Score pieces at the masked positions; also the vectors of all positions."""
        with torch.no_grad():
            hidden = self.model(batch.pieces)
            return self.model.scores(hidden.flatten(0, 1)[batch.places]), hidden

    def optimiser(self) -> torch.optim.Optimizer:
        """The optimiser of the linear map. Every step sets the learning rate."""
        return torch.optim.AdamW(self.bridge.parameters(), lr=0.0, betas=(0.9, 0.98), weight_decay=0.0)

    def distance(self, hidden: Tensor, theirs: Tensor) -> Tensor:
        """The mean distance, 1 − cos, of the student's vectors from the teacher's."""
        return vector_distance(self.bridge(hidden), theirs)


def distillation_loss(scores: Tensor, soft: Tensor, answers: Tensor) -> Tensor:
    """The cross-entropy −Σ p(piece) log q(piece), in the mean of masked positions; p is the teacher's distribution.

    >>> soft, answers = torch.tensor([[0.0, 0.0], [9.0, 0.0]]), torch.tensor([1, -100])
    >>> round(distillation_loss(torch.zeros(2, 2), soft, answers).item(), 3)
    0.693
    """
    losses = -(soft.float().softmax(1) * scores.log_softmax(1)).sum(1)
    real = answers >= 0
    return (losses * real).sum() / real.sum()


def vector_distance(ours: Tensor, theirs: Tensor) -> Tensor:
    """The mean of 1 − cos."""
    return 1 - functional.cosine_similarity(ours.float(), theirs.float(), dim=-1).mean()


def pair_same_words(pieces: Tensor, targets: Tensor, generator: torch.Generator) -> Tensor:
    """Select positions, in the flattened pieces, of random target words: all of a word, but for the last one.

    A word is identified by its first piece.

    >>> pieces, drawn = torch.tensor([[5, 6, 5], [7, 6, 5]]), torch.Generator().manual_seed(0)
    >>> sorted(pair_same_words(pieces, torch.tensor([False] * 5 + [True, False, True]), drawn).tolist())
    [0, 2, 3, 5]
    """
    keys = torch.rand(len(targets), device=pieces.device, generator=generator)
    keys = torch.where(targets, keys, 2.0)[pieces.flatten()]
    positions = keys.argsort()[:COMPARED_POSITIONS]
    return positions[keys[positions] < 1]


def similarity_loss(ours: Tensor, theirs: Tensor, words: Tensor, temperature: float = TEMPERATURE) -> Tensor:
    """The divergence of similarities between usages of a word, Σ p log p / q, in the mean of usages.

    p(b | a) = exp(cos(a, b) / t) / Σ exp(cos(a, b′) / t) over all other usages b′ of the same word, by the teacher's
    vectors, and q by the student's.

    >>> words, theirs = torch.tensor([1, 1, 1, 2]), torch.eye(4)
    >>> similarity_loss(theirs @ theirs, theirs, words).item()
    0.0
    >>> ours = torch.tensor([[1.0, 0], [1, 0], [0, 1], [1, 1]])
    >>> round(similarity_loss(ours, theirs, words, temperature=1).item(), 3)
    0.08
    """
    same = (words[:, None] == words) & ~torch.eye(len(words), dtype=torch.bool, device=words.device)
    logs = [_similarities(vectors, same, temperature) for vectors in (theirs, ours)]
    divergences = torch.where(same, logs[0].exp() * (logs[0] - logs[1]), 0.0).sum(1)
    several = same.any(1)
    return (divergences * several).sum() / several.sum().clamp(min=1)


def _similarities(vectors: Tensor, same: Tensor, temperature: float) -> Tensor:
    """The logarithms of p; undefined for two different words."""
    # Single precision: in bf16, cosines have steps of .004.
    with torch.autocast(vectors.device.type, enabled=False):
        unit = functional.normalize(vectors.float(), dim=1)
        # Not −∞: a row of −∞ has the softmax NaN, and so would its gradient.
        return (unit @ unit.T / temperature).masked_fill(~same, -1e4).log_softmax(1)
