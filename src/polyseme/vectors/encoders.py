"""Vectors of an encoder: of the target in its context, or of the text as a whole."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from math import inf
from pathlib import Path
from typing import Any, ClassVar, Literal, NamedTuple, Protocol, runtime_checkable

import numpy as np

from polyseme.arrays import Floats
from polyseme.corpus.passages import Passages
from polyseme.formats.checkpoint import last_modified
from polyseme.lm.language_model import LanguageModel, TokenisedText, load_encoder, locate_model_files
from polyseme.matrices import unit_rows
from polyseme.parts import CheckedOptions, FolderName, Ranges
from polyseme.usage import Usage
from polyseme.vectors.representation import RepresentationState
from polyseme.vectors.sentence_modules import SentenceModules, read_sentence_modules
from polyseme.vectors.usage_cache import UsageCache

DEFAULT_ENCODER = "sentence-transformers/all-MiniLM-L6-v2"
"""The default encoder: small, and fast without a graphics card."""

CACHE_SIZE = 20_000
"""The number of usages whose vectors are in the cache."""


@runtime_checkable
class TextEncoder(Protocol):
    """An object that encodes texts, such as a ``SentenceTransformer`` of sentence-transformers."""

    def encode(self, sentences: Any) -> Any:
        """Return a row for each text."""
        ...


@dataclass(frozen=True)
class _Encoder(CheckedOptions):
    """The mean of the vectors of tokens, scaled to length 1, less the mean of the usages it is fitted to."""

    kind: ClassVar[str] = "representation"
    reads_text: ClassVar[bool] = True
    single_process: ClassVar[bool] = True
    target_only: ClassVar[bool]
    """Whether the mean is that of the tokens of the target; otherwise of all tokens."""
    ranges: ClassVar[Ranges] = {"layer": (-inf, -1), "around": (1, inf), "batch": (1, inf)}
    model: FolderName | TextEncoder = DEFAULT_ENCODER
    layer: int = -1
    centred: bool = False
    around: int = 600
    batch: int = 32

    @property
    def modules(self) -> SentenceModules | None:
        """What makes one vector of a text from those of all its tokens; ``None`` for the mean of its words' tokens."""
        return None

    def fit(self, passages: Passages) -> FittedEncoder:
        """Compute the mean, if it is subtracted."""
        fitted = FittedEncoder(self, np.zeros(1))
        # Two usages less their mean are opposites, whatever their texts.
        return FittedEncoder(self, fitted(passages).mean(axis=0)) if self.centred and len(passages) > 2 else fitted

    def restore(self, state: RepresentationState) -> FittedEncoder:
        """Rebuild a fitted encoder from its mean."""
        return FittedEncoder(self, state["mean"])

    def vectors(self, usages: Sequence[Usage]) -> Floats:
        """A row of length 1 for each usage."""
        changed = last_modified(self.model) if isinstance(self.model, str) else 0
        key = (type(self), self.model, self.layer, self.around, self.modules is None, changed)
        rows = _vector_cache(key, usages, partial(_encode_usages, self))
        if rows:
            return np.array(rows, np.float64)
        return np.zeros((0, load_encoder(self.model).width if isinstance(self.model, str) else 1))


@dataclass(frozen=True)
class TokenEncoder(_Encoder):
    """The mean of an encoder's vectors of the tokens of the target, in its context. (Devlin et al. 2019)

    Vectors have length 1.

    Args:
        model: A name or a folder of Hugging Face.
        layer: The layer, from the last, -1.
        centred: Whether the mean of the usages that it is fitted to is subtracted: the vectors of one word have much in
            common that does not distinguish its senses.
        around: The number of characters that are read on either side of the target, or as many as the model takes.
        batch: The number of texts that are encoded at a time.
    """

    target_only: ClassVar[bool] = True
    model: FolderName = DEFAULT_ENCODER
    centred: bool = True


@dataclass(frozen=True)
class SentenceEncoder(_Encoder):
    """A vector of the text: by default, the mean of an encoder's vectors of all tokens. (Reimers & Gurevych 2019)

    Vectors have length 1.

    Args:
        model: A name or a folder of Hugging Face or of sentence-transformers; in Python, also an object that encodes
            texts, such as a ``SentenceTransformer``. A model with such an object cannot be saved.
        layer: The layer, from the last, -1.
        centred: Whether the mean of the usages that it is fitted to is subtracted.
        around: The number of characters that are read on either side of the target.
        batch: The number of texts that are encoded at a time.
        pooling: How a text becomes a vector: as the ``model`` of sentence-transformers says, with its pooling and dense
            layers; or as the ``mean`` of the tokens of words, as for other models.
    """

    target_only: ClassVar[bool] = False
    pooling: Literal["model", "mean"] = "model"

    @property
    def modules(self) -> SentenceModules | None:
        """The modules of a model of sentence-transformers."""
        if self.pooling == "mean" or self.layer != -1 or not isinstance(self.model, str):
            return None
        return _load_modules(self.model, last_modified(self.model))


