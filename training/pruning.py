"""Stage 5: a smaller model from a trained one: fewer layers, attention heads and inner dimensions.

Run with ``python -m training.pruning SHARDS --weights teacher/weights.packed --output pruned.packed``. The stage first
drops layers one by one, each time the one without which the loss on text of ``train.bin`` is lowest. Then it keeps the
heads and the inner dimensions of every layer whose removal would change the loss most, by its gradient: I = |Σ a ∂L/∂a|
over the activations a of a window, in the mean of windows (Molchanov et al. 2017; Michel et al. 2019). The pruned model
has the width of the whole one, so that training can go on with the whole one as its teacher.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, replace
from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn import functional
from training.batch_sources import load_stream
from training.batches import MaskedBatch, SpecialPieces, TokenStream, find_special_pieces, mask_words
from training.encoder import Encoder, Shape, Weights
from training.weight_files import pack_weights, read_parts, unpack_weights, write_parts

WINDOW = 128
"""The pieces of a window."""

ROWS = 32
"""The windows of a batch."""

SEED = 17
"""The seed of the masks."""


def build_batches(text: TokenStream, marks: SpecialPieces, number: int, length: int) -> list[MaskedBatch]:
    """Build batches of masked windows of this length from places all over a text."""
    device = text.pieces.device
    generator = torch.Generator(device).manual_seed(SEED)
    starts = torch.linspace(0, len(text.pieces) - 2 * length, number * ROWS, device=device).long()
    return [mask_words(text.windows(places, length), marks.continues, 0.15, generator) for places in starts.split(ROWS)]


def measure_loss(model: Encoder, batch: MaskedBatch) -> Tensor:
    """The loss of a model on a batch."""
    with torch.autocast(batch.pieces.device.type, torch.bfloat16, enabled=batch.pieces.is_cuda):
        scores = model.scores(model(batch.pieces).flatten(0, 1)[batch.places])
    return functional.cross_entropy(scores.float(), batch.answers)


def drop_layers(model: Encoder, batches: list[MaskedBatch], layers: int) -> list[int]:
    """Drop layers of a model, the least missed one first, until so many are left; returns their numbers."""
    left = list(range(len(model.layers)))
    whole = list(model.layers)
    while len(left) > layers:
        losses = []
        for dropped in left:
            model.layers = nn.ModuleList(whole[number] for number in left if number != dropped)
            with torch.no_grad():
                losses.append((sum(measure_loss(model, batch).item() for batch in batches), dropped))
        left.remove(min(losses)[1])
    model.layers = nn.ModuleList(whole[number] for number in left)
    return left


@contextmanager
def _record_inputs(modules: list[nn.Module]) -> Iterator[list[Tensor]]:
    """Record the inputs of modules, whose gradients are then available."""
    inputs: list[Tensor] = []

    def record(_: nn.Module, arguments: tuple[Tensor, ...]) -> None:
        arguments[0].retain_grad()
        inputs.append(arguments[0])

    hooks = [module.register_forward_pre_hook(record) for module in modules]
    yield inputs
    for hook in hooks:
        hook.remove()


def measure_importance(model: Encoder, batches: list[MaskedBatch]) -> tuple[Tensor, Tensor]:
    """The importance of heads and of inner dimensions, layers × heads and layers × dimensions."""
    modules = [part for layer in model.layers for part in (layer.out, layer.down)]
    totals: list[Tensor] = []
    for batch in batches:
        with _record_inputs(modules) as inputs:
            measure_loss(model, batch).backward()
        effects = [(values * values.grad).float().sum(1) for values in inputs]
        # A head is all of its dimensions together.
        effects[::2] = [effect.unflatten(1, (model.shape.heads, -1)).sum(2) for effect in effects[::2]]
        sums = [effect.abs().sum(0).detach() for effect in effects]
        totals = [total + more for total, more in zip(totals, sums, strict=True)] if totals else sums
        model.zero_grad(set_to_none=True)
    return torch.stack(totals[::2]), torch.stack(totals[1::2])


def select_most(importance: Tensor, number: int) -> Tensor:
    """The places of the largest numbers, in order.

    >>> select_most(torch.tensor([3.0, 1.0, 2.0]), 2).tolist()
    [0, 2]
    """
    return importance.topk(number).indices.sort().values


def prune(model: Encoder, batches: list[MaskedBatch], shape: Shape) -> tuple[Weights, list[int]]:
    """Prune a model to a shape with fewer layers, heads and inner dimensions; returns the layers that are left, too."""
    layers = drop_layers(model, batches, shape.layers)
    heads, inner = (importance.cpu() for importance in measure_importance(model, batches))
    weights = {name: value.detach().cpu() for name, value in model.state_dict().items()}
    size = shape.head_width
    for layer in range(shape.layers):
        name, best = f"layers.{layer}", select_most(heads[layer], shape.heads)
        places = (best[:, None] * size + torch.arange(size)).flatten()
        for kind in ("weight", "bias"):
            parts = weights[f"{name}.qkv.{kind}"].chunk(3)
            weights[f"{name}.qkv.{kind}"] = torch.cat([part[places] for part in parts])
        weights[f"{name}.out.weight"] = weights[f"{name}.out.weight"][:, places]
        if shape.buckets:
            weights[f"{name}.apart.weight"] = weights[f"{name}.apart.weight"][:, best]
        dimensions = select_most(inner[layer], shape.inner)
        weights[f"{name}.up.weight"] = weights[f"{name}.up.weight"][dimensions]
        weights[f"{name}.up.bias"] = weights[f"{name}.up.bias"][dimensions]
        weights[f"{name}.down.weight"] = weights[f"{name}.down.weight"][:, dimensions]
    return weights, layers


def main() -> None:
    """Write the weights."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("shards", type=Path, help="the folder that training.shards wrote")
    parser.add_argument("--weights", type=Path, required=True, help="the file weights.packed of the whole model")
    parser.add_argument("--output", type=Path, required=True, help="a file")
    parser.add_argument("--layers", type=int, default=8, help="layers that are left (default: %(default)s)")
    parser.add_argument("--heads", type=int, default=6, help="heads that are left in a layer (default: %(default)s)")
    parser.add_argument("--inner", type=int, default=1408, help="inner dimensions left (default: %(default)s)")
    parser.add_argument("--batches", type=int, default=16, help=f"batches of {ROWS} windows (default: %(default)s)")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    options = parser.parse_args()
    weights, about = unpack_weights(read_parts(options.weights))
    whole = Shape(**about["shape"])
    sizes = {"layers": options.layers, "heads": options.heads, "inner": options.inner}
    shape = replace(whole, **sizes, head_width=whole.attention_width // whole.heads)
    model = Encoder(whole).to(options.device)
    model.load_state_dict(weights)
    vocabulary = (options.shards / "vocab.txt").read_text("utf-8").splitlines()
    marks = find_special_pieces(vocabulary, torch.device(options.device))
    length = min(WINDOW, whole.positions)
    batches = build_batches(
        load_stream(options.shards / "train.bin", marks, length // 3), marks, options.batches, length
    )
    pruned, layers = prune(model, batches, shape)
    write_parts(pack_weights(pruned, {"shape": asdict(shape), "layers": layers}), options.output, 1 << 40)
    smaller = Encoder(shape).to(options.device)
    smaller.load_state_dict(pruned)
    with torch.no_grad():
        loss = sum(measure_loss(smaller, batch).item() for batch in batches) / len(batches)
    numbers = sum(value.numel() for value in pruned.values())
    print(f"layers {', '.join(map(str, layers))}; {numbers:,} numbers; loss {loss:.3f}", flush=True)


if __name__ == "__main__":
    main()
