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
from polyseme.formats.checkpoint import last_modified
from polyseme.lm.word_tokens import WordTokens
from polyseme.usage import Usage

SMALL_MODEL = "package:polyseme-small"
"""Our own masked language model, which the extra ``small`` installs."""

PACKAGE_PREFIX = "package:"
"""What the name of a model begins with that is in an installed Python package."""

ONNX_FILE = "model.onnx"
"""The file of a model that onnxruntime computes."""

DEFAULT_MAX_TOKENS = 512
"""How many tokens a model takes, where it does not say."""

Float32s = NDArray[np.float32]


class SpecialTokens(NamedTuple):
    """The tokens that stand before and after every text, and the one that hides a word, if the model has one."""

    first: tuple[int, ...]
    last: tuple[int, ...]
    mask: int | None


class TokenisedText(NamedTuple):
    """A text as tokens with the marks around it; where each begins and ends in the text; and which are no text."""

    tokens: list[int]
    offsets: NDArray[np.int64]
    special: NDArray[np.bool_]


class LanguageModel(Protocol):
    """A model that reads tokens."""

    @property
    def words(self) -> WordTokens:
        """The words that are one token."""
        ...

    @property
    def marks(self) -> SpecialTokens:
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

    def read(self, texts: Sequence[str]) -> list[TokenisedText]:
        """Texts as the model reads them, cut off where they are too long for it."""
        ...

    def scores(self, rows: Sequence[Sequence[int]], places: Sequence[int]) -> Float32s:
        """Of each row of tokens, the logits of all tokens at one place: rows × tokens."""
        ...

    def vectors(self, rows: Sequence[Sequence[int]], layer: int = -1) -> Float32s:
        """The vectors of all tokens in a layer: rows × places × dimensions, with anything behind the end of a row."""
        ...


def load_masked_model(name: str, device: str = "") -> LanguageModel:
    """A masked language model by its name, folder or package. It is read once, unless its folder changes."""
    return _load_model(name, "AutoModelForMaskedLM", device, last_modified(name))


def load_encoder(name: str) -> LanguageModel:
    """The same of a model that need not guess words."""
    return _load_model(name, "AutoModel", "", last_modified(name))


@lru_cache(maxsize=4)
def _load_model(name: str, kind: str, device: str, last: int) -> LanguageModel:
    place = locate_model(name)
    if not Path(place, ONNX_FILE).is_file() or any(Path(place).glob("*.safetensors")):
        from polyseme.lm.hugging_face import HuggingFaceModel

        return HuggingFaceModel.load(name, place, kind, device)
    if device not in ("", "cpu"):
        raise InputError(f"the language model {name!r} is computed by onnxruntime on a CPU, not on {device!r}")
    return _load_onnx_model(place, last)


@lru_cache(maxsize=2)
def _load_onnx_model(place: str, _: int) -> LanguageModel:
    """One model, whether it is asked for words or for vectors."""
    from polyseme.lm.onnx import OnnxModel

    return OnnxModel.load(place)


def locate_model(name: str) -> str:
    """The folder of a model that came as a Python package; any other name as it is."""
    if not name.startswith(PACKAGE_PREFIX):
        return name
    package = name.removeprefix(PACKAGE_PREFIX).replace("-", "_")
    spec = importlib.util.find_spec(package) if package.isidentifier() else None
    if spec is None and name == SMALL_MODEL:
        raise MissingExtra("small", package)
    if spec is None:
        installed = package.replace("_", "-")
        raise InputError(f"the language model {name!r} is not installed; type: pip install {installed}")
    found = [path.parent for root in spec.submodule_search_locations or () for path in Path(root).rglob("config.json")]
    if not found:
        raise InputError(f"the Python package {package!r} has no language model: no config.json is in it")
    return str(min(found))


def package_versions(specification: str) -> dict[str, str]:
    """Those of the installed packages whose language models a specification names; not of what has no version.

    >>> package_versions("TokenClusters('bert-base-cased')"), package_versions("TokenClusters('package:not-installed')")
    ({}, {})
    """
    found = {}
    # 'small' is short for our own where a substituter is named.
    named = re.sub(r"(?i)(?<=\blm=)(['\"])\s*small\s*\1", SMALL_MODEL, specification)
    for name in sorted(set(re.findall(rf"{PACKAGE_PREFIX}([\w-]+)", named))):
        package = name.replace("_", "-")
        with suppress(PackageNotFoundError):
            found[package] = version(package)
    return found


def list_language_models(specification: str) -> list[object]:
    """List the language models that a specification names: versions of packages, and folders with their last change.

    A name may be in a specification inside the specification, or after a colon, as in ``maskedlm:folder``.
    """
    models: list[object] = [package_versions(specification)]
    for text in sorted(set(re.split(r"[\\'\"]+", specification))):
        for name in (text, text.partition(":")[2]):
            with suppress(InputError, MissingExtra):  # its package is not installed
                folder = Path(locate_model(name))
                if name.strip("./ ") and folder.is_dir():
                    models.append((name, str(folder.resolve()), last_modified(str(folder))))
    return models


def tokenise_context(model: LanguageModel, usage: Usage) -> tuple[list[int], list[int]]:
    """The tokens before and after a target."""
    texts = (" ".join(usage.left.split()), " " * usage.right[:1].isspace() + " ".join(usage.right.split()))
    left, right = (model.tokens(text) for text in texts)
    return left, right


def trim_to_window(
    left: list[int], middle: list[int], right: list[int], most: int
) -> tuple[list[int], list[int], list[int]]:
    """The tokens of a target and of what is around it, as many on either side, or more where the other is short.

    >>> trim_to_window([1, 2, 3, 4], [5], [6, 7, 8, 9], 5), trim_to_window([1], [5], [6, 7, 8, 9], 5)
    (([3, 4], [5], [6, 7]), ([1], [5], [6, 7, 8]))
    """
    middle = middle[:most]
    room = most - len(middle)
    left = left[max(len(left) - max(room - room // 2, room - len(right)), 0) :]
    return left, middle, right[: room - len(left)]


def pad_rows(rows: Sequence[Sequence[int]], pad: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Rows of tokens as one array, and where in it there are tokens.

    >>> [each.tolist() for each in pad_rows([[5, 6], [7]], 0)]
    [[[5, 6], [7, 0]], [[1, 1], [1, 0]]]
    """
    width = max(map(len, rows))
    tokens = np.array([[*row, *[pad] * (width - len(row))] for row in rows], np.int64)
    there = (np.arange(width) < np.array([len(row) for row in rows])[:, None]).astype(np.int64)
    return tokens, there
