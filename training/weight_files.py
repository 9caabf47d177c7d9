"""Packed weights in half precision, small enough to pass from stage to stage.

The upper byte of a weight (sign, exponent and a bit or two) varies little, so it is compressed; the lower byte is
noise, so it is stored. That takes 13 bits of 16.
"""

from __future__ import annotations

import json
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import torch
from training.encoder import Weights

LENGTH = 8
"""Bytes of the number at the start, the length of the description."""


def pack_weights(weights: Weights, about: dict[str, Any]) -> bytes:
    """Pack weights in half precision, with a description."""
    halves = [value.detach().cpu().to(torch.float16).numpy() for value in weights.values()]
    planes = np.concatenate([half.ravel() for half in halves]).view(np.uint8).reshape(-1, 2)
    low, high = planes[:, 0].tobytes(), zlib.compress(planes[:, 1].tobytes(), 6)
    shapes = {name: list(half.shape) for name, half in zip(weights, halves, strict=True)}
    head = json.dumps({"shapes": shapes, "low": len(low), "about": about}).encode()
    return len(head).to_bytes(LENGTH, "little") + head + low + high


def unpack_weights(data: bytes) -> tuple[Weights, dict[str, Any]]:
    """Unpack weights, in single precision, and their description."""
    start = LENGTH + int.from_bytes(data[:LENGTH], "little")
    head = json.loads(data[LENGTH:start])
    middle = start + head["low"]
    planes = [np.frombuffer(part, np.uint8) for part in (data[start:middle], zlib.decompress(data[middle:]))]
    values = torch.from_numpy(np.stack(planes, 1).ravel().view(np.float16).astype(np.float32))
    sizes = [int(np.prod(shape)) for shape in head["shapes"].values()]
    parts = zip(head["shapes"].items(), values.split(sizes), strict=True)
    return {name: part.reshape(shape) for (name, shape), part in parts}, head["about"]


def write_parts(data: bytes, path: Path, size: int) -> list[Path]:
    """Write a file, or several of at most ``size`` bytes with the suffixes .0, .1, …"""
    parts = [data[start : start + size] for start in range(0, len(data), size)]
    paths = [path] if len(parts) == 1 else [path.with_name(f"{path.name}.{number}") for number in range(len(parts))]
    for part, place in zip(parts, paths, strict=True):
        place.write_bytes(part)
    return paths


def read_parts(path: Path) -> bytes:
    """Read the output of :func:`write_parts`."""
    if path.exists():
        return path.read_bytes()
    parts = sorted(path.parent.glob(f"{path.name}.*"), key=lambda part: int(part.suffix[1:]))
    if not parts:
        raise FileNotFoundError(f"there is neither {path} nor {path.name}.0 beside it")
    return b"".join(part.read_bytes() for part in parts)