@dataclass(frozen=True, eq=False)
class FittedEncoder:
    """An encoder, and the mean that is subtracted from its vectors."""

    spec: _Encoder
    mean: Floats

    @property
    def state(self) -> RepresentationState:
        """The mean."""
        return {"mean": self.mean}

    def __call__(self, passages: Passages) -> Floats:
        """Usages × dimensions."""
        return self.spec.vectors(passages.usages) - self.mean


class TextWindow(NamedTuple):
    """A part of a text, and where the target is in it."""

    text: str
    start: int
    end: int

    def narrow(self, before: int, after: int) -> TextWindow:
        """Cut to this number of characters before and after the target, from one space to another.

        >>> TextWindow("one two bank three four", 8, 12).narrow(6, 6)
        TextWindow(text='two bank three', start=4, end=8)
        """
        text, start, end = self
        first, last = max(start - before, 0), min(end + after, len(text))
        if first:
            space = text.find(" ", first, start)
            first = space + 1 if space >= 0 else first
        if last < len(text):
            space = text.rfind(" ", end, last + 1)
            last = space if space >= 0 else last
        return TextWindow(text[first:last], start - first, end - first)


_vector_cache: UsageCache[Floats] = UsageCache(CACHE_SIZE)


def _encode_usages(spec: _Encoder, usages: Sequence[Usage]) -> list[Floats]:
    """A vector of length 1 for each usage. Texts of similar length are encoded together, as they are padded."""
    windows = [TextWindow(usage.text, usage.start, usage.end).narrow(spec.around, spec.around) for usage in usages]
    encoder: Any = spec.model
    if not isinstance(spec.model, str):
        return list(unit_rows(np.asarray(encoder.encode([window.text for window in windows]), np.float64)))
    model = load_encoder(spec.model)
    if spec.target_only:
        windows = [_shorten_to_model(model, window) for window in windows]
    order = np.argsort([len(window.text) for window in windows], kind="stable")
    modules = spec.modules
    vectors: dict[int, Floats] = {}
    for start in range(0, len(order), spec.batch):
        rows = order[start : start + spec.batch].tolist()
        batch = [windows[row] for row in rows]
        encoded = _encode_batch(model, spec, batch) if modules is None else _encode_texts(model, modules, batch)
        vectors |= zip(rows, encoded, strict=True)
    return list(unit_rows(np.array([vectors[row] for row in range(len(windows))])))


def _shorten_to_model(model: LanguageModel, window: TextWindow) -> TextWindow:
    """Shorten a text to what the model reads: equally on both sides of the target, if both are long enough."""
    marks = len(model.special_tokens.first) + len(model.special_tokens.last)
    while True:
        text, start, end = window
        excess = len(model.tokenise(text)) + marks - model.max_tokens
        if excess <= 0 or len(text) <= end - start:
            return window
        before, after = len(model.tokenise(text[:start])), len(model.tokenise(text[end:]))
        room = max(before + after - excess, 0)
        left = min(before, max(room - room // 2, room - after))
        # Tokens are not equally long: the next round cuts what is still too long, by a letter at least.
        window = window.narrow(start * left // max(before, 1), (len(text) - end) * (room - left) // max(after, 1))


@lru_cache(maxsize=4)
def _load_modules(name: str, _: int) -> SentenceModules | None:
    return read_sentence_modules(Path(locate_model_files(name)))


def _encode_texts(model: LanguageModel, modules: SentenceModules, windows: Sequence[TextWindow]) -> Floats:
    """The vectors of texts as sentence-transformers computes them, from all tokens, special ones too."""
    texts = model.tokenise_texts([window.text for window in windows])
    tokens = [_cut_tokens(text, modules.max_tokens or model.max_tokens) for text in texts]
    states = np.asarray(model.vectors(tokens), np.float64)
    mask = np.arange(states.shape[1]) < np.array([len(row) for row in tokens])[:, None]
    return modules(states, mask.astype(np.float64))


def _cut_tokens(text: TokenisedText, size: int) -> list[int]:
    """Cut a text before its last special token."""
    return text.tokens if len(text.tokens) <= size else [*text.tokens[: size - 1], text.tokens[-1]]


def _encode_batch(model: LanguageModel, spec: _Encoder, windows: Sequence[TextWindow]) -> Floats:
    """The mean of the vectors of the target's tokens, or of all tokens if the target is not among them."""
    texts = model.tokenise_texts([window.text for window in windows])
    states = model.vectors([text.tokens for text in texts], spec.layer)
    all_tokens, target_tokens = np.zeros(states.shape[:2]), np.zeros(states.shape[:2])
    for row, (window, text) in enumerate(zip(windows, texts, strict=True)):
        all_tokens[row, : len(text.tokens)] = ~text.special
        in_target = (text.offsets[:, 0] < window.end) & (text.offsets[:, 1] > window.start)
        target_tokens[row, : len(text.tokens)] = in_target & ~text.special
    tokens = target_tokens if spec.target_only else all_tokens
    tokens = np.where(tokens.any(axis=1, keepdims=True), tokens, all_tokens)
    means: Floats = np.einsum("rpd,rp->rd", states, tokens) / np.maximum(tokens.sum(axis=1), 1)[:, None]
    return means
