"""Packed weights in half precision or less, small enough to pass from stage to stage.

The upper byte of a weight (sign, exponent and two bits) varies little, so that it is compressed to 5 bits. The lower
byte is noise, unless matrices are rounded to fewer significant bits. So a weight of 11 significant bits takes 13 bits,
one of 8 takes 10, and one of 2 takes 4.
"""

from __future__ import annotations

import bz2
import json
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from training.encoder import Weights

SIGNIFICANT_BITS = 11
"""The significant bits of half precision."""

LENGTH = 8
"""Bytes of the number at the start, the length of the description."""


def pack_weights(weights: Weights, about: dict[str, Any], bits: int = SIGNIFICANT_BITS) -> bytes:
    """Pack weights with a description; matrices in so many significant bits, vectors in half precision."""
    halves = [value.detach().cpu().to(torch.float16).numpy() for value in weights.values()]
    rounded = [round_halves(half, bits) if half.ndim > 1 else half for half in halves]
    planes = np.concatenate([half.ravel() for half in rounded]).view(np.uint8).reshape(-1, 2)
    low, high = (bz2.compress(planes[:, side].tobytes()) for side in (0, 1))
    shapes = {name: list(half.shape) for name, half in zip(weights, halves, strict=True)}
    head = json.dumps({"shapes": shapes, "low": len(low), "about": about}).encode()
    return len(head).to_bytes(LENGTH, "little") + head + low + high


def round_halves(halves: NDArray[np.float16], bits: int) -> NDArray[np.float16]:
    """Round numbers in half precision to fewer significant bits.

    >>> round_halves(np.array([1.0, 1.2, 1.3, -1.7], np.float16), 2).tolist()
    [1.0, 1.0, 1.5, -1.5]
    """
    spare = SIGNIFICANT_BITS - bits
    numbers = halves.view(np.uint16).astype(np.uint32) + (1 << spare >> 1)
    return (numbers >> spare << spare).astype(np.uint16).view(np.float16)


def unpack_weights(data: bytes) -> tuple[Weights, dict[str, Any]]:
    """Unpack weights, in single precision, and their description."""
    start = LENGTH + int.from_bytes(data[:LENGTH], "little")
    head = json.loads(data[LENGTH:start])
    middle = start + head["low"]
    planes = [np.frombuffer(bz2.decompress(part), np.uint8) for part in (data[start:middle], data[middle:])]
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
