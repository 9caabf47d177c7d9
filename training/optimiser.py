"""Optimisers: AdamW, and Muon for the matrices inside the layers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import torch
from torch import Tensor, nn

COEFFICIENTS = (3.4445, -4.7750, 2.0315)
"""The polynomial that drives singular values to about one (Jordan et al. 2024, Muon)."""

STEP_LENGTH = 0.2
"""Scales Muon's steps to the length of AdamW's, so that both share a rate (Liu et al. 2025, Muon is Scalable)."""


def orthogonalise(matrices: Tensor, rounds: int = 5) -> Tensor:
    """Drive the singular values of matrices to about one by Newton–Schulz iterations."""
    first, second, third = COEFFICIENTS
    tall = matrices.shape[-2] > matrices.shape[-1]
    result = matrices.mT if tall else matrices
    result = result.to(torch.bfloat16) if result.is_cuda else result
    result = result / (result.norm(dim=(-2, -1), keepdim=True) + 1e-7)
    for _ in range(rounds):
        product = result @ result.mT
        result = first * result + (second * product + third * product @ product) @ result
    return result.mT if tall else result


class Muon(torch.optim.Optimizer):  # type: ignore[misc]
    """Momentum, made orthogonal: W ← (1 − ηλ) W − η · 0.2 √max(m, n) · orthogonal(β M + G).

    A parameter of ``apart`` stacked matrices, such as queries, keys and values, is split into them.
    """

    def __init__(self, groups: Iterable[dict[str, Any]], weight_decay: float, momentum: float = 0.95) -> None:
        super().__init__(groups, {"lr": 0.0, "weight_decay": weight_decay, "momentum": momentum, "apart": 1})

    def step(self, closure: Any = None) -> None:
        """Update the weights once."""
        with torch.no_grad():
            for group in self.param_groups:
                for params in _group_by_shape(group["params"]):
                    self._update(params, group)

    def _update(self, params: list[nn.Parameter], group: dict[str, Any]) -> None:
        """Update parameters of one shape at once."""
        (rows, columns), apart = params[0].shape, group["apart"]
        moments = [self.state[param].setdefault("moment", torch.zeros_like(param)) for param in params]
        grads: list[Tensor] = [param.grad for param in params if param.grad is not None]
        torch._foreach_lerp_(moments, grads, 1 - group["momentum"])
        ahead = torch.stack(torch._foreach_lerp(grads, moments, group["momentum"]))
        update = orthogonalise(ahead.view(-1, rows // apart, columns)).view_as(ahead).to(params[0].dtype)
        length = STEP_LENGTH * max(rows // apart, columns) ** 0.5
        torch._foreach_mul_(params, 1 - group["lr"] * group["weight_decay"])
        torch._foreach_add_(params, list(update.unbind(0)), alpha=-group["lr"] * length)


def _group_by_shape(params: list[nn.Parameter]) -> list[list[nn.Parameter]]:
    by_shape: dict[torch.Size, list[nn.Parameter]] = {}
    for param in params:
        by_shape.setdefault(param.shape, []).append(param)
    return list(by_shape.values())


def build_optimisers(model: nn.Module, name: str, decay: float) -> list[torch.optim.Optimizer]:
    """Build the optimisers of all weights; vectors have no weight decay. Every step sets the learning rate."""
    parameters = {path: param for path, param in model.named_parameters() if param.requires_grad}
    vectors = [param for param in parameters.values() if param.ndim < 2]
    inside = {path: param for path, param in parameters.items() if param.ndim == 2 and path.startswith("layers.")}
    outside = [param for path, param in parameters.items() if param.ndim == 2 and path not in inside]
    if name == "muon":
        triple = [param for path, param in inside.items() if path.endswith("qkv.weight")]
        single = [param for path, param in inside.items() if not path.endswith("qkv.weight")]
        return [
            Muon([{"params": single}, {"params": triple, "apart": 3}], decay),
            _build_adam(outside, vectors, decay),
        ]
    return [_build_adam([*outside, *inside.values()], vectors, decay)]


def _build_adam(matrices: list[nn.Parameter], vectors: list[nn.Parameter], decay: float) -> torch.optim.Optimizer:
    groups = [{"params": matrices, "weight_decay": decay}, {"params": vectors, "weight_decay": 0.0}]
    return torch.optim.AdamW(groups, lr=0.0, betas=(0.9, 0.98), eps=1e-6, fused=vectors[0].is_cuda)
