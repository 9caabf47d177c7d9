"""What is asked of a language model, whoever computes it, and how one is found by its name."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Sequence
from contextlib import suppress
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from polyseme.errors import InputError, MissingExtra
from polyseme.induce.language.words import Words
from polyseme.induce.substitutes.storing import changed
from polyseme.usage import Usage

SMALL = "package:polyseme-small"
"""Our own masked language model, which the extra ``small`` installs."""

PACKAGE = "package:"
"""What the name of a model begins with that is in an installed Python package."""

WEIGHTS = "model.onnx"
"""The file of a model that onnxruntime computes."""

LONGEST = 512
"""How many tokens a model takes, where it does not say."""

Singles = NDArray[np.float32]


class Marks(NamedTuple):
    """The tokens that stand before and after every text, and the one that hides a word, if the model has one."""

    first: tuple[int, ...]
    last: tuple[int, ...]
    mask: int | None


class Reading(NamedTuple):
    """A text as tokens with the marks around it; where each begins and ends in the text; and which are no text."""

    tokens: list[int]
    offsets: NDArray[np.int64]
    special: NDArray[np.bool_]


class LanguageModel(Protocol):
    """A model that reads tokens."""

    @property
    def words(self) -> Words:
        """The words that are one token."""
        ...

    @property
    def marks(self) -> Marks:
        """What stands around a text."""
        ...

    @property
    def longest(self) -> int:
        """How many tokens it reads at most."""
        ...

    @property
    def width(self) -> int:
        """How many dimensions its vectors have."""
        ...

    def tokens(self, text: str) -> list[int]:
        """The tokens of a text, and none besides."""
        ...

    def read(self, texts: Sequence[str]) -> list[Reading]:
        """Texts as the model reads them, cut off where they are too long for it."""
        ...

    def scores(self, rows: Sequence[Sequence[int]], places: Sequence[int]) -> Singles:
        """Of each row of tokens, the logits of all tokens at one place: rows × tokens."""
        ...

    def vectors(self, rows: Sequence[Sequence[int]], layer: int = -1) -> Singles:
        """The vectors of all tokens in a layer: rows × places × dimensions, with anything behind the end of a row."""
        ...


def masked_model(name: str, device: str = "") -> LanguageModel:
    """A masked language model by its name, folder or package. It is read once, unless its folder changes."""
    return _found(name, "AutoModelForMaskedLM", device, changed(name))


def encoder_model(name: str) -> LanguageModel:
    """The same of a model that need not guess words."""
    return _found(name, "AutoModel", "", changed(name))


@lru_cache(maxsize=4)
def _found(name: str, kind: str, device: str, last: int) -> LanguageModel:
    place = place_of(name)
    if not Path(place, WEIGHTS).is_file() or any(Path(place).glob("*.safetensors")):
        from polyseme.induce.language.hugging_face import HuggingFace

        return HuggingFace.load(name, place, kind, device)
    if device not in ("", "cpu"):
        raise InputError(f"the language model {name!r} is computed by onnxruntime on a CPU, not on {device!r}")
    return _with_onnxruntime(place, last)


@lru_cache(maxsize=2)
def _with_onnxruntime(place: str, _: int) -> LanguageModel:
    """One model, whether it is asked for words or for vectors."""
    from polyseme.induce.language.onnx import OnnxModel

    return OnnxModel.load(place)


def place_of(name: str) -> str:
    """The folder of a model that came as a Python package; any other name as it is."""
    if not name.startswith(PACKAGE):
        return name
    package = name.removeprefix(PACKAGE).replace("-", "_")
    spec = importlib.util.find_spec(package) if package.isidentifier() else None
    if spec is None and name == SMALL:
        raise MissingExtra("small", package)
    if spec is None:
        installed = package.replace("_", "-")
        raise InputError(f"the language model {name!r} is not installed; type: pip install {installed}")
    found = [path.parent for root in spec.submodule_search_locations or () for path in Path(root).rglob("config.json")]
    if not found:
        raise InputError(f"the Python package {package!r} has no language model: no config.json is in it")
    return str(min(found))


def versions(specification: str) -> dict[str, str]:
    """Those of the installed packages whose language models a specification names; not of what has no version.

    >>> versions("TokenClusters('bert-base-cased')"), versions("TokenClusters('package:not-installed')")
    ({}, {})
    """
    found = {}
    # 'small' is short for our own where a substituter is named.
    named = re.sub(r"(?i)(?<=\blm=)(['\"])\s*small\s*\1", SMALL, specification)
    for name in sorted(set(re.findall(rf"{PACKAGE}([\w-]+)", named))):
        package = name.replace("_", "-")
        with suppress(PackageNotFoundError):
            found[package] = version(package)
    return found


def sides(model: LanguageModel, usage: Usage) -> tuple[list[int], list[int]]:
    """The tokens before and after a target."""
    texts = (" ".join(usage.left.split()), " " * usage.right[:1].isspace() + " ".join(usage.right.split()))
    left, right = (model.tokens(text) for text in texts)
    return left, right


def windowed(left: list[int], middle: list[int], right: list[int], most: int) -> tuple[list[int], list[int], list[int]]:
    """The tokens of a target and of what is around it, as many on either side, or more where the other is short.

    >>> windowed([1, 2, 3, 4], [5], [6, 7, 8, 9], 5), windowed([1], [5], [6, 7, 8, 9], 5)
    (([3, 4], [5], [6, 7]), ([1], [5], [6, 7, 8]))
    """
    middle = middle[:most]
    room = most - len(middle)
    left = left[max(len(left) - max(room - room // 2, room - len(right)), 0) :]
    return left, middle, right[: room - len(left)]


def padded(rows: Sequence[Sequence[int]], pad: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Rows of tokens as one array, and where in it there are tokens.

    >>> [each.tolist() for each in padded([[5, 6], [7]], 0)]
    [[[5, 6], [7, 0]], [[1, 1], [1, 0]]]
    """
    width = max(map(len, rows))
    tokens = np.array([[*row, *[pad] * (width - len(row))] for row in rows], np.int64)
    there = (np.arange(width) < np.array([len(row) for row in rows])[:, None]).astype(np.int64)
    return tokens, there
